// Bullet 3 as a contestant, boolean, through the library's own templates: portal refinement without the
// contact that it would compute afterwards; GJK from the pair's last axis, ended by the first axis that
// separates; and the GJK of its other solver, which walks on to the distance. (The compiled btGjkPairDetector
// throws the axis that it is given away.) Supports are the library's own search over all vertices.

#include "bench/contestants/rival.hpp"
#include "bench/contestants/to_bullet.hpp"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btComputeGjkEpaPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btMprPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace claybox::bench {

using namespace collision;

namespace {

/// What Bullet's templates want of a body. Without margins: they compare the same solids as everyone.
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
    void forget(const streams::JudgedQuery& q) override { axes_[q.pair] = btVector3(1, 0, 0); }
    void load(std::span<const streams::JudgedQuery> queries) override {
        asked_.clear();
        for (const streams::JudgedQuery& q : queries)
            asked_.push_back({{hulls_[q.shape_a].get(), inside_[q.shape_a], to_bullet(q.world_from_a)},
                              {hulls_[q.shape_b].get(), inside_[q.shape_b], to_bullet(q.world_from_b)},
                              q.pair});
    }

  protected:
    struct Asked {
        Placed a, b;
        std::uint32_t pair;
    };
    /// The loop of all; `decide` answers one query.
    template <class Decide>
    void answer_each(std::size_t first, std::size_t count, Answer* out, Decide&& decide) {
        for (std::size_t i = first; i < first + count; ++i) (out++)->verdict = decide(asked_[i]);
    }

    std::vector<std::unique_ptr<btConvexHullShape>> hulls_;
    std::vector<btVector3> inside_;
    std::vector<Asked> asked_;
    std::vector<btVector3> axes_;  ///< of each pair, the last one
};

class PortalRefinement final : public Bullet {
  public:
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        const btMprCollisionDescription settings;
        answer_each(first, count, out, [&](const Asked& q) {
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
        answer_each(first, count, out, [&](const Asked& q) {
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

/// Tells afterwards what the template asked last.
struct Watched : Placed {
    mutable btVector3 direction, point;

    btVector3 getLocalSupportWithoutMargin(const btVector3& d) const {
        direction = d;
        return point = Placed::getLocalSupportWithoutMargin(d);
    }
};

/// Chosen before the library's template of that name: a boolean query wants no penetration depth.
bool btGjkEpaCalcPenDepth(const Watched&, const Watched&, const btGjkCollisionDescription&, btVector3&,
                          btVector3&, btVector3&) {
    return false;
}

/// With no distance asked for, it ends at the first axis that separates; where the last one does not, the
/// bodies collide.
class GjkWithAxis final : public Bullet {
  public:
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        btGjkCollisionDescription settings;
        settings.m_maximumDistanceSquared = 0;
        btMprDistanceInfo unused;
        answer_each(first, count, out, [&](const Asked& q) {
            const Watched a{q.a, {}, {}}, b{q.b, {}, {}};
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
    out = {
        entry<PortalRefinement>("bullet_mpr", "Bullet, portal refinement"),
        entry<GjkWithAxis>("bullet_gjk", "Bullet, GJK from the pair's last axis to the first that separates"),
        entry<GjkWithGuess>("bullet_gjk_distance", "Bullet, GJK from the pair's last ray")};
}
