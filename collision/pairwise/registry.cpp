#include "collision/pairwise/registry.hpp"

#include "collision/pairwise/complete_solid.hpp"

#include <iterator>

namespace claybox::collision {

#define PAIR_ALGORITHM(id) const PairAlgorithm& describe_##id();
#include "collision/pairwise/list.def"
#undef PAIR_ALGORITHM

std::span<const PairAlgorithm* const> pair_algorithms() {
    // The null at the end keeps the array legal if the list is empty.
    static const PairAlgorithm* const table[] = {
#define PAIR_ALGORITHM(id) &describe_##id(),
#include "collision/pairwise/list.def"
#undef PAIR_ALGORITHM
        nullptr};
    return {table, std::size(table) - 1};
}

const PairAlgorithm* find_pair_algorithm(std::string_view id) {
    for (const PairAlgorithm* algorithm : pair_algorithms())
        if (id == algorithm->id) return algorithm;
    return nullptr;
}

const char* to_string(Needs needs) {
    switch (needs) {
        case Needs::any_polygons:
            return "any polygons";
        case Needs::closed:
            return "closed";
        case Needs::convex:
            return "convex";
    }
    return "";
}

namespace {

inline bool satisfies(Needs needs, const PairBody& body) {
    if (needs == Needs::any_polygons) return true;
    if (needs == Needs::convex) return body.shape->hull() != nullptr && !body.deformed();
    const Classification& c = body.shape->classification();
    return c.closed && c.manifold;
}

inline bool in_domain(const PairAlgorithm& algorithm, const PairBody& a, const PairBody& b) {
    if (!satisfies(algorithm.needs, a) || !satisfies(algorithm.needs, b)) return false;
    return algorithm.fits == nullptr || algorithm.fits(*a.shape, *b.shape);
}

inline bool lacks_prepared(const PairAlgorithm& algorithm, const PairQuery& query) {
    return algorithm.needs_prepared && (query.a.prepared == nullptr || query.b.prepared == nullptr);
}

[[gnu::noinline]] void answer_prepared(const PairAlgorithm& algorithm, const PairQuery& query,
                                       PairCache& cache, PairResult& result, Trace* trace);

/// The query's parameters are set, and `result` is new.
[[gnu::always_inline]] inline void answer(const PairAlgorithm& algorithm, const PairQuery& query,
                                          PairCache& cache, PairResult& result, Trace* trace) {
    result.meaning = algorithm.meaning;
    if (query.hits != nullptr) query.hits->clear();
    if (!in_domain(algorithm, query.a, query.b)) {
        result.status = QueryStatus::not_applicable;
        return;
    }
    if (query.part != 0 && !algorithm.splittable) {  // part 0 does all the work; the other parts find nothing
        result.verdict = Verdict::separated;
        if ((query.wants & kWantSolid) != 0) complete_solid(query, result);
        return;
    }
    if (lacks_prepared(algorithm, query)) [[unlikely]]
        return answer_prepared(algorithm, query, cache, result, trace);
    const Wants offered = algorithm.gives | kWantSolid;
    const Wants available = query.hits == nullptr ? offered & ~kWantAllHits : offered;
    const std::size_t mark = query.scratch->used();
    const bool whole = algorithm.splittable || query.part_count == 1;
    if ((query.wants & ~available) == 0 && whole) {
        algorithm.query(query, cache, result, trace);
    } else {
        PairQuery adjusted = query;
        adjusted.wants &= available;
        if (!whole) adjusted.part_count = 1;
        algorithm.query(adjusted, cache, result, trace);
    }
    query.scratch->reset_to(mark);
    if ((query.wants & kWantSolid) != 0) complete_solid(query, result);
}

/// With data prepared for this query alone.
void answer_prepared(const PairAlgorithm& algorithm, const PairQuery& query, PairCache& cache,
                     PairResult& result, Trace* trace) {
    PairQuery adjusted = query;
    std::shared_ptr<const Prepared> prepared[2];
    for (PairBody* const body : {&adjusted.a, &adjusted.b}) {
        if (body->prepared != nullptr) continue;
        std::shared_ptr<const Prepared>& own = prepared[body == &adjusted.b];
        own = algorithm.prepare(*body->shape, *body->geometry);
        body->prepared = own.get();
    }
    CLAYBOX_ASSERT(!lacks_prepared(algorithm, adjusted));
    answer(algorithm, adjusted, cache, result, trace);
}

[[gnu::noinline]] void answer_with_defaults(const PairAlgorithm& algorithm, const PairQuery& query,
                                            PairCache& cache, PairResult& result, Trace* trace) {
    PairQuery adjusted = query;
    adjusted.parameters = default_values(algorithm.parameters);
    answer(algorithm, adjusted, cache, result, trace);
}

}  // namespace

bool applicable(const PairAlgorithm& algorithm, const PairBody& a, const PairBody& b) {
    return in_domain(algorithm, a, b);
}

// All paths write into the one result that is returned. A copy of it would wait for its newest members, and
// the next query could not overlap with the end of this one.
PairResult run_query(const PairAlgorithm& algorithm, const PairQuery& query, PairCache& cache, Trace* trace) {
    CLAYBOX_ASSERT(query.scratch != nullptr && query.part < query.part_count);
    PairResult result;
    if (query.parameters.is_unset()) [[unlikely]]
        answer_with_defaults(algorithm, query, cache, result, trace);
    else
        answer(algorithm, query, cache, result, trace);
    return result;
}

}  // namespace claybox::collision
