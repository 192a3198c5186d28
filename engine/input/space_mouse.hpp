#pragma once
// A SpaceMouse through the daemon spacenavd; where libspnav was not there when this was built, none ever is.

#include "engine/input/input_source.hpp"

namespace claybox::engine {

/// The cap's x, y, z and turns rx, ry, rz, -1 .. 1, right-handed with +Y up and towards the person +Z;
/// "button0" .. "button15"; and "pose", the space that the cap has carried from where it was first asked:
/// 0.25 m and a quarter turn a second at full push.
class SpaceMouseSource final : public InputSource {
  public:
    SpaceMouseSource();
    ~SpaceMouseSource() override;
    /// Without a daemon it is looked for again every 3 seconds.
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
