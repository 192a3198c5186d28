#include "collision/continuous/registry.hpp"

#include <iterator>

namespace claybox::collision {

#define CONTINUOUS_ALGORITHM(id) const ContinuousAlgorithm& describe_##id();
#include "collision/continuous/list.def"
#undef CONTINUOUS_ALGORITHM

std::span<const ContinuousAlgorithm* const> continuous_algorithms() {
    // The null at the end keeps the array legal if the list is empty.
    static const ContinuousAlgorithm* const table[] = {
#define CONTINUOUS_ALGORITHM(id) &describe_##id(),
#include "collision/continuous/list.def"
#undef CONTINUOUS_ALGORITHM
        nullptr};
    return {table, std::size(table) - 1};
}

const ContinuousAlgorithm* find_continuous_algorithm(std::string_view id) {
    for (const ContinuousAlgorithm* algorithm : continuous_algorithms())
        if (id == algorithm->id) return algorithm;
    return nullptr;
}

const char* to_string(Promise promise) {
    switch (promise) {
        case Promise::exact:
            return "exact";
        case Promise::tolerance:
            return "within the tolerance";
        case Promise::approximate:
            return "approximate";
    }
    return "";
}

namespace {

bool satisfies(Needs needs, const PairBody& body) {
    if (needs == Needs::any_polygons) return true;
    if (needs == Needs::convex) return body.shape->hull() != nullptr && !body.deformed();
    const Classification& c = body.shape->classification();
    return c.closed && c.manifold;
}

MotionKinds kind_of(const Motion& motion) {
    return 1u << static_cast<unsigned>(motion.kind);
}

ContinuousResult prepare_and_run(const ContinuousAlgorithm& algorithm, const ContinuousQuery& query,
                                 PairCache& cache, Trace* trace) {
    ContinuousQuery adjusted = query;
    std::shared_ptr<const Prepared> prepared[2];
    for (PairBody* const body : {&adjusted.pair.a, &adjusted.pair.b}) {
        if (body->prepared != nullptr) continue;
        std::shared_ptr<const Prepared>& own = prepared[body == &adjusted.pair.b];
        own = algorithm.prepare(*body->shape, *body->geometry);
        body->prepared = own.get();
    }
    CLAYBOX_ASSERT(adjusted.pair.a.prepared != nullptr && adjusted.pair.b.prepared != nullptr);
    return run_continuous(algorithm, adjusted, cache, trace);
}

}  // namespace

Promise promise_for(const ContinuousAlgorithm& algorithm, const ContinuousQuery& query) {
    const bool turns =
        query.motion_a.kind == Motion::Kind::screw || query.motion_b.kind == Motion::Kind::screw;
    const bool convex = satisfies(Needs::convex, query.pair.a) && satisfies(Needs::convex, query.pair.b);
    return convex && !turns ? algorithm.promise : algorithm.promise_otherwise;
}

bool applicable(const ContinuousAlgorithm& algorithm, const ContinuousQuery& query) {
    if (!satisfies(algorithm.needs, query.pair.a) || !satisfies(algorithm.needs, query.pair.b)) return false;
    if (((kind_of(query.motion_a) | kind_of(query.motion_b)) & ~algorithm.motions) != 0) return false;
    return algorithm.fits == nullptr || algorithm.fits(query);
}

ContinuousResult run_continuous(const ContinuousAlgorithm& algorithm, const ContinuousQuery& query,
                                PairCache& cache, Trace* trace) {
    CLAYBOX_ASSERT(query.pair.scratch != nullptr);
    if (query.pair.parameters.is_unset()) {
        ContinuousQuery adjusted = query;
        adjusted.pair.parameters = default_values(algorithm.parameters);
        return run_continuous(algorithm, adjusted, cache, trace);
    }
    ContinuousResult result;
    result.meaning = algorithm.meaning;
    if (query.hits != nullptr) query.hits->clear();
    if (!applicable(algorithm, query)) {
        result.status = QueryStatus::not_applicable;
        return result;
    }
    const bool lacks = query.pair.a.prepared == nullptr || query.pair.b.prepared == nullptr;
    if (algorithm.needs_prepared && lacks) [[unlikely]]
        return prepare_and_run(algorithm, query, cache, trace);
    const std::size_t mark = query.pair.scratch->used();
    algorithm.query(query, cache, result, trace);
    query.pair.scratch->reset_to(mark);
    return result;
}

}  // namespace claybox::collision
