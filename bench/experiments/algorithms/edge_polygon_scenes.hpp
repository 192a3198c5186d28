#pragma once
// The scenes with which Zachmann's thesis measures (3.2.1, 3.5, 8.2), recorded once: all contestants get the
// same queries.

#include "collision/geometry/primitives/primitives.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/geometry/transform.hpp"

#include <span>
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

/// A kind of body and its number of polygons.
using CageBody = std::pair<collision::Primitive, std::uint32_t>;
/// The same with other objects, at most 12.
collision::Result<RecordedScene> record_cage(std::span<const CageBody> objects, std::size_t frames,
                                             std::uint64_t seed);

/// A pot of 9944 polygons and a hand of 16 parts whose fingertips move along the wall.
collision::Result<RecordedScene> record_pot(std::size_t frames);

/// A pot of `across` * `around` quadrangles, the first of them across the wall.
struct PotSize {
    std::uint32_t across = 88, around = 113;
};
/// Parts of the hand: all 16, or the three of the forefinger.
enum class HandParts : unsigned char { all, forefinger };
collision::Result<RecordedScene> record_pot(const PotSize& pot, HandParts parts, std::size_t frames);

}  // namespace claybox::bench
