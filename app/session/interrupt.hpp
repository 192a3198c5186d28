#pragma once

namespace claybox::app {

/// Handles Ctrl-C (SIGINT, SIGTERM) while an instance exists. The first signal only requests the end: threads
/// are joined, a recording is finished and reports are written. The second signal ends the program at once.
/// At most one instance.
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
    void (*before_[2])(int) = {};
};

}  // namespace claybox::app
