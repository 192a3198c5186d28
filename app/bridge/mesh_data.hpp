#pragma once

#include "app/scenes/view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

/// Flat: each polygon has vertices of its own with its normal, and edges are polygon boundaries. Smooth: one
/// normal per vertex, and how deep it lies in a groove. Reuses the memory of `out`.
void make_mesh_data(const ViewMesh& mesh, engine::MeshData& out);

}  // namespace claybox::app
