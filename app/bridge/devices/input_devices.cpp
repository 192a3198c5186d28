#include "app/bridge/devices/input_devices.hpp"

#include "engine/files/path_text.hpp"
#include "engine/files/read_file.hpp"
#include "engine/files/write_file.hpp"

#include <algorithm>

namespace claybox::app {

namespace {

constexpr std::uintmax_t kMaxMapBytes = 1 << 20, kMaxTrackBytes = engine::TrackRecorder::kMaxBytes;

bool read_text(const std::filesystem::path& file, std::uintmax_t max_bytes, std::string& text,
               std::string& error) {
    if (engine::read_file(file, max_bytes, text, error)) return true;
    error = engine::text_of(file) + ": " + error;
    return false;
}

}  // namespace

InputDevices::InputDevices() : logical_(app_devices(), sources_.all()) {}

bool InputDevices::open(const DeviceOptions& options, std::string& error) {
    std::string text;
    if (!options.track.empty()) {
        if (!read_text(options.track, kMaxTrackBytes, text, error)) return false;
        if (!sources_.track.load(text, engine::text_of(options.track), error)) return false;
        // The numbers of its channels have changed.
        if (!logical_.load(logical_.changes(), engine::text_of(options.track), error)) return false;
    }
    if (options.osc_port >= 0) {
        const auto port = static_cast<std::uint16_t>(options.osc_port);
        if (!sources_.network.listen(port, options.osc_any, error)) return false;
    }
    track_file_ = options.record_track;
    recording_ = !track_file_.empty();
    return true;
}

bool InputDevices::live() const {
    const auto plays = [](const engine::InputSource& source) {
        const auto& channels = source.channels();
        return std::any_of(channels.begin(), channels.end(), [](const auto& c) { return c.now.valid; });
    };
    return sources_.network.figures().open || recording_ || plays(sources_.track) ||
           plays(sources_.space_mouse);
}

bool InputDevices::load_map(const std::filesystem::path& file, std::string& error) {
    std::string text;
    saved_map_.clear();
    return read_text(file, kMaxMapBytes, text, error) && logical_.load(text, engine::text_of(file), error);
}

bool InputDevices::use_saved_map(const std::filesystem::path& file, std::string& error) {
    std::error_code code;
    std::string text;
    error.clear();
    saved_map_.clear();
    unused_.clear();
    if (std::filesystem::exists(file, code) &&
        !(read_text(file, kMaxMapBytes, text, error) &&
          load_valid_lines(logical_, text, engine::text_of(file), unused_, error)))
        return false;
    saved_map_ = file;
    return true;
}

bool InputDevices::remap(std::string_view device, std::string_view mapping, std::string& error) {
    if (!logical_.remap(device, mapping, error)) return false;
    std::erase_if(unused_, [&](const UnusedLine& line) { return line.device == device; });
    return saved_map_.empty() || engine::write_file_atomically(saved_map_, text_to_save(), error);
}

std::string InputDevices::text_to_save() const {
    std::string out = logical_.changes();
    for (const UnusedLine& line : unused_) out += line.text + "\n";
    return out;
}

void InputDevices::update(const engine::UiInput& in, int width, int height, double now) {
    window_.x = in.x;
    window_.y = in.y;
    window_.width = static_cast<float>(width);
    window_.height = static_cast<float>(height);
    window_.wheel = in.wheel;
    window_.down = in.down;
    window_.alt = in.alt;
    window_.over_panel = in.over_panel;
    window_.typing = in.typing;
    window_.keys = in.keys;
    window_.presses.clear();
    for (const engine::KeyPress& press : in.presses)
        window_.presses.push_back({press.key, press.control, press.shift});
    sources_.keyboard.feed(window_);
    sources_.mouse.feed(window_);
    logical_.update(now);
    if (recording_) record(now);
}

void InputDevices::feed_headset(const engine::HeadsetInput& headset) {
    sources_.headset.feed(headset);
    sources_.controllers.feed(headset);
}

void InputDevices::record(double now) {
    recorder_.begin(now);
    for (const engine::LogicalDevice& device : logical_.devices())
        recorder_.add(device.name, device.type, device.now);
    recording_ = recorder_.end();
}

bool InputDevices::finish_track(std::string& error) {
    if (track_file_.empty()) return true;
    if (!engine::write_file_atomically(track_file_, recorder_.text(), error)) return false;
    if (!recording_)
        error = engine::text_of(track_file_) + ": the track ends early, it has reached its maximum size";
    return recording_;
}

}  // namespace claybox::app
