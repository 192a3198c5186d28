#pragma once

#include "app/scenes/view.hpp"
#include "engine/render/render_list.hpp"

namespace claybox::app {

/// Flat: each polygon has vertices of its own with its normal, and edges are polygon boundaries. Smooth: one
/// normal per vertex, and the cavity that the mesh brings along. Reuses the memory of `out`.
void make_mesh_data(const ViewMesh& mesh, engine::MeshData& out);
/// Vertices first .. end of a smooth mesh that brings its own normals and cavity; no triangles.
void copy_vertices(const ViewMesh& mesh, std::size_t first, std::size_t end, engine::MeshData& out);

}  // namespace claybox::app
