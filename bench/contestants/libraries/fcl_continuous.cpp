// FCL 0.7 as a contestant for continuous collision: conservative advancement with its screw motion, for
// convex bodies and for meshes, and for meshes its naive test at a number of steps.

#include "bench/contestants/libraries/comparison_module.hpp"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/continuous_collision.h>

namespace claybox::bench {

using namespace collision;

namespace {

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

/// Its screw motion needs a rotation, so the rounding of the matrix is removed.
fcl::Transform3d to_fcl(const Matrix34f& m) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) out(r, c) = m(r, c);
    out.linear() = fcl::Quaterniond(out.linear()).normalized().toRotationMatrix();
    return out;
}

std::shared_ptr<fcl::CollisionGeometryd> make_hull(const ConvexHull& hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const Vec3f p = hull.vertex(v);
        vertices->emplace_back(p.x, p.y, p.z);
    }
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t p = 0; p < hull.faces.polygon_count(); ++p) {
        const auto polygon = hull.faces.polygon(p);
        faces->push_back(static_cast<int>(polygon.size()));
        for (const std::uint32_t v : polygon) faces->push_back(static_cast<int>(v));
    }
    return std::make_shared<fcl::Convex<double>>(vertices, static_cast<int>(hull.faces.polygon_count()),
                                                 faces);
}

std::shared_ptr<fcl::CollisionGeometryd> make_mesh(const Shape& shape) {
    std::vector<fcl::Vector3d> vertices;
    for (const Vec3f& p : shape.geometry().positions) vertices.emplace_back(p.x, p.y, p.z);
    std::vector<fcl::Triangle> triangles;
    for (const Triangle& t : shape.topology().triangles)
        triangles.emplace_back(t.vertices[0], t.vertices[1], t.vertices[2]);
    auto model = std::make_shared<Model>();
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

/// `kMesh`: bodies are BVH models; else convex shapes. `kSteps`: of the naive test; 0: conservative
/// advancement.
template <bool kMesh, int kSteps>
class FclContinuous final : public ContinuousContestant {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        for (const ShapePtr& shape : shapes) {
            if (!kMesh && (shape->hull() == nullptr || shape->hull()->dimension < 3)) return false;
            if (kMesh && shape->topology().triangles.empty()) return false;
            bodies_.push_back(kMesh ? make_mesh(*shape) : make_hull(*shape->hull()));
            bodies_.back()->computeLocalAABB();
        }
        return true;
    }
    bool load(std::span<const MovingQuery> queries) override {
        for (const MovingQuery& q : queries)
            queries_.push_back({bodies_[q.shape_a].get(), bodies_[q.shape_b].get(), to_fcl(q.world_from_a),
                                to_fcl(q.world_from_b), to_fcl(q.world_from_b_end),
                                q.motion_b.kind == Motion::Kind::screw ? fcl::CCDM_SCREW : fcl::CCDM_TRANS});
        return true;
    }
    MovingAnswer answer(std::size_t i) override {
        const Query& q = queries_[i];
        const auto solver = kSteps > 0 ? fcl::CCDC_NAIVE : fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
        const fcl::ContinuousCollisionRequestd request(kSteps > 0 ? kSteps : 10, 1e-4, q.motion,
                                                       fcl::GST_LIBCCD, solver);
        fcl::ContinuousCollisionResultd result;
        fcl::continuousCollide(q.a, q.from_a, q.from_a, q.b, q.from_b, q.to_b, request, result);
        return {result.is_collide, result.is_collide ? result.time_of_contact : 1};
    }

  private:
    struct Query {
        const fcl::CollisionGeometryd *a, *b;
        fcl::Transform3d from_a, from_b, to_b;
        fcl::CCDMotionType motion;  ///< its screw motion fails without a rotation
    };
    std::vector<std::shared_ptr<fcl::CollisionGeometryd>> bodies_;
    std::vector<Query> queries_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_continuous_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.continuous = {
        continuous_entry<FclContinuous<false, 0>>("fcl_advance",
                                                  "FCL, conservative advancement of convex bodies"),
        continuous_entry<FclContinuous<true, 0>>("fcl_advance_mesh",
                                                 "FCL, conservative advancement of meshes"),
        continuous_entry<FclContinuous<true, 100>>("fcl_naive", "FCL, meshes tested at 100 steps")};
}
