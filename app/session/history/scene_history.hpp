#pragma once
// The pictures of the last frames, to look back without simulating.

#include "app/session/history/mesh_history.hpp"
#include "app/session/session.hpp"

#include <deque>

namespace claybox::app {

/// What a frame has shown.
struct PastFrame {
    FrameReport report;
    SceneView view;  ///< its crowds point into this frame
    PastMeshes meshes;
    std::vector<Figure> figures;
    std::vector<SceneEvent> events;  ///< of this frame only
    std::uint64_t frame() const { return report.frame; }

  private:
    friend class SceneHistory;
    std::vector<collision::Vec3f> positions_;
    std::vector<std::array<float, 4>> rotations_;
    std::vector<std::uint8_t> shades_;
    std::vector<collision::Pose> poses_;
    std::size_t bytes_ = 0;
};

/// A ring of successive frames. It drops the oldest ones and reuses their memory. One thread.
class SceneHistory {
  public:
    static constexpr std::size_t kMaxFrames = 2000, kMaxBytes = 100'000'000;

    explicit SceneHistory(std::size_t max_frames = kMaxFrames, std::size_t max_bytes = kMaxBytes)
        : max_frames_(max_frames), max_bytes_(max_bytes) {}

    /// Keeps the session's newest frame. A frame that does not follow the newest one clears the ring first.
    void keep(const Session& session, const ViewOptions& options);
    void clear();
    /// Drops all frames after number `frame`.
    void cut(std::uint64_t frame);

    bool empty() const { return frames_.empty(); }
    std::size_t size() const { return frames_.size(); }
    std::uint64_t oldest() const { return frames_.empty() ? 0 : frames_.front()->frame(); }
    std::uint64_t newest() const { return frames_.empty() ? 0 : frames_.back()->frame(); }
    /// By frame number. Precondition: oldest() <= frame <= newest().
    const PastFrame& at(std::uint64_t frame) const { return *frames_[frame - oldest()]; }
    std::size_t bytes() const { return bytes_; }
    /// Makes `meshes`, which show frame number `from`, or nothing yet, show frame number `to`.
    void show_meshes(std::uint64_t from, std::uint64_t to, ShownMeshes& meshes) const;

  private:
    std::unique_ptr<PastFrame> take_blank();
    void drop_oldest();
    void keep_view(const Session& session, const ViewOptions& options, PastFrame& frame);

    std::size_t max_frames_, max_bytes_;
    std::deque<std::unique_ptr<PastFrame>> frames_;
    std::unique_ptr<PastFrame> blank_;  ///< a dropped frame, for its memory
    std::size_t bytes_ = 0;
    MeshFollower meshes_;
    SceneView view_;                 ///< of the newest frame, larger than needed
    std::vector<ViewMesh> scratch_;  ///< of the newest frame
};

}  // namespace claybox::app
