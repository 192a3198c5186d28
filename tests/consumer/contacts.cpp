#include <algorithm>
#include <collision/collision.hpp>
#include <cstdio>
#include <vector>

using namespace claybox::collision;

int main() {
    const auto ring = make_primitive_shape(Primitive::torus, 2000, 1.0f, 1);
    if (!ring) return 2;
    const PairAlgorithm& algorithm = *find_pair_algorithm("mesh_bvh");
    const auto tree = algorithm.prepare(*ring.value(), ring.value()->geometry());  // once a shape

    Scratch scratch;
    PairCache cache;
    std::vector<Hit> room(10000);
    HitSink hits(room);
    auto query = make_pair_query(*ring.value(), {}, *ring.value(), to_matrix({{}, {1.95, 0, 0}}), scratch);
    query.a.prepared = query.b.prepared = tree.get();
    query.wants = kWantAllHits | kWantDistance;
    query.hits = &hits;
    const auto result = run_query(algorithm, query, cache);
    if (result.verdict == Verdict::separated) std::printf("%.3f m apart\n", result.distance);

    std::vector<Contact> contacts(16);
    contacts.resize(std::min(contacts.size(), find_contacts(query, hits.hits(), contacts)));
    for (const Contact& c : contacts)
        std::printf("push B along (%.2f, %.2f, %.2f) by %.3f m; polygons %u and %u\n", c.normal_w.x,
                    c.normal_w.y, c.normal_w.z, c.depth, c.polygon_a, c.polygon_b);
}
