#pragma once
// A body that the user drags, and the motion with which it flies on.

#include "collision/core/ids.hpp"
#include "collision/geometry/transform.hpp"

#include <array>

namespace claybox::app {

/// Velocity in metres per frame, spin in radians per frame about its own direction.
struct FreeMotion {
    collision::Vec3d velocity, spin;
    bool rests() const { return velocity == collision::Vec3d{} && spin == collision::Vec3d{}; }
    friend bool operator==(const FreeMotion&, const FreeMotion&) = default;
};

/// The pose after one frame of the motion.
collision::Pose moved(const collision::Pose& pose, const FreeMotion& motion);

/// At most one body is dragged at a time.
class Drag {
  public:
    bool active() const { return body_ != collision::kNoIndex; }
    bool holds(std::uint32_t body) const { return active() && body_ == body; }
    std::uint32_t body() const { return body_; }
    void begin(std::uint32_t body, const collision::Pose& pose);
    /// The pose of this frame. `frozen`: time stands, so the body gets no speed.
    void follow(const collision::Pose& pose, bool frozen);
    /// Ends the drag. Returns the mean motion of the last frames; none if the body rested, or if it is to
    /// stay `still`, for example because time stands.
    FreeMotion let_go(bool still);
    void cancel() { body_ = collision::kNoIndex; }

  private:
    static constexpr std::size_t kFrames = 5;  ///< poses that the speed is the mean of: 1/15 s of motion
    std::uint32_t body_ = collision::kNoIndex;
    std::array<collision::Pose, kFrames> poses_{};  ///< the newest is last
};

}  // namespace claybox::app
