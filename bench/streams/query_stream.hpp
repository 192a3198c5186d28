#pragma once
// Recorded streams of pair queries, for benches and tests of all algorithms: the queries that a world would
// make, by frame and pair. Equal settings give equal streams on every machine.

#include "bench/streams/cage_motion.hpp"

namespace claybox::streams {

struct StreamQuery {
    std::uint32_t a = 0, b = 0;  ///< bodies
    std::uint32_t frame = 0;
    collision::Matrix34f world_from_a, world_from_b;
};

struct QueryStream {
    std::vector<collision::ShapePtr> shapes;  ///< one per body
    std::vector<StreamQuery> queries;         ///< by frame, then by pair

    /// Index of the pair's cache, below pair_count().
    std::size_t pair(const StreamQuery& q) const { return q.a * shapes.size() + q.b; }
    std::size_t pair_count() const { return shapes.size() * shapes.size(); }
};

/// Queries of all pairs whose vertices have overlapping world boxes. Pairs that begin to collide turn back.
collision::Result<QueryStream> record_cage(const CageSettings& settings, std::uint32_t frames);

enum class StackedShape : unsigned char {
    box,     ///< 8 vertices, right angles
    prism,   ///< two equal faces with vertices / 2 corners each, straight sides
    block,   ///< level top and bottom, otherwise irregular; at least 8 vertices
    mirror,  ///< an ellipsoid hull below its mirror image: vertex on vertex
};

struct StackSettings {
    StackedShape shape = StackedShape::box;
    std::uint32_t vertices = 8;
    std::size_t stacks = 10, height = 4;  ///< mirror: the height is 2
    /// Every `rest` frames all bodies are turned about the vertical and shifted; in between they rest.
    std::uint32_t rest = 1;
    bool tilted = false;  ///< stacks lean in a new direction after each rest
    std::uint64_t seed = 1;
};

/// Queries of neighbours in stacks, which touch exactly in every frame: the largest y of the lower body is
/// the smallest y of the upper one.
collision::Result<QueryStream> record_stacks(const StackSettings& settings, std::uint32_t frames);

}  // namespace claybox::streams
