#include "tests/xr/client.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace claybox::test {

namespace {

constexpr std::int64_t kColour = 0x8C43, kDepth = 0x8CAC;  // GL_SRGB8_ALPHA8, GL_DEPTH_COMPONENT32F

XrPosef identity() {
    return {{0, 0, 0, 1}, {0, 0, 0}};
}

/// Binding of the window whose context is current; finds the configuration by its number.
XrGraphicsBindingOpenGLXlibKHR current_glx() {
    auto binding = typed<XrGraphicsBindingOpenGLXlibKHR>(XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR);
    binding.xDisplay = glXGetCurrentDisplay();
    binding.glxContext = glXGetCurrentContext();
    binding.glxDrawable = glXGetCurrentDrawable();
    if (binding.xDisplay == nullptr) return binding;
    int number = 0, screen = 0, count = 0;
    glXQueryContext(binding.xDisplay, binding.glxContext, GLX_FBCONFIG_ID, &number);
    glXQueryContext(binding.xDisplay, binding.glxContext, GLX_SCREEN, &screen);
    const int wanted[] = {GLX_FBCONFIG_ID, number, 0};
    GLXFBConfig* found = glXChooseFBConfig(binding.xDisplay, screen, wanted, &count);
    if (count > 0) binding.glxFBConfig = found[0];
    if (count > 0 && glXGetFBConfigAttrib(binding.xDisplay, found[0], GLX_VISUAL_ID, &number) == 0)
        binding.visualid = static_cast<std::uint32_t>(number);
    free(found);  // same as XFree, without linking X11
    return binding;
}

}  // namespace

ScriptedRuntime::ScriptedRuntime(const std::vector<std::string>& script_lines) {
    static int number = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("claybox_xr_" + std::to_string(getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directories(folder_);
    std::ofstream script(folder_ / "script.jsonl");
    for (const std::string& line : script_lines) script << line << '\n';
    setenv("XR_RUNTIME_JSON", CLAYBOX_XR_RUNTIME_JSON, 1);
    setenv("CLAYBOX_XR_SCRIPT", (folder_ / "script.jsonl").c_str(), 1);
    setenv("CLAYBOX_XR_LOG", (folder_ / "log.jsonl").c_str(), 1);
    unsetenv("CLAYBOX_XR_PICTURES");
    setenv("XR_LOADER_DEBUG", "none", 0);
}

ScriptedRuntime::~ScriptedRuntime() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string ScriptedRuntime::log_text() const {
    std::ifstream file(folder_ / "log.jsonl");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<Json> ScriptedRuntime::log() const {
    std::vector<Json> lines;
    std::ifstream file(folder_ / "log.jsonl");
    for (std::string line; std::getline(file, line);) lines.push_back(Json::parse(line));
    return lines;
}

std::vector<Json> ScriptedRuntime::log(const std::string& what) const {
    std::vector<Json> lines;
    for (Json& line : log())
        if (line["what"] == what) lines.push_back(std::move(line));
    return lines;
}

std::vector<std::string> ScriptedRuntime::states() const {
    std::vector<std::string> states;
    for (const Json& line : log("state")) states.push_back(line["state"]);
    return states;
}

const std::vector<const char*> XrClient::kUsual{"XR_KHR_opengl_enable", "XR_MNDX_egl_enable",
                                                "XR_EXT_hand_tracking", "XR_KHR_composition_layer_depth",
                                                "XR_FB_display_refresh_rate"};

XrClient::~XrClient() {
    close();
}

void XrClient::open_window() {
    // A virtual display restarts when its last client disconnects, and is unreachable meanwhile.
    std::string error;
    for (int i = 0; i < 20 && window == nullptr; ++i) {
        if (i > 0) usleep(50'000);
        window = engine::Window::create({}, error);
    }
}

XrResult XrClient::create_instance(std::vector<const char*> extensions, bool validation) {
    auto info = typed<XrInstanceCreateInfo>(XR_TYPE_INSTANCE_CREATE_INFO);
    std::strcpy(info.applicationInfo.applicationName, "raw client");
    std::strcpy(info.applicationInfo.engineName, "none");
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.enabledExtensionNames = extensions.data();
    const char* layer = "XR_APILAYER_LUNARG_core_validation";
    info.enabledApiLayerCount = validation ? 1 : 0;
    info.enabledApiLayerNames = &layer;
    return xrCreateInstance(&info, &instance);
}

XrResult XrClient::get_system() {
    auto info = typed<XrSystemGetInfo>(XR_TYPE_SYSTEM_GET_INFO);
    info.formFactor = XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY;
    return xrGetSystem(instance, &info, &system);
}

XrResult XrClient::requirements() {
    const auto ask = function<PFN_xrGetOpenGLGraphicsRequirementsKHR>("xrGetOpenGLGraphicsRequirementsKHR");
    auto wanted = typed<XrGraphicsRequirementsOpenGLKHR>(XR_TYPE_GRAPHICS_REQUIREMENTS_OPENGL_KHR);
    return ask != nullptr ? ask(instance, system, &wanted) : XR_ERROR_FUNCTION_UNSUPPORTED;
}

XrResult XrClient::create_session() {
    if (window != nullptr) {
        const XrGraphicsBindingOpenGLXlibKHR binding = current_glx();
        return create_session(&binding);
    }
    std::string error;
    if (context_ == nullptr) context_ = engine::OffscreenContext::create(error);
    auto binding = typed<XrGraphicsBindingEGLMNDX>(XR_TYPE_GRAPHICS_BINDING_EGL_MNDX);
    binding.getProcAddress = eglGetProcAddress;
    binding.display = eglGetCurrentDisplay();
    binding.context = eglGetCurrentContext();
    return create_session(&binding);
}

XrResult XrClient::create_session(const void* binding) {
    auto info = typed<XrSessionCreateInfo>(XR_TYPE_SESSION_CREATE_INFO);
    info.next = binding;
    info.systemId = system;
    return xrCreateSession(instance, &info, &session);
}

XrResult XrClient::open(std::vector<const char*> extensions, bool validation) {
    XrResult result = create_instance(std::move(extensions), validation);
    if (result == XR_SUCCESS) result = get_system();
    if (result == XR_SUCCESS) result = requirements();
    if (result == XR_SUCCESS) result = create_session();
    auto info = typed<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
    info.referenceSpaceType = XR_REFERENCE_SPACE_TYPE_STAGE;
    info.poseInReferenceSpace = identity();
    if (result == XR_SUCCESS) result = xrCreateReferenceSpace(session, &info, &stage);
    return result;
}

void XrClient::poll() {
    for (;;) {
        auto event = typed<XrEventDataBuffer>(XR_TYPE_EVENT_DATA_BUFFER);
        if (xrPollEvent(instance, &event) != XR_SUCCESS) return;
        events.push_back(event);
        if (event.type != XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) continue;
        state = reinterpret_cast<const XrEventDataSessionStateChanged&>(event).state;
        if (state == XR_SESSION_STATE_READY) begin();
        if (state == XR_SESSION_STATE_STOPPING && xrEndSession(session) == XR_SUCCESS) running = false;
    }
}

bool XrClient::begin() {
    auto info = typed<XrSessionBeginInfo>(XR_TYPE_SESSION_BEGIN_INFO);
    info.primaryViewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    running = xrBeginSession(session, &info) == XR_SUCCESS;
    return running;
}

XrResult XrClient::make_images() {
    images.width = 64;
    images.height = 48;
    auto info = typed<XrSwapchainCreateInfo>(XR_TYPE_SWAPCHAIN_CREATE_INFO);
    info.width = 64, info.height = 48;
    info.sampleCount = info.faceCount = info.arraySize = info.mipCount = 1;
    for (std::size_t eye = 0; eye < 2; ++eye) {
        info.usageFlags = XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT;
        info.format = kColour;
        if (const XrResult r = xrCreateSwapchain(session, &info, &images.colour[eye]); r != XR_SUCCESS)
            return r;
        info.usageFlags = XR_SWAPCHAIN_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
        info.format = kDepth;
        if (const XrResult r = xrCreateSwapchain(session, &info, &images.depth[eye]); r != XR_SUCCESS)
            return r;
        std::uint32_t count = 0;
        xrEnumerateSwapchainImages(images.colour[eye], 0, &count, nullptr);
        std::vector<XrSwapchainImageOpenGLKHR> list(
            count, typed<XrSwapchainImageOpenGLKHR>(XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR));
        const XrResult result = xrEnumerateSwapchainImages(
            images.colour[eye], count, &count, reinterpret_cast<XrSwapchainImageBaseHeader*>(list.data()));
        if (result != XR_SUCCESS) return result;
        images.colour_textures[eye].clear();
        for (const auto& image : list) images.colour_textures[eye].push_back(image.image);
    }
    return XR_SUCCESS;
}

/// Left eye: lower half red, upper half green; right eye: blue.
XrResult XrClient::draw_eye(int eye) {
    const auto side = static_cast<std::size_t>(eye);
    auto wait = typed<XrSwapchainImageWaitInfo>(XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO);
    wait.timeout = XR_INFINITE_DURATION;
    std::uint32_t colour = 0, depth = 0;
    XrResult result = xrAcquireSwapchainImage(images.colour[side], nullptr, &colour);
    if (result == XR_SUCCESS) result = xrWaitSwapchainImage(images.colour[side], &wait);
    if (result == XR_SUCCESS) result = xrAcquireSwapchainImage(images.depth[side], nullptr, &depth);
    if (result == XR_SUCCESS) result = xrWaitSwapchainImage(images.depth[side], &wait);
    if (result != XR_SUCCESS) return result;
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           images.colour_textures[side][colour], 0);
    glClearColor(eye == 0 ? 1.0f : 0.0f, 0, eye == 0 ? 0.0f : 1.0f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, images.height / 2, images.width, images.height);
    if (eye == 0) glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    result = xrReleaseSwapchainImage(images.colour[side], nullptr);
    return result == XR_SUCCESS ? xrReleaseSwapchainImage(images.depth[side], nullptr) : result;
}

XrResult XrClient::submit(bool with_layer) {
    auto locate = typed<XrViewLocateInfo>(XR_TYPE_VIEW_LOCATE_INFO);
    locate.viewConfigurationType = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
    locate.displayTime = last.predictedDisplayTime;
    locate.space = stage;
    auto view_state = typed<XrViewState>(XR_TYPE_VIEW_STATE);
    std::array<XrView, 2> views{typed<XrView>(XR_TYPE_VIEW), typed<XrView>(XR_TYPE_VIEW)};
    std::uint32_t count = 2;
    XrResult result = xrLocateViews(session, &locate, &view_state, 2, &count, views.data());
    if (result != XR_SUCCESS) return result;
    std::array<XrCompositionLayerProjectionView, 2> shown;
    std::array<XrCompositionLayerDepthInfoKHR, 2> depth;
    for (std::size_t eye = 0; with_layer && eye < 2; ++eye) {
        result = draw_eye(static_cast<int>(eye));
        if (result != XR_SUCCESS) return result;
        const XrRect2Di all{{0, 0}, {images.width, images.height}};
        depth[eye] = typed<XrCompositionLayerDepthInfoKHR>(XR_TYPE_COMPOSITION_LAYER_DEPTH_INFO_KHR);
        depth[eye].subImage = {images.depth[eye], all, 0};
        depth[eye].maxDepth = 1, depth[eye].nearZ = 0.02f, depth[eye].farZ = 60;
        shown[eye] = typed<XrCompositionLayerProjectionView>(XR_TYPE_COMPOSITION_LAYER_PROJECTION_VIEW);
        shown[eye].next = &depth[eye];
        shown[eye].pose = views[eye].pose;
        shown[eye].fov = views[eye].fov;
        shown[eye].subImage = {images.colour[eye], all, 0};
    }
    auto layer = typed<XrCompositionLayerProjection>(XR_TYPE_COMPOSITION_LAYER_PROJECTION);
    layer.space = stage;
    layer.viewCount = 2;
    layer.views = shown.data();
    const auto* base = reinterpret_cast<const XrCompositionLayerBaseHeader*>(&layer);
    auto end = typed<XrFrameEndInfo>(XR_TYPE_FRAME_END_INFO);
    end.displayTime = last.predictedDisplayTime;
    end.environmentBlendMode = XR_ENVIRONMENT_BLEND_MODE_OPAQUE;
    end.layerCount = with_layer ? 1 : 0;
    end.layers = &base;
    return xrEndFrame(session, &end);
}

XrResult XrClient::frame(bool with_layer) {
    last = typed<XrFrameState>(XR_TYPE_FRAME_STATE);
    XrResult result = xrWaitFrame(session, nullptr, &last);
    if (result == XR_SUCCESS) result = xrBeginFrame(session, nullptr);
    if (result != XR_SUCCESS) return result;
    return submit(with_layer && last.shouldRender == XR_TRUE && images.width > 0);
}

void XrClient::close() {
    for (std::size_t eye = 0; session != XR_NULL_HANDLE && eye < 2; ++eye) {
        if (images.colour[eye] != XR_NULL_HANDLE) xrDestroySwapchain(images.colour[eye]);
        if (images.depth[eye] != XR_NULL_HANDLE) xrDestroySwapchain(images.depth[eye]);
    }
    images = {};
    if (stage != XR_NULL_HANDLE) xrDestroySpace(stage);
    if (session != XR_NULL_HANDLE) xrDestroySession(session);
    if (instance != XR_NULL_HANDLE) xrDestroyInstance(instance);
    stage = XR_NULL_HANDLE, session = XR_NULL_HANDLE, instance = XR_NULL_HANDLE;
    running = false;
}

}  // namespace claybox::test
