// FCL 0.7 for meshes: trees of oriented boxes with swept spheres (OBBRSS), of oriented boxes alone, and
// OBBRSS from the pair's last front. The request is one contact without geometry, so the traversal stops at
// the first intersecting triangles. The traversal is called as by fcl::collide, without its dispatch table. A
// deforming mesh is refitted, with oriented or axis-aligned boxes.

#include "bench/contestants/libraries/mesh_contestant.hpp"

#include <fcl/math/bv/utility.h>
// must follow: uses declarations that it does not include
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>

namespace claybox::bench {

using namespace collision;

namespace {

using Vector = fcl::Vector3d;
using Transform = fcl::Transform3d;
using ObbRss = fcl::OBBRSS<double>;
using Obb = fcl::OBB<double>;
using Box = fcl::AABB<double>;

Transform to_fcl(const Matrix34f& m) {
    Transform out = Transform::Identity();
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) out(r, c) = m(r, c);
    return out;
}

template <class Bv>
using Model = fcl::BVHModel<Bv>;

template <class Bv>
std::unique_ptr<Model<Bv>> make_model(const TriangleMesh& mesh) {
    std::vector<Vector> points;
    for (const Vec3f& v : mesh.positions) points.emplace_back(v.x, v.y, v.z);
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    auto out = std::make_unique<Model<Bv>>();
    out->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
    out->addSubModel(points, triangles);
    out->endModel();
    return out;
}

template <class Bv>
struct NodeOf;
template <>
struct NodeOf<ObbRss> {
    using type = fcl::detail::MeshCollisionTraversalNodeOBBRSS<double>;
};
template <>
struct NodeOf<Obb> {
    using type = fcl::detail::MeshCollisionTraversalNodeOBB<double>;
};

template <class Bv>
bool intersects(const Model<Bv>& a, const Transform& world_from_a, const Model<Bv>& b,
                const Transform& world_from_b, fcl::detail::BVHFrontList* front) {
    typename NodeOf<Bv>::type node;
    const fcl::CollisionRequest<double> request(1, false);
    fcl::CollisionResult<double> result;
    if (!fcl::detail::initialize(node, a, world_from_a, b, world_from_b, request, result)) return false;
    fcl::detail::collide(&node, front);
    return result.isCollision();
}

template <class Bv, bool kFront>
class FclMesh final : public Contestant {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        models_.clear();
        for (const ShapePtr& shape : shapes) models_.push_back(make_model<Bv>(TriangleMesh(*shape)));
        return true;
    }
    void set_pairs(std::uint32_t count) override { fronts_.assign(count, {}); }
    void reset_pair(const streams::JudgedQuery& q) override { fronts_[q.pair].clear(); }
    void load(std::span<const streams::JudgedQuery> queries) override {
        queries_.clear();
        for (const streams::JudgedQuery& q : queries)
            queries_.push_back({models_[q.shape_a].get(), models_[q.shape_b].get(), to_fcl(q.world_from_a),
                                to_fcl(q.world_from_b), q.pair});
    }
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        for (std::size_t i = first; i < first + count; ++i) {
            const Query& q = queries_[i];
            auto& front = fronts_[q.pair];
            const bool collide =
                intersects(*q.a, q.world_from_a, *q.b, q.world_from_b, kFront ? &front : nullptr);
            // A traversal that stopped early leaves an incomplete front.
            if (kFront && collide) front.clear();
            (out++)->verdict = collide ? Verdict::colliding : Verdict::separated;
        }
    }

  private:
    struct Query {
        const Model<Bv>* a;
        const Model<Bv>* b;
        Transform world_from_a, world_from_b;
        std::uint32_t pair;
    };
    std::vector<std::unique_ptr<Model<Bv>>> models_;
    std::vector<Query> queries_;
    std::vector<fcl::detail::BVHFrontList> fronts_;
};

/// Replaces all vertices, as the interface requires, and refits all boxes bottom-up.
template <class Bv>
class FclRefit : public DeformingContestant {
  public:
    void set_parts(std::span<const ShapePtr> parts) override {
        for (const ShapePtr& part : parts) parts_.push_back(make_model<Bv>(TriangleMesh(*part)));
    }
    void build(const ShapePtr& mesh) override {
        const TriangleMesh triangles(*mesh);
        for (const Vec3f& v : triangles.positions) positions_.emplace_back(v.x, v.y, v.z);
        mesh_ = make_model<Bv>(triangles);
    }
    void load(const streams::DentFrame& frame) override {
        frame_ = &frame;
        for (std::size_t i = 0; i < parts_.size(); ++i) poses_[i] = to_fcl(frame.world_from_part[i]);
    }
    void update() override {
        for (const VertexChange& c : frame_->changes)
            positions_[c.vertex] = {c.position.x, c.position.y, c.position.z};
        mesh_->beginReplaceModel();
        mesh_->replaceSubModel(positions_);
        mesh_->endReplaceModel(true, true);
    }

  protected:
    std::vector<std::unique_ptr<Model<Bv>>> parts_;
    std::vector<Vector> positions_;
    std::unique_ptr<Model<Bv>> mesh_;
    const streams::DentFrame* frame_ = nullptr;
    std::array<Transform, streams::kHandParts> poses_;
};

class RefitOriented final : public FclRefit<ObbRss> {
  public:
    std::uint32_t query() override {
        std::uint32_t out = 0;
        const Transform world_from_mesh = Transform::Identity();
        for (std::size_t i = 0; i < parts_.size(); ++i)
            if (intersects<ObbRss>(*mesh_, world_from_mesh, *parts_[i], poses_[i], nullptr)) out |= 1u << i;
        return out;
    }
};

/// Axis-aligned boxes need a common frame: each part is transformed to the frame of the mesh first.
class RefitBoxes final : public FclRefit<Box> {
  public:
    std::uint32_t query() override {
        std::uint32_t out = 0;
        const fcl::CollisionRequest<double> request(1, false);
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            Model<Box> part(*parts_[i]);
            Transform world_from_mesh = Transform::Identity(), world_from_part = poses_[i];
            fcl::detail::MeshCollisionTraversalNode<Box> node;
            fcl::CollisionResult<double> result;
            if (!fcl::detail::initialize(node, *mesh_, world_from_mesh, part, world_from_part, request,
                                         result, true, true))
                continue;
            fcl::detail::collide(&node, nullptr);
            if (result.isCollision()) out |= 1u << i;
        }
        return out;
    }
};

}  // namespace

}  // namespace claybox::bench

void claybox_mesh_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.entries = {entry<FclMesh<ObbRss, false>>("fcl_obbrss", "FCL, BVHModel of OBBRSS"),
                   entry<FclMesh<Obb, false>>("fcl_obb", "FCL, BVHModel of OBB"),
                   entry<FclMesh<ObbRss, true>>("fcl_front", "FCL, OBBRSS from the pair's last front")};
    out.deforming = {deforming_entry<RefitOriented>("fcl_refit_obbrss", "FCL, refit of OBBRSS"),
                     deforming_entry<RefitBoxes>("fcl_refit_aabb", "FCL, refit of AABB")};
}
