#pragma once
// A hand driven by mouse and keys. The forefinger's tip follows the view ray under the pointer and hovers
// just above the surface there. The wheel moves it nearer or farther. The left button pinches and reaches
// forward through the hover gap: a poke, or with a drag a stroke over clay. The right button makes a fist;
// keys curl single fingers. Pure functions on plain structs: camera ray in, hand pose out.

#include "engine/hand/hand_model.hpp"

#include <array>
#include <optional>

namespace claybox::engine {

/// The scene's settings for its hand; fill from Scene::hand_region(), hand_rest(), hand_reach(),
/// hand_pinches() and hand_holds().
struct MouseHandSetup {
    glm::dvec3 region_min{-1}, region_max{1};  ///< the fingertip stays in this box, metres
    HandPose rest;         ///< orientation and curl at rest; its wrist is the idle hand's position
    double hover = 0.03;   ///< metres between surface and fingertip without a button
    double reach = 0.016;  ///< metres beyond the surface, with the left button
    bool pinches = true;   ///< false: the left button only reaches; finger curls are unchanged
    bool holds = false;    ///< the hand holds something: its depth along the ray is fixed
};

/// One frame of mouse and keys.
struct MouseHandInput {
    glm::dvec3 ray_origin{0}, ray_direction{0, 0, -1};  ///< under the pointer; direction of any length
    /// Centre of the fingertip when it touches the target; empty without a target. It is on the ray, or next
    /// to it when a label represents a key (Scene::hand_aim).
    std::optional<glm::dvec3> touch;
    glm::dvec3 push{0};  ///< unit direction beyond the surface; zero: along the ray
    double wheel = 0;    ///< notches since the last frame; positive moves away from the viewer
    bool left = false, right = false;
    std::array<bool, 5> curl_key{};  ///< held keys curl thumb .. little finger; released keys straighten them
    double dt = 1.0 / 60.0;
};

/// State of the mouse hand between frames.
struct MouseHand {
    double offset = 0;  ///< metres from the hover position, by wheel
    double eased_offset = 0;
    double surface = -1;  ///< depth along the last ray; negative before the first frame
    double reach = 0;     ///< 0 hovering .. 1 fully forward
    double pinch = 0, grip = 0;
    std::array<double, 5> curl{};
};

/// Advances the mouse hand by one frame and returns its pose. Finite input yields a finite pose inside the
/// region.
HandPose move_mouse_hand(MouseHand& hand, const MouseHandSetup& setup, const MouseHandInput& input);

/// Clips a ray to a box: [near, far] in units of the direction, near at least 0; false when it misses.
bool clip_ray_to_box(const glm::dvec3& origin, const glm::dvec3& direction, const glm::dvec3& box_min,
                     const glm::dvec3& box_max, double& near_t, double& far_t);

}  // namespace claybox::engine
