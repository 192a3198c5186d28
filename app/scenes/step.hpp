#pragma once
// Input and output of one scene step. Plain structs: scenes also run without a window, from a script, from a
// recording and in tests.

#include "app/scenes/body_edit.hpp"
#include "app/scenes/shared/choices.hpp"
#include "collision/geometry/transform.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace claybox::app {

/// Part 0 is the palm. Thumb, forefinger, middle, ring and little finger follow, three parts each, from base
/// to tip.
inline constexpr int kHandParts = 16;
inline constexpr int kIndexTip = 6;  ///< outermost part of the forefinger

/// A hand in one frame; world frame, metres. Part frames: the part extends along its -Z axis, +Y is the back
/// of the hand.
struct HandInput {
    bool present = false;  ///< false: no hand; the scene hides it and ignores its touches
    /// Tracking was lost a moment ago; the pose is the last known one. The hand neither presses nor releases,
    /// and keeps what it holds.
    bool held = false;
    std::array<collision::Pose, kHandParts> part;
    std::array<float, kHandParts> radius{};  ///< radius of the part's capsule
    std::array<float, kHandParts> length{};  ///< from the part's origin to its end
    float pinch = 0, grip = 0;               ///< 0 open .. 1 closed
    float scale = 1;     ///< size relative to the wearer's hand; not 1 where the world of a headset is scaled
    float pressure = 1;  ///< 0 .. 1; below 1 only where the user asked for it (program_choice::pressure_from)
};

/// Hands in the order of OpenXR.
enum class Side : unsigned char { left, right, none };
/// Side of an index into StepInput::hand.
constexpr Side side_of_hand(std::size_t hand) {
    return hand == 0 ? Side::right : Side::left;
}

/// A step of the scene, seconds.
inline constexpr double kStepSeconds = 1.0 / 60.0;

/// Input of one frame. A scene depends on this, its parameters and its seed, and on nothing else. Recordings
/// store exactly this.
struct StepInput {
    std::uint64_t frame = 0;        ///< 1-based
    double dt = kStepSeconds;       ///< fixed, never measured
    std::array<HandInput, 2> hand;  ///< right, left
    /// Actions of the scene (reset, undo ...) as indices into SceneDescriptor::actions; one entry per press.
    std::vector<std::uint32_t> actions;
    std::vector<BodyEdit> edits;  ///< of the user, in order; see SceneDescriptor::edits
    /// Time stands still: a scene with edits carries out edits and actions and moves nothing else. For edits
    /// while the program is paused.
    bool frozen = false;
    /// Settings of the program around the scene (program_parameters()), for scenes that show or switch them.
    collision::ParameterValues program = collision::default_values(program_parameters());
};

/// A request of the scene to the application, with values as on the command line.
struct Command {
    enum class Kind : unsigned char {
        pair_algorithm,        ///< text: id, or "next"
        broad_phase,           ///< text: id, or "next"
        continuous,            ///< text: id of the algorithm, "next", "on", "off" or "toggle"
        concurrent,            ///< text: "on", "off" or "toggle"
        exactness,             ///< text: "exact", "fast" or "toggle"
        parallel,              ///< text: "serial", names of switches joined by '+', or "toggle NAME"
        workers,               ///< text: a number
        pair_parameter,        ///< text: "name=value" of the pair algorithm
        broad_parameter,       ///< text: "name=value" of the broad phase
        continuous_parameter,  ///< text: "name=value" of the continuous algorithm
        bound_parameter,       ///< text: "name=value" of the bounding boxes
        module_parameter,      ///< text: "name=value" of module_parameters()
        set_parameter,         ///< text: "name=value" of this scene
        scene,                 ///< text: id, and "name=value" for each parameter that is not its default
        pause,                 ///< text: "on", "off" or "toggle"
        step,                  ///< one frame while paused
        restart,               ///< builds the scene again
        program,               ///< text: "name=value" of program_parameters()
    };
    Kind kind;
    std::string text;
};

/// Something that happened, for logs, sounds and counters.
struct SceneEvent {
    enum class Kind : unsigned char {
        collision_begin,
        collision_end,
        touched,
        fired,
        released,
        left_early,
        lost,     ///< tracking ended while the hand held a control: neither released nor fired
        taken,    ///< a hand grasped something
        dropped,  ///< a hand let go of something
        dented,
        edited,  ///< a body was added, removed, or an edit undone; `text` says what
        refused  ///< something that was asked for is not possible; `text` says why
    };
    Kind kind;
    std::uint64_t frame = 0;
    std::string text;        ///< subject of the event as shown: "Body 12 and body 31", "Next algorithm"
    Side hand = Side::none;  ///< hand that caused the event
};

/// Name of the kind as shown: "Grasped", "Fired".
const char* event_word(SceneEvent::Kind kind);

struct StepOutput {
    std::vector<Command> commands;
    std::vector<SceneEvent> events;
    void clear() {
        commands.clear();
        events.clear();
    }
};

}  // namespace claybox::app
