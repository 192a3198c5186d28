#pragma once
// Two bodies with motions, and a query about them.

#include "collision/continuous/registry.hpp"
#include "collision/continuous/screw_motion/screw_query.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace claybox::test {

using namespace claybox::collision;

inline const ContinuousAlgorithm& screw_motion() {
    return *find_continuous_algorithm("screw_motion");
}

struct ScrewCase {
    ShapePtr a, b;
    Matrix34f matrix_a{}, matrix_b{};
    Motion motion_a{}, motion_b{};
    ParameterValues parameters = default_values(screw_parameters());

    void set(ScrewParameter parameter, double value) {
        parameters[static_cast<std::size_t>(parameter)] = value;
    }
};

struct ScrewOutcome {
    ContinuousResult result;
    std::vector<MotionHit> hits;
    bool hit() const { return result.verdict == Verdict::colliding; }
    double time() const { return result.time_high; }
};

inline ContinuousQuery query_of(const ScrewCase& c, Scratch& scratch) {
    ContinuousQuery query =
        make_continuous_query(*c.a, c.matrix_a, c.motion_a, *c.b, c.matrix_b, c.motion_b, scratch);
    query.pair.parameters = c.parameters;
    return query;
}

inline ScrewOutcome run(const ScrewCase& c, bool all = true) {
    Scratch scratch;
    PairCache cache;
    std::vector<MotionHit> room(4096);
    MotionHitSink sink{room};
    ContinuousQuery query = query_of(c, scratch);
    query.hits = all ? &sink : nullptr;
    ScrewOutcome out;
    out.result = run_continuous(screw_motion(), query, cache);
    out.hits.assign(sink.hits().begin(), sink.hits().end());
    return out;
}

/// A shape from vertices and polygons.
inline ShapePtr shape_of(std::vector<Vec3f> positions, std::vector<std::vector<std::uint32_t>> polygons) {
    PolygonList list;
    list.positions = std::move(positions);
    for (const auto& polygon : polygons) list.add_polygon(polygon);
    return Shape::from_polygons(list).value();
}

/// The box [low, high].
inline ShapePtr box(const Vec3f& low, const Vec3f& high) {
    std::vector<Vec3f> p;
    for (int i = 0; i < 8; ++i)
        p.push_back(
            {(i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y, (i & 4) != 0 ? high.z : low.z});
    return shape_of(p, {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}});
}

/// A polygon in the plane z = 0, extruded to |z| <= half. Counter-clockwise.
inline ShapePtr extruded(const std::vector<Vec3f>& outline, float half) {
    std::vector<Vec3f> p;
    const auto n = static_cast<std::uint32_t>(outline.size());
    for (const float z : {-half, half})
        for (const Vec3f& q : outline) p.push_back({q.x, q.y, z});
    std::vector<std::vector<std::uint32_t>> polygons(2);
    for (std::uint32_t i = 0; i < n; ++i) {
        polygons[0].push_back(n - 1 - i);
        polygons[1].push_back(n + i);
        const std::uint32_t k = (i + 1) % n;
        polygons.push_back({i, k, n + k, n + i});
    }
    return shape_of(p, polygons);
}

inline Matrix34f shifted(const Vec3d& by) {
    return to_matrix({{}, by});
}

inline Motion move_by(const Matrix34f& from, const Vec3d& by) {
    const Vec3f t = from.translation();
    return Motion::linear(
        {static_cast<float>(t.x + by.x), static_cast<float>(t.y + by.y), static_cast<float>(t.z + by.z)});
}

}  // namespace claybox::test
