// The kernel of the interior point method in double: the equations of its paper, one by one.

#include "collision/pairwise/linear_programming/interior_point.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/linear_programming/four_pairs.hpp"
#include "collision/pairwise/linear_programming/ip_columns.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace claybox::collision {
namespace {

using Points = std::vector<Vec3d>;

Points cloud(Random& random, std::size_t count, const Vec3d& centre) {
    Points out;
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(centre + Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    return out;
}

Points box(const Vec3d& centre) {
    Points out;
    for (int i = 0; i < 8; ++i)
        out.push_back(centre + Vec3d{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
    return out;
}

/// A program with its own storage.
struct Program : IpProgram<double> {
    std::vector<double> memory;

    Program(const Points& v, const Points& w) : memory(element_count(v.size() + w.size())) {
        set_storage(memory, v.size(), w.size());
        move(v, w);
        equal_weights(*this);
    }
    void move(const Points& v, const Points& w) {
        for (std::size_t i = 0; i < v.size(); ++i) set_a(i, v[i]);
        for (std::size_t i = 0; i < w.size(); ++i) set_b(i, w[i]);
    }
    bool start() {
        if (!start_primal(*this, 1.0)) return false;
        start_dual(*this);
        return true;
    }
};

IpEnd run(Program& p, const IpRules& rules = {}) {
    if (!p.start()) return IpEnd::colliding;
    return solve(p, rules, [](const auto&) {});
}

double furthest(const Points& points, const Vec3d& n, double sign) {
    double out = -std::numeric_limits<double>::infinity();
    for (const Vec3d& p : points) out = std::max(out, sign * dot(n, p));
    return out;
}

bool separates(const Program& p, const Points& v, const Points& w) {
    return furthest(v, p.normal(), 1) < -furthest(w, p.normal(), -1);
}

/// Two clouds of different sizes; about half of the cases intersect.
struct Case {
    Points v, w;
};
std::vector<Case> cases(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Case> out;
    for (std::size_t i = 0; i < count; ++i) {
        // separate statement: the evaluation order of operands is unspecified
        const Vec3d direction = random.unit_vector();
        const Vec3d centre = random.uniform(0, 3) * direction;
        out.push_back({cloud(random, 1 + random.below(24), {}), cloud(random, 1 + random.below(24), centre)});
    }
    return out;
}

TEST(InteriorPoint, LP_3_eq1_3_weights_exist_if_and_only_if_the_hulls_intersect) {
    std::size_t colliding = 0, separated = 0;
    for (const Case& c : cases(400, 1)) {
        Program p(c.v, c.w);
        const IpEnd end = run(p);
        ASSERT_NE(end, IpEnd::unfinished);
        if (end == IpEnd::separated) {
            ++separated;
            EXPECT_TRUE(separates(p, c.v, c.w));
            continue;
        }
        ++colliding;
        Vec3d difference;
        double of_v = 0, of_w = 0;
        for (std::size_t j = 0; j < c.v.size(); ++j) {
            difference += p.gamma[j] * c.v[j];
            of_v += p.gamma[j];
            EXPECT_GT(p.gamma[j], 0);
        }
        for (std::size_t j = 0; j < c.w.size(); ++j) {
            difference -= p.gamma[c.v.size() + j] * c.w[j];
            of_w += p.gamma[c.v.size() + j];
            EXPECT_GT(p.gamma[c.v.size() + j], 0);
        }
        EXPECT_LT(length(difference), 2e-6);  // u w with m w < 1e-6
        EXPECT_NEAR(of_v, 1, 1e-9);
        EXPECT_NEAR(of_w, 1, 1e-9);
    }
    EXPECT_GT(colliding, 80u);
    EXPECT_GT(separated, 80u);
}

TEST(InteriorPoint, LP_3_eq4_7_equal_weights_and_the_artificial_variable_satisfy_all_five_equations) {
    for (const Case& c : cases(200, 2)) {
        Program p(c.v, c.w);
        ASSERT_TRUE(p.start());
        Vec3d mean_v, mean_w;
        for (const Vec3d& v : c.v) mean_v += v / double(c.v.size());
        for (const Vec3d& w : c.w) mean_w += w / double(c.w.size());
        const Vec3d u = mean_w - mean_v;
        EXPECT_LT(length(p.u() - u), 1e-14);
        EXPECT_NEAR(p.m, std::max({std::abs(u.x), std::abs(u.y), std::abs(u.z)}), 1e-14);
        EXPECT_EQ(p.w(), 1);
        EXPECT_LT(p.primal_residual(), 1e-12);
    }
    // Equal means: u = 0, a collision without an iteration.
    const Points v = box({0.5, 0, 0}), w{{0.5, 0, 0}};
    Program p(v, w);
    EXPECT_FALSE(p.start());
    EXPECT_EQ(run(p), IpEnd::colliding);
    EXPECT_EQ(p.iterations, 0u);
}

TEST(InteriorPoint, LP_3_1_primal_optimum_is_zero_only_for_collisions_and_has_n1_plus_n2_plus_1_columns) {
    IpRules to_the_optimum;
    to_the_optimum.early_stop = false;
    std::size_t colliding = 0, separated = 0;
    for (const Case& c : cases(300, 3)) {
        Program p(c.v, c.w), early(c.v, c.w);
        EXPECT_EQ(p.x.size(), c.v.size() + c.w.size() + 1);
        const IpEnd end = run(p, to_the_optimum);
        ASSERT_EQ(end, run(early));
        if (end == IpEnd::colliding) {
            ++colliding;
            EXPECT_LT(p.primal(), 1e-6);
        } else {
            ++separated;
            EXPECT_GT(p.primal(), 1e-6);
            EXPECT_NEAR(p.primal(), p.dual(), 2e-6) << "strong duality";
        }
    }
    EXPECT_GT(colliding, 50u);
    EXPECT_GT(separated, 50u);
}

TEST(InteriorPoint, LP_3_2_dual_stops_at_the_first_positive_objective_with_a_valid_certificate) {
    std::size_t stops = 0, shorter = 0;
    IpRules to_the_optimum;
    to_the_optimum.early_stop = false;
    for (const Case& c : cases(400, 4)) {
        Program p(c.v, c.w);
        ASSERT_TRUE(p.start());
        double last = p.dual();
        const IpEnd end = solve(p, {}, [&](const auto& now) {
            EXPECT_TRUE(now.iterations == 0 || last <= 0) << "the search must stop earlier";
            last = now.dual();
        });
        if (end != IpEnd::separated) continue;
        ++stops;
        EXPECT_GT(p.dual(), 0);
        EXPECT_TRUE(separates(p, c.v, c.w));
        Program full(c.v, c.w);
        run(full, to_the_optimum);
        shorter += p.iterations < full.iterations ? 1 : 0;
    }
    EXPECT_GT(stops, 100u);
    EXPECT_GT(shorter, stops * 9 / 10);
}

TEST(InteriorPoint, LP_3_3_init_has_a_minus_sign_and_positive_slacks) {
    for (const Case& c : cases(100, 5)) {
        Program p(c.v, c.w);
        ASSERT_TRUE(p.start());
        double eta = 0;
        for (const Points* points : {&c.v, &c.w})
            for (const Vec3d& x : *points) eta = std::max({eta, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
        EXPECT_EQ(p.normal(), Vec3d{});
        EXPECT_EQ(p.pi[3], -eta);
        EXPECT_EQ(p.pi[4], -eta);
        for (std::size_t j = 0; j <= p.size(); ++j) EXPECT_GT(p.s[j], 0);
        EXPECT_EQ(p.s[p.size()], p.m);
        EXPECT_LT(p.dual_residual(), 1e-15);
        for (std::size_t j = 0; j < c.v.size(); ++j) EXPECT_NEAR(p.gamma[j], 1.0 / double(c.v.size()), 1e-15);
    }
    Program origin(Points{{0, 0, 0}}, Points{{0, 0, 0}});  // eta would be 0, which is not a valid slack
    start_dual(origin);
    EXPECT_EQ(origin.pi[3], -1);
    EXPECT_EQ(origin.s[0], 1);
}

/// A program at some iterate, and the same program one frame later.
struct NextFrame {
    Program p;
    double pi[5];
};
NextFrame next_frame(const Case& c, const Vec3d& step) {
    Program first(c.v, c.w);
    run(first);
    Points moved = c.w;
    for (Vec3d& w : moved) w += step;
    NextFrame out{Program(c.v, moved), {}};
    std::copy(first.pi, first.pi + 5, out.pi);
    std::copy(first.gamma.begin(), first.gamma.end(), out.p.gamma.begin());
    return out;
}

TEST(InteriorPoint, LP_4_1_warm_weights_of_the_last_frame_satisfy_the_equations_after_resetting_w) {
    Random random(6);
    for (const Case& c : cases(200, 6)) {
        if (c.v.size() + c.w.size() < 4) continue;
        NextFrame next = next_frame(c, 0.3 * random.unit_vector());
        if (!start_primal(next.p, 0.5)) continue;
        EXPECT_EQ(next.p.w(), 1) << "u is new, so w is reset to 1";
        EXPECT_LT(next.p.primal_residual(), 1e-12);
        for (const double g : next.p.gamma) EXPECT_GT(g, 0);
    }
}

TEST(InteriorPoint, LP_4_1_dualup_raises_all_slacks_except_the_last_and_keeps_the_equations) {
    Random random(7);
    std::size_t raised = 0, scaled = 0;
    for (const Case& c : cases(400, 7)) {
        NextFrame next = next_frame(c, 0.3 * random.unit_vector());
        Program& p = next.p;
        if (!start_primal(p, 0.5)) continue;
        // s-bar by (21), with pi scaled down where the last slack would vanish.
        const double un = dot(p.u(), {next.pi[0], next.pi[1], next.pi[2]});
        const double scale = un > 0.9 * p.m ? 0.9 * p.m / un : 1.0;
        scaled += scale < 1 ? 1 : 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < p.size(); ++j)
            least = std::min(least, -scale * (dot(p.column(j), {next.pi[0], next.pi[1], next.pi[2]}) +
                                              next.pi[j < p.of_a ? 3 : 4]));
        const IpRules rules;
        const double ds = std::max(-rules.slack_factor * least, rules.min_slack);
        raised += ds > rules.min_slack ? 1 : 0;
        update_dual(p, next.pi, rules);
        EXPECT_NEAR(p.pi[3], scale * next.pi[3] - ds, 1e-12);
        EXPECT_NEAR(p.pi[4], scale * next.pi[4] - ds, 1e-12);
        EXPECT_NEAR(p.s[p.size()], p.m - scale * un, 1e-12);
        for (const double s : p.s) EXPECT_GT(s, 0);
        EXPECT_LT(p.dual_residual(), 1e-12);
        EXPECT_NE(solve(p, rules, [](const auto&) {}), IpEnd::unfinished);
    }
    EXPECT_GT(raised, 30u);
    EXPECT_GT(scaled, 5u);
}

TEST(InteriorPoint, LP_4_3_ipm_direction_is_newtons_direction_and_residuals_stay_small) {
    double worst_primal = 0, worst_dual = 0, worst_newton = 0;
    for (const Case& c : cases(300, 8)) {
        Program p(c.v, c.w);
        if (!p.start()) continue;
        solve(p, {}, [&](const IpProgram<double>& now) {
            worst_primal = std::max(worst_primal, now.primal_residual());
            worst_dual = std::max(worst_dual, now.dual_residual());
            EXPECT_NEAR(now.gap(), now.primal() - now.dual(), 1e-9);
        });
        Program q(c.v, c.w);
        q.start();
        ip_detail::direction(static_cast<IpProgram<double>&>(q));
        Vec3d moved;
        double of_v = 0, of_w = 0;
        // S d_gamma + X d_s = X S e: subtracting it in full makes all products zero to first order.
        for (std::size_t j = 0; j <= q.size(); ++j) {
            moved += q.d_gamma[j] * q.column(j);
            if (j < q.size()) (j < q.of_a ? of_v : of_w) += q.d_gamma[j];
            const double newton = q.s[j] * q.d_gamma[j] + q.gamma[j] * q.d_s[j] - q.gamma[j] * q.s[j];
            worst_newton = std::max(worst_newton, std::abs(newton));
        }
        // A d_gamma = 0: a step preserves (8b) to (8d).
        EXPECT_LT(length(moved), 1e-9);
        EXPECT_NEAR(of_v, 0, 1e-9);
        EXPECT_NEAR(of_w, 0, 1e-9);
    }
    EXPECT_LT(worst_primal, 1e-9);
    EXPECT_LT(worst_dual, 1e-9);
    EXPECT_LT(worst_newton, 1e-12);
}

/// Gaussian elimination with pivoting, for the same system.
void solve_by_lu(double (&m)[5][5], double (&x)[5]) {
    for (std::size_t k = 0; k < 5; ++k) {
        std::size_t pivot = k;
        for (std::size_t r = k; r < 5; ++r)
            if (std::abs(m[r][k]) > std::abs(m[pivot][k])) pivot = r;
        std::swap(m[k], m[pivot]);
        std::swap(x[k], x[pivot]);
        for (std::size_t r = k + 1; r < 5; ++r) {
            const double factor = m[r][k] / m[k][k];
            for (std::size_t c = k; c < 5; ++c) m[r][c] -= factor * m[k][c];
            x[r] -= factor * x[k];
        }
    }
    for (std::size_t r = 5; r-- > 0;) {
        for (std::size_t c = r + 1; c < 5; ++c) x[r] -= m[r][c] * x[c];
        x[r] /= m[r][r];
    }
}

TEST(InteriorPoint, LP_4_3_chol_agrees_with_lu_and_solves_consistent_singular_systems) {
    Random random(9);
    for (int round = 0; round < 500; ++round) {
        const std::size_t rank = round % 2 == 0 ? 5 : 1 + random.below(4);
        double m[5][5] = {}, known[5], right[5] = {};
        for (std::size_t k = 0; k < rank + (rank == 5 ? 3 : 0); ++k) {
            double v[5];
            for (double& value : v) value = random.uniform(-1, 1);
            const double size = std::pow(10.0, random.uniform(-2, 2));
            for (std::size_t r = 0; r < 5; ++r)
                for (std::size_t c = 0; c < 5; ++c) m[r][c] += size * v[r] * v[c];
        }
        for (double& value : known) value = random.uniform(-1, 1);
        double largest = 0;
        for (std::size_t r = 0; r < 5; ++r)
            for (std::size_t c = 0; c < 5; ++c) {
                right[r] += m[r][c] * known[c];
                largest = std::max(largest, std::abs(m[r][c]));
            }
        const Cholesky<double, 5> factor(m);
        EXPECT_LE(factor.skipped, 5 - rank);
        double x[5];
        std::copy(right, right + 5, x);
        factor.solve(x);
        for (std::size_t r = 0; r < 5; ++r) {
            double sum = 0;
            for (std::size_t c = 0; c < 5; ++c) sum += m[r][c] * x[c];
            EXPECT_NEAR(sum, right[r], 1e-8 * largest) << "rank " << rank;
        }
        if (rank < 5) continue;
        double lu[5];
        std::copy(right, right + 5, lu);
        solve_by_lu(m, lu);
        for (std::size_t r = 0; r < 5; ++r) EXPECT_NEAR(x[r], lu[r], 1e-6 * (1 + std::abs(lu[r])));
    }
    // Bodies in one plane: the third row of A is zero, and the method continues without it.
    Points v = box({}), w = box({2.5, 0.3, 0});
    for (Points* points : {&v, &w})
        for (Vec3d& p : *points) p.z = 0;
    Program p(v, w);
    EXPECT_EQ(run(p), IpEnd::separated);
    EXPECT_GT(p.skipped, 0u);
    EXPECT_TRUE(separates(p, v, w));
}

double potential_of(const IpProgram<double>& p) {
    double logs = 0;
    for (std::size_t j = 0; j <= p.size(); ++j) logs += std::log(p.gamma[j] * p.s[j]);
    return 4.0 * double(p.size() + 1) * std::log(p.gap()) - logs;
}

TEST(InteriorPoint, LP_4_3_step_keeps_all_variables_positive_and_reduces_the_potential) {
    std::uint32_t halved = 0;
    for (const Case& c : cases(300, 10)) {
        for (const double ratio : {0.9, 0.99, 0.9995}) {
            IpRules rules;
            rules.step_ratio = ratio;
            Program p(c.v, c.w);
            if (!p.start()) continue;
            double before = std::numeric_limits<double>::infinity();
            solve(p, rules, [&](const IpProgram<double>& now) {
                for (std::size_t j = 0; j <= now.size(); ++j) {
                    EXPECT_GT(now.gamma[j], 0);
                    EXPECT_GT(now.s[j], 0);
                }
                const double value = potential_of(now);
                EXPECT_LT(value, before);
                before = value;
            });
            halved += p.halvings;
        }
        // From a corner of the simplex the full steps overshoot: only halving reduces the potential.
        Program p(c.v, c.w);
        for (std::size_t j = 0; j < p.size(); ++j) p.gamma[j] = j == 0 || j == p.of_a ? 1 : 1e-7;
        if (!start_primal(p, 1e-6)) continue;
        start_dual(p);
        double before = std::numeric_limits<double>::infinity();
        const IpEnd end = solve(p, {}, [&](const IpProgram<double>& now) {
            EXPECT_LT(potential_of(now), before);
            before = potential_of(now);
        });
        EXPECT_NE(end, IpEnd::unfinished);
        halved += p.halvings;
    }
    EXPECT_GT(halved, 20u);
}

TEST(InteriorPoint, LP_4_3_stop_tests_collision_first_for_gaps_across_contact) {
    // Two boxes at this distance: below epsilon both stop criteria hold, and the collision comes first.
    for (const double gap : {-1.0, -0.1, -1e-3, -1e-5, -1e-9, 0.0, 1e-9, 1e-8}) {
        Program p(box({}), box({2 + gap, 0.3, 0.2}));
        EXPECT_EQ(run(p), IpEnd::colliding) << gap;
        EXPECT_LT(p.primal(), 1e-6);
    }
    for (const double gap : {1e-5, 1e-4, 1e-3, 0.1, 1.0}) {
        Program p(box({}), box({2 + gap, 0.3, 0.2}));
        EXPECT_EQ(run(p), IpEnd::separated) << gap;
        EXPECT_GE(p.primal(), 1e-6);
    }
    IpRules coarse;
    coarse.epsilon = 1e-2;
    Program p(box({}), box({2 + 1e-3, 0.3, 0.2}));
    EXPECT_EQ(run(p, coarse), IpEnd::colliding) << "a gap below the tolerance counts as a collision";
    // Both at once: m w below epsilon and a separating plane.
    Program both(box({}), box({2 + 1e-8, 0.3, 0.2}));
    IpRules fine;
    fine.epsilon = 1e-12;
    EXPECT_EQ(run(both, fine), IpEnd::separated);
    both.m = 1e-7 / both.w();
    EXPECT_GT(both.dual(), 0);
    EXPECT_EQ(solve(both, {}, [](const auto&) {}), IpEnd::colliding);
}

TEST(InteriorPoint, LP_4_1_plane_equation_with_slack_holds_for_each_vertex) {
    for (const Case& c : cases(200, 11)) {
        Program p(c.v, c.w);
        if (run(p) != IpEnd::separated) continue;
        for (std::size_t j = 0; j < c.v.size(); ++j)  // (25)
            EXPECT_NEAR(dot(c.v[j], p.normal()) + p.pi[3] + p.s[j], 0, 1e-12);
        for (std::size_t i = 0; i < c.w.size(); ++i)  // (26)
            EXPECT_NEAR(-dot(c.w[i], p.normal()) + p.pi[4] + p.s[c.v.size() + i], 0, 1e-12);
        // between both bodies, because the slacks are positive
        const double middle = (p.pi[4] - p.pi[3]) / 2;
        EXPECT_LT(furthest(c.v, p.normal(), 1), middle);
        EXPECT_GT(-furthest(c.w, p.normal(), -1), middle);
    }
}

TEST(InteriorPoint, LP_4_3_iters_cold_starts_of_20_and_20_points) {
    Random random(12);
    std::uint32_t histogram[2][16] = {}, most[2] = {};
    for (int round = 0; round < 1000; ++round) {
        // separate statement: the evaluation order of operands is unspecified
        const Vec3d direction = random.unit_vector();
        const Vec3d centre = random.uniform(0, 3) * direction;
        const Points w = cloud(random, 20, centre), v = cloud(random, 20, {});
        Program p(v, w);
        const IpEnd end = run(p);
        ASSERT_NE(end, IpEnd::unfinished);
        const std::size_t kind = end == IpEnd::colliding ? 1 : 0;
        ++histogram[kind][std::min(p.iterations, 15u)];
        most[kind] = std::max(most[kind], p.iterations);
    }
    for (const std::size_t kind : {0u, 1u}) {
        std::printf("%s:", kind == 0 ? "separated" : "colliding");
        for (std::size_t i = 0; i < 16; ++i)
            if (histogram[kind][i] > 0) std::printf(" %zu: %u", i, histogram[kind][i]);
        std::printf("\n");
    }
    // The paper reports 1 to 3 and 2 to 5 for coherent frames.
    EXPECT_LE(most[0], 7u);
    EXPECT_LE(most[1], 12u);
}

TEST(InteriorPoint, LP_4_3_verify_vertex_added_in_this_frame_is_not_dropped_again) {
    const ConvexHull hull = convex_hull(make_primitive(Primitive::ellipsoid_hull, 60, 3).positions).value();
    const Matrix34d still;
    std::vector<IpColumn> columns(hull.vertex_count);
    std::vector<double> along(hull.vertex_count);
    std::vector<std::uint32_t> order(hull.vertex_count);
    for (const bool sparse : {false, true}) {
        IpSide side;
        side.hull = &hull;
        side.about_a_from_hull = &still;
        side.column_storage = columns;
        if (!sparse) side.along = along;
        side.order = order;
        side.evaluate({1, 0, 0});
        if (sparse)
            side.choose_around_support(6);
        else
            side.choose_nearest(6);
        ASSERT_EQ(side.count, 6u);
        for (std::size_t i = 0; i < 6; ++i) {
            EXPECT_FALSE(side.column_storage[i].added);
            side.column_storage[i].slack = double(i);
        }
        std::vector<std::uint32_t> added;
        Random random(14);
        for (int round = 0; round < 12; ++round) {
            const std::vector<IpColumn> before(side.columns().begin(), side.columns().end());
            side.evaluate(random.unit_vector());
            if (side.has(side.support)) continue;
            EXPECT_EQ(side.add_violating(-100, 1), 1u);
            added.push_back(side.support);
            // First the six columns are replaced, the largest slack first; then the program grows.
            EXPECT_EQ(side.count, std::max<std::size_t>(6, added.size()));
            if (added.size() == 1) {
                EXPECT_FALSE(side.has(before[5].vertex));
                EXPECT_TRUE(side.has(before[4].vertex));
            }
            for (const std::uint32_t v : added) EXPECT_TRUE(side.has(v));
        }
        EXPECT_GT(added.size(), 6u);
        EXPECT_EQ(side.add_violating(100, 1), 0u) << "no vertex is beyond the bound";
    }
}

TEST(FourPairs, couples_two_combinations_of_the_same_point_into_at_most_four_pairs) {
    Random random(13);
    for (int round = 0; round < 300; ++round) {
        const Points v = cloud(random, 1 + random.below(12), {});
        std::vector<WeightedVertex> a, b;
        Vec3d meet;
        double total = 0;
        for (std::uint32_t i = 0; i < v.size(); ++i) a.push_back({i, random.uniform(0.01, 1), v[i]});
        for (const WeightedVertex& x : a) total += x.weight;
        for (WeightedVertex& x : a) meet += (x.weight /= total) * x.at;
        // Four points around the common point; their mean is that point.
        const Vec3d corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
        for (std::uint32_t i = 0; i < 4; ++i) b.push_back({i, 0.25, meet + 0.5 * corner[i]});
        const FourPairs pairs = couple(a, b);
        ASSERT_LE(pairs.count(), 4);
        double weights = 0;
        Vec3d sum;
        for (int i = 0; i < pairs.count(); ++i) {
            EXPECT_GE(pairs.weight(i), 0);
            weights += pairs.weight(i);
            sum += pairs.weight(i) * pairs.point(i);
            const Vec3d expected = v[pairs.pair(i).a] - (meet + 0.5 * corner[pairs.pair(i).b]);
            EXPECT_EQ(pairs.point(i), expected);
        }
        EXPECT_NEAR(weights, 1, 1e-12);
        EXPECT_LT(length(sum), 1e-12);
    }
}

}  // namespace
}  // namespace claybox::collision
