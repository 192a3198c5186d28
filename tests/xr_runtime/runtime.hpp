#pragma once
// State of the runtime: one instance, one session, their objects by handle, and the position in the script.
// Not thread-safe: its clients have one thread.

#include "tests/xr_runtime/log.hpp"
#include "tests/xr_runtime/script/script.hpp"

#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>

namespace claybox::xr_runtime {

struct Session;

/// Base of everything with a handle. Handles count up and are never reused.
struct Object {
    explicit Object(const char* what) : kind(what) {}
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    virtual ~Object() = default;
    virtual void end() {}  ///< frees external resources; not called at process exit

    const char* kind;
    std::uint64_t id = 0, parent = 0;
    Session* session = nullptr;  ///< null: belongs to the instance
};

struct Instance final : Object {
    Instance() : Object("instance") {}
    std::set<std::string> extensions;
    std::deque<XrEventDataBuffer> events;
    std::vector<std::string> paths;  ///< an XrPath is the index plus one
    /// Suggested bindings by profile.
    std::map<XrPath, std::vector<XrActionSuggestedBinding>> suggested;
    bool requirements_queried = false, lost = false;

    bool has(const char* extension) const { return extensions.contains(extension); }
};

/// Simulated time: advances only by whole display periods.
class Clock {
  public:
    void start(double rate) { *this = Clock(), period_ = period_of(rate); }
    void change_rate(std::int64_t frame, double rate) {
        start_time_ = time_of(frame), start_frame_ = frame, period_ = period_of(rate);
    }
    XrDuration period() const { return period_; }
    XrTime time_of(std::int64_t frame) const { return start_time_ + (frame - start_frame_) * period_; }
    double frame_of(XrTime time) const {
        return static_cast<double>(start_frame_) +
               static_cast<double>(time - start_time_) / static_cast<double>(period_);
    }

  private:
    static XrDuration period_of(double rate) { return static_cast<XrDuration>(1e9 / rate); }
    XrTime start_time_ = 1'000'000'000;
    std::int64_t start_frame_ = 0;
    XrDuration period_ = 11'111'111;
};

struct Runtime {
    Script script;
    Log log;
    Clock clock;
    double rate = 90;
    std::int64_t frame = -1;                           ///< display period of the last xrWaitFrame
    std::chrono::steady_clock::time_point next_frame;  ///< used with `real_time` in the script
    std::uint64_t last_handle = 0;
    std::map<std::uint64_t, std::unique_ptr<Object>> objects;
    Instance* instance = nullptr;
    Session* session = nullptr;
    /// How often each function was called since the script began.
    std::map<std::string, int> session_calls, other_calls, destroying_calls;
    std::string script_path, log_path;
    bool prepared = false;

    ~Runtime();
    XrTime now() const { return clock.time_of(frame); }
};

Runtime& runtime();

/// Reads script and log path from the environment; again when they have changed. False for an invalid script,
/// with a message on the error stream.
bool prepare();

/// Writes a log line; `more` is an object.
void note(const char* what, const Json& more = Json::object());
/// Logs a client's mistake and returns its code.
XrResult misuse(const char* call, XrResult code, const std::string& why);
const char* result_name(XrResult result);

template <class Handle>
std::uint64_t id_of(Handle handle) {
    return reinterpret_cast<std::uint64_t>(handle);
}

template <class Handle>
Handle handle_of(const Object& object) {
    return reinterpret_cast<Handle>(object.id);
}

template <class T, class Handle>
T* find(Handle handle) {
    const auto found = runtime().objects.find(id_of(handle));
    return found != runtime().objects.end() ? dynamic_cast<T*>(found->second.get()) : nullptr;
}

/// Takes ownership, assigns a handle and logs the object with `more`.
void add_object(std::unique_ptr<Object> object, const Object* parent, const Json& more = Json::object());
/// Destroys the object's children first; they are logged as leaked.
void remove_object(const char* call, Object& object);

/// Every function calls this first: counts the call and applies scripted losses and failures. XR_SUCCESS: go
/// on.
XrResult apply_faults(const char* call, const Session* session);
/// Functions that destroy call this last: the object is gone also when the script lets them fail.
XrResult after_destroying(const char* call);

/// Finds the object of a handle; anything but XR_SUCCESS is the function's result.
template <class T, class Handle>
XrResult enter(const char* call, Handle handle, T*& object) {
    object = find<T>(handle);
    if (object == nullptr)
        return misuse(call, XR_ERROR_HANDLE_INVALID, "no object of that kind has this handle");
    return apply_faults(call, object->session);
}

/// For functions that destroy: lost objects can be destroyed too.
template <class T, class Handle>
XrResult destroy(const char* call, Handle handle) {
    T* object = find<T>(handle);
    if (object == nullptr)
        return misuse(call, XR_ERROR_HANDLE_INVALID, "no object of that kind has this handle");
    note("destroy", {{"kind", object->kind}, {"id", object->id}});
    remove_object(call, *object);
    return after_destroying(call);
}

inline bool is_type(const void* structure, XrStructureType type) {
    return structure != nullptr && static_cast<const XrBaseInStructure*>(structure)->type == type;
}

/// The member of a `next` chain that has this type, or null.
template <class T>
T* chained(const void* next, XrStructureType type) {
    for (auto* at = static_cast<const XrBaseInStructure*>(next); at != nullptr; at = at->next)
        if (at->type == type) return reinterpret_cast<T*>(const_cast<XrBaseInStructure*>(at));
    return nullptr;
}

/// OpenXR's two-call idiom for lists: first the count, then the elements.
template <class T, class Fill>
XrResult copy_list(const char* call, std::size_t size, std::uint32_t capacity, std::uint32_t* count, T* list,
                   Fill fill) {
    if (count == nullptr) return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the count pointer is null");
    *count = static_cast<std::uint32_t>(size);
    if (capacity == 0) return XR_SUCCESS;
    if (capacity < size)
        return misuse(call, XR_ERROR_SIZE_INSUFFICIENT, "the capacity is less than the count");
    if (list == nullptr) return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the list pointer is null");
    for (std::size_t i = 0; i < size; ++i) fill(list[i], i);
    return XR_SUCCESS;
}

void copy_text(char* to, std::size_t capacity, std::string_view text);

template <class Event>
void queue_event(Event event) {
    static_assert(sizeof(Event) <= sizeof(XrEventDataBuffer));
    if (runtime().instance == nullptr) return;
    std::memcpy(&runtime().instance->events.emplace_back(), &event, sizeof event);
}

Json to_json(const XrPosef& pose);
Json to_json(const XrFovf& fov);

}  // namespace claybox::xr_runtime
