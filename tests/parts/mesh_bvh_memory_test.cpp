// What the fronts of pairs of trees rest on: how far bodies move at most, how far apart volumes are at least,
// and that no place of a front is forgotten.

#include "collision/parts/mesh_bvh_memory.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives.hpp"

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
    Matrix34f m =
        to_matrix({random_rotation(random, 0, 3.1), random.uniform(0, reach) * random.unit_vector()});
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
    explicit Mesh(Primitive primitive, std::uint32_t wish, float radius)
        : shape(make_primitive_shape(primitive, wish, radius, 5).value()),
          tree(shape->geometry(), *make_serial_executor()) {}
    PlacedBvh at(const Matrix34f& m) const { return {&tree, &shape->geometry(), &m}; }
};

TEST(MeshBvhMemory, no_vertex_moves_farther_than_the_bound_and_the_bound_is_not_much_more) {
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
        const float bound = farthest_move(mesh.tree, from, to);
        ASSERT_GE(static_cast<long double>(bound), farthest) << i;
        ASSERT_LE(static_cast<long double>(bound), 4 * farthest + 1e-6L) << i;
    }
    // A turn about the middle, where the bound is what it costs: a root of 2 and what the root's ball is
    // larger.
    const Matrix34f turned = to_matrix({axis_angle({0, 0, 1}, 0.01), {}});
    EXPECT_LT(farthest_move(meshes[0].tree, {}, turned), 0.01f * 1.5f);
    // Not moving is not moving.
    EXPECT_LT(farthest_move(meshes[0].tree, turned, turned), 1e-15f);
}

TEST(MeshBvhMemory, surfaces_are_as_far_apart_in_the_world_as_their_volumes_say) {
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
        const Float4 apart = apart_by(relation, probe, node);
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

TEST(MeshBvhMemory, a_full_front_forgets_only_what_is_beyond_all_that_it_keeps) {
    Random random(3);
    const Mesh mesh(Primitive::torus, 60, 1);
    const Matrix34f here;
    const PlacedBvh placed = mesh.at(here);
    for (int i = 0; i < 300; ++i) {
        BvhFront front{};
        BvhFrontMaker maker(front);
        std::vector<float> gaps;
        const std::size_t count = 1 + random.below(4 * kMostFrontPlaces);
        for (std::uint32_t k = 0; k < count; ++k) {
            gaps.push_back(static_cast<float>(random.uniform(0, 1)));
            maker.add({k, 0, 0, 1}, gaps.back());
        }
        ASSERT_NE(maker.finish(placed, placed), 0u);
        std::vector<bool> kept(count);
        for (std::uint32_t k = 0; k < front.count; ++k) {
            kept[front.places[k].refs] = true;
            ASSERT_EQ(front.places[k].gap, gaps[front.places[k].refs]);
            ASSERT_LE(front.nearest, front.places[k].gap);
        }
        if (count <= kMostFrontPlaces) {
            ASSERT_EQ(front.count, count);
        }
        for (std::size_t k = 0; k < count; ++k)
            if (!kept[k]) {
                ASSERT_LE(front.beyond, gaps[k]);
            }
        // Going on with it: what may meet leaves it, and gaps count from where the front was made.
        const float moved = 0.3f * front.beyond;
        BvhFrontPlace room[kMostFrontPlaces];
        std::span<BvhFrontPlace> nearer(room);
        const std::uint32_t before = front.count;
        BvhFrontMaker next(front, moved, nearer);
        ASSERT_EQ(front.count + nearer.size(), before);
        for (const BvhFrontPlace& place : nearer) ASSERT_LE(place.gap, moved);
        next.add({7, 0, 0, 1}, moved);
        const std::uint64_t stamp = next.finish(placed, placed);
        ASSERT_EQ(front.places[front.count - 1].gap, 0.0f);
        ASSERT_EQ(stamp, front.stamp);
    }
}

}  // namespace
}  // namespace claybox::collision
