#pragma once
// Reference spaces: the frame of all positions, and notice of its changes.

#include "engine/xr/runtime.hpp"
#include "engine/xr/session/xr_session.hpp"

namespace claybox::engine {

using XrOwnedSpace = XrOwned<XrSpace, xrDestroySpace>;

/// Converts a pose. Not valid when a flag is missing, a number is not finite or the quaternion is not near
/// unit length.
XrPose pose_of(const XrPosef& pose, XrSpaceLocationFlags flags);
/// Pose of `space` in `base`; not valid when the call fails.
XrPose locate(CallWatch& watch, XrSpace space, XrSpace base, XrTime time);
XrPosef identity_pose();

class XrSpaces {
  public:
    /// Creates the head's space and the base space, see use(). False when the runtime offers none.
    bool create(const XrRuntime& runtime, ::XrSession session, bool seated, CallWatch& watch);
    /// Selects the base space, between frames. Standing: STAGE, else LOCAL_FLOOR, else LOCAL; seated: LOCAL.
    /// A different space counts as a change, which the next frame reports. False when the runtime offers
    /// none; then the old space stays.
    bool use(const XrRuntime& runtime, ::XrSession session, bool seated, CallWatch& watch);
    void close();

    XrSpace base() const { return base_.get(); }
    XrSpace head() const { return head_.get(); }
    bool seated() const { return seated_; }  ///< the last request
    bool has_floor() const { return kind_ != XR_REFERENCE_SPACE_TYPE_LOCAL; }

    /// The runtime announced that a space changes at that time.
    void change_at(XrReferenceSpaceType kind, XrTime time);
    /// Events were lost, so the space may have changed.
    void change_now() { changing_ = true; }
    /// True once per change, at the first frame displayed after it.
    bool changed_by(XrTime display_time);

  private:
    XrOwnedSpace base_, head_;
    XrReferenceSpaceType kind_ = XR_REFERENCE_SPACE_TYPE_LOCAL;
    bool seated_ = false;
    bool changing_ = false;
    XrTime change_time_ = 0;
};

}  // namespace claybox::engine
