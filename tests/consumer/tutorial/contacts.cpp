#include <algorithm>
#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

int main() {
    const auto ring = make_primitive_shape(Primitive::torus, 2000, 1.0f, 1);
    if (!ring) return 2;
    const PairAlgorithm& algorithm = *find_pair_algorithm("mesh_bvh");
    const auto tree = algorithm.prepare(*ring.value(), ring.value()->geometry());  // once per shape

    Scratch scratch;
    PairCache cache;
    std::vector<Hit> storage(10000);
    HitSink hits(storage);
    PairQuery query =
        make_pair_query(*ring.value(), {}, *ring.value(), to_matrix({{}, {1.95, 0, 0}}), scratch);
    query.a.prepared = query.b.prepared = tree.get();
    query.wants = kWantAllHits;
    query.hits = &hits;
    const PairResult result = run_query(algorithm, query, cache);
    if (result.status == QueryStatus::hits_full) return 1;  // repeat with a larger block

    std::vector<Contact> contacts(16);
    contacts.resize(std::min(contacts.size(), find_contacts(query, hits.hits(), contacts)));
    for (const Contact& c : contacts)
        std::printf("at (%.2f, %.2f, %.2f), push B along (%.2f, %.2f, %.2f) by %.3f m\n", c.point_w.x,
                    c.point_w.y, c.point_w.z, c.normal_w.x, c.normal_w.y, c.normal_w.z, c.depth);
}
