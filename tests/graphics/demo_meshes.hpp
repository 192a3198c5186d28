#pragma once
// Small meshes for pictures in tests.

#include "engine/render/render_list.hpp"

#include <functional>
#include <vector>

namespace claybox::test {

/// The convex hull of a few points (tried out plane by plane), shaded flat, with its polygon edges.
engine::MeshData hull_mesh(const std::vector<glm::vec3>& points);
engine::MeshData box_mesh(const glm::vec3& half);
/// Box with rounded edges, centred.
engine::MeshData rounded_box_mesh(const glm::vec3& half, float radius);
/// A square in x and z that looks up.
engine::MeshData floor_mesh(float half);
/// A square in x and y that looks along z.
engine::MeshData pane_mesh(float half_x, float half_y);
/// A profile (radius, height) turned about y, closed where it ends on the axis. `cavity` is per profile
/// point.
engine::MeshData lathe_mesh(const std::vector<glm::vec2>& profile, int sides,
                            const std::function<glm::vec3(glm::vec3)>& bend = {},
                            const std::vector<float>& cavity = {});
/// From the origin along -z, with polygon edges.
engine::MeshData capsule_mesh(float radius_start, float radius_end, float length, int sides);

/// Corner points of well known solids of radius 1: 4, 6, 8, 12 and 20 of them; other counts give points
/// spread over the sphere.
std::vector<glm::vec3> solid_points(int count);

}  // namespace claybox::test
