#pragma once
// Sound and haptic feedback of scene events.

#include "app/scenes/step.hpp"
#include "engine/audio/click.hpp"

#include <optional>

namespace claybox::app {

/// A short vibration of a controller.
struct Buzz {
    double seconds = 0;
    float strength = 0;  ///< 0 (none) to 1
};

struct EventFeedback {
    std::optional<engine::KeyClick> click;
    Buzz buzz;
};

EventFeedback feedback_of(SceneEvent::Kind kind);

}  // namespace claybox::app
