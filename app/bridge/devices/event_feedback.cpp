#include "app/bridge/devices/event_feedback.hpp"

namespace claybox::app {

EventFeedback feedback_of(SceneEvent::Kind kind) {
    using Kind = SceneEvent::Kind;
    using engine::KeyClick;
    // A touch is faint, a successful action strong; endings and failures give no feedback.
    switch (kind) {
        case Kind::touched:
            return {{}, {0.008, 0.25f}};
        case Kind::fired:
            return {KeyClick::down, {0.020, 0.70f}};
        case Kind::released:
            return {KeyClick::up, {}};
        case Kind::taken:
            return {{}, {0.020, 0.60f}};
        case Kind::dropped:
            return {{}, {0.010, 0.30f}};
        case Kind::dented:
            return {{}, {0.012, 0.35f}};
        case Kind::collision_begin:
            return {{}, {0.012, 0.50f}};
        case Kind::collision_end:
        case Kind::left_early:
        case Kind::lost:
        case Kind::edited:
        case Kind::refused:
            break;
    }
    return {};
}

}  // namespace claybox::app
