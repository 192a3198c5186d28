#pragma once
// Stops the drawn hand at rigid obstacles, wherever the tracked hand is.

#include "app/scenes/step.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/pairwise/scratch.hpp"

#include <span>
#include <vector>

namespace claybox::app {

/// A convex solid that a drawn hand does not enter.
struct HandWall {
    const collision::Shape* shape = nullptr;
    collision::Pose pose;
};

using HandShapes = std::array<collision::ShapePtr, kHandParts>;

/// The offset of one drawn hand from the tracked hand. The drawn hand moves as a whole from its last place
/// towards the tracked one, in steps shorter than the thinnest wall. After each step the deepest part is
/// pushed out. The hand therefore slides along surfaces and stays on the side it came from. Once nothing
/// stops it, it returns to the tracked hand within a few frames instead of jumping. Deterministic, and only
/// for drawing: no decision depends on it.
class HandStop {
  public:
    /// Offset from the tracked to the drawn hand, metres. `shapes` are the shapes of the hand parts.
    collision::Vec3d offset(const HandInput& hand, const HandShapes& shapes, std::span<const HandWall> walls);
    /// Call when the hand has disappeared: the next one starts without offset.
    void reset() { known_ = passing_through_ = false; }

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
    bool touches_wall(const HandInput& hand, const HandShapes& shapes);
    Push separation(std::size_t part, const collision::Shape& shape, const collision::Pose& pose,
                    const HandWall& wall);
    Push deepest(const HandInput& hand, const HandShapes& shapes, const collision::Vec3d& offset);
    bool push_out(const HandInput& hand, const HandShapes& shapes, collision::Vec3d& offset);

    bool known_ = false;
    bool passing_through_ = false;  ///< too deep in walls: drawn at the tracked pose until free again
    collision::Vec3d drawn_;        ///< palm as drawn last
    collision::Vec3d palm_;         ///< tracked palm in the last frame
    std::vector<Near> near_;        ///< walls that the hand may touch in this frame
    /// Per part: the separating direction of the last wall it touched; zero after a frame without contact.
    std::array<collision::Vec3d, kHandParts> last_direction_{};
    std::array<bool, kHandParts> touched_{};  ///< in this frame
    collision::Scratch scratch_;
};

}  // namespace claybox::app
