#include "app/bridge/sandbox/sandbox.hpp"

#include "app/bridge/sandbox/export_mesh.hpp"
#include "app/bridge/sandbox/report.hpp"
#include "app/cli/files/scene_file.hpp"
#include "app/panels/program.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"
#include "engine/gl/errors.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

constexpr int kMaxSteps = 2;  // per frame: a slow machine runs in slow motion instead of falling behind
constexpr std::size_t kMaxEvents = 400;
// Without a graphics card: the resolution stays while frames take between these times, seconds.
constexpr double kSlowFrame = 0.080, kQuickFrame = 0.030;
constexpr float kMinResolution = 0.5f, kResolutionStep = 0.125f;
constexpr int kSlowInARow = 4, kQuickInARow = 40;
constexpr double kMinMessageSeconds = 4, kSecondsPerLetter = 0.06;

}  // namespace

Sandbox::Sandbox(engine::Renderer& renderer, engine::Ui& ui, std::unique_ptr<Session> session,
                 const Settings& settings, bool hints_wanted)
    : renderer_(renderer),
      ui_(ui),
      session_(std::move(session)),
      bridge_(renderer),
      hints_wanted_(hints_wanted),
      build_([this](const std::string& title) { show_exhausted_memory(title); }),
      save_([this](const std::string& title) { show_exhausted_memory(title); }) {
    state_.dark = settings.dark;
    state_.sound = settings.sound;
    state_.headset.haptics = settings.haptics;
    state_.headset.seated = settings.seated;
    hints_seen_ = settings.hints_seen;
    saved_scale_ = settings.scale;
    use_scale(settings.scale > 0 ? static_cast<float>(settings.scale) : 1.0f);
    state_.hands = {settings.hand_filter, settings.stroke_lead,
                    static_cast<PressureFrom>(settings.pressure_from)};
    enter_scope();
    begin_run();
    camera_.frame(session_->scene().camera());
    state_.hint = hints_wanted_ && !hints_seen_.contains(session_->descriptor().id);
    software_ = engine::Renderer::is_software();
    if (software_) {
        renderer_.set_samples(0);
        resolution_ = kMinResolution;  // quick first frames; adapt_resolution() raises it if there is time
        renderer_.set_resolution(resolution_);
    }
    frame_start_ = engine::now_seconds();
    clock_.start({frame_start_, engine::thread_seconds()});
}

Settings Sandbox::settings() const {
    Settings s;
    const collision::WorldSettings world = session_->settings();
    s.scene = session_->descriptor().id;
    s.algorithm = world.pair_algorithm->id;
    s.broad_phase = world.broad_phase->id;
    s.dark = state_.dark;
    s.sound = state_.sound;
    s.haptics = state_.headset.haptics;
    s.seated = state_.headset.seated;
    s.hand_filter = state_.hands.filter;
    s.stroke_lead = state_.hands.lead;
    s.pressure_from = static_cast<int>(state_.hands.pressure);
    s.scale = wanted_scale_ == first_scale_ ? saved_scale_ : static_cast<double>(wanted_scale_);
    s.hints_seen = hints_seen_;
    return s;
}

void Sandbox::lap(Stage stage) {
    clock_.lap(times_, stage, {engine::now_seconds(), engine::thread_seconds()});
}

void Sandbox::update_layout(int width, int height) {
    width_ = width;
    height_ = height;
    // Limit the scale, so that panels never cover the whole window.
    const float max_scale = std::min(static_cast<float>(width) / 640.0f, static_cast<float>(height) / 360.0f);
    // Each new scale rebuilds the font, so it must not oscillate.
    ui_.set_scale(in_headset_ ? kBoardScale
                              : std::min(wanted_scale_, std::max(engine::kMinScale, max_scale)));
    ui_.set_dark(state_.dark);
    const auto w = static_cast<float>(width), h = static_cast<float>(height);
    area_ = state_.hidden ? FreeArea{0, 0, w, h} : FreeArea{ui_.px(80), 0, w - ui_.px(328), h - ui_.px(56)};
    if (state_.lesson && !state_.lesson_folded)  // the scene is beside it
        area_.x0 += ui_.px(lesson_room((area_.x1 - area_.x0) / ui_.scale()));
    view_camera_ = camera_.data(width, height, ui_.scale(), area_);
}

void Sandbox::frame(int width, int height, double dt, std::optional<unsigned> framebuffer) {
    in_headset_ = false;
    use_build();
    update_layout(width, height);
    ui_.begin(width, height, dt);
    devices_.update(ui_.input(), width, height, ui_.time());
    handle_devices();
    repeat_step_keys(dt);
    show_keys_on_hold(dt);
    take_drops();
    if (state_.help || state_.finder.open) ui_.capture_mouse();  // nothing behind them reacts
    drag_with_keys(dt);
    move_camera(dt);
    click();
    take_clicks();
    lap(Stage::input);
    step_session(dt);
    view_camera_ = camera_.data(width, height, ui_.scale(), area_);
    ViewOptions options = state_.view;
    options.show_hint = state_.hint && !state_.help;
    options.ghosts = !hand_moment(0).by_mouse;  // nobody tracks the hand of a mouse
    const ViewSetup setup{view_camera_, width,     height,   ui_.scale(),
                          state_.dark,  selected_, partner_, state_.trace.on};
    bridge_.show_inside(state_.broad);
    build_picture(options, setup);
    inspector_.look_at(looking_);
    inspector_.look_from(view_camera_);
    inspector_.inspect(*session_, bridge_, selected_, partner_, state_.trace, inspection_);
    bridge_.add_marks(inspector_.marks(), setup);
    report_bodies(setup);
    lap(Stage::view);
    if (framebuffer) draw(*framebuffer);
    lap(Stage::draw);
    intervals_.clear();
    if (state_.broad.moved && !bridge_.boxes().entries().empty())
        intervals_.push_back(intervals_inset(bridge_.boxes()));
    draw_panels(ui_, model(), state_, requests_);
    compare();
    ui_.show_cursor(!hand_active() || ui_.input().over_panel);
    framebuffer ? ui_.end() : ui_.end_without_drawing();
    lap(Stage::panels);
    carry_out(requests_);
    continue_turntable();
    continue_film();
    watch_for_rest();
    lap(Stage::input);
}

void Sandbox::draw(unsigned framebuffer) {
    renderer_.draw(bridge_.list(), {width_, height_, ui_.scale()}, framebuffer);
}

/// A picture may lack something without any other sign of it.
void Sandbox::watch_opengl() {
    constexpr double kEvery = 1;  // seconds: asking can make the processor wait for the graphics card
    if (ui_.time() < next_opengl_check_) return;
    next_opengl_check_ = ui_.time() + kEvery;
    const std::string errors = engine::take_opengl_errors();
    if (errors.empty() || std::exchange(opengl_failed_, true)) return;
    show_message(errors + ". The picture may be wrong. A smaller window or fewer polygons need less memory");
}

void Sandbox::finish_frame() {
    watch_opengl();
    lap(Stage::wait);
    keep_clay();
    // One reading ends the last stage and the frame: else the stages would not add up if this thread were
    // interrupted between two readings.
    const Instant now{engine::now_seconds(), engine::thread_seconds()};
    clock_.lap(times_, Stage::scene, now);
    times_.total = now.wall - frame_start_;
    const collision::PassStats& pass = session_->report().pass;
    if (software_ && !in_headset_) adapt_resolution();  // in a headset, ResolutionGovernor does it
    times_.broad = pass.seconds_broad;
    times_.narrow = pass.seconds_narrow;
    times_.pass = pass.seconds_total;
    times_.alone = pass.seconds_total * estimated_speed_up(pass);
    history_.add(now.wall, times_, counts_of_pass());
    times_ = {};
    frame_start_ = now.wall;
    clock_.start(now);
}

void Sandbox::draw_finely() {
    software_ = false;
    renderer_.set_samples(4);
    renderer_.set_resolution(1);
}

void Sandbox::adapt_resolution() {
    slow_ = times_.total > kSlowFrame ? slow_ + 1 : 0;
    quick_ = times_.total < kQuickFrame ? quick_ + 1 : 0;
    if (slow_ < kSlowInARow && quick_ < kQuickInARow) return;
    resolution_ =
        std::clamp(resolution_ + (slow_ > 0 ? -kResolutionStep : kResolutionStep), kMinResolution, 1.0f);
    renderer_.set_resolution(resolution_);
    slow_ = quick_ = 0;
}

PanelModel Sandbox::model() {
    PanelModel m;
    m.session = session_.get();
    if (build_.running())
        m.build = {build_.title(), build_.seconds(), "The scene stays as it is.", parameters_with_build()};
    else if (save_.running())
        m.build = {save_.title(), save_.seconds(), "No file is written.", {}};
    m.history = &history_;
    m.past = past_model();
    m.events = looking_ ? &past_events_ : &events_;
    m.strip_events = looking_ ? &kept_events_ : &events_;
    m.inspection = &inspection_;
    if (state_.object_open) m.object = &object_;
    m.probe = &probed_;
    m.asked = &asked_;
    m.check = &check_;
    m.tumble = &tumble_;
    m.heat = &heat_;
    m.labels = bridge_.labels();
    m.insets = bridge_.view().insets;
    m.step_insets = inspector_.marks().insets;
    m.interval_insets = intervals_;
    m.discs = bridge_.discs();
    m.structure = bridge_.structure();
    m.lessons = lessons_;
    m.devices = &devices_.logical();
    m.network = devices_.network();
    for (std::size_t side = 0; side < 2; ++side) m.hand_sources[side] = hand_selectors_[side].source();
    m.headset = headset_;
    if (ui_.time() < message_until_) m.message = message_;
    m.leftover = !leftovers_.empty();
    return m;
}

std::string Sandbox::report() {
    return report_text(ui_, model(), state_);
}

void Sandbox::show_message(std::string message) {
    message_ = std::move(message);
    message_until_ =
        ui_.time() + std::max(kMinMessageSeconds, kSecondsPerLetter * static_cast<double>(message_.size()));
}

void Sandbox::show_exhausted_memory(const std::string& title) {
    show_message(title + ": not enough memory. Nothing was changed");
}

void Sandbox::show_error(const collision::Status& status) {
    if (!status.ok()) show_message(status.error().text());
}

/// Names the file without its folders: the user has just chosen it, and the message is short.
void Sandbox::show_file_error(collision::Error error) {
    error.file = engine::text_of(engine::path_of(error.file).filename());
    show_message(error.text());
}

void Sandbox::step_session(double dt) {
    if (film_) return;
    if (branch_) return advance_branch();
    if (looking_ && !pending_actions_.empty()) {
        pending_actions_.clear();
        refuse_in_past("undo and other actions of the scene");
    }
    if (state_.paused) {
        accumulator_ = 0;
        for (SteadyHand& hand : steady_hands_) hand.reset();
        // Undo, reset and edits also work while paused. A scene with edits then stands still.
        const bool edits = session_->descriptor().edits != EditSupport::none;
        if (!pending_actions_.empty() || edits_wait()) one_step(true, edits);
        return;
    }
    accumulator_ = std::min(accumulator_ + dt * state_.speed, kMaxSteps * kStepSeconds + 1e-9);
    for (bool first = true; accumulator_ >= kStepSeconds && !state_.paused; first = false) {
        accumulator_ -= kStepSeconds;
        one_step(first);
    }
}

void Sandbox::one_step(bool first, bool frozen) {
    StepInput input;
    input.dt = kStepSeconds;
    input.hand = hands(first);
    input.actions.swap(pending_actions_);
    add_edits(input, frozen);
    input.program = program_values(state_);
    log_.before_step(*session_, input);
    if (recorder_) recorder_->before_step(*session_, input);
    const FrameReport& report = session_->step(std::move(input));
    const PassNotes passes = take_passes(*session_);
    log_.after_step(passes);
    if (recorder_) recorder_->after_step(passes);
    // The pass runs within the step unless the module is concurrent.
    const double before = times_[Stage::scene];
    lap(Stage::scene);
    if (!session_->settings().concurrent) {
        const double collide = std::min(report.pass.seconds_total, times_[Stage::scene] - before);
        times_[Stage::scene] -= collide;
        times_[Stage::collide] += collide;
        times_.work -= std::min(collide, times_.work);
    }
    keep_frame();
    collect_output();
    pause_for_lesson();
    if (std::exchange(select_newest_, false) && session_->scene().newest_body() != collision::kNoIndex)
        select(session_->scene().newest_body(), false);
}

void Sandbox::collect_output() {
    const StepOutput output = session_->output();  // commands may replace the session
    const double time = static_cast<double>(session_->frame()) * kStepSeconds;
    for (const SceneEvent& e : output.events) {
        events_.push_back({time, e.kind, e.text});
        give_feedback(e);
        const bool says = e.kind == SceneEvent::Kind::refused || e.kind == SceneEvent::Kind::edited;
        if (says && session_->descriptor().edits != EditSupport::none) show_message(e.text);
        const bool by_hand = e.kind == SceneEvent::Kind::fired || e.kind == SceneEvent::Kind::dented ||
                             e.kind == SceneEvent::Kind::taken;
        if (by_hand && hand_active()) complete_hint();
    }
    while (events_.size() > kMaxEvents) events_.pop_front();
    for (const Command& command : output.commands) carry_out(command);
}

/// Plays the event's sound and vibration. A controller plays one vibration at a time: the strongest of the
/// frame.
void Sandbox::give_feedback(const SceneEvent& event) {
    const EventFeedback feedback = feedback_of(event.kind);
    if (state_.sound && feedback.click) clicks_.play(*feedback.click);
    if (!in_headset_ || !state_.headset.haptics || event.hand == Side::none) return;
    Buzz& pending = buzzes_[static_cast<std::size_t>(event.hand)];
    if (feedback.buzz.strength > pending.strength) pending = feedback.buzz;
}

void Sandbox::complete_hint() {
    if (!state_.hint) return;
    state_.hint = false;
    hints_seen_.insert(session_->descriptor().id);
    show_message("Done. " + key_of("help") + " shows all keys.");
}

/// Settings take effect in the next pass, so a change while paused has no visible effect yet.
void Sandbox::announce_delayed_effect() {
    if (looking_)
        show_message("The change takes effect when you continue from the past, key " + key_of("pause"));
    else if (state_.paused)
        show_message("Paused: the change takes effect with the next step, key " + key_of("step"));
}

/// `text`: "theme=dark".
void Sandbox::set_program_choice(const std::string& text) {
    collision::ParameterValues values = program_values(state_);
    if (const collision::Status set = set_by_name(program_parameters(), text, values); !set)
        return show_error(set);
    const double size = state_.headset.zoom;
    set_program_values(values, state_);
    if (state_.headset.zoom != size) recentre_ = Recentre::position;
}

void Sandbox::carry_out(const Command& command) {
    switch (command.kind) {
        case Command::Kind::scene:
            switch_scene(command.text);
            return;
        case Command::Kind::pause:
            state_.paused = command.text == "toggle" ? !state_.paused : command.text == "on";
            // The hand that pressed the key is paused, too, so the user needs another way to resume.
            if (state_.paused) show_message("Paused: " + key_of("pause") + " resumes");
            return;
        case Command::Kind::step:
            if (state_.paused) return step_on();
            state_.paused = true;
            show_message("Paused: " + key_of("step") + " runs one more step, " + key_of("pause") +
                         " resumes");
            return;
        case Command::Kind::restart:
            return rebuild();
        case Command::Kind::program:
            return set_program_choice(command.text);
        case Command::Kind::set_parameter:
            return set_parameter(command.text);
        default:
            break;
    }
    const collision::WorldSettings before = session_->settings();
    show_error(session_->apply(command));
    const collision::WorldSettings after = session_->settings();
    const bool switched =
        before.pair_algorithm != after.pair_algorithm || before.broad_phase != after.broad_phase ||
        before.concurrent != after.concurrent || before.exactness != after.exactness ||
        before.parallel != after.parallel || before.workers != after.workers ||
        before.pair_parameters != after.pair_parameters ||
        before.broad_parameters != after.broad_parameters ||
        before.bound_parameters != after.bound_parameters || module_values(before) != module_values(after);
    if (!switched) return;
    history_.mark(engine::now_seconds(), "Switched");
    announce_delayed_effect();
    if (!session_->descriptor().uses_hand) complete_hint();
}

void Sandbox::carry_out(const PanelRequests& r) {
    if (r.settings) {
        session_->set_settings(*r.settings);
        history_.mark(engine::now_seconds(), "Changed");
        announce_delayed_effect();
    }
    edit_devices(r);
    if (r.parameter) set_parameter(r.parameter->first, r.parameter->second);
    pending_actions_.insert(pending_actions_.end(), r.actions.begin(), r.actions.end());
    if (r.edit) edit(*r.edit);
    if (r.partner) select(*r.partner, true);
    if (r.look_at) look_at(*r.look_at);
    if (r.return_to_now) return_to_now();
    if (r.cancel_branch) branch_.reset();
    if (r.cancel_build) cancel_build();
    if (r.toggle_pause) toggle_pause();
    if (r.step) step_on();
    if (r.step_back) step_back();
    if (r.dismiss_hint) {
        state_.hint = false;
        hints_seen_.insert(session_->descriptor().id);
    }
    if (!r.export_ending.empty()) export_clay(r.export_ending);
    if (r.continue_leftover) continue_leftover();
    if (r.discard_leftover) discard_leftover();
    if (r.turntable) start_turntable();
    if (!r.film_ending.empty()) start_film(r.film_ending);
    if (r.save_hardest) save_hardest_pair();
    if (r.save_scene) save_scene();
    if (r.copy_scene) copy_scene();
    carry_out_comparisons(r);
    if (r.recentre) recentre_ = r.recentre;
    if (r.rest_hands) rest_hands_here();
    if (r.lesson) start_lesson(*r.lesson);
    if (r.close_lesson) state_.lesson.reset();
    for (const KeyAction action : r.keys) act(action);
    if (r.frame_scene) camera_.frame(session_->scene().camera());
    if (r.restart) rebuild();
    for (const Command& command : r.commands) carry_out(command);
    if (r.seed) {
        SessionOptions options = current_options();
        options.seed = options.settings.seed = *r.seed;
        replace_session(options);
    }
}

collision::Status Sandbox::start_recording(const std::filesystem::path& file) {
    auto started = Recorder::start(file, *session_);
    if (!started) return started.error();
    recorder_ = std::move(started).value();
    recorded_ = {file};
    return collision::Done{};
}

void Sandbox::record_next() {
    const std::filesystem::path& first = recorded_.front();
    std::filesystem::path file;
    std::error_code code;
    std::size_t number = recorded_.size() + 1;
    do {  // a file of an earlier run stays
        file = first;
        file.replace_filename(engine::path_of(engine::text_of(first.stem()) + "-" + std::to_string(number++) +
                                              engine::text_of(first.extension())));
    } while (std::filesystem::exists(file, code));
    auto started = Recorder::start(file, *session_);
    if (!started) return show_error(started.error());
    recorder_ = std::move(started).value();
    recorded_.push_back(file);
    show_message("Each scene has a recording of its own: this one is " + engine::text_of(file.filename()));
}

collision::Status Sandbox::finish_recording() {
    const std::unique_ptr<Recorder> recorder = std::move(recorder_);
    return recorder ? recorder->finish(*session_) : collision::Status(collision::Done{});
}

void Sandbox::forget_hands() {
    mouse_hand_ = {};
    hand_selectors_ = {};
    steady_hands_ = {};
    pointer_lead_.reset();
    poke_ = {};
}

void Sandbox::export_clay(const std::string& ending) {
    if (refuse_in_past("export")) return;
    const ExportMesh clay = session_->scene().export_mesh();
    if (!clay.topology || !clay.positions) return;
    std::error_code code;
    constexpr double kForever = 1e6;  // seconds
    save_.finish(kForever);           // both files are wanted
    save_.start("Saving the clay", [this, copy = std::make_shared<ExportCopy>(clay), ending,
                                    folder = std::filesystem::current_path(code)](const auto& cancelled) {
        return
            [this, message = save_mesh(copy->mesh(), folder, ending, cancelled)] { show_message(message); };
    });
    if (patience_ >= 0) save_.finish(patience_);
}

SessionOptions Sandbox::current_options() const {
    SessionOptions options = session_->options();
    options.settings = session_->settings();
    return options;
}

/// The options for others, with the bodies as they are now.
SessionOptions Sandbox::shared_options() const {
    SessionOptions options = current_options();
    if (session_->descriptor().edits == EditSupport::all) options.bodies = session_->scene().bodies();
    return options;
}

void Sandbox::save_scene() {
    const std::string text = scene_file_text(shared_options());
    std::string message = save_here("claybox-", kSceneFileEnding, text);
    if (!has_writable_meshes(session_->options())) message += ". It names no mesh: drop the mesh files again";
    show_message(std::move(message));
}

void Sandbox::copy_scene() {
    ui_.copy_text(scene_command(shared_options()));
    show_message("The command is in the clipboard");
}

}  // namespace claybox::app
