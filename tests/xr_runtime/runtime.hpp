#pragma once
// What the runtime knows: one instance, one session, their objects by handle, and where the script stands.
// Not thread-safe: the clients it is for have one thread.

#include "tests/xr_runtime/log.hpp"
#include "tests/xr_runtime/script.hpp"

#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>

namespace claybox::xr_runtime {

struct Session;

/// Everything that has a handle. Handles are numbers that count up and never come back.
struct Object {
    explicit Object(const char* what) : kind(what) {}
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    virtual ~Object() = default;
    virtual void end() {}  ///< frees what is not ours; not called when the process ends

    const char* kind;
    std::uint64_t id = 0, parent = 0;
    Session* session = nullptr;  ///< null: of the instance
};

struct Instance final : Object {
    Instance() : Object("instance") {}
    std::set<std::string> extensions;
    std::deque<XrEventDataBuffer> events;
    std::vector<std::string> paths;  ///< XrPath is the place here, plus one
    /// By profile: which action hangs on which path.
    std::map<XrPath, std::vector<XrActionSuggestedBinding>> suggested;
    bool requirements_asked = false, lost = false;

    bool has(const char* extension) const { return extensions.contains(extension); }
};

/// Time goes on by whole display periods and by nothing else.
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
    std::chrono::steady_clock::time_point next_frame;  ///< of a script that asks for real time
    std::uint64_t last_handle = 0;
    std::map<std::uint64_t, std::unique_ptr<Object>> objects;
    Instance* instance = nullptr;
    Session* session = nullptr;
    std::string script_path, log_path;
    bool prepared = false;

    ~Runtime();
    XrTime now() const { return clock.time_of(frame); }
};

Runtime& runtime();

/// Reads script and log from the environment, anew when they have other names than before. False when the
/// script is not one: said on the error stream.
bool prepare();

/// One line of the log; `more` is an object.
void note(const char* what, const Json& more = Json::object());
/// The client did wrong: a line of the log, and the code that it gets.
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

/// Takes the object over, gives it a number and logs it with `more`.
void add_object(std::unique_ptr<Object> object, const Object* parent, Json more = Json::object());
/// Destroys the object after its children; those are logged as leaked.
void remove_object(const char* call, Object& object);

/// What each function asks first: losses and failures that the script wants here. XR_SUCCESS to go on.
XrResult meet_faults(const char* call, const Session* session);

/// The object of a handle and XR_SUCCESS, or what the function has to return.
template <class T, class Handle>
XrResult enter(const char* call, Handle handle, T*& object) {
    object = find<T>(handle);
    if (object == nullptr)
        return misuse(call, XR_ERROR_HANDLE_INVALID, "the handle is of no living object of that kind");
    return meet_faults(call, object->session);
}

/// For functions that destroy: lost objects are destroyed like any other.
template <class T, class Handle>
XrResult destroy(const char* call, Handle handle) {
    T* object = find<T>(handle);
    if (object == nullptr)
        return misuse(call, XR_ERROR_HANDLE_INVALID, "the handle is of no living object of that kind");
    note("destroy", {{"kind", object->kind}, {"id", object->id}});
    remove_object(call, *object);
    return XR_SUCCESS;
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

/// The way OpenXR hands over lists: asked for the count first, then with room.
template <class T, class Fill>
XrResult hand_over(const char* call, std::size_t size, std::uint32_t capacity, std::uint32_t* count, T* list,
                   Fill fill) {
    if (count == nullptr) return misuse(call, XR_ERROR_VALIDATION_FAILURE, "no place for the count");
    *count = static_cast<std::uint32_t>(size);
    if (capacity == 0) return XR_SUCCESS;
    if (capacity < size) return misuse(call, XR_ERROR_SIZE_INSUFFICIENT, "less room than the count says");
    if (list == nullptr) return misuse(call, XR_ERROR_VALIDATION_FAILURE, "no room given");
    for (std::size_t i = 0; i < size; ++i) fill(list[i], i);
    return XR_SUCCESS;
}

void copy_text(char* to, std::size_t room, std::string_view text);

template <class Event>
void queue_event(Event event) {
    static_assert(sizeof(Event) <= sizeof(XrEventDataBuffer));
    if (runtime().instance == nullptr) return;
    std::memcpy(&runtime().instance->events.emplace_back(), &event, sizeof event);
}

Json to_json(const XrPosef& pose);
Json to_json(const XrFovf& fov);

}  // namespace claybox::xr_runtime
