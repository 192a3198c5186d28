#pragma once
// The distance of two meshes and a pair of closest points: branch and bound over two BVHs. Volume bounds are
// computed in float, four at once, and lowered by their error. Triangles are measured in double, or in wider
// scalars if the gap is too small for double.

#include "collision/core/trace.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/pairwise/bvh/bvh.hpp"

#include <limits>

namespace claybox::collision {

struct DistanceSide {
    const MeshBvh* tree = nullptr;  ///< of `geometry`; if null, built for this search only
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_local = nullptr;
};

struct DistanceSearch {
    DistanceSide a, b;
    /// Metres: ignores points farther apart than this.
    double within = std::numeric_limits<double>::infinity();
    bool any = false;  ///< stops at the first pair of points within the limit
    /// Start pair: topology indices of two triangles that may be close, such as the answer of the last frame.
    std::uint32_t start_a = kNoIndex, start_b = kNoIndex;
    StopToken stop;
    Trace* trace = nullptr;
};

struct MeshDistance {
    bool found = false;    ///< a pair of points within the limit exists
    bool stopped = false;  ///< by the token: nothing is known
    /// Metres, of the closest points; relative error below 1e-7. Infinity if no pair was measured: a mesh has
    /// no triangles, or none is within the limit.
    double distance = std::numeric_limits<double>::infinity();
    Vec3d a_w, b_w;
    std::uint32_t triangle_a = kNoIndex, triangle_b = kNoIndex;  ///< topology indices
    std::uint32_t volumes = 0, triangles = 0;                    ///< pairs measured
    std::uint32_t bits = 53;  ///< bits of the scalar that the answer required
};

/// Always terminates; never returns NaN. The answer does not depend on the start pair: of equally close
/// pairs, the first in triangle order is returned. Zero if the surfaces intersect. Allocates nothing if trees
/// are given.
MeshDistance find_mesh_distance(const DistanceSearch& search);

}  // namespace claybox::collision
