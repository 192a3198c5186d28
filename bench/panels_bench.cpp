// Cost of idle panels per frame, without a window: the time to build them, and with the submission of their
// triangles to OpenGL. Target: less than 0.5 ms on a desktop. Then the cost of a crowd without collision
// detection: its motion, and its instance buffers.

#include "app/bridge/sandbox/sandbox.hpp"
#include "app/scenes/crowd/crowd_layout.hpp"
#include "engine/platform/gl_context.hpp"
#include "engine/render/camera.hpp"
#include "engine/render/run_fill.hpp"
#include "engine/ui/offscreen_target.hpp"

#include <benchmark/benchmark.h>

namespace claybox::app {
namespace {

struct Panels {
    Panels() {
        std::string error;
        context = engine::OffscreenContext::create(error);
        if (context) ui = engine::Ui::create(nullptr, error);
        SessionOptions options;
        options.scene_parameters = collision::default_values(find_scene("cage")->parameters);
        auto made = Session::create(options);
        if (!ui || !made.ok()) return;
        session = std::move(made).value();
        target = std::make_unique<engine::OffscreenTarget>(1600, 900);
        for (int i = 0; i < 120; ++i) {
            session->step({});
            FrameTimes times;
            times.total = 0.016;
            times[Stage::draw] = 0.010;
            times[Stage::wait] = 0.006;
            history.add(i / 60.0, times);
            for (const SceneEvent& e : session->output().events) events.push_back({i / 60.0, e.kind, e.text});
        }
        model.session = session.get();
        model.history = &history;
        model.events = &events;
        model.inspection = &inspection;
        target->bind(1, 1, 1);
        for (int i = 0; i < 4; ++i) frame();
    }
    void frame() {
        ui->begin(1600, 900, 1.0 / 60.0);
        draw_panels(*ui, model, state, requests);
        ui->end();
    }
    std::unique_ptr<engine::OffscreenContext> context;
    std::unique_ptr<engine::Ui> ui;
    std::unique_ptr<engine::OffscreenTarget> target;
    std::unique_ptr<Session> session;
    FrameHistory history;
    std::deque<EventRow> events;
    Inspection inspection;
    PanelModel model;
    PanelState state;
    PanelRequests requests;
};

void idle_panels_build(benchmark::State& state) {
    Panels panels;
    if (!panels.target) return state.SkipWithError("no OpenGL without a display");
    for (auto _ : state) {
        panels.ui->begin(1600, 900, 1.0 / 60.0);
        draw_panels(*panels.ui, panels.model, panels.state, panels.requests);
        state.PauseTiming();
        panels.ui->end();
        state.ResumeTiming();
    }
}
BENCHMARK(idle_panels_build)->Name("panels/idle/build")->Unit(benchmark::kMicrosecond);

void idle_panels_submit(benchmark::State& state) {
    Panels panels;
    if (!panels.target) return state.SkipWithError("no OpenGL without a display");
    for (auto _ : state) panels.frame();
}
BENCHMARK(idle_panels_submit)->Name("panels/idle/build_and_submit")->Unit(benchmark::kMicrosecond);

Flock make_flock(std::size_t count) {
    Flock flock;
    flock.build(std::vector<float>(count, 0.02f), crowd_obstacles(5), 1);
    flock.set_motion({0.01f, 0.03f, 1});
    return flock;
}

void crowd_motion(benchmark::State& state) {
    Flock flock = make_flock(static_cast<std::size_t>(state.range(0)));
    std::uint64_t frame = 0;
    for (auto _ : state) flock.advance(++frame);
}
BENCHMARK(crowd_motion)->Name("crowd/motion")->Arg(5000)->Arg(100000)->Unit(benchmark::kMillisecond);

void crowd_buffers(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    const Flock flock = make_flock(count);
    const std::vector<std::uint8_t> shades(count, 3);
    const std::vector<engine::MaterialData> materials(256);
    const std::vector<engine::InstanceData> looks(256);
    std::vector<engine::InstanceData> out(count);
    engine::CameraData camera;
    camera.position = {0.9f, 8.6f, 11.6f};
    const engine::ViewVolume volume(engine::clip_from_world(camera, {1600, 900, 1}), 900);
    const engine::InstanceRun run{0,
                                  materials,
                                  {&flock.positions()[0].x, 3 * count},
                                  {flock.rotations()[0].data(), 4 * count},
                                  shades,
                                  0.02f,
                                  0};
    for (auto _ : state) benchmark::DoNotOptimize(engine::fill_run(run, looks, volume, out));
}
BENCHMARK(crowd_buffers)->Name("crowd/buffers")->Arg(5000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace claybox::app

BENCHMARK_MAIN();
