#pragma once
// The difference A - B of two convex bodies as a polyhedron to draw.

#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/shape.hpp"
#include "collision/pairwise/query.hpp"

#include <vector>

namespace claybox::app {

class DifferenceBody {
  public:
    struct Edge {
        collision::Vec3d from, to;
        collision::Vec3d normal[2];  ///< of both faces; outward, of any length
    };

    /// Rebuilds the polyhedron if the bodies or their poses have changed. Without hulls it is empty.
    void update(const collision::PairBody& a, const collision::PairBody& b);
    void clear() { *this = {}; }

    bool empty() const { return corners_.empty(); }
    const std::vector<collision::Vec3d>& corners() const { return corners_; }
    const std::vector<Edge>& edges() const { return edges_; }
    /// The hull of the supports in this many directions, inside the difference; 0: of all vertex differences.
    std::size_t sampled() const { return sampled_; }

  private:
    void build(const collision::PairBody& a, const collision::PairBody& b);

    const void *hull_a_ = nullptr, *hull_b_ = nullptr;
    collision::Matrix34f world_from_a_, world_from_b_;
    std::vector<collision::Vec3d> corners_;
    std::vector<Edge> edges_;
    std::size_t sampled_ = 0;
};

}  // namespace claybox::app
