#pragma once
// A recorded deformation: a hand presses a sphere of clay. In every frame the vertices near one spot move,
// and 16 convex parts have the poses of a hand.

#include "bench/streams/judged_stream.hpp"

#include <array>

namespace claybox::streams {

inline constexpr std::size_t kHandParts = 16;

struct DentFrame {
    std::vector<collision::VertexChange> changes;
    std::array<collision::Matrix34f, kHandParts> world_from_part;
    std::uint32_t colliding_parts = 0;  ///< exact answer after the changes: one bit per part
};

struct DentStream {
    collision::ShapePtr mesh;  ///< its own frame is the world frame; radius 1 m
    std::vector<collision::ShapePtr> parts;
    std::vector<DentFrame> frames;
};

/// Moves `moved` vertices of a sphere of `triangles` triangles in each frame. The second mesh referee decides
/// all answers; the first one checks the last frame. An error if they disagree.
collision::Result<DentStream> record_dents(std::uint32_t triangles, std::uint32_t moved, std::uint32_t frames,
                                           std::uint64_t seed);

}  // namespace claybox::streams
