#pragma once
// Rows of the experiment `convex`: shape/vertices/step/turn.

#include "collision/core/result.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace claybox::bench {

struct ConvexRow {
    collision::Primitive primitive = collision::Primitive::ellipsoid_hull;
    std::uint32_t vertices = 100;
    double step = 5;   ///< % of the radius per frame
    double turn = 10;  ///< degrees per frame

    std::string shape() const;  ///< "ellipsoid"
    std::string name() const;   ///< "ellipsoid/100/5/10"
    friend bool operator==(const ConvexRow&, const ConvexRow&) = default;
};

inline constexpr const char* kConvexRows =
    "SHAPE[/VERTICES[/STEP[/TURN]]]: ellipsoid, rod or plate; 10 to 20000 vertices; step in % of the radius, "
    "0 to 100; turn in degrees, 0 to 180; * or nothing for all default rows";

/// The rows that match the patterns, in order, each once. Without patterns: all default rows, fewer if
/// `quick`. A number that no default row has adds a row. An invalid pattern is an error.
collision::Result<std::vector<ConvexRow>> convex_rows(const std::vector<std::string>& patterns, bool quick);

}  // namespace claybox::bench
