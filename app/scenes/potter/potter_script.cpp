#include "app/scenes/potter/potter_script.hpp"

#include "app/scenes/hands/hand_bodies.hpp"

namespace claybox::app {

using collision::Vec3d;

namespace {

/// Hand from the right with its back to the viewer and the fingers towards the clay. kTipFromWrist is the
/// place of the fingertip in the wrist frame at these curls (from the hand model; a test compares them).
constexpr std::array<float, 5> kCurl{0.16f, 0.09f, 0.62f, 0.70f, 0.76f};
constexpr Vec3d kTipFromWrist{-0.03140, -0.02639, -0.16774};

HandKey hand_at(std::uint64_t frame, const Vec3d& tip) {
    const collision::Quat rotation = looking({-0.63, 0.62, -0.47}, {0.30, 0.40, 0.86});
    return {frame, {rotation, tip - collision::rotate(rotation, kTipFromWrist)}, kCurl};
}

/// Curls for a pinch of the script. The open hand is half closed already, so little moves when it closes.
/// kPinchFromWrist is the place where the tips touch, in the wrist frame (from the hand model; a test
/// compares them).
constexpr std::array<float, 5> kOpenCurl{0.20f, 0.42f, 0.62f, 0.70f, 0.76f},
    kPinchCurl{0.35f, 0.57f, 0.62f, 0.70f, 0.76f};
constexpr Vec3d kPinchFromWrist{-0.03571, -0.06059, -0.09579};
/// Curls of the open hand of a mouse: the tip stays at the pointer while the hand closes.
constexpr std::array<float, 5> kReadyCurl{0.0f, 0.10f, 0.62f, 0.70f, 0.76f};

/// Hand from above and in front of the pot, tilted by `lean`, with the pinch point at `at`.
HandKey pinch_at(std::uint64_t frame, const Vec3d& at, const std::array<float, 5>& curl, double lean = 0) {
    const collision::Quat rotation = looking({-0.05 - lean, -0.72, -0.69}, {-lean, 0.69, -0.72});
    return {frame, {rotation, at - collision::rotate(rotation, kPinchFromWrist)}, curl};
}

}  // namespace

/// Takes the pot by its rim, lifts and turns it, and releases it next to the wheel.
std::span<const HandKey> carry_script() {
    constexpr Vec3d kRim{0.0665, 0.152, 0}, kUp{0.050, 0.205, 0.030}, kBeside{0.120, 0.190, 0.060};
    static const HandKey keys[] = {pinch_at(1, kRim + Vec3d{0.06, 0.12, 0.08}, kOpenCurl),
                                   pinch_at(50, kRim + Vec3d{0, 0.03, 0}, kOpenCurl),
                                   pinch_at(70, kRim, kOpenCurl),
                                   pinch_at(85, kRim, kPinchCurl),
                                   pinch_at(130, kUp, kPinchCurl, 0.35),
                                   pinch_at(180, kBeside, kPinchCurl),
                                   pinch_at(200, kBeside, kPinchCurl),
                                   pinch_at(215, kBeside, kOpenCurl),
                                   pinch_at(280, kBeside + Vec3d{0.06, 0.06, 0.10}, kOpenCurl)};
    return keys;
}

/// Approaches, presses into the belly, strokes upwards while pressing, releases and leaves.
std::span<const HandKey> dent_script() {
    static const HandKey keys[] = {hand_at(1, {0.085, 0.075, 0.190}),   hand_at(50, {0.040, 0.078, 0.098}),
                                   hand_at(100, {0.036, 0.080, 0.079}), hand_at(190, {0.032, 0.112, 0.0735}),
                                   hand_at(230, {0.055, 0.120, 0.130}), hand_at(280, {0.110, 0.120, 0.200})};
    return keys;
}

HandKey potter_rest(bool carries) {
    HandKey rest = hand_at(0, {0.125, 0.105, 0.170});
    if (carries) rest.curl = kReadyCurl;
    return rest;
}

}  // namespace claybox::app
