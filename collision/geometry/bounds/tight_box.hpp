#pragma once
// Tight world boxes: boxes of the transformed vertices instead of the transformed local box.

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/geometry/hull/hull.hpp"

#include <array>
#include <vector>

namespace claybox::collision {

/// The extreme vertices of a hull along -x, +x, -y, +y, -z, +z of the world. The next frame's search starts
/// there. Any vertices are valid start values.
using ExtremeVertices = std::array<std::uint32_t, 6>;

/// The world box of a hull, rounded outward. Finds the extreme vertices by six hill climbs that start at the
/// last frame's extremes and compare vertices exactly. Source: Zachmann 1994, section 10.2.
Aabb tight_box(const Matrix34f& world_from_local, const ConvexHull& hull, ExtremeVertices& extremes);

/// The world box of points, rounded outward.
Aabb tight_box(const Matrix34f& world_from_local, std::span<const Vec3f> points);

/// The same box for points that change while their matrix stays. Source: Zachmann, thesis, 8.1, "still pot":
/// world coordinates are restored for changed items only. Ours: they are not stored, only their extent in
/// each run of points.
class StillBox {
  public:
    bool is_placed() const { return !runs_.empty(); }
    void forget() { runs_.clear(); }
    /// Looks at all points.
    Aabb place(const Matrix34f& world_from_local, std::span<const Vec3f> points);
    /// Call for each point that has changed, then restore().
    void mark(std::uint32_t point) { runs_[point / kRun].changed = true; }
    /// Looks at the marked runs. The same bits as place(). The matrix must be the same.
    Aabb restore(const Matrix34f& world_from_local, std::span<const Vec3f> points);
    std::size_t memory_bytes() const { return runs_.capacity() * sizeof(Run); }

  private:
    static constexpr std::size_t kRun = 256;
    /// Per axis of the world: extent of row . p, and the largest sum of the terms' magnitudes.
    struct Extent {
        double low = 0, high = 0, magnitude = 0;
    };
    struct Run {
        std::array<Extent, 3> extent;
        bool changed = true;
    };
    void look_at(const Matrix34f& world_from_local, std::span<const Vec3f> points, Run& run) const;

    std::vector<Run> runs_;
};

}  // namespace claybox::collision
