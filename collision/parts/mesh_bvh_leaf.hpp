#pragma once
// Two leaves of two trees: which of their triangles may meet, decided in float, and whether they do, decided
// by the exact test of edges against triangles.

#include "collision/exact/edge_triangle.hpp"
#include "collision/parts/mesh_bvh_search.hpp"

namespace claybox::collision {

/// Bit 4 i + j: triangle i of Y's leaf may meet triangle j of X's. No bit is missing.
unsigned triangles_may_meet(const PlacedBvh& x, const BvhRelation& x_from_y, std::uint32_t ref_x,
                            const PlacedBvh& y, std::uint32_t ref_y);

/// The exact test of the sides of two triangles; the same arithmetic as find_mesh_hits().
class BvhLeafTest {
  public:
    BvhLeafTest(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts);
    /// Triangles of the topologies. False when no more hits are wanted.
    bool run(std::uint32_t triangle_a, std::uint32_t triangle_b);
    /// Only what met then: whether it does again, and no more hits are wanted.
    bool meets_again(const BvhMemory& memory);
    /// After run() returned false: what met.
    void remember(BvhMemory& memory) const;

  private:
    struct Mesh {
        const Geometry* geometry;
        const Topology* topology;
        const MeshBvh* tree;
        const Matrix34f* world_from_local;
        WorkFrame frame;
        Vec3d at(std::uint32_t vertex) const {
            return transform_point(frame.work_from_local, geometry->positions[vertex]);
        }
    };
    static Mesh mesh_of(const PlacedBvh& placed, const Vec3f& origin_w);
    bool sides(const Mesh& mesh, std::uint32_t triangle, const Mesh& other, std::uint32_t other_triangle);
    bool side(const Mesh& mesh, const Triangle& t, std::uint32_t k, const Mesh& other,
              std::uint32_t triangle);
    bool report(std::uint32_t edge, const Mesh& other, std::uint32_t triangle, double where);
    bool meets(const Mesh& mesh, const Mesh& other, std::uint32_t triangle, double& where);

    const BvhSearch& search_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    BvhCounts& counts_;
    Mesh a_, b_;
    MeshHit hit_;
    Vec3d from_, to_;
};

}  // namespace claybox::collision
