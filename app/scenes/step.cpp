#include "app/scenes/step.hpp"

namespace claybox::app {

const char* event_word(SceneEvent::Kind kind) {
    switch (kind) {
        case SceneEvent::Kind::collision_begin:
            return "Hit";
        case SceneEvent::Kind::collision_end:
            return "Apart";
        case SceneEvent::Kind::touched:
            return "Touched";
        case SceneEvent::Kind::fired:
            return "Fired";
        case SceneEvent::Kind::released:
            return "Released";
        case SceneEvent::Kind::left_early:
            return "Cancelled";
        case SceneEvent::Kind::lost:
            return "Tracking lost";
        case SceneEvent::Kind::taken:
            return "Grasped";
        case SceneEvent::Kind::dropped:
            return "Let go";
        case SceneEvent::Kind::dented:
            return "Dented";
        case SceneEvent::Kind::edited:
            return "Edited";
        case SceneEvent::Kind::refused:
            return "Not possible";
    }
    return "";
}

}  // namespace claybox::app
