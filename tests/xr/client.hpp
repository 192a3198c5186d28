#pragma once
// The smallest client of OpenXR: raw calls through the real loader, with a context that needs no display
// unless a window is given.

#include "engine/platform/gl_context.hpp"
#include "engine/platform/window.hpp"

#include <nlohmann/json.hpp>
#define XR_USE_GRAPHICS_API_OPENGL
#define XR_USE_PLATFORM_EGL
#define XR_USE_PLATFORM_XLIB
// Each needs those before it.
// clang-format off
#include <EGL/egl.h>
#include <glad/gl.h>
#include <GL/glx.h>
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>
// clang-format on
#undef None
#undef Always
#undef Bool
#undef Status
#undef Success

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace claybox::test {

using Json = nlohmann::json;

/// A folder of this process for script, log and pictures, gone with the object; the environment names them
/// and the runtime's manifest. Make it before the first call of OpenXR.
class XrPlace {
  public:
    explicit XrPlace(const std::vector<std::string>& script_lines = {});
    XrPlace(const XrPlace&) = delete;
    XrPlace& operator=(const XrPlace&) = delete;
    ~XrPlace();

    const std::filesystem::path& folder() const { return folder_; }
    std::string log_text() const;
    std::vector<Json> log() const;
    /// Lines whose "what" is this.
    std::vector<Json> log(const std::string& what) const;
    std::vector<std::string> states() const;

  private:
    std::filesystem::path folder_;
};

/// Both eyes and depth, as a frame hands them over.
struct XrImages {
    std::array<XrSwapchain, 2> colour{}, depth{};
    std::array<std::vector<unsigned>, 2> colour_textures;
    int width = 0, height = 0;
};

class XrClient {
  public:
    ~XrClient();

    /// Opens the window whose GLX context the session then uses; the display is given a second to be there.
    void open_window();
    /// Each returns what OpenXR said; the first failure ends the chain.
    XrResult create_instance(std::vector<const char*> extensions = kUsual, bool validation = false);
    XrResult get_system();
    XrResult requirements();
    XrResult create_session();
    /// All of the above, the context included, and the STAGE space.
    XrResult open(std::vector<const char*> extensions = kUsual, bool validation = false);
    /// Takes every event; begins and ends the session where its state asks for it.
    void poll();
    bool begin();
    /// One frame with clear colours in the eyes (none where nothing is to be drawn); what failed, if
    /// anything.
    XrResult frame(bool with_layer = true);
    XrResult make_images();
    void close();

    template <class Function>
    Function function(const char* name) const {
        PFN_xrVoidFunction found = nullptr;
        xrGetInstanceProcAddr(instance, name, &found);
        return reinterpret_cast<Function>(found);
    }

    static const std::vector<const char*> kUsual;
    std::unique_ptr<engine::Window> window;
    XrInstance instance = XR_NULL_HANDLE;
    XrSystemId system = 0;
    XrSession session = XR_NULL_HANDLE;
    XrSpace stage = XR_NULL_HANDLE;
    XrSessionState state = XR_SESSION_STATE_UNKNOWN;
    bool running = false;
    std::vector<XrEventDataBuffer> events;
    XrFrameState last{};
    XrImages images;

  private:
    XrResult create_session(const void* binding);
    XrResult draw_eye(int eye);
    XrResult submit(bool with_layer);
    std::unique_ptr<engine::OffscreenContext> context_;
};

/// The only member of a structure that everybody must set.
template <class T>
T typed(XrStructureType type) {
    T structure{};
    structure.type = type;
    return structure;
}

}  // namespace claybox::test
