#pragma once
// What happens at a pair of box-tree leaves: edges of one against polygons of the other, exact (Zachmann,
// thesis, 3.6.4: "the usual algorithm" with its pre-checks and collect phase).

#include "collision/core/function_ref.hpp"
#include "collision/exact/edge_triangle.hpp"
#include "collision/parts/box_tree.hpp"
#include "collision/parts/mesh_hits.hpp"

namespace claybox::collision {

struct BoxTreeLeafSide {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_local = nullptr;
    std::span<const BoxTreeEdge> edges;
    bool diagonals = true;  ///< inner diagonals count as edges
};

struct BoxTreeLeafCounts {
    std::uint64_t polygons = 0;  ///< that came through the collect phase
    std::uint64_t tests = 0;     ///< edge against triangle
    std::uint64_t exact = 0;     ///< of these, decided in exact arithmetic
};

class BoxTreeLeafTest {
  public:
    /// `on_hit` returns false to end the search. With `fast`, what double cannot tell from a hit counts as
    /// one.
    BoxTreeLeafTest(const BoxTreeLeafSide& a, const BoxTreeLeafSide& b, bool fast,
                    FunctionRef<bool(const MeshHit&)> on_hit, BoxTreeLeafCounts& counts);

    /// Edges of side s in `edges`, indices of its list, against polygons of the other side. Those whose boxes
    /// miss the region, which is given in their own frame, are left out. False when `on_hit` ended it.
    bool run(std::size_t s, const BoxTreeItems& edges, const Aabb& edge_region, const BoxTreeItems& polygons,
             const Aabb& polygon_region);

    /// Which of its side's list the edge of the last hit is.
    std::uint32_t edge_index() const { return edge_index_; }

  private:
    struct Face {
        Vec3d a, b, c, min, max;
        std::uint32_t triangle;
    };
    static constexpr std::size_t kChunk = 32;

    void add(const BoxTreeLeafSide& side, const WorkFrame& frame, std::uint32_t triangle);
    bool edges_against_chunk(std::size_t s, const BoxTreeItems& edges, const Aabb& region);
    bool edge_against_chunk(std::size_t s, const BoxTreeEdge& edge);
    bool meets(std::size_t s, const BoxTreeEdge& edge, const Face& face, const Vec3d& from, const Vec3d& to);

    BoxTreeLeafSide side_[2];
    WorkFrame frame_[2];
    double error_;
    bool fast_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    BoxTreeLeafCounts& counts_;
    std::uint32_t edge_index_ = kNoIndex;
    std::size_t face_count_ = 0;
    MeshHit hit_;
    Vec3d chunk_min_, chunk_max_;
    Face faces_[kChunk];
};

}  // namespace claybox::collision
