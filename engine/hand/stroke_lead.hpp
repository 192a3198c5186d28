#pragma once
// Steadies a stroke: while the hand presses, it follows its target on a lead. The target may wander within
// the lead's length without moving the hand; beyond it, the target pulls the hand along.

#include <glm/glm.hpp>

#include <optional>

namespace claybox::engine {

class StrokeLead {
  public:
    /// The place of the hand whose target is `target`, `dt` seconds after the last call. While `pressing`, it
    /// is at most `length` away from the target; afterwards it returns there within a quarter of a second.
    /// Without a length it is the target.
    glm::dvec3 follow(const glm::dvec3& target, double length, bool pressing, double dt);
    /// From the target to the hand.
    const glm::dvec3& slack() const { return slack_; }
    /// The hand is absent or elsewhere: the next target is taken as it is.
    void reset() { *this = {}; }

  private:
    std::optional<glm::dvec3> target_;
    glm::dvec3 slack_{0};
};

}  // namespace claybox::engine
