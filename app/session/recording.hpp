#pragma once
// Recordings: all inputs of a run, which make it repeatable, and state hashes to compare with.
//
// A recording is JSON with one object per line:
// - The head: version, scene, seed, parameters, settings, and the bodies of a scene with edits unless they
//   are the scene's own.
// - One line per frame: the input (hands, or "same" for those of the line before; actions; edits), the
// settings
//   changed before it, the frames whose list passes took, the newest pass whose events were polled, and the
//   state hash after the newest finished pass.
// - The end: {"end":true,"frames":N}. A file without it is incomplete.

#include "app/session/session.hpp"
#include "engine/files/write_file.hpp"

#include <filesystem>
#include <functional>
#include <optional>

namespace claybox::app {

struct RecordedFrame {
    StepInput input;
    bool rebuilt = false;
    std::optional<collision::WorldSettings> settings;
    std::optional<collision::ParameterValues> parameters;
    std::vector<collision::Accuracy> passes;  ///< of each pass that took the list of this frame
    std::uint64_t polled = 0;  ///< newest pass whose events were polled by the end of the frame
    std::uint64_t pass = 0;    ///< newest finished pass
    std::uint64_t hash = 0;    ///< state hash after `pass`
};

/// Detects what changes between the frames of a session.
class ChangeWatch {
  public:
    /// From now on: the session as it is.
    void start(const Session& session);
    /// Call after Session::rebuild(). (Changed settings and scene parameters are detected.)
    void note_rebuild() { rebuilt_ = true; }
    /// The next frame with its input and what has changed before it; nothing about passes.
    RecordedFrame next(const Session& session, const StepInput& input);
    const collision::WorldSettings& settings() const { return settings_; }
    const collision::ParameterValues& parameters() const { return parameters_; }

  private:
    collision::WorldSettings settings_;
    collision::ParameterValues parameters_;
    bool rebuilt_ = false;
};

/// The passes of a session since the last call of take_passes().
struct PassNotes {
    std::vector<collision::PassBoundary> took;
    std::uint64_t polled = 0, pass = 0, hash = 0;  ///< as in RecordedFrame
};
PassNotes take_passes(Session& session);

/// Writes a recording with a FileWriter: the target appears in finish(). Without finish() no file remains.
/// One thread.
class Recorder {
  public:
    /// Precondition: the session has not been stepped.
    static collision::Result<std::unique_ptr<Recorder>> start(const std::filesystem::path& target,
                                                              Session& session);
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Call after Session::rebuild().
    void note_rebuild() { watch_.note_rebuild(); }
    /// Call directly before Session::step() with the same input.
    void before_step(const Session& session, const StepInput& input);
    /// Call directly after Session::step(), the second form with the result of take_passes().
    void after_step(Session& session) { after_step(take_passes(session)); }
    void after_step(const PassNotes& passes);
    /// Waits for running passes, writes the end and commits the file. A failed write of any frame is reported
    /// here. After a step that threw, the recording ends with the last whole frame.
    collision::Status finish(Session& session);

  private:
    Recorder() = default;

    engine::FileWriter file_;
    std::string line_;   ///< of the current frame
    std::string hands_;  ///< of the last frame, as JSON
    ChangeWatch watch_;
    std::uint64_t frames_ = 0;  ///< whole ones
    PassNotes last_;            ///< of the last whole frame
    bool stepping_ = false;     ///< between before_step() and after_step()
};

struct Recording {
    std::string version;
    SessionOptions options;
    std::vector<RecordedFrame> frames;
};

/// Reads a recording. An incomplete recording, or an unknown scene or algorithm, is an error with file and
/// line.
collision::Result<Recording> read_recording(const std::filesystem::path& file);

/// First state hash that differs from the recording.
struct Difference {
    std::uint64_t frame = 0, recorded = 0, found = 0;
};

/// Repeats recorded frames, one per call, in the caller's thread. Each pass runs in the frame in which it
/// ran during the recording.
class Replay {
  public:
    /// Frame i, from 0, valid until the next call; null after the last one.
    using Frames = std::function<const RecordedFrame*(std::size_t)>;
    /// `adjust` may change recorded settings (workers, broad phase), at the start and at every recorded
    /// change.
    using Adjust = std::function<void(collision::WorldSettings&)>;
    static collision::Result<std::unique_ptr<Replay>> start(const Recording& recording,
                                                            const SessionOptions& options,
                                                            Adjust adjust = {});
    /// `session`: before its first step, made with serial() options.
    Replay(Frames frames, std::unique_ptr<Session> session, Adjust adjust = {});
    /// The options with which a run is repeated: the timing comes from the recording.
    static SessionOptions serial(const SessionOptions& options);

    /// Runs the next frame; false at the end of the recording. A change that cannot be applied is an error.
    collision::Result<bool> step();
    Session& session() { return *session_; }
    const std::optional<Difference>& difference() const { return difference_; }
    /// Ends the replay: the session goes on by itself, in serial mode.
    std::unique_ptr<Session> take_session();

  private:
    collision::Status prepare(const RecordedFrame& frame);
    void compare(const RecordedFrame& frame);

    Frames frames_;
    std::unique_ptr<Session> session_;
    Adjust adjust_;
    std::size_t next_ = 0;
    std::vector<std::uint64_t> hash_of_pass_;  ///< of the current world, from pass 1
    const collision::World* world_ = nullptr;
    std::optional<Difference> difference_;
};

}  // namespace claybox::app
