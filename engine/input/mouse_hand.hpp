#pragma once
// A hand driven by mouse and keys. The forefinger's tip follows the view ray under the pointer and hovers a
// little before the surface that the ray meets; the wheel brings it nearer or further, the left button
// pinches and reaches forward through the hover gap (that is a poke, or with a drag a stroke over clay), the
// right button makes a fist, keys curl single fingers. Pure functions on plain structs: camera ray in, hand
// pose out.

#include "engine/hand/hand_model.hpp"

#include <array>
#include <optional>

namespace claybox::engine {

/// What a scene says about its hand; fill from Scene::hand_region(), hand_rest(), hand_reach(),
/// hand_pinches() and hand_holds().
struct MouseHandSetup {
    glm::dvec3 region_min{-1}, region_max{1};  ///< the fingertip stays in this box, metres
    HandPose rest;         ///< orientation and curl at rest; its wrist is where an idle hand waits
    double hover = 0.03;   ///< metres between surface and fingertip while no button is down
    double reach = 0.016;  ///< metres past the surface that the left button pushes to
    bool pinches = true;   ///< false: the left button only reaches, the fingers keep their curl
    bool holds = false;    ///< something is in the hand: it stays as far along the ray as it is
};

/// One frame of mouse and keys.
struct MouseHandInput {
    glm::dvec3 ray_origin{0},
        ray_direction{0, 0, -1};  ///< under the pointer; direction need not have unit length
    /// Where the fingertip's centre is when it touches what is pointed at, on the ray or, when a label stands
    /// for a key, beside it (Scene::hand_aim); nothing where there is nothing.
    std::optional<glm::dvec3> touch;
    glm::dvec3 push{0};  ///< unit direction past the surface; zero: along the ray
    double wheel = 0;    ///< notches since the last frame, positive pushes away from the viewer
    bool left = false, right = false;
    std::array<bool, 5>
        curl_key{};  ///< held keys curl thumb .. little finger; released ones straighten again
    double dt = 1.0 / 60.0;
};

/// What the mouse hand remembers between frames.
struct MouseHand {
    double offset = 0;  ///< metres by wheel beyond the hover place
    double eased_offset = 0;
    double surface = -1;  ///< that the hand is before, along the last ray; negative before the first frame
    double reach = 0;     ///< 0 hovering .. 1 fully forward
    double pinch = 0, grip = 0;
    std::array<double, 5> curl{};
};

/// Advances the mouse hand by one frame and gives the hand's pose. Finite input gives a finite pose inside
/// the region.
HandPose move_mouse_hand(MouseHand& hand, const MouseHandSetup& setup, const MouseHandInput& input);

/// Where the ray leaves the box after entering it: [near, far] in units of the direction, false when it
/// misses.
bool clip_ray_to_box(const glm::dvec3& origin, const glm::dvec3& direction, const glm::dvec3& box_min,
                     const glm::dvec3& box_max, double& near_t, double& far_t);

}  // namespace claybox::engine
