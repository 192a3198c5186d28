#include "engine/xr/input/spaces.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace claybox::engine {

namespace {

std::vector<XrReferenceSpaceType> offered_spaces(::XrSession session, CallWatch& watch) {
    std::uint32_t count = 0;
    if (!watch.ok(xrEnumerateReferenceSpaces(session, 0, &count, nullptr), "xrEnumerateReferenceSpaces"))
        return {};
    std::vector<XrReferenceSpaceType> kinds(count);
    if (count == 0 || !watch.ok(xrEnumerateReferenceSpaces(session, count, &count, kinds.data()),
                                "xrEnumerateReferenceSpaces"))
        return {};
    return kinds;
}

bool make_space(::XrSession session, XrReferenceSpaceType kind, XrOwnedSpace& space, CallWatch& watch) {
    auto info = typed<XrReferenceSpaceCreateInfo>(XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
    info.referenceSpaceType = kind;
    info.poseInReferenceSpace = identity_pose();
    return watch.created(xrCreateReferenceSpace(session, &info, space.receive()), space,
                         "xrCreateReferenceSpace");
}

}  // namespace

XrPosef identity_pose() {
    return {{0, 0, 0, 1}, {0, 0, 0}};
}

XrPose pose_of(const XrPosef& pose, XrSpaceLocationFlags flags) {
    constexpr XrSpaceLocationFlags kBoth =
        XR_SPACE_LOCATION_POSITION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_VALID_BIT;
    const glm::dvec3 position(pose.position.x, pose.position.y, pose.position.z);
    const glm::dquat rotation(pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z);
    const double length = glm::length(rotation);
    const bool usable = std::isfinite(position.x + position.y + position.z) && length > 0.5 && length < 2;
    if ((flags & kBoth) != kBoth || !usable) return {};
    return {position, rotation / length, true};
}

XrPose locate(CallWatch& watch, XrSpace space, XrSpace base, XrTime time) {
    auto location = typed<XrSpaceLocation>(XR_TYPE_SPACE_LOCATION);
    if (space == XR_NULL_HANDLE) return {};
    if (!watch.ok(xrLocateSpace(space, base, time, &location), "xrLocateSpace")) return {};
    return pose_of(location.pose, location.locationFlags);
}

bool XrSpaces::create(const XrRuntime& runtime, ::XrSession session, bool seated, CallWatch& watch) {
    return use(runtime, session, seated, watch) &&
           make_space(session, XR_REFERENCE_SPACE_TYPE_VIEW, head_, watch);
}

bool XrSpaces::use(const XrRuntime& runtime, ::XrSession session, bool seated, CallWatch& watch) {
    seated_ = seated;
    const std::vector<XrReferenceSpaceType> offered = offered_spaces(session, watch);
    const auto wanted = [&](XrReferenceSpaceType kind) {
        if (kind == XR_REFERENCE_SPACE_TYPE_LOCAL) return true;  // every runtime offers it
        if (kind == XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT && !runtime.has(XrExtension::local_floor))
            return false;
        return !seated && std::find(offered.begin(), offered.end(), kind) != offered.end();
    };
    for (const XrReferenceSpaceType kind :
         {XR_REFERENCE_SPACE_TYPE_STAGE, XR_REFERENCE_SPACE_TYPE_LOCAL_FLOOR_EXT,
          XR_REFERENCE_SPACE_TYPE_LOCAL}) {
        if (!wanted(kind)) continue;
        if (base_ && kind == kind_) return true;
        // Some runtimes list a stage that nobody has set up; a space that cannot be created is skipped.
        XrOwnedSpace created;
        if (watch.lost() || !make_space(session, kind, created, watch)) continue;
        changing_ = bool(base_);
        change_time_ = 0;
        base_ = std::move(created);
        kind_ = kind;
        return true;
    }
    return false;
}

void XrSpaces::close() {
    head_.reset();
    base_.reset();
}

void XrSpaces::change_at(XrReferenceSpaceType kind, XrTime time) {
    if (kind != kind_) return;
    change_time_ = changing_ ? std::min(change_time_, time) : time;
    changing_ = true;
}

bool XrSpaces::changed_by(XrTime display_time) {
    if (!changing_ || display_time < change_time_) return false;
    changing_ = false;
    change_time_ = 0;
    return true;
}

}  // namespace claybox::engine
