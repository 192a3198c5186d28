#include <collision/collision.hpp>

using namespace claybox::collision;

void configure(World& world, BodyId a, BodyId b) {
    WorldSettings settings = world.settings();
    settings.pair_algorithm = find_pair_algorithm("gjk");
    settings.pair_parameters = default_values(settings.pair_algorithm->parameters);
    settings.broad_phase = find_broad_phase("tree");
    settings.broad_parameters = default_values(settings.broad_phase->parameters);
    settings.parallel = ParallelMode::pairs;
    settings.workers = 0;        // one per processor
    settings.concurrent = true;  // passes run on the world's own thread; check() does nothing
    world.set_settings(settings);

    world.set_interest(0, 1, {.test = false});                    // ignore pairs of groups 0 and 1
    world.set_interest_exception(a, b, {.wants = kWantAllHits});  // but report all hits of this pair
    world.set_callback([](const Event& event, std::span<const Hit>, CallbackContext& context) {
        if (event.kind == EventKind::begin) context.remove_body(event.b);
    });
}

bool first_hit(World& world, QueryHit& hit) {
    std::vector<QueryHit> hits;
    WorldQuery query;
    query.spec = RayQuery{.ray = {{0, 5, 0}, {0, -1, 0}}};
    if (!world.query_now(query, hits) || hits.empty()) return false;
    hit = hits.front();
    return true;
}
