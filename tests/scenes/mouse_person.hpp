#pragma once
// Simulates a person with a mouse who points, holds the left button and drags.

#include "app/session/session.hpp"
#include "engine/input/sources/mouse_hand.hpp"

namespace claybox::app {

class MousePerson {
  public:
    explicit MousePerson(const Scene& scene) : scene_(scene) {
        const collision::Aabb box = scene.hand_region();
        setup_.region_min = {box.min.x, box.min.y, box.min.z};
        setup_.region_max = {box.max.x, box.max.y, box.max.z};
        setup_.rest = to_hand_pose(scene.hand_rest());
        setup_.reach = scene.hand_reach();
    }
    /// Hand of the next frame, with the pointer over a world point as seen by the scene's camera.
    HandInput frame(const collision::Vec3d& at, bool left) {
        const auto eye = collision::cast<double>(scene_.camera().position);
        const collision::Vec3d ray = normalized(at - eye);
        engine::MouseHandInput mouse;
        mouse.ray_origin = {eye.x, eye.y, eye.z};
        mouse.ray_direction = {ray.x, ray.y, ray.z};
        const auto aim = scene_.hand_aim(eye, ray);
        if (aim) mouse.touch = {aim->touch.x, aim->touch.y, aim->touch.z};
        if (aim) mouse.push = {aim->push.x, aim->push.y, aim->push.z};
        mouse.left = left;
        setup_.pinches = scene_.hand_pinches();
        setup_.holds = scene_.hand_holds();
        return to_hand_input(engine::pose_hand(engine::move_mouse_hand(hand_, setup_, mouse)));
    }

  private:
    const Scene& scene_;
    engine::MouseHandSetup setup_;
    engine::MouseHand hand_;
};

}  // namespace claybox::app
