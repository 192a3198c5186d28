#pragma once
// Saves the clay in the background, so that a program that is killed loses at most some seconds of work.

#include "app/potter/files/clay_shadow.hpp"
#include "app/session/autosave/leftovers.hpp"
#include "app/session/session.hpp"
#include "engine/files/background_job.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace claybox::app {

/// Keeps the clay of a session in one file of a folder: a PLY file that is always whole. Each running program
/// has a file and a lock of its own. Thread contract: one thread calls everything; files are written by
/// another one.
class Autosave {
  public:
    /// Seconds between two savings.
    static constexpr double kInterval = 3;
    /// What a run without a window grants a saving, seconds. A window never waits.
    static constexpr double kPatience = 1.5;

    /// `waits`: frame() may wait for the disk. Then at most kInterval + kPatience seconds and a few frames
    /// are lost, however fast the frames are.
    explicit Autosave(std::filesystem::path folder, bool waits = false);
    /// Waits for the file that is being written. The file stays: see finish().
    ~Autosave() = default;

    /// Call after each frame. `now`: seconds, growing.
    void frame(const Session& session, double now);
    /// Whether the clay has changes that frame() has still to save.
    bool has_work(const Session& session) const;
    /// The regular end: deletes the file.
    void finish();
    /// The session shows this leftover now: it is saved at once as this program's file, then the leftover is
    /// deleted.
    void take_over(const Session& session, Leftover leftover);
    /// The clay lives on in this session, which takes the place of the one before.
    void go_on(const Session& session);
    /// Why nothing can be saved: a sentence once, until saving works again.
    std::string take_problem() { return std::exchange(problem_, {}); }
    const std::filesystem::path& file() const { return store_->file; }

  private:
    /// What the writing thread uses.
    struct Store {
        std::filesystem::path folder, file, lock_file;
        engine::FileLock lock;
        std::optional<Leftover> replaced;  ///< delete it after the next saving

        std::string write(const ClaySnapshot& clay);
    };
    void take_result(double now);
    void watch(const Session& session, const ClaySurface& clay);
    void follow(const ClaySurface& clay, double now);

    std::shared_ptr<Store> store_;
    ClayShadow shadow_;
    const Session* session_ = nullptr;
    std::uint64_t build_ = 0;  ///< of the session whose clay is followed
    /// The clay in the file, or at the start.
    std::uint64_t saved_version_ = 0;
    std::shared_ptr<const collision::Topology> saved_topology_;
    std::optional<Leftover> taken_over_;  ///< the followed clay replaces it
    bool must_save_ = false;              ///< also without a change
    bool following_ = false;              ///< the shadow is on its way to a saving
    bool failed_ = false;                 ///< and reported
    double next_ = 0, started_ = 0;
    std::string problem_;
    bool waits_;
    engine::BackgroundJob job_;  ///< last member: the thread ends before what it uses
};

/// The folder of the user's autosaved files; empty without one.
std::filesystem::path autosave_folder();

}  // namespace claybox::app
