#include "app/scenes/potter/pot_hold.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Pose;
using collision::Vec3d;

void PotHold::grasp(const StepInput& input, const std::array<bool, 2>& carries, const HandBodies& hands,
                    const ClaySurface& clay, StepOutput& output) {
    static const HandInput kNoHand;
    const Graspable pot{0, nullptr, pose_, &clay};
    for (std::size_t h = 0; h < grasp_.size(); ++h) {
        const bool others = holder_ != kNobody && holder_ != h;
        const std::span<const Graspable> free(&pot, others ? 0 : 1);
        const HandInput& hand = carries[h] ? input.hand[h] : kNoHand;
        const Grasp::Change change = grasp_[h].update(hand, hands.shapes(h), free);
        if (change == Grasp::Change::taken) {
            holder_ = h;
            return_progress_ = 1;
            output.events.push_back({SceneEvent::Kind::taken, input.frame, "The pot", side_of_hand(h)});
        }
        if (change == Grasp::Change::dropped && holder_ == h) {
            holder_ = kNobody;
            released_at_ = pose_;
            return_progress_ = 0;
            output.events.push_back({SceneEvent::Kind::dropped, input.frame, "The pot", side_of_hand(h)});
        }
    }
}

/// Keeps every vertex at or above the lowest vertex of the pot on the wheel.
void PotHold::stay_above_wheel(const ClaySurface& clay) {
    const Vec3d up = collision::rotate(collision::conjugate(pose_.rotation), {0, 1, 0});
    double on_wheel = 0, low = 1e30;
    for (const collision::Vec3f& p : clay.positions()) {
        on_wheel = std::min(on_wheel, static_cast<double>(p.y));
        low = std::min(low, dot(up, collision::cast<double>(p)));
    }
    pose_.translation.y = std::max(pose_.translation.y, on_wheel - low);
}

void PotHold::update(const StepInput& input, const std::array<bool, 2>& carries, const HandBodies& hands,
                     const ClaySurface& clay, const Pose& on_wheel, StepOutput& output) {
    if (this->on_wheel()) pose_ = on_wheel;
    grasp(input, carries, hands, clay, output);
    if (holder_ != kNobody) {
        pose_ = grasp_[holder_].pose();
    } else if (return_progress_ < 1) {
        return_progress_ = std::min(1.0, return_progress_ + input.dt / kReturnSeconds);
        const double t = return_progress_ * return_progress_ * (3 - 2 * return_progress_);
        pose_ = {collision::slerp(released_at_.rotation, on_wheel.rotation, t),
                 released_at_.translation + (on_wheel.translation - released_at_.translation) * t};
        if (return_progress_ >= 1) pose_ = on_wheel;
    }
    if (!this->on_wheel()) stay_above_wheel(clay);
}

Pose PotHold::pose_with(const std::array<HandInput, 2>* newest) const {
    const bool newer = newest != nullptr && holder_ != kNobody && (*newest)[holder_].present;
    return newer ? grasp_[holder_].motion_with((*newest)[holder_]) * pose_ : pose_;
}

// The Grasp that held the pot keeps its state, so it takes nothing before it has opened.
void PotHold::put_back() {
    holder_ = kNobody;
    return_progress_ = 1;
}

}  // namespace claybox::app
