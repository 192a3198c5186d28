#include "engine/ui/ui.hpp"

#include "engine/gl/dialect.hpp"
#include "engine/ui/style/fonts.hpp"
#include "engine/ui/ui_impl.hpp"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <cmath>
#include <utility>

namespace claybox::engine {
namespace {

constexpr float kDoubleClickSeconds = 0.30f;

static_assert(key::kEscape == GLFW_KEY_ESCAPE && key::kEnter == GLFW_KEY_ENTER && key::kTab == GLFW_KEY_TAB &&
              key::kF1 == GLFW_KEY_F1 && key::kF6 == GLFW_KEY_F6 && key::kF12 == GLFW_KEY_F12 &&
              key::kSpace == GLFW_KEY_SPACE && key::kRight == GLFW_KEY_RIGHT && key::kLeft == GLFW_KEY_LEFT &&
              key::kDown == GLFW_KEY_DOWN && key::kUp == GLFW_KEY_UP && key::kPageUp == GLFW_KEY_PAGE_UP &&
              key::kPageDown == GLFW_KEY_PAGE_DOWN && key::kKeypadEnter == GLFW_KEY_KP_ENTER &&
              key::kKeypadAdd == GLFW_KEY_KP_ADD && key::kKeypadSubtract == GLFW_KEY_KP_SUBTRACT);

/// GLFW passes events to plain functions. One receiver suffices: ImGui's backend supports one window too.
Ui::Impl* g_receiver = nullptr;

/// Counts an event. False without a receiver.
bool receive() {
    if (g_receiver) ++g_receiver->events;
    return g_receiver != nullptr;
}

void note_key(int key, bool down, bool control, bool shift) {
    if (!receive() || key < 0 || key >= 512) return;
    UiInput& input = g_receiver->pending;
    input.keys[static_cast<std::size_t>(key)] = down;
    if (down) input.presses.push_back({key, control, shift});
}

void on_key(GLFWwindow*, int key, int, int action, int mods) {
    if (action == GLFW_REPEAT) return;
    note_key(key, action == GLFW_PRESS, (mods & (GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) != 0,
             (mods & GLFW_MOD_SHIFT) != 0);
}

void on_mouse_move(GLFWwindow*, double x, double y) {
    if (receive()) g_receiver->cursor = {static_cast<float>(x), static_cast<float>(y)};
}

void on_mouse_button(GLFWwindow*, int button, int action, int) {
    if (receive() && button == GLFW_MOUSE_BUTTON_LEFT && action == GLFW_PRESS)
        g_receiver->pending.clicks.push_back(g_receiver->cursor);
}

void on_drop(GLFWwindow*, int count, const char** files) {
    if (receive())
        g_receiver->pending.dropped.insert(g_receiver->pending.dropped.end(), files, files + count);
}

void on_wheel(GLFWwindow*, double, double) {
    receive();
}

/// For Dear ImGui, which does not check for null.
void* allocate(std::size_t bytes, void*) {
    return ::operator new(bytes);
}

void release(void* block, void*) {
    ::operator delete(block);
}

void apply_style(const Theme& theme, float scale) {
    ImGuiStyle style;
    style.WindowPadding = {0, 0};
    style.ItemSpacing = {0, 0};
    style.FramePadding = {6 * scale, 3 * scale};
    style.WindowBorderSize = 0;
    style.PopupBorderSize = 1;
    style.PopupRounding = style.FrameRounding = 4 * scale;
    style.WindowMinSize = {1, 1};
    style.Colors[ImGuiCol_Text] = ImGui::ColorConvertU32ToFloat4(theme.ink);
    style.Colors[ImGuiCol_TextSelectedBg] = ImGui::ColorConvertU32ToFloat4(faded(theme.accent, 0.35f));
    style.Colors[ImGuiCol_PopupBg] = ImGui::ColorConvertU32ToFloat4(theme.panel);
    style.Colors[ImGuiCol_WindowBg] = ImGui::ColorConvertU32ToFloat4(theme.panel);
    style.Colors[ImGuiCol_FrameBg] = ImGui::ColorConvertU32ToFloat4(theme.frame);
    style.Colors[ImGuiCol_Border] = ImGui::ColorConvertU32ToFloat4(theme.line);
    style.Colors[ImGuiCol_ChildBg] = style.Colors[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
    style.ScrollbarSize = 10 * scale;
    style.ScrollbarRounding = 5 * scale;
    style.Colors[ImGuiCol_ScrollbarGrab] = ImGui::ColorConvertU32ToFloat4(theme.line);
    style.Colors[ImGuiCol_ScrollbarGrabHovered] = style.Colors[ImGuiCol_ScrollbarGrabActive] =
        ImGui::ColorConvertU32ToFloat4(theme.secondary);
    ImGui::GetStyle() = style;
}

#if IMGUI_VERSION_NUM >= 18700
void send_mouse(ImGuiIO& io, const InjectedInput& in) {
    io.AddMousePosEvent(in.x, in.y);
    io.AddMouseButtonEvent(0, in.left);
    if (in.wheel != 0) io.AddMouseWheelEvent(0, in.wheel);
}
#else
void send_mouse(ImGuiIO& io, const InjectedInput& in) {
    io.MousePos = {in.x, in.y};
    io.MouseDown[0] = in.left;
    io.MouseWheel += in.wheel;
}
#endif

/// Replays keys that were pressed and released since the last frame, as on a slow machine: Dear ImGui
/// before 1.87 would miss them. Call with `down` before its new frame, and without after it.
void hold_short_presses([[maybe_unused]] const Ui::Impl& impl, [[maybe_unused]] bool down) {
#if IMGUI_VERSION_NUM < 18700
    for (const KeyPress& press : down ? impl.pending.presses : impl.input.presses) {
        const auto key = static_cast<std::size_t>(press.key);
        if (!impl.pending.keys[key]) ImGui::GetIO().KeysDown[key] = down;
    }
#endif
}

/// ImGui sees clicks when a frame begins. When frames are slow, the two clicks of a double click appear
/// further apart than they were, so the limit includes the frame times.
void pass_time(ImGuiIO& io, double dt) {
    const auto passed = static_cast<float>(std::clamp(dt, 1e-4, 0.25));
    io.MouseDoubleClickTime = kDoubleClickSeconds + io.DeltaTime + passed;
    io.DeltaTime = passed;
}

/// `injected`: no window reported the clicks of this frame.
void fill_input(Ui::Impl& impl, bool injected) {
    const ImGuiIO& io = ImGui::GetIO();
    UiInput& input = impl.input;
    input = impl.pending;
    impl.pending.presses.clear();
    impl.pending.clicks.clear();
    impl.pending.dropped.clear();
    const bool inside = io.MousePos.x > -1e6f && io.MousePos.y > -1e6f;
    if (inside) {
        input.x = io.MousePos.x;
        input.y = io.MousePos.y;
        input.dx = io.MouseDelta.x;
        input.dy = io.MouseDelta.y;
    }
    impl.pending.x = input.x;
    impl.pending.y = input.y;
    for (int b = 0; b < 3; ++b) {
        const auto i = static_cast<std::size_t>(b);
        input.down[i] = io.MouseDown[b];
        input.pressed[i] = io.MouseClicked[b];
        input.released[i] = io.MouseReleased[b];
    }
    if (injected && input.pressed[0]) input.clicks.push_back({input.x, input.y});
    input.wheel = io.MouseWheel;
    input.shift = io.KeyShift || impl.injected.shift;
    input.control = io.KeyCtrl || io.KeySuper || impl.injected.control;
    input.alt = io.KeyAlt;
    input.over_panel = io.WantCaptureMouse;
    input.typing = io.WantTextInput;
    input.list_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

}  // namespace

Ui::Ui() : impl_(std::make_unique<Impl>()) {}

std::unique_ptr<Ui> Ui::create(GLFWwindow* window, std::string& error) {
    IMGUI_CHECKVERSION();
    std::unique_ptr<Ui> ui(new Ui);
    Impl& impl = *ui->impl_;
    ImGui::SetAllocatorFunctions(allocate, release);
    impl.context = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    impl.window = window;
    g_receiver = &impl;
    if (window) {
        // ImGui's backend chains to callbacks installed before it.
        glfwSetKeyCallback(window, on_key);
        glfwSetCursorPosCallback(window, on_mouse_move);
        glfwSetMouseButtonCallback(window, on_mouse_button);
        glfwSetDropCallback(window, on_drop);
        glfwSetScrollCallback(window, on_wheel);
        if (!ImGui_ImplGlfw_InitForOpenGL(window, true)) {
            error = "the panels cannot read mouse and keys from the window";
            return nullptr;
        }
        impl.glfw_backend = true;
    }
    if (!ImGui_ImplOpenGL3_Init(shader_version())) {
        error = "the panels cannot use OpenGL: the library libGL.so.1 cannot be opened";
        return nullptr;
    }
    impl.gl_backend = true;
    return ui;
}

Ui::~Ui() {
    forget_pictures(*impl_);
    if (impl_->gl_backend) ImGui_ImplOpenGL3_Shutdown();
    if (impl_->glfw_backend) ImGui_ImplGlfw_Shutdown();
    if (impl_->context) ImGui::DestroyContext(impl_->context);
    if (g_receiver == impl_.get()) g_receiver = nullptr;
}

void Ui::set_scale(float scale) {
    // Rounded to sixteenths: few text sizes, and moving a window between monitors rarely rebuilds the atlas.
    const float rounded = std::round(std::clamp(scale, kMinScale, kMaxScale) * 16) / 16;
    if (rounded == impl_->scale) return;
    impl_->scale = rounded;
    impl_->fonts_stale = true;
}

float Ui::scale() const {
    return impl_->scale;
}

void Ui::set_dark(bool dark) {
    impl_->style_stale |= dark != impl_->theme->dark;
    impl_->theme = &theme_of(dark);
}

const Theme& Ui::theme() const {
    return *impl_->theme;
}

void Ui::begin(int width, int height, double dt) {
    Impl& impl = *impl_;
    ImGuiIO& io = ImGui::GetIO();
    if (impl.fonts_stale) {
        impl.fonts = build_fonts(*io.Fonts, impl.scale);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
        impl.style_stale = true;
        impl.fonts_stale = false;
    }
    if (impl.style_stale) apply_style(*impl.theme, impl.scale);
    impl.style_stale = false;
    ImGui_ImplOpenGL3_NewFrame();
    if (impl.glfw_backend) ImGui_ImplGlfw_NewFrame();
    // Panels use framebuffer pixels on every system; where windows use points, mouse positions are converted.
    if (impl.glfw_backend && io.DisplayFramebufferScale.x > 0 && io.DisplayFramebufferScale.x != 1) {
        if (io.MousePos.x > -1e6f) io.MousePos.x *= io.DisplayFramebufferScale.x;
        if (io.MousePos.y > -1e6f) io.MousePos.y *= io.DisplayFramebufferScale.y;
        for (Click& click : impl.pending.clicks) {
            click.x *= io.DisplayFramebufferScale.x;
            click.y *= io.DisplayFramebufferScale.y;
        }
    }
    const bool injected = std::exchange(impl.mouse_is_injected, false) || !impl.glfw_backend;
    if (injected) send_mouse(io, impl.injected);
    impl.injected.wheel = 0;
    if (impl.pointer) send_mouse(io, *impl.pointer);
    impl.pointer.reset();
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DisplayFramebufferScale = {1, 1};
    pass_time(io, dt);
    impl.time += std::max(dt, 0.0);
    impl.log.records.clear();
    hold_short_presses(impl, true);
    ImGui::NewFrame();
    fill_input(impl, injected);
    const bool had_keys = impl.keyboard.on;
    impl.keyboard.take(impl.input, impl.time);
    impl.input.typing |= had_keys || impl.keyboard.on;  // the Esc that gives the keys back is not the scene's
    hold_short_presses(impl, false);
    ImGui::PushFont(font(TextSize::body));
}

void Ui::end() {
    draw_focus(*this);
    ImGui::PopFont();
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Ui::end_without_drawing() {
    draw_focus(*this);
    ImGui::PopFont();
    ImGui::EndFrame();
}

int Ui::width() const {
    return static_cast<int>(ImGui::GetIO().DisplaySize.x);
}
int Ui::height() const {
    return static_cast<int>(ImGui::GetIO().DisplaySize.y);
}
std::uint64_t Ui::events() const {
    return impl_->events;
}

const UiInput& Ui::input() const {
    return impl_->input;
}
WidgetLog& Ui::log() {
    return impl_->log;
}
ImFont* Ui::font(TextSize size) const {
    return impl_->fonts.font[static_cast<std::size_t>(size)];
}
const std::string& Ui::font_file() const {
    return impl_->fonts.file;
}
double Ui::time() const {
    return impl_->time;
}

void Ui::show_keys(bool shown) {
    impl_->shows_keys = shown;
}
bool Ui::shows_keys() const {
    return impl_->shows_keys;
}

void Ui::leave_panels() {
    impl_->keyboard.on = false;
}

void Ui::capture_mouse() {
    impl_->input.over_panel = true;
}

void Ui::copy_text(const std::string& text) {
    ImGui::SetClipboardText(text.c_str());
}

void Ui::show_cursor(bool shown) {
    ImGui::SetMouseCursor(shown ? ImGuiMouseCursor_Arrow : ImGuiMouseCursor_None);
}

void Ui::point(float x, float y, bool left) {
    impl_->pointer = InjectedInput{x, y, 0, left};
}

void Ui::inject_mouse(float x, float y, bool left, float wheel) {
    impl_->injected.x = x;
    impl_->injected.y = y;
    impl_->injected.left = left;
    impl_->injected.wheel += wheel;
    impl_->mouse_is_injected = true;
}
void Ui::inject_drop(const std::string& file) {
    const char* name = file.c_str();
    on_drop(nullptr, 1, &name);
}
void Ui::inject_text(const std::string& text) {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
}
void Ui::inject_key(int key, bool control) {
    note_key(key, true, control, impl_->injected.shift);
    note_key(key, false, control, impl_->injected.shift);
}
void Ui::inject_held_key(int key, bool down) {
    if (key == GLFW_KEY_LEFT_SHIFT) impl_->injected.shift = down;
    if (key == GLFW_KEY_LEFT_CONTROL) impl_->injected.control = down;
    note_key(key, down, impl_->injected.control, impl_->injected.shift);
}

}  // namespace claybox::engine
