#pragma once
// OpenXR's headers, and what every call into it shares. For the sources of this folder only.

#define XR_USE_GRAPHICS_API_OPENGL
#include "engine/xr/newer_openxr.hpp"

#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <string>
#include <utility>

namespace claybox::engine {

/// A structure of OpenXR with nothing in it but its type.
template <class Structure>
Structure typed(XrStructureType type) {
    Structure structure{};
    structure.type = type;
    return structure;
}

/// A handle that ends with its owner. What destroying it answers changes nothing and is not asked.
template <class Handle, auto destroy>
class XrOwned {
  public:
    XrOwned() = default;
    XrOwned(XrOwned&& other) noexcept : handle_(std::exchange(other.handle_, XR_NULL_HANDLE)) {}
    XrOwned& operator=(XrOwned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    XrOwned(const XrOwned&) = delete;
    XrOwned& operator=(const XrOwned&) = delete;
    ~XrOwned() { reset(); }

    void reset() {
        if (handle_ != XR_NULL_HANDLE) destroy(handle_);
        handle_ = XR_NULL_HANDLE;
    }
    Handle get() const { return handle_; }
    /// Where a function of OpenXR writes a new handle; what it leaves there when it fails must not be freed,
    /// so that failed() has to follow.
    Handle* fresh() {
        reset();
        return &handle_;
    }
    void failed() { handle_ = XR_NULL_HANDLE; }
    explicit operator bool() const { return handle_ != XR_NULL_HANDLE; }

  private:
    Handle handle_ = XR_NULL_HANDLE;
};

/// Hears the result of every call, so that a loss is noticed whichever call tells it first: runtimes that die
/// send no event.
class CallWatch {
  public:
    /// True when the call did its work. `call`: a literal, for the sentence.
    bool ok(XrResult result, const char* call) {
        const bool gone = result == XR_ERROR_INSTANCE_LOST || result == XR_ERROR_SESSION_LOST ||
                          result == XR_ERROR_RUNTIME_UNAVAILABLE || result == XR_SESSION_LOSS_PENDING;
        if (gone) lose(call, result);
        return XR_SUCCEEDED(result) && !gone;
    }
    template <class Handle, auto destroy>
    bool made(XrResult result, XrOwned<Handle, destroy>& handle, const char* call) {
        if (ok(result, call)) return true;
        if (XR_FAILED(result)) handle.failed();
        return false;
    }
    /// The first reason stays.
    void lose(const char* why, XrResult result) {
        if (lost()) return;
        why_ = why;
        result_ = result;
    }
    bool lost() const { return why_ != nullptr; }
    /// "xrWaitFrame: result -13"; empty when nothing is lost.
    std::string reason() const {
        if (!lost() || result_ == XR_SUCCESS) return lost() ? why_ : "";
        return std::string(why_) + ": result " + std::to_string(static_cast<int>(result_));
    }

  private:
    const char* why_ = nullptr;
    XrResult result_ = XR_SUCCESS;
};

/// " (xrCreateSession: result -38)", the end of a sentence.
inline std::string result_note(const char* call, XrResult result) {
    return std::string(" (") + call + ": result " + std::to_string(static_cast<int>(result)) + ")";
}

}  // namespace claybox::engine
