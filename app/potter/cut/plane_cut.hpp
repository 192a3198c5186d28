#pragma once
// Cuts clay along a plane, as a wire does.

#include "app/potter/cut/cap.hpp"
#include "app/potter/detail/clay_mesh.hpp"

namespace claybox::app {

/// Points p with dot(normal, p) = offset. `normal` is a unit vector; it points to the side called above.
struct CutPlane {
    collision::Vec3d normal{0, 1, 0};
    double offset = 0;
};

enum class CutKeep : unsigned char {
    below,
    above,
    larger,
    both  ///< the part above moves along the normal by kCutGap, so that two closed parts remain
};
inline constexpr double kCutGap = 0.002;  ///< metres

/// One side of the clay, open along the plane.
struct CutPart {
    ClayMesh mesh;
    std::vector<VertexLoop> loops;  ///< outlines of the openings; a cap over them faces away from the part
};

/// The part below (or above) the plane. Vertices that no triangle uses are dropped. A vertex closer to the
/// plane than 10 micrometres counts as above it.
CutPart cut_part(const ClayMesh& mesh, const CutPlane& plane, bool above);

/// Cuts closed clay. Every part is closed again. `rim` receives the vertices at the cut. Returns the mesh
/// unchanged, with an empty `rim`, if the plane misses the clay or nothing would be left.
ClayMesh cut(const ClayMesh& mesh, const CutPlane& plane, CutKeep keep, std::vector<std::uint32_t>& rim);

}  // namespace claybox::app
