#pragma once
// Turns clicks into pokes of the mouse hand. A hand needs time to reach and return, a click does not: each
// click becomes one whole poke at its place, however short it was and wherever the pointer is by then.

#include <cstddef>
#include <vector>

namespace claybox::engine {

struct PointerPlace {
    float x = 0, y = 0;  ///< pixels
};

/// The hand's action in this step.
struct PokeStep {
    PointerPlace at;    ///< where the hand points
    bool left = false;  ///< reach forward
};

class MousePoke {
  public:
    /// The button went down here. Drops clicks beyond a short queue.
    void click(const PointerPlace& at);
    /// One step of simulated time. `down`: the button is held. `pinned`: the poke stays at its start;
    /// otherwise the held hand follows the pointer, for a stroke.
    PokeStep step(const PointerPlace& pointer, bool down, bool pinned);
    /// A poke is running or queued: the hand does not follow the pointer.
    bool busy() const { return phase_ != Phase::idle || !queue_.empty(); }

  private:
    enum class Phase : unsigned char { idle, forward, back };
    Phase phase_ = Phase::idle;
    int steps_ = 0;  ///< minimum number of steps left in this phase
    PointerPlace at_;
    std::vector<PointerPlace> queue_;
};

}  // namespace claybox::engine
