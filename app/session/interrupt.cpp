#include "app/session/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <iterator>

namespace claybox::app {

namespace {

#if defined(SIGHUP)
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
#else
constexpr int kSignals[] = {SIGINT, SIGTERM};
#endif
// The system delivers a signal to any thread, such as the module's. A lock-free atomic is the only type that
// its handler may write and that other threads may read.
std::atomic<bool> g_requested = false, g_armed = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void handle(int signal) {
    g_requested = true;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
    g_requested = false;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        before_[i] = std::signal(kSignals[i], handle);
        // nohup, and shells that start a program in the background, ignore a signal on purpose.
        if (before_[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);
    }
    g_armed = true;
}

Interrupt::~Interrupt() {
    g_armed = false;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) std::signal(kSignals[i], before_[i]);
}

bool Interrupt::requested() {
    return g_requested;
}

bool Interrupt::armed() {
    return g_armed;
}

}  // namespace claybox::app
