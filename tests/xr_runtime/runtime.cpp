#include "tests/xr_runtime/runtime.hpp"

#include "tests/xr_runtime/session/session.hpp"

#include <openxr/openxr_reflection.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace claybox::xr_runtime {

namespace {

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// Parses "folder" or "folder:3,9": the folder for pictures, and frames in addition to the script's.
bool parse_picture_option(const std::string& option, Script& script) {
    const std::size_t colon = option.rfind(':');
    script.picture_folder = option.substr(0, colon);
    if (colon == std::string::npos) return true;
    const char* at = option.c_str() + colon + 1;
    while (*at != '\0') {
        char* end = nullptr;
        const long long frame = std::strtoll(at, &end, 10);
        if (end == at || frame < 0 || (*end != ',' && *end != '\0')) return false;
        script.pictures.insert(frame);
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

bool load(Runtime& all) {
    std::string error;
    bool good = load_script(all.script_path, all.script, error);
    const std::string option = from_environment("CLAYBOX_XR_PICTURES");
    if (good && !option.empty() && !parse_picture_option(option, all.script)) {
        error = "CLAYBOX_XR_PICTURES='" + option + "': expected a folder, or folder:frame,frame,...";
        good = false;
    }
    if (!good) std::fprintf(stderr, "claybox_xr_runtime: %s\n", error.c_str());
    return good;
}

/// Frame 0 includes everything before the first frame.
bool fault_is_due(const Fault& fault, const char* call) {
    if (fault.kind == FaultKind::stall || fault.calls <= 0) return false;
    if (std::max<std::int64_t>(runtime().frame, 0) < fault.frame) return false;
    return fault.call.empty() || fault.call == call;
}

const char* result_of(const Fault& fault) {
    if (fault.kind == FaultKind::fails) return result_name(fault.result);
    return fault.kind == FaultKind::session_lost ? "XR_ERROR_SESSION_LOST" : "XR_ERROR_INSTANCE_LOST";
}

/// Applies a fault. Returns its result if it has one, otherwise XR_SUCCESS.
XrResult apply(Fault& fault, const char* call, bool in_session) {
    Runtime& all = runtime();
    if (fault.kind == FaultKind::session_lost && !in_session) return XR_SUCCESS;
    if (fault.after > 0) {
        --fault.after;
        return XR_SUCCESS;
    }
    --fault.calls;
    note("fault", {{"call", call}, {"result", result_of(fault)}});
    if (fault.kind == FaultKind::fails) return fault.result;
    if (fault.kind == FaultKind::session_lost) all.session->lost = true;
    if (fault.kind == FaultKind::instance_lost && all.instance != nullptr) all.instance->lost = true;
    return XR_SUCCESS;
}

}  // namespace

Runtime& runtime() {
    static Runtime all;
    return all;
}

Runtime::~Runtime() {
    if (instance != nullptr) log.write({{"frame", frame}, {"what", "left_at_exit"}, {"kind", "instance"}});
}

bool prepare() {
    Runtime& all = runtime();
    const std::string script_path = from_environment("CLAYBOX_XR_SCRIPT");
    const std::string log_path = from_environment("CLAYBOX_XR_LOG");
    if (all.prepared && script_path == all.script_path && log_path == all.log_path) return true;
    all.script_path = script_path;
    all.log_path = log_path;
    all.prepared = load(all);
    if (!all.prepared) return false;
    all.log.open(log_path);
    all.rate = all.script.rates.front();
    all.clock.start(all.rate);
    all.frame = -1;
    all.last_handle = 0;
    for (auto* counts : {&all.session_calls, &all.other_calls, &all.destroying_calls}) counts->clear();
    return true;
}

void note(const char* what, const Json& more) {
    Json line{{"frame", runtime().frame}, {"what", what}};
    line.update(more);
    runtime().log.write(line);
}

XrResult misuse(const char* call, XrResult code, const std::string& why) {
    note("misuse", {{"call", call}, {"result", result_name(code)}, {"why", why}});
    return code;
}

const char* result_name(XrResult result) {
#define CLAYBOX_RESULT_CASE(name, value) \
    case name:                           \
        return #name;
    switch (result) { XR_LIST_ENUM_XrResult(CLAYBOX_RESULT_CASE) default : return nullptr; }
#undef CLAYBOX_RESULT_CASE
}

void add_object(std::unique_ptr<Object> object, const Object* parent, const Json& more) {
    Runtime& all = runtime();
    object->id = ++all.last_handle;
    object->parent = parent != nullptr ? parent->id : 0;
    Json line{{"kind", object->kind}, {"id", object->id}};
    line.update(more);
    note("create", line);
    const std::uint64_t id = object->id;
    all.objects[id] = std::move(object);
}

void remove_object(const char* call, Object& object) {
    Runtime& all = runtime();
    const std::uint64_t id = object.id;
    for (;;) {
        const auto child = std::find_if(all.objects.begin(), all.objects.end(),
                                        [id](const auto& entry) { return entry.second->parent == id; });
        if (child == all.objects.end()) break;
        note("leaked", {{"call", call}, {"kind", child->second->kind}, {"id", child->first}});
        remove_object(call, *child->second);
    }
    object.end();
    if (&object == all.session) all.session = nullptr;
    if (&object == all.instance) all.instance = nullptr;
    all.objects.erase(id);
}

XrResult apply_faults(const char* call, const Session* session) {
    Runtime& all = runtime();
    ++(session != nullptr ? all.session_calls : all.other_calls)[call];
    for (Fault& fault : all.script.faults) {
        if (!fault_is_due(fault, call)) continue;
        const XrResult result = apply(fault, call, session != nullptr);
        if (result != XR_SUCCESS) return result;
    }
    if (all.instance != nullptr && all.instance->lost) return XR_ERROR_INSTANCE_LOST;
    if (session != nullptr && session->lost) return XR_ERROR_SESSION_LOST;
    return XR_SUCCESS;
}

XrResult after_destroying(const char* call) {
    Runtime& all = runtime();
    ++all.destroying_calls[call];
    for (Fault& fault : all.script.faults)
        if (fault.kind == FaultKind::fails && fault.call == call && fault_is_due(fault, call))
            if (const XrResult result = apply(fault, call, false); result != XR_SUCCESS) return result;
    return XR_SUCCESS;
}

void copy_text(char* to, std::size_t capacity, std::string_view text) {
    const std::size_t length = std::min(capacity - 1, text.size());
    std::memcpy(to, text.data(), length);
    std::memset(to + length, 0, capacity - length);
}

Json to_json(const XrPosef& pose) {
    const XrQuaternionf& q = pose.orientation;
    return Json::array({pose.position.x, pose.position.y, pose.position.z, q.x, q.y, q.z, q.w});
}

Json to_json(const XrFovf& fov) {
    return Json::array({fov.angleLeft, fov.angleRight, fov.angleUp, fov.angleDown});
}

}  // namespace claybox::xr_runtime
