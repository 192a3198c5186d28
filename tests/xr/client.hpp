#pragma once
// A minimal OpenXR client: raw calls through the real loader. Its context needs no display unless a window is
// opened.

#include "engine/platform/gl_context.hpp"
#include "engine/platform/window.hpp"

#include <nlohmann/json.hpp>
#define XR_USE_GRAPHICS_API_OPENGL
#define XR_USE_PLATFORM_EGL
#define XR_USE_PLATFORM_XLIB
// Each header needs the ones before it.
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

/// A temporary folder for script, log and pictures of the test runtime; sets the environment variables for
/// them and for the runtime's manifest. Construct it before the first OpenXR call.
class ScriptedRuntime {
  public:
    explicit ScriptedRuntime(const std::vector<std::string>& script_lines = {});
    ScriptedRuntime(const ScriptedRuntime&) = delete;
    ScriptedRuntime& operator=(const ScriptedRuntime&) = delete;
    ~ScriptedRuntime();

    const std::filesystem::path& folder() const { return folder_; }
    std::string log_text() const;
    std::vector<Json> log() const;
    /// Log lines whose "what" has this value.
    std::vector<Json> log(const std::string& what) const;
    std::vector<std::string> states() const;

  private:
    std::filesystem::path folder_;
};

/// Colour and depth images of both eyes.
struct EyeImages {
    std::array<XrSwapchain, 2> colour{}, depth{};
    std::array<std::vector<unsigned>, 2> colour_textures;
    int width = 0, height = 0;
};

class XrClient {
  public:
    ~XrClient();

    /// Opens a window whose GLX context the session then uses; waits up to a second for the display.
    void open_window();
    /// Each returns its OpenXR result.
    XrResult create_instance(std::vector<const char*> extensions = kUsual, bool validation = false);
    XrResult get_system();
    XrResult requirements();
    XrResult create_session();
    /// All of the above including the context and the STAGE space; stops at the first failure.
    XrResult open(std::vector<const char*> extensions = kUsual, bool validation = false);
    /// Handles all events; begins and ends the session as its state requires.
    void poll();
    bool begin();
    /// Runs one frame with clear colours in the eyes (or without layers). Returns the first failure.
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
    EyeImages images;

  private:
    XrResult create_session(const void* binding);
    XrResult draw_eye(int eye);
    XrResult submit(bool with_layer);
    std::unique_ptr<engine::OffscreenContext> context_;
};

/// A zeroed structure with its type set.
template <class T>
T typed(XrStructureType type) {
    T structure{};
    structure.type = type;
    return structure;
}

}  // namespace claybox::test
