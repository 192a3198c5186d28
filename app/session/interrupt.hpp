#pragma once

namespace claybox::app {

/// Handles Ctrl-C and a closed terminal (SIGINT, SIGTERM, SIGHUP) while an instance exists. The first signal
/// only requests the end: threads are joined, a recording is finished and reports are written. The second
/// signal of a kind ends the program at once. A signal that was ignored stays ignored. At most one instance.
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// True after a signal since the newest instance was created.
    static bool requested();
    /// True while an instance exists.
    static bool armed();

  private:
    void (*before_[3])(int) = {};
};

}  // namespace claybox::app
