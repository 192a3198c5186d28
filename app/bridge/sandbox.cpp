#include "app/bridge/sandbox.hpp"

#include "app/bridge/headset.hpp"
#include "app/bridge/raster_device.hpp"
#include "app/bridge/sandbox_app.hpp"
#include "app/cli/log.hpp"
#include "app/session/interrupt.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/platform/gamepads.hpp"
#include "engine/platform/paths.hpp"
#include "engine/platform/window.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace claybox::app {
namespace {

constexpr double kReportEvery = 0.25;  // seconds
constexpr double kSaveEvery = 2;

int fail(const std::string& sentence) {
    std::fprintf(stderr, "claybox: %s\n", sentence.c_str());
    return 2;
}

/// What the settings file says, where the command line says nothing.
SessionOptions session_options(const SandboxOptions& options, const Settings& saved) {
    SessionOptions out = options.session;
    if (options.scene_given) return out;
    const SceneDescriptor* scene = find_scene(saved.scene);
    if (scene && (out.meshes.empty() || scene->takes_meshes)) {  // else the meshes would not be seen
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
    if (const char* home = std::getenv("HOME")) {
        const std::filesystem::path pictures = std::filesystem::path(home) / "Pictures";
        if (std::filesystem::is_directory(pictures, code)) return pictures;
    }
    return std::filesystem::current_path(code);
}

std::filesystem::path free_name(const std::filesystem::path& folder) {
    std::error_code code;
    for (int number = 1;; ++number) {
        const std::filesystem::path file = folder / ("claybox-" + std::to_string(number) + ".png");
        if (number > 9999 || !std::filesystem::exists(file, code)) return file;
    }
}

/// The picture of the window before it is swapped; a sentence that says where it went, or what went wrong.
std::string save_window(const std::filesystem::path& file, int width, int height) {
    std::string error;
    if (!engine::write_png(file, width, height, engine::read_pixels(0, width, height), error)) return error;
    return "Saved " + file.string();
}

/// Everything that lives as long as the window, made in this order.
struct Desktop {
    std::unique_ptr<engine::Window> window;
    std::unique_ptr<engine::Renderer> renderer;
    std::unique_ptr<engine::Ui> ui;
    std::unique_ptr<collision::RasterDevice> raster;  ///< for queries on this thread; null without one
    std::optional<collision::RasterDeviceScope> raster_scope;
    std::unique_ptr<Sandbox> sandbox;
    std::unique_ptr<Headset> headset;
};

/// Queries that want it fall back to the software twin, so that its absence is worth a line and no more.
void offer_raster_device(Desktop& desktop) {
    std::string error;
    desktop.raster = make_gl_raster_device(error);
    if (desktop.raster)
        desktop.raster_scope.emplace(*desktop.raster);
    else
        std::fprintf(stderr, "claybox: depth pictures are drawn in software: %s\n", error.c_str());
}

/// A kept map that cannot be read is told, and left as it is; so are lines of it that do not hold in this
/// run.
void open_kept_map(InputDevices& devices) {
    const std::filesystem::path folder = engine::config_folder();
    if (folder.empty()) return;
    std::string told;
    if (!devices.use_kept_map(folder / "devices.txt", told))
        std::fprintf(stderr, "claybox: %s; devices are as they come, and changes to them are not kept\n",
                     told.c_str());
    else if (!told.empty())
        std::fprintf(stderr, "claybox: kept lines that do not hold in this run:\n%s\n", told.c_str());
}

/// Track, port and map. False with a sentence in `error`.
bool open_devices(const DeviceOptions& options, InputDevices& devices, std::string& error) {
    if (!devices.open(options, error)) return false;
    if (devices.network().open)
        log(LogLevel::info, "OSC is received at port " + std::to_string(devices.network().port));
    if (!options.map.empty()) return devices.load_map(options.map, error);
    open_kept_map(devices);
    return true;
}

/// False with a sentence in `error`.
bool open_desktop(const SandboxOptions& options, const Settings& settings, Desktop& desktop,
                  std::string& error) {
    engine::WindowOptions wish;
    wish.width = options.width > 0 ? options.width : settings.width;
    wish.height = options.height > 0 ? options.height : settings.height;
    desktop.window = engine::Window::create(wish, error);
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
    std::string silent;
    if (!desktop.sandbox->open_sound(silent)) log(LogLevel::info, silent);
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

/// Writes settings when they changed, at most every other second, and at the end.
class SettingsKeeper {
  public:
    SettingsKeeper(std::filesystem::path file, const Settings& saved)
        : file_(std::move(file)), saved_(saved) {}
    void keep(const Desktop& desktop, double now, bool at_once) {
        if (!at_once && now < next_) return;
        next_ = now + kSaveEvery;
        Settings current = desktop.sandbox->settings();
        desktop.window->window_size(current.width, current.height);
        if (current == saved_) return;
        std::string error;
        if (!save_settings(file_, current, error) && !complained_) {
            std::fprintf(stderr, "claybox: settings are not kept: %s\n", error.c_str());
            complained_ = true;
        }
        saved_ = current;
    }

  private:
    std::filesystem::path file_;
    Settings saved_;
    double next_ = 0;
    bool complained_ = false;
};

bool write_report(const SandboxOptions& options, Sandbox& sandbox) {
    std::string error;
    if (engine::write_file_atomically(options.report, sandbox.report(), error)) return true;
    std::fprintf(stderr, "claybox: %s\n", error.c_str());
    return false;
}

/// Puts what was recorded in its place.
int finish(Sandbox& sandbox) {
    const collision::Status recorded = sandbox.finish_recording();
    std::string error;
    if (!sandbox.devices().finish_track(error)) return fail(error);
    return recorded ? 0 : fail(recorded.error().text());
}

void read_devices(engine::Window& window, Sandbox& sandbox) {
    window.poll();
    sandbox.devices().feed_gamepad(engine::read_gamepad());
}

int run_loop(const SandboxOptions& options, Desktop& desktop, SettingsKeeper& keeper, double start) {
    engine::Window& window = *desktop.window;
    Sandbox& sandbox = *desktop.sandbox;
    const Interrupt interrupt;
    double last = engine::now_seconds(), next_report = 0;
    for (std::uint64_t frame = 1; !window.should_close() && !sandbox.wants_quit() && !Interrupt::requested();
         ++frame) {
        read_devices(window, sandbox);
        int width = 0, height = 0;
        window.framebuffer_size(width, height);
        const double now = engine::now_seconds();
        const bool in_headset = desktop.headset->frame(now, width, height);
        if (!in_headset && (width <= 0 || height <= 0)) {
            window.wait(0.1);  // minimised: nothing can be drawn, and time stands still
            last = engine::now_seconds();
            continue;
        }
        const bool final_frame = options.frames > 0 && frame >= options.frames;
        if (final_frame && !options.screenshot.empty()) sandbox.draw_finely();
        if (!in_headset) sandbox.frame(width, height, now - last, 0);
        last = now;
        if (sandbox.take_screenshot_request())
            sandbox.say(save_window(free_name(picture_folder()), width, height));
        if (final_frame && !options.screenshot.empty()) save_window(options.screenshot, width, height);
        window.swap();
        if (frame == 1)
            log(LogLevel::info,
                "first frame after " + engine::fixed(engine::now_seconds() - start, 2) + " s");
        if (!options.report.empty() && now >= next_report) {
            if (!write_report(options, sandbox)) return 2;
            next_report = now + kReportEvery;
        }
        keeper.keep(desktop, now, false);
        sandbox.finish_frame();  // files are no work of the next one
        if (final_frame) break;
    }
    if (!options.report.empty()) write_report(options, sandbox);
    keeper.keep(desktop, 0, true);
    return finish(sandbox);
}

/// What cannot be read may be somebody's own work: it is not written over.
void put_aside(const std::filesystem::path& file, const std::string& error) {
    std::filesystem::path aside = file;
    aside += ".unread";
    std::error_code code;
    if (std::filesystem::is_regular_file(file, code)) std::filesystem::rename(file, aside, code);
    const bool moved = !code && std::filesystem::exists(aside, code);
    std::fprintf(stderr, "claybox: %s%s\n", error.c_str(),
                 moved ? (", and the file is now " + aside.string()).c_str() : "");
}

}  // namespace

int run_sandbox(const SandboxOptions& options) {
    const double start = engine::now_seconds();
    const std::filesystem::path file = settings_file();
    Settings settings;
    std::string error;
    if (file.empty())
        std::fprintf(stderr,
                     "claybox: settings are not kept: neither XDG_CONFIG_HOME nor HOME names a folder that "
                     "can be written\n");
    if (!load_settings(file, settings, error)) put_aside(file, error);
    Desktop desktop;
    if (!open_desktop(options, settings, desktop, error)) return fail(error);
    SettingsKeeper keeper(file, settings);
    return run_loop(options, desktop, keeper, start);
}

}  // namespace claybox::app
