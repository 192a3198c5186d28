#pragma once
// Where the pot is: on the wheel, in the hand that carries it, or on its way back to the wheel.

#include "app/potter/clay_surface.hpp"
#include "app/scenes/grasp.hpp"
#include "app/scenes/hand_bodies.hpp"

namespace claybox::app {

/// Decided from the hands' input and the clay as it is, in steps of the frame's time: the same in every mode
/// of the module and in every replay.
class PotHold {
  public:
    /// One frame: the hands that carry take, move or let go of the pot; the first that takes it has it.
    /// `on_wheel` is its place there. What happened goes to `output`.
    void update(const StepInput& input, const std::array<bool, 2>& carries, const HandBodies& hands,
                const ClaySurface& clay, const collision::Pose& on_wheel, StepOutput& output);
    /// On the wheel again at once, from the next update() on. A hand that had it must open before it
    /// takes it again.
    void put_back();

    /// From the clay's frame to the world.
    const collision::Pose& pose() const { return pose_; }
    /// The same, in a hand of now; see ViewOptions::newest_hands.
    collision::Pose pose_with(const std::array<HandInput, 2>* newest) const;
    bool on_wheel() const { return holder_ == kNobody && way_ >= 1; }
    bool comes_back() const { return way_ < 1; }
    bool held_by(std::size_t hand) const { return holder_ == hand; }

    static constexpr double kBackSeconds = 0.45;  ///< from where it was let go to the wheel

  private:
    void grasp(const StepInput& input, const std::array<bool, 2>& carries, const HandBodies& hands,
               const ClaySurface& clay, StepOutput& output);
    void stay_above_wheel(const ClaySurface& clay);

    static constexpr std::size_t kNobody = 2;
    std::array<Grasp, 2> grasp_;
    std::size_t holder_ = kNobody;
    collision::Pose pose_, from_;  ///< from_: where it was let go
    double way_ = 1;               ///< 0 let go .. 1 on the wheel
};

}  // namespace claybox::app
