#include "tests/xr/headset.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/prctl.h>
#include <unistd.h>

namespace claybox::test {

namespace {

/// Starts an X server that ends with this process and sets DISPLAY. False when none can be started.
bool start_virtual_display() {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        close(ends[0]);
        const std::string number = std::to_string(ends[1]);
        if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(127);
        execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "640x480x24", "-nolisten", "tcp",
               static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    std::string number;
    for (char letter = 0; child > 0 && read(ends[0], &letter, 1) == 1 && letter != '\n';) number += letter;
    close(ends[0]);
    if (number.empty()) return false;
    setenv("DISPLAY", (":" + number).c_str(), 1);
    return true;
}

}  // namespace

engine::Window* shared_window(std::string& error) {
    static std::string first_error;
    static const std::unique_ptr<engine::Window> window = [] {
        const char* display = std::getenv("DISPLAY");
        const bool there = (display != nullptr && *display != '\0') || start_virtual_display();
        engine::WindowOptions options;
        options.width = 320;
        options.height = 240;
        options.vsync = false;
        if (!there) first_error = "no X server is running, and Xvfb does not start (package xvfb)";
        return there ? engine::Window::create(options, first_error) : nullptr;
    }();
    error = first_error;
    return window.get();
}

std::string failing_call(const std::string& call, const std::string& result, int frame, int calls) {
    return Json{{"frame", frame}, {"fault", "fails"}, {"call", call}, {"result", result}, {"calls", calls}}
        .dump();
}

void Headset::SetUp() {
    window_ = shared_window(error_);
    if (window_ == nullptr) GTEST_SKIP() << error_;
}

void Headset::TearDown() {
    close_and_check();
}

void Headset::close_and_check() {
    session_.reset();
    if (runtime_ == nullptr) return;
    for (const Json& line : runtime_->log("misuse"))
        if (line["result"] != expected_misuse_) ADD_FAILURE() << line;
    for (const Json& line : runtime_->log("leaked")) ADD_FAILURE() << line;
    EXPECT_EQ(runtime_->log("create").size(), runtime_->log("destroy").size());
    EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

void Headset::script(const std::vector<std::string>& lines) {
    runtime_ = std::make_unique<ScriptedRuntime>(lines);
}

bool Headset::open(const engine::XrOptions& options) {
    if (runtime_ == nullptr) script({});
    error_.clear();
    session_ = engine::XrSession::open(engine::graphics_of(window_->handle()), options, error_);
    return session_ != nullptr;
}

engine::XrPhase Headset::step(int grey) {
    const engine::XrPhase phase = session_->poll();
    begun_ = phase == engine::XrPhase::running && session_->begin_frame(frame_);
    if (!begun_) return phase;
    for (const engine::XrEye& eye : frame_.eye) {
        if (eye.framebuffer == 0) continue;
        const float shade = static_cast<float>(grey) / 255;
        glBindFramebuffer(GL_FRAMEBUFFER, eye.framebuffer);
        glClearColor(shade, shade, shade, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    }
    session_->end_frame();
    ++frames_;
    return phase;
}

engine::XrPhase Headset::run_frames(int frames) {
    engine::XrPhase phase = engine::XrPhase::waiting;
    const int until = frames_ + frames;
    for (int i = 0; i < 10 * frames && frames_ < until; ++i) {
        phase = step();
        if (phase == engine::XrPhase::ended || phase == engine::XrPhase::lost) break;
    }
    return phase;
}

Json Headset::last_frame() const {
    const std::vector<Json> ended = runtime_->log("end_frame");
    return ended.empty() ? Json() : ended.back();
}

}  // namespace claybox::test
