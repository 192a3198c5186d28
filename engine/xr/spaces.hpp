#pragma once
// Reference spaces: what positions are told in, and when the user has moved it.

#include "engine/xr/runtime.hpp"
#include "engine/xr/xr_session.hpp"

namespace claybox::engine {

using XrOwnedSpace = XrOwned<XrSpace, xrDestroySpace>;

/// What the flags allow; not valid when a number is none or the quaternion has no length.
XrPose pose_of(const XrPosef& pose, XrSpaceLocationFlags flags);
/// A place of a space that is there; not valid when the call fails.
XrPose locate(CallWatch& watch, XrSpace space, XrSpace base, XrTime time);
XrPosef identity_pose();

class XrSpaces {
  public:
    /// The head's space, and the one to tell positions in: see use(). False when the runtime gives none.
    bool create(const XrRuntime& runtime, ::XrSession session, bool seated, CallWatch& watch);
    /// Standing: STAGE, else LOCAL_FLOOR, else LOCAL; seated: LOCAL. Between frames. Another space than
    /// before counts as a change that the next frame shows; false, with what there was, when the runtime
    /// gives none.
    bool use(const XrRuntime& runtime, ::XrSession session, bool seated, CallWatch& watch);
    void close();

    XrSpace base() const { return base_.get(); }
    XrSpace head() const { return head_.get(); }
    bool seated() const { return seated_; }  ///< what was asked for last
    bool has_floor() const { return kind_ != XR_REFERENCE_SPACE_TYPE_LOCAL; }

    /// The runtime announced that a space moves at that time.
    void change_at(XrReferenceSpaceType kind, XrTime time);
    /// Events were lost: it may have moved.
    void change_now() { changing_ = true; }
    /// True once after the change, at the first frame that shows it.
    bool changed_by(XrTime display_time);

  private:
    XrOwnedSpace base_, head_;
    XrReferenceSpaceType kind_ = XR_REFERENCE_SPACE_TYPE_LOCAL;
    bool seated_ = false;
    bool changing_ = false;
    XrTime change_time_ = 0;
};

}  // namespace claybox::engine
