#pragma once
// Goes back to a past frame by repeating the run up to it.

#include "app/session/history/input_log.hpp"

namespace claybox::app {

/// Repeats the inputs of a log up to a frame in a new session, a few frames per call, so that a window stays
/// responsive. The log must not change meanwhile.
class Branch {
  public:
    /// `frame`: a frame number of the log. `session`: made from options() of the log, started after its
    /// before().
    Branch(const InputLog& log, std::uint64_t frame, std::unique_ptr<Session> session);
    /// Builds the scene, too. A log with missing() inputs is an error.
    static collision::Result<std::unique_ptr<Branch>> start(const InputLog& log, std::uint64_t frame);
    /// How the session of a branch has to be built.
    static SessionOptions options(const InputLog& log) { return Replay::serial(log.options()); }
    /// Repeats frames for about this time, at least one.
    collision::Status advance(double seconds);
    bool done() const { return repeated_ == frames_; }
    std::uint64_t repeated() const { return repeated_; }
    std::uint64_t frames() const { return frames_; }  ///< to repeat
    std::uint64_t target() const { return log_.before() + frames_; }
    /// The first frame whose hash is not that of the log.
    const std::optional<Difference>& difference() const { return replay_.difference(); }
    /// The session after its last frame, with the settings of that frame. Precondition: done().
    std::unique_ptr<Session> take_session();

  private:
    const InputLog& log_;
    std::uint64_t frames_, repeated_ = 0;
    RecordedFrame frame_;  ///< being repeated
    Replay replay_;
};

}  // namespace claybox::app
