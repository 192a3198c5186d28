#pragma once

namespace claybox::app {

/// While one lives, the first Ctrl-C (SIGINT, SIGTERM) only asks the program to end, so that threads are
/// joined, a recording is finished and reports are written, once; the second ends it at once. At most one.
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// Since the newest one was made.
    static bool requested();
    /// Whether one lives.
    static bool armed();

  private:
    void (*before_[2])(int) = {};
};

}  // namespace claybox::app
