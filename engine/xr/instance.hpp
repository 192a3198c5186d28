#pragma once
// The loader, the runtime behind it and the headset that it has.

#include "engine/xr/openxr_api.hpp"

#include <array>

namespace claybox::engine {

/// Used only when the runtime lists them.
enum class Extension : unsigned char {
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

class Instance {
  public:
    /// Asks loader and runtime, quietly. False with a sentence in `error`: what is missing and where to set
    /// it.
    bool open(std::string& error);
    /// After open(). False with a sentence in `error` when there is no headset or OpenGL cannot draw for it.
    bool find_headset(std::string& error);
    void close();

    XrInstance handle() const { return instance_.get(); }
    XrSystemId system() const { return system_; }
    bool has(Extension extension) const { return has_[static_cast<std::size_t>(extension)]; }
    bool tracks_hands() const { return tracks_hands_; }
    /// Of images, pixels.
    std::uint32_t most_width() const { return most_width_; }
    std::uint32_t most_height() const { return most_height_; }
    /// "Monado"
    const std::string& runtime_name() const { return name_; }

    /// A function of an extension that is enabled; false when the runtime does not give it.
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
    void ask_properties();

    XrOwned<XrInstance, xrDestroyInstance> instance_;
    XrSystemId system_ = XR_NULL_SYSTEM_ID;
    std::array<bool, static_cast<std::size_t>(Extension::count)> has_{};
    std::uint32_t most_width_ = 0, most_height_ = 0;
    bool tracks_hands_ = false;
    std::string name_;
};

}  // namespace claybox::engine
