#pragma once
// Where a pointing hand meets the clay. It stays as it was before a stroke, so that a finger which is held
// against the clay sinks in by the reach of the hand and no further.

#include "collision/core/vec.hpp"

#include <array>
#include <optional>
#include <span>

namespace claybox::app {

/// The clay as a body of revolution: its outer radius at each height, and its height at each radius, so that
/// pots are open at the top. Frame of the clay, metres.
class AimProfile {
  public:
    /// Linear in the number of vertices.
    void measure(std::span<const collision::Vec3f> positions);
    /// The first point in [from, to] of the ray at which a ball of this radius touches the clay.
    std::optional<double> hit(const collision::Vec3d& origin, const collision::Vec3d& direction, double from,
                              double to, double radius) const;
    /// Whether a ball of this radius at `p` touches the clay.
    bool touches(const collision::Vec3d& p, double radius) const;

  private:
    static constexpr std::size_t kBins = 96;
    std::array<float, kBins> radius_{}, height_{};
    double highest_ = 0, widest_ = 0;
};

}  // namespace claybox::app
