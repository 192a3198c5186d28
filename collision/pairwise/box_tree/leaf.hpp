#pragma once
// The exact test at a pair of box-tree leaves: edges of one against polygons of the other (Zachmann, thesis,
// 3.6.4: "the usual algorithm" with its pre-checks and collect phase).
//
// If the other body is convex, an edge is first clipped by the planes of the leaf's triangles, as in 3.4.1.
// The thesis' outlook (10.2) proposes an adaptation to convex objects; this method is ours. A convex body
// lies behind each of its triangles. An edge of which nothing is left misses all of them; otherwise only
// triangles whose plane bounds the remaining part can be hit.
//
// Boxes are compared in float, four at once. Corners are computed in double only for an edge and a triangle
// whose boxes overlap.

#include "collision/core/function_ref.hpp"
#include "collision/exact/edge_triangle.hpp"
#include "collision/pairwise/box_tree/tree.hpp"
#include "collision/pairwise/mesh/mesh_hits.hpp"
#include "collision/simd/float4.hpp"

namespace claybox::collision {

struct BoxTreeLeafSide {
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_local = nullptr;
    std::span<const BoxTreeEdge> edges;
    bool diagonals = true;  ///< inner diagonals count as edges
    /// For an exactly convex mesh: the sign of heights over its triangles, as listed, for points outside it
    /// in the world. 0: not convex, or not to be used.
    int outward = 0;
};

struct BoxTreeLeafCounts {
    std::uint64_t polygons = 0;  ///< that passed the collect phase
    std::uint64_t tests = 0;     ///< edge against triangle
    std::uint64_t exact = 0;     ///< of these, decided in exact arithmetic
};

class BoxTreeLeafTest {
  public:
    /// `on_hit` returns false to end the search. With `fast`, cases that double arithmetic cannot decide
    /// count as hits.
    BoxTreeLeafTest(const BoxTreeLeafSide& a, const BoxTreeLeafSide& b, bool fast,
                    FunctionRef<bool(const MeshHit&)> on_hit, BoxTreeLeafCounts& counts);

    /// Tests edges of side s (`edges`: indices of its list) against polygons of the other side. Skips items
    /// whose boxes do not overlap the region, which is in their own frame. False if `on_hit` ended the
    /// search.
    bool run(std::size_t s, const BoxTreeItems& edges, const Aabb& edge_region, const BoxTreeItems& polygons,
             const Aabb& polygon_region);

    /// Index of the last hit's edge in its side's list.
    std::uint32_t edge_index() const { return edge_index_; }

  private:
    /// Corners of a triangle in the work frame.
    struct Corners {
        Vec3d a, b, c;
    };
    /// Ends of an edge in the work frame.
    struct Ends {
        Vec3d from, to;
    };
    /// A triangle's plane, and the heights of an edge's ends over it.
    struct HalfSpace {
        Vec3d outward;
        double from = 0, to = 0;
    };
    /// The remaining part of an edge as a parameter interval, and the error bound of heights.
    struct Stretch {
        double begin = 0, end = 1, bound = 0;
    };
    static constexpr std::size_t kMaxFaces = 32;

    Float4 roughly_at(std::size_t s, std::uint32_t vertex) const;
    Vec3d at(std::size_t s, std::uint32_t vertex) const;
    void add(std::size_t s, std::uint32_t triangle);
    bool test_edges(std::size_t s, const BoxTreeItems& edges, const Aabb& region);
    bool test_edge(std::size_t s, const BoxTreeEdge& edge, std::uint32_t near);
    std::uint32_t faces_near(Float4 low, Float4 high) const;
    const Corners& corners_of(std::size_t s, std::size_t face);
    void make_half_spaces(std::size_t s);
    bool clip(const Ends& edge, Stretch& rest);
    static bool may_touch(const HalfSpace& face, const Stretch& rest);
    bool intersects(std::size_t s, const BoxTreeEdge& edge, const Ends& ends, std::size_t face);

    BoxTreeLeafSide side_[2];
    WorkFrame frame_[2];
    double error_;
    Float4 columns_[2][4];  ///< of the frames, rounded: three axes and the translation
    float slack_;           ///< see roughly_at()
    bool fast_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    BoxTreeLeafCounts& counts_;
    std::uint32_t edge_index_ = kNoIndex;
    MeshHit hit_;

    // The collected triangles.
    std::size_t face_count_ = 0;
    std::uint32_t triangles_[kMaxFaces];
    alignas(16) float low_[3][kMaxFaces] = {}, high_[3][kMaxFaces] = {};  ///< their boxes, grown by slack_
    Float4 all_low_{}, all_high_{};                                       ///< the box around all of these
    std::uint32_t known_ = 0;                                             ///< bit i: corners_[i] is computed
    Corners corners_[kMaxFaces];
    HalfSpace half_spaces_[kMaxFaces];  ///< if the body is convex
    Vec3d faces_min_, faces_max_;       ///< box of the corners, if the body is convex
};

}  // namespace claybox::collision
