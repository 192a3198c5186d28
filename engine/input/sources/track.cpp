#include "engine/input/sources/track.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

namespace claybox::engine {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxLines = 2'000'000, kMaxLineBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxNames = 2000;                   // a device map has at most 1000 devices
constexpr std::size_t kMaxMemory = std::size_t{1} << 30;  // bytes, of all changes and hands
constexpr double kMaxNumber = 1e6;                        // metres, seconds; a value may be any finite number

/// An error without file and line.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

bool in_range(double number) {
    return std::abs(number) <= kMaxNumber;  // false for NaN
}

bool in_range(const glm::dvec3& v) {
    return in_range(v.x) && in_range(v.y) && in_range(v.z);
}

/// Reads an array of exactly N numbers. Values are never copied: copying deeply nested JSON would exhaust the
/// stack.
template <std::size_t N>
std::array<double, N> numbers(const json& value, const char* what) {
    const std::string expected = std::string("expected ") + what + " as " + std::to_string(N) + " numbers";
    if (!value.is_array() || value.size() != N) throw Fault(expected);
    std::array<double, N> out;
    for (std::size_t i = 0; i < N; ++i) {
        if (!value[i].is_number()) throw Fault(expected);
        out[i] = value[i].get<double>();
        if (!in_range(out[i])) throw Fault(expected + " up to a million");
    }
    return out;
}

double number_of(const json& value, const char* what) {
    if (!value.is_number()) throw Fault(std::string("expected ") + what + " as a number");
    return value.get<double>();
}

/// For messages: at most 40 bytes.
std::string quoted(const std::string& text) {
    constexpr std::size_t kShown = 40;
    return "'" + text.substr(0, kShown) + (text.size() > kShown ? "...'" : "'");
}

glm::dquat rotation_of(double w, double x, double y, double z) {
    const glm::dquat q(w, x, y, z);
    if (!is_rotation(q)) throw Fault("expected a rotation, w x y z of length 1");
    return q;
}

HandJoints hand_of(const json& value, bool left) {
    if (!value.is_array() || value.size() != kHandJointCount) throw Fault("expected a hand as 26 joints");
    HandJoints out;
    out.active = true;
    out.left = left;
    for (std::size_t j = 0; j < out.joint.size(); ++j) {
        if (value[j].is_null()) continue;
        const auto n = numbers<8>(value[j], "a joint");
        if (n[7] < 0) throw Fault("expected a radius that is not negative");
        out.joint[j] = {
            {n[0], n[1], n[2]}, rotation_of(n[3], n[4], n[5], n[6]), static_cast<float>(n[7]), true};
    }
    return out;
}

Reading reading_of(DeviceClass type, const json& value) {
    Reading out;
    out.valid = true;
    if (type == DeviceClass::button) {
        if (!value.is_boolean()) throw Fault("expected true or false for a button");
        out.down = value.get<bool>();
    } else if (type == DeviceClass::choice) {
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 1000)
            throw Fault("expected a choice from 0 to 1000");
        out.choice = value.get<int>();
    } else if (type == DeviceClass::value) {
        out.number = number_of(value, "a value");
    } else if (type == DeviceClass::location) {
        const auto n = numbers<3>(value, "a location");
        out.position = {n[0], n[1], n[2]};
    } else if (type == DeviceClass::orientation) {
        const auto n = numbers<4>(value, "an orientation");
        out.rotation = rotation_of(n[0], n[1], n[2], n[3]);
    } else {
        const auto n = numbers<7>(value, "a space");
        out.position = {n[0], n[1], n[2]};
        out.rotation = rotation_of(n[3], n[4], n[5], n[6]);
    }
    return out;
}

bool is_name(std::string_view name) {
    const auto good = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), good);
}

/// Number of presses in the frame.
int presses_of(const json& value) {
    const bool good = value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
                      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMaxPresses);
    if (!good) throw Fault("expected presses from 1 to " + std::to_string(kMaxPresses));
    return value.get<int>();
}

std::string located(std::string_view file, std::size_t line, const std::string& what) {
    return std::string(file) + ":" + std::to_string(line) + ": " + what;
}

/// The library's error text without its number.
std::string reason_of(const std::exception& e) {
    std::string reason = e.what();
    if (reason.starts_with("[json"))
        reason = "expected a line of JSON: " + reason.substr(reason.find("] ") + 2);
    constexpr std::size_t kShown = 200;
    if (reason.size() > kShown) reason = reason.substr(0, kShown) + "...";
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    return reason;
}

}  // namespace

/// Fills its own source, so an error leaves the caller's source unchanged.
class TrackReader {
  public:
    void read_line(std::string_view text) {
        if (text.size() > kMaxLineBytes) throw Fault("expected a line of at most 8388608 bytes");
        const json object = json::parse(text);
        if (!object.is_object()) throw Fault("expected an object");
        if (!has_head_) {
            if (object != json{{"claybox_track", 1}})
                throw Fault("expected {\"claybox_track\":1} as the first line");
            has_head_ = true;
            return;
        }
        if (into.lines_.size() == kMaxLines) throw Fault("expected at most 2000000 lines");
        TrackSource::Line line;
        if (!object.contains("t")) throw Fault("expected \"t\", the time in seconds");
        line.time = number_of(object["t"], "\"t\"");
        const double before = into.lines_.empty() ? 0 : into.lines_.back().time;
        if (!(line.time >= before)) throw Fault("expected times from 0 on that never go back");
        if (!in_range(line.time)) throw Fault("expected \"t\" up to a million seconds");
        for (const auto& [name, value] : object.items())
            if (name != "t") line.changes.push_back(change(name, value));
        memory_ += sizeof line + line.changes.size() * sizeof(TrackSource::Change);
        if (memory_ > kMaxMemory) throw Fault("expected fewer changes: the track needs more than 1 GB");
        into.lines_.push_back(std::move(line));
    }
    bool has_head() const { return has_head_; }

    TrackSource into;

  private:
    TrackSource::Change change(const std::string& name, const json& value) {
        if (!is_name(name))
            throw Fault("expected a name of small letters, digits and '_' instead of " + quoted(name));
        TrackSource::Change out;
        if (value.is_null()) {
            const auto known = channels_.find(name);
            if (known == channels_.end()) throw Fault(quoted(name) + " becomes null before it has a value");
            out.channel = known->second;
            return out;
        }
        const bool two = value.is_object() && value.size() == 2;
        const bool side = two && value.contains("left") && value["left"].is_boolean();
        const bool counted = two && value.contains("presses") && value.contains("button");
        if (!value.is_object() || (value.size() != 1 && !side && !counted))
            throw Fault("expected one value of " + quoted(name) + " by its class, {\"value\":1}");
        const auto item = value.begin();  // keys are sorted: "hand" before "left", "button" before "presses"
        const auto type = device_class(item.key());
        if (!type || (side && *type != DeviceClass::hand))
            throw Fault(
                quoted(item.key()) +
                " is not a class, expected button, choice, value, location, orientation, space or hand");
        out.channel = channel(name, *type);
        if (*type != DeviceClass::hand) {
            out.reading = reading_of(*type, item.value());
            if (counted) out.reading.presses = presses_of(value["presses"]);
            return out;
        }
        out.reading.valid = true;
        out.hand = into.hands_.size();
        memory_ += sizeof(HandJoints);
        into.hands_.push_back(hand_of(item.value(), side && value["left"].get<bool>()));
        return out;
    }

    std::size_t channel(const std::string& name, DeviceClass type) {
        const auto [known, added] = channels_.try_emplace(name, into.channels_.size());
        if (added) {
            if (channels_.size() > kMaxNames) throw Fault("expected at most 2000 names");
            return into.add(name, type);
        }
        const DeviceClass was = into.channels_[known->second].type;
        if (was != type) throw Fault(quoted(name) + " was a " + to_string(was) + " before");
        return known->second;
    }

    std::unordered_map<std::string, std::size_t> channels_{{"left", 0},
                                                           {"right", 1}};  ///< as in TrackSource()
    std::size_t memory_ = 0;
    bool has_head_ = false;
};

TrackSource::TrackSource() : InputSource("track") {
    add("left", DeviceClass::hand);
    add("right", DeviceClass::hand);
}

bool TrackSource::load(std::string_view text, std::string_view file, std::string& error) {
    TrackReader reader;
    std::size_t number = 0;
    try {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            ++number;
            if (end > 0) reader.read_line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        if (!reader.has_head()) throw Fault("expected {\"claybox_track\":1} as the first line");
    } catch (const std::exception& e) {
        error = located(file, std::max<std::size_t>(number, 1), reason_of(e));
        return false;
    }
    channels_ = std::move(reader.into.channels_);
    lines_ = std::move(reader.into.lines_);
    hands_ = std::move(reader.into.hands_);
    rewind();
    return true;
}

void TrackSource::update(double now) {
    if (start_ < 0) {
        start_ = now;
        next_ = 0;
        invalidate_all();
    }
    const double time = now - start_;
    const std::size_t first = next_;
    for (Channel& channel : channels_) channel.now.presses = 0;
    for (; next_ < lines_.size() && lines_[next_].time <= time; ++next_)
        for (const Change& change : lines_[next_].changes) apply(change);
    // The last line is visible for one frame, however late that frame is.
    ended_ = time > seconds() && next_ == first;
    if (ended_) invalidate_all();
}

void TrackSource::apply(const Change& change) {
    Channel& channel = channels_[change.channel];
    if (!change.reading.valid) {
        channel.now.valid = false;
        return;
    }
    const int presses = std::min(channel.now.presses + change.reading.presses, kMaxPresses);
    channel.now = change.reading;
    channel.now.presses = presses;
    if (channel.type == DeviceClass::hand) channel.now.hand = &hands_[change.hand];
}

std::string TrackSource::state() const {
    if (lines_.empty()) return "none; --track FILE plays one";
    const std::string length = std::to_string(static_cast<int>(seconds())) + " s";
    return ended_ ? "ended after " + length : "plays " + length;
}

namespace {

void append(std::string& out, double value) {
    char text[32];
    const auto end =
        std::to_chars(text, text + sizeof text, value).ptr;  // the shortest text that reads back the same
    out.append(text, end);
}

void append(std::string& out, std::initializer_list<double> values) {
    for (const double v : values) {
        if (out.back() != '[') out += ',';
        append(out, v);
    }
}

void append_pose(std::string& out, const glm::dvec3& p, const glm::dquat& q) {
    out += '[';
    append(out, {p.x, p.y, p.z, q.w, q.x, q.y, q.z});
}

bool can_be_read_back(const HandJoint& j) {
    return j.valid && in_range(j.position) && is_rotation(j.rotation) && j.radius >= 0 &&
           in_range(static_cast<double>(j.radius));
}

void append_hand(std::string& out, const HandJoints& hand) {
    out += '[';
    for (const HandJoint& j : hand.joint) {
        if (out.back() != '[') out += ',';
        if (!can_be_read_back(j)) {
            out += "null";
            continue;
        }
        append_pose(out, j.position, j.rotation);
        append(out, {static_cast<double>(j.radius)});
        out += ']';
    }
    out += hand.left ? "],\"left\":true" : "]";
}

/// A place that TrackReader would refuse is written as not available.
std::string value_text(DeviceClass type, const Reading& r) {
    const bool place = type == DeviceClass::location || type == DeviceClass::space;
    if (!r.valid || (place && !in_range(r.position))) return "null";
    std::string out = std::string("{\"") + to_string(type) + "\":";
    if (type == DeviceClass::button) out += r.down ? "true" : "false";
    if (type == DeviceClass::choice) out += std::to_string(r.choice);
    if (type == DeviceClass::value) append(out, r.number);
    if (type == DeviceClass::hand) append_hand(out, *r.hand);
    if (type == DeviceClass::location) {
        out += '[';
        append(out, {r.position.x, r.position.y, r.position.z});
        out += ']';
    }
    if (type == DeviceClass::orientation) {
        out += '[';
        append(out, {r.rotation.w, r.rotation.x, r.rotation.y, r.rotation.z});
        out += ']';
    }
    if (type == DeviceClass::space) {
        append_pose(out, r.position, r.rotation);
        out += ']';
    }
    return out + '}';
}

}  // namespace

void TrackRecorder::begin(double now) {
    if (start_ < 0) start_ = now;
    time_ = now - start_;
    line_.clear();
    at_ = 0;
}

void TrackRecorder::add(const std::string& name, DeviceClass type, const Reading& reading) {
    if (at_ == last_.size()) last_.push_back({name, "null"});
    Last& last = last_[at_++];
    std::string value = value_text(type, reading);
    const bool pressed = type == DeviceClass::button && reading.valid && reading.presses > 0;
    if (value == last.value && !pressed) return;
    line_ += ",\"" + name + "\":" + value;
    memory_ +=
        sizeof(TrackSource::Change) + (type == DeviceClass::hand && reading.valid ? sizeof(HandJoints) : 0);
    if (pressed) line_.insert(line_.size() - 1, ",\"presses\":" + std::to_string(reading.presses));
    last.value = std::move(value);
}

bool TrackRecorder::end() {
    if (line_.empty()) return true;
    if (text_.size() + line_.size() > kMaxBytes || !in_range(time_)) return false;
    memory_ += sizeof(TrackSource::Line);
    if (++lines_ > kMaxLines || memory_ > kMaxMemory) return false;
    text_ += "{\"t\":";
    append(text_, time_);
    text_ += line_ + "}\n";
    return true;
}

}  // namespace claybox::engine
