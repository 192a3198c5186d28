#pragma once
// Normals and smoothing of the clay that the hand has just changed, compared with other libraries.

#include "bench/contestants/surface_work.hpp"
#include "bench/streams/dent_stream.hpp"

namespace claybox::bench {

struct SurfaceResult {
    std::string id, title;
    bool ours = false;
    double build_ms = 0, normals_ms = 0, smooth_ms = 0;  ///< the last two: medians over the frames
    double normals_spread = 0, smooth_spread = 0;        ///< see spread_of()
    double normals_apart = 0;                            ///< degrees, mean angle to our normals
    double smooth_apart = 0;  ///< mean distance to our smoothed vertices, as a share of an edge
    std::size_t frames = 0;
};

SurfaceEntry our_surface_entry();

/// Plays the frames to all contestants in turns; at most `seconds` in all. `stream` is of any polygons; all
/// contestants get its triangles.
collision::Result<std::vector<SurfaceResult>> compare_surfaces(const std::vector<SurfaceEntry>& entries,
                                                               const streams::DentStream& stream,
                                                               double seconds);

}  // namespace claybox::bench
