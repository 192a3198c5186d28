#include "bench/scenes/potter/potter_script.hpp"

#include "app/scenes/hands/hand_bodies.hpp"
#include "app/session/session.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr double kBelly = 0.088, kBellyHeight = 0.072;  // metres, of the pot
constexpr double kBehind = 0.105;                       // of the wrist behind the touched place, metres
constexpr double kCurl = 0.2;                           // of a hand that lies on the belly
constexpr double kPress = 0.0015, kDeeper = 0.00001;    // metres; metres per frame
constexpr double kStroke = 0.025;                       // metres up and down
constexpr double kApproach = 20, kStrokeFrames = 180;
constexpr double kTurn = 0.01;  // radians around the pot per frame

bool is_active(PotterTool tool, std::size_t part) {
    switch (tool) {
        case PotterTool::index_finger:
            return part >= 4 && part <= 6;
        case PotterTool::fingertips:
            return part >= 3 && part % 3 == 0;
        case PotterTool::one_fingertip:
            return part == 6;
        default:
            return true;
    }
}

/// Radius of the pot's outside at a height.
double radius_at(const std::vector<app::ProfilePoint>& profile, double y) {
    double out = 0;
    for (std::size_t i = 1; i < profile.size(); ++i) {
        const app::ProfilePoint &a = profile[i - 1], &b = profile[i];
        if ((a.y - y) * (b.y - y) > 0 || a.y == b.y) continue;
        out = std::max(out, a.r + (b.r - a.r) * (y - a.y) / (b.y - a.y));
    }
    return out;
}

/// How many parts of a tool shall touch.
std::size_t touching_parts(PotterTool tool) {
    constexpr std::size_t kParts[] = {6, 2, 3, 1};
    return kParts[static_cast<std::size_t>(tool)];
}

/// The depth that so many active parts have in the clay; negative outside.
double depth_of(const app::HandInput& hand, PotterTool tool, const std::vector<app::ProfilePoint>& profile) {
    std::vector<double> depths;
    for (std::size_t i = 0; i < hand.part.size(); ++i) {
        if (!is_active(tool, i)) continue;
        double deepest = -1;
        for (const double share : {0.0, 0.5, 1.0}) {
            const Vec3d end{0, 0, -share * static_cast<double>(hand.length[i])};
            const Vec3d p = hand.part[i].translation + rotate(hand.part[i].rotation, end);
            const double gap = std::hypot(p.x, p.z) - radius_at(profile, p.y);
            deepest = std::max(deepest, static_cast<double>(hand.radius[i]) - gap);
        }
        depths.push_back(deepest);
    }
    std::sort(depths.rbegin(), depths.rend());
    return depths[touching_parts(tool) - 1];
}

}  // namespace

PotterScript::PotterScript(const PotterRow& row, std::uint64_t seed, std::uint64_t frames, bool turns) {
    const double phase = Random(seed).uniform(0, 2 * kPi), scale = row.hand_scale();
    const std::vector<app::ProfilePoint> profile = app::clay_profile(app::ClayShape::pot);
    const Vec3d outward{0, 0, 1}, forward{-1, 0, 0};
    app::HandKey key;
    key.wrist = {app::looking(forward, outward), forward * -kBehind};
    key.curl.fill(static_cast<float>(kCurl * scale));  // a small hand lies on clay that looks flat to it
    app::HandInput rest = app::to_hand_input(engine::pose_hand(app::to_hand_pose(key)));
    for (std::size_t i = 0; i < rest.part.size(); ++i) {
        rest.part[i].translation = rest.part[i].translation * scale;
        rest.radius[i] *= static_cast<float>(scale);
        rest.length[i] *= static_cast<float>(scale);
    }
    rest.scale *= static_cast<float>(scale);
    for (std::uint64_t frame = 1; frame <= frames; ++frame) {
        const auto f = static_cast<double>(frame);
        const double press = kPress * std::min(f / kApproach, 1.0) + kDeeper * f;
        const double up = kStroke * sin_cos(phase + 2 * kPi * f / kStrokeFrames).sin;
        app::HandInput hand = rest;
        const Vec3d place = outward * kBelly + Vec3d{0, kBellyHeight + scale * up, 0};
        for (Pose& part : hand.part) part.translation += place;
        const Vec3d yield = outward * (depth_of(hand, row.tool, profile) - scale * press);
        const Pose around{axis_angle({0, 1, 0}, turns ? kTurn * f : 0), {}};
        for (Pose& part : hand.part) part = around * Pose{part.rotation, part.translation + yield};
        hands_.push_back(hand);
    }
}

}  // namespace claybox::bench
