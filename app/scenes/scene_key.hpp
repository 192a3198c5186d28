#pragma once
// Keys of a scene: what a press does to the scene's parameters and actions. The table lies next to the scene;
// the program makes a logical device of each row, so that every key can be mapped anew.

#include "collision/core/parameter.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace claybox::app {

struct SceneDescriptor;

struct SceneKey {
    enum class Kind : unsigned char {
        set,     ///< gives the parameter this value, or name of a choice
        add,     ///< adds the value
        scale,   ///< multiplies by the value
        toggle,  ///< switches a toggle, or goes to the next choice
        action,  ///< requests the action with this title
        swap,    ///< while held, swaps two choices: value "inflate deflate, add carve"
        wheel,   ///< multiplies by the value per notch of the wheel with Shift; not a device
    };
    const char* device;   ///< name of the logical device, unique in the program: "potter_inflate"
    const char* mapping;  ///< default sources as in a device map: "keyboard.3"
    const char* title;    ///< what the key does, as shown: "Inflate"
    Kind kind;
    const char* target;      ///< id of the parameter, or title of the action
    const char* value = "";  ///< see Kind
};

/// Whether the scene has what the key acts on. Other keys are neither devices nor shown.
bool is_known(const SceneKey& key, const SceneDescriptor& scene);
/// The known keys of the scene, in the order of its table.
std::vector<SceneKey> scene_keys(const SceneDescriptor& scene);

/// A parameter's new value.
struct ParameterChange {
    std::size_t index = 0;
    double value = 0;
};

/// What a press changes; `count` presses or, for Kind::wheel, notches of either sign. Empty if nothing
/// changes, for actions and for unknown keys. The value is in the parameter's range.
std::optional<ParameterChange> change_of(const SceneKey& key, const SceneDescriptor& scene,
                                         const collision::ParameterValues& now, double count = 1);
/// Index of the action that the key requests.
std::optional<std::uint32_t> requested_action(const SceneKey& key, const SceneDescriptor& scene);
/// "Radius 34.5 mm", "Effect: inflate": the parameter's value as a message.
std::string value_sentence(const collision::Parameter& parameter, double value);

}  // namespace claybox::app
