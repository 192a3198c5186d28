#pragma once
// What happens at a pair of box-tree leaves: edges of one against polygons of the other, exact (Zachmann,
// thesis, 3.6.4: "the usual algorithm" with its pre-checks and collect phase).
//
// Where the other body is convex an edge is first clipped by the planes of the leaf's triangles, as in 3.4.1:
// the adaption to convex objects that the thesis' outlook asks for (10.2); how is ours. All of a convex body
// lies behind each of its triangles, so an edge of which nothing is left misses all of them, and else only
// triangles whose plane bounds what is left can be met.

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
    /// Of an exactly convex mesh: the sign of heights over its triangles, as they are listed, outside of it
    /// in the world. 0: not convex, or not to be used.
    int outward = 0;
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
    /// A triangle's plane, and the heights of an edge's ends over it.
    struct HalfSpace {
        Vec3d outward;
        double from = 0, to = 0;
    };
    /// What is left of an edge, by its line parameter, and what heights may be off by.
    struct Stretch {
        double begin = 0, end = 1, bound = 0;
    };
    static constexpr std::size_t kChunk = 32;

    void add(const BoxTreeLeafSide& side, const WorkFrame& frame, std::uint32_t triangle);
    bool edges_against_chunk(std::size_t s, const BoxTreeItems& edges, const Aabb& region);
    bool edge_against_chunk(std::size_t s, const BoxTreeEdge& edge);
    bool clip(const Vec3d& from, const Vec3d& to, Stretch& left);
    static bool bounds(const HalfSpace& face, const Stretch& left);
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
    HalfSpace half_spaces_[kChunk];  ///< of the faces, where the body is convex
};

}  // namespace claybox::collision
