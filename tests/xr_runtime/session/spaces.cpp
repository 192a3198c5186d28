// Reference and action spaces, and the location of one space in another.

#include "tests/xr_runtime/functions.hpp"
#include "tests/xr_runtime/input/actions.hpp"
#include "tests/xr_runtime/newer_openxr.hpp"

#include <algorithm>

namespace claybox::xr_runtime {

namespace {

std::vector<XrReferenceSpaceType> offered_spaces() {
    std::vector<XrReferenceSpaceType> offered{XR_REFERENCE_SPACE_TYPE_VIEW, XR_REFERENCE_SPACE_TYPE_LOCAL,
                                              XR_REFERENCE_SPACE_TYPE_STAGE};
    if (runtime().instance->has(kLocalFloorExtension)) offered.push_back(kLocalFloorSpace);
    return offered;
}

Located locate_reference(XrReferenceSpaceType type, double frame) {
    const Script& script = runtime().script;
    if (type == XR_REFERENCE_SPACE_TYPE_VIEW) {
        const HeadKey head = script.head_at(frame);
        return {head.pose, head.flags};
    }
    if (type != kLocalFloorSpace) return {script.origin_at(type, frame), kTracked};
    Pose floor = script.origin_at(XR_REFERENCE_SPACE_TYPE_LOCAL, frame);
    floor.position.y = script.origin_at(XR_REFERENCE_SPACE_TYPE_STAGE, frame).position.y;
    return {floor, kTracked};
}

XrResult check_space(const char* call, bool good_type, const XrPosef& pose) {
    if (!good_type) return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the create info is wrong");
    if (is_valid_pose(pose)) return XR_SUCCESS;
    return misuse(call, XR_ERROR_POSE_INVALID, "the rotation is no unit quaternion");
}

}  // namespace

Located locate(const Space& space, XrTime time) {
    const double frame = runtime().clock.frame_of(time);
    Located found = space.action != 0 ? locate_action(space, frame) : locate_reference(space.type, frame);
    found.world_from_space = found.world_from_space * space.offset;
    return found;
}

Pose base_from(const Located& base, const Pose& world_from_thing) {
    return inverse(base.world_from_space) * world_from_thing;
}

XrResult xrEnumerateReferenceSpaces(XrSession handle, std::uint32_t capacity, std::uint32_t* count,
                                    XrReferenceSpaceType* list) {
    Session* session = nullptr;
    const char* call = "xrEnumerateReferenceSpaces";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const auto offered = offered_spaces();
    return copy_list(call, offered.size(), capacity, count, list,
                     [&](XrReferenceSpaceType& type, std::size_t i) { type = offered[i]; });
}

XrResult xrCreateReferenceSpace(XrSession handle, const XrReferenceSpaceCreateInfo* info, XrSpace* created) {
    Session* session = nullptr;
    const char* call = "xrCreateReferenceSpace";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const bool good_type = is_type(info, XR_TYPE_REFERENCE_SPACE_CREATE_INFO);
    if (const XrResult result = check_space(call, good_type, info->poseInReferenceSpace);
        result != XR_SUCCESS)
        return result;
    const auto offered = offered_spaces();
    if (std::find(offered.begin(), offered.end(), info->referenceSpaceType) == offered.end())
        return misuse(call, XR_ERROR_REFERENCE_SPACE_UNSUPPORTED, "that space is not in the list");
    auto space = std::make_unique<Space>();
    space->session = session;
    space->type = info->referenceSpaceType;
    space->offset = from_xr(info->poseInReferenceSpace);
    const Space& made = *space;
    add_object(std::move(space), session, {{"type", info->referenceSpaceType}});
    *created = handle_of<XrSpace>(made);
    return XR_SUCCESS;
}

XrResult xrGetReferenceSpaceBoundsRect(XrSession handle, XrReferenceSpaceType type, XrExtent2Df* bounds) {
    Session* session = nullptr;
    const char* call = "xrGetReferenceSpaceBoundsRect";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const bool stage = type == XR_REFERENCE_SPACE_TYPE_STAGE;
    *bounds = stage ? XrExtent2Df{3, 2} : XrExtent2Df{0, 0};
    return stage ? XR_SUCCESS : XR_SPACE_BOUNDS_UNAVAILABLE;
}

XrResult xrCreateActionSpace(XrSession handle, const XrActionSpaceCreateInfo* info, XrSpace* created) {
    Session* session = nullptr;
    const char* call = "xrCreateActionSpace";
    if (const XrResult result = enter(call, handle, session); result != XR_SUCCESS) return result;
    const bool good_type = is_type(info, XR_TYPE_ACTION_SPACE_CREATE_INFO);
    if (const XrResult result = check_space(call, good_type, info->poseInActionSpace); result != XR_SUCCESS)
        return result;
    const Action* action = find<Action>(info->action);
    if (action == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "the action is gone");
    if (action->type != XR_ACTION_TYPE_POSE_INPUT)
        return misuse(call, XR_ERROR_ACTION_TYPE_MISMATCH, "only pose actions have a space");
    if (const XrResult result = check_hand(call, *action, info->subactionPath); result != XR_SUCCESS)
        return result;
    auto space = std::make_unique<Space>();
    space->session = session;
    space->action = action->id;
    space->hand = info->subactionPath;
    space->offset = from_xr(info->poseInActionSpace);
    const Space& made = *space;
    add_object(std::move(space), session, {{"action", action->name}});
    *created = handle_of<XrSpace>(made);
    return XR_SUCCESS;
}

XrResult xrLocateSpace(XrSpace handle, XrSpace base_handle, XrTime time, XrSpaceLocation* location) {
    Space* space = nullptr;
    const char* call = "xrLocateSpace";
    if (const XrResult result = enter(call, handle, space); result != XR_SUCCESS) return result;
    const Space* base = find<Space>(base_handle);
    if (base == nullptr) return misuse(call, XR_ERROR_HANDLE_INVALID, "the base space is gone");
    if (!is_type(location, XR_TYPE_SPACE_LOCATION))
        return misuse(call, XR_ERROR_VALIDATION_FAILURE, "the type of the location is wrong");
    if (time <= 0) return misuse(call, XR_ERROR_TIME_INVALID, "the time is not positive");
    const Located at = locate(*space, time), from = locate(*base, time);
    location->locationFlags = at.flags & from.flags;
    location->pose = to_xr(base_from(from, at.world_from_space));
    if (auto* velocity = chained<XrSpaceVelocity>(location->next, XR_TYPE_SPACE_VELOCITY))
        velocity->velocityFlags = 0;
    return XR_SUCCESS;
}

XrResult xrDestroySpace(XrSpace handle) {
    return destroy<Space>("xrDestroySpace", handle);
}

}  // namespace claybox::xr_runtime
