#include "app/bridge/offscreen.hpp"

#include "app/bridge/bridge.hpp"
#include "app/bridge/inspect.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/platform/paths.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

collision::Error failed(std::string message) {
    return {std::move(message), {}, 0};
}

/// Panels settle in three frames: their heights follow from the frame before.
constexpr int kFrames = 3;

void draw_frames(engine::Ui& ui, engine::Renderer& renderer, Session& session,
                 const engine::OffscreenTarget& target, int width, int height) {
    Bridge bridge(renderer);
    Camera camera;
    camera.frame(session.scene().camera());
    PanelState state;
    PanelRequests requests;
    FrameHistory history;
    std::deque<EventRow> events;
    const double time = static_cast<double>(session.frame()) / 60.0;
    for (const SceneEvent& e : session.output().events) events.push_back({time, e.kind, e.text});
    Inspection inspection;
    PanelModel model;
    model.session = &session;
    model.history = &history;
    model.events = &events;
    model.inspection = &inspection;
    const FreeArea area{ui.px(80), 0, static_cast<float>(width) - ui.px(328),
                        static_cast<float>(height) - ui.px(56)};
    for (int i = 0; i < kFrames; ++i) {
        FrameTimes times;
        const double start = engine::now_seconds();
        double last = start;
        const auto lap = [&](Stage stage) {
            const double now = engine::now_seconds();
            times[stage] += now - last;
            last = now;
        };
        ui.begin(width, height, 1.0 / 60.0);
        lap(Stage::input);
        const engine::CameraData view = camera.data(width, height, ui.scale(), area);
        bridge.build(session, state.view,
                     {view, width, height, ui.scale(), state.dark, collision::kNoIndex, collision::kNoIndex});
        model.labels = bridge.labels();
        lap(Stage::view);
        renderer.draw(bridge.list(), {width, height, ui.scale()}, target.framebuffer());
        lap(Stage::draw);
        draw_panels(ui, model, state, requests);
        ui.end();
        lap(Stage::panels);
        times.broad = session.report().pass.seconds_broad;
        times.narrow = session.report().pass.seconds_narrow;
        times.total = last - start;
        history.add(last, times);
    }
}

}  // namespace

collision::Status write_screenshot(Session& session, const std::filesystem::path& file, int width,
                                   int height) {
    if (width < 64 || height < 64 || width > 16384 || height > 16384)
        return failed("a picture has 64 to 16384 pixels a side");
    std::string error;
    const auto context = engine::OffscreenContext::create(error);
    if (!context) return failed(error);
    const auto renderer = engine::Renderer::create(error);
    if (!renderer) return failed(error);
    const auto ui = engine::Ui::create(nullptr, error);
    if (!ui) return failed(error);
    const engine::OffscreenTarget target(width, height);
    if (!target.complete()) return failed("the graphics driver refuses a picture of this size");
    const float by_height = std::round(static_cast<float>(height) / 900.0f * 4) / 4;
    ui->set_scale(height <= 1100 ? 1.0f : by_height);
    draw_frames(*ui, *renderer, session, target, width, height);
    if (!engine::write_png(file, width, height, target.pixels(), error)) return failed(error);
    return collision::Done{};
}

}  // namespace claybox::app
