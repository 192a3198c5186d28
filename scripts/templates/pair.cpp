// @title@.
//
// Source: (paper and section)
//
// Idea: (five lines). This skeleton tries one separating axis, from the centre of A to the centre of B, and leaves the
// rest to exact arithmetic.
//
// Preconditions: both shapes convex; any finite matrices.
// Exactness: rung 2 proves separations in double, rung 3 decides the rest. Touching collides.
// Complexity: O(vertices). Caches nothing.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/registry.hpp"

namespace claybox::collision {

namespace {

enum CounterIndex : std::size_t { kExactDecisions };
constexpr const char* kCounters[] = {"exact decisions"};

Vec3d centre_w(const PairBody& body) {
    const Aabb& box = body.geometry->box;
    return cast<double>(transform_point(body.world_from_body, 0.5f * (box.min + box.max)));
}

void query_@id@(const PairQuery& q, PairCache&, PairResult& result, Trace* trace) {
    const SolidSide a{q.a.shape->hull(), &q.a.world_from_body, &q.a.geometry->box};
    const SolidSide b{q.b.shape->hull(), &q.b.world_from_body, &q.b.geometry->box};
    const Vec3d axis_w = centre_w(q.b) - centre_w(q.a);
    if (trace) {  // the scene draws what an algorithm traces
        trace->begin_iteration(0);
        trace->segment(centre_w(q.a), centre_w(q.b), "axis");
    }
    result.rung = q.exactness == Exactness::fast ? 1 : 2;  // fast answers count as unproven
    std::uint32_t support_a = 0, support_b = 0;
    if (proves_separation(a, b, axis_w, support_a, support_b)) {
        result.verdict = Verdict::separated;
        result.certificate.kind = CertificateKind::separating_axis;
        result.certificate.axis_w = axis_w;
        result.certificate.support_a = support_a;
        result.certificate.support_b = support_b;
        return;
    }
    const SolidDecision decision = decide_solid_exact(a, b);
    result.verdict = decision.colliding ? Verdict::colliding : Verdict::separated;
    result.certificate = decision.certificate;
    result.iterations = decision.iterations;
    if (q.exactness == Exactness::exact) result.rung = 3;
    result.counters[kExactDecisions] = 1;
}

}  // namespace

const PairAlgorithm& describe_@id@() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "@id@";
        a.title = "@title@";
        a.source = "(paper and section)";
        a.summary = "Tries the axis between the centres, then decides in exact arithmetic.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.counters = kCounters;
        a.query = query_@id@;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
