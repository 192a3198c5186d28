#include "app/session/interrupt.hpp"

#include <csignal>

namespace claybox::app {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};
// The only type that a signal handler may write.
volatile std::sig_atomic_t g_requested = 0, g_armed = 0;

void handle(int signal) {
    g_requested = 1;
    std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
    g_requested = 0;
    for (int i = 0; i < 2; ++i) before_[i] = std::signal(kSignals[i], handle);
    g_armed = 1;
}

Interrupt::~Interrupt() {
    g_armed = 0;
    for (int i = 0; i < 2; ++i) std::signal(kSignals[i], before_[i]);
}

bool Interrupt::requested() {
    return g_requested != 0;
}

bool Interrupt::armed() {
    return g_armed != 0;
}

}  // namespace claybox::app
