// The BVH of a mesh: the guarantees of its volumes, after building and after deformations.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/mesh_bvh/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace claybox::collision {
namespace {

MeshBvh tree_of(const Geometry& geometry, unsigned workers = 1) {
    const auto executor = workers == 1 ? make_serial_executor() : make_thread_executor(workers);
    return MeshBvh(geometry, *executor);
}

/// Whether a volume contains a point of the tree's frame, in long double.
bool contains(const BvhVolume& v, const Vec3<long double>& p) {
    const auto c = cast<long double>(v.centre), n = cast<long double>(v.normal);
    const auto d = p - c;
    const long double h = dot(n, d);
    const auto lateral = d - n * h;
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(d[k]) > static_cast<long double>(v.half[k])) return false;
    return std::abs(h) <= static_cast<long double>(v.thickness) &&
           dot(lateral, lateral) <= static_cast<long double>(v.radius) * v.radius;
}

/// The properties of a volume's numbers on which its users rely. Sizes are never so small that their products
/// with each other or with a direction's coordinates are denormal, which would be slow.
bool is_well_made(const BvhVolume& v) {
    const auto n = cast<long double>(v.normal);
    const float smallest = std::min({v.thickness, v.half.x, v.half.y, v.half.z});
    return std::abs(std::sqrt(dot(n, n)) - 1) <= 0x1p-22L && v.radius >= 0 && smallest >= 0x1p-61f &&
           is_finite(v.centre) && is_finite(v.half) && std::isfinite(v.radius) && std::isfinite(v.thickness);
}

/// Checks all volumes on the path from every triangle to the root, and that each triangle is in exactly one
/// leaf.
void expect_sound(const MeshBvh& tree, const Geometry& geometry) {
    std::vector<std::uint32_t> parent(4 * tree.nodes().size(), kNoIndex);
    std::multiset<std::uint32_t> seen;
    for (std::uint32_t ref = 0; ref < 4 * tree.nodes().size(); ++ref) {
        const std::uint32_t child = tree.child(ref);
        if (child == kNoIndex || is_bvh_leaf(child)) continue;
        ASSERT_LT(child, tree.nodes().size());
        for (std::uint32_t lane = 0; lane < 4; ++lane) parent[4 * child + lane] = ref;
    }
    for (std::uint32_t ref = 0; ref < 4 * tree.nodes().size(); ++ref) {
        const std::uint32_t child = tree.child(ref);
        if (child == kNoIndex) continue;
        ASSERT_TRUE(is_well_made(tree.volume(ref))) << "ref " << ref;
        if (!is_bvh_leaf(child)) continue;
        for (std::uint32_t i = 0; i < bvh_leaf_count(child); ++i) {
            const BvhTriangle& t = tree.triangles()[bvh_leaf_first(child) + i];
            seen.insert(t.triangle);
            for (std::uint32_t up = ref; up != kNoIndex; up = parent[up])
                for (const std::uint32_t v : t.vertices) {
                    const auto p =
                        cast<long double>(geometry.positions[v]) * static_cast<long double>(tree.scale());
                    ASSERT_TRUE(contains(tree.volume(up), p)) << "ref " << up << " vertex " << v;
                }
        }
    }
    EXPECT_EQ(seen.size(), geometry.topology->triangles.size());
    EXPECT_EQ(std::set<std::uint32_t>(seen.begin(), seen.end()).size(), seen.size());
}

TEST(MeshBvh, volumes_contain_their_triangles) {
    for (int kind = 0; kind < kPrimitiveCount; ++kind)
        for (const std::uint32_t target_count : {4u, 100u, 3000u}) {
            const auto shape = make_primitive_shape(static_cast<Primitive>(kind), target_count, 0.3f, 5);
            ASSERT_TRUE(shape.ok());
            expect_sound(tree_of(shape.value()->geometry()), shape.value()->geometry());
        }
}

/// Triangles of one of several kinds: around a point far from the origin or at it, of any size, without area,
/// coplanar or collinear.
PolygonList soup(int kind, Random& random) {
    PolygonList out;
    const double size = std::ldexp(1.0, -static_cast<int>(random.below(kind == 5 ? 100 : 24)));
    const Vec3d middle = kind % 2 == 0 ? Vec3d{} : random.unit_vector();
    const Vec3d u = random.unit_vector(), v = random.unit_vector();
    const auto point = [&] {
        const Vec3d p = random.vector(0, 1);
        if (kind == 1 || kind == 2) return cast<float>(middle + size * (p.x * u + p.y * v));
        if (kind == 3 || kind == 4) return cast<float>(middle + size * p.x * u);
        if (kind == 6) return Vec3f{0.3f, -0.7f, 0.1f};
        if (kind == 7) return cast<float>(middle + size * Vec3d{p.x, 0, p.y});
        if (kind == 8) return cast<float>(middle + size * (p.x * u + 0x1p-12 * p.y * v));
        return cast<float>(middle + size * p);
    };
    const std::size_t count = 1 + random.below(90);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t loop[3];
        const Vec3f near = point();
        const float spread = random.below(2) == 0 ? 1.0f : 0.05f;
        for (std::uint32_t& corner : loop) {
            corner = static_cast<std::uint32_t>(out.positions.size());
            out.positions.push_back(near + spread * (point() - near));
        }
        if (random.below(9) == 0) loop[2] = loop[1];
        out.add_polygon(loop);
    }
    return out;
}

TEST(MeshBvh, volumes_contain_triangles_of_every_kind_after_any_deformation) {
    Random random(31);
    for (int i = 0; i < 1500; ++i) {
        const auto shape = Shape::from_polygons(soup(i % 10, random));
        if (!shape.ok()) continue;
        Geometry geometry = shape.value()->geometry();
        MeshBvh tree = tree_of(geometry);
        ASSERT_NO_FATAL_FAILURE(expect_sound(tree, geometry)) << i;
        std::vector<std::uint32_t> touched;
        for (const double amount : {1e-3, 0.3, 30.0, 1e7, 1e-9}) {
            std::vector<VertexChange> changes;
            const auto moved = 1 + random.below(geometry.positions.size());
            for (std::uint32_t v = 0; v < moved; ++v)
                changes.push_back({v, cast<float>(amount * random.vector(0, 1))});
            ASSERT_TRUE(deform(geometry, changes, touched).ok());
            tree.update(geometry, touched);
            ASSERT_NO_FATAL_FAILURE(expect_sound(tree, geometry)) << i << " moved by " << amount;
        }
    }
}

TEST(MeshBvh, a_mesh_that_changes_its_size_a_lot_gets_a_new_scale) {
    Geometry geometry = make_primitive_shape(Primitive::torus, 400, 1, 5).value()->geometry();
    MeshBvh tree = tree_of(geometry);
    std::vector<std::uint32_t> touched;
    for (const float factor : {200.0f, 200.0f, 1e-9f, 1e18f, 1e-30f, 1e-20f}) {
        std::vector<VertexChange> changes;
        for (std::uint32_t v = 0; v < geometry.positions.size(); ++v)
            changes.push_back({v, factor * geometry.positions[v]});
        ASSERT_TRUE(deform(geometry, changes, touched).ok());
        tree.update(geometry, touched);
        EXPECT_EQ(tree.content(), geometry.content);
        expect_sound(tree, geometry);
        const float size = tree.scale() * std::max(geometry.box.max.x, -geometry.box.min.x);
        if (geometry.box.max.x < 0x1p-100f) continue;
        EXPECT_GT(size, 0x1p-10f);
        EXPECT_LT(size, 0x1p10f);
    }
}

TEST(MeshBvh, each_edge_and_diagonal_has_exactly_one_side) {
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

/// Moves the vertices around one vertex by up to `amount`.
std::vector<VertexChange> dent(const Geometry& g, Random& random, float amount) {
    const Vec3f middle = g.positions[random.below(g.positions.size())];
    std::vector<VertexChange> out;
    for (std::uint32_t v = 0; v < g.positions.size(); ++v)
        if (length(g.positions[v] - middle) < 0.2f)
            out.push_back({v, g.positions[v] + amount * cast<float>(random.unit_vector())});
    return out;
}

TEST(MeshBvh, volumes_contain_their_triangles_after_deformations) {
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

TEST(MeshBvh, an_update_changes_only_ancestors_of_touched_triangles) {
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

/// A sphere's vertex after the fraction `share` of a deformation.
using Motion = Vec3d (*)(const Vec3d& rest, double share);

Vec3d twisted(const Vec3d& p, double share) {
    const double angle = 6 * share * p.z, c = std::cos(angle), s = std::sin(angle);
    return (1 + 0.3 * std::sin(5 * share * p.x)) * Vec3d{c * p.x - s * p.y, s * p.x + c * p.y, p.z};
}

/// The poles sink until only a ring is left.
Vec3d pinched(const Vec3d& p, double share) {
    const double inner = 1 - (p.x * p.x + p.y * p.y);
    return {p.x, p.y, p.z * (1 - 0.95 * share * inner * inner)};
}

/// Every octant of the sphere moves separately, through the others.
Vec3d torn(const Vec3d& p, double share) {
    const Vec3d corner{p.x > 0 ? 1.0 : -1.0, p.y > 0 ? 1.0 : -1.0, p.z > 0 ? 1.0 : -1.0};
    return p - 1.2 * share * corner;
}

void move_all(Geometry& geometry, MeshBvh& tree, const std::vector<Vec3f>& rest, Motion motion,
              double share) {
    std::vector<VertexChange> changes;
    for (std::uint32_t v = 0; v < rest.size(); ++v)
        changes.push_back({v, cast<float>(motion(cast<double>(rest[v]), share))});
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(geometry, changes, touched).ok());
    tree.update(geometry, touched);
}

struct Searches {
    std::uint64_t steps = 0, colliding = 0;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> hits;
};

/// Many poses of a small torus against a mesh: the steps to the first hit, and all hits of some poses.
Searches search(const MeshBvh& tree, const Geometry& geometry) {
    Geometry probe = make_primitive_shape(Primitive::torus, 200, 0.15f, 5).value()->geometry();
    const MeshBvh of_probe = tree_of(probe);
    Random random(3);
    Searches out;
    for (int i = 0; i < 2000; ++i) {
        const Quat turn = random_rotation(random, 0, 3);
        const double distance = random.uniform(0.2, 1.3);
        const Matrix34f a = to_matrix({}), b = to_matrix({turn, distance * random.unit_vector()});
        const BvhSearch s{{&tree, &geometry, &a}, {&of_probe, &probe, &b}, true, false, {}, nullptr};
        BvhCounts counts, all_counts;
        MeshEnd end = MeshEnd::complete;
        bool hit = false;
        EXPECT_TRUE(find_bvh_hits(
            s, [&](const MeshHit&) { return hit = true, false; }, counts, end));
        out.steps += counts.steps;
        out.colliding += hit ? 1 : 0;
        if (i % 50 != 0) continue;
        auto& hits = out.hits.emplace_back();
        EXPECT_TRUE(find_bvh_hits(
            s,
            [&](const MeshHit& h) {
                hits.emplace_back(h.edge_of_b ? ~h.edge : h.edge, h.polygon);
                return true;
            },
            all_counts, end));
        std::sort(hits.begin(), hits.end());
    }
    return out;
}

/// Whether all triangles are in the same place: nothing was rebuilt.
bool same_order(const MeshBvh& x, const MeshBvh& y) {
    return std::ranges::equal(x.triangles(), y.triangles(),
                              [](const auto& a, const auto& b) { return a.triangle == b.triangle; });
}

TEST(MeshBvh, searching_a_heavily_deformed_mesh_costs_about_as_much_as_a_new_tree) {
    for (const Motion motion : {twisted, pinched, torn}) {
        Geometry geometry = make_primitive_shape(Primitive::uv_sphere, 4000, 1, 5).value()->geometry();
        const std::vector<Vec3f> rest = geometry.positions;
        MeshBvh tree = tree_of(geometry);
        const MeshBvh before = tree;
        constexpr int kFrames = 60;
        for (int frame = 1; frame <= kFrames; ++frame)
            move_all(geometry, tree, rest, motion, static_cast<double>(frame) / kFrames);
        EXPECT_FALSE(same_order(tree, before));
        expect_sound(tree, geometry);
        const Searches followed = search(tree, geometry), fresh = search(tree_of(geometry), geometry);
        EXPECT_EQ(followed.hits, fresh.hits);
        EXPECT_EQ(followed.colliding, fresh.colliding);
        EXPECT_GT(followed.colliding, 500u);
        // The twisted mesh takes 1.4 times as long; without rebuilding it takes 3.2 times.
        EXPECT_LT(static_cast<double>(followed.steps), 1.5 * static_cast<double>(fresh.steps));
    }
}

TEST(MeshBvh, small_dents_and_distant_parts_cause_no_rebuild) {
    Geometry geometry = make_primitive_shape(Primitive::uv_sphere, 4000, 1, 5).value()->geometry();
    MeshBvh tree = tree_of(geometry);
    const MeshBvh before = tree;
    Random random(2);
    std::vector<std::uint32_t> touched;
    std::vector<VertexChange> small, large;
    for (std::uint32_t v = 0; v < geometry.positions.size(); ++v)
        if (geometry.positions[v].z > 0.8f) {
            const float inner = geometry.positions[v].z - 0.8f;
            small.push_back({v, (1 - 0.5f * inner * inner) * geometry.positions[v]});
            large.push_back({v, geometry.positions[v] + 0.3f * cast<float>(random.unit_vector())});
        }
    ASSERT_TRUE(deform(geometry, small, touched).ok());
    tree.update(geometry, touched);
    EXPECT_TRUE(same_order(tree, before));
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(deform(geometry, large, touched).ok());
        tree.update(geometry, touched);
    }
    EXPECT_FALSE(same_order(tree, before));
    expect_sound(tree, geometry);
    // The cap is a tenth of the sphere, and was touched three times.
    std::size_t moved = 0;
    for (std::size_t i = 0; i < tree.triangles().size(); ++i)
        moved += tree.triangles()[i].triangle != before.triangles()[i].triangle ? 1 : 0;
    EXPECT_GT(moved, 0u);
    EXPECT_LT(moved, tree.triangles().size() * 2 / 5);
}

TEST(MeshBvh, rebuilding_reuses_nodes) {
    Geometry geometry = make_primitive_shape(Primitive::uv_sphere, 2000, 1, 5).value()->geometry();
    const std::vector<Vec3f> rest = geometry.positions;
    MeshBvh tree = tree_of(geometry);
    const std::size_t nodes = tree.nodes().size();
    for (int frame = 1; frame <= 200; ++frame)
        move_all(geometry, tree, rest, twisted, 0.5 - 0.5 * std::cos(0.15 * frame));
    expect_sound(tree, geometry);
    EXPECT_LT(tree.nodes().size(), nodes + nodes / 3);
}

}  // namespace
}  // namespace claybox::collision
