// Reads arbitrary bytes as one of the text files that a person may have written. The first byte selects it:
// 's' scene file, 'l' lesson, 'r' recording, 't' track of devices, 'g' settings, anything else a device map.
// A reader must return an error with a message or a value that can be written; what is written must be read
// again as the same.

#include "app/cli/files/lesson_file.hpp"
#include "app/cli/files/scene_file.hpp"
#include "app/cli/files/settings_file.hpp"
#include "app/session/recording.hpp"
#include "engine/input/mapping/device_map.hpp"
#include "engine/input/sources/track.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace claybox::fuzz {

namespace {

/// Readers of recordings and lessons take files: one of this process, deleted at its end.
class TextFile {
  public:
    explicit TextFile(std::string_view text)
        : path_(std::filesystem::temp_directory_path() / ("claybox_fuzz_" + std::to_string(getpid()))) {
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~TextFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

void scene_file(std::string_view text) {
    const app::SceneFileKind kind{"claybox_scene", "scene", nullptr, nullptr};
    app::SessionOptions options;
    const auto read = app::read_scene_text(std::string(text), "fuzz.scene", kind, options);
    if (!read) return require(!read.error().text().empty(), "an error without a message");
    if (!app::has_writable_meshes(options)) return;
    const std::string written = app::scene_file_text(options);
    app::SessionOptions again;
    const auto reread = app::read_scene_text(written, "fuzz.scene", kind, again);
    require(reread.ok(), "a scene that was written cannot be read");
    require(app::scene_file_text(again) == written, "a scene changes when it is written and read");
}

void lesson(std::string_view text) {
    const TextFile file(text);
    const auto read = app::read_lesson(file.path());
    if (!read) require(!read.error().text().empty(), "an error without a message");
}

void recording(std::string_view text) {
    const TextFile file(text);
    const auto read = app::read_recording(file.path());
    if (!read) require(!read.error().text().empty(), "an error without a message");
}

void track(std::string_view text) {
    engine::TrackSource source;
    std::string error;
    if (!source.load(text, "fuzz.track", error)) return require(!error.empty(), "an error without a message");
    require(source.seconds() >= 0, "a track of negative length");
    for (int i = 0; i <= 4; ++i) source.update(0.25 * i * source.seconds());
}

void settings(std::string_view text) {
    const auto read = app::read_settings_text(text);
    if (!read) return require(!read.error().text().empty(), "an error without a message");
    const app::Settings& s = read.value();
    require(s.width >= 320 && s.width <= 16384 && s.height >= 240 && s.height <= 16384, "a wild window");
    require(s.pressure_from >= 0 && s.scale >= 0 && s.scale <= 3, "a wild number");
    const auto again = app::read_settings_text(app::settings_text(s));
    require(again.ok(), "settings that were written cannot be read");
    require(again.value() == s, "settings change when they are written and read");
}

void device_map(std::string_view text) {
    std::vector<engine::MapLine> lines;
    std::size_t line = 0;
    std::string error;
    const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    if (!engine::parse_map(text, lines, line, error)) {
        require(!error.empty(), "an error without a message");
        return require(line >= 1 && line <= count, "an error in a line that does not exist");
    }
    require(lines.size() <= count, "more entries than lines");
    for (const engine::MapLine& entry : lines) {
        std::vector<engine::MapTerm> terms;
        require(engine::parse_mapping(entry.mapping, terms, error),
                "a mapping that is right only in its line");
        require(terms.size() == entry.terms.size(), "a mapping has other terms than its line");
    }
}

void run(std::string_view bytes) {
    const char format = bytes.empty() ? 'd' : bytes.front();
    bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));
    switch (format) {
        case 's':
            return scene_file(bytes);
        case 'l':
            return lesson(bytes);
        case 'r':
            return recording(bytes);
        case 't':
            return track(bytes);
        case 'g':
            return settings(bytes);
        default:
            return device_map(bytes);
    }
}

}  // namespace

}  // namespace claybox::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    claybox::fuzz::run({reinterpret_cast<const char*>(data), size});
    return 0;
}
