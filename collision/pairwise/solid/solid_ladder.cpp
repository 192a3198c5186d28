#include "collision/pairwise/solid/solid_ladder.hpp"

#include "collision/pairwise/gjk/gjk_walk.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

/// The search for a proof has its own limit: the paper's step count says nothing about it.
constexpr std::uint32_t kSearchLimit = 64;

SolidClaim claim_of(const Walk<double>& walk) {
    SolidClaim out;
    if (walk.end == WalkEnd::separated) out.verdict = Verdict::separated;
    if (walk.end == WalkEnd::surrounded) out.verdict = Verdict::colliding;
    out.axis_w = walk.direction;
    out.support_a = walk.a;
    out.support_b = walk.b;
    out.pair_count = static_cast<int>(pairs_of(walk.simplex, out.pairs));
    return out;
}

}  // namespace

SolidClaim SolidClaim::separated(const Vec3d& axis_w, std::uint32_t support_a, std::uint32_t support_b) {
    SolidClaim out;
    out.verdict = Verdict::separated;
    out.axis_w = axis_w;
    out.support_a = support_a;
    out.support_b = support_b;
    return out;
}

SolidClaim SolidClaim::surrounded(const VertexPair (&pairs)[4]) {
    SolidClaim out;
    out.verdict = Verdict::colliding;
    for (const VertexPair& pair : pairs) out.add_hint(pair);
    return out;
}

Vec3f LadderMemory::axis() const {
    constexpr double kMaxComponent = 0x1p60;
    const double largest = std::max({std::abs(axis_w.x), std::abs(axis_w.y), std::abs(axis_w.z)});
    const bool in_range = largest > 1 / kMaxComponent && largest < kMaxComponent;
    return cast<float>(in_range ? axis_w : with_largest_one(axis_w));
}

bool LadderMemory::usable(const ConvexHull& a, const ConvexHull& b) const {
    if (last == Verdict::undecided || support_a >= a.vertex_count || support_b >= b.vertex_count)
        return false;
    for (int i = 0; i < pair_count; ++i)
        if (pairs[i].a >= a.vertex_count || pairs[i].b >= b.vertex_count) return false;
    return true;
}

SolidLadder::SolidLadder(const PairQuery& query, LadderMemory& memory, PairResult& result, Trace* trace)
    : query_(query),
      memory_(memory),
      result_(result),
      trace_(trace),
      a_{query.a.shape->hull(), &query.a.world_from_body, &query.a.geometry->box},
      b_{query.b.shape->hull(), &query.b.world_from_body, &query.b.geometry->box} {}

bool SolidLadder::recall() {
    if (!memory_.decided) return false;
    if (query_.exactness == Exactness::fast ||
        relative_placement(query_.a.world_from_body, query_.b.world_from_body) != memory_.placement) {
        memory_.decided = false;
        return false;
    }
    result_.rung = 3;
    result_.verdict = memory_.last;
    counts_.from_memory = true;
    recall_certificate();
    return true;
}

void SolidLadder::recall_certificate() const {
    Certificate& c = result_.certificate;
    c.kind = memory_.kind;
    c.pair_count = memory_.pair_count;
    for (int i = 0; i < memory_.pair_count; ++i) {
        c.pairs[i][0] = memory_.pairs[i].a;
        c.pairs[i][1] = memory_.pairs[i].b;
    }
    if (c.kind != CertificateKind::separating_axis) return;
    c.axis_w = memory_.axis_w;
    c.support_a = memory_.support_a;
    c.support_b = memory_.support_b;
}

void SolidLadder::finish(SolidClaim claim) {
    if (!try_claim(claim)) {
        if (!claim.limited) claim = search(claim);
        if (claim.limited || !try_claim(claim)) decide_exactly(claim);
    }
    remember(claim);
}

void SolidLadder::finish_if_proven(SolidClaim claim) {
    try_claim(claim);
    remember(claim);
}

/// True if the claim is the answer.
bool SolidLadder::try_claim(SolidClaim& claim) {
    const bool fast = query_.exactness == Exactness::fast;
    if (!fast && !proves(claim)) return false;
    result_.rung = fast ? 1 : 2;
    accept(claim);
    return true;
}

/// Rung 2. Moves the supports uphill.
bool SolidLadder::proves(SolidClaim& claim) const {
    if (claim.verdict == Verdict::separated)
        return proves_separation(a_, b_, claim.axis_w, claim.support_a, claim.support_b);
    if (claim.verdict != Verdict::colliding || claim.pair_count != 4) return false;
    return proves_collision(a_, b_, claim.pairs);
}

/// Walks in double from the claim until four points surround the origin or the distance is minimal. The
/// direction of the shortest distance is the axis that is easiest to prove.
SolidClaim SolidLadder::search(const SolidClaim& claim) {
    const WalkFrames<double> f{
        make_difference<double>(*a_.hull, *a_.world_from_hull, *b_.hull, *b_.world_from_hull)};
    const WalkSettings settings{kSearchLimit, false, cast<double>(a_.world_from_hull->translation()), trace_,
                                result_.iterations};
    Walk<double> walk;
    walk.a = claim.support_a;
    walk.b = claim.support_b;
    walk.direction = claim.axis_w;
    if (claim.axis_w == Vec3d{}) walk.direction = f.point_b(walk.b) - f.point_a(walk.a);
    if (!resume_walk(f, {claim.pairs, static_cast<std::size_t>(claim.pair_count)}, walk))
        walk.end = walk_to_origin(f, walk, settings);
    counts_.walk_iterations += walk.iterations;
    counts_.walk_supports += walk.supports;
    return claim_of(walk);
}

/// Rung 3.
void SolidLadder::decide_exactly(const SolidClaim& claim) {
    const SolidDecision decision =
        decide_solid_exact(a_, b_, {claim.pairs, static_cast<std::size_t>(claim.pair_count)});
    result_.rung = 3;
    result_.verdict = decision.colliding ? Verdict::colliding : Verdict::separated;
    result_.certificate = decision.certificate;
    counts_.exact_iterations += decision.iterations;
    memory_.decided = true;
    memory_.placement = relative_placement(query_.a.world_from_body, query_.b.world_from_body);
}

/// Writes the claim as the answer.
void SolidLadder::accept(const SolidClaim& claim) {
    result_.verdict = claim.verdict;
    Certificate& c = result_.certificate;
    if (claim.verdict == Verdict::separated) {
        c.kind = CertificateKind::separating_axis;
        c.axis_w = claim.axis_w;
        c.support_a = claim.support_a;
        c.support_b = claim.support_b;
    } else if (claim.verdict == Verdict::colliding && claim.pair_count == 4) {
        c.kind = CertificateKind::surrounded_origin;
        c.pair_count = 4;
        for (int i = 0; i < 4; ++i) {
            c.pairs[i][0] = claim.pairs[i].a;
            c.pairs[i][1] = claim.pairs[i].b;
        }
    }
}

/// Stores the start of the pair's next query. The pairs of a certificate prove the collision or define the
/// axis exactly. Without them the claim's pairs are the start.
void SolidLadder::remember(const SolidClaim& claim) {
    LadderMemory& m = memory_;
    const Certificate& c = result_.certificate;
    m.last = result_.verdict;
    m.kind = c.kind;
    m.axis_w = c.axis_w;
    const bool has_supports = c.kind == CertificateKind::separating_axis;
    m.support_a = has_supports ? c.support_a : claim.support_a;
    m.support_b = has_supports ? c.support_b : claim.support_b;
    m.pair_count = c.pair_count;
    for (int i = 0; i < c.pair_count; ++i) m.pairs[i] = {c.pairs[i][0], c.pairs[i][1]};
    if (c.pair_count > 0) return;
    m.pair_count = static_cast<std::uint8_t>(claim.pair_count);
    std::copy_n(claim.pairs, claim.pair_count, m.pairs);
}

void write_counters(const LadderCounts& counts, const LadderCounters& where, PairResult& result) {
    result.counters[where.double_iterations] = counts.walk_iterations;
    result.counters[where.exact_iterations] = counts.exact_iterations;
    result.counters[where.from_memory] = counts.from_memory ? 1 : 0;
}

}  // namespace claybox::collision
