#pragma once
// Keeps the triangles of clay near a wanted size and away from slivers, where the clay was shaped.

#include "app/potter/detail/edit_mesh.hpp"

namespace claybox::app {

struct DetailLimits {
    float edge = 0.002f;          ///< wanted edge length, metres; splits above kSplit times, collapses
                                  ///< below kCollapse times
    std::size_t budget = 200000;  ///< no split beyond this number of triangles
    bool even_out = false;        ///< finally calls even_out() for all vertices at hand
    static constexpr float kSplit = 1.4f, kCollapse = 0.4f;
    static constexpr double kSmallAngle = 20;  ///< degrees; triangles with a smaller angle are mended
    static constexpr double kFaultAngle = 11;  ///< degrees; where a smaller angle stays, the clay is smoothed
};

struct DetailWork {
    std::size_t splits = 0, collapses = 0, flips = 0;
    std::size_t smoothed = 0;  ///< rounds of smoothing crumpled clay
    std::size_t total() const { return splits + collapses + flips + smoothed; }
};

/// Refines around the `seeds`: all triangles that have one of them as a corner, and what replaces them. A
/// split point lies on the smooth surface through the ends, so that coarse clay stays round. The result
/// depends on the arguments only.
DetailWork refine(EditMesh& mesh, std::span<const std::uint32_t> seeds, const DetailLimits& limits);

/// Adds the corners of all triangles with an angle below 10 degrees.
void add_slivers(const ClayMesh& mesh, std::vector<std::uint32_t>& seeds);

/// Whether a triangle faces against the clay around all of its corners, by the normals of ClaySurface.
/// Triangles with a frozen corner do not count.
bool has_fold(const ClayMesh& mesh);

/// Moves vertices in the tangent plane towards the mean of their neighbours where that improves the
/// triangles. `rounds` 1 to 20.
void even_out(EditMesh& mesh, std::span<const std::uint32_t> vertices, int rounds);

}  // namespace claybox::app
