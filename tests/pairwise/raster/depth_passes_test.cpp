// Depth pictures: the input of a device, the output of the software renderer, and the results of the passes.

#include "collision/pairwise/raster/depth_passes.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/raster/raster_software.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>
#include <vector>

namespace claybox::collision {
namespace {

constexpr int kSize = 64;

/// A device that implements the header's rules pixel by pixel, as simply as possible.
class PlainRaster final : public RasterDevice {
  public:
    const char* name() const override { return "plain"; }
    bool begin(const RasterFrame& frame) override {
        frame_ = frame;
        const std::size_t n = frame.pixels();
        words_.assign(frame.words(), 0);
        lists_.assign(n, {});
        covered_.assign(n, 0);
        const bool two = frame.kind == RasterKind::two_valued;
        for (std::size_t i = 0; i < n; ++i) {
            if (frame.kind != RasterKind::layered) words_[i] = kNoDepth;
            if (two) words_[2 * n + i] = kNoDepth;
            if (two) words_[n + i] = words_[3 * n + i] = -1;
        }
        return true;
    }
    void draw(const RasterPass& pass, std::span<const RasterTriangle> triangles) override {
        for (const RasterTriangle& t : triangles)
            for (int y = 0; y < frame_.size; ++y)
                for (int x = 0; x < frame_.size; ++x) pixel(pass, t, x, y);
    }
    std::span<const std::int32_t> finish() override {
        const std::size_t n = frame_.pixels();
        for (std::size_t i = 0; i < n && frame_.kind == RasterKind::layered; ++i)
            for (const auto& [depth, bits] : lists_[i]) {
                if (words_[i] == frame_.layers) break;
                const auto at = n + i * static_cast<std::size_t>(frame_.layers);
                words_[at + static_cast<std::size_t>(words_[i]++)] = depth << 4 | bits;
            }
        return words_;
    }
    const std::vector<int>& covered() const { return covered_; }

  private:
    void pixel(const RasterPass& pass, const RasterTriangle& t, int x, int y) {
        for (int k = 0; k < 3; ++k) {
            const std::int64_t e =
                t.edge[k] + std::int64_t{t.edge_x[k]} * (x - t.x0) + std::int64_t{t.edge_y[k]} * (y - t.y0);
            if (e < 0) return;
        }
        EXPECT_TRUE(t.x0 <= x && x <= t.x1 && t.y0 <= y && y <= t.y1) << "the pixel range is too small";
        const auto sum =
            static_cast<std::int32_t>(t.depth + t.depth_x * static_cast<std::uint32_t>(x - t.x0) +
                                      t.depth_y * static_cast<std::uint32_t>(y - t.y0));
        const std::int32_t depth = std::clamp(sum, t.min_depth, t.max_depth) >> kDepthFractionBits;
        const std::size_t i = static_cast<std::size_t>(y * frame_.size + x), n = frame_.pixels();
        ++covered_[i];
        const auto body = static_cast<std::size_t>(pass.body);
        if (frame_.kind == RasterKind::two_valued) {
            words_[2 * body * n + i] = std::min(words_[2 * body * n + i], depth);
            words_[(2 * body + 1) * n + i] = std::max(words_[(2 * body + 1) * n + i], depth);
        } else if (frame_.kind == RasterKind::layered) {
            std::int32_t& bits = lists_[i][depth];
            bits = (bits ^ (1 << pass.body)) | (4 << pass.body);
        } else {
            one_valued(pass, words_[i], words_[n + i], depth);
        }
    }
    static void one_valued(const RasterPass& pass, std::int32_t& z, std::int32_t& colour,
                           std::int32_t depth) {
        const std::int32_t own = pass.body + 1, other = 3 - own;
        const bool nearer = depth < z, not_behind = depth <= z;
        switch (pass.rule) {
            case RasterRule::nearer:
                if (nearer) z = depth, colour = own;
                break;
            case RasterRule::nearer_unlike:
                if (nearer && colour != own) z = depth, colour = own;
                break;
            case RasterRule::not_behind_other:
                if (not_behind && colour == other) z = depth, colour = own;
                break;
            case RasterRule::recolour_other:
                if (not_behind && colour == other) colour = own;
                break;
            case RasterRule::erase_like:
                if (colour == own) colour = 0;
                break;
            case RasterRule::erase_where_behind:
                if (!not_behind) colour = 0;
                break;
        }
    }
    RasterFrame frame_;
    std::vector<std::int32_t> words_;
    std::vector<std::map<std::int32_t, std::int32_t>> lists_;
    std::vector<int> covered_;
};

/// A body to draw.
struct Placed {
    ShapePtr shape;
    Matrix34f world_from_body;

    DrawnBody drawn(bool as_hull = true) const {
        return {&shape->geometry(), as_hull ? shape->hull() : nullptr, &world_from_body};
    }
};

Placed random_placed(Random& random, Primitive primitive, std::uint32_t target_count) {
    const Pose pose{random_rotation(random, 0, 3), random.vector(0, 1.2)};
    Placed out{make_primitive_shape(primitive, target_count, 1, random.below(1000)).value(), to_matrix(pose)};
    if (random.below(3) == 0)
        for (std::size_t k = 0; k < 4; ++k) out.world_from_body.m[k] = -out.world_from_body.m[k];
    return out;
}

struct Picture {
    PictureView view;
    RasterFrame frame;
    std::vector<std::int32_t> words;
    DepthFinding found;
};

/// Draws with the given passes; `words` is empty if the boxes do not overlap.
Picture paint(RasterDevice& device, const Placed& a, const Placed& b, DepthBufferVariant variant,
              std::span<const DepthPass> passes, int axis = 2, int layers = 16) {
    Picture out;
    out.frame = {kind_of(variant), kSize, layers};
    if (!make_view(drawn_box(a.drawn()), drawn_box(b.drawn()), axis, kSize, out.view)) return out;
    EXPECT_TRUE(device.begin(out.frame));
    for (const DepthPass& pass : passes)
        draw_body(pass.raster.body == 0 ? a.drawn() : b.drawn(), out.view, pass.faces, pass.raster, device);
    const auto words = device.finish();
    out.words.assign(words.begin(), words.end());
    out.found = read_picture(variant, out.frame, out.words, nullptr);
    return out;
}

Picture paint(const Placed& a, const Placed& b, DepthBufferVariant variant, std::span<const DepthPass> passes,
              int axis = 2, int layers = 16) {
    std::vector<std::int32_t> memory(static_cast<std::size_t>(kSize * kSize) * 33);
    SoftwareRaster device(memory);
    return paint(device, a, b, variant, passes, axis, layers);
}

Picture paint(const Placed& a, const Placed& b, DepthBufferVariant variant) {
    return paint(a, b, variant, passes_of(variant));
}

/// An axis-aligned box from low to high.
Placed block(const Vec3f& low, const Vec3f& high) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
    return {Shape::from_hull(corners).value(), {}};
}

void expect_same(const Picture& one, const Picture& other) {
    ASSERT_EQ(one.words.size(), other.words.size());
    const std::size_t n = one.frame.pixels(), layers = static_cast<std::size_t>(one.frame.layers);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < one.words.size(); ++i) {
        const bool layer = one.frame.kind == RasterKind::layered && i >= n;
        const bool used = !layer || static_cast<std::int32_t>((i - n) % layers) < one.words[(i - n) / layers];
        wrong += used && one.words[i] != other.words[i] ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0u);
}

TEST(RasterSoftware, fills_every_kind_of_picture_by_the_rules_of_the_interface) {
    Random random(11);
    std::uint32_t painted = 0;
    for (int i = 0; i < 24; ++i) {
        const Primitive kind = i % 2 == 0 ? Primitive::torus : Primitive::ellipsoid_hull;
        const Placed a = random_placed(random, kind, 40), b = random_placed(random, kind, 60);
        PlainRaster plain;
        for (const auto variant :
             {DepthBufferVariant::two_valued, DepthBufferVariant::five_pass, DepthBufferVariant::layers})
            for (const int layers : {3, 16}) {
                const auto passes = i % 3 == 0 && variant == DepthBufferVariant::five_pass
                                        ? printed_passes()
                                        : passes_of(variant);
                const Picture want = paint(plain, a, b, variant, passes, i % 3, layers);
                const Picture got = paint(a, b, variant, passes, i % 3, layers);
                expect_same(want, got);
                painted += got.words.empty() ? 0 : 1;
            }
    }
    EXPECT_GT(painted, 100u);
}

TEST(RasterSoftware, refuses_unsupported_pictures) {
    std::vector<std::int32_t> memory(4 * 16);
    SoftwareRaster device(memory);
    EXPECT_TRUE(device.begin({RasterKind::two_valued, 4, 1}));
    EXPECT_FALSE(device.begin({RasterKind::two_valued, 8, 1}));
    EXPECT_FALSE(device.begin({RasterKind::one_valued, 5, 1}));
    EXPECT_FALSE(device.begin({RasterKind::one_valued, 0, 1}));
    EXPECT_FALSE(device.begin({RasterKind::one_valued, 2048, 1}));
    EXPECT_FALSE(device.begin({RasterKind::layered, 4, 0}));
    EXPECT_FALSE(device.begin({RasterKind::layered, 4, 33}));
}

TEST(TriangleBlock, neighbours_cover_every_pixel_exactly_once) {
    // A fan around a point inside the picture, and a ring far outside: every pixel belongs to exactly one
    // triangle, however the corners are rounded and clipped.
    Random random(12);
    for (int round = 0; round < 40; ++round) {
        PlainRaster device;
        ASSERT_TRUE(device.begin({RasterKind::two_valued, kSize, 1}));
        TriangleBlock triangles(kSize, DrawnFaces::all, false, {}, device);
        const bool on_grid = round % 2 == 0;  // edges pass through many centres
        const auto point = [&](double low, double high) {
            const Vec3d p{random.uniform(low, high), random.uniform(low, high), random.uniform(0, 1e7)};
            return on_grid ? Vec3d{std::floor(p.x) + 0.5, std::floor(p.y) + 0.5, p.z} : p;
        };
        const Vec3d middle = point(20, 40);
        const double far = std::pow(10.0, random.uniform(2.0, 30.0));
        const std::vector<Vec3d> ring{{-far, -far, 5}, {far, -far, 1e7}, {far, far, 3}, {-far, far, 1e6}};
        std::vector<Vec3d> inner;
        for (const Vec3d& corner : ring)
            inner.push_back({corner.x < 0 ? 5.5 : 55.5, corner.y < 0 ? 5.5 : 55.5, point(0, 1).z});
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t k = (i + 1) % 4;
            triangles.add(middle, inner[i], inner[k]);
            triangles.add(inner[k], inner[i], ring[i]);  // opposite orientation to the first
            triangles.add(inner[k], ring[k], ring[i]);
        }
        triangles.flush();
        for (const int covered : device.covered()) ASSERT_EQ(covered, 1) << round;
    }
}

TEST(TriangleBlock, depths_lie_on_the_plane_through_the_corners) {
    Random random(13);
    std::vector<std::int32_t> memory(4 * kSize * kSize);
    SoftwareRaster device(memory);
    double worst = 0;
    for (int round = 0; round < 200; ++round) {
        ASSERT_TRUE(device.begin({RasterKind::two_valued, kSize, 1}));
        TriangleBlock triangles(kSize, DrawnFaces::all, false, {}, device);
        Vec3d corner[3];
        for (Vec3d& c : corner) {
            c = {random.uniform(0, kSize), random.uniform(0, kSize), random.uniform(0, kNoDepth - 1)};
            c = {std::round(16 * c.x) / 16, std::round(16 * c.y) / 16, c.z};
        }
        triangles.add(corner[0], corner[1], corner[2]);
        triangles.flush();
        const Vec3d n = cross(corner[1] - corner[0], corner[2] - corner[0]);
        const auto words = device.finish();
        for (int i = 0; i < kSize * kSize; ++i) {
            if (words[static_cast<std::size_t>(i)] == kNoDepth) continue;
            const Vec3d d = Vec3d{i % kSize + 0.5, i / kSize + 0.5, 0} - corner[0];
            const double want = corner[0].z - (n.x * d.x + n.y * d.y) / n.z;
            worst = std::max(worst, std::abs(static_cast<double>(words[static_cast<std::size_t>(i)]) - want));
        }
    }
    EXPECT_LT(worst, 2.0) << "depth steps";
}

TEST(DepthBuffer, every_line_of_sight_leaves_a_closed_body_as_often_as_it_enters) {
    Random random(14);
    std::uint32_t values = 0;
    for (int i = 0; i < 60; ++i) {
        const Primitive kind = i % 3 == 0   ? Primitive::torus
                               : i % 3 == 1 ? Primitive::tetra_flake
                                            : Primitive::cone;
        const Placed a = random_placed(random, kind, 300), b = random_placed(random, Primitive::torus, 200);
        const Picture p =
            paint(a, b, DepthBufferVariant::layers, passes_of(DepthBufferVariant::layers), i % 3, 32);
        const std::size_t n = p.frame.pixels();
        for (std::size_t pixel = 0; pixel < n && !p.words.empty(); ++pixel) {
            const auto count = static_cast<std::size_t>(p.words[pixel]);
            if (count == 32) continue;
            std::int32_t odd = 0;
            for (std::size_t k = 0; k < count; ++k) odd ^= p.words[n + 32 * pixel + k] & 3;
            ASSERT_EQ(odd, 0) << i;
            values += static_cast<std::uint32_t>(count);
        }
    }
    EXPECT_GT(values, 10000u);
}

// Figure 3.40: one in front of the other, one penetrating the other, one inside the other; each with A and B
// swapped. Also side by side, which the figure omits.
struct Arrangement {
    Placed a, b;
    bool collide;
    bool printed;  ///< result of the passes as printed in the thesis
};

/// Slabs that slope to one side, so that their boxes overlap even if one is in front of the other.
std::vector<Arrangement> arrangements() {
    const auto rising = [](Placed body) {
        body.world_from_body.m[8] = 8;
        return body;
    };
    const auto slab = [&](float low, float high) { return rising(block({0, 0, low}, {1, 1, high})); };
    const Placed inner = rising(block({0.25f, 0.25f, 2}, {0.75f, 0.75f, 3}));
    return {
        {slab(0, 1), slab(2, 3), false, false},  // A in front of B
        {slab(2, 3), slab(0, 1), false, true},   // B in front of A
        {slab(0, 2), slab(1, 3), true, true},
        {slab(1, 3), slab(0, 2), true, true},
        {slab(0, 4), inner, true, true},
        {inner, slab(0, 4), true, true},
        // They share the corner of their boxes but no point.
        {{Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).value(), {}},
         {Shape::from_hull(std::vector<Vec3f>{{1, 1, 0}, {1, 0.5f, 0}, {0.5f, 1, 0}, {1, 1, 1}}).value(), {}},
         false,
         true}};
}

TEST(DepthBuffer, Z_3_7_1_5pass_decides_the_arrangements_of_figure_3_40_and_the_printed_passes_do_not) {
    for (const Arrangement& way : arrangements()) {
        const Picture five = paint(way.a, way.b, DepthBufferVariant::five_pass);
        const Picture printed = paint(way.a, way.b, DepthBufferVariant::five_pass, printed_passes());
        ASSERT_FALSE(five.words.empty());
        EXPECT_EQ(five.found.colliding > 0, way.collide);
        EXPECT_EQ(printed.found.colliding > 0, way.printed);
    }
}

TEST(DepthBuffer, Z_3_7_1_zz_and_layers_decide_the_same_arrangements) {
    for (const Arrangement& way : arrangements())
        for (const auto variant : {DepthBufferVariant::two_valued, DepthBufferVariant::layers})
            EXPECT_EQ(paint(way.a, way.b, variant).found.colliding > 0, way.collide);
}

TEST(DepthBuffer, all_variants_find_the_same_pixels_for_convex_bodies) {
    Random random(15);
    std::uint32_t colliding = 0, apart = 0;
    for (int i = 0; i < 200; ++i) {
        const Placed a = random_placed(random, Primitive::ellipsoid_hull, 40);
        const Placed b = random_placed(random, i % 2 == 0 ? Primitive::box : Primitive::rod_hull, 12);
        const DepthFinding two = paint(a, b, DepthBufferVariant::two_valued).found;
        const DepthFinding layers = paint(a, b, DepthBufferVariant::layers).found;
        EXPECT_EQ(paint(a, b, DepthBufferVariant::five_pass).found.colliding, two.colliding);
        EXPECT_EQ(layers.colliding, two.colliding);
        EXPECT_EQ(layers.distance_up, two.distance_up);
        EXPECT_EQ(layers.thesis_depth, two.thesis_depth);
        colliding += two.colliding > 0 ? 1 : 0;
        apart += two.colliding > 0 ? 0 : 1;
    }
    EXPECT_GT(colliding, 40u);
    EXPECT_GT(apart, 20u);
}

TEST(DepthBuffer, depth_measures_match_the_thesis_and_the_shorter_translation) {
    // A from 0 to 10, B from 9 to 14: B penetrates by 1; its surface inside A is 9 behind A's beginning.
    const Placed a = block({0, 0, 0}, {1, 1, 10}), b = block({0, 0, 9}, {1, 1, 14});
    const Picture p = paint(a, b, DepthBufferVariant::two_valued);
    EXPECT_NEAR(p.found.distance_up * p.view.pixel.z, 1, 1e-5);
    EXPECT_NEAR(p.found.distance_down * p.view.pixel.z, 14, 1e-5);
    EXPECT_NEAR(p.found.thesis_depth * p.view.pixel.z, 9, 1e-5);
    EXPECT_NEAR((p.found.stretch_end - p.found.stretch_begin) * p.view.pixel.z, 1, 1e-5);
    EXPECT_EQ(p.found.shared, p.frame.pixels());
    // A from 4 to 5 inside B from 0 to 10: its surfaces are at most 6 from B's ends.
    const Placed inner = block({0, 0, 4}, {1, 1, 5}), outer = block({0, 0, 0}, {1, 1, 10});
    for (const auto& [first, second] : {std::pair{inner, outer}, std::pair{outer, inner}}) {
        const Picture q = paint(first, second, DepthBufferVariant::two_valued);
        EXPECT_NEAR(q.found.thesis_depth * q.view.pixel.z, 6, 1e-5);
    }
}

TEST(RasterDevice, each_thread_has_its_own_device) {
    EXPECT_EQ(raster_device_of_this_thread(), nullptr);
    PlainRaster one, two;
    {
        const RasterDeviceScope outer(one);
        EXPECT_EQ(raster_device_of_this_thread(), &one);
        {
            const RasterDeviceScope inner(two);
            EXPECT_EQ(raster_device_of_this_thread(), &two);
        }
        EXPECT_EQ(raster_device_of_this_thread(), &one);
        RasterDevice* elsewhere = &one;
        std::thread([&] { elsewhere = raster_device_of_this_thread(); }).join();
        EXPECT_EQ(elsewhere, nullptr);
    }
    EXPECT_EQ(raster_device_of_this_thread(), nullptr);
}

}  // namespace
}  // namespace claybox::collision
