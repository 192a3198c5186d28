#pragma once

#include "tests/xr_runtime/session/session.hpp"

namespace claybox::xr_runtime {

struct ActionSet final : Object {
    ActionSet() : Object("action_set") {}
    std::string name, title;
    bool attached = false;
};

struct ActionState {
    bool active = false, changed = false;
    double x = 0, y = 0;
    XrTime changed_at = 0;
};

/// The parent is the action set.
struct Action final : Object {
    Action() : Object("action") {}
    std::string name, title;
    XrActionType type{};
    std::vector<XrPath> hands;
    /// By hand, and combined under XR_NULL_PATH; as of the last xrSyncActions.
    std::map<XrPath, ActionState> states;
};

/// A controller component: "trigger/value" of the right hand.
struct Source {
    int side = 0;
    std::string component;
    XrPath path = XR_NULL_PATH;
};

const std::string& path_text(XrPath path);  ///< empty for an unknown path
/// Components bound to an action in the current profiles; of all hands for XR_NULL_PATH.
std::vector<Source> sources_of(const Action& action, XrPath hand);
/// A component's value; derived from its sibling if the script does not set it (a click from a value).
double value_of(const ControllerKey& controller, const std::string& component);
/// Pose of an action space; without flags when its controller is inactive or there is no focus.
Located locate_action(const Space& space, double frame);
/// Checks that an action was created for a hand.
XrResult check_hand(const char* call, const Action& action, XrPath hand);
/// `profile_has`: whether `path` is a component of the profile with a suitable type.
bool profile_is_known(const std::string& profile);
bool profile_has(const std::string& profile, const std::string& path, XrActionType type);
/// Updates the profile of each hand; queues an event on changes.
void update_profiles(Session& session, double frame);

}  // namespace claybox::xr_runtime
