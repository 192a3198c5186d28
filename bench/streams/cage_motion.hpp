#pragma once
// The motion of Chung and Wang's experiment (section 6): polytopes in a closed box move by 5 % of their
// radius and turn by 10 degrees per frame, and reverse when they collide. Equal settings give equal motions
// on every machine.

#include "collision/geometry/primitives/primitives.hpp"
#include "collision/geometry/transform.hpp"

#include <cstdint>
#include <vector>

namespace claybox::streams {

struct CageSettings {
    collision::Primitive primitive = collision::Primitive::ellipsoid_hull;
    std::uint32_t vertices = 500;  ///< of each hull
    std::size_t bodies = 100;
    std::size_t shapes = 10;  ///< number of different shapes; bodies use them cyclically
    float radius = 1;
    /// Share of the cage's volume that the hulls fill, or their bounding balls (for rods and plates).
    double filled = 0.1;
    bool filled_by_balls = false;
    double step = 0.05;  ///< radii per frame
    double turn = 10;    ///< degrees per frame
    /// Number of frames into which one step is divided.
    std::uint32_t parts = 1;
    /// Steps before the first frame, which separate bodies that start inside each other.
    std::uint32_t lead_in = 0;
    std::uint64_t seed = 1;
    /// Shapes to use instead of primitives, unless empty; `radius` must be their radius.
    std::vector<collision::ShapePtr> given;
};

class CageMotion {
  public:
    /// Fails only if the settings define no hull.
    static collision::Result<CageMotion> make(const CageSettings& settings);

    std::size_t size() const { return bodies_.size(); }
    const collision::ShapePtr& shape(std::size_t body) const { return shapes_[body % shapes_.size()]; }
    const collision::Pose& pose(std::size_t body) const { return bodies_[body].pose; }

    /// Advances by one step divided by `parts`; bodies turn back at the walls.
    void advance(std::uint32_t parts = 1);
    /// Reverses the velocity and the rotation of a body.
    void reverse(std::size_t body);

  private:
    struct Body {
        collision::Pose pose;
        collision::Vec3d velocity;
        collision::Quat turn;
    };
    std::vector<collision::ShapePtr> shapes_;
    std::vector<Body> bodies_;
    double half_ = 0;  ///< half side of the cage
};

}  // namespace claybox::streams
