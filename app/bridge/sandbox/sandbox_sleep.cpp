// When nothing happens, the program sleeps until the next input.

#include "app/bridge/sandbox/sandbox.hpp"
#include "engine/files/paths.hpp"

namespace claybox::app {
namespace {

/// Longer than tooltips and folds need to appear, and than a pass of the module takes.
constexpr double kRest = 1;  // seconds

}  // namespace

/// True while something goes on without the user.
bool Sandbox::has_work() const {
    const bool compares = asked_.running() || check_.running() || tumble_.running() || heat_.running();
    const bool draws = turntable_ != nullptr || film_ != nullptr || state_.headset.on || in_headset_;
    const bool waits =
        build_.running() || save_.running() || branch_ || !pending_actions_.empty() || edits_wait();
    return compares || draws || waits || devices_.live() || (autosave_ && autosave_->has_work(*session_)) ||
           ui_.time() < message_until_;
}

bool Sandbox::feels_input() const {
    const engine::UiInput& in = ui_.input();
    const bool mouse = in.dx != 0 || in.dy != 0 || in.wheel != 0 || in.down[0] || in.down[1] || in.down[2] ||
                       in.released[0] || in.released[1] || in.released[2];
    const auto& readings = devices_.logical().events();
    return mouse || in.keys.any() || !in.presses.empty() || !in.clicks.empty() || !in.dropped.empty() ||
           in.typing || !readings.empty();
}

/// True if the scene will stay as it is without input, and the picture is that of the frame before.
bool Sandbox::picture_rests() {
    if (state_.paused || looking_) return true;
    if (!session_->scene().waits()) return false;
    const SceneView& now = bridge_.view();
    const bool same = now.drawables == resting_.drawables && now.lines == resting_.lines &&
                      now.points == resting_.points && now.labels == resting_.labels;
    if (!same) resting_ = now;
    return same;
}

void Sandbox::watch_for_rest() {
    const bool rests = picture_rests();
    if (!rests || has_work() || feels_input()) busy_until_ = ui_.time();
}

bool Sandbox::may_sleep() const {
    return ui_.time() - busy_until_ > kRest;
}

void Sandbox::wake() {
    frame_start_ = engine::now_seconds();
    times_ = {};
    clock_.start({frame_start_, engine::thread_seconds()});
}

}  // namespace claybox::app
