#pragma once
// Meshes of tests, and what a good mesh is.

#include "app/potter/shapes/clay_shapes.hpp"
#include "app/potter/detail/edit_mesh.hpp"
#include "app/potter/detail/quality.hpp"
#include "collision/geometry/classification.hpp"
#include "collision/geometry/shape.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace claybox::app {

inline ClayMesh mesh_of(ClayShape shape, std::uint32_t polygons) {
    const auto polyhedron = collision::build_polyhedron(make_clay(shape, polygons, ClayFaces::triangles));
    EXPECT_TRUE(polyhedron.ok());
    return clay_mesh(*polyhedron.value().topology, polyhedron.value().positions, {});
}

/// Expects a closed oriented manifold in which every vertex has one fan; `parts` connected components.
inline void expect_sound(const ClayMesh& mesh, const char* what, std::uint32_t parts = 1) {
    const auto polyhedron = collision::build_polyhedron(polygon_list(mesh));
    ASSERT_TRUE(polyhedron.ok()) << what;
    const collision::Classification c = collision::classify(polyhedron.value());
    EXPECT_TRUE(c.closed && c.manifold && c.oriented && c.vertex_fans_ok)
        << what << ": " << c.boundary_edges << " open edges, " << c.nonmanifold_edges
        << " with more polygons";
    EXPECT_EQ(c.vertices, mesh.positions.size()) << what << ": no two vertices at one place, none unused";
    EXPECT_EQ(c.components, parts) << what;
    EXPECT_EQ(mesh.mask.size(), mesh.positions.size()) << what;
}

inline double volume_of(const ClayMesh& mesh) {
    double six = 0;
    const auto at = [&](std::uint32_t v) { return collision::cast<double>(mesh.positions[v]); };
    for (const auto& t : mesh.triangles) six += dot(at(t[0]), cross(at(t[1]), at(t[2])));
    return six / 6;
}

/// Smallest angle of all triangles, degrees.
inline double smallest_angle(const ClayMesh& mesh) {
    double worst = 0.5;
    const auto at = [&](std::uint32_t v) { return collision::cast<double>(mesh.positions[v]); };
    for (const auto& t : mesh.triangles)
        worst = std::max(worst, smallest_angle_cosine(at(t[0]), at(t[1]), at(t[2])));
    return std::acos(std::min(worst, 1.0)) * 180 / std::numbers::pi;
}

inline double longest_edge(const ClayMesh& mesh) {
    float longest = 0;
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i)
            longest = std::max(longest, length(mesh.positions[t[i]] - mesh.positions[t[(i + 1) % 3]]));
    return static_cast<double>(longest);
}

inline std::vector<std::uint32_t> all_vertices(std::size_t count) {
    std::vector<std::uint32_t> out(count);
    for (std::uint32_t v = 0; v < count; ++v) out[v] = v;
    return out;
}

}  // namespace claybox::app
