#pragma once
// Two near bodies that do not touch, and the plane that proves it.

#include "app/scenes/view.hpp"
#include "collision/pairwise/query.hpp"

#include <optional>
#include <span>

namespace claybox::app {

/// Follows one pair of convex bodies until it collides, parts, or was shown for long enough; then it takes
/// the pair with the smallest gap.
class NearestPair {
  public:
    struct Body {
        const collision::Shape* shape = nullptr;
        collision::Pose pose;
        float radius = 0;  ///< of a sphere around the origin of the pose
    };
    /// Among more bodies nothing is shown: the plane would be hidden.
    static constexpr std::size_t kMostBodies = 200;

    /// Call it once per frame.
    void follow(std::span<const Body> bodies);
    void forget() { gap_.reset(); }
    /// Draws the plane in the middle of the gap, and the gap.
    void view(bool labels, SceneView& out) const;

    struct Gap {
        std::size_t a = 0, b = 0;
        collision::Vec3d on_a, on_b;  ///< the nearest points, world frame
        double half_side = 0;         ///< of the plane's square
        double size() const { return length(on_b - on_a); }
    };
    const std::optional<Gap>& gap() const { return gap_; }

  private:
    std::optional<Gap> measured(std::span<const Body> bodies, std::size_t a, std::size_t b);
    std::optional<Gap> smallest(std::span<const Body> bodies);

    std::optional<Gap> gap_;
    int rest_ = 0;  ///< frames until the next pair may be shown
    int shown_ = 0;
    collision::Scratch scratch_;
};

}  // namespace claybox::app
