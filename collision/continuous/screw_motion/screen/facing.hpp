#pragma once
// Step 2 of section 9: the parts of edges on faces that face the right way, virtual edges, and doppelling.

#include "collision/continuous/screw_motion/screen/screen_types.hpp"

namespace claybox::collision {

/// Memory of the clipping, reused between queries.
struct ClipMemory {
    struct Cut {
        std::uint32_t next;
        Vec3d point;
    };
    std::vector<std::uint32_t> head;   ///< per face: its first cut, or kNoIndex
    std::vector<std::uint32_t> faces;  ///< with at least one cut
    std::vector<Cut> cuts;
    std::vector<SubEdge> source;
    std::vector<unsigned char> ways;  ///< per face
    struct OnLine {
        double at;
        Vec3d point;
    };
    std::vector<OnLine> sorted;
};

/// n . velocity of the flow at x, which is constant along the motion (4.2): positive where a face with
/// outward normal n faces forward.
inline double facing(const Vec3d& n, const Vec3d& x, double angle, double pitch) {
    return angle * (n.x * x.z - n.z * x.x) + pitch * n.y;
}

/// Parts that face the wrong way by less than this speed are kept: face normals are rounded, the true motion
/// deviates from the screw, and a part too much costs little.
double facing_slack(const ScrewPiece& piece, const SideScreen& side);

/// Fills side.edges with the parts of edges on forward faces of B, or backward faces of A. A body that is
/// not one-sided keeps all. Points and normals must be set.
void clip_edges(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side,
                ClipMemory& memory);

/// Section 8: cuts edges where azimuth jumps, with virtual edges along the cut. Then doppels, for A: parts
/// with azimuth in [-pi, -pi + angle] appear again with azimuth + 2 pi.
void cut_and_doppel(const ScrewPiece& piece, SideScreen& side, ClipMemory& memory);

}  // namespace claybox::collision
