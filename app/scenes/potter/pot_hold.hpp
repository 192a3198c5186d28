#pragma once
// Place of the pot: on the wheel, in a hand, or on its way back to the wheel.

#include "app/potter/clay_surface.hpp"
#include "app/scenes/hands/grasp.hpp"
#include "app/scenes/hands/hand_bodies.hpp"

namespace claybox::app {

/// Depends only on the hand input, the clay and the time step, so every mode of the module and every replay
/// gives the same result.
class PotHold {
  public:
    /// Runs one frame: hands with `carries` set take, move or release the pot. The first hand that takes it
    /// keeps it. `on_wheel` is the pose of the pot on the wheel. Adds events to `output`.
    void update(const StepInput& input, const std::array<bool, 2>& carries, const HandBodies& hands,
                const ClaySurface& clay, const collision::Pose& on_wheel, StepOutput& output);
    /// Puts the pot back on the wheel at the next update(). A hand that held it must open before it can take
    /// it again.
    void put_back();

    /// Pose from the clay frame to the world.
    const collision::Pose& pose() const { return pose_; }
    /// The same with the newest hands; see ViewOptions::newest_hands.
    collision::Pose pose_with(const std::array<HandInput, 2>* newest) const;
    bool on_wheel() const { return holder_ == kNobody && return_progress_ >= 1; }
    bool returning() const { return return_progress_ < 1; }
    bool held_by(std::size_t hand) const { return holder_ == hand; }

    static constexpr double kReturnSeconds = 0.45;  ///< duration of the way back to the wheel

  private:
    void grasp(const StepInput& input, const std::array<bool, 2>& carries, const HandBodies& hands,
               const ClaySurface& clay, StepOutput& output);
    void stay_above_wheel(const ClaySurface& clay);

    static constexpr std::size_t kNobody = 2;
    std::array<Grasp, 2> grasp_;
    std::size_t holder_ = kNobody;
    collision::Pose pose_, released_at_;
    double return_progress_ = 1;  ///< 0 released .. 1 on the wheel
};

}  // namespace claybox::app
