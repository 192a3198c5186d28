#pragma once

#include "collision/geometry/bounds.hpp"
#include "collision/geometry/classification.hpp"
#include "collision/geometry/hull.hpp"
#include "collision/geometry/polyhedron.hpp"

#include <memory>
#include <string>

namespace claybox::collision {

inline constexpr std::uint32_t kBoxRun = 64;  ///< polygons that share a box and a word of marks

/// Vertex positions over a topology with what follows from them, in the body's own frame, metres. Only
/// deform() may change one that make_geometry() made.
struct Geometry {
    /// Tells geometries apart, whoever owns them and in whatever order they are made: a hash of topology,
    /// positions and the shape's hull. What is remembered of one must not be used for another. Every query
    /// reads it.
    std::uint64_t content = 0;
    std::shared_ptr<const Topology> topology;
    std::vector<Vec3f> positions;
    std::vector<Vec3f> polygon_normals;  ///< Newell normals, unit length, zero for degenerate polygons
    std::vector<Aabb> polygon_boxes;
    std::vector<Aabb> run_boxes;       ///< of kBoxRun polygons each, in order: whole runs are passed over
    std::vector<std::uint64_t> marks;  ///< one bit a polygon, for deform(); all zero between its calls
    Aabb box;                          ///< of all positions
    std::uint64_t version = 0;         ///< how often it was deformed
};

/// One vertex that a deformation moves, in the body's own frame.
struct VertexChange {
    std::uint32_t vertex;
    Vec3f position;
};

Geometry make_geometry(Polyhedron polyhedron);
/// Of its arrays, without the topology, which copies share.
std::size_t memory_bytes(const Geometry& geometry);

/// Moves vertices and follows with normals and boxes of the polygons around them only; counts the version up
/// and follows with the content. Refuses indices out of range and numbers that are not finite or too large;
/// then nothing has changed. `touched` receives the polygons that changed, sorted, without duplicates.
Status deform(Geometry& geometry, std::span<const VertexChange> changes, std::vector<std::uint32_t>& touched);

/// An immutable polyhedron with what every algorithm needs of it; shared by bodies and threads.
class Shape {
  public:
    /// Any polygons. A hull is made as well when they classify as convex.
    static Result<std::shared_ptr<const Shape>> from_polygons(const PolygonList& polygons,
                                                              std::string name = {});
    /// The convex hull of points, its faces as polygons (coplanar facets merged into one polygon).
    static Result<std::shared_ptr<const Shape>> from_hull(std::span<const Vec3f> points,
                                                          std::string name = {});

    const std::string& name() const { return name_; }
    const Topology& topology() const { return *geometry_.topology; }
    const Geometry& geometry() const { return geometry_; }
    const Classification& classification() const { return classification_; }
    /// Not null exactly when the shape is convex (flat hulls included).
    const ConvexHull* hull() const { return hull_.get(); }
    const Sphere& sphere() const { return sphere_; }
    std::size_t memory_bytes() const;

  private:
    Shape() = default;
    void take_hull(ConvexHull hull);

    // What every query reads first.
    std::unique_ptr<const ConvexHull> hull_;
    Geometry geometry_;
    std::string name_;
    Classification classification_;
    Sphere sphere_;
};

using ShapePtr = std::shared_ptr<const Shape>;

}  // namespace claybox::collision
