#pragma once
// The faces of a convex object that a hand holds as its tool.

#include "app/potter/touch/touch_planner.hpp"
#include "app/scenes/step.hpp"
#include "collision/geometry/hull/hull.hpp"

namespace claybox::app {

class ToolPlanes {
  public:
    /// Takes the faces over; null: no object.
    void use(const collision::ConvexHull* hull);
    /// The faces for a pose of the object in the clay frame. Valid until the next call for the same hand.
    std::span<const ToolPlane> placed(std::size_t hand, const collision::Quat& rotation,
                                      const collision::Vec3d& centre);

  private:
    std::vector<ToolPlane> planes_;  ///< frame of the object
    std::array<std::vector<ToolPlane>, 2> placed_;
};

}  // namespace claybox::app
