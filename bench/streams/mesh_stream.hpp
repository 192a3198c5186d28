#pragma once
// Streams of mesh queries: do two surfaces intersect?

#include "bench/streams/judged_stream.hpp"

namespace claybox::streams {

/// The same surface as triangles, moved and scaled to a bounding ball of radius 1 m around the origin: the
/// form that libraries accept.
collision::Result<collision::ShapePtr> as_triangles(const collision::Shape& shape);

/// Tetra-flake: a tetrahedron with a smaller tetrahedron in the middle of each triangle, repeated `levels`
/// times (at most 7). Has 4 * 6^levels triangles.
collision::Result<collision::ShapePtr> tetra_flake_of(std::uint32_t levels);

/// Distance of the poses of record_contacts from first contact, along the line of approach, in radii.
inline constexpr double kContactGap = 0.01;

/// Two bodies in random poses near contact: random rotations and a random line of approach. Every other query
/// is kContactGap behind first contact and collides; the others are kContactGap before it. One query per
/// frame from frame 1 on; all use pair 0 and start from an empty cache. Both shapes have radius 1.
collision::Result<JudgedStream> record_contacts(const collision::ShapePtr& a, const collision::ShapePtr& b,
                                                std::uint32_t queries, std::uint64_t seed);

/// Copies of the mesh in a narrow cage, always near each other. They move by 2 % of the radius and turn by 3
/// degrees in `parts` frames.
collision::Result<JudgedStream> record_moving(const collision::ShapePtr& mesh, std::uint32_t bodies,
                                              std::uint32_t frames, std::uint32_t parts, std::uint64_t seed);

}  // namespace claybox::streams
