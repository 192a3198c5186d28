#include "collision/pairwise/support/box_clip.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace claybox::collision {
namespace {

std::vector<Vec3f> clipped(const ConvexHull& hull, const Matrix34d& m, const Box3d& box) {
    Scratch scratch;
    const ClippedHull part = clip_to_box(hull, m, box, scratch);
    std::vector<Vec3f> out;
    for (std::uint32_t i = 0; i < part.count; ++i) out.push_back({part.x[i], part.y[i], part.z[i]});
    for (std::size_t i = part.count; part.count > 0 && i < (part.count + 15) / 16 * 16; ++i)
        EXPECT_EQ((Vec3f{part.x[i], part.y[i], part.z[i]}), out[0]) << "padding repeats the first point";
    return out;
}

/// The largest distance of the point outside the hull's faces; 0 or less if it is inside.
double outside(const ConvexHull& hull, const Matrix34d& m, const Vec3d& p) {
    double most = -1e300;
    const Vec3d inner = transform_point(m, hull.interior);
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const auto corner = [&](std::size_t i) { return transform_point(m, hull.vertex(loop[i])); };
        Vec3d n;
        for (std::size_t i = 1; i + 1 < loop.size(); ++i)
            n += cross(corner(i) - corner(0), corner(i + 1) - corner(0));
        n = normalized(n);
        if (dot(n, inner - corner(0)) > 0) n = -n;  // a mirroring matrix
        most = std::max(most, dot(n, p - corner(0)));
    }
    return most;
}

Box3d random_box(Random& random) {
    const Vec3d centre = random.vector(0, 0.9);
    const Vec3d half{random.uniform(0.05, 1), random.uniform(0.05, 1), random.uniform(0.05, 1)};
    return {centre - half, centre + half};
}

TEST(BoxClip, result_is_the_intersection_of_hull_and_box) {
    Random random(5);
    std::uint32_t inside = 0;
    for (int i = 0; i < 120; ++i) {
        const auto kind = i % 2 == 0 ? Primitive::ellipsoid_hull : Primitive::box;
        const ShapePtr shape = make_primitive_shape(kind, 40, 1, random.below(1000)).value();
        Matrix34d m = to_double(to_matrix({random_rotation(random, 0, 3), {}}));
        if (i % 3 == 0)
            for (std::size_t k = 0; k < 3; ++k) m.m[k] = -m.m[k];  // mirrored
        const Box3d box = random_box(random);
        const std::vector<Vec3f> points = clipped(*shape->hull(), m, box);
        for (const Vec3f& p : points) {
            EXPECT_LT(outside(*shape->hull(), m, cast<double>(p)), 1e-5);
            for (std::size_t k = 0; k < 3; ++k)
                EXPECT_TRUE(p[k] > box.min[k] - 1e-5 && p[k] < box.max[k] + 1e-5);
        }
        const auto part = points.empty() ? nullptr : Shape::from_hull(points).value();
        for (int sample = 0; sample < 300; ++sample) {
            Vec3d p;
            for (std::size_t k = 0; k < 3; ++k) p[k] = random.uniform(box.min[k], box.max[k]);
            if (outside(*shape->hull(), m, p) > 0) continue;
            ++inside;
            ASSERT_NE(part, nullptr);
            EXPECT_LT(outside(*part->hull(), {}, p), 1e-5);
        }
    }
    EXPECT_GT(inside, 3000u);
}

TEST(BoxClip, handles_containment_and_disjoint_boxes) {
    const ShapePtr ball = make_primitive_shape(Primitive::uv_sphere, 100, 1, 1).value();
    const ConvexHull& hull = *ball->hull();
    EXPECT_EQ(clipped(hull, {}, {{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}}).size(), 8u) << "the box's corners";
    const auto whole = Shape::from_hull(clipped(hull, {}, {{-2, -2, -2}, {2, 2, 2}})).value();
    EXPECT_EQ(whole->hull()->vertex_count, hull.vertex_count);
    EXPECT_TRUE(clipped(hull, {}, {{2, 2, 2}, {3, 3, 3}}).empty());
    EXPECT_TRUE(clipped(hull, {}, {{1, 0, 0}, {-1, 1, 1}}).empty()) << "an empty box";
}

TEST(BoxClip, accepts_points_segments_and_flat_polygons) {
    const Box3d box{{0, 0, 0}, {1, 1, 1}};
    const auto of = [&](std::vector<Vec3f> points) {
        return clipped(*Shape::from_hull(points).value()->hull(), {}, box);
    };
    EXPECT_EQ(of({{0.5f, 0.5f, 0.5f}}).size(), 1u);
    EXPECT_TRUE(of({{1.5f, 0.5f, 0.5f}}).empty());
    for (const Vec3f& p : of({{-1, 0.5f, 0.5f}, {3, 0.5f, 0.5f}}))
        EXPECT_TRUE(p.y == 0.5f && p.z == 0.5f && (p.x == 0 || p.x == 1));
    const auto square = of({{-1, -1, 0.5f}, {3, -1, 0.5f}, {3, 3, 0.5f}, {-1, 3, 0.5f}});
    EXPECT_EQ(Shape::from_hull(square).value()->hull()->vertex_count, 4u);
    for (const Vec3f& p : square) EXPECT_EQ(p.z, 0.5f);
}

}  // namespace
}  // namespace claybox::collision
