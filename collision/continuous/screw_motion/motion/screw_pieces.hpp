#pragma once
// Cuts a relative path into pieces that are close to one screw motion, and chooses the frame of each.

#include "collision/continuous/screw_motion/motion/relative_path.hpp"

#include <vector>

namespace claybox::collision {

/// A bounding sphere in the world at t = 0.
struct WorldSphere {
    Vec3d centre;
    double radius = 0;
};

struct PieceLimits {
    double deviation = 1e-3;  ///< metres: a piece with a larger deviation from its screw is halved
    /// Metres: bodies farther from the axis see the turn as a translation, because the screen's coordinates
    /// are then no longer accurate.
    double farthest_axis = 1e6;
    /// Pieces during which the bounding spheres stay more than `margin` apart are left out, and not halved.
    bool drop_far = false;
    double margin = 0;  ///< metres
};

/// The largest number of quarter turns of a path.
inline constexpr double kMaxQuarterTurns = 4096;

/// The pieces of `path`, in order of time; without gaps unless `drop_far`. `b`: B's sphere at t = 0. A piece
/// turns by at most a quarter turn. After several thousand pieces, larger deviations are accepted: the screen
/// is then drawn wider. False, and no pieces, for a path of more than kMaxQuarterTurns or without a usable
/// number.
bool cut_into_pieces(const RelativePath& path, const WorldSphere& a, const WorldSphere& b,
                     const PieceLimits& limits, std::vector<ScrewPiece>& out);

/// Chooses the frame of a piece for the screw in the world frame. The origin is the point of the axis nearest
/// to the middle of the bodies. The half-plane where azimuth jumps from pi to -pi lies where neither body
/// is at any time, if there is such a place; else `wraps` is set, and edges must be cut and doppelled.
void place_frame(const Screw& screw, const WorldSphere& a, const WorldSphere& b, ScrewPiece& piece);

/// Step 1 of section 9: false only if the bounding spheres prove that the bodies stay more than `margin`
/// apart during the piece. B's sphere is that at the start of the piece.
bool may_touch(const ScrewPiece& piece, const WorldSphere& a, const WorldSphere& b, double margin);

/// The box of azimuth of a sphere as seen from the y-axis of F: from centre - half to centre + half. `half`
/// is pi or more if the sphere reaches the axis.
struct AzimuthArc {
    double centre = 0, half = 0;
};
AzimuthArc azimuth_of(const Vec3d& centre_f, double radius);

}  // namespace claybox::collision
