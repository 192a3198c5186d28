// Tracked hands: the script's joints, and garbage for inactive hands.

#include "tests/xr_runtime/functions.hpp"
#include "tests/xr_runtime/session/session.hpp"

namespace claybox::xr_runtime {

namespace {

struct HandTracker final : Object {
    HandTracker() : Object("hand_tracker") {}
    int side = 0;
};

/// Garbage as seen from real runtimes with inactive hands: 2 km away, without flags.
constexpr XrHandJointLocationEXT kGarbage{0, {{0, 0, 0, 1}, {1987, -2011, 2003}}, 7.5f};

XrResult check_locate(const XrHandJointsLocateInfoEXT* info, const XrHandJointLocationsEXT* locations) {
    const char* call = "xrLocateHandJointsEXT";
    if (!is_type(info, XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT) ||
        !is_type(locations, XR_TYPE_HAND_JOINT_LOCATIONS_EXT))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "a type is wrong");
    if (locations->jointCount != XR_HAND_JOINT_COUNT_EXT || locations->jointLocations == nullptr)
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "a hand has 26 joints");
    if (info->time <= 0) return misuse(call, XR_ERROR_TIME_INVALID, "the time is not positive");
    if (find<Space>(info->baseSpace) == nullptr)
        return misuse(call, XR_ERROR_HANDLE_INVALID, "the base space is gone");
    return XR_SUCCESS;
}

void fill_joints(const HandKey& hand, const Located& base, XrHandJointLocationsEXT& locations) {
    locations.isActive = hand.active ? XR_TRUE : XR_FALSE;
    for (std::size_t i = 0; i < hand.joints.size(); ++i) {
        const Joint& joint = hand.joints[i];
        XrHandJointLocationEXT& to = locations.jointLocations[i];
        to = kGarbage;
        to.locationFlags = hand.active ? joint.flags & base.flags : 0;
        if ((to.locationFlags & kValid) == 0) continue;
        to.pose = to_xr(base_from(base, joint.pose));
        to.radius = static_cast<float>(joint.radius);
    }
}

}  // namespace

XrResult xrCreateHandTrackerEXT(XrSession handle, const XrHandTrackerCreateInfoEXT* info,
                                XrHandTrackerEXT* created) {
    Session* session = nullptr;
    const char* call = "xrCreateHandTrackerEXT";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    if (!is_type(info, XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the create info is wrong");
    if (!runtime().script.hand_tracking)
        return misuse(call, XR_ERROR_FEATURE_UNSUPPORTED, "the system has no hand tracking");
    if (info->hand != XR_HAND_LEFT_EXT && info->hand != XR_HAND_RIGHT_EXT)
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "a hand is left or right");
    if (info->handJointSet != XR_HAND_JOINT_SET_DEFAULT_EXT)
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "only the default joint set is supported");
    auto tracker = std::make_unique<HandTracker>();
    tracker->session = session;
    tracker->side = info->hand == XR_HAND_LEFT_EXT ? 0 : 1;
    const HandTracker& made = *tracker;
    add_object(std::move(tracker), session, {{"hand", made.side == 0 ? "left" : "right"}});
    *created = handle_of<XrHandTrackerEXT>(made);
    return XR_SUCCESS;
}

XrResult xrDestroyHandTrackerEXT(XrHandTrackerEXT handle) {
    return destroy<HandTracker>("xrDestroyHandTrackerEXT", handle);
}

XrResult xrLocateHandJointsEXT(XrHandTrackerEXT handle, const XrHandJointsLocateInfoEXT* info,
                               XrHandJointLocationsEXT* locations) {
    HandTracker* tracker = nullptr;
    const char* call = "xrLocateHandJointsEXT";
    if (const XrResult result = enter(call, handle, tracker); result != XR_SUCCESS) return result;
    if (const XrResult result = check_locate(info, locations); result != XR_SUCCESS) return result;
    const Runtime& all = runtime();
    HandKey hand = all.script.hand_at(tracker->side, all.clock.frame_of(info->time));
    // Without focus a client gets no hand data.
    hand.active = hand.active && tracker->session->focused();
    fill_joints(hand, locate(*find<Space>(info->baseSpace), info->time), *locations);
    if (auto* velocities =
            chained<XrHandJointVelocitiesEXT>(locations->next, XR_TYPE_HAND_JOINT_VELOCITIES_EXT))
        for (std::uint32_t i = 0; i < velocities->jointCount; ++i)
            velocities->jointVelocities[i].velocityFlags = 0;
    return XR_SUCCESS;
}

}  // namespace claybox::xr_runtime
