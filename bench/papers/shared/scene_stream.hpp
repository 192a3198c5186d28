#pragma once
// The queries of a recorded scene: pairs with overlapping boxes, as after a global test of boxes.

#include "bench/experiments/algorithms/edge_polygon_scenes.hpp"
#include "bench/streams/query_stream.hpp"

namespace claybox::bench {

streams::QueryStream stream_of(const RecordedScene& scene);

/// Pairs of two equal bodies of radius 1, each pair in a cage of its own, that turn back when they collide.
/// Queries in the frames in which their boxes overlap. Many short runs instead of a long one: two bodies that
/// reverse repeat their way.
collision::Result<streams::QueryStream> record_bouncing(const collision::ShapePtr& shape, std::uint32_t pairs,
                                                        std::uint32_t frames, std::uint64_t seed);

/// Two equal bodies of radius 1 whose centres fly in a cube and turn back at its walls only. One query per
/// frame. `half`: half side of the cube.
streams::QueryStream record_two(const collision::ShapePtr& shape, double half, std::uint32_t frames,
                                std::uint64_t seed);

}  // namespace claybox::bench
