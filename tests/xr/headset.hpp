#pragma once
// A session of the engine's own client with the runtime of the tests, in a window of a real X server.

#include "engine/platform/window.hpp"
#include "engine/xr/xr_session.hpp"
#include "tests/xr/client.hpp"

#include <gtest/gtest.h>

namespace claybox::test {

/// One window for the whole test program, in a virtual X server where there is none. Null with `error` where
/// neither is to be had.
engine::Window* shared_window(std::string& error);

/// {"frame": ..., "fault": "fails", ...}
std::string failing(const std::string& call, const std::string& result, int frame = 0, int calls = 1);

class Headset : public ::testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;
    /// Ends the session: whatever happened, the runtime must have nothing to complain about and nothing left.
    void close_tidily();

    /// The script's lines for the runtime; the session opens later.
    void script(const std::vector<std::string>& lines);
    /// With a headset that stands still when there was no script.
    bool open(const engine::XrOptions& options = {});
    /// One turn of the loop: events, and a frame with that grey (a byte) in both eyes if there is one.
    engine::XrPhase turn(int grey = 128);
    /// Until that many frames were ended, or the session is over.
    engine::XrPhase turns(int frames);
    /// The runtime's log of the last frame that was ended.
    Json last_frame() const;

    engine::Window* window_ = nullptr;
    std::unique_ptr<XrPlace> place_;
    std::unique_ptr<engine::XrSession> session_;
    engine::XrFrame frame_;  ///< the last one that was begun
    bool begun_ = false;     ///< whether the last turn had one
    int frames_ = 0;
    std::string error_;
    std::string expected_misuse_;  ///< the result of one that a script provokes
};

}  // namespace claybox::test
