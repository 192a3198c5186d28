// The tree of a mesh: what its volumes promise, after building and after deformations.

#include "collision/parts/mesh_bvh.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace claybox::collision {
namespace {

MeshBvh tree_of(const Geometry& geometry, unsigned workers = 1) {
    const auto executor = workers == 1 ? make_serial_executor() : make_thread_executor(workers);
    return MeshBvh(geometry, *executor);
}

/// Whether a volume holds a point of the tree's frame, in long double.
bool holds(const BvhVolume& v, const Vec3<long double>& p) {
    const auto c = cast<long double>(v.centre), n = cast<long double>(v.normal);
    const auto d = p - c;
    const long double h = dot(n, d);
    const auto lateral = d - n * h;
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(d[k]) > static_cast<long double>(v.half[k])) return false;
    return std::abs(h) <= static_cast<long double>(v.thickness) &&
           dot(lateral, lateral) <= static_cast<long double>(v.radius) * v.radius;
}

/// Checks all volumes on the way from every triangle to the root, and that each triangle is in one leaf.
void expect_sound(const MeshBvh& tree, const Geometry& geometry) {
    std::vector<std::uint32_t> parent(4 * tree.nodes().size(), kNoIndex);
    std::multiset<std::uint32_t> seen;
    for (std::uint32_t ref = 0; ref < 4 * tree.nodes().size(); ++ref) {
        const std::uint32_t child = tree.child(ref);
        if (child == kNoIndex || is_bvh_leaf(child)) continue;
        ASSERT_GT(child, ref / 4);
        for (std::uint32_t lane = 0; lane < 4; ++lane) parent[4 * child + lane] = ref;
    }
    for (std::uint32_t ref = 0; ref < 4 * tree.nodes().size(); ++ref) {
        const std::uint32_t child = tree.child(ref);
        if (child == kNoIndex || !is_bvh_leaf(child)) continue;
        for (std::uint32_t i = 0; i < bvh_leaf_count(child); ++i) {
            const BvhTriangle& t = tree.triangles()[bvh_leaf_first(child) + i];
            seen.insert(t.triangle);
            for (std::uint32_t up = ref; up != kNoIndex; up = parent[up])
                for (const std::uint32_t v : t.vertices) {
                    const auto p =
                        cast<long double>(geometry.positions[v]) * static_cast<long double>(tree.scale());
                    ASSERT_TRUE(holds(tree.volume(up), p)) << "ref " << up << " vertex " << v;
                }
        }
    }
    EXPECT_EQ(seen.size(), geometry.topology->triangles.size());
    EXPECT_EQ(std::set<std::uint32_t>(seen.begin(), seen.end()).size(), seen.size());
}

TEST(MeshBvh, volumes_hold_their_triangles) {
    for (int kind = 0; kind < kPrimitiveCount; ++kind)
        for (const std::uint32_t wish : {4u, 100u, 3000u}) {
            const auto shape = make_primitive_shape(static_cast<Primitive>(kind), wish, 0.3f, 5);
            ASSERT_TRUE(shape.ok());
            expect_sound(tree_of(shape.value()->geometry()), shape.value()->geometry());
        }
}

TEST(MeshBvh, each_edge_and_diagonal_has_one_side_that_stands_for_it) {
    const auto shape = make_primitive_shape(Primitive::torus, 400, 1, 5).value();
    const MeshBvh tree = tree_of(shape->geometry());
    std::size_t edges = 0, diagonals = 0;
    for (std::uint32_t i = 0; i < shape->topology().triangles.size(); ++i)
        for (unsigned k = 0; k < 3; ++k) {
            edges += tree.sides(i) >> k & 1;
            diagonals += tree.sides(i) >> (3 + k) & 1;
        }
    EXPECT_EQ(edges, shape->topology().edges.size());
    EXPECT_EQ(diagonals, shape->topology().triangles.size() - shape->topology().polygon_count());
}

bool same(const MeshBvh& x, const MeshBvh& y) {
    if (x.nodes().size() != y.nodes().size()) return false;
    for (std::uint32_t ref = 0; ref < 4 * x.nodes().size(); ++ref)
        if (x.child(ref) != y.child(ref) || !(x.volume(ref) == y.volume(ref))) return false;
    for (std::size_t i = 0; i < x.triangles().size(); ++i)
        if (x.triangles()[i].triangle != y.triangles()[i].triangle) return false;
    return true;
}

TEST(MeshBvh, any_number_of_workers_builds_the_same_tree) {
    const auto shape = make_primitive_shape(Primitive::torus, 20000, 1, 5).value();
    const MeshBvh serial = tree_of(shape->geometry());
    EXPECT_TRUE(same(serial, tree_of(shape->geometry(), 2)));
    EXPECT_TRUE(same(serial, tree_of(shape->geometry(), 3)));
}

/// Pulls the vertices around one by up to `amount`.
std::vector<VertexChange> dent(const Geometry& g, Random& random, float amount) {
    const Vec3f middle = g.positions[random.below(g.positions.size())];
    std::vector<VertexChange> out;
    for (std::uint32_t v = 0; v < g.positions.size(); ++v)
        if (length(g.positions[v] - middle) < 0.2f)
            out.push_back({v, g.positions[v] + amount * cast<float>(random.unit_vector())});
    return out;
}

TEST(MeshBvh, volumes_hold_their_triangles_after_deformations) {
    Random random(11);
    for (const float amount : {0.01f, 0.3f, 20.0f}) {
        Geometry geometry = make_primitive_shape(Primitive::uv_sphere, 3000, 1, 5).value()->geometry();
        MeshBvh tree = tree_of(geometry);
        std::vector<std::uint32_t> touched;
        for (int frame = 0; frame < 8; ++frame) {
            ASSERT_TRUE(deform(geometry, dent(geometry, random, amount), touched).ok());
            tree.update(geometry, touched);
            EXPECT_EQ(tree.content(), geometry.content);
            expect_sound(tree, geometry);
        }
    }
}

TEST(MeshBvh, an_update_changes_only_what_is_above_what_was_touched) {
    Geometry geometry = make_primitive_shape(Primitive::uv_sphere, 3000, 1, 5).value()->geometry();
    MeshBvh tree = tree_of(geometry);
    const MeshBvh before = tree;
    std::vector<std::uint32_t> touched;
    const VertexChange change{100, 1.001f * geometry.positions[100]};
    ASSERT_TRUE(deform(geometry, {&change, 1}, touched).ok());
    tree.update(geometry, touched);
    std::size_t changed = 0;
    for (std::uint32_t ref = 0; ref < 4 * tree.nodes().size(); ++ref)
        changed += tree.child(ref) != kNoIndex && !(tree.volume(ref) == before.volume(ref)) ? 1 : 0;
    EXPECT_GT(changed, 0u);
    EXPECT_LT(changed, 60u);
}

}  // namespace
}  // namespace claybox::collision
