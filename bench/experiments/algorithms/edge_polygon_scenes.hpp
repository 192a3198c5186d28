#pragma once
// The two scenes with which Zachmann's thesis (3.2.1) measures edges against polygons, recorded once: all
// levels get the same queries.

#include "collision/geometry/shape.hpp"
#include "collision/geometry/transform.hpp"

#include <utility>
#include <vector>

namespace claybox::bench {

struct RecordedScene {
    std::vector<collision::ShapePtr> bodies;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;     ///< tested in every frame
    std::vector<std::vector<collision::Matrix34f>> placements;  ///< [frame][body]
    std::size_t polygons() const;
};

/// Ten objects of 120 to 1450 polygons move in a cage of six boxes and turn back on collision.
collision::Result<RecordedScene> record_cage(std::size_t frames, std::uint64_t seed);

/// A pot of 9944 polygons and a hand of 16 parts whose fingertips move along the wall.
collision::Result<RecordedScene> record_pot(std::size_t frames);

}  // namespace claybox::bench
