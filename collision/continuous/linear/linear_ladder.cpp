#include "collision/continuous/linear/linear_ladder.hpp"

#include "collision/continuous/linear/feature.hpp"
#include "collision/continuous/linear/piercing.hpp"
#include "collision/continuous/linear/swept_walk.hpp"
#include "collision/exact/number.hpp"
#include "collision/exact/swept_impact.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// A time that double brackets less tightly is computed from integers.
constexpr double kMaxTimeSpread = 0x1p-34;

}  // namespace

CastClaim CastClaim::miss(const Vec3d& axis_w, VertexPair support) {
    CastClaim out;
    out.kind = Kind::miss;
    out.axis_w = axis_w;
    out.support = support;
    return out;
}

void LinearLadder::finish(CastClaim& claim) {
    if (query_.pair.exactness == Exactness::fast && claim.kind != CastClaim::Kind::unknown)
        return accept_fast(claim);
    if (try_claim(claim) || search(claim)) return;
    decide_exactly(claim);
}

bool LinearLadder::try_claim(CastClaim& claim) {
    switch (claim.kind) {
        case CastClaim::Kind::miss:
            return prove_miss(claim);
        case CastClaim::Kind::hit:
            return prove_hit(claim);
        case CastClaim::Kind::start:
            return prove_start(claim);
        case CastClaim::Kind::unknown:
            break;
    }
    return false;
}

bool LinearLadder::prove_miss(CastClaim& claim) {
    const SweptGap gap = proven_gap(pair_.a(), pair_.b(), pair_.sweep(), with_size_one(claim.axis_w),
                                    claim.support.a, claim.support.b);
    if (!(gap.start > 0 && gap.end > 0)) return false;
    result_.rung = 2;
    write_miss();
    return true;
}

/// The triangle's plane bounds the time from below, as no point of C is lower; the piercing of the triangle,
/// which lies in C, bounds it from above.
bool LinearLadder::prove_hit(CastClaim& claim) {
    if (claim.count != 3) return false;
    const Piercing p = pierce(pair_.a(), pair_.b(), pair_.sweep(), claim.pairs);
    if (!p.is_certain) return false;
    claim.axis_w = -with_size_one(p.normal);
    claim.support = claim.pairs[0];
    const SweptGap gap =
        proven_gap(pair_.a(), pair_.b(), pair_.sweep(), claim.axis_w, claim.support.a, claim.support.b);
    if (!(gap.start > 0) || gap.end > 0) return false;
    const double low = std::max(0.0, gap.start / (gap.start - gap.end) * (1 - 4 * kRound));
    if (!(p.time_high - low <= kMaxTimeSpread)) return false;
    result_.rung = 2;
    write_hit(std::min(low, p.time_high), p.time_high, claim.axis_w, claim.pairs, p.weights, 3);
    return true;
}

bool LinearLadder::prove_start(const CastClaim& claim) {
    if (claim.count != 4 || !proves_collision(pair_.a(), pair_.b(), claim.pairs)) return false;
    result_.rung = 2;
    write_start();
    return true;
}

/// Walks in double: is there contact at the start, and if not, an axis that separates during the sweep?
bool LinearLadder::search(CastClaim& claim) {
    const SweptWalk walk = walk_swept(pair_, true, claim.axis_w, trace_);
    counts_.walk_iterations += walk.iterations;
    if (walk.verdict == Verdict::separated) {
        CastClaim miss = CastClaim::miss(walk.axis_w, walk.support);
        if (try_claim(miss)) {
            claim = miss;
            return true;
        }
        return false;
    }
    if (claim.kind == CastClaim::Kind::hit) return false;
    const SweptWalk start = walk_swept(pair_, false, claim.axis_w, trace_);
    counts_.walk_iterations += start.iterations;
    if (start.verdict != Verdict::colliding) return false;
    CastClaim inside;
    inside.kind = CastClaim::Kind::start;
    inside.count = 4;
    std::copy(std::begin(start.pairs), std::end(start.pairs), inside.pairs);
    if (!try_claim(inside)) return false;
    claim = inside;
    return true;
}

void LinearLadder::decide_exactly(CastClaim& claim) {
    result_.rung = 3;
    const std::span<const VertexPair> hint{claim.pairs, static_cast<std::size_t>(claim.count)};
    const bool is_hit = claim.kind == CastClaim::Kind::hit;
    const SolidDecision swept = decide_swept_exact(pair_.a(), pair_.b(), pair_.sweep(), hint);
    counts_.exact_iterations += swept.iterations;
    if (!swept.colliding) {
        claim = CastClaim::miss(swept.certificate.axis_w,
                                {swept.certificate.support_a, swept.certificate.support_b});
        return write_miss();
    }
    const SolidDecision start = decide_solid_exact(pair_.a(), pair_.b(), hint);
    counts_.exact_iterations += start.iterations;
    if (start.colliding) {
        claim.kind = CastClaim::Kind::start;
        return write_start();
    }
    const SweptImpact impact =
        find_swept_impact(pair_.a(), pair_.b(), pair_.sweep(), is_hit ? hint : std::span<const VertexPair>{});
    counts_.exact_iterations += impact.iterations;
    claim.kind = CastClaim::Kind::hit;
    claim.axis_w = impact.normal_w;
    claim.count = std::min(impact.count, 3);
    std::copy_n(impact.pairs, claim.count, claim.pairs);
    write_hit(impact.time, impact.time, impact.normal_w, impact.pairs, impact.weights, impact.count);
}

void LinearLadder::accept_fast(const CastClaim& claim) {
    if (claim.kind == CastClaim::Kind::miss) return write_miss();
    if (claim.kind == CastClaim::Kind::start) return write_start();
    const double time = std::clamp(claim.time, 0.0, 1.0);
    const Piercing p = pierce(pair_.a(), pair_.b(), pair_.sweep(), claim.pairs);
    const double thirds[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    write_hit(time, time, claim.axis_w, claim.pairs, p.is_certain ? p.weights : thirds, 3);
}

void LinearLadder::write_miss() {
    result_.verdict = Verdict::separated;
    result_.time_low = result_.time_high = 1;
}

void LinearLadder::write_start() {
    result_.verdict = Verdict::colliding;
    result_.at_start = true;
    result_.time_low = result_.time_high = 0;
}

void LinearLadder::write_hit(double low, double high, const Vec3d& axis_w, const VertexPair* pairs,
                             const double* weights, int count) {
    constexpr double kNoWeight = 0x1p-40;
    result_.verdict = Verdict::colliding;
    result_.time_low = low;
    result_.time_high = high;
    result_.normal_w = normalized(with_size_one(axis_w));
    std::uint32_t of_a[5], of_b[5];
    std::size_t used = 0;
    Vec3d on_a, on_b;
    for (int i = 0; i < count; ++i) {
        on_a += weights[i] * cast<double>(pair_.a().hull->vertex(pairs[i].a));
        on_b += weights[i] * cast<double>(pair_.b().hull->vertex(pairs[i].b));
        if (!(weights[i] > kNoWeight)) continue;
        of_a[used] = pairs[i].a;
        of_b[used++] = pairs[i].b;
    }
    const auto placed = [high](const PairBody& body, const Motion& motion, const Vec3d& local) {
        return transform_point(placement_at(body.world_from_body, motion, high), local);
    };
    result_.point_w =
        0.5 * (placed(query_.pair.a, query_.motion_a, on_a) + placed(query_.pair.b, query_.motion_b, on_b));
    result_.feature_a = feature_of(query_.pair.a, {of_a, used}, result_.normal_w);
    result_.feature_b = feature_of(query_.pair.b, {of_b, used}, -result_.normal_w);
    if (query_.hits == nullptr) return;
    if (!query_.hits->push(
            {high, result_.point_w, result_.normal_w, result_.feature_a, result_.feature_b, 1}))
        result_.status = QueryStatus::hits_full;
}

}  // namespace claybox::collision
