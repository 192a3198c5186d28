#pragma once
/// \file
/// Shapes: immutable meshes that bodies share, with all data that the collision algorithms need.

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/geometry/classification.hpp"
#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/polyhedron.hpp"

#include <memory>
#include <string>

namespace claybox::collision {

/// Number of consecutive polygons that share one box in Geometry::run_boxes.
inline constexpr std::uint32_t kBoxRun = 64;

/// Vertex positions over a topology, and data derived from them. Body frame, metres. Create it with
/// make_geometry() and change it with deform() only.
struct Geometry {
    /// A hash of topology, positions and the shape's hull. Equal geometries have equal hashes, whoever owns
    /// them and whenever they were created. Caches use it: a cached result is valid only for geometries with
    /// the same hash.
    std::uint64_t content = 0;
    std::shared_ptr<const Topology> topology;  ///< shared with the shape and all its copies
    std::vector<Vec3f> positions;              ///< one per vertex
    std::vector<Aabb> polygon_boxes;           ///< one per polygon
    std::vector<Aabb> run_boxes;  ///< one box per kBoxRun consecutive polygons, to skip whole runs
    std::vector<std::uint64_t>
        marks;                  ///< scratch memory of deform(): one bit per polygon, zero between calls
    Aabb box;                   ///< bounds all positions
    std::uint64_t version = 0;  ///< number of deformations
};

/// The unit normal of a polygon, by Newell's method, outward for counter-clockwise polygons; zero if the
/// polygon has no area. It is computed by each call: few callers need it, and a deformation would have to
/// update it.
Vec3f polygon_normal(const Geometry& geometry, std::uint32_t polygon);

/// The new position of one vertex in a deformation, in the body frame, metres.
struct VertexChange {
    std::uint32_t vertex;  ///< index into Geometry::positions
    Vec3f position;        ///< where the vertex is afterwards
};

/// Computes the boxes and content hash of a polyhedron.
Geometry make_geometry(Polyhedron polyhedron);
/// The memory of its arrays, without the topology that copies share.
std::size_t memory_bytes(const Geometry& geometry);

/// Moves vertices. Updates the boxes of the polygons around them, the version and the content
/// hash. `touched` receives the changed polygons, sorted, without duplicates. Errors: a vertex index out of
/// range, or a coordinate that is not finite or larger than kMaxMagnitude; then nothing changes.
Status deform(Geometry& geometry, std::span<const VertexChange> changes, std::vector<std::uint32_t>& touched);

/// An immutable polyhedron with all data that the algorithms need. Bodies and threads share it through a
/// ShapePtr.
class Shape {
  public:
    /// A shape from any polygons. If they classify as convex, the shape also has a hull. Errors: no
    /// polygons, and those of build_polyhedron.
    static Result<std::shared_ptr<const Shape>> from_polygons(const PolygonList& polygons,
                                                              std::string name = {});
    /// The convex hull of points. Each face is one polygon; coplanar facets are merged. A point or a
    /// segment has one polygon without area, which repeats a vertex. Errors: see convex_hull.
    static Result<std::shared_ptr<const Shape>> from_hull(std::span<const Vec3f> points,
                                                          std::string name = {});

    /// The name given at creation, for lists and messages.
    const std::string& name() const { return name_; }
    /// How vertices, edges and polygons are connected.
    const Topology& topology() const { return *geometry_.topology; }
    /// The vertices as they were given, with the data derived from them.
    const Geometry& geometry() const { return geometry_; }
    /// Of the defects only the first kMaxKeptDefects; classify() lists all. Almost every quadrangle of a
    /// round mesh is a little bent, and a large mesh would keep a list of millions.
    const Classification& classification() const { return classification_; }
    /// The most defects that a shape keeps.
    static constexpr std::size_t kMaxKeptDefects = 1000;
    /// The hull, or null if the shape is not convex. Flat hulls, segments and points count as convex.
    const ConvexHull* hull() const { return hull_.get(); }
    /// A bounding sphere in the body frame.
    const Sphere& sphere() const { return sphere_; }
    /// Memory of the shape with its geometry, topology and hull, without data prepared by algorithms.
    std::size_t memory_bytes() const;

  private:
    Shape() = default;
    void set_classification(Classification classification);
    void set_hull(ConvexHull hull);

    // First members: every query reads them.
    std::unique_ptr<const ConvexHull> hull_;
    Geometry geometry_;
    std::string name_;
    Classification classification_;
    Sphere sphere_;
};

/// How programs hold shapes: shared, never changed.
using ShapePtr = std::shared_ptr<const Shape>;

}  // namespace claybox::collision
