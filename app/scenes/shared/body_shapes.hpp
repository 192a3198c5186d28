#pragma once
// Shapes that the user can add by name: solids, generated meshes, and meshes from files.

#include "collision/geometry/shape.hpp"

#include <span>
#include <string>
#include <string_view>

namespace claybox::app {

/// Names of the shapes that need no file, in the order of panels: "dodecahedron", "ring" ...
std::span<const char* const> body_shape_names();
/// Whether a body can have this shape: one of the names, or "mesh1" for the first of the user's meshes.
bool is_body_shape(std::string_view name);
/// Number of a user's mesh, from 1; 0 for other shapes.
std::size_t mesh_number(std::string_view name);
/// All names in a sentence, for messages.
std::string body_shape_list();
/// "truncated octahedron": the name as shown, that of its file for a mesh.
std::string shape_title(std::string_view name, std::span<const collision::ShapePtr> meshes);

/// The shape, in a sphere of this radius in millimetres about the origin. An unknown name, or a mesh that
/// is not there, is an error.
collision::Result<collision::ShapePtr> make_body_shape(std::string_view name, double size,
                                                       std::span<const collision::ShapePtr> meshes);

/// The mesh, centred at the middle of its box and scaled to fit into a sphere of the radius, metres.
collision::Result<collision::ShapePtr> fit_mesh(const collision::Shape& mesh, float radius);

/// A gear wheel with a hole, about +Y, of radius 1.
collision::PolygonList gear_mesh(std::uint32_t teeth);

}  // namespace claybox::app
