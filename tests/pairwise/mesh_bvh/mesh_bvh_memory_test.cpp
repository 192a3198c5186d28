// The basis of BVH fronts: bounds of the motion of bodies, bounds of the gaps of volumes, and that no place
// of a front is lost.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/mesh_bvh/pair_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace claybox::collision {
namespace {

using Vec3l = Vec3<long double>;

Vec3l placed(const Matrix34f& m, const Vec3f& p) {
    Vec3l out;
    for (std::size_t r = 0; r < 3; ++r) {
        out[r] = static_cast<long double>(m.m[4 * r + 3]);
        for (std::size_t c = 0; c < 3; ++c)
            out[r] += static_cast<long double>(m.m[4 * r + c]) * static_cast<long double>(p[c]);
    }
    return out;
}

Matrix34f some_matrix(Random& random, double reach) {
    Matrix34f m = to_matrix({random_rotation(random, 0, 3.1), random.vector(0, reach)});
    const std::size_t kind = random.below(8);
    const float size = std::ldexp(1.0f, static_cast<int>(random.below(20)) - 10);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
            if (kind == 1) m.m[4 * r + c] *= size;
            if (kind == 2) m.m[4 * r + c] *= c == 0 ? -1.0f : 1.0f;
            if (kind == 3) m.m[4 * r + c] += 0.3f * static_cast<float>(random.uniform(-1, 1));
            if (kind == 4 && c == 2) m.m[4 * r + c] *= 1e-3f;
        }
    return m;
}

struct Mesh {
    ShapePtr shape;
    MeshBvh tree;
    explicit Mesh(Primitive primitive, std::uint32_t target_count, float radius)
        : shape(make_primitive_shape(primitive, target_count, radius, 5).value()),
          tree(shape->geometry(), *make_serial_executor()) {}
    PlacedBvh at(const Matrix34f& m) const { return {&tree, &shape->geometry(), &m}; }
};

TEST(MeshBvhMemory, displacement_bound_is_valid_and_tight) {
    Random random(1);
    const Mesh meshes[] = {Mesh(Primitive::torus, 300, 1), Mesh(Primitive::tetra_flake, 300, 1e-3f),
                           Mesh(Primitive::cylinder, 60, 700)};
    for (int i = 0; i < 3000; ++i) {
        const Mesh& mesh = meshes[random.below(3)];
        const Matrix34f from = some_matrix(random, 5);
        Matrix34f to = from;
        const float change = std::ldexp(1.0f, -static_cast<int>(random.below(30)));
        for (float& v : to.m)
            v += random.below(3) == 0 ? 0 : change * static_cast<float>(random.uniform(-1, 1));
        long double farthest = 0;
        for (const Vec3f& p : mesh.shape->geometry().positions) {
            const Vec3l d = placed(to, p) - placed(from, p);
            farthest = std::max(farthest, std::sqrt(dot(d, d)));
        }
        const float bound = max_displacement(mesh.tree, from, to);
        ASSERT_GE(static_cast<long double>(bound), farthest) << i;
        ASSERT_LE(static_cast<long double>(bound), 4 * farthest + 1e-6L) << i;
    }
    // A rotation about the centre, where the bound is weakest: by a factor of root 2 and by the size of the
    // root's ball.
    const Matrix34f turned = to_matrix({axis_angle({0, 0, 1}, 0.01), {}});
    EXPECT_LT(max_displacement(meshes[0].tree, {}, turned), 0.01f * 1.5f);
    // No motion has a bound of nearly zero.
    EXPECT_LT(max_displacement(meshes[0].tree, turned, turned), 1e-15f);
}

TEST(MeshBvhMemory, gaps_of_volumes_bound_the_world_distance_of_surfaces) {
    Random random(2);
    const Mesh meshes[] = {Mesh(Primitive::torus, 60, 1), Mesh(Primitive::tetra_flake, 60, 1),
                           Mesh(Primitive::cylinder, 60, 0.3f)};
    std::size_t apart_volumes = 0;
    for (int i = 0; i < 2000; ++i) {
        const Mesh &x = meshes[random.below(3)], &y = meshes[random.below(3)];
        const Matrix34f at_x = some_matrix(random, 2), at_y = some_matrix(random, 2);
        BvhRelation relation;
        if (!relate(x.at(at_x), y.at(at_y), relation)) continue;
        const float per_unit = world_per_unit(relation, x.at(at_x));
        const BvhProbe probe = make_probe(relation, y.tree.nodes()[0], 0);
        if (probe.reach != BvhProbe::Reach::normal) continue;
        const BvhNode& node = x.tree.nodes()[random.below(x.tree.nodes().size())];
        const Float4 apart = gap_bounds(relation, probe, node);
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
            const std::uint32_t child = node.child[lane];
            if (child == kNoIndex || !is_bvh_leaf(child) || !(apart[lane] > 0)) continue;
            ++apart_volumes;
            long double nearest = 1e30L;
            for (std::uint32_t k = 0; k < bvh_leaf_count(child); ++k)
                for (const std::uint32_t v : x.tree.triangles()[bvh_leaf_first(child) + k].vertices)
                    for (const Vec3f& q : y.shape->geometry().positions) {
                        const Vec3l d = placed(at_x, x.shape->geometry().positions[v]) - placed(at_y, q);
                        nearest = std::min(nearest, std::sqrt(dot(d, d)));
                    }
            ASSERT_LE(static_cast<long double>(apart[lane] * per_unit), nearest) << i;
        }
    }
    EXPECT_GT(apart_volumes, 300u);
}

TEST(MeshBvhMemory, a_full_front_drops_only_the_farthest_entries) {
    Random random(3);
    const Mesh mesh(Primitive::torus, 60, 1);
    const Matrix34f here;
    const PlacedBvh placed = mesh.at(here);
    for (int i = 0; i < 300; ++i) {
        BvhFront front{};
        BvhFrontBuilder builder(front);
        std::vector<float> gaps;
        const std::size_t count = 1 + random.below(4 * kMaxFrontEntries);
        for (std::uint32_t k = 0; k < count; ++k) {
            gaps.push_back(static_cast<float>(random.uniform(0, 1)));
            builder.add({k, 0, 0, 1}, gaps.back());
        }
        ASSERT_NE(builder.finish(placed, placed), 0u);
        std::vector<bool> kept(count);
        for (std::uint32_t k = 0; k < front.count; ++k) {
            kept[front.entries[k].refs] = true;
            ASSERT_EQ(front.entries[k].gap, gaps[front.entries[k].refs]);
            ASSERT_LE(front.nearest, front.entries[k].gap);
        }
        if (count <= kMaxFrontEntries) {
            ASSERT_EQ(front.count, count);
        }
        for (std::size_t k = 0; k < count; ++k)
            if (!kept[k]) {
                ASSERT_LE(front.beyond, gaps[k]);
            }
        // Continuing the front: places that may touch leave it, and gaps count from the pose in which the
        // front was built.
        const float moved = 0.3f * front.beyond;
        BvhFrontEntry storage[kMaxFrontEntries];
        std::span<BvhFrontEntry> nearer(storage);
        const std::uint32_t before = front.count;
        BvhFrontBuilder next(front, moved, nearer);
        ASSERT_EQ(front.count + nearer.size(), before);
        for (const BvhFrontEntry& entry : nearer) ASSERT_LE(entry.gap, moved);
        next.add({7, 0, 0, 1}, moved);
        const std::uint64_t stamp = next.finish(placed, placed);
        ASSERT_EQ(front.entries[front.count - 1].gap, 0.0f);
        ASSERT_EQ(stamp, front.stamp);
    }
}

TEST(MeshBvhMemory, fronts_that_are_lost_in_a_row_wait_longer_and_longer) {
    BvhFrontSchedule schedule;
    const auto traversals_until_due = [&] {
        int out = 0;
        while (!schedule.is_due()) ++out;
        return out;
    };
    EXPECT_EQ(traversals_until_due(), 0);
    for (const int expected : {0, 1, 3, 7, 7}) {
        schedule.front_was_lost();
        EXPECT_EQ(traversals_until_due(), expected);
    }
    schedule.front_helped();
    schedule.front_was_lost();
    EXPECT_EQ(traversals_until_due(), 0);
}

}  // namespace
}  // namespace claybox::collision
