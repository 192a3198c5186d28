#include <algorithm>
#include <collision/collision.hpp>
#include <cstdio>
#include <vector>

using namespace claybox::collision;

int main() {
    Scratch scratch;

    // Two convex bodies: the smallest translation that separates them.
    const auto ball = make_primitive_shape(Primitive::uv_sphere, 500, 0.5f, 1);
    if (!ball) return 2;
    PairCache cache;
    PairQuery query =
        make_pair_query(*ball.value(), {}, *ball.value(), to_matrix({{}, {0.9, 0, 0}}), scratch);
    query.wants = kWantDepth;
    const PairResult result = run_query(*find_pair_algorithm("best"), query, cache);
    const Vec3d d = result.depth_direction_w;
    std::printf("balls: %.2f m deep; move B by that along (%.2f, %.2f, %.2f)\n", result.depth, d.x, d.y, d.z);

    // Two meshes: one depth per place of contact.
    const auto ring = make_primitive_shape(Primitive::torus, 2000, 1.0f, 1);
    if (!ring) return 2;
    const PairAlgorithm& meshes = *find_pair_algorithm("mesh_bvh");
    const auto tree = meshes.prepare(*ring.value(), ring.value()->geometry());
    std::vector<Hit> storage(10000);
    HitSink hits(storage);
    PairCache of_rings;
    query = make_pair_query(*ring.value(), {}, *ring.value(), to_matrix({{}, {1.95, 0, 0}}), scratch);
    query.a.prepared = query.b.prepared = tree.get();
    query.wants = kWantAllHits;
    query.hits = &hits;
    (void)run_query(meshes, query, of_rings);
    std::vector<Contact> contacts(16);
    contacts.resize(std::min(contacts.size(), find_contacts(query, hits.hits(), contacts)));
    for (const Contact& c : contacts) std::printf("rings: %.3f m deep at x = %.2f\n", c.depth, c.point_w.x);
}
