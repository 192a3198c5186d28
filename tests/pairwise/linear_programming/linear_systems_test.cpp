// Seidel's program and Fourier-Motzkin elimination on small systems, compared with brute force and with each
// other.

#include "collision/core/random.hpp"
#include "collision/pairwise/linear_programming/fourier_motzkin.hpp"
#include "collision/pairwise/linear_programming/seidel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace claybox::collision {
namespace {

constexpr double kBox = 8;

template <std::size_t D>
using System = std::vector<HalfSpace<D>>;

const auto kNothing = [](std::size_t, const auto&) {};

template <std::size_t D>
SeidelAnswer<D> seidel(const System<D>& rows, const Coordinates<D>& objective, double box = kBox,
                       SeidelCounts* counts = nullptr) {
    std::vector<std::byte> storage(seidel_bytes<D>(rows.size()));
    SeidelCounts own;
    return solve_seidel<D>(std::span<const HalfSpace<D>>(rows), objective, box, storage,
                           counts != nullptr ? *counts : own, kNothing);
}

template <std::size_t D>
EliminationAnswer<D> eliminate(const System<D>& rows, bool drop_redundant, EliminationCounts& counts) {
    std::vector<EliminatedRow<D>> storage(Elimination<D>::row_capacity(rows.size()));
    return Elimination<D>(rows, storage, drop_redundant, counts).run();
}

template <std::size_t D>
HalfSpace<D> random_row(Random& random, double low, double high) {
    HalfSpace<D> out;
    double size = 0;
    for (double& n : out.n) {
        n = random.uniform(-1, 1);
        size += n * n;
    }
    for (double& n : out.n) n /= std::sqrt(size);
    out.d = random.uniform(low, high);
    return out;
}

/// Half of them have no solution.
template <std::size_t D>
System<D> random_system(Random& random, std::size_t rows) {
    System<D> out;
    const double low = random.uniform(-0.9, 0.3);
    for (std::size_t i = 0; i < rows; ++i) out.push_back(random_row<D>(random, low, 1));
    return out;
}

template <std::size_t D>
System<D> shuffled(System<D> rows, Random& random) {
    for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
    return rows;
}

template <std::size_t D>
System<D> with_box(System<D> rows, double box) {
    for (std::size_t k = 0; k < D; ++k)
        for (const bool upper : {true, false}) rows.push_back(seidel_detail::bound<D>(k, upper, box));
    return rows;
}

template <std::size_t D>
double worst_excess(const System<D>& rows, const Coordinates<D>& x) {
    double out = -1e9;
    for (const HalfSpace<D>& row : rows) out = std::max(out, row.excess(x));
    return out;
}

/// The terms sum to 0 <= negative, with nonnegative multipliers.
template <std::size_t D>
void expect_contradiction(const System<D>& rows, std::span<const FarkasTerm> terms) {
    Coordinates<D> n{};
    double d = 0, total = 0;
    for (const FarkasTerm& term : terms) {
        ASSERT_LT(term.row, rows.size());
        EXPECT_GE(term.multiplier, 0);
        total += term.multiplier;
        for (std::size_t k = 0; k < D; ++k) n[k] += term.multiplier * rows[term.row].n[k];
        d += term.multiplier * rows[term.row].d;
    }
    EXPECT_GT(total, 0);
    for (const double value : n) EXPECT_NEAR(value, 0, 1e-9 * total);
    EXPECT_LT(d, 0);
}

double determinant(const Coordinates<3>& a, const Coordinates<3>& b, const Coordinates<3>& c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// The largest objective over all corners of the system and its box; minus infinity if there is none.
double by_corners(const System<3>& given, const Coordinates<3>& objective) {
    const System<3> rows = with_box(given, kBox);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            for (std::size_t k = 0; k < j; ++k) {
                const HalfSpace<3>*p = &rows[i], *q = &rows[j], *r = &rows[k];
                const double det = determinant(p->n, q->n, r->n);
                if (std::abs(det) < 1e-9) continue;
                Coordinates<3> x;
                for (std::size_t c = 0; c < 3; ++c) {
                    Coordinates<3> a = p->n, b = q->n, e = r->n;
                    a[c] = p->d;
                    b[c] = q->d;
                    e[c] = r->d;
                    x[c] = determinant(a, b, e) / det;
                }
                if (worst_excess(rows, x) > 1e-9) continue;
                best = std::max(best, objective[0] * x[0] + objective[1] * x[1] + objective[2] * x[2]);
            }
    return best;
}

TEST(LinearSystem, CN_lp_form_optimum_equals_that_of_the_best_corner) {
    Random random(1);
    std::size_t feasible = 0;
    for (int round = 0; round < 300; ++round) {
        const System<3> rows = random_system<3>(random, 3 + random.below(9));
        const Coordinates<3> objective = random_row<3>(random, 0, 1).n;
        const SeidelAnswer<3> answer = seidel<3>(rows, objective);
        const double best = by_corners(rows, objective);
        ASSERT_EQ(answer.feasible, std::isfinite(best));
        if (!answer.feasible) continue;
        ++feasible;
        double reached = 0;
        for (std::size_t k = 0; k < 3; ++k) reached += objective[k] * answer.x[k];
        EXPECT_NEAR(reached, best, 1e-8);
        EXPECT_LT(worst_excess(rows, answer.x), 1e-9);
    }
    EXPECT_GT(feasible, 60u);
    EXPECT_LT(feasible, 240u);
}

/// Compares both methods, their points and their contradictions.
template <std::size_t D>
void expect_both_agree(std::uint64_t seed) {
    Random random(seed);
    std::size_t feasible = 0;
    for (int round = 0; round < 400; ++round) {
        // Bounded by its own rows, so that both methods see the same system.
        const System<D> rows = with_box(random_system<D>(random, 3 + random.below(10)), 4);
        const SeidelAnswer<D> program = seidel<D>(rows, random_row<D>(random, 0, 1).n);
        for (const bool drop : {false, true}) {
            EliminationCounts counts;
            const EliminationAnswer<D> elimination = eliminate<D>(rows, drop, counts);
            ASSERT_EQ(elimination.feasible, program.feasible) << round;
            if (elimination.feasible)
                EXPECT_LT(worst_excess(rows, elimination.x), 1e-9);
            else
                expect_contradiction<D>(rows, {elimination.conflict.data(), elimination.conflict_count});
        }
        feasible += program.feasible ? 1 : 0;
        if (program.feasible) {
            EXPECT_LT(worst_excess(rows, program.x), 1e-9);
            continue;
        }
        EXPECT_LE(program.conflict_count, D + 1);
        expect_contradiction<D>(with_box(rows, kBox), {program.conflict.data(), program.conflict_count});
    }
    EXPECT_GT(feasible, 60u);
    EXPECT_LT(feasible, 340u);
}

TEST(LinearSystem, CN_fm_and_seidel_return_the_same_verdict_with_proofs) {
    expect_both_agree<2>(2);
    expect_both_agree<3>(3);
}

TEST(LinearSystem, CN_fm_growth_is_counted_and_redundant_rows_can_be_dropped) {
    Random random(4);
    std::uint64_t last = 0;
    for (const std::size_t m : {8u, 16u, 32u, 64u}) {
        System<3> rows;  // around a sphere: every variable has as many upper as lower bounds
        for (std::size_t i = 0; i < m; ++i) rows.push_back(random_row<3>(random, 1, 1));
        EliminationCounts all, few;
        EXPECT_TRUE(eliminate<3>(rows, false, all).feasible);
        EXPECT_TRUE(eliminate<3>(rows, true, few).feasible);
        EXPECT_GE(all.largest, m * m / 4) << "far more rows than were given";
        EXPECT_LE(all.largest, m * m * m * m / 64 + m * m);
        if (last > 0) {
            EXPECT_GT(all.largest, 8 * last) << "twice the rows: about 16 times as many";
        }
        EXPECT_LT(few.combined, all.combined);
        last = all.largest;
    }
}

TEST(LinearSystem, CN_fm_is_consistent_if_and_only_if_the_largest_lower_bound_is_at_most_the_smallest_upper) {
    for (const double gap : {-1.0, -1e-6, -1e-9, 0.0, 1e-9, 1e-6, 1.0}) {
        // Of the variable eliminated first, and of the remaining one.
        for (const System<2>& rows : {System<2>{{{1, 0}, 0}, {{-1, 0}, -gap}, {{0, 1}, 1}, {{0, -1}, 1}},
                                      System<2>{{{0, 1}, 0}, {{0, -1}, -gap}, {{1, 0}, 1}, {{-1, 0}, 1}}}) {
            EliminationCounts counts;
            EXPECT_EQ(eliminate<2>(rows, true, counts).feasible, gap <= 0) << gap;
            EXPECT_EQ(seidel<2>(rows, {1, 1}).feasible, gap <= 0) << gap;
        }
    }
    EliminationCounts counts;
    const System<2> half{{{1, 0}, -5}};  // a variable without bounds is free
    const EliminationAnswer<2> answer = eliminate<2>(half, true, counts);
    EXPECT_TRUE(answer.feasible);
    EXPECT_LE(worst_excess(half, answer.x), 0);
}

TEST(LinearSystem, CN_seidel_shuffled_rows_yield_the_same_verdict_and_optimum) {
    Random random(5);
    for (int round = 0; round < 40; ++round) {
        const System<3> rows = random_system<3>(random, 30);
        const Coordinates<3> objective = random_row<3>(random, 0, 1).n;
        const SeidelAnswer<3> first = seidel<3>(rows, objective);
        for (int order = 0; order < 25; ++order) {
            const SeidelAnswer<3> answer = seidel<3>(shuffled(rows, random), objective);
            ASSERT_EQ(answer.feasible, first.feasible);
            if (!first.feasible) continue;
            for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(answer.x[k], first.x[k], 1e-8);
        }
    }
}

TEST(LinearSystem, CN_seidel_number_of_checks_is_linear_in_the_number_of_constraints) {
    Random random(6);
    double per_row[2] = {};
    for (const std::size_t m : {100u, 6400u}) {
        double checks = 0;
        std::uint32_t recursions = 0;
        constexpr int kRounds = 40;
        for (int round = 0; round < kRounds; ++round) {
            System<3> rows;
            for (std::size_t i = 0; i < m; ++i) rows.push_back(random_row<3>(random, 1, 1));
            SeidelCounts counts;
            EXPECT_TRUE(seidel<3>(rows, {0.6, 0.8, 0}, kBox, &counts).feasible);
            checks += static_cast<double>(counts.checks) / kRounds;
            recursions += counts.recursions;
        }
        EXPECT_GT(recursions, 3u * kRounds) << "programs of two dimensions and of one";
        per_row[m == 100 ? 0 : 1] = checks / static_cast<double>(m);
    }
    std::printf("checks per constraint: %.1f of 100, %.1f of 6400\n", per_row[0], per_row[1]);
    EXPECT_LT(per_row[1], 1.5 * per_row[0]);
    EXPECT_LT(per_row[1], 30);
    // Sorted against the objective, every constraint moves the optimum. This is why the order is random.
    System<3> worst;
    for (int i = 200; i > 0; --i) worst.push_back({{1, 0, 0}, i * 0.01});
    SeidelCounts sorted, random_order;
    seidel<3>(worst, {1, 0, 0}, kBox, &sorted);
    seidel<3>(shuffled(worst, random), {1, 0, 0}, kBox, &random_order);
    EXPECT_GT(sorted.checks, 10 * random_order.checks);
}

TEST(LinearSystem, CN_seidel_bounds_unbounded_programs_and_reports_it) {
    EXPECT_FALSE(seidel<3>({}, {1, 0, 0}).bounded);
    EXPECT_FALSE(seidel<3>({{{1, 0, 0}, 0.5}}, {0, 1, 0}).bounded);
    const System<2> wedge{{{1, 0}, 1}, {{0, 1}, 1}};
    EXPECT_TRUE(seidel<2>(wedge, {1, 1}).bounded);
    EXPECT_FALSE(seidel<2>(wedge, {-1, 0}).bounded);
    EXPECT_TRUE(seidel<2>(wedge, {-1, 0}).feasible);
    // Nearly parallel planes intersect far outside the box, so the box is part of the contradiction.
    const System<2> far{{{1, 0}, 0}, {{-std::sqrt(1 - 1e-4), 1e-2}, -0.5}};
    const SeidelAnswer<2> answer = seidel<2>(far, {0, 1});
    EXPECT_FALSE(answer.feasible);
    expect_contradiction<2>(with_box(far, kBox), {answer.conflict.data(), answer.conflict_count});
    // Half-spaces without a normal are everything or nothing.
    EXPECT_TRUE(seidel<3>({{{0, 0, 0}, 0}}, {1, 0, 0}).feasible);
    EXPECT_FALSE(seidel<3>({{{0, 0, 0}, -1}}, {1, 0, 0}).feasible);
}

using Triangle = std::array<Coordinates<2>, 3>;

System<2> half_planes(const Triangle& t) {
    System<2> out;
    const auto turn = [&](std::size_t i, std::size_t j, std::size_t k) {
        return (t[j][0] - t[i][0]) * (t[k][1] - t[i][1]) - (t[j][1] - t[i][1]) * (t[k][0] - t[i][0]);
    };
    const double sense = turn(0, 1, 2) > 0 ? 1 : -1;
    for (std::size_t i = 0; i < 3; ++i) {
        const Coordinates<2>&a = t[i], &b = t[(i + 1) % 3];
        const Coordinates<2> n{sense * (b[1] - a[1]), sense * (a[0] - b[0])};
        out.push_back({n, n[0] * a[0] + n[1] * a[1]});
    }
    return out;
}

/// The separating axis theorem: for two convex polygons the normals of the edges suffice.
bool triangles_intersect(const Triangle& a, const Triangle& b) {
    for (const auto& [t, other] : {std::pair{a, b}, std::pair{b, a}})
        for (const HalfSpace<2>& row : half_planes(t)) {
            double nearest = std::numeric_limits<double>::infinity();
            for (const Coordinates<2>& p : other) nearest = std::min(nearest, row.excess(p));
            if (nearest > 0) return false;
        }
    return true;
}

TEST(LinearSystem, CN_seidel_ex_worked_example_and_its_shifts_agree_with_the_separating_axis_test) {
    const Triangle a{{{1, 0}, {5, -1}, {4, 3}}}, b{{{0, 0}, {4, 1}, {1, 4}}};
    // The six half-planes, written out.
    const System<2> six{{{-1, -4}, -1}, {{4, 1}, 19}, {{-1, 1}, -1}, {{1, -4}, 0}, {{1, 1}, 5}, {{-4, 1}, 0}};
    System<2> made = half_planes(a);
    for (const HalfSpace<2>& row : half_planes(b)) made.push_back(row);
    ASSERT_EQ(made.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        const double scale = std::hypot(made[i].n[0], made[i].n[1]) / std::hypot(six[i].n[0], six[i].n[1]);
        EXPECT_NEAR(made[i].n[0], scale * six[i].n[0], 1e-12);
        EXPECT_NEAR(made[i].n[1], scale * six[i].n[1], 1e-12);
        EXPECT_NEAR(made[i].d, scale * six[i].d, 1e-12);
    }
    EXPECT_TRUE(triangles_intersect(a, b));
    const SeidelAnswer<2> answer = seidel<2>(six, {0, 1}, 100);
    EXPECT_TRUE(answer.feasible);
    EXPECT_TRUE(answer.bounded);
    // Step by step: every new optimum satisfies all half-planes so far.
    std::vector<std::byte> storage(seidel_bytes<2>(6));
    SeidelCounts counts;
    std::size_t steps = 0;
    solve_seidel<2>(std::span<const HalfSpace<2>>(six), {0, 1}, 100, storage, counts,
                    [&](std::size_t at, const Coordinates<2>& x) {
                        ++steps;
                        for (std::size_t i = 0; at < 6 && i <= at; ++i) EXPECT_LT(six[i].excess(x), 1e-9);
                    });
    EXPECT_GE(steps, 3u);
    std::size_t apart = 0;
    for (int x = -12; x <= 12; ++x)
        for (int y = -12; y <= 12; ++y) {
            Triangle moved = b;  // by quarters, but never in mere contact
            for (Coordinates<2>& p : moved) {
                p[0] += 0.5 * x + 0.013;
                p[1] += 0.5 * y + 0.0071;
            }
            System<2> rows = half_planes(a);
            for (const HalfSpace<2>& row : half_planes(moved)) rows.push_back(row);
            const bool meet = triangles_intersect(a, moved);
            apart += meet ? 0 : 1;
            EXPECT_EQ(seidel<2>(rows, {0, 1}, 100).feasible, meet) << x << " " << y;
            EliminationCounts made_rows;
            EXPECT_EQ(eliminate<2>(rows, true, made_rows).feasible, meet) << x << " " << y;
        }
    EXPECT_GT(apart, 100u);
    EXPECT_LT(apart, 600u);
}

}  // namespace
}  // namespace claybox::collision
