#pragma once
// Every logical device that the sandbox asks for, in one table: the loop obeys it, the help overlay and the
// Devices card draw it, and `claybox list device` prints it.

#include "engine/input/logical_devices.hpp"

#include <filesystem>

namespace claybox::app {

enum class KeyAction : unsigned char {
    none,
    help,
    hide,
    pause,
    step,
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
    undo
};

/// Devices are numbered in this order.
std::span<const engine::DeviceDeclaration> app_devices();
/// What a device does when it is pressed; none for those that are asked while they are held.
KeyAction action_of(std::size_t device);

/// A row of the help overlay.
struct HelpRow {
    std::string keys;  ///< as they are mapped now, for people
    const char* effect = "";
};
std::vector<HelpRow> help_rows(const engine::LogicalDevices& devices);

/// "keyboard.ctrl+z | gamepad.x" for people: "Ctrl+Z or gamepad x".
std::string mapping_words(std::string_view mapping);
/// The first of them, for short hints: "Ctrl+Z". As it is declared where there are no devices.
std::string first_key(const engine::LogicalDevices* devices, std::string_view name);
/// What a device says now, in few letters: "down", "0.25", "not there".
std::string reading_words(engine::DeviceClass type, const engine::Reading& reading);

/// What the command line says about devices.
struct DeviceOptions {
    std::filesystem::path map;  ///< for this run, in place of the one in the settings folder; empty for none
    std::filesystem::path track;         ///< played from the start on
    std::filesystem::path record_track;  ///< written at the end
    int osc_port = -1;                   ///< negative: no network
    bool osc_any = false;                ///< from other machines, too
};

}  // namespace claybox::app
