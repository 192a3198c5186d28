#include "engine/xr/input/hands.hpp"

#include "engine/xr/input/spaces.hpp"

#include <cmath>

namespace claybox::engine {

void XrHands::create(const XrRuntime& runtime, ::XrSession session, CallWatch& watch) {
    if (!runtime.tracks_hands() || !runtime.load("xrCreateHandTrackerEXT", create_) ||
        !runtime.load("xrDestroyHandTrackerEXT", destroy_) || !runtime.load("xrLocateHandJointsEXT", locate_))
        return;
    // Only optically tracked hands are wanted. A hand that holds a controller is posed from grip and trigger;
    // the runtime's guess would otherwise get the priority of a tracked hand.
    XrHandTrackingDataSourceEXT seen = XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT;
    auto source = typed<XrHandTrackingDataSourceInfoEXT>(XR_TYPE_HAND_TRACKING_DATA_SOURCE_INFO_EXT);
    source.requestedDataSourceCount = 1;
    source.requestedDataSources = &seen;
    for (std::size_t side = 0; side < 2; ++side) {
        auto info = typed<XrHandTrackerCreateInfoEXT>(XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT);
        if (runtime.has(XrExtension::hand_data_source)) info.next = &source;
        info.hand = side == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT;
        info.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT;
        if (!watch.ok(create_(session, &info, &trackers_[side]), "xrCreateHandTrackerEXT"))
            trackers_[side] = XR_NULL_HANDLE;
    }
}

void XrHands::close() {
    for (XrHandTrackerEXT& tracker : trackers_) {
        if (tracker != XR_NULL_HANDLE) destroy_(tracker);
        tracker = XR_NULL_HANDLE;
    }
}

HandJoints XrHands::read_one(std::size_t side, XrSpace base, XrTime time, CallWatch& watch) const {
    HandJoints hand;
    hand.left = side == 0;
    if (trackers_[side] == XR_NULL_HANDLE) return hand;
    std::array<XrHandJointLocationEXT, kHandJointCount> joints{};
    auto info = typed<XrHandJointsLocateInfoEXT>(XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT);
    info.baseSpace = base;
    info.time = time;
    auto locations = typed<XrHandJointLocationsEXT>(XR_TYPE_HAND_JOINT_LOCATIONS_EXT);
    locations.jointCount = kHandJointCount;
    locations.jointLocations = joints.data();
    if (!watch.ok(locate_(trackers_[side], &info, &locations), "xrLocateHandJointsEXT")) return hand;
    hand.active = locations.isActive == XR_TRUE;
    for (std::size_t i = 0; hand.active && i < joints.size(); ++i) {
        const XrPose pose = pose_of(joints[i].pose, joints[i].locationFlags);
        const bool valid = pose.valid && std::isfinite(joints[i].radius);
        if (valid) hand.joint[i] = {pose.position, pose.rotation, joints[i].radius, true};
    }
    return hand;
}

void XrHands::read(XrSpace base, XrTime time, CallWatch& watch, std::array<HandJoints, 2>& hands) const {
    for (std::size_t side = 0; side < 2; ++side) hands[side] = read_one(side, base, time, watch);
}

}  // namespace claybox::engine
