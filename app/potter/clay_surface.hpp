#pragma once
// The surface of a lump of clay: positions over a fixed topology, with normals, cavity and measures. Only
// changed regions are updated.

#include "app/potter/cell_tree.hpp"
#include "collision/geometry/shape.hpp"

#include <limits>
#include <vector>

namespace claybox::app {

struct ClayMeasures {
    double volume = 0;                         ///< cubic metres
    double height = 0, widest = 0, mouth = 0;  ///< metres; mouth: width at the rim
    std::uint32_t polygons_moved = 0;          ///< polygons that differ from the start shape
};

/// Thread contract: one thread. The vertices and polygons of the start shape are sorted into a grid once. A
/// change costs time proportional to the moved vertices, a local query time proportional to the nearby cells.
/// Sums are recomputed per changed cell, so equal positions give bit-identical measures.
class ClaySurface {
  public:
    explicit ClaySurface(collision::ShapePtr start);

    const collision::ShapePtr& start() const { return start_; }
    const collision::Topology& topology() const { return start_->topology(); }
    const std::vector<collision::Vec3f>& start_positions() const { return start_->geometry().positions; }
    const std::vector<collision::Vec3f>& positions() const { return positions_; }
    /// Unit normal per vertex: the mean of its polygons, weighted by their corners (sum_corners()).
    const std::vector<collision::Vec3f>& normals() const { return normals_; }
    /// Per vertex, from the curvature: 0 in the bottom of a groove .. 1 on a ridge. Frozen clay is below 0,
    /// down to -1, so that the picture shows it.
    const std::vector<float>& cavity() const { return cavity_; }
    /// Version of the last change in each run of kRun vertices.
    static constexpr std::size_t kRun = 64;
    const std::vector<std::uint64_t>& run_versions() const { return run_versions_; }
    std::uint64_t version() const { return version_; }

    /// Twice the area times the outward normal.
    const collision::Vec3f& polygon_area(std::uint32_t polygon) const { return polygon_area_[polygon]; }
    /// Calls `visit(vertex)` for all vertices of the cells that overlap the sphere. The order depends only on
    /// the start shape.
    template <class Visit>
    void visit_near(const collision::Vec3f& centre, float radius, Visit&& visit) const {
        const auto is_near = [&](const CellSum& sum) {
            const collision::Vec3f gap = sum.box.distance_to(centre);
            return !(dot(gap, gap) > radius * radius);
        };
        tree_.visit(is_near, [&](std::uint32_t number) {
            const Cell& cell = cells_[number];
            for (std::uint32_t i = cell.first_vertex; i < cell.end_vertex; ++i) visit(cell_vertices_[i]);
        });
    }

    /// Distance of a segment to the surface, from either side, metres; infinite beyond `reach`.
    double distance(const collision::Vec3d& from, const collision::Vec3d& to, double reach) const;

    /// Moves one vertex. Normals, cavity and measures are out of date until commit().
    void set(std::uint32_t vertex, const collision::Vec3f& p) {
        positions_[vertex] = p;
        tree_.add(cell_of_vertex_[vertex], p);  // visit_near() must find it before the commit
    }
    void commit(std::span<const std::uint32_t> changed_vertices);
    /// Gives the run of a vertex a new version, for data beside the positions.
    void mark_changed(std::uint32_t vertex) {
        cavity_[vertex] = cavity_of(vertex);
        run_versions_[vertex / kRun] = ++version_;
    }
    /// The cavity of frozen clay is below 0: `mask` per vertex, 0 free .. 1 frozen, must outlive the surface.
    void use_mask(const std::vector<float>* mask) { mask_ = mask; }
    /// All runs become newer than `version`, that of a surface which this one replaces.
    void continue_from(std::uint64_t version);
    /// Mean length of the edges of the start shape, metres.
    float mean_edge() const { return mean_edge_; }
    /// Normals that the last commit() computed, each once: of the polygons around changed vertices, and of
    /// the vertices of these polygons.
    struct Work {
        std::size_t polygons = 0, vertices = 0;
    };
    const Work& last_work() const { return work_; }
    ClayMeasures measure() const;

  private:
    struct Cell {
        std::uint32_t first_vertex = 0, end_vertex = 0, first_polygon = 0, end_polygon = 0;
        /// Square of the largest distance from the axis above the height `rim`; NaN before measure().
        mutable float mouth = 0, rim = std::numeric_limits<float>::quiet_NaN();
    };
    /// Sums over the polygons around a vertex that changes.
    struct Around {
        collision::Vec3f normal;  ///< not normalised
        float bend = 0;           ///< see shade_of()
        float edges = 0;
    };
    void make_cells();
    std::uint32_t cell_of_polygon(std::uint32_t polygon) const {
        return cell_of_vertex_[topology().loop(polygon)[0]];
    }
    void mark_polygons_around(std::span<const std::uint32_t> vertices);
    void take_marked_polygons(std::vector<std::uint32_t>& out);
    void update_polygons(std::span<const std::uint32_t> changed_vertices);
    void update_vertices();
    void sum_corners();
    void sum_bends();
    double six_volumes_of(std::uint32_t polygon, const collision::Vec3d& origin) const;
    void bound(std::uint32_t cell);
    void sum(std::uint32_t cell);
    float mouth_of(std::uint32_t cell, float rim) const;
    collision::Vec3f area_of(std::uint32_t polygon) const;
    float shade_of(std::uint32_t vertex, float bend, float edges) const;
    float cavity_of(std::uint32_t vertex) const;

    collision::ShapePtr start_;
    std::vector<collision::Vec3f> positions_, normals_, polygon_area_;
    std::vector<float> cavity_;
    const std::vector<float>* mask_ = nullptr;
    std::vector<std::uint64_t> run_versions_;
    std::uint64_t version_ = 1;
    Work work_;
    float longest_edge_ = 0, mean_edge_ = 0;  ///< of the start shape
    std::vector<Cell> cells_;
    CellTree tree_;
    std::vector<std::uint32_t> cell_vertices_, cell_polygons_;  ///< ordered by cell
    std::vector<std::uint32_t> cell_of_vertex_;
    std::vector<std::uint8_t> vertex_moved_, polygon_moved_;  ///< differs from the start shape
    /// Of the current commit().
    std::vector<std::uint32_t> dirty_polygons_, ring_polygons_, dirty_vertices_, dirty_cells_;
    std::vector<Around> around_;                 ///< of dirty_vertices_
    std::vector<std::uint32_t> dirty_place_;     ///< per vertex: its place in dirty_vertices_ plus 1, or 0
    std::vector<std::uint64_t> polygon_marks_;   ///< one bit per polygon
    std::size_t first_mark_ = 0, end_mark_ = 0;  ///< range of words with marks
    std::vector<std::uint8_t> cell_is_dirty_;
};

}  // namespace claybox::app
