#pragma once
// A tracked hand at the desk.

#include "app/scenes/buttons/desk_panel.hpp"
#include "tests/session/session_support.hpp"

namespace claybox::app {

inline const DeskControl& key(DeskRole role) {
    return desk_controls()[desk_control(role)];
}

/// Hand pose of the scene, moved over a key: tip of the forefinger `gap` metres above the face, offset by
/// `beside` from its centre.
inline HandKey key_over(const Scene& scene, const DeskControl& key, double gap,
                        const collision::Vec3d& beside = {}) {
    HandKey rest = scene.hand_rest();
    const engine::HandState state = engine::pose_hand(to_hand_pose(rest));
    const engine::HandPart& part = state.part[engine::kIndexTipPart];
    const glm::dvec3 tip = engine::tip_of(part);
    const collision::Pose face = desk_face(key);
    rest.wrist.translation +=
        face.translation +
        collision::rotate(face.rotation,
                          collision::Vec3d{0, 0, static_cast<double>(part.radius) + gap} + beside) -
        collision::Vec3d{tip.x, tip.y, tip.z};
    return rest;
}

inline HandInput hand_over_key(const Scene& scene, const DeskControl& key, double gap,
                               const collision::Vec3d& beside = {}) {
    return to_hand_input(engine::pose_hand(to_hand_pose(key_over(scene, key, gap, beside))));
}

/// All controls that fire: keys and toggles.
inline std::vector<const DeskControl*> keys_of_the_desk() {
    std::vector<const DeskControl*> out;
    for (const DeskControl& control : desk_controls())
        if (desk_pad(control.kind).fires) out.push_back(&control);
    return out;
}

/// Touches a control, drags along it and leaves, in the frame of the control, at 60 Hz.
inline void stroke(Session& session, const DeskControl& control, const collision::Vec3d& from,
                   const collision::Vec3d& to, int frames) {
    const auto hold = [&](const collision::Vec3d& beside, double gap, int count) {
        for (int i = 0; i < count; ++i) {
            StepInput input;
            input.hand[0] = hand_over_key(session.scene(), control, gap, beside);
            session.step(std::move(input));
            session.world().wait_idle();
        }
    };
    hold(from, 0.03, 14);
    hold(from, -0.004, 1);
    for (int i = 1; i <= frames; ++i) hold(from + (to - from) * (1.0 * i / frames), -0.004, 1);
    hold(to, -0.004, 10);
    hold(to, 0.03, 40);
}

}  // namespace claybox::app
