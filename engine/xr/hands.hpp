#pragma once
// Tracked hands: 26 joints each, by XR_EXT_hand_tracking.

#include "engine/xr/instance.hpp"
#include "engine/xr/xr_session.hpp"

#include <array>

namespace claybox::engine {

class Hands {
  public:
    ~Hands() { close(); }
    /// Without hand tracking there are no hands, and that is no error.
    void create(const Instance& instance, ::XrSession session, CallWatch& watch);
    void close();
    bool available() const { return trackers_[0] != XR_NULL_HANDLE || trackers_[1] != XR_NULL_HANDLE; }
    /// Inactive hands come without joints, for what a runtime leaves there is garbage.
    void read(XrSpace base, XrTime time, CallWatch& watch, std::array<HandJoints, 2>& hands) const;

  private:
    HandJoints read_one(std::size_t side, XrSpace base, XrTime time, CallWatch& watch) const;
    PFN_xrCreateHandTrackerEXT make_ = nullptr;
    PFN_xrDestroyHandTrackerEXT destroy_ = nullptr;
    PFN_xrLocateHandJointsEXT locate_ = nullptr;
    std::array<XrHandTrackerEXT, 2> trackers_{};
};

}  // namespace claybox::engine
