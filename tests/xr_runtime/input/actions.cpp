// Action sets, actions, their bindings and states, and haptics.

#include "tests/xr_runtime/input/actions.hpp"

#include "tests/xr_runtime/functions.hpp"

#include <algorithm>

namespace claybox::xr_runtime {

namespace {

bool name_is_well_formed(const char* name) {
    const std::string text = name;
    return !text.empty() &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.") == std::string::npos;
}

/// Names and titles must be unique among the children of one parent.
template <class Named>
XrResult check_names(const char* call, const char* name, const char* title, std::uint64_t parent) {
    if (!name_is_well_formed(name)) return misuse(call, XR_ERROR_PATH_FORMAT_INVALID, name);
    if (title[0] == '\0') return misuse(call, XR_ERROR_LOCALIZED_NAME_INVALID, "no title");
    for (const auto& [id, object] : runtime().objects) {
        const auto* other = dynamic_cast<const Named*>(object.get());
        if (other == nullptr || other->parent != parent) continue;
        if (other->name == name) return misuse(call, XR_ERROR_NAME_DUPLICATED, name);
        if (other->title == title) return misuse(call, XR_ERROR_LOCALIZED_NAME_DUPLICATED, title);
    }
    return XR_SUCCESS;
}

XrResult check_action(const char* call, const XrActionCreateInfo* info, const ActionSet& set) {
    if (!is_type(info, XR_TYPE_ACTION_CREATE_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the create info is wrong");
    if (set.attached) return misuse(call, XR_ERROR_ACTIONSETS_ALREADY_ATTACHED, "the set is attached");
    for (std::uint32_t i = 0; i < info->countSubactionPaths; ++i) {
        const std::string& hand = path_text(info->subactionPaths[i]);
        if (hand != "/user/hand/left" && hand != "/user/hand/right" && hand != "/user/head" &&
            hand != "/user/gamepad")
            return misuse(call, XR_ERROR_PATH_UNSUPPORTED, "no user path: " + hand);
    }
    return check_names<Action>(call, info->actionName, info->localizedActionName, set.id);
}

XrResult check_suggestion(const XrInteractionProfileSuggestedBinding& all) {
    const char* call = "xrSuggestInteractionProfileBindings";
    const std::string& profile = path_text(all.interactionProfile);
    if (!profile_is_known(profile)) return misuse(call, XR_ERROR_PATH_UNSUPPORTED, "profile " + profile);
    if (all.countSuggestedBindings == 0 || all.suggestedBindings == nullptr)
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "no bindings");
    for (std::uint32_t i = 0; i < all.countSuggestedBindings; ++i) {
        const XrActionSuggestedBinding& binding = all.suggestedBindings[i];
        const Action* action = find<Action>(binding.action);
        if (action == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "an action is gone");
        const auto set = runtime().objects.find(action->parent);
        if (dynamic_cast<const ActionSet&>(*set->second).attached)
            return misuse(call, XR_ERROR_ACTIONSETS_ALREADY_ATTACHED, "the set of " + action->name);
        const std::string& path = path_text(binding.binding);
        if (!profile_has(profile, path, action->type))
            return misuse(call, XR_ERROR_PATH_UNSUPPORTED, action->name + " on " + path + " of " + profile);
    }
    return XR_SUCCESS;
}

/// Combines the sources of an action as the specification says: the strongest one wins.
ActionState combined_state(const Action& action, XrPath hand, double frame) {
    ActionState state;
    for (const Source& source : sources_of(action, hand)) {
        const ControllerKey controller = runtime().script.controller_at(source.side, frame);
        if (!controller.active) continue;
        state.active = true;
        const bool vector = action.type == XR_ACTION_TYPE_VECTOR2F_INPUT;
        const double x = value_of(controller, source.component + (vector ? "/x" : ""));
        const double y = vector ? value_of(controller, source.component + "/y") : 0;
        if (x * x + y * y > state.x * state.x + state.y * state.y) state.x = x, state.y = y;
    }
    if (action.type == XR_ACTION_TYPE_BOOLEAN_INPUT) state.x = state.x >= 0.5 ? 1 : 0;
    return state;
}

void sync(Action& action, bool listening, double frame) {
    std::vector<XrPath> hands = action.hands;
    hands.push_back(XR_NULL_PATH);
    for (const XrPath hand : hands) {
        ActionState& old = action.states[hand];
        ActionState now = listening ? combined_state(action, hand, frame) : ActionState();
        now.changed = now.active && old.active && (now.x != old.x || now.y != old.y);
        now.changed_at = now.changed ? runtime().now() : old.changed_at;
        old = now;
    }
}

/// The state of a readable action; otherwise the error code.
XrResult state_of(const char* call, XrSession handle, const XrActionStateGetInfo* info, XrActionType type,
                  ActionState& state) {
    Session* session = nullptr;
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_ACTION_STATE_GET_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the info is wrong");
    const Action* action = find<Action>(info->action);
    if (action == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "the action is gone");
    if (action->type != type) return misuse(call, XR_ERROR_ACTION_TYPE_MISMATCH, action->name);
    if (!dynamic_cast<const ActionSet&>(*runtime().objects.at(action->parent)).attached)
        return misuse(call, XR_ERROR_ACTIONSET_NOT_ATTACHED, action->name);
    if (const XrResult result = check_hand(call, *action, info->subactionPath); result != XR_SUCCESS)
        return result;
    const auto found = action->states.find(info->subactionPath);
    if (found != action->states.end()) state = found->second;
    return XR_SUCCESS;
}

template <class State, class Value>
void fill(State& to, const ActionState& from, Value value) {
    to.currentState = value;
    to.changedSinceLastSync = from.changed ? XR_TRUE : XR_FALSE;
    to.lastChangeTime = from.changed_at;
    to.isActive = from.active ? XR_TRUE : XR_FALSE;
}

/// Checks a haptics call; `sides` receives the controllers that vibrate.
XrResult check_haptic(const char* call, XrSession handle, const XrHapticActionInfo* info, Json& sides) {
    Session* session = nullptr;
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const Action* action = find<Action>(info->action);
    if (action == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "the action is gone");
    if (action->type != XR_ACTION_TYPE_VIBRATION_OUTPUT)
        return misuse(call, XR_ERROR_ACTION_TYPE_MISMATCH, action->name);
    if (!session->attached) return misuse(call, XR_ERROR_ACTIONSET_NOT_ATTACHED, action->name);
    if (const XrResult result = check_hand(call, *action, info->subactionPath); result != XR_SUCCESS)
        return result;
    if (!session->focused()) return XR_SESSION_NOT_FOCUSED;
    sides = Json::array();
    for (const Source& source : sources_of(*action, info->subactionPath))
        sides.push_back(source.side == 0 ? "left" : "right");
    return XR_SUCCESS;
}

}  // namespace

XrResult check_hand(const char* call, const Action& action, XrPath hand) {
    if (hand == XR_NULL_PATH ||
        std::find(action.hands.begin(), action.hands.end(), hand) != action.hands.end())
        return XR_SUCCESS;
    return misuse(call, XR_ERROR_PATH_UNSUPPORTED, action.name + " was not created for that hand");
}

XrResult xrCreateActionSet(XrInstance handle, const XrActionSetCreateInfo* info, XrActionSet* created) {
    Instance* instance = nullptr;
    const char* call = "xrCreateActionSet";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_ACTION_SET_CREATE_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the create info is wrong");
    const XrResult names =
        check_names<ActionSet>(call, info->actionSetName, info->localizedActionSetName, instance->id);
    if (names != XR_SUCCESS) return names;
    auto set = std::make_unique<ActionSet>();
    set->name = info->actionSetName;
    set->title = info->localizedActionSetName;
    const ActionSet& made = *set;
    add_object(std::move(set), instance, {{"name", made.name}});
    *created = handle_of<XrActionSet>(made);
    return XR_SUCCESS;
}

XrResult xrDestroyActionSet(XrActionSet handle) {
    return destroy<ActionSet>("xrDestroyActionSet", handle);
}

XrResult xrCreateAction(XrActionSet handle, const XrActionCreateInfo* info, XrAction* created) {
    ActionSet* set = nullptr;
    const char* call = "xrCreateAction";
    if (const XrResult result = enter(call, handle, set); result != XR_SUCCESS) return result;
    if (const XrResult result = check_action(call, info, *set); result != XR_SUCCESS) return result;
    auto action = std::make_unique<Action>();
    action->name = info->actionName;
    action->title = info->localizedActionName;
    action->type = info->actionType;
    action->hands.assign(info->subactionPaths, info->subactionPaths + info->countSubactionPaths);
    const Action& made = *action;
    add_object(std::move(action), set, {{"name", made.name}});
    *created = handle_of<XrAction>(made);
    return XR_SUCCESS;
}

XrResult xrDestroyAction(XrAction handle) {
    return destroy<Action>("xrDestroyAction", handle);
}

XrResult xrSuggestInteractionProfileBindings(XrInstance handle,
                                             const XrInteractionProfileSuggestedBinding* info) {
    Instance* instance = nullptr;
    const char* call = "xrSuggestInteractionProfileBindings";
    if (const XrResult result = enter(call, handle, instance); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the bindings is wrong");
    if (const XrResult result = check_suggestion(*info); result != XR_SUCCESS) return result;
    instance->suggested[info->interactionProfile].assign(
        info->suggestedBindings, info->suggestedBindings + info->countSuggestedBindings);
    note("bindings",
         {{"profile", path_text(info->interactionProfile)}, {"count", info->countSuggestedBindings}});
    return XR_SUCCESS;
}

XrResult xrAttachSessionActionSets(XrSession handle, const XrSessionActionSetsAttachInfo* info) {
    Session* session = nullptr;
    const char* call = "xrAttachSessionActionSets";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO) || info->countActionSets == 0)
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "no sets, or the type is wrong");
    if (session->attached) return misuse(call, XR_ERROR_ACTIONSETS_ALREADY_ATTACHED, "attached twice");
    for (std::uint32_t i = 0; i < info->countActionSets; ++i)
        if (find<ActionSet>(info->actionSets[i]) == nullptr)
            return misuse(call, XR_ERROR_HANDLE_INVALID, "an action set is gone");
    for (std::uint32_t i = 0; i < info->countActionSets; ++i)
        find<ActionSet>(info->actionSets[i])->attached = true;
    session->attached = true;
    note("attach", {{"sets", info->countActionSets}});
    return XR_SUCCESS;
}

XrResult xrGetCurrentInteractionProfile(XrSession handle, XrPath hand, XrInteractionProfileState* state) {
    Session* session = nullptr;
    const char* call = "xrGetCurrentInteractionProfile";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!session->attached)
        return misuse(call, XR_ERROR_ACTIONSET_NOT_ATTACHED, "no action sets are attached yet");
    const std::string& text = path_text(hand);
    if (text != "/user/hand/left" && text != "/user/hand/right")
        return misuse(call, XR_ERROR_PATH_UNSUPPORTED, "not a hand: " + text);
    state->interactionProfile = session->profile[text == "/user/hand/left" ? 0 : 1];
    return XR_SUCCESS;
}

XrResult xrSyncActions(XrSession handle, const XrActionsSyncInfo* info) {
    Session* session = nullptr;
    const char* call = "xrSyncActions";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_ACTIONS_SYNC_INFO))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the sync info is wrong");
    std::set<std::uint64_t> listening;
    Json names = Json::array();
    for (std::uint32_t i = 0; i < info->countActiveActionSets; ++i) {
        const ActionSet* set = find<ActionSet>(info->activeActionSets[i].actionSet);
        if (set == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "an action set is gone");
        if (!set->attached) return misuse(call, XR_ERROR_ACTIONSET_NOT_ATTACHED, set->name);
        listening.insert(set->id);
        names.push_back(set->name);
    }
    const auto frame = static_cast<double>(std::max<std::int64_t>(runtime().frame, 0));
    update_profiles(*session, frame);
    for (const auto& [id, object] : runtime().objects)
        if (auto* action = dynamic_cast<Action*>(object.get()))
            sync(*action, session->focused() && listening.contains(action->parent), frame);
    note("sync_actions", {{"sets", names}, {"focused", session->focused()}});
    return session->focused() ? XR_SUCCESS : XR_SESSION_NOT_FOCUSED;
}

XrResult xrGetActionStateBoolean(XrSession handle, const XrActionStateGetInfo* info,
                                 XrActionStateBoolean* state) {
    ActionState found;
    const XrResult result =
        state_of("xrGetActionStateBoolean", handle, info, XR_ACTION_TYPE_BOOLEAN_INPUT, found);
    if (result == XR_SUCCESS) fill(*state, found, found.x != 0 ? XR_TRUE : XR_FALSE);
    return result;
}

XrResult xrGetActionStateFloat(XrSession handle, const XrActionStateGetInfo* info,
                               XrActionStateFloat* state) {
    ActionState found;
    const XrResult result =
        state_of("xrGetActionStateFloat", handle, info, XR_ACTION_TYPE_FLOAT_INPUT, found);
    if (result == XR_SUCCESS) fill(*state, found, static_cast<float>(found.x));
    return result;
}

XrResult xrGetActionStateVector2f(XrSession handle, const XrActionStateGetInfo* info,
                                  XrActionStateVector2f* state) {
    ActionState found;
    const XrResult result =
        state_of("xrGetActionStateVector2f", handle, info, XR_ACTION_TYPE_VECTOR2F_INPUT, found);
    if (result == XR_SUCCESS)
        fill(*state, found, XrVector2f{static_cast<float>(found.x), static_cast<float>(found.y)});
    return result;
}

XrResult xrGetActionStatePose(XrSession handle, const XrActionStateGetInfo* info, XrActionStatePose* state) {
    ActionState found;
    const XrResult result = state_of("xrGetActionStatePose", handle, info, XR_ACTION_TYPE_POSE_INPUT, found);
    if (result == XR_SUCCESS) state->isActive = found.active ? XR_TRUE : XR_FALSE;
    return result;
}

XrResult xrEnumerateBoundSourcesForAction(XrSession handle, const XrBoundSourcesForActionEnumerateInfo* info,
                                          std::uint32_t capacity, std::uint32_t* count, XrPath* list) {
    Session* session = nullptr;
    const char* call = "xrEnumerateBoundSourcesForAction";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const Action* action = find<Action>(info->action);
    if (action == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "the action is gone");
    const auto sources = sources_of(*action, XR_NULL_PATH);
    return copy_list(call, sources.size(), capacity, count, list,
                     [&](XrPath& path, std::size_t i) { path = sources[i].path; });
}

XrResult xrGetInputSourceLocalizedName(XrSession handle, const XrInputSourceLocalizedNameGetInfo* info,
                                       std::uint32_t capacity, std::uint32_t* count, char* text) {
    Session* session = nullptr;
    const char* call = "xrGetInputSourceLocalizedName";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const std::string& name = path_text(info->sourcePath);
    if (name.empty()) return misuse(call, XR_ERROR_PATH_INVALID, "the path belongs to no source");
    return copy_list(call, name.size() + 1, capacity, count, text,
                     [&](char& letter, std::size_t i) { letter = name.c_str()[i]; });
}

XrResult xrApplyHapticFeedback(XrSession handle, const XrHapticActionInfo* info,
                               const XrHapticBaseHeader* feedback) {
    const char* call = "xrApplyHapticFeedback";
    Json sides;
    if (const XrResult result = check_haptic(call, handle, info, sides); result != XR_SUCCESS) return result;
    if (!is_type(feedback, XR_TYPE_HAPTIC_VIBRATION))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "only vibration is supported");
    const auto& vibration = *reinterpret_cast<const XrHapticVibration*>(feedback);
    if (!(vibration.amplitude >= 0 && vibration.amplitude <= 1))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the amplitude must be between 0 and 1");
    note("haptic",
         {{"hands", sides}, {"nanoseconds", vibration.duration}, {"amplitude", vibration.amplitude}});
    return XR_SUCCESS;
}

XrResult xrStopHapticFeedback(XrSession handle, const XrHapticActionInfo* info) {
    Json sides;
    const XrResult result = check_haptic("xrStopHapticFeedback", handle, info, sides);
    if (result == XR_SUCCESS) note("haptic_stop", {{"hands", sides}});
    return result;
}

}  // namespace claybox::xr_runtime
