#pragma once
// What goes into a scene and what comes out of it: plain structs, so that scenes run without a window, from a
// script, from a recording or in a test.

#include "app/scenes/choices.hpp"
#include "collision/geometry/transform.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace claybox::app {

/// The palm (0), then thumb, forefinger, middle, ring and little finger with three parts each, from the base
/// outward.
inline constexpr int kHandParts = 16;
inline constexpr int kIndexTip = 6;  ///< outermost part of the forefinger

/// A hand as of one frame, world frame, metres. Part frames: the part lies along its own -Z, +Y is the back
/// of the hand.
struct HandInput {
    bool present = false;  ///< false: there is none; the scene hides it and takes no touch from it
    /// Tracking was lost a moment ago and the pose is the last one known: it presses nothing and releases
    /// nothing, and what it holds it keeps.
    bool held = false;
    std::array<collision::Pose, kHandParts> part;
    std::array<float, kHandParts> radius{};  ///< of the part's capsule
    std::array<float, kHandParts> length{};  ///< from the part's origin to its end
    float pinch = 0, grip = 0;               ///< 0 open .. 1 closed
    float scale = 1;  ///< how many times its wearer's hand it is, where the room of a headset is scaled
};

/// Whose hand, as OpenXR counts them.
enum class Side : unsigned char { left, right, none };
/// Of an index into StepInput::hand.
constexpr Side side_of_hand(std::size_t hand) {
    return hand == 0 ? Side::right : Side::left;
}

/// One frame's input. Everything a scene depends on beside its parameters and seed; recordings store exactly
/// this.
struct StepInput {
    std::uint64_t frame = 0;        ///< 1-based
    double dt = 1.0 / 60.0;         ///< seconds; fixed, never measured
    std::array<HandInput, 2> hand;  ///< right, left
    /// Logical buttons by scene (reset, undo ...), indices into SceneDescriptor::actions; each entry is one
    /// press.
    std::vector<std::uint32_t> actions;
    /// What is chosen of the program around the scene (program_parameters()), for scenes that show or switch
    /// it.
    collision::ParameterValues program = collision::default_values(program_parameters());
};

/// Something the scene asks the application to do, in words of the command line.
struct Command {
    enum class Kind : unsigned char {
        pair_algorithm,    ///< text: id, or "next"
        broad_phase,       ///< text: id, or "next"
        concurrent,        ///< text: "on", "off" or "toggle"
        exactness,         ///< text: "exact", "fast" or "toggle"
        parallel,          ///< text: "serial", names of switches joined by '+', or "toggle NAME"
        workers,           ///< text: a number
        pair_parameter,    ///< text: "name=value" of the pair algorithm
        broad_parameter,   ///< the same of the broad phase
        bound_parameter,   ///< of how boxes of bodies are made
        module_parameter,  ///< of module_parameters()
        set_parameter,     ///< of this scene
        scene,             ///< text: id, and "name=value" for each parameter that is not its default
        pause,             ///< text: "on", "off" or "toggle"
        step,              ///< one frame while paused
        restart,           ///< builds the scene anew
        program,           ///< text: "name=value" of program_parameters()
    };
    Kind kind;
    std::string text;
};

/// What happened that a log, a sound or a counter wants to know.
struct SceneEvent {
    enum class Kind : unsigned char {
        collision_begin,
        collision_end,
        touched,
        fired,
        released,
        left_early,
        lost,     ///< a hand's tracking ended while it held something: neither released nor fired
        taken,    ///< a hand has grasped something
        dropped,  ///< and lets go of it
        dented
    };
    Kind kind;
    std::uint64_t frame = 0;
    std::string text;        ///< what it happened to, for people: "Body 12 and body 31", "Next algorithm"
    Side hand = Side::none;  ///< that it happened to, or that did it
};

/// "Taken", "Fired".
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
