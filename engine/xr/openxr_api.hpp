#pragma once
// OpenXR's headers and the helpers for calling it. For this folder only.

#define XR_USE_GRAPHICS_API_OPENGL
#include "engine/xr/newer_openxr.hpp"

#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <string>
#include <utility>

namespace claybox::engine {

/// A zeroed OpenXR structure with its type set.
template <class Structure>
Structure typed(XrStructureType type) {
    Structure structure{};
    structure.type = type;
    return structure;
}

/// Owns a handle and destroys it; the result of destroying is ignored.
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
    /// Where an OpenXR function writes a new handle. After a failure the content is undefined and must not be
    /// freed, so failed() must follow.
    Handle* receive() {
        reset();
        return &handle_;
    }
    void failed() { handle_ = XR_NULL_HANDLE; }
    explicit operator bool() const { return handle_ != XR_NULL_HANDLE; }

  private:
    Handle handle_ = XR_NULL_HANDLE;
};

/// Checks the result of every call, so the first failing call reveals a loss: runtimes that crash send no
/// event.
class CallWatch {
  public:
    /// True when the call succeeded and nothing is lost. `call` is a literal, used in messages.
    bool ok(XrResult result, const char* call) {
        const bool gone = result == XR_ERROR_INSTANCE_LOST || result == XR_ERROR_SESSION_LOST ||
                          result == XR_ERROR_RUNTIME_UNAVAILABLE || result == XR_SESSION_LOSS_PENDING;
        if (gone) lose(call, result);
        return XR_SUCCEEDED(result) && !gone;
    }
    template <class Handle, auto destroy>
    bool created(XrResult result, XrOwned<Handle, destroy>& handle, const char* call) {
        if (ok(result, call)) return true;
        if (XR_FAILED(result)) handle.failed();
        return false;
    }
    /// Records a loss; the first reason is kept.
    void lose(const char* why, XrResult result) {
        if (lost()) return;
        why_ = why;
        result_ = result;
    }
    bool lost() const { return why_ != nullptr; }
    /// For example "xrWaitFrame: result -13"; empty when nothing is lost.
    std::string reason() const {
        if (!lost() || result_ == XR_SUCCESS) return lost() ? why_ : "";
        return std::string(why_) + ": result " + std::to_string(static_cast<int>(result_));
    }

  private:
    const char* why_ = nullptr;
    XrResult result_ = XR_SUCCESS;
};

/// End of a sentence: " (xrCreateSession: result -38)".
inline std::string result_note(const char* call, XrResult result) {
    return std::string(" (") + call + ": result " + std::to_string(static_cast<int>(result)) + ")";
}

}  // namespace claybox::engine
