#pragma once
// Many bodies that follow a current through an arena with obstacles. Arrays by body, a fixed number of
// floating-point operations each, no clock and no allocation: 100,000 of them cost little beside their
// collisions.

#include "collision/core/random.hpp"
#include "collision/geometry/bounds.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::app {

/// Half the arena's extent on the floor, and its height, metres; the middle of the floor is the origin.
inline constexpr collision::Vec3f kArena{5.6f, 1.7f, 4.6f};

/// Something to fly around: an upright column, or an upright ring across z that is flown through.
struct Obstacle {
    enum class Kind : unsigned char { column, ring } kind = Kind::column;
    collision::Vec3f at;  ///< on the floor; of a ring its middle
    float radius = 0;     ///< of the column; of a ring from its middle to the middle of its tube
    float thickness = 0;  ///< radius of the ring's tube
    float height = 0;     ///< of the column
};

struct FlockMotion {
    float step = 0;     ///< metres a frame
    float turn = 0;     ///< radians a frame
    double moving = 1;  ///< share of the bodies that move
};

class Flock {
  public:
    /// Bodies of these radii at places of a shaken lattice outside of the obstacles.
    void build(std::span<const float> radii, std::span<const Obstacle> obstacles, std::uint64_t seed);
    void set_motion(const FlockMotion& motion) { motion_ = motion; }

    /// One frame for all that move.
    void advance(std::uint64_t frame);
    /// Two bodies hit each other: what moves exchanges the speed along the line of their centres.
    void bounce(std::uint32_t a, std::uint32_t b);
    void bounce_off(std::uint32_t body, const Obstacle& obstacle);

    std::size_t size() const { return position_.size(); }
    bool moves(std::uint32_t body) const { return static_cast<double>(lot_[body]) < motion_.moving; }
    /// Which eighth of the compass a body heads for.
    unsigned heading(std::uint32_t body) const;
    std::span<const collision::Vec3f> positions() const { return position_; }
    /// w x y z, unit length.
    std::span<const std::array<float, 4>> rotations() const { return rotation_; }
    collision::Pose pose(std::uint32_t body) const;
    float radius(std::uint32_t body) const { return radius_[body]; }
    std::size_t memory_bytes() const;

  private:
    void place(std::span<const Obstacle> obstacles, collision::Random& random);
    void set_time(std::uint64_t frame);
    collision::Vec3f current(const collision::Vec3f& p) const;
    void steer(std::uint32_t body);
    void turn(std::uint32_t body);

    FlockMotion motion_;
    std::vector<Obstacle> obstacles_;
    std::array<float, 4> whirl_{};  ///< strengths of the whirls in this frame
    float wave_ = 0;                ///< how far the wave of heights has come, periods
    std::vector<collision::Vec3f> position_, velocity_, axis_;  ///< velocity in steps; axis of the rotation
    std::vector<std::array<float, 4>> rotation_;
    std::vector<float> radius_, height_, lot_;  ///< height: of 0 .. 1, where in the layer; lot: who moves
};

/// How far a body may be from an obstacle: the vector away from it to the point, and the gap.
struct Clearance {
    collision::Vec3f away;  ///< unit
    float gap = 0;          ///< metres; negative inside
};
Clearance clearance(const Obstacle& obstacle, const collision::Vec3f& p);

}  // namespace claybox::app
