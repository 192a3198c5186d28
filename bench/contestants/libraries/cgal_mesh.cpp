// CGAL for meshes: its AABB trees in Rigid_triangle_mesh_collision_detection, which stops at the first
// intersecting triangles. Two kernels: exact predicates, and plain doubles. Both transform points in double,
// so neither is exact for rotated bodies.

#include "bench/contestants/libraries/mesh_contestant.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>

namespace claybox::bench {

using namespace collision;

namespace {

template <class Kernel>
struct CgalQuery {
    std::size_t a, b;
    CGAL::Aff_transformation_3<Kernel> world_from_a, world_from_b;
};

template <class Kernel>
class CgalTrees final : public StatelessContestant<CgalQuery<Kernel>> {
    using Point = typename Kernel::Point_3;
    using Mesh = CGAL::Surface_mesh<Point>;
    using Transformation = CGAL::Aff_transformation_3<Kernel>;

  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        meshes_.clear();
        trees_ = {};
        // Two trees per mesh, because a query may test a mesh against itself.
        for (const ShapePtr& shape : shapes) meshes_.push_back(std::make_unique<Mesh>(make_mesh(*shape)));
        for (const auto& mesh : meshes_)
            for (int copy = 0; copy < 2; ++copy)
                trees_.add_mesh(*mesh, CGAL::parameters::apply_per_connected_component(false));
        return true;
    }

  private:
    CgalQuery<Kernel> convert(const streams::JudgedQuery& q) const override {
        return {2 * q.shape_a, 2 * q.shape_b + 1, to_cgal(q.world_from_a), to_cgal(q.world_from_b)};
    }
    bool intersects(const CgalQuery<Kernel>& q) override {
        trees_.set_transformation(q.a, q.world_from_a);
        trees_.set_transformation(q.b, q.world_from_b);
        const std::array<std::size_t, 1> other{q.b};
        return !trees_.get_all_intersections(q.a, other).empty();
    }

    static Transformation to_cgal(const Matrix34f& m) {
        const auto at = [&](int r, int c) { return static_cast<double>(m(r, c)); };
        return {at(0, 0), at(0, 1), at(0, 2), at(0, 3), at(1, 0), at(1, 1),
                at(1, 2), at(1, 3), at(2, 0), at(2, 1), at(2, 2), at(2, 3)};
    }

    static Mesh make_mesh(const Shape& shape) {
        const TriangleMesh from(shape);
        Mesh out;
        std::vector<typename Mesh::Vertex_index> at;
        const auto add = [&](std::uint32_t v) {
            const Vec3d p = cast<double>(from.positions[v]);
            return out.add_vertex(Point(p.x, p.y, p.z));
        };
        for (std::uint32_t v = 0; v < from.positions.size(); ++v) at.push_back(add(v));
        for (const auto& t : from.triangles) {
            const bool flat = t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
            if (!flat && out.add_face(at[t[0]], at[t[1]], at[t[2]]) != Mesh::null_face()) continue;
            // Not manifold here: the triangle gets vertices of its own.
            out.add_face(add(t[0]), add(t[1]), add(t[2]));
        }
        return out;
    }

    std::vector<std::unique_ptr<Mesh>> meshes_;
    CGAL::Rigid_triangle_mesh_collision_detection<Mesh> trees_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_mesh_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.entries = {entry<CgalTrees<CGAL::Exact_predicates_inexact_constructions_kernel>>(
                       "cgal_aabb", "CGAL, AABB trees with exact predicates"),
                   entry<CgalTrees<CGAL::Simple_cartesian<double>>>("cgal_aabb_double",
                                                                    "CGAL, AABB trees in plain doubles")};
}
