#pragma once
// Scene files: what `claybox run` needs to show a scene again, as text. Every line is "name = value", where
// the names are switches of the command line and parameters; "#" at the start of a line or
// after a blank begins a comment. The same text in one line
// is a command, so that a scene can be shared in a message.

#include "app/session/session.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace claybox::app {

inline constexpr const char* kSceneFileEnding = ".scene";
inline constexpr std::uintmax_t kMaxSceneFileBytes = 4 << 20;

/// By the ending of the name.
bool is_scene_file(const std::filesystem::path& file);

/// Sets the options to what the file says, and everything else to its default. An error names file and line
/// and changes nothing. At most 4 MB. Meshes are searched relative to the file.
collision::Status read_scene_file(const std::filesystem::path& file, SessionOptions& options);

/// A kind of text file with the lines of a scene file and lines of its own.
struct SceneFileKind {
    std::string head;   ///< name of the first line, whose value is the version "1"
    const char* title;  ///< "scene", for messages
    /// Takes a line of its own, or returns nothing for a line of a scene file. An error names neither file
    /// nor line.
    std::function<std::optional<collision::Status>(const std::string& name, const std::string& value)> other;
    std::function<bool(const std::string& name)> repeats;  ///< whether a line may appear more than once
};

/// The same from the text of `file`.
collision::Status read_scene_text(const std::string& text, const std::filesystem::path& file,
                                  const SceneFileKind& kind, SessionOptions& options);

/// Whether scene_file_text() can name the files of all meshes.
bool has_writable_meshes(const SessionOptions& options);
/// In what the scene, its seed, the algorithms, their parameters and the modes differ from the defaults, in
/// lines; with the files of the meshes, and with the bodies if they are set. Left out: meshes whose files are
/// not known, the time budget, and what only the library can set.
std::string scene_file_text(const SessionOptions& options);
/// The same as a command: `claybox run --scene cage --seed 7 --set bodies=100`.
std::string scene_command(const SessionOptions& options);

}  // namespace claybox::app
