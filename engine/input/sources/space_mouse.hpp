#pragma once
// A SpaceMouse through the daemon spacenavd. Without libspnav at build time it is never available.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

/// Channels: the cap's x, y, z and rotations rx, ry, rz, -1 .. 1, right-handed with +Y up and +Z towards the
/// user; "button0" .. "button15"; and "pose", the pose integrated from them since the first frame: 0.25 m and
/// a quarter turn per second at full push.
class SpaceMouseSource final : public InputSource {
  public:
    SpaceMouseSource();
    ~SpaceMouseSource() override;
    /// Tries again every 3 seconds while there is no daemon.
    void update(double now) override;
    std::string state() const override;

  private:
    void try_connection(double now);
    void read_events();
    void move_pose(double seconds);

    std::array<double, 6> push_{};
    bool connected_ = false;
    double next_try_ = 0, last_ = 0;
};

}  // namespace claybox::engine
