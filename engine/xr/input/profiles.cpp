// The bindings of each controller. The paths are those of the OpenXR specification.

#include "engine/xr/input/actions.hpp"

namespace claybox::engine {

namespace {

using enum XrActionId;

constexpr XrBinding kSimple[] = {
    {grip, "input/grip/pose"},  {aim, "input/aim/pose"},   {trigger, "input/select/click"},
    {menu, "input/menu/click"}, {haptic, "output/haptic"},
};

constexpr XrBinding kTouch[] = {
    {grip, "input/grip/pose"},
    {aim, "input/aim/pose"},
    {trigger, "input/trigger/value"},
    {squeeze, "input/squeeze/value"},
    {stick, "input/thumbstick"},
    {primary, "input/x/click", true, false},
    {primary, "input/a/click", false, true},
    {secondary, "input/y/click", true, false},
    {secondary, "input/b/click", false, true},
    {menu, "input/menu/click", true, false},  // the right one is reserved for the system
    {haptic, "output/haptic"},
};

// Its system button is reserved, so pressing the stick is the menu.
constexpr XrBinding kIndex[] = {
    {grip, "input/grip/pose"},        {aim, "input/aim/pose"},          {trigger, "input/trigger/value"},
    {squeeze, "input/squeeze/value"}, {stick, "input/thumbstick"},      {primary, "input/a/click"},
    {secondary, "input/b/click"},     {menu, "input/thumbstick/click"}, {haptic, "output/haptic"},
};

constexpr XrBinding kVive[] = {
    {grip, "input/grip/pose"},        {aim, "input/aim/pose"},   {trigger, "input/trigger/value"},
    {squeeze, "input/squeeze/click"}, {stick, "input/trackpad"}, {primary, "input/trackpad/click"},
    {menu, "input/menu/click"},       {haptic, "output/haptic"},
};

constexpr XrBinding kMotion[] = {
    {grip, "input/grip/pose"},
    {aim, "input/aim/pose"},
    {trigger, "input/trigger/value"},
    {squeeze, "input/squeeze/click"},
    {stick, "input/thumbstick"},
    {primary, "input/trackpad/click"},
    {secondary, "input/thumbstick/click"},
    {menu, "input/menu/click"},
    {haptic, "output/haptic"},
};

// Bare hands with the runtime's own gestures, for runtimes that track hands but report no joints.
constexpr XrBinding kHands[] = {
    {grip, "input/grip/pose"},
    {aim, "input/aim/pose"},
    {trigger, "input/pinch_ext/value"},
    {squeeze, "input/grasp_ext/value"},
};

constexpr XrProfile kProfiles[] = {
    {"/interaction_profiles/khr/simple_controller", "simple", kSimple},
    {"/interaction_profiles/oculus/touch_controller", "Touch", kTouch},
    {"/interaction_profiles/valve/index_controller", "Index", kIndex},
    {"/interaction_profiles/htc/vive_controller", "Vive", kVive},
    {"/interaction_profiles/microsoft/motion_controller", "Motion", kMotion},
    {"/interaction_profiles/ext/hand_interaction_ext", "hand", kHands, true},
};

}  // namespace

std::span<const XrProfile> profiles() {
    return kProfiles;
}

}  // namespace claybox::engine
