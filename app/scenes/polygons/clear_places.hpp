#pragma once
// Places for the chips of a flat drawing: near what they name, and neither on arrow heads nor on each other.

#include "collision/core/vec.hpp"

#include <string_view>
#include <vector>

namespace claybox::app {

/// Everything lies in the plane z = 0; metres.
class ClearPlaces {
  public:
    /// A disc that no chip should cover, such as the head of an arrow.
    void keep_clear(const collision::Vec3d& centre, double radius) { discs_.push_back({centre, radius}); }
    /// Centre of a chip next to `anchor`, if possible in the unit direction `along` from it. The chip takes
    /// its place.
    collision::Vec3d place(const collision::Vec3d& anchor, const collision::Vec3d& along,
                           std::string_view text);

  private:
    struct Disc {
        collision::Vec3d centre;
        double radius;
    };
    struct Box {
        collision::Vec3d centre, half;
    };
    double covered(const Box& box) const;

    std::vector<Disc> discs_;
    std::vector<Box> taken_;
};

}  // namespace claybox::app
