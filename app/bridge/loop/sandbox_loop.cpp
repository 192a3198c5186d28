#include "app/bridge/loop/sandbox_loop.hpp"

#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/write_file.hpp"
#include "engine/platform/gamepads.hpp"
#include "engine/xr/session/xr_session.hpp"

#include <cstdlib>
#include <new>

namespace claybox::app {
namespace {

constexpr double kReportEvery = 0.25;  // seconds
/// Memory that is exhausted again within this time after a new start would be exhausted again and again.
constexpr double kCalm = 60;  // seconds

std::filesystem::path picture_folder() {
    std::error_code code;
    const std::filesystem::path home = engine::path_in_variable("HOME"), pictures = home / "Pictures";
    if (!home.empty() && std::filesystem::is_directory(pictures, code)) return pictures;
    return std::filesystem::current_path(code);
}

/// Saves the window's picture before the swap. False with a sentence in `error`.
bool save_window(const std::filesystem::path& file, int width, int height, std::string& error) {
    return engine::write_png(file, width, height, engine::read_pixels(0, width, height), error);
}

/// Saves the picture under a new name. Returns a message: the file's name or the error.
std::string save_picture(int width, int height) {
    std::filesystem::path file;
    std::string error;
    const auto save = [&](engine::FileWriter& picture, std::string& problem) {
        return engine::write_png(picture, width, height, engine::read_pixels(0, width, height), problem);
    };
    return engine::write_new_file(picture_folder(), "claybox-", ".png", save, file, error)
               ? "Saved " + engine::text_of(file)
               : error;
}

/// Draws and saves all pictures at once. False with a sentence in `error`.
bool save_turntable(const Session& session, const TurntableOptions& options, std::string& error) {
    auto turntable = Turntable::start(session, options);
    const collision::Status drawn =
        turntable.ok() ? turntable.value()->advance(options.pictures) : collision::Status(turntable.error());
    if (!drawn.ok()) error = drawn.error().text();
    return drawn.ok();
}

void keep_settings(SettingsKeeper& keeper, const Desktop& desktop, double now, bool at_once) {
    Settings current = desktop.sandbox->settings();
    desktop.window->window_size(current.width, current.height);
    if (const std::string problem = keeper.keep(current, now, at_once); !problem.empty())
        print_problem(problem);
}

bool write_report(const SandboxOptions& options, Sandbox& sandbox) {
    std::string error;
    if (engine::write_file_atomically(options.report, sandbox.report(), error)) return true;
    print_problem(error);
    return false;
}

/// Finishes the recording and the track; a failure of one does not stop the other.
bool finish_outputs(Sandbox& sandbox) {
    const collision::Status recorded = sandbox.finish_recording();
    if (!recorded) print_problem(recorded.error().text());
    std::string error;
    const bool tracked = sandbox.devices().finish_track(error);
    if (!tracked) print_problem(error);
    return recorded.ok() && tracked;
}

bool same_state(const engine::GamepadState& a, const engine::GamepadState& b) {
    return a.present == b.present && a.button == b.button && a.axis == b.axis;
}

}  // namespace

SandboxLoop::SandboxLoop(const SandboxOptions& options, const Settings& settings,
                         const std::filesystem::path& settings_file)
    : options_(options),
      keeper_(settings_file, settings),
      start_(engine::now_seconds()),
      pictured_(options.screenshot.empty()),
      turned_(options.turntable.target.empty()) {}

std::unique_ptr<SandboxLoop> SandboxLoop::open(const SandboxOptions& options, std::string& error) {
    const std::filesystem::path file = settings_file();
    Settings settings;
    if (file.empty())
        print_problem("cannot save settings: expected a writable folder in XDG_CONFIG_HOME or HOME");
    if (!load_settings(file, settings, error)) {
        const std::filesystem::path renamed = set_aside(file);
        print_problem(error +
                      (renamed.empty() ? "" : "; the file was renamed to " + engine::text_of(renamed)));
    }
    std::unique_ptr<SandboxLoop> loop(new SandboxLoop(options, settings, file));
    engine::XrSession::silence_loader();
    Desktop& desktop = loop->desktop_;
    if (!desktop.open_window(options, settings, error)) return nullptr;
    if (!desktop.open_contents(options, settings, error)) return nullptr;
    if (!engine::asset_problems().empty()) desktop.sandbox->show_message(engine::asset_problems().front());
    desktop.window->when_display_is_lost([it = loop.get()] { it->end_without_display(); });
    loop->interrupt_.emplace();
    loop->last_ = engine::now_seconds();
    return loop;
}

bool SandboxLoop::should_end() const {
    return !reports_ || ended_ || desktop_.window->should_close() || desktop_.sandbox->wants_quit() ||
           Interrupt::requested();
}

/// At the last frame, if their number is given.
void SandboxLoop::save_final_pictures(int width, int height) {
    if (!options_.screenshot.empty())
        pictured_ = save_window(options_.screenshot, width, height, no_picture_);
    if (!options_.turntable.target.empty())
        turned_ = save_turntable(desktop_.sandbox->session(), options_.turntable, no_turn_);
}

bool SandboxLoop::frame() {
    if (should_end()) return false;
    try {
        draw_frame();
    } catch (const std::bad_alloc&) {
        start_again();
    }
    return true;
}

/// After a frame that ended halfway, the scene is in no state to go on from. The window stays.
void SandboxLoop::start_again() {
    exhausted_ = engine::now_seconds() < calm_from_;
    try {
        end_run();
    } catch (const std::bad_alloc&) {  // a recording is lost; cut_ says so at the end
    }
    try {
        if (!exhausted_) open_contents_again();
    } catch (const std::bad_alloc&) {
        exhausted_ = true;
    }
    ended_ = exhausted_ || refused_;
    last_ = engine::now_seconds();
    calm_from_ = last_ + kCalm;
}

/// Recordings end here: what follows is another run.
void SandboxLoop::end_run() {
    cut_ |= options_.frames > 0 || !options_.record.empty() || !options_.devices.record_track.empty();
    keep_settings(keeper_, desktop_, 0, true);
    finished_ &= finish_outputs(*desktop_.sandbox);
}

void SandboxLoop::open_contents_again() {
    const Settings settings = desktop_.sandbox->settings();
    SandboxOptions options = options_;
    options.session = desktop_.sandbox->current_options();
    options.scene_given = true;
    options.xr = desktop_.sandbox->state().headset.on;
    options.first_run_hint = false;
    options.record.clear();
    options.devices.record_track.clear();
    desktop_.close_contents();
    desktop_.window->set_vsync(true);
    std::string error;
    refused_ = !desktop_.open_contents(options, settings, error);
    if (refused_)
        print_problem(error);
    else
        desktop_.sandbox->show_message("The memory was exhausted: the scene has started again");
}

/// In the middle of a call of the window. Autosaved clay stays.
void SandboxLoop::end_without_display() noexcept {
    try {
        print_problem(
            "the connection to the display is broken: recordings end here, and the next window offers an "
            "autosaved pot");
        if (desktop_.sandbox != nullptr) finish_outputs(*desktop_.sandbox);
    } catch (...) {  // nothing is left to try
    }
    engine::FileWriter::remove_all_temporaries();
    std::_Exit(2);
}

void SandboxLoop::draw_frame() {
    engine::Window& window = *desktop_.window;
    Sandbox& sandbox = *desktop_.sandbox;
    window.poll();
    sandbox.devices().feed_gamepad(engine::read_gamepad());
    int width = 0, height = 0;
    window.framebuffer_size(width, height);
    const double now = engine::now_seconds();
    const bool in_headset = desktop_.headset->frame(now, width, height);
    if (!in_headset && (width <= 0 || height <= 0)) {
        window.wait(0.1);  // minimised: nothing is drawn, and the scene pauses
        return wake();
    }
    ++frames_;
    const bool final_frame = options_.frames > 0 && frames_ >= options_.frames;
    if (final_frame && !options_.screenshot.empty()) sandbox.draw_finely();
    if (!in_headset) sandbox.frame(width, height, now - last_, 0);
    last_ = now;
    if (sandbox.take_screenshot_request()) sandbox.show_message(save_picture(width, height));
    if (final_frame) save_final_pictures(width, height);
    window.swap();
    if (frames_ == 1)
        log(LogLevel::info, "first frame after " + engine::fixed(engine::now_seconds() - start_, 2) + " s");
    if (!options_.report.empty() && now >= next_report_) {
        reports_ = write_report(options_, sandbox);
        next_report_ = now + kReportEvery;
        if (!reports_ && !final_frame) no_picture_ = no_turn_ = "";  // the user has read why the window ends
    }
    keep_settings(keeper_, desktop_, now, false);
    sandbox.finish_frame();  // file output counts for this frame
    ended_ = final_frame;
}

bool SandboxLoop::may_rest() const {
    const bool counted = options_.frames > 0 || !options_.report.empty();  // somebody waits for each frame
    return !counted && !should_end() && desktop_.sandbox->may_sleep();
}

void SandboxLoop::begin_rest() {
    events_before_rest_ = desktop_.ui->events();
    gamepad_before_rest_ = engine::read_gamepad();
}

bool SandboxLoop::rests(double seconds) {
    try {
        return remains_resting(seconds);
    } catch (const std::bad_alloc&) {
        start_again();
        return false;
    }
}

bool SandboxLoop::remains_resting(double seconds) {
    if (desktop_.window->wait(seconds)) return false;
    if (should_end() || desktop_.ui->events() != events_before_rest_ ||
        !same_state(gamepad_before_rest_, engine::read_gamepad()))
        return false;
    keep_settings(keeper_, desktop_, engine::now_seconds(), false);
    return true;
}

void SandboxLoop::wake() {
    if (!ended_) desktop_.sandbox->wake();
    last_ = engine::now_seconds();
}

int SandboxLoop::finish() {
    if (exhausted_) {
        desktop_.close_contents();  // nothing in there is complete; the autosaved pot stays
        return report_exhausted_memory();
    }
    if (refused_) return 2;
    if (!pictured_ && !no_picture_.empty()) print_problem(no_picture_);
    if (!turned_ && !no_turn_.empty()) print_problem(no_turn_);
    if (cut_) print_problem("a frame ran out of memory: recordings end there, and the scene started again");
    if (!options_.report.empty() && reports_) reports_ = write_report(options_, *desktop_.sandbox);
    keep_settings(keeper_, desktop_, 0, true);
    // If nobody asked for the end, the pot stays: the next program offers it.
    if (!Interrupt::requested()) desktop_.sandbox->finish_autosave();
    finished_ &= finish_outputs(*desktop_.sandbox);
    return reports_ && pictured_ && turned_ && finished_ && !cut_ ? 0 : 2;
}

}  // namespace claybox::app
