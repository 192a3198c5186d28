#pragma once
// The motion of Chung and Wang's experiment (section 6): polytopes in a closed box that move by 5 % of their
// radius and turn by 10 degrees a frame, and go back the way they came when they hit. The same on every
// machine for the same settings.

#include "collision/geometry/primitives.hpp"
#include "collision/geometry/transform.hpp"

#include <cstdint>
#include <vector>

namespace claybox::streams {

struct CageSettings {
    collision::Primitive primitive = collision::Primitive::ellipsoid_hull;
    std::uint32_t vertices = 500;  ///< of each hull
    std::size_t bodies = 100;
    std::size_t shapes = 10;  ///< different ones, from different samples; bodies take them in turn
    float radius = 1;
    /// This part of the cage is filled: by the hulls, or by their bounding balls, which suits rods and
    /// plates.
    double filled = 0.1;
    bool filled_by_balls = false;
    double step = 0.05;  ///< of the radius, a frame
    double turn = 10;    ///< degrees a frame
    /// Frames that such a step is divided into.
    std::uint32_t parts = 1;
    /// Steps before the first frame: bodies that begin in each other part.
    std::uint32_t lead_in = 0;
    std::uint64_t seed = 1;
    /// Taken instead of primitives when there are any; `radius` is then theirs.
    std::vector<collision::ShapePtr> given;
};

class CageMotion {
  public:
    /// Fails only for settings that no hull can be made of.
    static collision::Result<CageMotion> make(const CageSettings& settings);

    std::size_t size() const { return bodies_.size(); }
    const collision::ShapePtr& shape(std::size_t body) const { return shapes_[body % shapes_.size()]; }
    const collision::Pose& pose(std::size_t body) const { return bodies_[body].pose; }

    /// A step, or one of so many parts of it; bodies turn back at the walls.
    void advance(std::uint32_t parts = 1);
    /// Sends a body back: both its motion and its turning.
    void reverse(std::size_t body);

  private:
    struct Body {
        collision::Pose pose;
        collision::Vec3d velocity;
        collision::Quat turn;
    };
    std::vector<collision::ShapePtr> shapes_;
    std::vector<Body> bodies_;
    double half_ = 0;  ///< of the cage's side
};

}  // namespace claybox::streams
