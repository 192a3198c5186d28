#pragma once
// The shooting range of the scene Bullets: two channels of thin plates, and the bullets that fly through
// them.

#include "collision/core/random.hpp"
#include "collision/geometry/shape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::app {

/// Half length (x), height (y) and depth (z) of a channel, metres.
inline constexpr collision::Vec3d kChannel{3.4, 0.62, 1.5};
inline constexpr int kStations = 5, kRows = 3, kColumns = 7;
inline constexpr double kBulletHalfLength = 0.06;

/// A plate that stands across the channels.
struct RangePlate {
    collision::Vec3d at;  ///< centre
    std::size_t channel = 0;
};

/// One array per quantity. Channel 0 is the upper one. Bullets are numbered channel by channel.
class Range {
  public:
    /// `thickness` of the plates in metres.
    void build(std::size_t bullets, double thickness, std::uint64_t seed);
    /// Metres per frame.
    void set_step(double step) { step_ = step; }

    const std::vector<RangePlate>& plates() const { return plates_; }
    /// Half extents of a plate.
    collision::Vec3d plate_half() const;
    std::size_t size() const { return position_.size(); }
    std::size_t channel_of(std::size_t bullet) const { return bullet < first_of_lower_ ? 0 : 1; }
    std::size_t first_of_lower() const { return first_of_lower_; }
    /// Floor of a channel.
    static double floor_of(std::size_t channel);

    enum class Flight : unsigned char {
        flies,   ///< from its last place
        starts,  ///< it has left the channel and starts anew at its end
    };
    /// Moves a bullet by one frame.
    Flight advance(std::size_t bullet);
    /// The bullet hits something at `place`. `normal`: unit, towards what it hits; zero if unknown.
    void bounce(std::size_t bullet, const collision::Vec3d& place, const collision::Vec3d& normal);
    /// The bullet starts anew at the left end of its channel.
    void start(std::size_t bullet);
    /// Number of plates that the straight line from `from` to `to` passes through.
    int plates_between(std::size_t channel, const collision::Vec3d& from, const collision::Vec3d& to) const;

    const collision::Vec3d& place(std::size_t bullet) const { return place_[bullet]; }
    const collision::Vec3d& last_place(std::size_t bullet) const { return last_[bullet]; }
    const collision::Vec3d& direction(std::size_t bullet) const { return direction_[bullet]; }
    std::span<const collision::Vec3f> positions() const { return position_; }

  private:
    double step_ = 0, thickness_ = 0;
    std::size_t first_of_lower_ = 0;
    std::vector<RangePlate> plates_;
    std::array<bool, kStations * kRows * kColumns> has_plate_{};  ///< the same in both channels
    std::vector<collision::Vec3d> place_, last_, direction_;      ///< direction: unit
    std::vector<std::uint32_t> starts_;  ///< so far: seeds the place of the next start
    std::vector<collision::Vec3f> position_;
    std::uint64_t seed_ = 0;
};

/// A slender double cone along x: the same from both ends, so that it need not turn when it flies back.
collision::Result<collision::ShapePtr> make_bullet_shape();

}  // namespace claybox::app
