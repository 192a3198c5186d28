#include "app/bridge/pictures/screenshot.hpp"

#include "app/bridge/inspect/inspector.hpp"
#include "app/bridge/view/bridge.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/files/paths.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

collision::Error failed(std::string message) {
    return {std::move(message), {}, 0};
}

/// Panels need three frames: their heights follow from the frame before.
constexpr int kFrames = 3;

/// Everything that one picture needs. `model` points into the other members.
struct Still {
    Still(engine::Renderer& renderer, Session& session) : bridge(renderer) {
        const double time = static_cast<double>(session.frame()) * kStepSeconds;
        for (const SceneEvent& e : session.output().events) events.push_back({time, e.kind, e.text});
        model.session = &session;
        model.history = &history;
        model.events = &events;
        model.inspection = &inspection;
    }
    Bridge bridge;
    PanelState state;
    PanelRequests requests;
    FrameHistory history;
    std::deque<EventRow> events;
    Inspection inspection;
    PanelModel model;
};

void draw_frame(engine::Ui& ui, engine::Renderer& renderer, Still& still, const engine::CameraData& view,
                const engine::RenderTargetSize& size, unsigned framebuffer) {
    FrameTimes times;
    const auto now = [] { return Instant{engine::now_seconds(), engine::thread_seconds()}; };
    const Instant start = now();
    LapClock clock;
    clock.start(start);
    ui.begin(size.width, size.height, 1.0 / 60.0);
    clock.lap(times, Stage::input, now());
    still.bridge.build(*still.model.session, still.state.view,
                       {view, size.width, size.height, size.scale, still.state.dark, collision::kNoIndex,
                        collision::kNoIndex});
    still.model.labels = still.bridge.labels();
    still.model.insets = still.bridge.view().insets;
    still.model.discs = still.bridge.discs();
    still.model.structure = still.bridge.structure();
    clock.lap(times, Stage::view, now());
    renderer.draw(still.bridge.list(), size, framebuffer);
    clock.lap(times, Stage::draw, now());
    draw_panels(ui, still.model, still.state, still.requests);
    ui.end();
    const Instant end = now();
    clock.lap(times, Stage::panels, end);
    times.total = end.wall - start.wall;
    times.broad = still.model.session->report().pass.seconds_broad;
    times.narrow = still.model.session->report().pass.seconds_narrow;
    still.history.add(end.wall, times);
}

void draw_frames(engine::Ui& ui, engine::Renderer& renderer, Session& session,
                 const engine::OffscreenTarget& target, int width, int height) {
    Still still(renderer, session);
    Camera camera;
    camera.frame(session.scene().camera());
    ui.begin(width, height, 1.0 / 60.0);  // applies the scale
    ui.end();
    const FreeArea area{ui.px(80), 0, static_cast<float>(width) - ui.px(328),
                        static_cast<float>(height) - ui.px(56)};
    const engine::CameraData view = camera.data(width, height, ui.scale(), area);
    for (int i = 0; i < kFrames; ++i)
        draw_frame(ui, renderer, still, view, {width, height, ui.scale()}, target.framebuffer());
}

}  // namespace

collision::Status write_screenshot(Session& session, const std::filesystem::path& file, int width,
                                   int height) {
    if (width < 64 || height < 64 || width > 16384 || height > 16384)
        return failed("size " + std::to_string(width) + "x" + std::to_string(height) +
                      ": expected 64 to 16384 pixels per side");
    std::string error;
    const auto context = engine::OffscreenContext::create(error);
    if (!context) return failed(error);
    const auto renderer = engine::Renderer::create(error);
    if (!renderer) return failed(error);
    const auto ui = engine::Ui::create(nullptr, error);
    if (!ui) return failed(error);
    const engine::OffscreenTarget target(width, height);
    if (!target.complete()) return failed("the graphics driver cannot draw a picture of this size");
    const float by_height = std::round(static_cast<float>(height) / 900.0f * 4) / 4;
    ui->set_scale(height <= 1100 ? 1.0f : by_height);
    draw_frames(*ui, *renderer, session, target, width, height);
    if (!engine::write_png(file, width, height, target.pixels(), error)) return failed(error);
    return collision::Done{};
}

}  // namespace claybox::app
