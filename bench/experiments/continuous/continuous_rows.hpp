#pragma once
// The rows of the experiment `continuous`: pairs of bodies and their motions, with the referee's answers.

#include "bench/contestants/continuous.hpp"
#include "collision/core/result.hpp"
#include "collision/geometry/shape.hpp"

namespace claybox::bench {

struct ContinuousRow {
    std::string name;   ///< "cube", "hull/100"
    std::string title;  ///< for tables
    std::vector<collision::ShapePtr> shapes;
    std::vector<MovingQuery> queries;
};

inline constexpr const char* kContinuousRows =
    "cube, car, car_hull, torus (screws of 20 degrees), hull/VERTICES (linear motion); default: all with "
    "hulls of 20, "
    "100 and 500";

/// An unknown row is an error.
collision::Result<std::vector<std::string>> continuous_row_names(const std::vector<std::string>& wanted);
/// Records `count` queries. About half of them hit.
ContinuousRow make_continuous_row(const std::string& name, std::size_t count, std::uint64_t seed);

}  // namespace claybox::bench
