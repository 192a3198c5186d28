#include "app/session/interrupt.hpp"

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
// The only type that a signal handler may write.
volatile std::sig_atomic_t g_requested = 0, g_armed = 0;

void handle(int signal) {
    g_requested = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
    g_requested = 0;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
        before_[i] = std::signal(kSignals[i], handle);
        // nohup, and shells that start a program in the background, ignore a signal on purpose.
        if (before_[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);
    }
    g_armed = 1;
}

Interrupt::~Interrupt() {
    g_armed = 0;
    for (std::size_t i = 0; i < std::size(kSignals); ++i) std::signal(kSignals[i], before_[i]);
}

bool Interrupt::requested() {
    return g_requested != 0;
}

bool Interrupt::armed() {
    return g_armed != 0;
}

}  // namespace claybox::app
