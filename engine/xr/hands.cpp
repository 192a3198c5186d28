#include "engine/xr/hands.hpp"

#include "engine/xr/spaces.hpp"

#include <cmath>

namespace claybox::engine {

void Hands::create(const Instance& instance, ::XrSession session, CallWatch& watch) {
    if (!instance.tracks_hands() || !instance.load("xrCreateHandTrackerEXT", make_) ||
        !instance.load("xrDestroyHandTrackerEXT", destroy_) ||
        !instance.load("xrLocateHandJointsEXT", locate_))
        return;
    // A hand that holds a controller is ours to draw from grip and trigger; guesses of the runtime would come
    // with the same rank as a hand that is seen.
    XrHandTrackingDataSourceEXT seen = XR_HAND_TRACKING_DATA_SOURCE_UNOBSTRUCTED_EXT;
    auto source = typed<XrHandTrackingDataSourceInfoEXT>(XR_TYPE_HAND_TRACKING_DATA_SOURCE_INFO_EXT);
    source.requestedDataSourceCount = 1;
    source.requestedDataSources = &seen;
    for (std::size_t side = 0; side < 2; ++side) {
        auto info = typed<XrHandTrackerCreateInfoEXT>(XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT);
        if (instance.has(Extension::hand_data_source)) info.next = &source;
        info.hand = side == 0 ? XR_HAND_LEFT_EXT : XR_HAND_RIGHT_EXT;
        info.handJointSet = XR_HAND_JOINT_SET_DEFAULT_EXT;
        if (!watch.ok(make_(session, &info, &trackers_[side]), "xrCreateHandTrackerEXT"))
            trackers_[side] = XR_NULL_HANDLE;
    }
}

void Hands::close() {
    for (XrHandTrackerEXT& tracker : trackers_) {
        if (tracker != XR_NULL_HANDLE) destroy_(tracker);
        tracker = XR_NULL_HANDLE;
    }
}

HandJoints Hands::read_one(std::size_t side, XrSpace base, XrTime time, CallWatch& watch) const {
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

void Hands::read(XrSpace base, XrTime time, CallWatch& watch, std::array<HandJoints, 2>& hands) const {
    for (std::size_t side = 0; side < 2; ++side) hands[side] = read_one(side, base, time, watch);
}

}  // namespace claybox::engine
