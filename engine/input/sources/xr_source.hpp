#pragma once
// Hands and controllers of a headset, fed with plain structs by the headset's frame loop.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

struct TrackedPose {
    glm::dvec3 position{0};
    glm::dquat rotation{1, 0, 0, 0};
    bool valid = false;
};

struct ControllerInput {
    bool active = false;
    TrackedPose grip, aim;
    double trigger = 0, squeeze = 0;  ///< 0 .. 1
    glm::dvec2 stick{0};              ///< -1 .. 1, right and up positive
    bool primary = false, secondary = false, menu = false;
};

/// One frame of a headset; left 0, right 1.
struct HeadsetInput {
    TrackedPose head;
    std::array<HandJoints, 2> hand;
    std::array<ControllerInput, 2> controller;
};

/// "xr": the hands "left" and "right", and the space "head". Without feed() in a frame there is no headset.
class HeadsetSource final : public InputSource {
  public:
    HeadsetSource();
    void feed(const HeadsetInput& input);
    void update(double now) override;
    std::string state() const override;

  private:
    HeadsetInput input_;
    bool fed_ = false;
};

/// "controller": per side the spaces "right.grip" and "right.aim"; the values "right.trigger",
/// "right.squeeze", "right.stick_x" and "right.stick_y"; the buttons "right.primary", "right.secondary" and
/// "right.menu"; and the hand "right" that holds it (pose_of_controller).
class ControllerSource final : public InputSource {
  public:
    ControllerSource();
    void feed(const HeadsetInput& input);
    void update(double now) override;
    std::string state() const override;

  private:
    void update_side(std::size_t side);

    std::array<ControllerInput, 2> input_;
    std::array<HandJoints, 2> hand_;
    bool fed_ = false;
};

}  // namespace claybox::engine
