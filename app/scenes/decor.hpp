#pragma once
// Meshes that only decorate, and the store that keeps a scene's meshes for the view.

#include "app/scenes/view.hpp"

#include <deque>

namespace claybox::app {

/// An axis-aligned box about `centre`.
collision::PolygonList box_mesh(const collision::Vec3f& half, const collision::Vec3f& centre = {});
/// A box with rounded edges of `radius` < every half extent, `steps` polygons from a face's border to the
/// edge's middle.
collision::PolygonList rounded_box_mesh(const collision::Vec3f& half, float radius, int steps);
/// A flat disc at y = 0 that faces up.
collision::PolygonList disc_mesh(float radius, int sides);
/// One rectangle in the plane z = 0 that faces +Z.
collision::PolygonList rectangle_mesh(float half_x, float half_y);

/// Owns meshes under ids that count from `first_id`; addresses stay valid while the store lives.
class MeshStore {
  public:
    explicit MeshStore(std::uint64_t first_id = 1) : next_id_(first_id) {}

    /// `polygons` must be a valid mesh (they are our own).
    std::uint64_t add(const collision::PolygonList& polygons, bool smooth = false);
    /// The geometry of a shape, kept alive with the store.
    std::uint64_t add(const collision::ShapePtr& shape, bool smooth = false);
    /// Another shape under an id that add() of a shape gave.
    void replace(std::uint64_t id, const collision::ShapePtr& shape);
    void append_to(std::vector<ViewMesh>& out) const;
    void clear() { entries_.clear(); }

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

/// A drawable that is only decoration: not outlined, not picked.
Drawable decoration(std::uint64_t mesh, Material material, const collision::Vec3d& at = {},
                    const collision::Quat& rotation = {});
/// The same for floors, boards and glass, which cast no shadow.
Drawable shadowless(std::uint64_t mesh, Material material, const collision::Vec3d& at = {},
                    const collision::Quat& rotation = {});

/// The twelve edges of a box as lines.
void view_box(const collision::Aabb& box, Ink ink, SceneView& out);
/// The same of a box with a corner and three sides from there; one that stands out is thicker.
void view_box(const collision::Vec3d& corner, const std::array<collision::Vec3d, 3>& sides, Ink ink,
              bool stands_out, SceneView& out);
/// The bounds of a body: the box along the world's axes around its own, `local`.
void view_bounds(const collision::Aabb& local, const collision::Pose& pose, SceneView& out);

}  // namespace claybox::app
