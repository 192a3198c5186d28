#pragma once
// Moving pairs for the tests of continuous algorithms.

#include "collision/continuous/registry.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace claybox::test {

using namespace claybox::collision;

/// Two shapes, their matrices at t = 0 and their motions.
struct MovingPair {
    ShapePtr a, b;
    Matrix34f matrix_a, matrix_b;
    Motion motion_a, motion_b;
};

inline ShapePtr hull_of(const std::vector<Vec3f>& points) {
    auto shape = Shape::from_hull(points);
    EXPECT_TRUE(shape.ok());
    return shape.value();
}
inline ShapePtr box_shape(const Vec3f& half) {
    std::vector<Vec3f> points;
    for (unsigned i = 0; i < 8; ++i)
        points.push_back({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                          (i & 4) != 0 ? half.z : -half.z});
    return hull_of(points);
}
inline ShapePtr primitive(Primitive kind, std::uint32_t size, float radius) {
    auto shape = make_primitive_shape(kind, size, radius, 7);
    EXPECT_TRUE(shape.ok());
    return shape.value();
}
inline Matrix34f at(const Vec3d& place, const Quat& rotation = {}) {
    return to_matrix({rotation, place});
}

inline ContinuousQuery make_query(const MovingPair& p, Scratch& scratch) {
    return make_continuous_query(*p.a, p.matrix_a, p.motion_a, *p.b, p.matrix_b, p.motion_b, scratch);
}
/// From a cold cache, with default parameters.
inline ContinuousResult run(const ContinuousAlgorithm& algorithm, const MovingPair& p,
                            double tolerance = 1e-6) {
    Scratch scratch;
    PairCache cache;
    ContinuousQuery query = make_query(p, scratch);
    query.tolerance = tolerance;
    return run_continuous(algorithm, query, cache);
}
inline bool fits(const ContinuousAlgorithm& algorithm, const MovingPair& p) {
    Scratch scratch;
    return applicable(algorithm, make_query(p, scratch));
}
inline Promise promise_of(const ContinuousAlgorithm& algorithm, const MovingPair& p) {
    Scratch scratch;
    return promise_for(algorithm, make_query(p, scratch));
}
inline MovingPair swapped(const MovingPair& p) {
    return {p.b, p.a, p.matrix_b, p.matrix_a, p.motion_b, p.motion_a};
}

inline Motion random_linear(Random& random, const Matrix34f& from, double distance) {
    return Motion::linear(from.translation() +
                          cast<float>(random.uniform(0, distance) * random.unit_vector()));
}
inline Motion random_screw(Random& random, const Vec3d& around, double max_angle, double distance) {
    Motion out;
    out.kind = Motion::Kind::screw;
    out.point_w = around + random.uniform(0, 1) * random.unit_vector();
    out.axis_w = random.unit_vector();
    out.angle = random.uniform(-max_angle, max_angle);
    out.travel_w = random.uniform(0, distance) * random.unit_vector();
    return out;
}

/// Convex shapes a few metres apart that fly about each other; about half of them touch.
inline std::vector<MovingPair> linear_pairs(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    const ShapePtr shapes[] = {box_shape({0.5f, 0.4f, 0.3f}),
                               primitive(Primitive::tetrahedron, 4, 0.8f),
                               primitive(Primitive::uv_sphere, 60, 0.7f),
                               primitive(Primitive::ellipsoid_hull, 40, 0.8f),
                               primitive(Primitive::rod_hull, 30, 1.0f),
                               box_shape({1.0f, 1.0f, 0.01f})};
    std::vector<MovingPair> out;
    for (std::size_t i = 0; i < count; ++i) {
        MovingPair p;
        p.a = shapes[random.below(std::size(shapes))];
        p.b = shapes[random.below(std::size(shapes))];
        const Vec3d place = 3.0 * random.unit_vector(), between = random.uniform(1, 3) * random.unit_vector();
        p.matrix_a = at(place, random_rotation(random, 0, 3));
        p.matrix_b = at(place + between, random_rotation(random, 0, 3));
        p.motion_a = random.below(4) == 0 ? Motion{} : random_linear(random, p.matrix_a, 1);
        const Vec3d aim = place + random.uniform(0.5, 2.5) * random.unit_vector() -
                          random.uniform(0, 2) * normalized(between);
        p.motion_b = Motion::linear(cast<float>(aim));
        out.push_back(p);
    }
    return out;
}
/// The same with screw motions of one or both bodies.
inline std::vector<MovingPair> screw_pairs(std::size_t count, std::uint64_t seed) {
    std::vector<MovingPair> out = linear_pairs(count, seed);
    Random random(seed + 1);
    for (MovingPair& p : out) {
        const Vec3d a = cast<double>(p.matrix_a.translation()), b = cast<double>(p.matrix_b.translation());
        p.motion_b = random_screw(random, b, 2.5, 0.2);
        p.motion_b.travel_w +=
            random.uniform(0.1, 0.9) * (a - b) + random.uniform(0, 1) * random.unit_vector();
        if (random.below(2) == 0) p.motion_a = random_screw(random, a, 1, 0.3);
    }
    return out;
}

inline ShapePtr read_shape(const nlohmann::json& body) {
    std::vector<Vec3f> points;
    for (const auto& p : body["points"])
        points.push_back(cast<float>(Vec3d{p[0].get<double>(), p[1].get<double>(), p[2].get<double>()}));
    return hull_of(points);
}
inline Matrix34f read_matrix(const nlohmann::json& matrix) {
    Matrix34f m;
    for (std::size_t i = 0; i < 12; ++i) m.m[i] = static_cast<float>(matrix[i].get<double>());
    return m;
}
inline Vec3d read_vector(const nlohmann::json& v) {
    return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()};
}
inline Motion read_screw(const nlohmann::json& screw) {
    Motion out;
    if (screw.is_null()) return out;
    out.kind = Motion::Kind::screw;
    out.point_w = read_vector(screw["point"]);
    out.axis_w = read_vector(screw["axis"]);
    out.angle = screw["theta"].get<double>();
    out.travel_w = read_vector(screw["g"]);
    return out;
}
/// A line of continuous.jsonl or screw.jsonl.
inline MovingPair read_pair(const nlohmann::json& line) {
    MovingPair p;
    p.a = read_shape(line["a"]);
    p.b = read_shape(line["b"]);
    if (line.contains("matrix_a0")) {
        p.matrix_a = read_matrix(line["matrix_a0"]);
        p.matrix_b = read_matrix(line["matrix_b0"]);
        p.motion_a = Motion::linear(read_matrix(line["matrix_a1"]).translation());
        p.motion_b = Motion::linear(read_matrix(line["matrix_b1"]).translation());
    } else {
        p.matrix_a = read_matrix(line["matrix_a"]);
        p.matrix_b = read_matrix(line["matrix_b"]);
        p.motion_a = read_screw(line["screw_a"]);
        p.motion_b = read_screw(line["screw_b"]);
    }
    return p;
}

}  // namespace claybox::test
