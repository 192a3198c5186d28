#pragma once
// The distance of two meshes and a pair of closest points: branch and bound over two trees of discs and
// boxes. Bounds in float, four at once, lowered by what they may be off; triangles in double, and in wider
// scalars where double has too few digits for the gap.

#include "collision/core/trace.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/parts/mesh_bvh.hpp"

#include <limits>

namespace claybox::collision {

struct DistanceSide {
    const MeshBvh* tree = nullptr;  ///< of `geometry`; made for this one search when null
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_local = nullptr;
};

struct DistanceSearch {
    DistanceSide a, b;
    /// Metres: only points at most this far apart are looked for.
    double within = std::numeric_limits<double>::infinity();
    bool any = false;  ///< the first such pair will do: it need not be the closest
    /// Triangles of the topologies that may be near each other: an answer of the frame before.
    std::uint32_t start_a = kNoIndex, start_b = kNoIndex;
    StopToken stop;
    Trace* trace = nullptr;
};

struct MeshDistance {
    bool found = false;    ///< a pair of points within the limit
    bool stopped = false;  ///< by the token: nothing is known
    double distance = 0;   ///< metres, of the closest points; off by less than 1e-7 of itself
    Vec3d a_w, b_w;
    std::uint32_t triangle_a = kNoIndex, triangle_b = kNoIndex;  ///< of the topologies
    std::uint32_t volumes = 0, triangles = 0;                    ///< pairs that were measured
    std::uint32_t bits = 53;                                     ///< of the scalar that the answer needed
};

/// Always ends; never NaN. The answer does not depend on where the search starts: of equally close pairs the
/// first in the order of triangles is taken. Zero where the surfaces meet. Allocates nothing when trees are
/// given.
MeshDistance find_mesh_distance(const DistanceSearch& search);

}  // namespace claybox::collision
