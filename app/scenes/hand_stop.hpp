#pragma once
// Where a drawn hand stops: the tracked hand goes where it goes, the drawn one stays out of what does not
// give way.

#include "app/scenes/step.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/parts/scratch.hpp"

#include <span>
#include <vector>

namespace claybox::app {

/// A convex solid that a drawn hand does not enter.
struct HandWall {
    const collision::Shape* shape = nullptr;
    collision::Pose pose;
};

using HandShapes = std::array<collision::ShapePtr, kHandParts>;

/// One hand's. The drawn hand is the tracked one, moved as a whole: it goes from where it was drawn last
/// towards the tracked one in steps that are shorter than any wall is thick, and after each step the deepest
/// part is pushed out. So it slides along surfaces and stays on the side from which it came. Where nothing
/// stops it any more, it comes back to the tracked hand in a few frames rather than with a leap.
/// Deterministic; only for the eye: nothing that is decided depends on it.
class HandStop {
  public:
    /// Metres from the tracked hand to the drawn one. `shapes` are those of the hand's parts.
    collision::Vec3d offset(const HandInput& hand, const HandShapes& shapes, std::span<const HandWall> walls);
    /// The hand is gone: the next one begins where it appears.
    void forget() { known_ = through_ = false; }

  private:
    struct Push {
        double depth = 0;
        collision::Vec3d direction;
    };
    struct Near {
        collision::Aabb box;
        const HandWall* wall;
    };
    void find_near(const HandInput& hand, const HandShapes& shapes, std::span<const HandWall> walls);
    bool is_in(const collision::Shape& shape, const collision::Pose& pose, const HandWall& wall);
    bool meets_wall(const HandInput& hand, const HandShapes& shapes);
    Push way_out(std::size_t part, const collision::Shape& shape, const collision::Pose& pose,
                 const HandWall& wall);
    Push deepest(const HandInput& hand, const HandShapes& shapes, const collision::Vec3d& offset);
    bool push_out(const HandInput& hand, const HandShapes& shapes, collision::Vec3d& offset);

    bool known_ = false;
    bool through_ = false;    ///< too far in walls: drawn where it is until it is free again
    collision::Vec3d drawn_;  ///< the palm's place as it was drawn last
    collision::Vec3d palm_;   ///< the tracked one's in the last frame
    std::vector<Near> near_;  ///< walls that the hand may meet in this frame
    /// By part: the way out of the wall that it met last; zero once it has been free for a frame.
    std::array<collision::Vec3d, kHandParts> last_way_{};
    std::array<bool, kHandParts> met_{};  ///< in this frame
    collision::Scratch scratch_;
};

}  // namespace claybox::app
