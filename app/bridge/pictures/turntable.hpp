#pragma once
// One turn of the shaped object as an animated GIF or as PNG files, without hands and panels.

#include "app/bridge/pictures/picture_writer.hpp"
#include "app/bridge/view/bridge.hpp"
#include "app/cli/cli.hpp"
#include "engine/ui/offscreen_target.hpp"

namespace claybox::app {

/// Takes the object as it is at the start; later changes of the scene do not matter. Draws with a renderer of
/// its own, a few pictures per call, so the program keeps running. Files appear when all pictures are done;
/// before, nothing of them is left. Needs the OpenGL context that was current at the start.
class Turntable {
  public:
    static collision::Result<std::unique_ptr<Turntable>> start(const Session& session,
                                                               const TurntableOptions& options);
    Turntable(const Turntable&) = delete;
    Turntable& operator=(const Turntable&) = delete;

    /// Draws the next `pictures`. An error ends it.
    collision::Status advance(int pictures);
    bool done() const { return drawn_ == static_cast<int>(views_.size()); }
    int drawn() const { return drawn_; }
    int pictures() const { return static_cast<int>(views_.size()); }
    const std::filesystem::path& target() const { return options_.target; }

  private:
    explicit Turntable(const TurntableOptions& options) : options_(options) {}
    bool make_graphics(std::string& error);
    void take_scene(const Session& session);
    collision::Status open();
    std::vector<std::uint8_t> draw(std::size_t picture);

    TurntableOptions options_;
    std::unique_ptr<engine::Renderer> renderer_;
    std::unique_ptr<Bridge> bridge_;  ///< destroyed before its renderer
    std::unique_ptr<engine::OffscreenTarget> picture_;
    engine::CameraData camera_;
    ViewLight light_;
    std::vector<SceneView> views_;  ///< one per picture
    int drawn_ = 0;
    std::unique_ptr<PictureWriter> writer_;
};

/// Writes all pictures without a window.
collision::Status write_turntable(Session& session, const TurntableOptions& options);

}  // namespace claybox::app
