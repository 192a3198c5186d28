// The perceptron of separating_plane on its paper's own experiment: cones that lie so that the plane half way
// between them rarely separates them.

#include "collision/parts/perceptron.hpp"
#include "tests/pairwise/separating_plane.hpp"

#include <cmath>
#include <numbers>

namespace claybox::test {
namespace {

using namespace plane;

/// The paper's experiment: two cones of 100 polygons each in a cage, turning back when they hit.
struct Cones {
    std::vector<Pair> frames;
    std::vector<bool> apart;
};

const Cones& cones() {
    static const Cones stream = [] {
        constexpr double kHalf = 1;
        const ShapePtr cone = make_primitive_shape(Primitive::cone, 100, 1, 1).value();
        Random random(309);
        Vec3d at[2], way[2];
        Quat pose[2], turn[2];
        for (int i = 0; i < 2; ++i) {
            at[i] = kHalf * random.unit_vector();
            way[i] = 0.05 * random.unit_vector();
            pose[i] = axis_angle(random.unit_vector(), 1);
            turn[i] = axis_angle(random.unit_vector(), 10 * std::numbers::pi / 180);
        }
        Cones out;
        bool was_apart = true;
        for (int frame = 0; frame < 2000; ++frame) {
            for (int i = 0; i < 2; ++i) {
                at[i] += way[i];
                for (std::size_t k = 0; k < 3; ++k)
                    if (std::abs(at[i][k]) > kHalf) way[i][k] = std::copysign(way[i][k], -at[i][k]);
                pose[i] = normalized(turn[i] * pose[i]);
            }
            out.frames.push_back({cone, cone, to_matrix({pose[0], at[0]}), to_matrix({pose[1], at[1]})});
            out.apart.push_back(ask(gjk(), out.frames.back()).verdict == Verdict::separated);
            for (int i = 0; i < 2 && was_apart && !out.apart.back(); ++i)
                way[i] = 0.05 * random.unit_vector();
            was_apart = out.apart.back();
        }
        return out;
    }();
    return stream;
}

struct ConeTally {
    double error = 0;      ///< per cent of all queries that found no plane where there is one
    double sweeps = 0;     ///< a query of separated cones
    double looked_at = 0;  ///< vertices a query of colliding cones
};

ConeTally play(const ParameterValues& values) {
    ConeTally out;
    PairCache cache;
    double apart = 0;
    for (std::size_t i = 0; i < cones().frames.size(); ++i) {
        const PairResult r = ask_with(cones().frames[i], values, cache);
        EXPECT_FALSE(r.verdict == Verdict::separated && !cones().apart[i]);
        if (!cones().apart[i]) {
            out.looked_at += counter(r, "vertices looked at");
            continue;
        }
        ++apart;
        out.error += r.verdict == Verdict::separated ? 0 : 1;
        out.sweeps += counter(r, "sweeps");
    }
    const auto all = static_cast<double>(cones().frames.size());
    EXPECT_GT(apart, 0.3 * all);
    EXPECT_LT(apart, 0.9 * all);
    out.looked_at /= all - apart;
    out.sweeps /= apart;
    out.error *= 100 / all;
    return out;
}

ParameterValues cone_rules(double limit, double eta, double relaxation = 1, double step = 0,
                           double start = 2) {
    return with({{"update_limit", limit},
                 {"eta", eta},
                 {"relaxation", relaxation},
                 {"step", step},
                 {"start", start},
                 {"keep_plane", 0}});
}

TEST(SeparatingPlane, Z_3_4_2_relax_a_weaker_pull_helps_few_pulls_and_harms_many) {
    // Fig. 3.16: with the pull that is best without relaxation.
    const double few = play(cone_rules(10, 0.25)).error, few_relaxed = play(cone_rules(10, 0.25, 0.97)).error;
    EXPECT_LT(few_relaxed, few);
    const double many = play(cone_rules(1000, 0.007)).error;
    const double many_relaxed = play(cone_rules(1000, 0.007, 0.97)).error;
    EXPECT_GT(many_relaxed, many + 5);
    std::printf("error without and with relaxation 0.97: 10 pulls %.1f %.1f %%, 1000 pulls %.2f %.1f %%\n",
                few, few_relaxed, many, many_relaxed);
}

TEST(SeparatingPlane, Z_3_4_2_adapt_steps_towards_the_vertex_and_needs_fewer_sweeps) {
    // FIX-23: one pull brings w.z closer to what it should be; printed, its sign takes it further away.
    PlaneRules<double> rules;
    rules.step = PlaneStep::adaptive;
    rules.eta = 0;
    Random random(310);
    for (int i = 0; i < 1000; ++i) {
        const Vec3d p = 3 * random.unit_vector();
        HomogeneousPlane<double> w{random.uniform(0.5, 4) * random.unit_vector(), random.uniform(-2, 2)};
        const auto value = [&] { return collision::dot(w.normal, p) - w.offset; };
        const double before = value(), size_ratio = std::sqrt((length_squared(p) + 1) / w.size_squared());
        if (before >= 0) continue;
        double eta = rules.eta;
        pull_plane(p, 1.0, rules, eta, w);
        EXPECT_NEAR(value(), before * (1 - size_ratio), 1e-12);
        EXPECT_GT(value(), before);
    }
    const ConeTally constant = play(cone_rules(1000, 0.007)), adaptive = play(cone_rules(1000, 0.007, 1, 1));
    EXPECT_LT(adaptive.sweeps, constant.sweeps);
    EXPECT_LT(adaptive.error, 2);
    std::printf("sweeps of separated cones: constant %.1f, adaptive %.1f\n", constant.sweeps,
                adaptive.sweeps);
}

/// Keeps the first plane that it is told.
struct FirstPlane final : Trace {
    bool known = false;
    Vec3d normal;
    double offset = 0;
    void begin_iteration(int) override {}
    void point(const Vec3d&, const char*) override {}
    void segment(const Vec3d&, const Vec3d&, const char*) override {}
    void plane(const Vec3d& n, double d, const Vec3d&, const char*) override {
        if (known) return;
        known = true;
        normal = n;
        offset = d;
    }
    void value(const char*, double) override {}
};

TEST(SeparatingPlane, Z_3_4_2_init_three_first_planes_can_be_chosen) {
    for (const Pair& p : random_pairs(50, 312)) {
        const Matrix34d ma = to_double(p.world_from_a), mb = to_double(p.world_from_b);
        const auto mean = [](const Shape& s, const Matrix34d& m) {
            Vec3d sum;
            for (std::uint32_t v = 0; v < s.hull()->vertex_count; ++v)
                sum += transform_point(m, s.hull()->vertex(v));
            return sum / static_cast<double>(s.hull()->vertex_count);
        };
        const auto middle = [](const Shape& s, const Matrix34d& m) {
            const Aabb& box = s.geometry().box;
            return transform_point(m, 0.5 * (cast<double>(box.min) + cast<double>(box.max)));
        };
        const Vec3d centres[3][2] = {
            {{1, 0, 0}, {0, 0, 0}},  // the first gives the normal only
            {mean(*p.a, ma), mean(*p.b, mb)},
            {middle(*p.a, ma), middle(*p.b, mb)},
        };
        for (int start = 0; start < 3; ++start) {
            FirstPlane told;
            PairCache cache;
            ask_with(p, with({{"start", double(start)}}), cache, Exactness::exact, &told);
            ASSERT_TRUE(told.known);
            const auto& c = centres[start];
            const Vec3d n = normalized(c[0] - c[1]);
            EXPECT_NEAR(length(told.normal - n), 0, 1e-4) << start;
            if (start == 0) continue;
            EXPECT_NEAR(told.offset, collision::dot(n, 0.5 * (c[0] + c[1])), 1e-4) << start;
        }
    }
    // The table: the guess matters for few pulls, the trivial plane being the worst.
    const double trivial = play(cone_rules(10, 0.25, 1, 0, 0)).error;
    EXPECT_GT(trivial, play(cone_rules(10, 0.25, 1, 0, 1)).error);
    EXPECT_GT(trivial, play(cone_rules(10, 0.25, 1, 0, 2)).error);
}

}  // namespace
}  // namespace claybox::test
