#pragma once
// Many bodies follow a current through an arena with obstacles. One array per quantity, a fixed number of
// floating-point operations per body and frame, no allocation: 100,000 bodies cost little compared with their
// collision tests.

#include "collision/core/random.hpp"
#include "collision/geometry/bounds/bounds.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::app {

/// Half extents of the arena in x and z, and its height (y), metres. The origin is the middle of the floor.
inline constexpr collision::Vec3f kArena{5.6f, 1.7f, 4.6f};

/// An upright column, or an upright ring with axis z that bodies fly through.
struct Obstacle {
    enum class Kind : unsigned char { column, ring } kind = Kind::column;
    collision::Vec3f at;  ///< foot of a column, centre of a ring
    float radius = 0;     ///< of a column; of a ring from the centre to the middle of its tube
    float thickness = 0;  ///< radius of the ring's tube
    float height = 0;     ///< of the column
};

struct FlockMotion {
    float step = 0;     ///< metres per frame
    float turn = 0;     ///< radians per frame
    double moving = 1;  ///< share of the bodies that move
};

class Flock {
  public:
    /// Places bodies with these radii on a jittered lattice, outside the obstacles.
    void build(std::span<const float> radii, std::span<const Obstacle> obstacles, std::uint64_t seed);
    void set_motion(const FlockMotion& motion) { motion_ = motion; }

    /// Advances all moving bodies by one frame.
    void advance(std::uint64_t frame);
    /// Responds to a hit of two bodies: they exchange their velocity components along the line of centres. A
    /// resting body reflects the other one.
    void bounce(std::uint32_t a, std::uint32_t b);
    void bounce_off(std::uint32_t body, const Obstacle& obstacle);

    std::size_t size() const { return position_.size(); }
    bool moves(std::uint32_t body) const { return static_cast<double>(lot_[body]) < motion_.moving; }
    /// Octant of the compass in which a body is heading.
    unsigned heading(std::uint32_t body) const;
    std::span<const collision::Vec3f> positions() const { return position_; }
    /// w x y z, unit length.
    std::span<const std::array<float, 4>> rotations() const { return rotation_; }
    collision::Pose pose(std::uint32_t body) const;

  private:
    void place(std::span<const Obstacle> obstacles, collision::Random& random);
    void set_time(std::uint64_t frame);
    collision::Vec3f current(const collision::Vec3f& p) const;
    void steer(std::uint32_t body);
    void turn(std::uint32_t body);

    FlockMotion motion_;
    std::vector<Obstacle> obstacles_;
    std::array<float, 4> whirl_{};  ///< strengths of the whirls in this frame
    float wave_ = 0;                ///< phase of the height wave, periods
    std::vector<collision::Vec3f> position_, velocity_,
        axis_;  ///< velocity in units of FlockMotion::step; axis of rotation
    std::vector<std::array<float, 4>> rotation_;
    std::vector<float> radius_, height_,
        lot_;  ///< height: place in the layer, 0 .. 1; lot: moves if below FlockMotion::moving
};

/// Direction from an obstacle to a point, and the gap between them.
struct Clearance {
    collision::Vec3f away;  ///< unit
    float gap = 0;          ///< metres; negative inside
};
Clearance clearance(const Obstacle& obstacle, const collision::Vec3f& p);

}  // namespace claybox::app
