#pragma once
// What an event sounds like and feels like: one table for both.

#include "app/scenes/step.hpp"
#include "engine/audio/click.hpp"

#include <optional>

namespace claybox::app {

/// A short buzz of a controller.
struct Buzz {
    double seconds = 0;
    float strength = 0;  ///< 0 nothing .. 1
};

struct EventFeel {
    std::optional<engine::KeyClick> click;
    Buzz buzz;
};

EventFeel feel_of(SceneEvent::Kind kind);

}  // namespace claybox::app
