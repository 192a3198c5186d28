#pragma once
// The test of two leaves. Float arithmetic finds the triangle pairs that may intersect; the exact test of
// edges against triangles decides them.

#include "collision/exact/edge_triangle.hpp"
#include "collision/pairwise/mesh_bvh/search.hpp"

namespace claybox::collision {

/// Bit 4 i + j: triangle i of Y's leaf may intersect triangle j of X's leaf. Never misses an intersecting
/// pair.
unsigned triangles_may_intersect(const PlacedBvh& x, const BvhRelation& x_from_y, std::uint32_t ref_x,
                                 const PlacedBvh& y, std::uint32_t ref_y);

/// The exact test of the sides of two triangles; the same arithmetic as find_mesh_hits().
class BvhLeafTest {
  public:
    BvhLeafTest(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts);
    /// Takes triangle indices of the topologies. False if no more hits are wanted.
    bool run(std::uint32_t triangle_a, std::uint32_t triangle_b);
    /// Tests the remembered edge and triangle only. True if they intersect again and no more hits are wanted.
    bool still_hits(const BvhMemory& memory);
    /// After run() returned false: stores the hit.
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
    bool intersects(const Mesh& mesh, const Mesh& other, std::uint32_t triangle, double& where);

    const BvhSearch& search_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    BvhCounts& counts_;
    Mesh a_, b_;
    MeshHit hit_;
    Vec3d from_, to_;
};

}  // namespace claybox::collision
