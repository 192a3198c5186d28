#include "app/bridge/loop/desktop_parts.hpp"

#include "app/bridge/devices/raster_device.hpp"
#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "engine/files/paths.hpp"

#include <sstream>

namespace claybox::app {
namespace {

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

}  // namespace

bool Desktop::open_window(const SandboxOptions& options, const Settings& settings, std::string& error) {
    engine::WindowOptions wanted;
    wanted.width = options.width > 0 ? options.width : settings.width;
    wanted.height = options.height > 0 ? options.height : settings.height;
    window = engine::Window::create(wanted, error);
    return window != nullptr;
}

bool Desktop::open_contents(const SandboxOptions& options, const Settings& settings, std::string& error) {
    renderer = engine::Renderer::create(error);
    if (!renderer) return false;
    ui = engine::Ui::create(window->handle(), error);
    if (!ui) return false;
    offer_raster_device(*this);
    auto session = Session::create(session_options(options, settings));
    if (!session.ok()) {
        error = session.error().text();
        return false;
    }
    sandbox = std::make_unique<Sandbox>(*renderer, *ui, std::move(session).value(), settings,
                                        options.first_run_hint);
    headset = std::make_unique<Headset>(*window, *sandbox);
    sandbox->state().headset.on = options.xr;
    const double rate = window->refresh_rate();
    if (rate > 0) sandbox->set_display_interval(1 / rate);
    const std::filesystem::path autosave = options.autosave.empty() ? autosave_folder() : options.autosave;
    if (!autosave.empty()) sandbox->start_autosave(autosave);
    std::string no_sound;
    if (!sandbox->open_sound(no_sound)) log(LogLevel::info, no_sound);
    if (options.ui_scale > 0)
        sandbox->use_scale(options.ui_scale);
    else if (settings.scale <= 0)
        sandbox->use_scale(window->content_scale());
    ui->log().enabled = !options.report.empty();
    if (!open_devices(options.devices, sandbox->devices(), error)) return false;
    if (options.record.empty()) return true;
    const collision::Status started = sandbox->start_recording(options.record);
    if (!started) error = started.error().text();
    return started.ok();
}

void Desktop::close_contents() {
    headset.reset();
    sandbox.reset();
    raster_scope.reset();
    raster.reset();
    ui.reset();
    renderer.reset();
}

}  // namespace claybox::app
