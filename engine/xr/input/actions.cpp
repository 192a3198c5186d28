#include "engine/xr/input/actions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace claybox::engine {

namespace {

struct XrActionName {
    const char *name, *title;
    XrActionType type;
};
constexpr XrActionName kActions[kActionCount] = {
    {"grip", "Hand", XR_ACTION_TYPE_POSE_INPUT},
    {"aim", "Ray", XR_ACTION_TYPE_POSE_INPUT},
    {"trigger", "Pinch and click", XR_ACTION_TYPE_FLOAT_INPUT},
    {"squeeze", "Grab", XR_ACTION_TYPE_FLOAT_INPUT},
    {"stick", "Direction", XR_ACTION_TYPE_VECTOR2F_INPUT},
    {"primary", "Primary button", XR_ACTION_TYPE_BOOLEAN_INPUT},
    {"secondary", "Secondary button", XR_ACTION_TYPE_BOOLEAN_INPUT},
    {"menu", "Menu", XR_ACTION_TYPE_BOOLEAN_INPUT},
    {"buzz", "Vibration", XR_ACTION_TYPE_VIBRATION_OUTPUT},
};
constexpr const char* kSides[2] = {"/user/hand/left", "/user/hand/right"};

XrPath path_of(XrInstance instance, const char* text, CallWatch& watch) {
    XrPath path = XR_NULL_PATH;
    return watch.ok(xrStringToPath(instance, text, &path), "xrStringToPath") ? path : XR_NULL_PATH;
}

float in_range(float value, float low) {
    return std::isfinite(value) ? std::clamp(value, low, 1.0f) : 0.0f;
}

}  // namespace

bool XrActions::create(const XrRuntime& runtime, ::XrSession session, CallWatch& watch) {
    const std::span<const XrProfile> known = profiles();
    for (std::size_t side = 0; side < 2; ++side)
        sides_[side] = path_of(runtime.handle(), kSides[side], watch);
    bool ok = sides_[0] != XR_NULL_PATH && sides_[1] != XR_NULL_PATH && create_set(runtime.handle(), watch);
    for (std::size_t id = 0; ok && id < kActionCount; ++id) ok = create_action(id, watch);
    for (std::size_t i = 0; ok && i < known.size(); ++i) {
        profile_paths_[i] = path_of(runtime.handle(), known[i].path, watch);
        if (!known[i].needs_hand_interaction || runtime.has(XrExtension::hand_interaction))
            suggest(runtime, known[i], watch);
    }
    attached_ = ok && attach(session, watch);
    if (attached_) create_spaces(session, watch);
    return !watch.lost();
}

bool XrActions::create_set(XrInstance instance, CallWatch& watch) {
    auto info = typed<XrActionSetCreateInfo>(XR_TYPE_ACTION_SET_CREATE_INFO);
    std::snprintf(info.actionSetName, sizeof info.actionSetName, "claybox");
    std::snprintf(info.localizedActionSetName, sizeof info.localizedActionSetName, "Claybox");
    return watch.created(xrCreateActionSet(instance, &info, set_.receive()), set_, "xrCreateActionSet");
}

bool XrActions::create_action(std::size_t id, CallWatch& watch) {
    const XrActionName& named = kActions[id];
    auto info = typed<XrActionCreateInfo>(XR_TYPE_ACTION_CREATE_INFO);
    std::snprintf(info.actionName, sizeof info.actionName, "%s", named.name);
    std::snprintf(info.localizedActionName, sizeof info.localizedActionName, "%s", named.title);
    info.actionType = named.type;
    info.countSubactionPaths = 2;
    info.subactionPaths = sides_.data();
    return watch.created(xrCreateAction(set_.get(), &info, actions_[id].receive()), actions_[id],
                         "xrCreateAction");
}

/// One call per profile: a runtime refuses an unknown profile without affecting the others.
void XrActions::suggest(const XrRuntime& runtime, const XrProfile& profile, CallWatch& watch) const {
    std::vector<XrActionSuggestedBinding> bindings;
    for (const XrBinding& binding : profile.bindings) {
        for (std::size_t side = 0; side < 2; ++side) {
            if (!(side == 0 ? binding.left : binding.right)) continue;
            const std::string text = std::string(kSides[side]) + "/" + binding.part;
            const XrPath path = path_of(runtime.handle(), text.c_str(), watch);
            if (path != XR_NULL_PATH)
                bindings.push_back({actions_[static_cast<std::size_t>(binding.action)].get(), path});
        }
    }
    auto info = typed<XrInteractionProfileSuggestedBinding>(XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING);
    info.interactionProfile = profile_paths_[static_cast<std::size_t>(&profile - profiles().data())];
    if (info.interactionProfile == XR_NULL_PATH || bindings.empty()) return;
    info.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
    info.suggestedBindings = bindings.data();
    watch.ok(xrSuggestInteractionProfileBindings(runtime.handle(), &info),
             "xrSuggestInteractionProfileBindings");
}

bool XrActions::attach(::XrSession session, CallWatch& watch) {
    const XrActionSet set = set_.get();
    auto info = typed<XrSessionActionSetsAttachInfo>(XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO);
    info.countActionSets = 1;
    info.actionSets = &set;
    return watch.ok(xrAttachSessionActionSets(session, &info), "xrAttachSessionActionSets");
}

void XrActions::create_spaces(::XrSession session, CallWatch& watch) {
    for (const XrActionId id : {XrActionId::grip, XrActionId::aim}) {
        const auto k = static_cast<std::size_t>(id);
        for (std::size_t side = 0; side < 2; ++side) {
            auto info = typed<XrActionSpaceCreateInfo>(XR_TYPE_ACTION_SPACE_CREATE_INFO);
            info.action = actions_[k].get();
            info.subactionPath = sides_[side];
            info.poseInActionSpace = identity_pose();
            XrOwnedSpace& space = spaces_[k][side];
            watch.created(xrCreateActionSpace(session, &info, space.receive()), space, "xrCreateActionSpace");
        }
    }
}

void XrActions::close() {
    for (auto& sides : spaces_)
        for (XrOwnedSpace& space : sides) space.reset();
    for (auto& action : actions_) action.reset();
    set_.reset();
    attached_ = false;
    profile_ = {"", ""};
}

void XrActions::query_profiles(::XrSession session, CallWatch& watch) {
    for (std::size_t side = 0; attached_ && side < 2; ++side) {
        auto state = typed<XrInteractionProfileState>(XR_TYPE_INTERACTION_PROFILE_STATE);
        const bool reported = watch.ok(xrGetCurrentInteractionProfile(session, sides_[side], &state),
                                       "xrGetCurrentInteractionProfile");
        profile_[side] = "";
        if (!reported || state.interactionProfile == XR_NULL_PATH) continue;
        profile_[side] = "unknown";
        for (std::size_t i = 0; i < profiles().size(); ++i)
            if (profile_paths_[i] == state.interactionProfile) profile_[side] = profiles()[i].name;
    }
}

XrActionStateGetInfo XrActions::query_info(XrActionId id, std::size_t side) const {
    auto info = typed<XrActionStateGetInfo>(XR_TYPE_ACTION_STATE_GET_INFO);
    info.action = actions_[static_cast<std::size_t>(id)].get();
    info.subactionPath = sides_[side];
    return info;
}

bool XrActions::is_active(::XrSession session, std::size_t side, CallWatch& watch) const {
    const XrActionStateGetInfo info = query_info(XrActionId::grip, side);
    auto state = typed<XrActionStatePose>(XR_TYPE_ACTION_STATE_POSE);
    return watch.ok(xrGetActionStatePose(session, &info, &state), "xrGetActionStatePose") &&
           state.isActive == XR_TRUE;
}

float XrActions::number(::XrSession session, XrActionId id, std::size_t side, CallWatch& watch) const {
    const XrActionStateGetInfo info = query_info(id, side);
    auto state = typed<XrActionStateFloat>(XR_TYPE_ACTION_STATE_FLOAT);
    const bool ok = watch.ok(xrGetActionStateFloat(session, &info, &state), "xrGetActionStateFloat");
    return ok && state.isActive == XR_TRUE ? in_range(state.currentState, 0) : 0.0f;
}

bool XrActions::pressed(::XrSession session, XrActionId id, std::size_t side, CallWatch& watch) const {
    const XrActionStateGetInfo info = query_info(id, side);
    auto state = typed<XrActionStateBoolean>(XR_TYPE_ACTION_STATE_BOOLEAN);
    const bool ok = watch.ok(xrGetActionStateBoolean(session, &info, &state), "xrGetActionStateBoolean");
    return ok && state.isActive == XR_TRUE && state.currentState == XR_TRUE;
}

glm::vec2 XrActions::direction(::XrSession session, XrActionId id, std::size_t side, CallWatch& watch) const {
    const XrActionStateGetInfo info = query_info(id, side);
    auto state = typed<XrActionStateVector2f>(XR_TYPE_ACTION_STATE_VECTOR2F);
    const bool ok = watch.ok(xrGetActionStateVector2f(session, &info, &state), "xrGetActionStateVector2f");
    if (!ok || state.isActive != XR_TRUE) return glm::vec2(0);
    return {in_range(state.currentState.x, -1), in_range(state.currentState.y, -1)};
}

void XrActions::read(::XrSession session, XrSpace base, XrTime time, CallWatch& watch,
                     std::array<XrController, 2>& controllers) const {
    const XrActiveActionSet active{set_.get(), XR_NULL_PATH};
    auto info = typed<XrActionsSyncInfo>(XR_TYPE_ACTIONS_SYNC_INFO);
    info.countActiveActionSets = 1;
    info.activeActionSets = &active;
    if (!attached_ || !watch.ok(xrSyncActions(session, &info), "xrSyncActions")) return;
    for (std::size_t side = 0; side < 2; ++side) {
        XrController& c = controllers[side];
        c.active = is_active(session, side, watch);
        c.profile = profile_[side];
        if (!c.active) continue;
        c.grip = locate(watch, spaces_[0][side].get(), base, time);
        c.aim = locate(watch, spaces_[1][side].get(), base, time);
        c.trigger = number(session, XrActionId::trigger, side, watch);
        c.squeeze = number(session, XrActionId::squeeze, side, watch);
        c.stick = direction(session, XrActionId::stick, side, watch);
        c.primary = pressed(session, XrActionId::primary, side, watch);
        c.secondary = pressed(session, XrActionId::secondary, side, watch);
        c.menu = pressed(session, XrActionId::menu, side, watch);
    }
}

void XrActions::buzz(::XrSession session, std::size_t side, double seconds, float amplitude,
                     CallWatch& watch) const {
    if (!attached_ || !(seconds >= 0) || !(amplitude > 0)) return;
    auto info = typed<XrHapticActionInfo>(XR_TYPE_HAPTIC_ACTION_INFO);
    info.action = actions_[static_cast<std::size_t>(XrActionId::haptic)].get();
    info.subactionPath = sides_[side];
    auto vibration = typed<XrHapticVibration>(XR_TYPE_HAPTIC_VIBRATION);
    constexpr double kLongest = 5;  // seconds; longer is a caller's mistake
    const auto nanoseconds = static_cast<XrDuration>(std::min(seconds, kLongest) * 1e9);
    vibration.duration = nanoseconds > 0 ? nanoseconds : XR_MIN_HAPTIC_DURATION;
    vibration.frequency = XR_FREQUENCY_UNSPECIFIED;
    vibration.amplitude = std::min(amplitude, 1.0f);
    watch.ok(xrApplyHapticFeedback(session, &info, reinterpret_cast<const XrHapticBaseHeader*>(&vibration)),
             "xrApplyHapticFeedback");
}

}  // namespace claybox::engine
