#include "collision/pairwise/linear_programming/half_space_claims.hpp"

namespace claybox::collision {

std::shared_ptr<const Prepared> prepare_half_spaces(const Shape& shape, const Geometry&) {
    auto out = std::make_shared<PreparedHalfSpaces>();
    if (shape.hull() != nullptr) out->half_spaces = half_spaces_of(*shape.hull());
    return out;
}

SystemBody system_body(const PairBody& body) {
    return {body.shape->hull(), &body.geometry->box,
            static_cast<const PreparedHalfSpaces*>(body.prepared)->half_spaces};
}

Difference<double> difference_of(const PairQuery& query) {
    return make_difference<double>(*query.a.shape->hull(), query.a.world_from_body, *query.b.shape->hull(),
                                   query.b.world_from_body);
}

SolidClaim claim_contradiction(const BodySystem& system, std::span<const FarkasTerm> conflict) {
    const Vec3d axis = system.axis(conflict);
    SolidClaim claim =
        SolidClaim::separated(axis, system.vertex_of(conflict, true), system.vertex_of(conflict, false));
    if (axis == Vec3d{}) claim.verdict = Verdict::undecided;
    return claim;
}

SolidClaim claim_common_point(const BodySystem& system, const Coordinates<3>& x) {
    SolidClaim claim;
    const FourPairs pairs = system.pairs_around(x);
    for (int i = 0; i < pairs.count(); ++i) claim.add_hint(pairs.pair(i));
    if (system.complete()) claim.verdict = Verdict::colliding;
    return claim;
}

void trace_half_space(Trace& trace, const BodySystem& system, const Vec3d& origin_w, std::size_t row,
                      const Coordinates<3>& x) {
    const Coordinates<3>& n = system.rows()[row].n;
    const Vec3d normal{n[0], n[1], n[2]};
    trace.plane(normal, system.offset(row) + dot(normal, origin_w), system.point(x) + origin_w, "half-space");
}

}  // namespace claybox::collision
