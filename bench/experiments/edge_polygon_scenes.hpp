#pragma once
// The two scenes on which Zachmann's thesis (3.2.1) times edges against polygons, recorded once so that every
// level gets the same questions.

#include "collision/geometry/shape.hpp"
#include "collision/geometry/transform.hpp"

#include <utility>
#include <vector>

namespace claybox::bench {

struct RecordedScene {
    std::vector<collision::ShapePtr> bodies;
    std::vector<std::pair<std::size_t, std::size_t>> pairs;     ///< asked about in every frame
    std::vector<std::vector<collision::Matrix34f>> placements;  ///< by frame and body
    std::size_t polygons() const;
};

/// Ten objects of 120 to 1450 polygons fly about in a cage of six boxes; whatever collides goes back.
collision::Result<RecordedScene> record_cage(std::size_t frames, std::uint64_t seed);

/// A pot of 9944 polygons and a hand of 16 parts that feels its way round the wall.
collision::Result<RecordedScene> record_pot(std::size_t frames);

}  // namespace claybox::bench
