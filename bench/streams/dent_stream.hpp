#pragma once
// A sphere of clay that a hand presses: every frame vertices near one spot move, and 16 convex parts are
// where a hand would be.

#include "bench/streams/judged_stream.hpp"

#include <array>

namespace claybox::streams {

inline constexpr std::size_t kHandParts = 16;

struct DentFrame {
    std::vector<collision::VertexChange> changes;
    std::array<collision::Matrix34f, kHandParts> world_from_part;
    std::uint32_t meets = 0;  ///< the exact answer, after the changes: a bit a part
};

struct DentStream {
    collision::ShapePtr mesh;  ///< in its own frame, which is the world's; radius 1 m
    std::vector<collision::ShapePtr> parts;
    std::vector<DentFrame> frames;
};

/// `moved` vertices of a sphere of `triangles` in each of the frames. Decided by the two referees of meshes
/// on geometries of their own.
collision::Result<DentStream> record_dents(std::uint32_t triangles, std::uint32_t moved, std::uint32_t frames,
                                           std::uint64_t seed);

}  // namespace claybox::streams
