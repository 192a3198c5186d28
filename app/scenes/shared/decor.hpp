#pragma once
// Decoration meshes, and the store that owns the meshes of a scene's view.

#include "app/scenes/view.hpp"

#include <deque>

namespace claybox::app {

/// An axis-aligned box about `centre`.
collision::PolygonList box_mesh(const collision::Vec3f& half, const collision::Vec3f& centre = {});
/// A box with edges rounded by `radius`, which is less than every half extent; `steps` polygons from the
/// border of a face to the middle of the edge.
collision::PolygonList rounded_box_mesh(const collision::Vec3f& half, float radius, int steps);
/// A flat disc at y = 0, facing up.
collision::PolygonList disc_mesh(float radius, int sides);
/// A rectangle in the plane z = 0, facing +Z.
collision::PolygonList rectangle_mesh(float half_x, float half_y);

/// Owns meshes with consecutive ids from `first_id`. Addresses stay valid while the store lives.
class MeshStore {
  public:
    explicit MeshStore(std::uint64_t first_id = 1) : next_id_(first_id) {}

    /// Precondition: `polygons` is a valid mesh. Returns the mesh id.
    std::uint64_t add(const collision::PolygonList& polygons, bool smooth = false);
    /// Adds the geometry of a shape and keeps the shape alive.
    std::uint64_t add(const collision::ShapePtr& shape, bool smooth = false);
    /// Replaces the shape of an id that add(shape) returned.
    void replace(std::uint64_t id, const collision::ShapePtr& shape);
    void append_to(std::vector<ViewMesh>& out) const;

  private:
    struct Entry {
        std::uint64_t id;
        collision::Polyhedron own;
        collision::ShapePtr shape;
        bool smooth;
        std::uint64_t version = 1;
    };
    std::uint64_t next_id_;
    std::deque<Entry> entries_;
};

/// A drawable without outline and pick.
Drawable decoration(std::uint64_t mesh, Material material, const collision::Vec3d& at = {},
                    const collision::Quat& rotation = {});
/// A decoration that casts no shadow: floors, boards and glass.
Drawable shadowless(std::uint64_t mesh, Material material, const collision::Vec3d& at = {},
                    const collision::Quat& rotation = {});

/// Draws the twelve edges of a box.
void view_box(const collision::Aabb& box, Ink ink, SceneView& out);
/// Draws the box with this corner and these three sides; thicker and with a border if `highlighted`.
void view_box(const collision::Vec3d& corner, const std::array<collision::Vec3d, 3>& sides, Ink ink,
              bool highlighted, SceneView& out);
/// Draws the same box as if it were solid: edges that its own faces hide from `eye` are faint. `look`: of the
/// other edges; its ends do not matter.
void view_solid_box(const collision::Vec3d& corner, const std::array<collision::Vec3d, 3>& sides,
                    const collision::Vec3d& eye, const ViewLine& look, SceneView& out);
/// Draws the world-aligned box around a body's `local` box.
void view_bounds(const collision::Aabb& local, const collision::Pose& pose, SceneView& out);

}  // namespace claybox::app
