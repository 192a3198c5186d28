#pragma once
// The OpenXR loader, the runtime behind it, and its headset.

#include "engine/xr/openxr_api.hpp"

#include <array>

namespace claybox::engine {

/// Each is used only when the runtime lists it.
enum class XrExtension : unsigned char {
    opengl,
    depth_layer,
    refresh_rate,
    hand_tracking,
    hand_data_source,
    hand_interaction,
    local_floor,
    user_presence,
    count,
};

class XrRuntime {
  public:
    /// Connects to loader and runtime without console output. Returns false with a sentence in `error`: what
    /// is missing and where to set it.
    bool open(std::string& error);
    /// Call after open(). Returns false with a sentence in `error` when there is no headset or it does not
    /// support OpenGL.
    bool find_headset(std::string& error);
    void close();

    XrInstance handle() const { return instance_.get(); }
    XrSystemId system() const { return system_; }
    bool has(XrExtension extension) const { return has_[static_cast<std::size_t>(extension)]; }
    bool tracks_hands() const { return tracks_hands_; }
    /// Maximum image size of the system, pixels.
    std::uint32_t max_width() const { return max_width_; }
    std::uint32_t max_height() const { return max_height_; }
    /// For example "Monado".
    const std::string& name() const { return name_; }

    /// Loads a function of an enabled extension; false when the runtime does not provide it.
    template <class Function>
    bool load(const char* name, Function& function) const {
        PFN_xrVoidFunction found = nullptr;
        const bool ok = XR_SUCCEEDED(xrGetInstanceProcAddr(handle(), name, &found)) && found != nullptr;
        function = ok ? reinterpret_cast<Function>(found) : nullptr;
        return ok;
    }

  private:
    XrResult list_extensions();
    XrResult create();
    void query_properties();

    XrOwned<XrInstance, xrDestroyInstance> instance_;
    XrSystemId system_ = XR_NULL_SYSTEM_ID;
    std::array<bool, static_cast<std::size_t>(XrExtension::count)> has_{};
    std::uint32_t max_width_ = 0, max_height_ = 0;
    bool tracks_hands_ = false;
    std::string name_;
};

}  // namespace claybox::engine
