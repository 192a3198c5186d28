#include "engine/xr/retry.hpp"

#include <algorithm>

namespace claybox::engine {

void XrRetry::opened(double now) {
    waiting_ = false;
    open_ = true;
    opened_at_ = now;
}

void XrRetry::failed(double now) {
    // The delay restarts only after a session that lasted: a runtime that loses each new session at once must
    // not be retried every second.
    if (open_ && now - opened_at_ > kLongest) wait_ = 0;
    wait_ = wait_ > 0 ? std::min(2 * wait_, kLongest) : kFirst;
    failed_at_ = now;
    waiting_ = true;
    open_ = false;
}

void XrRetry::cancel() {
    *this = {};
}

bool XrRetry::due(double now) const {
    return waiting_ && seconds_left(now) <= 0;
}

double XrRetry::seconds_left(double now) const {
    return waiting_ ? std::clamp(failed_at_ + wait_ - now, 0.0, wait_) : 0.0;
}

}  // namespace claybox::engine
