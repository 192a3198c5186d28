#pragma once

#include "app/scenes/view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

/// Converts a mesh. Flat: every polygon has its own vertices with its normal, and edges are polygon
/// boundaries. Smooth: one normal and one cavity value per vertex. Reuses the memory of `out`.
void make_mesh_data(const ViewMesh& mesh, engine::MeshData& out);
/// Copies the vertices [first, end) of a smooth mesh with normals and cavity; no triangles.
void copy_vertices(const ViewMesh& mesh, std::size_t first, std::size_t end, engine::MeshData& out);

}  // namespace claybox::app
