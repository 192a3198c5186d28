#pragma once
// Goes back to a past frame by repeating the run up to it.

#include "app/session/history/input_log.hpp"

namespace claybox::app {

/// Builds the scene again and repeats the inputs of a log up to a frame, a few frames per call, so that a
/// window stays responsive. The log must not change meanwhile.
class Branch {
  public:
    /// `frame`: a frame number of the log.
    static collision::Result<std::unique_ptr<Branch>> start(const InputLog& log, std::uint64_t frame);
    /// Repeats frames for about this time, at least one.
    collision::Status advance(double seconds);
    bool done() const { return repeated_ == frames_; }
    std::uint64_t repeated() const { return repeated_; }
    std::uint64_t frames() const { return frames_; }  ///< to repeat
    std::uint64_t target() const { return log_.before() + frames_; }
    /// The first frame whose hash is not that of the log.
    const std::optional<Difference>& difference() const { return replay_->difference(); }
    /// The session after its last frame, with the settings of that frame. Precondition: done().
    std::unique_ptr<Session> take_session();

  private:
    Branch(const InputLog& log, std::uint64_t frames) : log_(log), frames_(frames) {}

    const InputLog& log_;
    std::uint64_t frames_, repeated_ = 0;
    RecordedFrame frame_;  ///< being repeated
    std::unique_ptr<Replay> replay_;
};

}  // namespace claybox::app
