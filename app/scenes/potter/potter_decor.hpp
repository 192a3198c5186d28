#pragma once
// Objects around the clay (wheel, table, shelf). Lengths in metres.

#include "app/scenes/hands/hand_stop.hpp"
#include "app/scenes/shared/decor.hpp"

namespace claybox::app {

ViewCamera potter_camera();
ViewLight potter_light();

class PotterDecor {
  public:
    explicit PotterDecor(std::uint64_t first_mesh);
    void append_meshes(std::vector<ViewMesh>& out) const { store_.append_to(out); }
    /// `angle` of the wheel in radians.
    void view(double angle, SceneView& out) const;
    /// Solids that stop the drawn hand: table, wheel and shelf. They do not depend on the angle.
    std::span<const HandWall> walls() const { return walls_; }

  private:
    void add_wall(std::span<const collision::Vec3f> points, const collision::Vec3d& at);

    MeshStore store_;
    std::vector<collision::ShapePtr> wall_shapes_;
    std::vector<HandWall> walls_;
    std::uint64_t table_, head_, bat_, slurry_, pin_, shelf_, bowl_, vase_;
    std::uint64_t ring_[3];
};

}  // namespace claybox::app
