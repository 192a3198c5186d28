#pragma once
// The table of all logical devices of the sandbox. The main loop, the help overlay, the Devices card and
// `claybox list device` use it.

#include "engine/input/mapping/logical_devices.hpp"

#include <filesystem>

namespace claybox::app {

enum class KeyAction : unsigned char {
    none,
    find,
    help,
    hide,
    pause,
    step,
    step_back,
    return_to_now,
    restart,
    hand,
    fly,
    frame_scene,
    headset,
    recentre,
    theme,
    scale_up,
    scale_down,
    scale_reset,
    screenshot,
    cancel,
    quit,
    undo,
    redo,
    ask_all,
    save_pair,
    keep_run,
    export_times,
    add_body,
    duplicate_body,
    delete_body,
    probe,
    next_body,
    body_before,
    next_partner,
    partner_before
};

/// In the order of their numbers: the program's own devices, then the keys of the scenes (SceneKey). The
/// default mappings come from assets/devices/default.map, read at the first call, and from the tables of the
/// scenes; problems are reported. Without the file only Ctrl+Q and the keys of the scenes are mapped.
std::span<const engine::DeviceDeclaration> app_devices();

/// The contents of a default map.
struct DefaultMap {
    /// One per device of app_devices(). Without a valid line: that of the scene's table, else "none".
    std::vector<std::string> mappings;
    std::vector<std::string> problems;  ///< one sentence each, with file and line
};
DefaultMap read_default_map(std::string text, const std::string& file);

/// Action of a device when it is pressed; none for devices that are polled while held.
KeyAction action_of(std::size_t device);

/// "keyboard.ctrl+z | gamepad.x" as "Ctrl+Z or gamepad x".
std::string mapping_text(std::string_view mapping);
/// The first alternative of a device's mapping, for short hints: "Ctrl+Z". Uses the default mapping without
/// devices.
std::string first_key(const engine::LogicalDevices* devices, std::string_view name);
/// A device's value as short text: "down", "0.25", "inactive".
std::string reading_text(engine::DeviceClass type, const engine::Reading& reading);

/// Device options of the command line.
struct DeviceOptions {
    std::filesystem::path map;           ///< replaces the map of the settings folder for this run; empty: no
    std::filesystem::path track;         ///< played from the start
    std::filesystem::path record_track;  ///< written at the end
    int osc_port = -1;                   ///< negative: no network
    bool osc_any = false;                ///< also receive from other machines
};

}  // namespace claybox::app
