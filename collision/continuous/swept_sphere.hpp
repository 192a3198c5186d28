#pragma once
// First contact of a moving ball with a convex polygon: its inside, its edges and its corners. For fingertips
// that press buttons, and for anything else that moves between two poses.
//
// Idea: the ball touches the polygon F when the distance of its centre c(t) = from + t (to - from) to F is at
// most its radius r. The points within r of F are a union of convex pieces: the prism above and below F up to
// the height r, a cylinder around each edge and a ball around each corner. Each piece is a set of linear
// constraints on t and one convex quadratic q(t) <= 0, whose coefficients are polynomials of the inputs. The
// signs of polynomials alone decide whether the path intersects a piece, without a square root: clip [0, 1]
// by the linear constraints to [low, high], two fractions, and find the minimum of q there, which is at an
// end or at the vertex of the quadratic. The quadratic of the prism is height^2 - r^2 n.n, with the polygon's
// normal n of any length. The face is touched first, before edges and corners, exactly if the path enters the
// prism through its top or bottom: q is not negative where the path enters between the prism's sides.
//
// Signs come from doubles with a running error bound (Approx). If one is not certain, all signs of the query
// come from integers (Integer), so the answer is exact for the given numbers, touching included. The time is
// irrational in general and is returned in double: see `time`.

#include "collision/core/vec.hpp"

#include <span>

namespace claybox::collision {

/// A ball whose centre moves straight from one point to another; any frame, any unit.
struct MovingBall {
    Vec3d from, to;
    double radius = 0;
};

enum class SweptSide : unsigned char {
    both,
    /// Only contacts while the centre is not behind the polygon's plane, of a ball that approaches the plane.
    /// The corners are counter-clockwise as seen from the front.
    front,
};

enum class SweptFeature : unsigned char { face, edge, corner };

struct SweptContact {
    bool hit = false;
    bool at_start = false;  ///< they touch at time 0, before any motion
    /// Face or not is decided exactly. For an edge and a corner touched at the same time, either may be
    /// reported. At the start: what the ball touches there.
    SweptFeature feature = SweptFeature::face;
    /// Time of the first contact, in [0, 1]. At this time the distance of the centre to the polygon equals
    /// the radius up to 2^-44 s (1 + s / r), where s is the largest magnitude of a coordinate or the radius;
    /// for a contact with the face up to 2^-44 s.
    double time = 0;
    bool by_integers = false;  ///< doubles were not accurate enough
};

/// `polygon`: three or more corners of a planar convex polygon, in order; corners may repeat. A polygon
/// without area is its edges, and has no front. Non-finite input, magnitudes above 2^60 and negative radii
/// have no contact. Allocates only if integers decide. Thread-safe.
SweptContact sweep_ball(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side);

/// The same with integers from the start; for comparisons.
SweptContact sweep_ball_exact(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side);

}  // namespace claybox::collision
