// Bullet 3 as a contestant for boolean queries, through the library's own templates:
// - portal refinement, without the contact that it would compute afterwards;
// - GJK from the pair's last axis, which stops at the first separating axis;
// - the GJK of Bullet's other solver, which continues to the distance. (The compiled btGjkPairDetector
// ignores
//   the axis that it is given.)
// Support points come from the library's own search over all vertices.

#include "bench/contestants/libraries/comparison_module.hpp"
#include "bench/contestants/libraries/to_bullet.hpp"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btComputeGjkEpaPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btMprPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace claybox::bench {

using namespace collision;

namespace {

/// A body in the form that Bullet's templates require. No margins: all contestants compare the same solids.
struct Placed {
    const btConvexHullShape* hull = nullptr;
    btVector3 inside{0, 0, 0};
    btTransform world_from_body;

    btVector3 getLocalSupportWithMargin(const btVector3& d) const { return getLocalSupportWithoutMargin(d); }
    btVector3 getLocalSupportWithoutMargin(const btVector3& d) const {
        return hull->btConvexHullShape::localGetSupportingVertexWithoutMargin(d);
    }
    btVector3 getObjectCenterInWorld() const { return world_from_body * inside; }
    const btTransform& getWorldTransform() const { return world_from_body; }
    btScalar getMargin() const { return 0; }
};

class Bullet : public Contestant {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        hulls_.clear();
        inside_.clear();
        for (const ShapePtr& shape : shapes) {
            auto hull = std::make_unique<btConvexHullShape>();
            for (std::uint32_t v = 0; v < shape->hull()->vertex_count; ++v)
                hull->addPoint(to_bullet(shape->hull()->vertex(v)), false);
            hull->setMargin(0);
            hull->recalcLocalAabb();
            hulls_.push_back(std::move(hull));
            inside_.push_back(to_bullet(shape->hull()->interior));
        }
        return true;
    }
    void set_pairs(std::uint32_t count) override { axes_.assign(count, btVector3(1, 0, 0)); }
    void reset_pair(const streams::JudgedQuery& q) override { axes_[q.pair] = btVector3(1, 0, 0); }
    void load(std::span<const streams::JudgedQuery> queries) override {
        queries_.clear();
        for (const streams::JudgedQuery& q : queries)
            queries_.push_back({{hulls_[q.shape_a].get(), inside_[q.shape_a], to_bullet(q.world_from_a)},
                                {hulls_[q.shape_b].get(), inside_[q.shape_b], to_bullet(q.world_from_b)},
                                q.pair});
    }

  protected:
    struct Query {
        Placed a, b;
        std::uint32_t pair;
    };
    /// Answers queries with `decide`.
    template <class Decide>
    void answer_each(std::size_t first, std::size_t count, Answer* out, Decide&& decide) {
        for (std::size_t i = first; i < first + count; ++i) (out++)->verdict = decide(queries_[i]);
    }

    std::vector<std::unique_ptr<btConvexHullShape>> hulls_;
    std::vector<btVector3> inside_;
    std::vector<Query> queries_;
    std::vector<btVector3> axes_;  ///< last axis of each pair
};

class PortalRefinement final : public Bullet {
  public:
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        const btMprCollisionDescription settings;
        answer_each(first, count, out, [&](const Query& q) {
            btMprSimplex_t portal;
            const int found = btDiscoverPortal(q.a, q.b, settings, &portal);
            const bool collide =
                found > 0 || (found == 0 && btRefinePortal(q.a, q.b, settings, &portal) == 0);
            return collide ? Verdict::colliding : Verdict::separated;
        });
    }
};

class GjkWithGuess final : public Bullet {
  public:
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        answer_each(first, count, out, [&](const Query& q) {
            MinkowskiDiff<Placed> difference(q.a, q.b);
            difference.m_toshape1 =
                q.b.world_from_body.getBasis().transposeTimes(q.a.world_from_body.getBasis());
            difference.m_toshape0 = q.a.world_from_body.inverseTimes(q.b.world_from_body);
            difference.EnableMargin(false);
            GJK<Placed> gjk(q.a, q.b);
            const eGjkStatus status = gjk.Evaluate(difference, axes_[q.pair]);
            axes_[q.pair] = gjk.m_ray;
            return status == eGjkValid    ? Verdict::separated
                   : status == eGjkInside ? Verdict::colliding
                                          : Verdict::undecided;
        });
    }
};

/// Records the last support query of the template.
struct RecordingBody : Placed {
    mutable btVector3 direction, point;

    btVector3 getLocalSupportWithoutMargin(const btVector3& d) const {
        direction = d;
        return point = Placed::getLocalSupportWithoutMargin(d);
    }
};

/// Overload that takes precedence over the library's template: a boolean query needs no penetration depth.
bool btGjkEpaCalcPenDepth(const RecordingBody&, const RecordingBody&, const btGjkCollisionDescription&,
                          btVector3&, btVector3&, btVector3&) {
    return false;
}

/// Without a distance request it stops at the first separating axis. If the last axis does not separate, the
/// bodies collide.
class GjkWithAxis final : public Bullet {
  public:
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        btGjkCollisionDescription settings;
        settings.m_maximumDistanceSquared = 0;
        btMprDistanceInfo unused;
        answer_each(first, count, out, [&](const Query& q) {
            const RecordingBody a{q.a, {}, {}}, b{q.b, {}, {}};
            settings.m_firstDir = axes_[q.pair];
            btComputeGjkEpaPenetration(a, b, settings, simplex_, &unused);
            const btVector3 axis = b.world_from_body.getBasis() * b.direction;
            axes_[q.pair] = axis;
            const btVector3 difference = a.world_from_body(a.point) - b.world_from_body(b.point);
            return axis.dot(difference) > 0 ? Verdict::separated : Verdict::colliding;
        });
    }

  private:
    btVoronoiSimplexSolver simplex_;
};

}  // namespace

}  // namespace claybox::bench

void claybox_entries(std::vector<claybox::bench::Entry>& out) {
    using namespace claybox::bench;
    out = {entry<PortalRefinement>("bullet_mpr", "Bullet, portal refinement"),
           entry<GjkWithAxis>("bullet_gjk",
                              "Bullet, GJK from the pair's last axis to the first separating axis"),
           entry<GjkWithGuess>("bullet_gjk_distance", "Bullet, GJK from the pair's last ray")};
}
