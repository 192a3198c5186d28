#include "app/bridge/input_devices.hpp"

#include "engine/platform/paths.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace claybox::app {

namespace {

constexpr std::uintmax_t kLargestMap = 1 << 20, kLargestTrack = 1 << 29;
constexpr std::size_t kMostAside = 100;  // lines that do not hold: with more of them it is no map

bool read_text(const std::filesystem::path& file, std::uintmax_t largest, std::string& text,
               std::string& error) {
    std::error_code code;
    const std::uintmax_t size = std::filesystem::file_size(file, code);
    std::ifstream in(file, std::ios::binary);
    if (!code && in && size <= largest) {
        std::stringstream content;
        content << in.rdbuf();
        text = content.str();
        return true;
    }
    error = file.string() + (!code && in ? ": is larger than a file of its kind can be" : ": cannot be read");
    return false;
}

/// Takes a line, from 1, out of a text in which the others keep their numbers.
std::string cut_line(std::string& text, std::size_t number) {
    std::size_t begin = 0;
    for (; number > 1; --number) begin = text.find('\n', begin) + 1;
    const std::size_t size = std::min(text.find('\n', begin), text.size()) - begin;
    const std::string line = text.substr(begin, size);
    text.erase(begin, size);
    return line;
}

/// The name in "class name = ...", as far as there is one.
std::string device_of(const std::string& line) {
    std::istringstream words(line.substr(0, line.find('=')));
    std::string type, name;
    words >> type >> name;
    return name;
}

}  // namespace

InputDevices::InputDevices() : logical_(app_devices(), sources_.all()) {}

bool InputDevices::open(const DeviceOptions& options, std::string& error) {
    std::string text;
    if (!options.track.empty()) {
        if (!read_text(options.track, kLargestTrack, text, error)) return false;
        if (!sources_.track.load(text, options.track.string(), error)) return false;
        // Its channels are numbered anew.
        if (!logical_.load(logical_.changes(), options.track.string(), error)) return false;
    }
    if (options.osc_port >= 0) {
        const auto port = static_cast<std::uint16_t>(options.osc_port);
        if (!sources_.network.listen(port, options.osc_any, error)) return false;
    }
    track_file_ = options.record_track;
    recording_ = !track_file_.empty();
    return true;
}

bool InputDevices::load_map(const std::filesystem::path& file, std::string& error) {
    std::string text;
    kept_.clear();
    return read_text(file, kLargestMap, text, error) && logical_.load(text, file.string(), error);
}

bool InputDevices::use_kept_map(const std::filesystem::path& file, std::string& error) {
    std::error_code code;
    std::string text;
    error.clear();
    kept_.clear();
    aside_.clear();
    if (std::filesystem::exists(file, code) &&
        !(read_text(file, kLargestMap, text, error) && load_what_holds(std::move(text), file, error)))
        return false;
    kept_ = file;
    return true;
}

/// Puts one line after the other aside until the rest holds; what reads such a device does not hold either.
bool InputDevices::load_what_holds(std::string text, const std::filesystem::path& file, std::string& error) {
    std::string first, fault;
    for (std::size_t wrong = 0; !logical_.load(text, file.string(), fault, &wrong);) {
        if (first.empty()) first = fault;
        if (wrong == 0 || aside_.size() == kMostAside) {
            error = first;
            return false;
        }
        const std::string line = cut_line(text, wrong);
        aside_.push_back({device_of(line), line});
        error += (error.empty() ? "" : "\n") + fault;
    }
    return true;
}

bool InputDevices::remap(std::string_view device, std::string_view mapping, std::string& error) {
    if (!logical_.remap(device, mapping, error)) return false;
    std::erase_if(aside_, [&](const AsideLine& line) { return line.device == device; });
    return kept_.empty() || engine::write_file_atomically(kept_, text_to_keep(), error);
}

std::string InputDevices::text_to_keep() const {
    std::string out = logical_.changes();
    for (const AsideLine& line : aside_) out += line.text + "\n";
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
    return track_file_.empty() || engine::write_file_atomically(track_file_, recorder_.text(), error);
}

}  // namespace claybox::app
