// FCL 0.7 as a contestant for boolean queries: its solver over libccd, and its own GJK started from the
// pair's last ray. The expanding polytope algorithm, which its solver class runs after every collision, is
// skipped.

#include "bench/contestants/libraries/comparison_module.hpp"

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/convexity_based_algorithm/gjk.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

namespace claybox::bench {

using namespace collision;

namespace {

using Hull = fcl::Convex<double>;

fcl::Vector3d to_fcl(const Vec3f& v) {
    return {v.x, v.y, v.z};
}

fcl::Transform3d to_fcl(const Matrix34f& m) {
    fcl::Transform3d out = fcl::Transform3d::Identity();
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) out(r, c) = m(r, c);
    return out;
}

std::unique_ptr<Hull> make_hull(const ConvexHull& hull) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) vertices->push_back(to_fcl(hull.vertex(v)));
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t p = 0; p < hull.faces.polygon_count(); ++p) {
        const auto polygon = hull.faces.polygon(p);
        faces->push_back(static_cast<int>(polygon.size()));
        for (const std::uint32_t v : polygon) faces->push_back(static_cast<int>(v));
    }
    return std::make_unique<Hull>(vertices, static_cast<int>(hull.faces.polygon_count()), faces);
}

class Fcl : public Contestant {
  public:
    bool prepare(std::span<const ShapePtr> shapes) override {
        hulls_.clear();
        for (const ShapePtr& shape : shapes) {
            if (shape->hull()->dimension < 3) return false;
            hulls_.push_back(make_hull(*shape->hull()));
        }
        return true;
    }
    void set_pairs(std::uint32_t count) override { guesses_.assign(count, fcl::Vector3d::UnitX()); }
    void reset_pair(const streams::JudgedQuery& q) override { guesses_[q.pair] = fcl::Vector3d::UnitX(); }
    void load(std::span<const streams::JudgedQuery> queries) override {
        queries_.clear();
        for (const streams::JudgedQuery& q : queries)
            queries_.push_back({hulls_[q.shape_a].get(), hulls_[q.shape_b].get(), to_fcl(q.world_from_a),
                                to_fcl(q.world_from_b), q.pair});
    }

  protected:
    struct Query {
        const Hull* a;
        const Hull* b;
        fcl::Transform3d world_from_a, world_from_b;
        std::uint32_t pair;
    };
    std::vector<std::unique_ptr<Hull>> hulls_;
    std::vector<Query> queries_;
    std::vector<fcl::Vector3d> guesses_;
};

class OverLibccd final : public Fcl {
  public:
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        const fcl::detail::GJKSolver_libccd<double> solver;
        for (std::size_t i = first; i < first + count; ++i) {
            const Query& q = queries_[i];
            const bool collide = solver.shapeIntersect(*q.a, q.world_from_a, *q.b, q.world_from_b, nullptr);
            (out++)->verdict = collide ? Verdict::colliding : Verdict::separated;
        }
    }
};

class OwnGjk final : public Fcl {
  public:
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        using Gjk = fcl::detail::GJK<double>;
        const fcl::detail::GJKSolver_indep<double> defaults;
        for (std::size_t i = first; i < first + count; ++i) {
            const Query& q = queries_[i];
            fcl::detail::MinkowskiDiff<double> difference;
            difference.shapes[0] = q.a;
            difference.shapes[1] = q.b;
            difference.toshape1.noalias() = q.world_from_b.linear().transpose() * q.world_from_a.linear();
            difference.toshape0 = q.world_from_a.inverse(Eigen::Isometry) * q.world_from_b;
            Gjk gjk(defaults.gjk_max_iterations, defaults.gjk_tolerance);
            const Gjk::Status status = gjk.evaluate(difference, guesses_[q.pair]);
            guesses_[q.pair] = gjk.getGuessFromSimplex();
            (out++)->verdict = status == Gjk::Inside  ? Verdict::colliding
                               : status == Gjk::Valid ? Verdict::separated
                                                      : Verdict::undecided;
        }
    }
};

}  // namespace

}  // namespace claybox::bench

void claybox_entries(std::vector<claybox::bench::Entry>& out) {
    using namespace claybox::bench;
    out = {entry<OverLibccd>("fcl_libccd", "FCL, solver over libccd"),
           entry<OwnGjk>("fcl_gjk", "FCL, its own GJK from the pair's last ray")};
}
