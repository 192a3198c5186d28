#pragma once
// What the algorithms that solve a system of half-spaces have in common: the half-spaces of a shape, and what
// a solved system claims about two bodies.

#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid_ladder.hpp"
#include "collision/parts/body_half_spaces.hpp"

namespace claybox::collision {

/// Empty for shapes without a hull.
struct PreparedHalfSpaces final : Prepared {
    std::vector<HullHalfSpace> half_spaces;
    std::size_t memory_bytes() const override { return half_spaces.capacity() * sizeof(HullHalfSpace); }
};

std::shared_ptr<const Prepared> prepare_half_spaces(const Shape& shape, const Geometry& geometry);

/// The half-spaces that were prepared for a body of a query.
SystemBody system_body(const PairBody& body);

/// The difference of a query's bodies.
Difference<double> difference_of(const PairQuery& query);

/// From multipliers of a contradiction: a separating axis.
SolidClaim claim_apart(const BodySystem& system, std::span<const FarkasTerm> conflict);

/// From a point that satisfies all constraints: a collision, with four vertex pairs around it. Undecided,
/// with the pairs as a hint, where the constraints do not describe the bodies.
SolidClaim claim_common(const BodySystem& system, const Coordinates<3>& x);

/// Tells the plane of a row, drawn around x.
void tell_half_space(Trace& trace, const BodySystem& system, const Vec3d& origin_w, std::size_t row,
                     const Coordinates<3>& x);

}  // namespace claybox::collision
