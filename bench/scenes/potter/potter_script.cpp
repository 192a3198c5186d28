#include "bench/scenes/potter/potter_script.hpp"

#include "app/scenes/hands/hand_bodies.hpp"
#include "app/session/session.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

namespace {

/// The belly of the pot, metres.
constexpr double kBelly = 0.088, kBellyHeight = 0.072;
/// The wrist relative to the touched place: along the fingers, and outward.
constexpr double kBehind = 0.105, kOutward = 0.004;
/// A hand that holds a round wall.
constexpr std::array<float, 5> kCurl{0.30f, 0.26f, 0.26f, 0.26f, 0.28f};
constexpr double kPress = 0.004, kDeeper = 0.00003;  // metres; metres per frame
constexpr double kStroke = 0.025;                    // metres up and down
constexpr double kApproach = 20, kStrokeFrames = 180;

}  // namespace

PotterScript::PotterScript(double scale, std::uint64_t seed)
    : scale_(scale), phase_(Random(seed).uniform(0, 2 * kPi)) {}

app::HandInput PotterScript::hand(std::uint64_t frame, double turn) const {
    const auto f = static_cast<double>(frame);
    const double press = kPress * std::min(f / kApproach, 1.0) + kDeeper * f;
    const double up = kStroke * sin_cos(phase_ + 2 * kPi * f / kStrokeFrames).sin;
    const Vec3d outward{0, 0, 1}, forward{-1, 0, 0};
    app::HandKey key{frame, {}, kCurl};
    key.wrist = {app::looking(forward, outward), outward * kOutward - forward * kBehind};
    app::HandInput out = app::to_hand_input(engine::pose_hand(app::to_hand_pose(key)));
    const Vec3d place{0, kBellyHeight + scale_ * up, kBelly - scale_ * press};
    const Pose around{axis_angle({0, 1, 0}, turn), {}};
    for (std::size_t i = 0; i < out.part.size(); ++i) {
        out.part[i] = around * Pose{out.part[i].rotation, place + out.part[i].translation * scale_};
        out.radius[i] *= static_cast<float>(scale_);
        out.length[i] *= static_cast<float>(scale_);
    }
    out.scale *= static_cast<float>(scale_);
    return out;
}

}  // namespace claybox::bench
