#pragma once
// Shared by the algorithms that solve a system of half-spaces: the half-spaces of a shape, and the claims
// that follow from a solved system.

#include "collision/pairwise/linear_programming/body_half_spaces.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_ladder.hpp"

namespace claybox::collision {

/// Empty for shapes without a hull.
struct PreparedHalfSpaces final : Prepared {
    std::vector<HullHalfSpace> half_spaces;
    std::size_t memory_bytes() const override { return half_spaces.capacity() * sizeof(HullHalfSpace); }
};

std::shared_ptr<const Prepared> prepare_half_spaces(const Shape& shape, const Geometry& geometry);

/// The prepared half-spaces of a query's body.
SystemBody system_body(const PairBody& body);

/// The difference of a query's bodies.
Difference<double> difference_of(const PairQuery& query);

/// Separated, with the axis from the multipliers of a contradiction.
SolidClaim claim_contradiction(const BodySystem& system, std::span<const FarkasTerm> conflict);

/// Colliding, with four vertex pairs around a point that satisfies all constraints. If the constraints do not
/// define the bodies: undecided, with the pairs as a hint.
SolidClaim claim_common_point(const BodySystem& system, const Coordinates<3>& x);

/// Traces the plane of a row, drawn around x.
void trace_half_space(Trace& trace, const BodySystem& system, const Vec3d& origin_w, std::size_t row,
                      const Coordinates<3>& x);

}  // namespace claybox::collision
