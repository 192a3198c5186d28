#include "app/bridge/loop/sandbox_loop.hpp"

#include "app/bridge/devices/raster_device.hpp"
#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/paths.hpp"
#include "engine/files/write_file.hpp"
#include "engine/platform/gamepads.hpp"

#include <cstdlib>
#include <new>
#include <sstream>

namespace claybox::app {
namespace {

constexpr double kReportEvery = 0.25;  // seconds

/// Session options of the command line, completed from the settings file.
SessionOptions session_options(const SandboxOptions& options, const Settings& saved) {
    SessionOptions out = options.session;
    if (options.scene_given) return out;
    const SceneDescriptor* scene = find_scene(saved.scene);
    if (scene && out.meshes.empty()) {  // the meshes of --mesh are placed for the default scene already
        if (out.scene != scene->id) out.scene_parameters = collision::default_values(scene->parameters);
        out.scene = scene->id;
    }
    const collision::PairAlgorithm* pair = collision::find_pair_algorithm(saved.algorithm);
    const bool default_pair = out.settings.pair_algorithm == collision::default_settings().pair_algorithm;
    if (pair && default_pair && pair != out.settings.pair_algorithm) {
        out.settings.pair_algorithm = pair;
        out.settings.pair_parameters = collision::default_values(pair->parameters);
    }
    const collision::BroadPhaseDescriptor* broad = collision::find_broad_phase(saved.broad_phase);
    const bool default_broad = out.settings.broad_phase == collision::default_settings().broad_phase;
    if (broad && default_broad && broad != out.settings.broad_phase) {
        out.settings.broad_phase = broad;
        out.settings.broad_parameters = collision::default_values(broad->parameters);
    }
    return out;
}

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
    const auto save = [&](const std::filesystem::path& path, std::string& problem) {
        return save_window(path, width, height, problem);
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

/// Without the device, queries use the software rasteriser; so its absence is only a log line.
void offer_raster_device(Desktop& desktop) {
    std::string error;
    desktop.raster = make_gl_raster_device(error);
    if (desktop.raster)
        desktop.raster_scope.emplace(*desktop.raster);
    else
        print_problem("depth pictures are drawn in software: " + error);
}

/// Loads the saved map. Reports an unreadable map, and lines that are not valid in this run; both stay in the
/// file.
void open_saved_map(InputDevices& devices) {
    const std::filesystem::path folder = engine::config_folder();
    if (folder.empty()) return;
    std::string report;
    if (!devices.use_saved_map(folder / "devices.txt", report))
        return print_problem(report + "; using the default devices, changes will not be saved");
    if (report.empty()) return;
    print_problem("saved device mappings that are not valid in this run:");
    std::istringstream lines(report);
    for (std::string line; std::getline(lines, line);) print_problem(line);
}

/// Opens track, port and map. False with a sentence in `error`.
bool open_devices(const DeviceOptions& options, InputDevices& devices, std::string& error) {
    if (!devices.open(options, error)) return false;
    if (devices.network().open)
        log(LogLevel::info, "receiving OSC at port " + std::to_string(devices.network().port));
    if (!options.map.empty()) return devices.load_map(options.map, error);
    open_saved_map(devices);
    return true;
}

/// False with a sentence in `error`.
bool open_desktop(const SandboxOptions& options, const Settings& settings, Desktop& desktop,
                  std::string& error) {
    engine::WindowOptions window;
    window.width = options.width > 0 ? options.width : settings.width;
    window.height = options.height > 0 ? options.height : settings.height;
    desktop.window = engine::Window::create(window, error);
    if (!desktop.window) return false;
    desktop.renderer = engine::Renderer::create(error);
    if (!desktop.renderer) return false;
    desktop.ui = engine::Ui::create(desktop.window->handle(), error);
    if (!desktop.ui) return false;
    offer_raster_device(desktop);
    auto session = Session::create(session_options(options, settings));
    if (!session.ok()) {
        error = session.error().text();
        return false;
    }
    desktop.sandbox = std::make_unique<Sandbox>(*desktop.renderer, *desktop.ui, std::move(session).value(),
                                                settings, options.first_run_hint);
    desktop.headset = std::make_unique<Headset>(*desktop.window, *desktop.sandbox);
    desktop.sandbox->state().headset.on = options.xr;
    const double rate = desktop.window->refresh_rate();
    if (rate > 0) desktop.sandbox->set_display_interval(1 / rate);
    const std::filesystem::path autosave = options.autosave.empty() ? autosave_folder() : options.autosave;
    if (!autosave.empty()) desktop.sandbox->start_autosave(autosave);
    std::string no_sound;
    if (!desktop.sandbox->open_sound(no_sound)) log(LogLevel::info, no_sound);
    if (options.ui_scale > 0)
        desktop.sandbox->use_scale(options.ui_scale);
    else if (settings.scale <= 0)
        desktop.sandbox->use_scale(desktop.window->content_scale());
    desktop.ui->log().enabled = !options.report.empty();
    if (!open_devices(options.devices, desktop.sandbox->devices(), error)) return false;
    if (options.record.empty()) return true;
    const collision::Status started = desktop.sandbox->start_recording(options.record);
    if (!started) error = started.error().text();
    return started.ok();
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
    Desktop& desktop = loop->desktop_;
    if (!open_desktop(options, settings, desktop, error)) return nullptr;
    if (!engine::asset_problems().empty()) desktop.sandbox->show_message(engine::asset_problems().front());
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
        // The frame ended halfway, so the scene is in no state to go on from.
        exhausted_ = ended_ = true;
    }
    return true;
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

bool SandboxLoop::rests() {
    if (should_end() || desktop_.ui->events() != events_before_rest_ ||
        !same_state(gamepad_before_rest_, engine::read_gamepad()))
        return false;
    keep_settings(keeper_, desktop_, engine::now_seconds(), false);
    return true;
}

void SandboxLoop::wake() {
    desktop_.sandbox->wake();
    last_ = engine::now_seconds();
}

int SandboxLoop::finish() {
    if (!pictured_) print_problem(no_picture_);
    if (!turned_) print_problem(no_turn_);
    if (!options_.report.empty() && reports_ && !exhausted_)
        reports_ = write_report(options_, *desktop_.sandbox);
    keep_settings(keeper_, desktop_, 0, true);
    // If nobody asked for the end, the pot stays: the next program offers it.
    if (!Interrupt::requested() && !exhausted_) desktop_.sandbox->finish_autosave();
    const bool finished = finish_outputs(*desktop_.sandbox);
    if (exhausted_) return report_exhausted_memory();
    return reports_ && pictured_ && turned_ && finished ? 0 : 2;
}

}  // namespace claybox::app
