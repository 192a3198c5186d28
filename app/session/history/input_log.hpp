#pragma once
// All inputs of a run in memory, so that a past frame can be reached again.

#include "app/session/recording.hpp"

#include <deque>

namespace claybox::app {

/// What a Recorder writes, in memory, since the scene was built. Equal hands and equal program settings of
/// successive frames are kept once. One thread.
class InputLog {
  public:
    /// The log of half an hour with a hand that always moves. A longer run is not kept: see missing().
    static constexpr std::size_t kMaxBytes = std::size_t{128} << 20;

    explicit InputLog(std::size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}

    /// Starts with a session whose scene was built just now. Forgets the run before.
    void start(const Session& session);
    /// Call directly before Session::step() with the same input.
    void before_step(const Session& session, const StepInput& input);
    /// Call after Session::add_mesh().
    void note_meshes(const Session& session) {
        options_.meshes = session.options().meshes;
        options_.mesh_files = session.options().mesh_files;
    }
    /// Call directly after Session::step().
    void after_step(const PassNotes& passes);
    /// Forgets everything after frame number `frame`. `session` is in the state after that frame.
    void cut(std::uint64_t frame, const Session& session);

    /// Why the run cannot be repeated; empty when it can.
    const std::string& missing() const { return missing_; }
    const SessionOptions& options() const { return options_; }  ///< at the start
    std::uint64_t before() const { return before_; }            ///< frames before the first one of the log
    std::uint64_t newest() const { return before_ + frames_.size(); }
    /// Frame i, counted from 0.
    RecordedFrame frame(std::size_t i) const;
    /// Settings and scene parameters with which frame number `frame` ran.
    collision::WorldSettings settings_at(std::uint64_t frame) const;
    /// The settings and scene parameters of the newest frame.
    const ChangeWatch& newest_values() const { return watch_; }
    std::size_t bytes() const;

  private:
    static constexpr std::uint32_t kNone = 0xffffffffu;
    struct Frame {
        std::uint32_t hand[2] = {kNone, kNone};  ///< in hands_
        std::uint32_t program = 0;               ///< in programs_
        std::uint32_t change = kNone;            ///< in changes_
        std::uint32_t edits = kNone;             ///< in edits_
        double dt = 0;
        std::uint64_t polled = 0, pass = 0, hash = 0;
    };
    /// What few frames have.
    struct Change {
        std::vector<std::uint32_t> actions;
        bool rebuilt = false;
        std::optional<collision::WorldSettings> settings;
        std::optional<collision::ParameterValues> parameters;
    };
    /// What the frames of a drag have; a Change would be twenty times as large.
    struct Edits {
        std::vector<BodyEdit> list;
        bool frozen = false;
    };
    static std::size_t bytes_of(std::size_t edits);
    void give_up(std::string why);

    std::size_t max_bytes_;
    std::string missing_;
    SessionOptions options_;
    std::uint64_t before_ = 0;
    ChangeWatch watch_;
    std::deque<Frame> frames_;
    std::deque<HandInput> hands_;
    std::uint32_t newest_hand_[2] = {kNone, kNone};
    std::deque<collision::ParameterValues> programs_;
    std::deque<Change> changes_;
    std::deque<Edits> edits_;
    std::size_t edit_bytes_ = 0;                      ///< of edits_
    std::deque<collision::PassBoundary> boundaries_;  ///< ascending by frame
};

}  // namespace claybox::app
