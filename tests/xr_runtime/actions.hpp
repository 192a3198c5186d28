#pragma once

#include "tests/xr_runtime/session.hpp"

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

/// The parent is its set.
struct Action final : Object {
    Action() : Object("action") {}
    std::string name, title;
    XrActionType type{};
    std::vector<XrPath> hands;
    /// By hand, and for all hands together under XR_NULL_PATH; as of the last xrSyncActions.
    std::map<XrPath, ActionState> states;
};

/// A control of a hand's controller: "trigger/value" of the right one.
struct Source {
    int side = 0;
    std::string component;
    XrPath path = XR_NULL_PATH;
};

const std::string& path_text(XrPath path);  ///< empty for a path that nobody made
/// Controls that an action hangs on with the profiles in use; of all hands for XR_NULL_PATH.
std::vector<Source> sources_of(const Action& action, XrPath hand);
/// What a control says, derived where the script gives only its sibling (a click from a value).
double value_of(const ControllerKey& controller, const std::string& component);
/// Where an action space is; without flags when its controller or the focus is away.
Located locate_action(const Space& space, double frame);
/// Whether an action was made for a hand.
XrResult check_hand(const char* call, const Action& action, XrPath hand);
/// Whether `path` is a control of the profile that gives what an action of this type wants.
bool profile_is_known(const std::string& profile);
bool profile_has(const std::string& profile, const std::string& path, XrActionType type);
/// Which profile each hand has now; an event where it has changed.
void update_profiles(Session& session, double frame);

}  // namespace claybox::xr_runtime
