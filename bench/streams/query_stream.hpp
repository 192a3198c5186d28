#pragma once
// Recorded streams of pair queries, for benches and tests of all algorithms: what a world would ask, frame by
// frame, pair by pair. The same on every machine for the same settings.

#include "bench/streams/cage_motion.hpp"

namespace claybox::streams {

struct StreamQuery {
    std::uint32_t a = 0, b = 0;  ///< bodies
    std::uint32_t frame = 0;
    collision::Matrix34f world_from_a, world_from_b;
};

struct QueryStream {
    std::vector<collision::ShapePtr> shapes;  ///< of each body
    std::vector<StreamQuery> queries;         ///< in order of frames, then of pairs

    /// A number for each pair of bodies, below pair_count(): where its cache stands.
    std::size_t pair(const StreamQuery& q) const { return q.a * shapes.size() + q.b; }
    std::size_t pair_count() const { return shapes.size() * shapes.size(); }
};

/// Pairs whose world boxes, made of their vertices, overlap; pairs that begin to collide turn back.
collision::Result<QueryStream> record_cage(const CageSettings& settings, std::uint32_t frames);

enum class StackedShape : unsigned char {
    box,     ///< 8 vertices, right angles
    prism,   ///< two equal faces of vertices / 2 corners, straight sides
    block,   ///< level faces above and below, everything else uneven: 8 vertices, or more on the sides
    mirror,  ///< an ellipsoid's hull below its mirror image: one vertex on one vertex
};

struct StackSettings {
    StackedShape shape = StackedShape::box;
    std::uint32_t vertices = 8;
    std::size_t stacks = 10, height = 4;  ///< mirrors always come in twos
    /// Every so many frames all bodies are turned about the vertical and shifted; in between they rest.
    std::uint32_t rest = 1;
    bool tilted = false;  ///< the stack's vertical leans, differently after each rest; bodies are in line
    std::uint64_t seed = 1;
};

/// Neighbours of a stack, which touch exactly in every frame: the largest y below is the smallest above.
collision::Result<QueryStream> record_stacks(const StackSettings& settings, std::uint32_t frames);

}  // namespace claybox::streams
