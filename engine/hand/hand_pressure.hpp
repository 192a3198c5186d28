#pragma once
// Pressure of a hand that has no sensor for it: a slow hand presses fully, a fast one lightly.

#include "engine/hand/hand_model.hpp"

#include <optional>

namespace claybox::engine {

/// 1 up to 50 mm/s, 0.2 from 500 mm/s on, and an S-shaped curve between.
float pressure_of_speed(double metres_per_second);

/// Speed of the forefinger's tip in metres of the real hand per second, smoothed over about three frames.
class HandSpeed {
  public:
    /// `dt` seconds after the last call; 0 for the first one.
    double update(const HandState& hand, double dt);
    void reset() { *this = {}; }

  private:
    std::optional<glm::dvec3> tip_;
    double speed_ = 0;
};

}  // namespace claybox::engine
