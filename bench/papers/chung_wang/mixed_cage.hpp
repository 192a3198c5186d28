#pragma once
// The environment of Chung and Wang's experiments (section 6): polytopes of three shapes in a closed box.

#include "bench/streams/query_stream.hpp"

namespace claybox::bench {

/// The shapes of the paper.
struct ChungWangShape {
    const char* name;
    collision::Primitive primitive;
};
inline constexpr ChungWangShape kChungWangShapes[] = {{"ellipsoid", collision::Primitive::ellipsoid_hull},
                                                      {"plate", collision::Primitive::plate_hull},
                                                      {"rod", collision::Primitive::rod_hull}};

struct MixedCage {
    std::uint32_t vertices = 500;
    std::size_t bodies = 100;
    double step = 0.05;   ///< radii per frame
    double turn = 10;     ///< degrees per frame
    double filled = 0.1;  ///< share of the box that the bounding balls fill
    std::uint32_t frames = 60;
    std::uint64_t seed = 1;
    /// Null: all three shapes, mixed.
    const ChungWangShape* only = nullptr;
};

collision::Result<streams::QueryStream> record_mixed_cage(const MixedCage& settings);

}  // namespace claybox::bench
