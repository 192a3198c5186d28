#pragma once
// Clicks become pokes of the mouse hand. A hand needs time to reach and to come back, a click does not:
// however short it was and wherever the pointer is meanwhile, each click is one whole poke at the place where
// it was made.

#include <cstddef>
#include <vector>

namespace claybox::engine {

struct PointerPlace {
    float x = 0, y = 0;  ///< pixels
};

/// What the hand does in this step.
struct PokeStep {
    PointerPlace at;    ///< where the hand points
    bool left = false;  ///< reach forward
};

class MousePoke {
  public:
    /// The button went down here. More clicks than a person can mean in one poke's time are dropped.
    void click(const PointerPlace& at);
    /// One step of simulated time. `down`: the button is held. `pinned`: a poke ends where it began;
    /// otherwise the held hand follows the pointer, for a stroke.
    PokeStep step(const PointerPlace& pointer, bool down, bool pinned);
    /// A poke is under way or waits: the hand does not point at the pointer.
    bool busy() const { return phase_ != Phase::idle || !waiting_.empty(); }

  private:
    enum class Phase : unsigned char { idle, forward, back };
    Phase phase_ = Phase::idle;
    int steps_ = 0;  ///< that the phase lasts at least
    PointerPlace at_;
    std::vector<PointerPlace> waiting_;
};

}  // namespace claybox::engine
