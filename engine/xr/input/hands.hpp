#pragma once
// Tracked hands with 26 joints each, through XR_EXT_hand_tracking.

#include "engine/xr/runtime.hpp"
#include "engine/xr/session/xr_session.hpp"

#include <array>

namespace claybox::engine {

class XrHands {
  public:
    ~XrHands() { close(); }
    /// Without hand tracking there are no hands; that is not an error.
    void create(const XrRuntime& runtime, ::XrSession session, CallWatch& watch);
    void close();
    bool available() const { return trackers_[0] != XR_NULL_HANDLE || trackers_[1] != XR_NULL_HANDLE; }
    /// Inactive hands have no joints: runtimes leave garbage there.
    void read(XrSpace base, XrTime time, CallWatch& watch, std::array<HandJoints, 2>& hands) const;

  private:
    HandJoints read_one(std::size_t side, XrSpace base, XrTime time, CallWatch& watch) const;
    PFN_xrCreateHandTrackerEXT create_ = nullptr;
    PFN_xrDestroyHandTrackerEXT destroy_ = nullptr;
    PFN_xrLocateHandJointsEXT locate_ = nullptr;
    std::array<XrHandTrackerEXT, 2> trackers_{};
};

}  // namespace claybox::engine
