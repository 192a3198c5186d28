#pragma once
// The motions of IVRI-CD's experiments (section 6): objects in a closed cube that move straight, rotate at
// random and pass through each other; and two objects that approach until they collide.

#include "bench/streams/query_stream.hpp"

namespace claybox::bench {

struct FreeMotion {
    std::vector<collision::ShapePtr> objects;  ///< bodies use them cyclically
    std::size_t bodies = 10;
    double side = 6;     ///< of the cube, metres
    double step = 0.02;  ///< metres per frame
    double turn = 10;    ///< largest rotation about each axis per frame, degrees
    std::uint32_t frames = 1500;
    bool box_test = true;  ///< only pairs whose oriented boxes overlap are asked
    std::uint64_t seed = 1;
};

struct FreeStream {
    streams::QueryStream stream;
    std::uint64_t pairs = 0;  ///< of all frames, also those that the box test excludes
};
FreeStream record_free_motion(const FreeMotion& settings);

struct Approach {
    streams::QueryStream stream;  ///< a pair of bodies of its own for each repeat
    /// Ranges of queries: those of the last five frames before each collision.
    std::vector<std::pair<std::size_t, std::size_t>> last_frames;
    std::size_t timed() const;
};
/// `repeats` times: two equal objects start at opposite sides of a cube of 6 m and move towards each other by
/// 0.02 m per frame, each with a random rotation of up to 10 degrees about each axis.
Approach record_approach(const collision::ShapePtr& object, std::size_t repeats, std::uint64_t seed);

}  // namespace claybox::bench
