#pragma once
// The hand of the experiment `potter`: it presses its whole inside against the belly of the pot and strokes
// up and down.

#include "app/scenes/step.hpp"

namespace claybox::bench {

class PotterScript {
  public:
    /// `scale`: size of the hand and of its motion relative to a real hand.
    PotterScript(double scale, std::uint64_t seed);
    /// The hand in a frame, counted from 1. `turn`: how far it is around the pot, radians.
    app::HandInput hand(std::uint64_t frame, double turn = 0) const;

  private:
    double scale_, phase_;
};

}  // namespace claybox::bench
