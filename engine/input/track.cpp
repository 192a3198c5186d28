#include "engine/input/track.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace claybox::engine {

namespace {

using nlohmann::json;

constexpr std::size_t kMostLines = 2'000'000;
constexpr double kFar = 1e6;  // metres and anything else that a number may mean

/// What is wrong, without its place.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Numbers of an array of exactly this length.
template <std::size_t N>
std::array<double, N> numbers(const json& value, const char* what) {
    const std::string expected = std::string("expected ") + what + " as " + std::to_string(N) + " numbers";
    if (!value.is_array() || value.size() != N) throw Fault(expected);
    std::array<double, N> out;
    for (std::size_t i = 0; i < N; ++i) {
        if (!value[i].is_number()) throw Fault(expected);
        out[i] = value[i].get<double>();
        if (!(std::abs(out[i]) <= kFar)) throw Fault(expected + " up to a million");
    }
    return out;
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
        out.number = numbers<1>(json::array({value}), "a value")[0];
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

/// How often a button went down in the frame.
int presses_of(const json& value) {
    const bool good = value.is_number_unsigned() && value.get<std::uint64_t>() >= 1 &&
                      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMostPresses);
    if (!good) throw Fault("expected presses from 1 to " + std::to_string(kMostPresses));
    return value.get<int>();
}

std::string place(std::string_view file, std::size_t line, const std::string& what) {
    return std::string(file) + ":" + std::to_string(line) + ": " + what;
}

/// The words of the library without its number.
std::string reason_of(const std::exception& e) {
    std::string reason = e.what();
    if (reason.starts_with("[json"))
        reason = "expected a line of JSON: " + reason.substr(reason.find("] ") + 2);
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    return reason;
}

}  // namespace

/// Fills a source of its own, so that a fault leaves the other as it was.
class TrackReader {
  public:
    void read_line(std::string_view text) {
        const json object = json::parse(text);
        if (!object.is_object()) throw Fault("expected an object");
        if (!has_head_) {
            if (object != json{{"claybox_track", 1}})
                throw Fault("expected {\"claybox_track\":1} as the first line");
            has_head_ = true;
            return;
        }
        if (into.lines_.size() == kMostLines) throw Fault("expected at most 2000000 lines");
        TrackSource::Line line;
        if (!object.contains("t")) throw Fault("expected \"t\", the time in seconds");
        line.time = numbers<1>(json::array({object["t"]}), "\"t\"")[0];
        const double before = into.lines_.empty() ? 0 : into.lines_.back().time;
        if (!(line.time >= before)) throw Fault("expected times from 0 on that never go back");
        for (const auto& [name, value] : object.items())
            if (name != "t") line.changes.push_back(change(name, value));
        into.lines_.push_back(std::move(line));
    }
    bool has_head() const { return has_head_; }

    TrackSource into;

  private:
    TrackSource::Change change(const std::string& name, const json& value) {
        if (!is_name(name))
            throw Fault("expected a name of small letters, digits and '_' instead of '" + name + "'");
        TrackSource::Change out;
        if (value.is_null()) {
            const auto known = into.open(name);
            if (!known) throw Fault("'" + name + "' is lost before it was there");
            out.channel = *known;
            return out;
        }
        const bool two = value.is_object() && value.size() == 2;
        const bool side = two && value.contains("left") && value["left"].is_boolean();
        const bool counted = two && value.contains("presses") && value.contains("button");
        if (!value.is_object() || (value.size() != 1 && !side && !counted))
            throw Fault("expected one value of '" + name + "' by its class, {\"value\":1}");
        const auto item = value.begin();  // names are sorted: "hand" before "left", "button" before "presses"
        const auto type = device_class(item.key());
        if (!type || (side && *type != DeviceClass::hand))
            throw Fault(
                "'" + item.key() +
                "' is no class, expected button, choice, value, location, orientation, space or hand");
        out.channel = channel(name, *type);
        if (*type != DeviceClass::hand) {
            out.reading = reading_of(*type, item.value());
            if (counted) out.reading.presses = presses_of(value["presses"]);
            return out;
        }
        out.reading.valid = true;
        out.hand = into.hands_.size();
        into.hands_.push_back(hand_of(item.value(), side && value["left"].get<bool>()));
        return out;
    }

    std::size_t channel(const std::string& name, DeviceClass type) {
        const auto known = into.open(name);
        if (!known) return into.add(name, type);
        const DeviceClass was = into.channels_[*known].type;
        if (was != type) throw Fault("'" + name + "' was a " + to_string(was) + " before");
        return *known;
    }

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
        error = place(file, std::max<std::size_t>(number, 1), reason_of(e));
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
        lose_all();
    }
    const double time = now - start_;
    const std::size_t first = next_;
    for (Channel& channel : channels_) channel.now.presses = 0;
    for (; next_ < lines_.size() && lines_[next_].time <= time; ++next_)
        for (const Change& change : lines_[next_].changes) take(change);
    // What the last line says is seen for a frame, however late it is.
    ended_ = time > seconds() && next_ == first;
    if (ended_) lose_all();
}

void TrackSource::take(const Change& change) {
    Channel& channel = channels_[change.channel];
    if (!change.reading.valid) {
        channel.now.valid = false;
        return;
    }
    const int presses = std::min(channel.now.presses + change.reading.presses, kMostPresses);
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
        std::to_chars(text, text + sizeof text, value).ptr;  // the shortest that reads back the same
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

void append_hand(std::string& out, const HandJoints& hand) {
    out += '[';
    for (const HandJoint& j : hand.joint) {
        if (out.back() != '[') out += ',';
        if (!j.valid) {
            out += "null";
            continue;
        }
        append_pose(out, j.position, j.rotation);
        append(out, {static_cast<double>(j.radius)});
        out += ']';
    }
    out += hand.left ? "],\"left\":true" : "]";
}

std::string value_text(DeviceClass type, const Reading& r) {
    if (!r.valid) return "null";
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
    if (pressed) line_.insert(line_.size() - 1, ",\"presses\":" + std::to_string(reading.presses));
    last.value = std::move(value);
}

bool TrackRecorder::end() {
    if (line_.empty()) return true;
    if (text_.size() + line_.size() > kMostBytes) return false;
    text_ += "{\"t\":";
    append(text_, time_);
    text_ += line_ + "}\n";
    return true;
}

}  // namespace claybox::engine
