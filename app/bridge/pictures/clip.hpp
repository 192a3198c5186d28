#pragma once

#include "app/bridge/pictures/picture_writer.hpp"
#include "app/bridge/view/bridge.hpp"
#include "app/session/history/scene_history.hpp"
#include "engine/ui/offscreen_target.hpp"

namespace claybox::app {

struct ClipOptions {
    std::filesystem::path target;       ///< see PictureFile
    std::uint64_t first = 0, last = 0;  ///< frames, both kept by the history
    int every = 1;                      ///< every which frame is drawn; time in the file is that of the scene
    int width = 640, height = 360;
    bool dark = false;
    bool is_new = false;  ///< see PictureFile
};

/// Kept frames as a film, drawn again without panels and labels. Draws with a renderer of its own, a few
/// pictures per call. The history must keep its frames until the end. Needs the OpenGL context that was
/// current at the start.
class Clip {
  public:
    static collision::Result<std::unique_ptr<Clip>> start(const SceneHistory& history, const ViewLight& light,
                                                          const engine::CameraData& camera,
                                                          const ClipOptions& options);
    /// Draws the next `pictures`. An error ends it.
    collision::Status advance(int pictures);
    bool done() const { return drawn_ == pictures(); }
    int drawn() const { return drawn_; }
    int pictures() const {
        return 1 + static_cast<int>((options_.last - options_.first) / static_cast<unsigned>(options_.every));
    }
    const std::filesystem::path& target() const { return writer_->target(); }

  private:
    Clip(const SceneHistory& history, const ViewLight& light, const engine::CameraData& camera,
         const ClipOptions& options)
        : history_(history), light_(light), camera_(camera), options_(options) {}
    bool make_graphics(std::string& error);
    collision::Status open();
    std::vector<std::uint8_t> draw(int picture);

    const SceneHistory& history_;
    ViewLight light_;
    engine::CameraData camera_;
    ClipOptions options_;
    std::unique_ptr<engine::Renderer> renderer_;
    std::unique_ptr<Bridge> bridge_;  ///< destroyed before its renderer
    std::unique_ptr<engine::OffscreenTarget> picture_;
    std::unique_ptr<PictureWriter> writer_;
    ShownMeshes meshes_;
    std::uint64_t shown_ = 0;  ///< frame of meshes_
    int drawn_ = 0;
};

}  // namespace claybox::app
