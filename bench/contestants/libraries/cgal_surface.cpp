// CGAL for a deforming surface: normals by compute_face_normal and compute_vertex_normal, smoothing by
// tangential_relaxation of its Polygon Mesh Processing.

#include "bench/contestants/libraries/mesh_contestant.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/compute_normal.h>
#include <CGAL/Polygon_mesh_processing/tangential_relaxation.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <set>

namespace claybox::bench {

using namespace collision;

namespace {

namespace PMP = CGAL::Polygon_mesh_processing;

template <class Kernel>
class CgalSurface final : public SurfaceContestant {
    using Point = typename Kernel::Point_3;
    using Vector = typename Kernel::Vector_3;
    using Mesh = CGAL::Surface_mesh<Point>;
    using Vertex = typename Mesh::Vertex_index;
    using Face = typename Mesh::Face_index;

  public:
    void build(const ShapePtr& shape) override {
        mesh_ = {};
        for (const Vec3f& p : shape->geometry().positions) mesh_.add_vertex(point(p));
        for (const Triangle& t : shape->topology().triangles)
            mesh_.add_face(Vertex(t.vertices[0]), Vertex(t.vertices[1]), Vertex(t.vertices[2]));
        face_normals_ = mesh_.template add_property_map<Face, Vector>("f:normal", Vector(0, 0, 0)).first;
        vertex_normals_ = mesh_.template add_property_map<Vertex, Vector>("v:normal", Vector(0, 0, 0)).first;
        PMP::compute_normals(mesh_, vertex_normals_, face_normals_);
        is_near_.assign(mesh_.number_of_vertices(), 0);
        is_face_near_.assign(mesh_.number_of_faces(), 0);
    }

    void move(std::span<const VertexChange> changes) override {
        moved_.clear();
        for (const VertexChange& c : changes) {
            moved_.push_back(Vertex(c.vertex));
            mesh_.point(moved_.back()) = point(c.position);
        }
    }

    void update_normals() override {
        faces_.clear();
        vertices_.clear();
        for (const Vertex v : moved_) {
            for (const Face f : CGAL::faces_around_target(mesh_.halfedge(v), mesh_)) {
                if (f == Mesh::null_face() || std::exchange(is_face_near_[f], 1)) continue;
                faces_.push_back(f);
                for (const Vertex n : CGAL::vertices_around_face(mesh_.halfedge(f), mesh_))
                    if (!std::exchange(is_near_[n], 1)) vertices_.push_back(n);
            }
        }
        for (const Face f : faces_) {
            face_normals_[f] = PMP::compute_face_normal(f, mesh_);
            is_face_near_[f] = 0;
        }
        const auto known = CGAL::parameters::face_normal_map(face_normals_);
        for (const Vertex v : vertices_) {
            vertex_normals_[v] = PMP::compute_vertex_normal(v, mesh_, known);
            is_near_[v] = 0;
        }
    }

    Vec3d normal(std::uint32_t vertex) const override {
        const Vector& n = vertex_normals_[Vertex(vertex)];
        return {CGAL::to_double(n.x()), CGAL::to_double(n.y()), CGAL::to_double(n.z())};
    }

    void smooth() override {
        before_.clear();
        for (const Vertex v : moved_) before_.push_back(mesh_.point(v));
        PMP::tangential_relaxation(moved_, mesh_, CGAL::parameters::number_of_iterations(1));
    }
    Vec3d position(std::uint32_t vertex) const override {
        const Point& p = mesh_.point(Vertex(vertex));
        return {CGAL::to_double(p.x()), CGAL::to_double(p.y()), CGAL::to_double(p.z())};
    }
    void restore() override {
        for (std::size_t i = 0; i < moved_.size(); ++i) mesh_.point(moved_[i]) = before_[i];
    }

  private:
    static Point point(const Vec3f& p) { return Point(p.x, p.y, p.z); }

    Mesh mesh_;
    typename Mesh::template Property_map<Face, Vector> face_normals_;
    typename Mesh::template Property_map<Vertex, Vector> vertex_normals_;
    std::vector<Vertex> moved_, vertices_;
    std::vector<Face> faces_;
    std::vector<Point> before_;
    std::vector<unsigned char> is_near_, is_face_near_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_surface_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    using Exact = CGAL::Exact_predicates_inexact_constructions_kernel;
    using Plain = CGAL::Simple_cartesian<double>;
    out.surface = {
        {"cgal", "CGAL, exact predicates", false, [] { return std::make_unique<CgalSurface<Exact>>(); }},
        {"cgal_double", "CGAL, plain doubles", false, [] { return std::make_unique<CgalSurface<Plain>>(); }}};
}
