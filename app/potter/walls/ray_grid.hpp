#pragma once
// Rays through the polygons of a deforming body: a hashed grid that is updated polygon by polygon.

#include "collision/geometry/polyhedron.hpp"

#include <array>
#include <vector>

namespace claybox::app {

/// The cells of a grid that a box covers, both ends included.
struct CellBox {
    std::array<std::int16_t, 3> low{}, high{};
    friend bool operator==(const CellBox&, const CellBox&) = default;
};

/// Where a ray leaves the body.
struct WayOut {
    double distance = 0;       ///< the reach of the ray if it does not leave before
    collision::Vec3d outward;  ///< unit normal of the polygon; zero if it does not leave
    bool is_found() const { return outward != collision::Vec3d{}; }
};

/// Keeps references to topology and positions. Thread contract: one thread. The answer to a ray does not
/// depend on the order of the updates.
class RayGrid {
  public:
    RayGrid(const collision::Topology& topology, const std::vector<collision::Vec3f>& positions);

    /// The same body from now on, with equal values at another place.
    void use(const collision::Topology& topology, const std::vector<collision::Vec3f>& positions) {
        topology_ = &topology;
        positions_ = &positions;
    }
    /// Sorts in a polygon whose vertices have moved.
    void update(std::uint32_t polygon);
    /// Cells of the polygon after its last update(). Empty (low above high) for one that is large for the
    /// grid.
    const CellBox& cells(std::uint32_t polygon) const { return cells_[polygon]; }
    double cell_size() const { return cell_; }

    /// The first polygon through which the ray leaves the body, at most at `reach`. Polygons around the
    /// vertex `start` do not count; kNoIndex: all count. `along` has unit length.
    WayOut way_out(const collision::Vec3d& from, const collision::Vec3d& along, double reach,
                   std::uint32_t start) const;

  private:
    struct Entry {
        std::uint32_t polygon, next;
    };
    CellBox box_of(std::uint32_t polygon) const;
    std::uint32_t& head(int x, int y, int z);
    void insert(std::uint32_t polygon);
    void remove(std::uint32_t polygon);
    void add_entry(std::uint32_t& head, std::uint32_t polygon);
    void remove_entry(std::uint32_t& head, std::uint32_t polygon);
    /// The nearest polygon so far; of several at the same distance, the one with the lowest number.
    struct Nearest {
        double distance;
        std::uint32_t polygon = collision::kNoIndex;
        collision::Vec3d normal;  ///< of any length
    };
    void leave(std::uint32_t polygon, const collision::Vec3d& from, const collision::Vec3d& along,
               std::uint32_t start, Nearest& best) const;
    bool touches(std::uint32_t polygon, std::uint32_t vertex) const;

    const collision::Topology* topology_;
    const std::vector<collision::Vec3f>* positions_;
    double cell_ = 0.001;  ///< metres
    std::vector<CellBox> cells_;
    std::vector<std::uint32_t> heads_;  ///< first entry of each hash value
    std::vector<Entry> entries_;
    std::uint32_t free_;                ///< first unused entry
    std::vector<std::uint32_t> large_;  ///< polygons that every ray tests
};

}  // namespace claybox::app
