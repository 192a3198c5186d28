// Bullet 3 for meshes, without margins. Rigid meshes: GImpact's trees of quantized boxes list the pairs of
// triangles with overlapping boxes; its triangle test then runs up to the first intersecting pair. Deforming
// mesh: btBvhTriangleMeshShape with partial refit; portal refinement tests the triangles in the box of a
// convex part up to the first collision.

#include "bench/contestants/libraries/mesh_contestant.hpp"
#include "bench/contestants/libraries/to_bullet.hpp"

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletCollision/NarrowPhaseCollision/btMprPenetration.h>

namespace claybox::bench {

using namespace collision;

namespace {

/// Vertices and indices, which Bullet references without copying.
struct Indexed {
    TriangleMesh mesh;
    std::unique_ptr<btTriangleIndexVertexArray> array;

    explicit Indexed(const Shape& shape) : mesh(shape) {
        btIndexedMesh part;
        part.m_numTriangles = static_cast<int>(mesh.triangles.size());
        part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(mesh.triangles.data());
        part.m_triangleIndexStride = 3 * sizeof(std::uint32_t);
        part.m_numVertices = static_cast<int>(mesh.positions.size());
        part.m_vertexBase = reinterpret_cast<const unsigned char*>(mesh.positions.data());
        part.m_vertexStride = sizeof(Vec3f);
        array = std::make_unique<btTriangleIndexVertexArray>();
        array->addIndexedMesh(part, PHY_INTEGER);
    }
};

struct GImpactQuery {
    const btGImpactMeshShapePart* a;
    const btGImpactMeshShapePart* b;
    btTransform world_from_a, world_from_b;
};

class GImpact final : public StatelessContestant<GImpactQuery> {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        meshes_.clear();
        shapes_.clear();
        for (const ShapePtr& shape : shapes) {
            meshes_.push_back(std::make_unique<Indexed>(*shape));
            shapes_.push_back(std::make_unique<btGImpactMeshShape>(meshes_.back()->array.get()));
            shapes_.back()->setMargin(0);
            shapes_.back()->updateBound();
        }
        return true;
    }

  private:
    GImpactQuery convert(const streams::JudgedQuery& q) const override {
        return {shapes_[q.shape_a]->getMeshPart(0), shapes_[q.shape_b]->getMeshPart(0),
                to_bullet(q.world_from_a), to_bullet(q.world_from_b)};
    }
    bool intersects(const GImpactQuery& q) override {
        pairs_.resizeNoInitialize(0);
        btGImpactBoxSet::find_collision(q.a->getBoxSet(), q.world_from_a, q.b->getBoxSet(), q.world_from_b,
                                        pairs_);
        if (pairs_.size() == 0) return false;
        q.a->lockChildShapes();
        q.b->lockChildShapes();
        bool found = false;
        for (int i = 0; i < pairs_.size() && !found; ++i) found = triangles_intersect(q, pairs_[i]);
        q.a->unlockChildShapes();
        q.b->unlockChildShapes();
        return found;
    }

    /// The same test as in GImpact's collision algorithm.
    static bool triangles_intersect(const GImpactQuery& q, const GIM_PAIR& pair) {
        btPrimitiveTriangle a, b;
        q.a->getPrimitiveTriangle(pair.m_index1, a);
        q.b->getPrimitiveTriangle(pair.m_index2, b);
        a.applyTransform(q.world_from_a);
        b.applyTransform(q.world_from_b);
        a.buildTriPlane();
        b.buildTriPlane();
        if (!a.overlap_test_conservative(b)) return false;
        GIM_TRIANGLE_CONTACT contact;
        return a.find_triangle_collision_clip_method(b, contact);
    }

    std::vector<std::unique_ptr<Indexed>> meshes_;
    std::vector<std::unique_ptr<btGImpactMeshShape>> shapes_;
    btPairSet pairs_;
};

/// A body in the form that Bullet's portal refinement requires: a part of the hand, or a world triangle.
struct Placed {
    const btConvexHullShape* hull = nullptr;
    btTransform world_from_body = btTransform::getIdentity();
    btVector3 corners[3], inside{0, 0, 0};

    btVector3 getLocalSupportWithMargin(const btVector3& d) const { return getLocalSupportWithoutMargin(d); }
    btVector3 getLocalSupportWithoutMargin(const btVector3& d) const {
        if (hull != nullptr) return hull->btConvexHullShape::localGetSupportingVertexWithoutMargin(d);
        const btVector3 along(d.dot(corners[0]), d.dot(corners[1]), d.dot(corners[2]));
        return corners[along.maxAxis()];
    }
    btVector3 getObjectCenterInWorld() const { return world_from_body * inside; }
    const btTransform& getWorldTransform() const { return world_from_body; }
    btScalar getMargin() const { return 0; }
};

/// Tests triangles against a part until one collides.
class PartTest final : public btTriangleCallback {
  public:
    PartTest(const btConvexHullShape& part, const btTransform& world_from_part) {
        part_.hull = &part;
        part_.world_from_body = world_from_part;
    }
    void processTriangle(btVector3* corners, int, int) override {
        if (found) return;
        for (int i = 0; i < 3; ++i) triangle_.corners[i] = corners[i];
        triangle_.inside = (corners[0] + corners[1] + corners[2]) / 3;
        const btMprCollisionDescription settings;
        btMprSimplex_t portal;
        const int state = btDiscoverPortal(part_, triangle_, settings, &portal);
        found = state > 0 || (state == 0 && btRefinePortal(part_, triangle_, settings, &portal) == 0);
    }
    bool found = false;

  private:
    Placed part_, triangle_;
};

class PartialRefit final : public DeformingContestant {
  public:
    void set_parts(std::span<const ShapePtr> parts) override {
        for (const ShapePtr& part : parts) {
            auto hull = std::make_unique<btConvexHullShape>();
            for (const Vec3f& v : part->geometry().positions) hull->addPoint(to_bullet(v), false);
            hull->setMargin(0);
            hull->recalcLocalAabb();
            parts_.push_back(std::move(hull));
        }
    }
    void build(const ShapePtr& mesh) override {
        mesh_ = std::make_unique<Indexed>(*mesh);
        shape_ = std::make_unique<btBvhTriangleMeshShape>(mesh_->array.get(), true);
        shape_->setMargin(0);
    }
    void load(const streams::DentFrame& frame) override {
        frame_ = &frame;
        for (std::size_t i = 0; i < parts_.size(); ++i) poses_[i] = to_bullet(frame.world_from_part[i]);
    }
    void update() override {
        btVector3 low(BT_LARGE_FLOAT, BT_LARGE_FLOAT, BT_LARGE_FLOAT), high = -low;
        for (const VertexChange& c : frame_->changes) {
            for (const Vec3f& v : {mesh_->mesh.positions[c.vertex], c.position}) {
                low.setMin(to_bullet(v));
                high.setMax(to_bullet(v));
            }
            mesh_->mesh.positions[c.vertex] = c.position;
        }
        shape_->partialRefitTree(low, high);
    }
    std::uint32_t query() override {
        std::uint32_t out = 0;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            btVector3 low, high;
            parts_[i]->getAabb(poses_[i], low, high);
            PartTest test(*parts_[i], poses_[i]);
            shape_->processAllTriangles(&test, low, high);
            if (test.found) out |= 1u << i;
        }
        return out;
    }

  private:
    std::vector<std::unique_ptr<btConvexHullShape>> parts_;
    std::unique_ptr<Indexed> mesh_;
    std::unique_ptr<btBvhTriangleMeshShape> shape_;
    std::array<btTransform, streams::kHandParts> poses_;
    const streams::DentFrame* frame_ = nullptr;
};

}  // namespace

}  // namespace claybox::bench

void claybox_mesh_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.entries = {entry<GImpact>("bullet_gimpact", "Bullet, GImpact")};
    out.deforming = {deforming_entry<PartialRefit>("bullet_partial_refit",
                                                   "Bullet, btBvhTriangleMeshShape refitted in part")};
}
