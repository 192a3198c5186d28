#pragma once
// Closes the flat openings of cut clay.

#include "app/potter/detail/clay_mesh.hpp"

#include <span>

namespace claybox::app {

/// A closed chain of vertices, in order.
using VertexLoop = std::vector<std::uint32_t>;

/// Joins directed edges `from[i] -> to[i]` into loops. Each vertex starts and ends at most one edge; an open
/// chain is left out.
std::vector<VertexLoop> join_loops(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to);

/// Adds triangles that fill the loops, which lie in a plane with the unit normal `up`: loops
/// counter-clockwise around `up` are outlines, the others are holes in the smallest outline around them. The
/// triangles face along `up`.
void add_cap(ClayMesh& mesh, std::vector<VertexLoop> loops, const collision::Vec3d& up);

}  // namespace claybox::app
