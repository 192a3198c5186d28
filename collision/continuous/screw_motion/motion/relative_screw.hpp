#pragma once
// The screw motion of one body relative to another, and the flow that generates it. Source: Buss, Collision
// Detection with Relative Screw Motion, 2004, 4.

#include "collision/continuous/screw_motion/motion/rigid_map.hpp"

namespace claybox::collision {

/// Eq. (1): the motion of B from the point of view of A, in A's frame: final_a^-1 final_b initial_b^-1
/// initial_a. All four are rigid placements in the world.
RigidMap relative_map(const RigidMap& initial_a, const RigidMap& final_a, const RigidMap& initial_b,
                      const RigidMap& final_b);

/// 4.1: axis, angle, pitch and the point of the axis nearest the origin of a rigid map. The angle is in
/// [0, pi]; the axis is oriented for that. A map that turns by less than `least_turn` radians is a
/// translation: angle 0, axis along it, point at the origin. Robust for angles near 0 and near pi.
///
/// The paper's formula for the point lies on the axis but is not its nearest point to the origin: we use only
/// the part of the translation that is perpendicular to the axis.
Screw screw_of(const RigidMap& omega, double least_turn = 1e-10);

/// The screw motion that takes B's points from its initial to its final place relative to A, seen in the
/// world while A keeps its initial placement. The placements need not be rigid, but each body's must differ
/// by a rigid motion.
Screw screw_in_world(const RigidMap& initial_a, const RigidMap& final_a, const RigidMap& initial_b,
                     const RigidMap& final_b);

/// The part t in [0, 1] of a screw motion: its flow during the time t.
RigidMap screw_map(const Screw& screw, double t);

/// Eq. (3): velocity of the point x under the flow that generates the screw in unit time.
Vec3d screw_velocity(const Screw& screw, const Vec3d& x);

/// Eq. (5): largest distance between the arc of a screw motion and its chord, divided by the length of the
/// arc, for an angle in radians. It estimates the error of assuming a screw motion where the bodies turn
/// about their own axes. A fraction, not a percentage; 0 at 0.
double screw_error_estimate(double angle);

/// The angle per step above which the paper advises against the assumption: 45 degrees, about 10 %.
inline constexpr double kLargeScrewAngle = 0.78539816339744830962;

}  // namespace claybox::collision
