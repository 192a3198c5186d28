#pragma once
// Removes the jitter of a tracked hand: the One-Euro filter (Casiez, Roussel and Vogel, CHI 2012). A slow
// hand is smoothed strongly, a fast one hardly, so that it does not lag. All parts share one smoothing
// factor, so the fingers stay attached.

#include "engine/hand/hand_model.hpp"

namespace claybox::engine {

class HandFilter {
  public:
    /// The filtered hand, `dt` seconds after the one before. `strength`: 0 (off) .. 1. A hand that rests is
    /// passed unchanged; a hand that was absent, changed its size or jumped starts again unfiltered.
    const HandState& update(const HandState& hand, double strength, double dt);
    /// What update() would return. For pictures between two steps.
    HandState preview(const HandState& hand, double strength, double dt) const;
    void reset() { *this = {}; }

  private:
    /// The wrist and the tips of the five fingers: what moves fastest.
    using Points = std::array<glm::dvec3, 6>;
    static Points points_of(const HandState& hand);
    bool starts_again(const HandState& hand) const;
    double cutoff(const Points& now, double scale, double strength, double dt);

    HandState out_;
    Points last_{};      ///< unfiltered
    Points velocity_{};  ///< smoothed, metres per second
};

}  // namespace claybox::engine
