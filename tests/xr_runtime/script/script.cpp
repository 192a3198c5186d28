#include "tests/xr_runtime/script/script.hpp"

#include "tests/xr_runtime/newer_openxr.hpp"
#include "tests/xr_runtime/script/script_line.hpp"

#include <openxr/openxr_reflection.h>

#include <GL/gl.h>
#include <GL/glext.h>
#include <fstream>

namespace claybox::xr_runtime {

namespace {

constexpr std::int64_t kMaxFrame = 100'000'000;

/// The value of a word; throws with the list of allowed words.
template <class Value>
Value lookup(const std::string& word, const std::map<std::string, Value>& words, const std::string& name) {
    const auto found = words.find(word);
    if (found != words.end()) return found->second;
    std::string all;
    for (const auto& [each, ignored] : words) all += (all.empty() ? "" : ", ") + each;
    throw ScriptError("'" + name + "' must be one of " + all + ", found '" + word + "'");
}

const std::map<std::string, std::int64_t>& format_words() {
    static const std::map<std::string, std::int64_t> kWords{
        {"GL_RGBA16F", GL_RGBA16F},
        {"GL_RGBA8", GL_RGBA8},
        {"GL_SRGB8_ALPHA8", GL_SRGB8_ALPHA8},
        {"GL_DEPTH_COMPONENT16", GL_DEPTH_COMPONENT16},
        {"GL_DEPTH_COMPONENT24", GL_DEPTH_COMPONENT24},
        {"GL_DEPTH_COMPONENT32F", GL_DEPTH_COMPONENT32F},
        {"GL_DEPTH24_STENCIL8", GL_DEPTH24_STENCIL8},
    };
    return kWords;
}

const std::map<std::string, XrResult>& result_words() {
#define CLAYBOX_RESULT_WORD(name, value) {#name, name},
    static const std::map<std::string, XrResult> kWords{XR_LIST_ENUM_XrResult(CLAYBOX_RESULT_WORD)};
#undef CLAYBOX_RESULT_WORD
    return kWords;
}

std::size_t side_of(const std::string& word, const std::string& name) {
    return lookup<std::size_t>(word, {{"left", 0}, {"right", 1}}, name);
}

template <class Key>
void append(std::vector<Key>& track, Key key) {
    if (!track.empty() && key.frame <= track.back().frame)
        throw ScriptError("'frame' must increase from key to key: the previous one is " +
                          std::to_string(track.back().frame));
    track.push_back(std::move(key));
}

void read_runtime(ScriptLine& line, Script& script) {
    script.name = line.text("runtime");
    if (line.has("rates")) {
        script.rates = line.numbers("rates");
        for (const double rate : script.rates)
            if (!(rate >= 1 && rate <= 1000)) throw ScriptError("'rates' must be between 1 and 1000 Hz");
        if (script.rates.empty()) throw ScriptError("'rates' needs at least one rate");
    }
    if (line.has("size")) {
        const auto size = line.numbers("size", 2);
        if (!(size[0] >= 1 && size[1] >= 1 && size[0] <= 4096 && size[1] <= 4096))
            throw ScriptError("'size' must be between 1 and 4096");
        script.width = static_cast<std::uint32_t>(size[0]);
        script.height = static_cast<std::uint32_t>(size[1]);
    }
    if (line.has("formats")) script.formats.clear();
    for (const std::string& word : line.texts("formats"))
        script.formats.push_back(lookup(word, format_words(), "formats"));
    for (const std::string& word : line.texts("without")) script.without.insert(word);
    script.hand_tracking = line.flag("hand_tracking", true);
    script.real_time = line.flag("real_time", false);
    script.unseen = line.flag("unseen", false);
    script.steals_context = line.flag("steals_context", false);
}

void read_head(ScriptLine& line, std::int64_t frame, Script& script) {
    HeadKey key;
    key.frame = frame;
    key.pose = line.pose("head");
    key.flags = static_cast<XrSpaceLocationFlags>(line.integer("flags", kTracked, 0, kTracked));
    append(script.head, key);
}

XrFovf fov_of(const std::vector<double>& row) {
    XrFovf fov{static_cast<float>(row[0]), static_cast<float>(row[1]), static_cast<float>(row[2]),
               static_cast<float>(row[3])};
    const bool sane = fov.angleLeft < fov.angleRight && fov.angleDown < fov.angleUp &&
                      fov.angleLeft > -1.57f && fov.angleRight < 1.57f && fov.angleDown > -1.57f &&
                      fov.angleUp < 1.57f;
    if (!sane)
        throw ScriptError(
            "'fov' must be rows of left, right, up, down in radians, with left < right and down < up");
    return fov;
}

void read_view(ScriptLine& line, std::int64_t frame, Script& script) {
    ViewKey key;
    key.frame = frame;
    key.ipd = line.number("ipd", key.ipd, 0, 0.2);
    const auto rows = line.rows("fov", 2, 4);
    for (std::size_t eye = 0; eye < 2; ++eye) key.fov[eye] = fov_of(rows[eye]);
    append(script.views, key);
}

void read_joint_flags(ScriptLine& line, HandKey& key) {
    if (!line.has("flags")) return;
    const std::vector<double> flags = line.numbers("flags", key.joints.size());
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (!(flags[i] >= 0 && flags[i] <= static_cast<double>(kTracked)))
            throw ScriptError("'flags' must be between 0 and 15");
        key.joints[i].flags = static_cast<XrSpaceLocationFlags>(flags[i]);
    }
}

/// Reads all joints, or those of the previous key with an offset.
void read_joints(ScriptLine& line, const std::vector<HandKey>& track, HandKey& key) {
    if (line.has("joints")) {
        const auto rows = line.rows("joints", key.joints.size(), 8);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::string name = "joints[" + std::to_string(i) + "]";
            if (!(rows[i][7] >= 0 && rows[i][7] < 1))
                throw ScriptError("'" + name + "' needs a radius from 0 to below 1");
            key.joints[i] = {pose_of(rows[i], name), rows[i][7], kTracked};
        }
        return;
    }
    if (track.empty() || !track.back().active)
        throw ScriptError("an active hand needs 'joints', or 'moved' after a key with joints");
    key.joints = track.back().joints;
    const auto by = line.numbers("moved", 3);
    for (Joint& joint : key.joints) joint.pose.position += glm::dvec3(by[0], by[1], by[2]);
}

void read_hand(ScriptLine& line, std::int64_t frame, Script& script) {
    auto& track = script.hands[side_of(line.text("hand"), "hand")];
    HandKey key;
    key.frame = frame;
    key.active = line.flag("active", true);
    if (key.active) {
        read_joints(line, track, key);
        read_joint_flags(line, key);
    }
    append(track, key);
}

void read_values(ScriptLine& line, ControllerKey& key) {
    for (const char* name : {"trigger", "squeeze", "pinch_ext", "aim_activate_ext", "grasp_ext"})
        if (line.has(name)) key.values[std::string(name) + "/value"] = line.number(name, 0, 0, 1);
    for (const char* name : {"thumbstick", "trackpad"}) {
        if (!line.has(name)) continue;
        const auto both = line.numbers(name, 2);
        key.values[std::string(name) + "/x"] = both[0];
        key.values[std::string(name) + "/y"] = both[1];
    }
    for (const std::string& button : line.texts("buttons")) {
        key.values[button + "/click"] = 1;
        key.values[button + "/touch"] = 1;
    }
}

void read_controller(ScriptLine& line, std::int64_t frame, Script& script) {
    auto& track = script.controllers[side_of(line.text("controller"), "controller")];
    ControllerKey key;
    key.frame = frame;
    key.active = line.flag("active", true);
    if (!track.empty()) key.profile = track.back().profile;
    if (line.has("profile")) key.profile = line.text("profile");
    if (key.active && key.profile.empty()) throw ScriptError("an active controller needs a 'profile'");
    for (const char* name : {"grip", "aim", "poke_ext", "pinch_ext_pose"}) {
        if (!line.has(name)) continue;
        const bool pinch = std::string(name) == "pinch_ext_pose";
        key.poses[(pinch ? "pinch_ext" : std::string(name)) + "/pose"] = line.pose(name);
    }
    read_values(line, key);
    append(track, key);
}

void read_space(ScriptLine& line, std::int64_t frame, Script& script) {
    const auto type = lookup<XrReferenceSpaceType>(
        line.text("space"),
        {{"local", XR_REFERENCE_SPACE_TYPE_LOCAL}, {"stage", XR_REFERENCE_SPACE_TYPE_STAGE}}, "space");
    auto& track = script.origins[type];
    if (frame == 0) track.clear();
    append(track, {frame, line.pose("origin")});
}

void read_session(ScriptLine& line, std::int64_t frame, Script& script) {
    ScriptEvent event;
    event.frame = frame;
    const std::string word = line.text("session");
    event.kind = lookup<EventKind>(word,
                                   {{"synchronized", EventKind::goal},
                                    {"visible", EventKind::goal},
                                    {"focused", EventKind::goal},
                                    {"pause", EventKind::pause},
                                    {"exit", EventKind::exit},
                                    {"loss_pending", EventKind::loss_pending},
                                    {"instance_loss_pending", EventKind::instance_loss_pending}},
                                   "session");
    if (word == "synchronized") event.goal = XR_SESSION_STATE_SYNCHRONIZED;
    if (word == "visible") event.goal = XR_SESSION_STATE_VISIBLE;
    event.polls = static_cast<int>(line.integer("polls", 10, 1, kMaxFrame));
    script.events.push_back(event);
}

void read_user(ScriptLine& line, std::int64_t frame, Script& script) {
    ScriptEvent event;
    event.frame = frame;
    event.kind = EventKind::user;
    event.user = line.flag("user", true);
    script.events.push_back(event);
}

void read_fault(ScriptLine& line, std::int64_t frame, Script& script) {
    Fault fault;
    fault.frame = frame;
    fault.kind = lookup<FaultKind>(line.text("fault"),
                                   {{"session_lost", FaultKind::session_lost},
                                    {"instance_lost", FaultKind::instance_lost},
                                    {"fails", FaultKind::fails},
                                    {"stall", FaultKind::stall}},
                                   "fault");
    fault.call = line.text("call");
    fault.after = static_cast<int>(line.integer("after", 0, 0, kMaxFrame));
    if (fault.call.empty() && line.has("after"))
        throw ScriptError("a fault with 'after' needs the name of a function as 'call'");
    if (fault.kind == FaultKind::fails) {
        if (fault.call.empty()) throw ScriptError("the fault 'fails' needs the name of a function as 'call'");
        fault.result = lookup(line.text("result"), result_words(), "result");
        fault.calls = static_cast<int>(line.integer("calls", 1, 1, kMaxFrame));
    }
    if (fault.kind == FaultKind::stall) {
        fault.periods = static_cast<int>(line.integer("periods", 1, 0, kMaxFrame));
        fault.milliseconds = static_cast<int>(line.integer("milliseconds", 0, 0, 10'000));
    }
    script.faults.push_back(fault);
}

void read_pictures(ScriptLine& line, Script& script) {
    for (const double frame : line.numbers("pictures"))
        script.pictures.insert(static_cast<std::int64_t>(frame));
    if (line.has("folder")) script.picture_folder = line.text("folder");
}

void read_line(const std::string& text, Script& script) {
    ScriptLine line(text);
    const std::int64_t frame = line.integer("frame", 0, 0, kMaxFrame);
    if (line.has("runtime"))
        read_runtime(line, script);
    else if (line.has("head"))
        read_head(line, frame, script);
    else if (line.has("fov"))
        read_view(line, frame, script);
    else if (line.has("hand"))
        read_hand(line, frame, script);
    else if (line.has("controller"))
        read_controller(line, frame, script);
    else if (line.has("space"))
        read_space(line, frame, script);
    else if (line.has("session"))
        read_session(line, frame, script);
    else if (line.has("user"))
        read_user(line, frame, script);
    else if (line.has("fault"))
        read_fault(line, frame, script);
    else if (line.has("pictures"))
        read_pictures(line, script);
    else
        throw ScriptError(
            "expected one of 'runtime', 'head', 'fov', 'hand', 'controller', 'space', 'session', 'user', "
            "'fault' "
            "and 'pictures'");
    line.expect_nothing_else();
}

Script default_script() {
    Script script;
    script.formats = {GL_RGBA16F, GL_DEPTH_COMPONENT32F, GL_SRGB8_ALPHA8, GL_RGBA8, GL_DEPTH_COMPONENT24};
    script.origins[XR_REFERENCE_SPACE_TYPE_LOCAL] = {{0, {{0, 1.6, 0}, {1, 0, 0, 0}}}};
    script.origins[XR_REFERENCE_SPACE_TYPE_STAGE] = {{0, {}}};
    return script;
}

}  // namespace

bool load_script(const std::string& path, Script& script, std::string& error) {
    script = default_script();
    if (path.empty()) return true;
    std::ifstream file(path);
    if (!file) {
        error = path + ": cannot be read";
        return false;
    }
    std::string text;
    for (int number = 1; std::getline(file, text); ++number) {
        if (text.find_first_not_of(" \t\r") == std::string::npos || text[0] == '#') continue;
        try {
            read_line(text, script);
        } catch (const ScriptError& exception) {
            error = path + ":" + std::to_string(number) + ": " + exception.what();
            return false;
        }
    }
    return true;
}

}  // namespace claybox::xr_runtime
