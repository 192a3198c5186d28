#pragma once
// The hand of the experiment `potter`: it presses its inside against the belly of the pot and strokes up and
// down. Several parts touch, at a depth that is measured from the clay as it was at
// the start.

#include "app/scenes/step.hpp"
#include "bench/scenes/potter/potter_rows.hpp"

namespace claybox::bench {

class PotterScript {
  public:
    /// Prepares `frames` frames. `turns`: the hand goes around the pot.
    PotterScript(const PotterRow& row, std::uint64_t seed, std::uint64_t frames, bool turns);
    /// The hand in a frame, counted from 1.
    const app::HandInput& hand(std::uint64_t frame) const { return hands_[(frame - 1) % hands_.size()]; }

  private:
    std::vector<app::HandInput> hands_;
};

}  // namespace claybox::bench
