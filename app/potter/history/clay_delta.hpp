#pragma once
// What turns clay back into what it was: a stroke of the undo history.

#include "app/potter/detail/clay_mesh.hpp"
#include "collision/geometry/shape.hpp"

#include <vector>

namespace claybox::app {

struct MaskChange {
    std::uint32_t vertex;
    float value;
};

struct ClayDelta {
    std::vector<collision::VertexChange> vertices;
    std::vector<MaskChange> masks;

    /// Whether the triangles differ as well; then the following members count.
    bool remeshed = false;
    /// The polygons to go back to, where they are not plain triangles; `vertices` and `masks` then list all.
    collision::ShapePtr whole;
    std::uint32_t vertex_count = 0, triangle_count = 0;
    std::vector<std::pair<std::uint32_t, std::array<std::uint32_t, 3>>> triangles;  ///< id, corners

    bool empty() const { return vertices.empty() && masks.empty() && !remeshed; }
    std::size_t bytes() const;
};

/// The delta that turns `now` into `before`. Linear time.
ClayDelta difference(const ClayMesh& now, const ClayMesh& before);
/// Turns the mesh into what the delta describes. The delta has no `whole`.
void apply(const ClayDelta& delta, ClayMesh& mesh);

}  // namespace claybox::app
