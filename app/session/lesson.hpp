#pragma once

#include "app/session/session.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace claybox::app {

/// Titles of the cards, as a lesson names them.
inline constexpr const char* kCardTitles[] = {"Scene",   "Algorithm", "Broad phase", "Performance",
                                              "Inspect", "Events",    "Headset",     "Devices"};

/// A lesson: a scene with its settings, what the window shows of it, and what to read and to try.
struct Lesson {
    std::string title;
    SessionOptions options;
    std::vector<std::string> say;    ///< what there is to see, one sentence or two each
    std::vector<std::string> tries;  ///< what to do
    std::uint64_t pause_at = 0;      ///< the scene pauses after this frame; 0: it runs on
    /// Position and target of the camera, metres; empty: the scene's own camera.
    std::optional<std::array<collision::Vec3f, 2>> camera;
    std::vector<std::string> open;  ///< titles of the open cards; the other ones are folded
    std::vector<std::string> show;  ///< toggles of program_parameters() that are on; others as by default
    std::optional<std::uint32_t> first;  ///< the selected body, a pick number of the scene
    std::optional<std::uint32_t> second;
    bool steps = false;  ///< draws the algorithm's steps on the selected pair
};

}  // namespace claybox::app
