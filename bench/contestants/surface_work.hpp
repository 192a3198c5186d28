#pragma once
// Contestants that keep the normals of a deforming mesh up to date, and smooth a region of it.

#include "collision/geometry/shape.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::bench {

class SurfaceContestant {
  public:
    virtual ~SurfaceContestant() = default;
    /// Builds its mesh from a shape of triangles. Timed.
    virtual void build(const collision::ShapePtr& mesh) = 0;
    /// Moves vertices. Not timed.
    virtual void move(std::span<const collision::VertexChange> changes) = 0;
    /// Computes the normals of the triangles around the moved vertices, and of the corners of these
    /// triangles. Timed.
    virtual void update_normals() = 0;
    /// The newest unit normal of a vertex.
    virtual collision::Vec3d normal(std::uint32_t vertex) const = 0;
    /// One round of tangential relaxation of the moved vertices: each goes towards the mean of its neighbours
    /// within the tangent plane. Timed.
    virtual void smooth() = 0;
    /// Where a vertex is after smooth().
    virtual collision::Vec3d position(std::uint32_t vertex) const = 0;
    /// Takes smooth() back. Not timed.
    virtual void restore() = 0;
};

struct SurfaceEntry {
    std::string id, title;
    bool ours = false;
    std::function<std::unique_ptr<SurfaceContestant>()> make;
};

}  // namespace claybox::bench
