#include "engine/input/sources/mouse_poke.hpp"

namespace claybox::engine {

namespace {

constexpr int kForwardSteps = 12;  // a fifth of a second: six steps to reach, six to show the press
constexpr int kBackSteps = 8;      // six steps back, two hovering before the next poke
constexpr std::size_t kMaxQueued = 4;

}  // namespace

void MousePoke::click(const PointerPlace& at) {
    if (queue_.size() < kMaxQueued) queue_.push_back(at);
}

PokeStep MousePoke::step(const PointerPlace& pointer, bool down, bool pinned) {
    // The held button belongs to the newest click.
    const bool held = down && queue_.empty();
    if (phase_ == Phase::forward && steps_ <= 0 && !held) {
        phase_ = Phase::back;
        steps_ = kBackSteps;
    }
    if (phase_ == Phase::back && steps_ <= 0) phase_ = Phase::idle;
    if (phase_ == Phase::idle && !queue_.empty()) {
        phase_ = Phase::forward;
        steps_ = kForwardSteps;
        at_ = queue_.front();
        queue_.erase(queue_.begin());
    }
    if (phase_ == Phase::idle) return {pointer, false};
    --steps_;
    if (phase_ == Phase::forward && held && !pinned) at_ = pointer;
    return {at_, phase_ == Phase::forward};
}

}  // namespace claybox::engine
