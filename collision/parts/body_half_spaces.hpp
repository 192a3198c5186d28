#pragma once
// Convex bodies as systems of half-spaces, and what a solved system says about the bodies.

#include "collision/geometry/bounds.hpp"
#include "collision/parts/difference.hpp"
#include "collision/parts/four_pairs.hpp"
#include "collision/parts/linear_system.hpp"

#include <vector>

namespace claybox::collision {

/// A half-space of a hull in the hull's own frame: outward normal of length 1, and a vertex on its plane.
struct HullHalfSpace {
    Vec3d normal;
    std::uint32_t vertex = 0;
};

/// Half-spaces whose intersection is the hull: its faces; of a flat polygon both sides of its plane and one
/// across each edge; of a segment both ends and four around it; of a point six. Those of a solid hull are in
/// the order of its faces.
std::vector<HullHalfSpace> half_spaces_of(const ConvexHull& hull);
/// How many, without making them.
std::size_t half_space_count(const ConvexHull& hull);

/// One body of a system. Borrows everything.
struct SystemBody {
    const ConvexHull* hull = nullptr;
    const Aabb* box = nullptr;
    std::span<const HullHalfSpace> half_spaces;
};

/// The system of both bodies: constraints of A, then of B, in coordinates about the middle between them and
/// in units in which both lie within the unit cube.
class BodySystem {
  public:
    /// `room` is for the half-spaces of both.
    BodySystem(const SystemBody& a, const SystemBody& b, const Difference<double>& difference,
               std::span<HalfSpace<3>> room);

    std::span<const HalfSpace<3>> rows() const { return rows_; }
    /// False when a matrix flattens its body within rounding: half-spaces then still hold all of the body,
    /// but no longer describe it.
    bool complete() const { return complete_; }
    /// The least slack of all constraints at x: positive when x lies inside both bodies.
    double slack(const Coordinates<3>& x) const;
    /// The axis, from A towards B, that multipliers of a contradiction prove to separate the bodies; those
    /// beyond the rows are bounds that hold for both.
    Vec3d axis(std::span<const FarkasTerm> terms) const;
    /// A vertex of A, or of B, on a plane of the contradiction; vertex 0 when it has none.
    std::uint32_t vertex_of(std::span<const FarkasTerm> terms, bool of_a) const;
    /// Four vertex pairs whose differences surround the origin, from a point inside both bodies.
    FourPairs pairs_around(const Coordinates<3>& x) const;
    /// In the frame of the difference, metres.
    Vec3d point(const Coordinates<3>& x) const { return unit_ * Vec3d{x[0], x[1], x[2]} + center_; }
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
    std::size_t within_polygon(const Side& side, std::size_t face, const Vec3d& x, double weight,
                               std::span<WeightedVertex> out) const;
    Vec3d at(const Side& side, std::uint32_t vertex) const {
        return (transform_point(*side.matrix, side.body->hull->vertex(vertex)) - center_) * (1 / unit_);
    }

    std::span<HalfSpace<3>> rows_;
    Side a_, b_;
    Vec3d center_;
    double unit_ = 1;
    bool complete_ = true;
};

}  // namespace claybox::collision
