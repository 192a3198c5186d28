#pragma once
// Queries about two meshes for comparisons of everyone who decides whether surfaces meet.

#include "bench/streams/judged_stream.hpp"

namespace claybox::streams {

/// The same surface with one polygon a triangle, scaled about the origin so that it fits a ball of radius 1 m
/// about its middle: what libraries take.
collision::Result<collision::ShapePtr> as_triangles(const collision::Shape& shape);

/// The tetra-flake of the comparisons: on the middle of each triangle of a tetrahedron stands a smaller
/// tetrahedron, on its triangles smaller ones, `levels` times: 4 * 6^levels triangles. At most 7 levels.
collision::Result<collision::ShapePtr> tetra_flake_of(std::uint32_t levels);

/// How far from first contact the poses of record_contacts are along the line of approach, in radii.
inline constexpr double kContactGap = 0.01;

/// Two bodies in random poses near contact: random turns, a random line of approach, and on it a place where
/// they have just met (every other query) or are about to, kContactGap from where they begin to touch. One
/// query a frame from frame 1 on, each of a new pair that shares pair 0. Both shapes are of radius 1.
collision::Result<JudgedStream> record_contacts(const collision::ShapePtr& a, const collision::ShapePtr& b,
                                                std::uint32_t queries, std::uint64_t seed);

/// Copies of the mesh in a narrow cage, so that they are near each other all the time: 2 % of the radius and
/// 3 degrees in `parts` frames.
collision::Result<JudgedStream> record_moving(const collision::ShapePtr& mesh, std::uint32_t bodies,
                                              std::uint32_t frames, std::uint32_t parts, std::uint64_t seed);

}  // namespace claybox::streams
