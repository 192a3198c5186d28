#include "collision/module/governor.hpp"

#include <algorithm>

namespace claybox::collision {

const char* to_string(Accuracy accuracy) {
    constexpr const char* kNames[kAccuracies] = {"full", "fast", "verdicts", "boxes"};
    return kNames[static_cast<unsigned>(accuracy)];
}

void Governor::set_budget(double seconds) {
    if (seconds == budget_) return;
    *this = Governor{};
    budget_ = seconds;
}

Accuracy Governor::after_pass(double seconds) {
    if (!(budget_ > 0)) return accuracy_ = Accuracy::full;
    over_budget_ = seconds > budget_ ? over_budget_ + 1 : 0;
    below_share_ = seconds < kStepUpShare * budget_ ? below_share_ + 1 : 0;
    since_up_ = std::min(since_up_ + 1, kMaxWait);
    const auto step = static_cast<unsigned>(accuracy_);
    if (over_budget_ >= kPassesBeforeStepDown && accuracy_ != Accuracy::boxes) {
        accuracy_ = static_cast<Accuracy>(step + 1);
        const bool short_lived = since_up_ <= wait_ && since_up_ < kMaxWait;
        wait_ = short_lived ? std::min(2 * wait_, kMaxWait) : kPassesBeforeStepUp;
        over_budget_ = below_share_ = 0;
    } else if (below_share_ >= wait_ && accuracy_ != Accuracy::full) {
        accuracy_ = static_cast<Accuracy>(step - 1);
        over_budget_ = below_share_ = since_up_ = 0;
    }
    return accuracy_;
}

}  // namespace claybox::collision
