#pragma once
// Convex bodies as systems of half-spaces, and the meaning of a solved system for the bodies.

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/pairwise/linear_programming/four_pairs.hpp"
#include "collision/pairwise/linear_programming/linear_system.hpp"
#include "collision/pairwise/support/difference.hpp"

#include <vector>

namespace claybox::collision {

/// A half-space of a hull in the hull's own frame: unit outward normal, and a vertex on its plane.
struct HullHalfSpace {
    Vec3d normal;
    std::uint32_t vertex = 0;
};

/// Half-spaces whose intersection is the hull. For a solid: its faces, in their order. For a flat polygon:
/// both sides of its plane and one per edge. For a segment: both ends and four around it. For a point: six.
std::vector<HullHalfSpace> half_spaces_of(const ConvexHull& hull);
/// The number of half-spaces, without computing them.
std::size_t half_space_count(const ConvexHull& hull);

/// One body of a system. Borrows everything.
struct SystemBody {
    const ConvexHull* hull = nullptr;
    const Aabb* box = nullptr;
    std::span<const HullHalfSpace> half_spaces;
};

/// The system of both bodies: first A's constraints, then B's. The origin is the middle between the bodies,
/// and the unit is chosen so that both are inside the unit cube.
class BodySystem {
  public:
    /// `storage` is for the half-spaces of both bodies.
    BodySystem(const SystemBody& a, const SystemBody& b, const Difference<double>& difference,
               std::span<HalfSpace<3>> storage);

    std::span<const HalfSpace<3>> rows() const { return rows_; }
    /// False if a matrix flattens its body up to rounding: the half-spaces then contain the body but no
    /// longer define it.
    bool complete() const { return complete_; }
    /// The smallest slack of all constraints at x; positive if x is inside both bodies.
    double slack(const Coordinates<3>& x) const;
    /// The axis from A towards B that the multipliers of a contradiction prove to be separating. Multipliers
    /// beyond the rows belong to bounds that hold for both bodies.
    Vec3d axis(std::span<const FarkasTerm> terms) const;
    /// A vertex of A, or of B, on a plane of the contradiction; vertex 0 if there is none.
    std::uint32_t vertex_of(std::span<const FarkasTerm> terms, bool of_a) const;
    /// Four vertex pairs whose differences surround the origin, from a point inside both bodies.
    FourPairs pairs_around(const Coordinates<3>& x) const;
    /// x in the frame of the difference, in metres.
    Vec3d point(const Coordinates<3>& x) const { return unit_ * Vec3d{x[0], x[1], x[2]} + centre_; }
    /// The offset of a row's plane along its normal, in the same frame.
    double offset(std::size_t row) const;

  private:
    struct Side {
        const SystemBody* body;
        const Matrix34d* matrix;
        std::size_t first_row;
    };
    std::size_t add(const Side& side);
    std::size_t combination(const Side& side, const Coordinates<3>& x, std::span<WeightedVertex> out) const;
    std::size_t combination_in_face(const Side& side, std::size_t face, const Vec3d& x, double weight,
                                    std::span<WeightedVertex> out) const;
    Vec3d at(const Side& side, std::uint32_t vertex) const {
        return (transform_point(*side.matrix, side.body->hull->vertex(vertex)) - centre_) * (1 / unit_);
    }

    std::span<HalfSpace<3>> rows_;
    Side a_, b_;
    Vec3d centre_;
    double unit_ = 1;
    bool complete_ = true;
};

}  // namespace claybox::collision
