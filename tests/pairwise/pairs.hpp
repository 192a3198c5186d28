#pragma once
// Streams of pairs, and query helpers, shared by the tests of pair algorithms.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace claybox::test {

using namespace claybox::collision;

/// Two shapes in two poses.
struct Pair {
    ShapePtr a, b;
    Matrix34f world_from_a, world_from_b;
};

inline Pose random_pose(Random& random, double distance) {
    return {random_rotation(random, 0, 3.1), distance * random.unit_vector()};
}

/// Convex shapes of every convex primitive: two of radius 1 m, and one of 0.2 m that is often inside another.
inline std::vector<ShapePtr> convex_shapes() {
    std::vector<ShapePtr> out;
    for (int kind = 0; kind < kPrimitiveCount; ++kind) {
        const auto primitive = static_cast<Primitive>(kind);
        if (!info(primitive).convex) continue;
        for (const auto& [target_count, radius] :
             {std::pair{12u, 1.0f}, std::pair{60u, 1.0f}, std::pair{20u, 0.2f}}) {
            auto shape = make_primitive_shape(primitive, target_count, radius, 99);
            if (!shape.ok()) ADD_FAILURE() << info(primitive).id << ": " << shape.error().text();
            if (shape.ok() && shape.value()->hull() != nullptr) out.push_back(shape.value());
        }
    }
    return out;
}

/// Two of the shapes, with origins between `low` and `high` apart and `away` from the world's origin, in
/// metres.
inline Pair random_pair(const std::vector<ShapePtr>& shapes, Random& random, double away, double low,
                        double high) {
    Pair p;
    p.a = shapes[random.below(shapes.size())];
    p.b = shapes[random.below(shapes.size())];
    const Pose a = random_pose(random, away);
    Pose b = random_pose(random, random.uniform(low, high));
    b.translation += a.translation;
    p.world_from_a = to_matrix(a);
    p.world_from_b = to_matrix(b);
    return p;
}

/// `count` pairs of convex shapes at distances at which about half of them collide, away from the origin.
inline std::vector<Pair> random_pairs(std::size_t count, std::uint64_t seed) {
    const std::vector<ShapePtr> shapes = convex_shapes();
    Random random(seed);
    std::vector<Pair> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(random_pair(shapes, random, 5, 0.1, 1.7));
    return out;
}

/// The prepared data of a pair's shapes; null pointers if the algorithm prepares nothing.
struct PreparedPair {
    std::shared_ptr<const Prepared> a, b;
    std::vector<std::byte> pool;
};

/// The data that an algorithm prepared for a shape. Keeps the most recent ones with their shapes, as a
/// world's store would, because streams use few shapes many times.
inline std::shared_ptr<const Prepared> prepare(const PairAlgorithm& algorithm, const ShapePtr& shape) {
    struct Kept {
        const PairAlgorithm* algorithm = nullptr;
        ShapePtr shape;
        std::shared_ptr<const Prepared> prepared;
    };
    thread_local std::array<Kept, 160> kept;
    thread_local std::size_t next = 0;
    for (const Kept& k : kept)
        if (k.algorithm == &algorithm && k.shape == shape) return k.prepared;
    Kept& k = kept[next++ % kept.size()];
    k = {&algorithm, shape, algorithm.prepare(*shape, shape->geometry())};
    return k.prepared;
}

inline PreparedPair prepare(const PairAlgorithm& algorithm, const Pair& p) {
    PreparedPair out;
    if (algorithm.prepare != nullptr) {
        out.a = prepare(algorithm, p.a);
        out.b = prepare(algorithm, p.b);
    }
    if (algorithm.cache_bytes != nullptr) out.pool.resize(algorithm.cache_bytes(*p.a, *p.b));
    return out;
}

inline PairQuery query_of(const PairAlgorithm& algorithm, const Pair& p, const PreparedPair& prepared,
                          Scratch& scratch) {
    PairQuery q = make_pair_query(*p.a, p.world_from_a, *p.b, p.world_from_b, scratch);
    q.a.prepared = prepared.a.get();
    q.b.prepared = prepared.b.get();
    q.parameters = default_values(algorithm.parameters);
    q.seed = 1234;
    return q;
}

/// One query with a new cache; requests everything that the descriptor offers except hits.
inline PairResult query_pair(const PairAlgorithm& algorithm, const Pair& p, Wants wants = kWantVerdict) {
    PreparedPair prepared = prepare(algorithm, p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    q.wants = wants;
    return run_query(algorithm, q, cache);
}

inline bool applies(const PairAlgorithm& algorithm, const Pair& p) {
    return applicable(algorithm, {p.a.get(), &p.a->geometry(), nullptr, p.world_from_a},
                      {p.b.get(), &p.b->geometry(), nullptr, p.world_from_b});
}

inline Pair swapped(const Pair& p) {
    return {p.b, p.a, p.world_from_b, p.world_from_a};
}

}  // namespace claybox::test
