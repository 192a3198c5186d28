#pragma once
// Recordings: everything that a run depended on, so that it can be run again, and a hash of the state to
// compare with.
//
// A recording is JSON, one object a line. The first is the head: version, scene, seed, parameters, settings.
// Then one a frame: the input (hands, actions), what was switched before it, where passes took the list, up
// to which pass events had come out, and the state hash after the newest finished pass. The last is
// {"end":true,"frames":N}: a file without it is not whole.

#include "app/session/session.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

namespace claybox::app {

/// Writes beside the target and renames in finish(); without finish() nothing is left. One thread.
class Recorder {
  public:
    /// The session must not have been stepped yet.
    static collision::Result<std::unique_ptr<Recorder>> start(const std::filesystem::path& target,
                                                              Session& session);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// The owner has called Session::rebuild() since the last frame. (Changed settings and scene parameters
    /// are noticed.)
    void note_rebuild() { rebuilt_ = true; }
    /// Right before Session::step with the same input.
    void before_step(const Session& session, const StepInput& input);
    /// Right after it.
    void after_step(Session& session);
    /// Waits for passes that still run, writes the end and puts the file in its place.
    collision::Status finish(Session& session);

  private:
    Recorder() = default;
    void write_passes(Session& session, std::string& line);

    std::filesystem::path target_, part_;
    std::ofstream file_;
    std::string line_;  ///< of the frame in progress
    collision::WorldSettings settings_;
    collision::ParameterValues parameters_;
    bool rebuilt_ = false, finished_ = false;
    std::uint64_t frames_ = 0;
};

struct RecordedFrame {
    StepInput input;
    bool rebuilt = false;
    std::optional<collision::WorldSettings> settings;
    std::optional<collision::ParameterValues> parameters;
    std::vector<collision::Accuracy> passes;  ///< of each pass that took the list that this frame published
    std::uint64_t polled = 0;  ///< the newest pass whose events had come out when the frame ended
    std::uint64_t pass = 0;    ///< the newest finished pass, and the hash after it
    std::uint64_t hash = 0;
};

struct Recording {
    std::string version;
    SessionOptions options;
    std::vector<RecordedFrame> frames;
};

/// Refuses anything that is not a whole recording of scenes and algorithms that exist; errors name file and
/// line.
collision::Result<Recording> read_recording(const std::filesystem::path& file);

/// Where a replay left the recorded path.
struct Difference {
    std::uint64_t frame = 0, recorded = 0, found = 0;
};

/// Runs a recording again, one frame a call, in the caller's thread: passes run where they ran then.
class Replay {
  public:
    /// `adjust` may change recorded settings (other workers, another broad phase), now and whenever they
    /// change.
    using Adjust = std::function<void(collision::WorldSettings&)>;
    static collision::Result<std::unique_ptr<Replay>> start(const Recording& recording,
                                                            const SessionOptions& options,
                                                            Adjust adjust = {});

    /// False when the recording is at its end. An error when what was switched cannot be switched.
    collision::Result<bool> step();
    Session& session() { return *session_; }
    const std::optional<Difference>& difference() const { return difference_; }

  private:
    Replay() = default;
    collision::Status prepare(const RecordedFrame& frame);
    void compare(const RecordedFrame& frame);

    const Recording* recording_ = nullptr;
    std::unique_ptr<Session> session_;
    Adjust adjust_;
    std::size_t next_ = 0;
    std::vector<std::uint64_t> hash_of_pass_;  ///< of the present world, from pass 1
    const collision::World* world_ = nullptr;
    std::optional<Difference> difference_;
};

}  // namespace claybox::app
