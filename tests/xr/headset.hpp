#pragma once
// Fixture: the engine's OpenXR session with the test runtime, in a window of a real X server.

#include "engine/platform/window.hpp"
#include "engine/xr/session/xr_session.hpp"
#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

namespace claybox::test {

/// One window for the whole test program, on a virtual X server if there is no other. Null with `error` when
/// neither is available.
engine::Window* shared_window(std::string& error);

/// A script line: {"frame": ..., "fault": "fails", ...}.
std::string failing_call(const std::string& call, const std::string& result, int frame = 0, int calls = 1);

class Headset : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;
    /// Ends the session and checks that the runtime logged no misuse and no leak.
    void close_and_check();

    /// Sets the runtime's script; the session opens later.
    void script(const std::vector<std::string>& lines);
    /// Opens a session; without script() the headset is motionless.
    bool open(const engine::XrOptions& options = {});
    /// One loop step: events, and if there is a frame, clears both eyes to that grey (0 .. 255).
    engine::XrPhase step(int grey = 128);
    /// Runs until that many frames have ended or the session is over.
    engine::XrPhase run_frames(int frames);
    /// The runtime's log line of the last ended frame.
    Json last_frame() const;

    engine::Window* window_ = nullptr;
    std::unique_ptr<ScriptedRuntime> runtime_;
    std::unique_ptr<engine::XrSession> session_;
    engine::XrFrame frame_;  ///< the last begun frame
    bool begun_ = false;     ///< whether the last step began a frame
    int frames_ = 0;
    std::string error_;
    std::string expected_misuse_;  ///< result of a misuse that the test provokes
};

}  // namespace claybox::test
