// Interaction profiles: their components, and the values of the script's controllers.

#include "tests/xr_runtime/input/actions.hpp"
#include "tests/xr_runtime/newer_openxr.hpp"

#include <algorithm>

namespace claybox::xr_runtime {

namespace {

constexpr const char* kSimpleProfile = "/interaction_profiles/khr/simple_controller";
constexpr const char* kHands[] = {"/user/hand/left", "/user/hand/right"};
constexpr double kPressed = 0.5;  // threshold of a value, when the script sets no click

using Controls = std::vector<std::string>;

struct Profile {
    Controls both, left, right;
    bool haptic = true;
};

const std::map<std::string, Profile>& profiles() {
    static const std::map<std::string, Profile> kProfiles{
        {kSimpleProfile, {{"select/click", "menu/click", "grip/pose", "aim/pose"}, {}, {}}},
        {"/interaction_profiles/oculus/touch_controller",
         {{"squeeze/value", "trigger/value", "trigger/touch", "thumbstick/x", "thumbstick/y",
           "thumbstick/click", "thumbstick/touch", "thumbrest/touch", "grip/pose", "aim/pose"},
          {"x/click", "x/touch", "y/click", "y/touch", "menu/click"},
          {"a/click", "a/touch", "b/click", "b/touch", "system/click"}}},
        {"/interaction_profiles/valve/index_controller",
         {{"system/click",  "system/touch",  "a/click",        "a/touch",          "b/click",
           "b/touch",       "squeeze/value", "squeeze/force",  "trigger/click",    "trigger/value",
           "trigger/touch", "thumbstick/x",  "thumbstick/y",   "thumbstick/click", "thumbstick/touch",
           "trackpad/x",    "trackpad/y",    "trackpad/force", "trackpad/touch",   "grip/pose",
           "aim/pose"},
          {},
          {}}},
        {"/interaction_profiles/htc/vive_controller",
         {{"system/click", "squeeze/click", "menu/click", "trigger/click", "trigger/value", "trackpad/x",
           "trackpad/y", "trackpad/click", "trackpad/touch", "grip/pose", "aim/pose"},
          {},
          {}}},
        {"/interaction_profiles/microsoft/motion_controller",
         {{"menu/click", "squeeze/click", "trigger/value", "thumbstick/x", "thumbstick/y", "thumbstick/click",
           "trackpad/x", "trackpad/y", "trackpad/click", "trackpad/touch", "grip/pose", "aim/pose"},
          {},
          {}}},
        {kHandInteractionProfile,
         {{"aim/pose", "grip/pose", "pinch_ext/pose", "poke_ext/pose", "pinch_ext/value",
           "pinch_ext/ready_ext", "aim_activate_ext/value", "aim_activate_ext/ready_ext", "grasp_ext/value",
           "grasp_ext/ready_ext"},
          {},
          {},
          false}},
    };
    return kProfiles;
}

/// A component named in full, or by its first part alone ("thumbstick").
bool has_control(const Controls& controls, const std::string& component) {
    return std::any_of(controls.begin(), controls.end(), [&](const std::string& control) {
        return control == component || control.starts_with(component + "/");
    });
}

/// Splits a path into side and rest; side -1 if it belongs to no hand.
Source split(const std::string& path) {
    for (int side = 0; side < 2; ++side) {
        const std::string hand = std::string(kHands[side]) + "/";
        if (path.starts_with(hand)) return {side, path.substr(hand.size()), XR_NULL_PATH};
    }
    return {-1, path, XR_NULL_PATH};
}

bool fits(XrActionType type, const std::string& component, const Controls& controls) {
    if (type == XR_ACTION_TYPE_POSE_INPUT)
        return component.ends_with("/pose") ||
               std::find(controls.begin(), controls.end(), component + "/pose") != controls.end();
    if (component.ends_with("/pose")) return false;
    const bool stick = component == "thumbstick" || component == "trackpad";
    return type == XR_ACTION_TYPE_VECTOR2F_INPUT ? stick : !stick;
}

XrPath path_of(const std::string& text) {
    const auto& paths = runtime().instance->paths;
    const auto found = std::find(paths.begin(), paths.end(), text);
    return found == paths.end() ? XR_NULL_PATH : static_cast<XrPath>(found - paths.begin()) + 1;
}

/// The controller's own profile if the client has bindings for it, else the simple one.
XrPath profile_in_use(const ControllerKey& controller) {
    if (!controller.active) return XR_NULL_PATH;
    for (const std::string& name : {controller.profile, std::string(kSimpleProfile)}) {
        const XrPath profile = path_of(name);
        if (profile != XR_NULL_PATH && runtime().instance->suggested.contains(profile)) return profile;
    }
    return XR_NULL_PATH;
}

}  // namespace

const std::string& path_text(XrPath path) {
    static const std::string kNone;
    const auto& paths = runtime().instance->paths;
    return path == XR_NULL_PATH || path > paths.size() ? kNone : paths[path - 1];
}

bool profile_is_known(const std::string& profile) {
    if (profile == kHandInteractionProfile && !runtime().instance->has(kHandInteractionExtension))
        return false;
    return profiles().contains(profile);
}

bool profile_has(const std::string& profile, const std::string& path, XrActionType type) {
    const Profile& has = profiles().at(profile);
    const Source source = split(path);
    if (source.side < 0) return false;
    if (type == XR_ACTION_TYPE_VIBRATION_OUTPUT) return has.haptic && source.component == "output/haptic";
    if (!source.component.starts_with("input/")) return false;
    const std::string component = source.component.substr(6);
    const Controls& own = source.side == 0 ? has.left : has.right;
    for (const Controls* controls : {&has.both, &own})
        if (has_control(*controls, component)) return fits(type, component, *controls);
    return false;
}

std::vector<Source> sources_of(const Action& action, XrPath hand) {
    std::vector<Source> sources;
    const Instance& instance = *runtime().instance;
    for (int side = 0; side < 2; ++side) {
        if (hand != XR_NULL_PATH && path_text(hand) != kHands[side]) continue;
        const auto bindings =
            instance.suggested.find(runtime().session->profile[static_cast<std::size_t>(side)]);
        if (bindings == instance.suggested.end()) continue;
        for (const XrActionSuggestedBinding& binding : bindings->second) {
            Source source = split(path_text(binding.binding));
            if (source.side != side || id_of(binding.action) != action.id) continue;
            source.component = source.component.substr(source.component.find('/') + 1);
            source.path = binding.binding;
            sources.push_back(std::move(source));
        }
    }
    return sources;
}

double value_of(const ControllerKey& controller, const std::string& component) {
    const auto& values = controller.values;
    const auto value_or_missing = [&](const std::string& name) {
        const auto found = values.find(name);
        return found != values.end() ? found->second : -1.0;
    };
    const std::string stem = component.substr(0, component.find('/'));
    if (values.contains(component)) return value_or_missing(component);
    if (component.ends_with("/ready_ext")) return controller.active ? 1 : 0;
    if (component == "squeeze/force")
        return value_or_missing("squeeze/value") > 0 ? value_or_missing("squeeze/value") : 0;
    if (component == "select/click") return value_or_missing("trigger/value") >= kPressed ? 1 : 0;
    if (component == stem || component.ends_with("/value"))
        return std::max({0.0, value_or_missing(stem + "/value"), value_or_missing(stem + "/click")});
    if (component.ends_with("/click") || component.ends_with("/touch"))
        return value_or_missing(stem + "/value") >= kPressed ? 1 : 0;
    return 0;
}

Located locate_action(const Space& space, double frame) {
    const Action* action = nullptr;
    const auto found = runtime().objects.find(space.action);
    if (found != runtime().objects.end()) action = dynamic_cast<const Action*>(found->second.get());
    if (action == nullptr || !space.session->focused()) return {};
    for (const Source& source : sources_of(*action, space.hand)) {
        const ControllerKey controller = runtime().script.controller_at(source.side, frame);
        const auto pose = controller.poses.find(source.component);
        const auto whole = controller.poses.find(source.component + "/pose");
        if (!controller.active) continue;
        if (pose != controller.poses.end()) return {pose->second, kTracked};
        if (whole != controller.poses.end()) return {whole->second, kTracked};
    }
    return {};
}

void update_profiles(Session& session, double frame) {
    bool changed = false;
    for (std::size_t side = 0; side < 2; ++side) {
        const XrPath profile = profile_in_use(runtime().script.controller_at(static_cast<int>(side), frame));
        changed = changed || profile != session.profile[side];
        session.profile[side] = profile;
    }
    if (!changed) return;
    queue_event(XrEventDataInteractionProfileChanged{XR_TYPE_EVENT_DATA_INTERACTION_PROFILE_CHANGED, nullptr,
                                                     handle_of<XrSession>(session)});
    note("profiles", {{"left", path_text(session.profile[0])}, {"right", path_text(session.profile[1])}});
}

}  // namespace claybox::xr_runtime
