#pragma once
// What stands around the clay: wheel, table, shelf; and the lines that measure it. Figures in metres.

#include "app/scenes/decor.hpp"
#include "app/scenes/hand_stop.hpp"

#include <string>

namespace claybox::app {

ViewCamera potter_camera();
ViewLight potter_light();

class PotterDecor {
  public:
    explicit PotterDecor(std::uint64_t first_mesh);
    void append_meshes(std::vector<ViewMesh>& out) const { store_.append_to(out); }
    /// `angle` is the wheel's, radians.
    void view(double angle, SceneView& out) const;
    /// Where the drawn hand stops: table, wheel and shelf, which stay where they are whatever the angle.
    std::span<const HandWall> walls() const { return walls_; }

  private:
    void add_wall(std::span<const collision::Vec3f> points, const collision::Vec3d& at);

    MeshStore store_;
    std::vector<collision::ShapePtr> wall_shapes_;
    std::vector<HandWall> walls_;
    std::uint64_t table_, head_, bat_, slurry_, pin_, shelf_, bowl_, vase_;
    std::uint64_t ring_[3];
};

/// Where and in which direction the clay was pushed, in its own frame.
struct BrushMark {
    collision::Vec3f centre, along;
};

/// A ring of the brush's radius and one of half of it, in the plane across the push.
void view_brush(const BrushMark& mark, const collision::Pose& clay, double radius, SceneView& out);

/// A chip of the colour of measures, in the middle of the picture of `at`.
ViewLabel measure_label(const collision::Vec3d& at, std::string text);

/// Height beside the clay and width of the mouth above it, with end ticks and extension lines.
void view_dimensions(double height, double widest, double mouth, bool labels, SceneView& out);

}  // namespace claybox::app
