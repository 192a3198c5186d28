#include "engine/input/mouse_poke.hpp"

namespace claybox::engine {

namespace {

constexpr int kForwardSteps = 12;  // a fifth of a second: six to reach, and a press that is seen
constexpr int kBackSteps = 8;      // six to come back, and a hover before the next poke
constexpr std::size_t kMostWaiting = 4;

}  // namespace

void MousePoke::click(const PointerPlace& at) {
    if (waiting_.size() < kMostWaiting) waiting_.push_back(at);
}

PokeStep MousePoke::step(const PointerPlace& pointer, bool down, bool pinned) {
    // The button that is down now belongs to the newest click.
    const bool held = down && waiting_.empty();
    if (phase_ == Phase::forward && steps_ <= 0 && !held) {
        phase_ = Phase::back;
        steps_ = kBackSteps;
    }
    if (phase_ == Phase::back && steps_ <= 0) phase_ = Phase::idle;
    if (phase_ == Phase::idle && !waiting_.empty()) {
        phase_ = Phase::forward;
        steps_ = kForwardSteps;
        at_ = waiting_.front();
        waiting_.erase(waiting_.begin());
    }
    if (phase_ == Phase::idle) return {pointer, false};
    --steps_;
    if (phase_ == Phase::forward && held && !pinned) at_ = pointer;
    return {at_, phase_ == Phase::forward};
}

}  // namespace claybox::engine
