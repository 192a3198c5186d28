#pragma once
// When a moving ball first meets a convex polygon: its inside, its edges and its corners. For fingertips that
// press buttons, and for anything else that moves between two poses.
//
// Idea: the ball meets the polygon F where the distance of its centre c(t) = from + t (to - from) to F is at
// most its radius r. The points that near to F are a union of convex pieces: the prism over and under F up to
// the height r, a cylinder about each edge and a ball about each corner. Each piece is a set of linear
// constraints on t and one convex quadratic q(t) <= 0, with coefficients that are polynomials of the numbers
// given. Whether the way meets a piece is then decided by signs of polynomials alone, without a square root:
// clip [0, 1] by the lines to [low, high], two fractions, and look for the least q there, which is at an end
// or at the quadratic's vertex. The prism's quadratic is height^2 - r^2 n.n with the polygon's normal n of
// any length. The face is met first, before edges and corners, exactly where the way enters the prism through
// its top or bottom, which is where q is not negative as the way comes between the prism's sides.
//
// Signs come from doubles with a running bound of their error (Approx) and, where one is not certain, all
// signs of the query from integers (Integer), so that the answer is that of the numbers given, touching
// included. The time is irrational in general and comes in double: see `time`.

#include "collision/core/vec.hpp"

#include <span>

namespace claybox::collision {

/// A ball whose centre goes straight from one place to the other; any frame, any unit.
struct MovingBall {
    Vec3d from, to;
    double radius = 0;
};

enum class SweptSide : unsigned char {
    both,
    /// Only meetings while the centre is not behind the polygon's plane, of a ball that comes nearer to it.
    /// The front is where corners go round counter-clockwise.
    front,
};

enum class SweptFeature : unsigned char { face, edge, corner };

struct SweptContact {
    bool hit = false;
    bool at_start = false;  ///< they touch at time 0: the ball has not come, it is there
    /// Face or not is decided exactly; an edge and a corner that are met at the same time may be told as
    /// either. At the start: what the ball touches there.
    SweptFeature feature = SweptFeature::face;
    /// Of the first contact, in [0, 1]. At this time the distance of the centre to the polygon is the radius
    /// up to 2^-44 s (1 + s / r), with s the largest magnitude of a coordinate or the radius; for a hit on
    /// the face up to 2^-44 s.
    double time = 0;
    bool by_integers = false;  ///< doubles were not enough
};

/// `polygon`: three or more corners of a convex polygon, in order, that lie in one plane; corners may repeat.
/// One without an area is its edges, and has no front. What is not finite, beyond 2^60 or a negative radius
/// meets nothing. Allocates only where integers decide. Any thread.
SweptContact sweep_ball(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side);

/// The same by integers from the start; for comparisons.
SweptContact sweep_ball_exact(const MovingBall& ball, std::span<const Vec3d> polygon, SweptSide side);

}  // namespace claybox::collision
