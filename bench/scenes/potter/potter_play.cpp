#include "bench/scenes/potter/potter_play.hpp"

#include "bench/experiments/shared/measure.hpp"

#include <algorithm>
#include <ctime>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace claybox::bench {

using namespace collision;

namespace {

constexpr double kRadius = 30, kLeastRadius = 5;  // millimetres: of a real hand; the smallest of the scene
constexpr std::size_t kFirstFrames = 10;          // of the touching ones, not counted

/// 0 where the C library does not tell. __GLIBC_PREREQ is not even a macro in others, so it needs a line of
/// its own.
std::size_t allocated_bytes() {
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 33)
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
#endif
#endif
    return 0;
}

Status set(app::SessionOptions& options, const char* name, double value) {
    const auto table = app::find_scene(options.scene)->parameters;
    const std::size_t index = find_parameter(table, name);
    if (index >= table.size()) return Error{std::string("the scene Potter has no parameter ") + name, {}, 0};
    options.scene_parameters[index] = value;
    return Done{};
}

}  // namespace

Result<std::unique_ptr<app::Session>> make_potter(const PotterRow& row, const PotterSetting& setting) {
    app::SessionOptions options;
    options.scene = "potter";
    options.scene_parameters = default_values(app::find_scene(options.scene)->parameters);
    const std::pair<const char*, double> values[] = {
        {"polygons", row.polygons},
        {"faces", static_cast<double>(row.faces)},
        {"tool", static_cast<double>(row.tool)},
        {"detail", 0},  // a repeated run must meet the same polygons
        {"speed", 100 * setting.wheel * row.hand_scale()},
    };
    for (const auto& [name, value] : values)
        if (const Status done = set(options, name, value); !done) return done.error();
    if (row.part == PotterPart::touched) {
        const Status done = set(options, "radius", std::max(kRadius * row.hand_scale(), kLeastRadius));
        if (!done) return done.error();
    }
    if (setting.tight_boxes) {
        const std::size_t index = find_parameter(bound_parameters(), "world_box");
        options.settings.bound_parameters[index] = 1;
    }
    return app::Session::create(options);
}

Result<std::unique_ptr<PotterPlayer>> PotterPlayer::create(const PotterRow& row, const PotterSetting& setting,
                                                           std::uint64_t seed, std::uint64_t frames) {
    std::unique_ptr<PotterPlayer> out(
        new PotterPlayer(row, PotterScript(row, seed, frames, setting.hand_turns)));
    out->memory_before_ = allocated_bytes();
    auto session = make_potter(row, setting);
    if (!session) return session.error();
    out->session_ = std::move(session.value());
    return out;
}

/// As the bridge does it, up to the call of OpenGL.
void PotterPlayer::upload(PotterFrame& frame) {
    const app::ViewMesh& clay = meshes_.front();
    std::size_t count = 0;
    app::visit_changed_runs(clay, uploaded_, [&](std::size_t first, std::size_t end) {
        vertices_.resize(std::max(vertices_.size(), count + end - first));
        for (std::size_t v = first; v < end; ++v)
            vertices_[count++] = {(*clay.positions)[v], (*clay.normals)[v], (*clay.cavity)[v]};
    });
    uploaded_ = clay.version;
    frame.upload_bytes = count * sizeof(Vertex);
}

void PotterPlayer::play(std::uint64_t frames) {
    for (std::uint64_t i = 0; i < frames; ++i) {
        PotterFrame frame;
        const std::clock_t processor = std::clock();
        const double start = now_ns();
        app::StepInput input;
        input.hand[0] = script_.hand(session_->frame() + 1);
        const app::FrameReport& report = session_->step(std::move(input));
        const double stepped = now_ns();
        meshes_.clear();
        view_.clear();
        session_->scene().meshes(meshes_);
        session_->scene().view({}, view_);
        const double viewed = now_ns();
        upload(frame);
        const double end = now_ns();
        const PassStats& pass = report.pass;
        frame.ns.structure = 1e9 * pass.seconds_bounds;
        frame.ns.collision = 1e9 * (pass.seconds_total - pass.seconds_bounds);
        frame.ns.hand = stepped - start - 1e9 * pass.seconds_total;
        frame.ns.picture = viewed - stepped;
        frame.ns.upload = end - viewed;
        frame.ns.wall = end - start;
        frame.ns.whole = 1e9 / CLOCKS_PER_SEC * static_cast<double>(std::clock() - processor);
        frame.parts = pass.colliding;
        frame.state_hash = report.state_hash;
        frames_.push_back(frame);
    }
}

std::size_t PotterPlayer::memory_bytes() const {
    const std::size_t now = allocated_bytes();
    return now > memory_before_ ? now - memory_before_ : 0;
}

std::vector<PotterFrame> touching_frames(const PotterPlayer& player) {
    std::vector<PotterFrame> out;
    for (const PotterFrame& frame : player.frames())
        if (frame.vertices > 0) out.push_back(frame);
    const std::size_t first = std::min(kFirstFrames, out.size() / 2);
    out.erase(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(first));
    return out;
}

}  // namespace claybox::bench
