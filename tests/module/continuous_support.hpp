#pragma once
// A continuous algorithm that is obviously correct: bodies without rotation are their axis-parallel boxes,
// which move straight. Each axis gives an interval of times; the boxes touch where all three meet.

#include "tests/module/support.hpp"

#include <algorithm>

namespace claybox::collision::test {

struct PathOfBox {
    Vec3d low, high, way;
};

inline PathOfBox path_of(const PairBody& body, const Motion& motion) {
    const Vec3d t = cast<double>(body.world_from_body.translation());
    return {t + cast<double>(body.geometry->box.min), t + cast<double>(body.geometry->box.max),
            displacement(body.world_from_body, motion)};
}

inline std::atomic<int> slab_queries{0};

inline void query_slabs(const ContinuousQuery& query, PairCache&, ContinuousResult& result, Trace*) {
    slab_queries.fetch_add(1, std::memory_order_relaxed);
    const PathOfBox a = path_of(query.pair.a, query.motion_a), b = path_of(query.pair.b, query.motion_b);
    const Vec3d way = b.way - a.way;
    double first = 0, last = 1;
    std::size_t axis = 3;
    for (std::size_t k = 0; k < 3; ++k) {
        const double to_enter = a.low[k] - b.high[k], to_leave = a.high[k] - b.low[k];
        if (way[k] == 0) {
            if (to_enter > 0 || to_leave < 0) last = -1;
            continue;
        }
        const double t0 = to_enter / way[k], t1 = to_leave / way[k];
        if (std::min(t0, t1) > first) first = std::min(t0, t1), axis = k;
        last = std::min(last, std::max(t0, t1));
    }
    result.iterations = 1;
    result.verdict = first <= last ? Verdict::colliding : Verdict::separated;
    if (result.verdict != Verdict::colliding) {
        result.time_low = result.time_high = 1;
        return;
    }
    result.time_low = result.time_high = first;
    result.at_start = axis == 3;
    if (axis < 3) result.normal_w[axis] = way[axis] < 0 ? 1 : -1;
    result.point_w = 0.5 * (a.low + a.high) + first * a.way;
    result.feature_a = {FeatureKind::face, 1};
    result.feature_b = {FeatureKind::vertex, 2};
    if (query.hits != nullptr)
        for (int i = 0; i < 100; ++i)
            if (!query.hits->push({first, result.point_w, result.normal_w, result.feature_a, result.feature_b,
                                   1 - 0.01 * i})) {
                result.status = QueryStatus::hits_full;
                return;
            }
}

inline const ContinuousAlgorithm& slabs() {
    static const ContinuousAlgorithm algorithm = [] {
        ContinuousAlgorithm a{};
        a.id = a.title = a.source = a.summary = "slabs";
        a.gives_all_hits = true;
        a.query = query_slabs;
        return a;
    }();
    return algorithm;
}

inline WorldSettings slab_settings() {
    WorldSettings settings = default_settings();
    settings.continuous_algorithm = &slabs();
    settings.continuous_parameters = default_values(slabs().parameters);
    return settings;
}

/// A cube of edge 2, or a box of this size.
inline ShapePtr box(double x, double y, double z) {
    PolygonList list;
    for (int i = 0; i < 8; ++i)
        list.positions.push_back(cast<float>(0.5 * Vec3d{i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z}));
    for (const auto& loop : std::array<std::array<std::uint32_t, 4>, 6>{
             {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}})
        list.add_polygon(loop);
    return Shape::from_polygons(list, "box").value();
}

}  // namespace claybox::collision::test
