#pragma once
// Small meshes for test pictures.

#include "engine/render/render_list.hpp"

#include <functional>
#include <vector>

namespace claybox::test {

/// Convex hull of a few points (by testing all planes), flat shaded, with polygon edges.
engine::MeshData hull_mesh(const std::vector<glm::vec3>& points);
engine::MeshData box_mesh(const glm::vec3& half);
/// Box with rounded edges, centred at the origin.
engine::MeshData rounded_box_mesh(const glm::vec3& half, float radius);
/// A square in x and z, facing up.
engine::MeshData floor_mesh(float half);
/// A square in x and y, facing +z.
engine::MeshData pane_mesh(float half_x, float half_y);
/// A profile of (radius, height) points rotated about y, closed where it ends on the axis. `cavity`: one per
/// profile point.
engine::MeshData lathe_mesh(const std::vector<glm::vec2>& profile, int sides,
                            const std::function<glm::vec3(glm::vec3)>& bend = {},
                            const std::vector<float>& cavity = {});
/// Capsule from the origin along -z, with polygon edges.
engine::MeshData capsule_mesh(float radius_start, float radius_end, float length, int sides);

/// Vertices of the Platonic solids with radius 1, by vertex count: 4, 6, 8, 12 or 20. Other counts: points
/// spread over the sphere.
std::vector<glm::vec3> solid_points(int count);

}  // namespace claybox::test
