// All functions that read geometry reject numbers that are not finite or above 2^60 in magnitude, with a
// message. They accept all other floats, including subnormals.

#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"
#include "tests/geometry/lists.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace claybox::collision {
namespace {

using test::list_of;

const float kAbove = std::nextafter(0x1p60f, std::numeric_limits<float>::infinity());
const std::vector<float> kBad{
    std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), kAbove,
    -kAbove,       std::numeric_limits<float>::max()};
const std::vector<float> kGood{0x1p60f,
                               -0x1p60f,
                               0.0f,
                               -0.0f,
                               std::numeric_limits<float>::denorm_min(),
                               -std::numeric_limits<float>::denorm_min(),
                               0x1p-140f,
                               std::numeric_limits<float>::min()};

Vec3f with(std::size_t axis, float v) {
    Vec3f out{1, 2, 3};
    out[axis] = v;
    return out;
}

template <class Enter>
void expect_limit(const char* where, Enter&& enter) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const float v : kBad) {
            const auto result = enter(axis, v);
            ASSERT_FALSE(result.ok()) << where << ' ' << v;
            const std::string& message = result.error().message;
            EXPECT_TRUE(message.find("finite") != std::string::npos ||
                        message.find("2^60") != std::string::npos ||
                        message.find("too large") != std::string::npos)
                << where << ": " << message;
        }
        for (const float v : kGood) EXPECT_TRUE(enter(axis, v).ok()) << where << ' ' << v;
    }
}

TEST(Magnitude, shapes_reject_numbers_above_the_limit) {
    expect_limit("polygons", [](std::size_t axis, float v) {
        return Shape::from_polygons(list_of({with(axis, v), {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}}));
    });
    expect_limit("hull", [](std::size_t axis, float v) {
        const std::vector<Vec3f> points{with(axis, v), {0, 1, 0}, {0, 0, 1}, {5, 6, 7}};
        return Shape::from_hull(points);
    });
    // This applies to unused vertices too.
    EXPECT_FALSE(build_polyhedron(list_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {kAbove, 0, 0}}, {{0, 1, 2}})));
    for (const float radius : {-1.0f, 0.0f, std::nanf(""), 1e30f})
        EXPECT_FALSE(make_primitive_shape(Primitive::box, 10, radius, 1));
}

TEST(Magnitude, deformations_reject_numbers_above_the_limit) {
    expect_limit("deform", [](std::size_t axis, float v) -> Status {
        Geometry g = make_geometry(test::built(list_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2}})));
        std::vector<std::uint32_t> touched;
        const VertexChange change{1, with(axis, v)};
        return deform(g, {&change, 1}, touched);
    });
    World world;
    const auto cube = make_primitive_shape(Primitive::box, 10, 1.0f, 0).value();
    const auto body = world.add_body({.shape = cube, .pose = {}, .deformable = true});
    ASSERT_TRUE(body);
    expect_limit("World::deform", [&](std::size_t axis, float v) {
        const VertexChange change{1, with(axis, v)};
        return world.deform(body.value(), {&change, 1});
    });
}

TEST(Magnitude, poses_and_matrices_reject_numbers_above_the_limit) {
    World world;
    const auto cube = make_primitive_shape(Primitive::box, 10, 1.0f, 0).value();
    const auto body = world.add_body({.shape = cube, .pose = {}});
    ASSERT_TRUE(body);
    expect_limit("World::move", [&](std::size_t axis, float v) {
        return world.move(body.value(), {{}, cast<double>(with(axis, v))});
    });
    expect_limit("World::add_body", [&](std::size_t axis, float v) {
        return world.add_body({.shape = cube, .pose = {{}, cast<double>(with(axis, v))}});
    });
    const double above = std::nextafter(0x1p60, 0x1p61);
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), above, -above}) {
        EXPECT_FALSE(world.move(body.value(), {{}, {0, bad, 0}}));
        EXPECT_FALSE(world.move(body.value(), {{1, bad, 0, 0}, {}}));
        EXPECT_FALSE(checked(Pose{{}, {bad, 0, 0}}));
    }
    EXPECT_TRUE(world.move(body.value(), {{1, 0, 0, 0}, {0, 5e-324, 0x1p60}}));
    for (std::size_t i = 0; i < 12; ++i) {
        Matrix34f m;
        for (const float v : kBad) {
            m.m[i] = v;
            const Status status = check(m);
            ASSERT_FALSE(status.ok());
            EXPECT_NE(status.error().message.find("a matrix has an entry"), std::string::npos);
        }
        for (const float v : kGood) {
            m.m[i] = v;
            EXPECT_TRUE(check(m).ok());
        }
    }
}

}  // namespace
}  // namespace claybox::collision
