// Looking back at past frames, and going back there: the run is repeated up to the shown frame and goes on.

#include "app/bridge/sandbox/sandbox.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

constexpr std::size_t kShownEvents = 400;  // as many as the program keeps of what is now
constexpr double kSliceSeconds = 0.05;     // of repeating, per drawn frame
constexpr double kRepeatAfter = 0.4;       // seconds until a held key repeats

EventRow row_of(const SceneEvent& event, std::uint64_t frame) {
    return {static_cast<double>(frame) * kStepSeconds, event.kind, event.text};
}

}  // namespace

/// The scene was just built: nothing can be shown again yet.
void Sandbox::begin_run() {
    film_.reset();
    branch_.reset();
    looking_.reset();
    shown_meshes_.clear();
    kept_events_.clear();
    past_events_.clear();
    past_.clear();
    log_.start(*session_);
    builds_ = session_->builds();
}

/// Keeps what the newest frame shows.
void Sandbox::keep_frame() {
    if (session_->builds() != builds_) return begin_run();  // the scene has rebuilt itself
    ViewOptions options = state_.view;
    options.ghosts = !hand_moment(0).by_mouse;
    options.eye = eye_of(view_camera_);
    past_.keep(*session_, options);
}

void Sandbox::look_at(std::uint64_t frame) {
    if (branch_ || past_.empty()) return;
    state_.paused = true;
    if (frame >= past_.newest()) return return_to_now();
    if (!looking_) {
        const bool holds = drag_.active();
        forget_edits();
        put_down_ = holds;
        bridge_.forget();  // meshes of the past have versions of their own
        inspector_.forget();
        gather_kept_events();
        past_options_ = state_.view;
        poke_ = {};
    }
    frame = std::max(frame, past_.oldest());
    past_.show_meshes(looking_.value_or(frame), frame, shown_meshes_);
    looking_ = frame;
    const double now = static_cast<double>(*looking_) * kStepSeconds + 0.5 * kStepSeconds;
    const auto end = std::upper_bound(kept_events_.begin(), kept_events_.end(), now,
                                      [](double time, const EventRow& row) { return time < row.time; });
    const auto count = std::min(kShownEvents, static_cast<std::size_t>(end - kept_events_.begin()));
    past_events_.assign(end - static_cast<std::ptrdiff_t>(count), end);
}

void Sandbox::gather_kept_events() {
    kept_events_.clear();
    for (std::uint64_t frame = past_.oldest(); frame <= past_.newest(); ++frame)
        for (const SceneEvent& event : past_.at(frame).events) kept_events_.push_back(row_of(event, frame));
}

void Sandbox::step_back() {
    if (branch_) return;
    state_.paused = true;
    const std::uint64_t shown = looking_.value_or(past_.newest());
    if (shown <= past_.oldest())
        return show_message(looking_ ? "No older frame is kept" : "There is no past yet");
    look_at(shown - 1);
}

/// A step forward: through the past first, then a new one.
void Sandbox::step_on() {
    if (branch_ || film_) return;
    if (looking_) return look_at(*looking_ + 1);
    state_.paused = true;
    one_step(true);
}

/// A held key steps on and on.
void Sandbox::repeat_step_keys(double dt) {
    const auto down = [&](const char* name) {
        const engine::Reading& reading = devices_.logical().poll(name);
        return reading.valid && reading.down;
    };
    const bool back = down("step_back"), on = down("step");
    step_held_ = back != on ? step_held_ + dt : 0;
    if (step_held_ < kRepeatAfter) return;
    if (on) return step_on();
    if (looking_ && *looking_ > past_.oldest()) step_back();
}

void Sandbox::toggle_pause() {
    if (branch_ || film_) return;
    if (looking_) return start_branch();
    state_.paused = !state_.paused;
}

/// The renderer gets the meshes of the scene again.
void Sandbox::leave_past() {
    looking_.reset();
    bridge_.forget();
    inspector_.forget();
    shown_meshes_.clear();
    kept_events_.clear();
    past_events_.clear();
}

void Sandbox::return_to_now() {
    branch_.reset();
    if (!looking_) return;
    build_.cancel();  // of a branch
    leave_past();
}

bool Sandbox::refuse_in_past(const char* what) {
    if (!looking_) return false;
    show_message(std::string("Not possible in the past: ") + what + ". " + key_of("pause") +
                 " continues from here, " + key_of("return_to_now") + " returns to now");
    return true;
}

/// Goes back to the shown frame.
void Sandbox::start_branch() {
    if (!log_.missing().empty()) return show_message("Cannot continue from here: " + log_.missing());
    build("Going back", [this, options = Branch::options(log_), before = log_.before()] {
        const auto made =
            std::make_shared<collision::Result<std::unique_ptr<Session>>>(Session::create(options, before));
        return [this, made] {
            if (!looking_ || branch_) return;
            if (!made->ok()) return show_message("Cannot continue from here: " + made->error().text());
            branch_ = std::make_unique<Branch>(log_, *looking_, std::move(*made).value());
        };
    });
}

void Sandbox::advance_branch() {
    accumulator_ = 0;
    pending_actions_.clear();
    forget_edits();
    const collision::Status repeated = branch_->advance(kSliceSeconds);
    if (!repeated.ok()) {
        branch_.reset();
        return show_error(repeated);
    }
    if (branch_->done()) finish_branch();
}

void Sandbox::finish_branch() {
    const std::uint64_t frame = branch_->target();
    const std::optional<Difference> difference = branch_->difference();
    const collision::WorldSettings settings = session_->settings();
    const collision::ParameterValues values = session_->options().scene_parameters;
    const ChangeWatch before = log_.newest_values();
    std::unique_ptr<Session> session = branch_->take_session();
    branch_.reset();
    std::string message = "Continues from frame " + engine::grouped(frame);
    if (difference)
        message += ", but differs from the first run since frame " + engine::grouped(difference->frame);
    if (recorder_) {
        const collision::Status finished = finish_recording();
        message +=
            finished.ok() ? ". The recording ends where you went back" : ". " + finished.error().text();
    }
    events_ = past_events_;
    leave_past();
    past_.cut(frame);
    log_.cut(frame, *session);
    session_ = std::move(session);
    builds_ = session_->builds();
    if (autosave_) autosave_->go_on(*session_);
    add_changes_of_the_past(settings, values, before);
    forget_hands();
    put_down_ = session_->descriptor().edits != EditSupport::none;  // the frame may be one of a drag
    state_.paused = false;
    show_message(std::move(message));
}

/// What the user has changed while looking at the past is new input of the branch. `before`: the values of
/// the newest frame.
void Sandbox::add_changes_of_the_past(const collision::WorldSettings& settings,
                                      const collision::ParameterValues& values, const ChangeWatch& before) {
    if (settings != before.settings()) session_->set_settings(settings);
    for (std::size_t i = 0; i < session_->descriptor().parameters.size(); ++i)
        if (values[i] != before.parameters()[i]) show_error(session_->set_parameter(i, values[i]));
}

/// The picture of what is now, or of the shown past frame.
void Sandbox::build_picture(const ViewOptions& options, const ViewSetup& setup) {
    if (!looking_) return bridge_.build(*session_, options, setup);
    if (options.witness != past_options_.witness || options.bounds != past_options_.bounds)
        show_message("The past keeps the marks that it was drawn with; the switch acts on new frames");
    past_options_ = options;
    bridge_.build(past_.at(*looking_).view, shown_meshes_.meshes(), session_->scene().light(), options,
                  setup);
}

PastModel Sandbox::past_model() const {
    PastModel m;
    m.oldest = past_.oldest();
    m.newest = past_.newest();
    if (looking_) m.shown = &past_.at(*looking_);
    if (branch_) {
        m.repeated = branch_->repeated();
        m.to_repeat = std::max<std::uint64_t>(branch_->frames(), 1);
    }
    return m;
}

}  // namespace claybox::app
