#pragma once
// Help texts from assets/help.

#include "app/devices/app_devices.hpp"
#include "app/scenes/scene.hpp"

namespace claybox::app {

/// A row of the help overlay.
struct HelpRow {
    std::string keys, effect;
    std::vector<std::string> devices;  ///< their mappings replace `keys` where one differs from its default
};

/// Reads the table of a Markdown text: input, effect, devices. Wrong rows are left out and named in
/// `problems`, one sentence each, with file and line.
std::vector<HelpRow> parse_help(std::string_view text, const std::string& file,
                                std::vector<std::string>& problems);
/// The rows of assets/help/controls.md with the current mappings. Without the file: one row that says so.
std::vector<HelpRow> help_rows(const engine::LogicalDevices& devices);
/// The keys of a scene with their current mappings, in the order of its table.
std::vector<HelpRow> scene_help_rows(const engine::LogicalDevices& devices, const SceneDescriptor& scene);

struct SceneHint {
    std::string scene, text;
};
/// Reads the sections "## scene" of a Markdown text. The lines of a section are joined.
std::vector<SceneHint> parse_hints(std::string_view text, const std::string& file,
                                   std::vector<std::string>& problems);
/// First-run hint of a scene, from assets/help/hints.md: what to do now. Empty if the scene has none; without
/// the file a text that says so.
const std::string& scene_hint(std::string_view scene);

}  // namespace claybox::app
