// The depth buffer is approximate: measures the deviation of its answers from exact ones.

#include "collision/pairwise/raster/depth_setup.hpp"
#include "tests/pairwise/truth_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace claybox::test {
namespace {

const PairAlgorithm& depth_buffer() {
    return *find_pair_algorithm("depth_buffer");
}

struct Options {
    double variant = 0, resolution = 128, axis = 0, layers = 16, device = 0, depth = 0;
};

PairResult query_with(const Pair& p, const Options& o, Wants wants = kWantVerdict) {
    static Scratch scratch;
    PairQuery q = query_of(depth_buffer(), p, {}, scratch);
    const auto set = [&](const char* id, double value) {
        const std::size_t i = find_parameter(depth_buffer().parameters, id);
        ASSERT_LT(i, depth_buffer().parameters.size()) << id;
        q.parameters[i] = value;
    };
    set("variant", o.variant);
    set("resolution", o.resolution);
    set("axis", o.axis);
    set("layers", o.layers);
    set("device", o.device);
    set("depth", o.depth);
    q.wants = wants;
    PairCache cache;
    return run_query(depth_buffer(), q, cache);
}

std::uint32_t counter(const PairResult& r, std::string_view name) {
    for (std::size_t i = 0; i < depth_buffer().counters.size(); ++i)
        if (depth_buffer().counters[i] == name) return r.counters[i];
    ADD_FAILURE() << name;
    return 0;
}

/// How far rounding of corners and depths may move two surfaces together, and what may be hidden between the
/// centres of pixels, in metres. A corner moves by at most 1/32 of a pixel along each side, a depth by two
/// steps.
struct Tolerance {
    double false_gap = 0, missed_depth = 0;
};

std::optional<Tolerance> tolerance(const Pair& p, const Options& o) {
    const auto drawn = [](const Shape& s, const Matrix34f& m) {
        return DrawnBody{&s.geometry(), s.hull(), &m};
    };
    PictureView view;
    if (!make_view(drawn_box(drawn(*p.a, p.world_from_a)), drawn_box(drawn(*p.b, p.world_from_b)),
                   static_cast<int>(o.axis) - 1, static_cast<int>(o.resolution), view))
        return std::nullopt;
    const double diagonal = std::hypot(view.pixel.x, view.pixel.y);
    return Tolerance{2 * diagonal / 32 + 4 * view.pixel.z, 1.25 * diagonal + 4 * view.pixel.z};
}

struct Tally {
    std::uint32_t queried = 0, wrong = 0, beyond = 0;
};

/// Compares one answer with the exact answer and its distance or depth.
void compare(const Pair& p, const Options& o, bool collide, double distance, double depth, Tally& tally) {
    const PairResult got = query_with(p, o);
    ++tally.queried;
    ASSERT_EQ(got.status, QueryStatus::done);
    if ((got.verdict == Verdict::colliding) == collide) return;
    ++tally.wrong;
    const auto allowed = tolerance(p, o);
    if (!allowed) return;  // the boxes touch at most
    const bool near = collide ? depth <= allowed->missed_depth : distance <= allowed->false_gap;
    tally.beyond += near ? 0 : 1;
}

/// Two convex bodies, with B moved along the closest direction until they are `gap` apart, or penetrate.
std::vector<Pair> pairs_near_contact(std::size_t count, std::uint64_t seed) {
    std::vector<Pair> out;
    Random random(seed);
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    for (Pair p : random_pairs(count, seed)) {
        if (!applies(depth_buffer(), p)) continue;
        const PairResult r = query_pair(gjk, p, gjk.gives);
        const double gap = std::pow(10.0, random.uniform(-5.0, -0.5)) * (random.below(2) == 0 ? 1 : -1);
        Vec3d step;
        if (r.verdict == Verdict::separated && r.distance > 0)
            step = (r.closest_a_w - r.closest_b_w) * (1 - gap / r.distance);
        if (r.verdict == Verdict::colliding) step = (r.depth + gap) * r.depth_direction_w;
        for (std::size_t k = 0; k < 3; ++k) p.world_from_b.m[4 * k + 3] += static_cast<float>(step[k]);
        out.push_back(p);
    }
    return out;
}

TEST(DepthBufferQuery, Z_3_7_1_zz_agrees_with_the_exact_answer_up_to_a_pixel) {
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    Tally tally;
    for (const Pair& p : pairs_near_contact(250, 71)) {
        const PairResult want = query_pair(gjk, p, gjk.gives);
        for (const double resolution : {32.0, 128.0})
            for (const double axis : {0.0, 2.0})
                compare(p, {1, resolution, axis}, want.verdict == Verdict::colliding, want.distance,
                        want.depth, tally);
    }
    std::printf("%u queried, %u wrong within a pixel\n", tally.queried, tally.wrong);
    EXPECT_EQ(tally.beyond, 0u);
    EXPECT_GT(tally.wrong, 0u) << "so close to contact that pixels matter";
    EXPECT_GT(tally.queried, 3 * tally.wrong);
}

TEST(DepthBufferQuery, finer_pixels_reduce_errors) {
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    Tally coarse, fine;
    for (const Pair& p : pairs_near_contact(250, 72)) {
        const PairResult want = query_pair(gjk, p, gjk.gives);
        compare(p, {1, 8}, want.verdict == Verdict::colliding, want.distance, want.depth, coarse);
        compare(p, {1, 128}, want.verdict == Verdict::colliding, want.distance, want.depth, fine);
    }
    EXPECT_LT(fine.wrong, coarse.wrong);
}

TEST(DepthBufferQuery, convex_truth_is_matched_up_to_a_pixel) {
    Tally tally;
    for (const TruthPair& t : convex_truth())
        if (applies(depth_buffer(), t.pair) && (t.depth >= 0 || !*t.solid))
            compare(t.pair, {}, *t.solid, t.distance, t.depth, tally);
    std::printf("%u queried, %u wrong within a pixel\n", tally.queried, tally.wrong);
    EXPECT_EQ(tally.beyond, 0u);
    EXPECT_GT(tally.queried, 3000u);
    EXPECT_GT(tally.queried, 3 * tally.wrong);
}

TEST(DepthBufferQuery, mesh_truth_is_matched_up_to_a_pixel) {
    // The truth has no depths of meshes. A common part that contains a ball as wide as a pixel's diagonal
    // would show in 25 pixels of a picture four times as fine.
    constexpr std::uint32_t kPixelsOfBall = 25;
    Tally tally;
    for (const TruthPair& t : mesh_truth()) {
        if (!t.solid || !applies(depth_buffer(), t.pair)) continue;
        Tally one;
        compare(t.pair, {}, *t.solid, t.distance, 0, one);
        tally.queried += one.queried;
        tally.wrong += one.wrong;
        EXPECT_EQ(one.beyond, 0u) << t.id;
        if (one.wrong == 0 || !*t.solid) continue;
        EXPECT_LT(counter(query_with(t.pair, {0, 512}), "pixels in collision"), kPixelsOfBall) << t.id;
    }
    std::printf("%u queried, %u wrong within a pixel\n", tally.queried, tally.wrong);
    EXPECT_GT(tally.queried, 400u);
    EXPECT_GT(tally.queried, 4 * tally.wrong);
}

TEST(DepthBufferQuery, Z_3_7_1_zz_returns_the_separating_translation_along_the_line_of_sight) {
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    std::uint32_t queried = 0;
    for (const Pair& p : random_pairs(150, 73)) {
        const Options o{1, 128, 2};
        const PairResult r = query_with(p, o, kWantDepth);
        if (r.verdict != Verdict::colliding) continue;
        EXPECT_NEAR(length(r.depth_direction_w), 1, 1e-15);
        EXPECT_EQ(std::abs(r.depth_direction_w.y), 1);
        Pair out = p;
        for (std::size_t k = 0; k < 3; ++k)
            out.world_from_b.m[4 * k + 3] += static_cast<float>(r.depth * r.depth_direction_w[k]);
        const PairResult left = query_pair(gjk, out, gjk.gives);
        const auto allowed = tolerance(p, o);
        ASSERT_TRUE(allowed.has_value());
        if (left.verdict == Verdict::colliding)
            EXPECT_LT(left.depth, allowed->missed_depth);
        else
            EXPECT_LT(left.distance, allowed->false_gap + 1e-6);
        ++queried;
    }
    EXPECT_GT(queried, 40u);
}

ShapePtr box(const Vec3f& half) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
    return Shape::from_hull(corners).value();
}

TEST(DepthBufferQuery, Z_3_7_1_zz_returns_the_depth_of_the_thesis_on_request) {
    Pair p{box({1, 1, 5}), box({1, 1, 2}), {}, {}};
    p.world_from_b.m[11] = 6;  // penetrates by 1; its surface there is 9 from the other side
    for (const double variant : {1.0, 2.0, 3.0}) {
        EXPECT_NEAR(query_with(p, {variant, 64, 3}, kWantDepth).depth, 1, 1e-5);
        EXPECT_NEAR(query_with(p, {variant, 64, 3, 16, 0, 1}, kWantDepth).depth, 9, 1e-5);
    }
}

TEST(DepthBufferQuery, Z_3_7_1_5pass_agrees_with_two_values) {
    std::uint32_t colliding = 0;
    for (const Pair& p : pairs_near_contact(200, 74)) {
        const PairResult two = query_with(p, {1, 64}), five = query_with(p, {2, 64});
        EXPECT_EQ(five.verdict, two.verdict);
        EXPECT_EQ(counter(five, "pixels of both"), 0u) << "one colour per pixel does not show it";
        EXPECT_EQ(counter(five, "pixels in collision"), counter(two, "pixels in collision"));
        EXPECT_EQ(query_with(swapped(p), {2, 64}).verdict, five.verdict);
        colliding += five.verdict == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(colliding, 40u);
}

/// Two rings like links of a chain: each goes through the other's hole.
Pair linked_tori(float shift) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 400, 1, 1).value();
    Pair p{torus, torus, {}, {}};
    const Aabb size = torus->geometry().box;  // the ring is in the plane of its two longer sides
    const Vec3f half = size.half();
    const std::size_t thin = half.x < half.y ? (half.x < half.z ? 0 : 2) : half.y < half.z ? 1 : 2;
    const std::size_t along = (thin + 1) % 3, third = (thin + 2) % 3;
    // A quarter turn about `along`, then moved along it by the diameter of the ring's centre circle.
    Matrix34f& m = p.world_from_b;
    m.m.fill(0);
    m.m[4 * along + along] = 1;
    m.m[4 * thin + third] = -1;
    m.m[4 * third + thin] = 1;
    m.m[4 * along + 3] = half[along] - half[thin] + shift;
    return p;
}

TEST(DepthBufferQuery, Z_3_7_1_layers_let_a_torus_pass_through_the_hole_of_another) {
    const PairAlgorithm& exact = *find_pair_algorithm("edge_polygon");
    for (const double axis : {0.0, 1.0, 2.0, 3.0}) {
        std::uint32_t colliding = 0;
        for (const float shift : {-0.6f, -0.3f, 0.0f, 0.02f, 0.3f, 0.6f, 0.9f}) {
            const Pair p = linked_tori(shift);
            const Verdict want = query_pair(exact, p).verdict;
            EXPECT_EQ(query_with(p, {0, 128, axis}).verdict, want) << axis << " " << shift;
            EXPECT_EQ(query_with(swapped(p), {3, 128, axis}).verdict, want) << axis << " " << shift;
            // Variants for convex bodies fall back to layers.
            EXPECT_EQ(query_with(p, {1, 128, axis}).verdict, want);
            EXPECT_EQ(query_with(p, {2, 128, axis}).verdict, want);
            colliding += want == Verdict::colliding ? 1 : 0;
        }
        EXPECT_EQ(query_pair(exact, linked_tori(0)).verdict, Verdict::separated);
        EXPECT_GT(colliding, 1u);
    }
}

TEST(DepthBufferQuery, Z_3_7_1_layers_report_full_pixels) {
    EXPECT_GT(counter(query_with(linked_tori(0), {3, 64, 0, 2}), "full pixels"), 0u);
    EXPECT_EQ(counter(query_with(linked_tori(0), {3, 64, 0, 16}), "full pixels"), 0u);
}

TEST(DepthBufferQuery, every_variant_finds_a_body_inside_the_other) {
    Pair p{box({1, 1, 1}), make_primitive_shape(Primitive::uv_sphere, 60, 0.2f, 1).value(), {}, {}};
    for (const double variant : {0.0, 1.0, 2.0, 3.0})
        for (const double axis : {0.0, 1.0, 2.0, 3.0}) {
            EXPECT_EQ(query_with(p, {variant, 64, axis}).verdict, Verdict::colliding);
            EXPECT_EQ(query_with(swapped(p), {variant, 64, axis}).verdict, Verdict::colliding);
        }
}

TEST(DepthBufferQuery, a_deformed_body_is_drawn_in_its_current_shape) {
    const ShapePtr cube = box({1, 1, 1});
    Geometry dented = cube->geometry();
    std::vector<VertexChange> changes;
    for (std::uint32_t v = 0; v < dented.positions.size(); ++v)
        if (dented.positions[v].z > 0)
            changes.push_back({v, {dented.positions[v].x, dented.positions[v].y, 0.0f}});
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(dented, changes, touched).ok());
    Pair p{cube, cube, {}, {}};
    p.world_from_b.m[11] = 1.5f;
    EXPECT_EQ(query_with(p, {}).verdict, Verdict::colliding);
    Scratch scratch;
    PairQuery q = query_of(depth_buffer(), p, {}, scratch);
    q.a.geometry = &dented;
    PairCache cache;
    EXPECT_EQ(run_query(depth_buffer(), q, cache).verdict, Verdict::separated);
}

TEST(DepthBufferQuery, flat_and_open_bodies_are_refused_and_stop_requests_are_obeyed) {
    const ShapePtr flat = Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).value();
    const ShapePtr cube = box({1, 1, 1});
    EXPECT_FALSE(applies(depth_buffer(), {flat, cube, {}, {}}));
    EXPECT_FALSE(applies(depth_buffer(), {cube, flat, {}, {}}));
    EXPECT_TRUE(applies(depth_buffer(), {cube, cube, {}, {}}));
    StopSource stop;
    stop.request_stop();
    Scratch scratch;
    const Pair p{cube, cube, {}, {}};
    PairQuery q = query_of(depth_buffer(), p, {}, scratch);
    q.stop = StopToken(stop);
    PairCache cache;
    const PairResult r = run_query(depth_buffer(), q, cache);
    EXPECT_EQ(r.status, QueryStatus::stopped);
    EXPECT_EQ(r.verdict, Verdict::undecided);
}

TEST(DepthBufferQuery, bodies_from_tiny_to_huge_are_answered) {
    const ShapePtr cube = box({1, 1, 1});
    for (const int a : {-60, -20, 0, 20, 59})
        for (const int b : {-60, -20, 0, 20, 59}) {
            Pair p{cube, cube, {}, {}};
            for (const std::size_t i : {0u, 5u, 10u}) {
                p.world_from_a.m[i] = std::ldexp(1.0f, a);
                p.world_from_b.m[i] = std::ldexp(1.0f, b);
            }
            for (const double variant : {1.0, 2.0, 3.0}) {
                const PairResult r = query_with(p, {variant, 16}, kWantDepth);
                EXPECT_EQ(r.verdict, Verdict::colliding) << a << " " << b;
                EXPECT_TRUE(std::isfinite(r.depth) && r.depth >= 0);
            }
        }
}

}  // namespace
}  // namespace claybox::test
