// Bullet 3 as a contestant for continuous collision of convex bodies: its convex casts. Body A rests. The
// casts move both bodies between two transforms: btContinuousConvexCollision with the rotation about the
// moving body's origin at constant angular velocity, the others with the translation only.

#include "bench/contestants/libraries/comparison_module.hpp"
#include "bench/contestants/libraries/to_bullet.hpp"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace claybox::bench {

using namespace collision;

namespace {

/// Margins of zero: all contestants compare the same solids.
template <class MakeCast, bool kTurns>
class BulletCast final : public ContinuousContestant {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        for (const ShapePtr& shape : shapes) {
            if (shape->hull() == nullptr) return false;
            auto hull = std::make_unique<btConvexHullShape>();
            for (std::uint32_t v = 0; v < shape->hull()->vertex_count; ++v)
                hull->addPoint(to_bullet(shape->hull()->vertex(v)), false);
            hull->setMargin(0);
            hull->recalcLocalAabb();
            hulls_.push_back(std::move(hull));
        }
        return true;
    }
    bool load(std::span<const MovingQuery> queries) override {
        for (const MovingQuery& q : queries) {
            if (!kTurns && q.motion_b.kind == Motion::Kind::screw) return false;
            queries_.push_back({hulls_[q.shape_a].get(), hulls_[q.shape_b].get(), to_bullet(q.world_from_a),
                                to_bullet(q.world_from_b), to_bullet(q.world_from_b_end)});
        }
        return true;
    }
    MovingAnswer answer(std::size_t i) override {
        const Query& q = queries_[i];
        MakeCast make;
        btConvexCast::CastResult result;
        result.m_fraction = 1;
        const bool hit =
            make.cast(q.a, q.b, simplex_).calcTimeOfImpact(q.from_a, q.from_a, q.from_b, q.to_b, result);
        return {hit, hit ? static_cast<double>(result.m_fraction) : 1};
    }

  private:
    struct Query {
        const btConvexHullShape *a, *b;
        btTransform from_a, from_b, to_b;
    };
    std::vector<std::unique_ptr<btConvexHullShape>> hulls_;
    std::vector<Query> queries_;
    btVoronoiSimplexSolver simplex_;
};

struct Continuous {
    btGjkEpaPenetrationDepthSolver depth;
    btContinuousConvexCollision cast(const btConvexShape* a, const btConvexShape* b,
                                     btVoronoiSimplexSolver& s) {
        return {a, b, &s, &depth};
    }
};
struct SubSimplex {
    btSubsimplexConvexCast cast(const btConvexShape* a, const btConvexShape* b, btVoronoiSimplexSolver& s) {
        return {a, b, &s};
    }
};
struct Gjk {
    btGjkConvexCast cast(const btConvexShape* a, const btConvexShape* b, btVoronoiSimplexSolver& s) {
        return {a, b, &s};
    }
};

}  // namespace

}  // namespace claybox::bench

void claybox_continuous_entries(claybox::bench::Library& out) {
    using namespace claybox::bench;
    out.continuous = {continuous_entry<BulletCast<Continuous, true>>("bullet_continuous",
                                                                     "Bullet, continuous convex collision"),
                      continuous_entry<BulletCast<SubSimplex, false>>("bullet_subsimplex",
                                                                      "Bullet, subsimplex convex cast"),
                      continuous_entry<BulletCast<Gjk, false>>("bullet_gjk_cast", "Bullet, GJK convex cast")};
}
