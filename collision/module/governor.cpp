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
    slow_ = seconds > budget_ ? slow_ + 1 : 0;
    calm_ = seconds < kCalmShare * budget_ ? calm_ + 1 : 0;
    since_up_ = std::min(since_up_ + 1, kMostCalm);
    const auto step = static_cast<unsigned>(accuracy_);
    if (slow_ >= kSlowPasses && accuracy_ != Accuracy::boxes) {
        accuracy_ = static_cast<Accuracy>(step + 1);
        const bool short_lived = since_up_ <= wait_ && since_up_ < kMostCalm;
        wait_ = short_lived ? std::min(2 * wait_, kMostCalm) : kCalmPasses;
        slow_ = calm_ = 0;
    } else if (calm_ >= wait_ && accuracy_ != Accuracy::full) {
        accuracy_ = static_cast<Accuracy>(step - 1);
        slow_ = calm_ = since_up_ = 0;
    }
    return accuracy_;
}

}  // namespace claybox::collision
