// The kernel of the separating vector search in double, as in the paper: touching is no collision here.

#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/pairwise/separating_vector/separating_vector.hpp"
#include "collision/pairwise/separating_vector/separating_vector_2d.hpp"
#include "collision/pairwise/separating_vector/visited_pairs.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace claybox::collision {
namespace {

using Ray = VisitedRay<double>;
using Step = VectorStep<double>;

/// The vertices of two bodies in one frame; supports by brute force, lowest index first.
struct Clouds {
    std::vector<Vec3d> p, q;

    static std::uint32_t furthest(const std::vector<Vec3d>& points, const Vec3d& d) {
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < points.size(); ++i)
            if (dot(points[i], d) > dot(points[best], d)) best = i;
        return best;
    }
    Vec3d operator()(const Vec3d& s, VertexPair& pair) const {
        pair = {furthest(p, s), furthest(q, -s)};
        return q[pair.b] - p[pair.a];
    }
    Vec3d centroid_direction() const {
        const auto mean = [](const std::vector<Vec3d>& points) {
            return std::accumulate(points.begin(), points.end(), Vec3d{}) /
                   static_cast<double>(points.size());
        };
        return unit(mean(q) - mean(p));
    }
};

struct Search {
    VectorAnswer<double> answer;
    std::vector<Step> steps;
    std::vector<Ray> rays;
    bool collides() const { return answer.last.move == VectorMove::surrounded; }
};

/// A cold search with storage for all vertices of the difference.
template <class Space = SolidSpace, class Support>
Search search(Support& support, const Vec3d& s, std::uint32_t count_p, std::uint32_t count_q) {
    Search out;
    std::vector<Ray> ray_storage(std::size_t{count_p} * count_q);
    using Table = VisitedPairs<std::uint16_t>;
    std::vector<Table::Slot> slots(Table::slots_for(count_p, count_q));
    std::uint16_t stamp = 0;
    Table visited(slots, stamp, count_p, count_q);
    out.answer = search_separating_vector<Space>(VectorStart<double>{s, {}, 0, {}},
                                                 std::span<Ray>(ray_storage), visited, support,
                                                 [&](const Step& step) { out.steps.push_back(step); });
    ray_storage.resize(out.answer.last.rays);
    out.rays = std::move(ray_storage);
    return out;
}
Search search(Clouds& c) {
    const Vec3d s = c.centroid_direction();
    return search(c, s == Vec3d{} ? Vec3d{1, 0, 0} : s, static_cast<std::uint32_t>(c.p.size()),
                  static_cast<std::uint32_t>(c.q.size()));
}

std::vector<Vec3d> cube(const Vec3d& centre, double half) {
    std::vector<Vec3d> out;
    for (int i = 0; i < 8; ++i)
        out.push_back(centre + Vec3d{(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half,
                                     (i & 4) != 0 ? half : -half});
    return out;
}

/// Points on an ellipsoid with random axes, randomly rotated.
std::vector<Vec3d> body(Random& random, const Vec3d& centre, int count = 20) {
    const Vec3d x = random.unit_vector(), y = unit(cross(x, random.unit_vector())), z = cross(x, y);
    const double a = random.uniform(0.1, 1), b = random.uniform(0.1, 1);
    std::vector<Vec3d> out;
    for (int i = 0; i < count; ++i) {
        const Vec3d u = random.unit_vector();
        out.push_back(centre + u.x * x + a * u.y * y + b * u.z * z);
    }
    return out;
}

/// Two bodies far from the origin; about half of them collide.
Clouds pair_of_bodies(Random& random, int count = 20) {
    const Vec3d at = 10.0 * random.unit_vector();
    Clouds out{body(random, at, count), {}};
    const double distance = random.uniform(0.2, 1.8);
    out.q = body(random, at + distance * random.unit_vector(), count);
    return out;
}

/// Whether some w has dot(w, r) >= 0 for all rays. Tests all pairs of rays; requires rays in general
/// position.
bool on_one_side(const std::vector<Ray>& rays) {
    for (std::size_t i = 0; i < rays.size(); ++i)
        for (std::size_t j = i + 1; j < rays.size(); ++j)
            for (const double sign : {1.0, -1.0}) {
                const Vec3d w = sign * cross(rays[i].r, rays[j].r);
                bool all = true;
                for (std::size_t k = 0; k < rays.size(); ++k)
                    all = all && (k == i || k == j || dot(w, rays[k].r) >= 0);
                if (all) return true;
            }
    return rays.size() < 3;
}

bool surround_origin(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const auto det = [](const Vec3d& u, const Vec3d& v, const Vec3d& w) { return dot(u, cross(v, w)); };
    const double v[] = {det(b, c, d), det(a, d, c), det(a, b, d), det(a, c, b)};
    return (v[0] > 0 && v[1] > 0 && v[2] > 0 && v[3] > 0) || (v[0] < 0 && v[1] < 0 && v[2] < 0 && v[3] < 0);
}

TEST(SeparatingVector, CW_2_2_lemma1_face_contact_is_no_collision_but_the_slightest_overlap_is) {
    Clouds touching{cube({0, 0, 0}, 1), cube({2, 0, 0}, 1)};
    const Search touch = search(touching);
    EXPECT_EQ(touch.answer.last.move, VectorMove::separates);
    EXPECT_EQ(touch.answer.last.gap, 0.0);
    EXPECT_EQ(touch.steps.size(), 1u);
    Clouds inside{cube({0, 0, 0}, 1), cube({2 - 1e-6, 0.1, 0.3}, 1)};
    EXPECT_TRUE(search(inside).collides());
    Clouds outside{cube({0, 0, 0}, 1), cube({2 + 1e-6, 0.1, 0.3}, 1)};
    EXPECT_FALSE(search(outside).collides());
}

TEST(SeparatingVector, CW_2_2_reflect_keeps_length_and_plane_and_changes_the_sign) {
    Random random(11);
    for (int i = 0; i < 10000; ++i) {
        const Vec3d s = random.unit_vector(), r = random.unit_vector(), next = reflected(s, r);
        EXPECT_NEAR(length(next), 1, 1e-12);
        EXPECT_NEAR(dot(next, cross(s, r)), 0, 1e-12);
        EXPECT_NEAR(dot(next, r), -dot(s, r), 1e-12);
    }
    Clouds one_point{{{1, 2, 3}}, {{1, 2, 3}}};  // q = p has no r: S.0 >= 0 ends the search first
    const Search touch = search(one_point);
    EXPECT_EQ(touch.answer.last.move, VectorMove::separates);
    EXPECT_TRUE(is_finite(touch.answer.last.s));
}

/// Balls have a support for every direction; every step has its own pair.
struct Balls {
    Vec3d between;
    double radii;
    std::uint32_t calls = 0;
    Vec3d operator()(const Vec3d& s, VertexPair& pair) {
        pair = {calls, calls};
        ++calls;
        return between - radii * s;
    }
};

TEST(SeparatingVector, CW_2_2_ball_one_reflection_suffices_for_disjoint_balls) {
    Random random(12);
    int second = 0;
    for (int i = 0; i < 20000; ++i) {
        Balls balls{random.vector(1.0, 3.0), 0};
        balls.radii = length(balls.between) * random.uniform(0.01, 0.999);
        const Vec3d s = random.unit_vector();
        const Search run = search(balls, s, 4, 4);
        ASSERT_EQ(run.answer.last.move, VectorMove::separates);
        ASSERT_LE(run.steps.size(), 2u);
        if (run.steps.size() < 2) continue;
        ++second;
        const double c = dot(balls.between, s), big = balls.radii;
        const double want =
            (c - big) * (big * big - length_squared(balls.between)) / length_squared(run.steps[0].m);
        EXPECT_NEAR(run.steps[1].gap, want, 1e-9);
        EXPECT_GT(want, 0);
    }
    EXPECT_GT(second, 5000);
}

TEST(SeparatingVector, CW_3_lemma2_every_step_approaches_every_separating_vector) {
    Random random(13);
    int steps = 0;
    for (int i = 0; i < 4000; ++i) {
        Clouds c{body(random, {}), {}};
        const Vec3d w = random.unit_vector();  // moving Q along it makes it a separating vector
        c.q = body(random, 0.8 * random.unit_vector());
        const double overlap = dot(w, c.p[Clouds::furthest(c.p, w)]) - dot(w, c.q[Clouds::furthest(c.q, -w)]);
        for (Vec3d& v : c.q) v += (overlap + 0.01) * w;
        const Search run = search(c, random.unit_vector(), 20, 20);
        ASSERT_FALSE(run.collides());
        for (std::size_t k = 0; k + 1 < run.steps.size(); ++k) {
            if (run.steps[k].move != VectorMove::reflected) continue;
            EXPECT_GT(dot(run.steps[k + 1].s, w), dot(run.steps[k].s, w));
            ++steps;
        }
    }
    EXPECT_GT(steps, 1000);
}

/// A prescribed result of the support search: m is `fixed` plus a multiple of S.
struct ScriptStep {
    VertexPair pair;
    double along_s;
    Vec3d fixed;
};
/// Just behind S, as rounding might yield.
constexpr double kJustBehind = -1e-17;

struct Script {
    std::vector<ScriptStep> steps;
    std::size_t at = 0;
    /// After the last step S separates.
    Vec3d operator()(const Vec3d& s, VertexPair& pair) {
        if (at == steps.size()) return s;
        const ScriptStep& line = steps[at++];
        pair = line.pair;
        return line.fixed + line.along_s * s;
    }
};

TEST(SeparatingVector, CW_3_lemma3_same_pair_twice_in_a_row_is_no_collision) {
    // In exact arithmetic S' = S - 2 (r.S) r cannot find the pair that reflected it; rounding may.
    Script script{{{{1, 2}, kJustBehind, {}}, {{1, 2}, kJustBehind, {}}}};
    const Search run = search(script, {1, 0, 0}, 4, 4);
    EXPECT_EQ(run.answer.last.move, VectorMove::repeats);
    EXPECT_EQ(run.steps.size(), 2u);
}

TEST(SeparatingVector, CW_4_1_mink_vector_exists_if_and_only_if_the_difference_excludes_the_origin) {
    Random random(14);
    int colliding = 0;
    for (int i = 0; i < 300; ++i) {
        Clouds c = pair_of_bodies(random, 8);
        const Search run = search(c);
        std::vector<Ray> all;
        for (const Vec3d& p : c.p)
            for (const Vec3d& q : c.q) all.push_back({unit(q - p), {}});
        EXPECT_EQ(run.collides(), !on_one_side(all));
        for (const Ray& ray : run.rays) EXPECT_NEAR(length(ray.r), 1, 1e-12);
        colliding += run.collides() ? 1 : 0;
    }
    EXPECT_GT(colliding, 80);
    EXPECT_LT(colliding, 220);
}

TEST(SeparatingVector, CW_4_2_incr_w_is_kept_if_valid_and_otherwise_perpendicular_to_the_newest_ray) {
    Random random(15);
    int kept = 0, renewed = 0;
    for (int i = 0; i < 3000; ++i) {
        std::vector<Ray> rays;
        Vec3d w;
        RayRing ring;
        const Vec3d pole = random.unit_vector();
        for (int k = 0; k < 12; ++k) {
            Vec3d r = random.unit_vector();
            if (dot(r, pole) < 0) r = -r;
            const Vec3d before = w;
            ASSERT_TRUE(keep_on_one_side<SolidSpace>(std::span<const Ray>(rays), r, w, ring));
            rays.push_back({r, {}});
            EXPECT_NEAR(length(w), 1, 1e-12);
            for (const Ray& ray : rays) EXPECT_GE(dot(w, ray.r), -1e-12);
            if (k == 0) {  // FIX-1: the paper defines no w for one ray
                EXPECT_EQ(w, r);
            }
            if (k == 1) {
                EXPECT_NEAR(length(w - unit(rays[0].r + r)), 0, 1e-9);
            }
            if (k < 2) continue;
            if (dot(r, before) > 0) {
                EXPECT_EQ(w, before);
                ++kept;
            } else {
                EXPECT_NEAR(dot(w, r), 0, 1e-12);
                ++renewed;
            }
        }
    }
    EXPECT_GT(kept, 5000);
    EXPECT_GT(renewed, 1000);
}

TEST(SeparatingVector, CW_4_2_findsep_agrees_with_brute_force_and_returns_the_surrounding_rays) {
    Random random(16);
    int surrounded = 0;
    for (int i = 0; i < 3000; ++i) {
        std::vector<Ray> rays;
        Vec3d w;
        const Vec3d pole = random.unit_vector();
        for (int k = 0; k < 40; ++k) {
            const Vec3d r = unit(random.unit_vector() + 0.9 * pole);
            RayRing ring;
            const bool one_side = keep_on_one_side<SolidSpace>(std::span<const Ray>(rays), r, w, ring);
            rays.push_back({r, {}});
            ASSERT_EQ(one_side, on_one_side(rays));
            if (one_side) continue;
            EXPECT_EQ(ring.count, 3);
            EXPECT_TRUE(surround_origin(rays[ring.ray[0]].r, rays[ring.ray[1]].r, rays[ring.ray[2]].r, r));
            ++surrounded;
            break;
        }
    }
    EXPECT_GT(surrounded, 1000);
}

TEST(SeparatingVector, CW_4_2_findsep_handles_zero_opposite_and_collinear_projections) {
    const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    struct Case {
        std::vector<Vec3d> rays;
        /// index of the first ray that cannot be added; the number of rays if there is none
        std::size_t fails_at;
    };
    const Case cases[] = {
        {{x, -x}, 2},         // r_2 = -r_1
        {{x, -x, y, -y}, 4},  // all on one great circle: w = +-z
        {{x, -x, y, -y, z}, 5},
        {{x, -x, y, -y, z, -z}, 5},    // both directions of every axis
        {{x, x, x, -x, -x}, 5},        // repeated; all projections zero
        {{x, y, -x, z, -z}, 5},        // w = y
        {{x, y, unit(-x - y), z}, 4},  // three around the origin of a plane
        {{x, y, unit(-x - y), z, -z}, 4},
        {{x, y, z, unit(-x - y - z)}, 3},
        {{unit(x + z), unit(-x + z), unit(y + z), unit(-y + z), -z}, 4},
        {{unit(x + z), unit(-x + z), -z}, 3},  // only opposite projections
        {{unit(x + z), unit(-x + z), unit(y + z), -z}, 4},
        {{unit(x + z), unit(-x + z), unit(-y + z), -z, unit(-y - z)}, 5},
    };
    for (const Case& c : cases) {
        std::vector<Ray> rays;
        Vec3d w;
        RayRing ring;
        std::size_t taken = 0;
        while (taken < c.rays.size() &&
               keep_on_one_side<SolidSpace>(std::span<const Ray>(rays), c.rays[taken], w, ring)) {
            rays.push_back({c.rays[taken++], {}});
            EXPECT_NEAR(length(w), 1, 1e-12);
            for (const Ray& ray : rays) EXPECT_GE(dot(w, ray.r), -1e-12) << (&c - cases) << " " << taken;
        }
        EXPECT_EQ(taken, c.fails_at) << &c - cases;
    }
}

TEST(SeparatingVector, CW_4_3_reoccur_continues_from_w) {
    // Pair 0 comes back after pair 1: the next S is the w with both rays on its side.
    Script script{
        {{{0, 0}, 0, {-1, 0.5, 0}}, {{1, 1}, -0.3, {0, 0, 0.2}}, {{0, 0}, kJustBehind, {}}, {{2, 2}, 1, {}}}};
    const Search run = search(script, {1, 0, 0}, 4, 4);
    ASSERT_EQ(run.steps.size(), 4u);
    EXPECT_EQ(run.steps[2].move, VectorMove::restart_from_w);
    EXPECT_EQ(run.answer.reoccurrences, 1u);
    EXPECT_EQ(run.steps[3].s, run.steps[2].w);
    EXPECT_GE(dot(run.steps[3].s, run.rays[0].r), -1e-12);
    EXPECT_GE(dot(run.steps[3].s, run.rays[1].r), -1e-12);
}

TEST(SeparatingVector, CW_4_3_lemma4_old_pair_for_w_is_no_collision) {
    Script script{{{{0, 0}, kJustBehind, {}},
                   {{1, 1}, -0.3, {0, 0, 0.2}},
                   {{0, 0}, kJustBehind, {}},
                   {{1, 1}, kJustBehind, {}}}};
    const Search run = search(script, {1, 0, 0}, 4, 4);
    EXPECT_EQ(run.answer.last.move, VectorMove::plane_holds);
    EXPECT_EQ(run.steps.size(), 4u);
}

TEST(SeparatingVector, CW_4_3_finite_terminates_without_a_cap_and_visits_no_pair_twice) {
    Random random(17);
    std::size_t most = 0, reoccurrences = 0;
    for (int i = 0; i < 20000; ++i) {
        Clouds c = pair_of_bodies(random, 4 + static_cast<int>(random.below(30)));
        const double flat = std::pow(10.0, -random.uniform(0.0, 8.0));
        for (Vec3d& v : c.p) v.y *= flat;
        for (Vec3d& v : c.q) v.y *= flat;
        const Search run = search(c);
        most = std::max(most, run.steps.size());
        reoccurrences += run.answer.reoccurrences;
        EXPECT_LE(run.steps.size(), 2 * run.rays.size() + 2);
        EXPECT_NE(run.answer.last.move, VectorMove::rays_full);
        for (std::size_t a = 0; a < run.rays.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                EXPECT_FALSE(run.rays[a].pair.a == run.rays[b].pair.a &&
                             run.rays[a].pair.b == run.rays[b].pair.b);
    }
    std::printf("most steps %zu, revisited pairs %zu\n", most, reoccurrences);
    EXPECT_LT(most, 200u);
}

TEST(SeparatingVector, CW_A_code_and_CN_cw_decide_cold_pairs_like_brute_force) {
    // FIX-4: with the printed sign, bodies on one side of the origin, like all of these, would be misjudged.
    Random random(18);
    int disjoint = 0, in_three = 0, colliding = 0;
    for (int i = 0; i < 1500; ++i) {
        Clouds c = pair_of_bodies(random);
        const Search run = search(c);
        if (run.collides()) {
            const std::size_t* ring = run.answer.ring.ray;
            EXPECT_TRUE(surround_origin(run.rays[ring[0]].r, run.rays[ring[1]].r, run.rays[ring[2]].r,
                                        run.rays.back().r));
            ++colliding;
            continue;
        }
        const Vec3d s = run.answer.last.s;
        double top = -1e9, bottom = 1e9;
        for (const Vec3d& v : c.p) top = std::max(top, dot(s, v));
        for (const Vec3d& v : c.q) bottom = std::min(bottom, dot(s, v));
        EXPECT_LE(top, bottom + 1e-12);
        ++disjoint;
        in_three += run.steps.size() <= 3 ? 1 : 0;
    }
    std::printf("%d colliding, %d disjoint, %.1f %% of these in three steps\n", colliding, disjoint,
                100.0 * in_three / disjoint);
    EXPECT_GT(colliding, 400);
    EXPECT_GT(disjoint, 400);
    EXPECT_GT(in_three, 0.9 * disjoint);
}

std::vector<Vec3d> polygon(Random& random, const Vec3d& centre) {
    const int corners = 3 + static_cast<int>(random.below(9));
    const double a = random.uniform(0.2, 1), turn = random.uniform(0, 6);
    std::vector<Vec3d> out;
    for (int i = 0; i < corners; ++i) {
        const SinCos angle = sin_cos(2 * kPi * i / corners + random.uniform(0, 0.5)), by = sin_cos(turn);
        const double x = angle.cos, y = a * angle.sin;
        out.push_back(centre + Vec3d{by.cos * x - by.sin * y, by.sin * x + by.cos * y, 0});
    }
    return out;
}

/// Separating axes perpendicular to every side: in the plane these are all.
bool polygons_intersect(const std::vector<Vec3d>& p, const std::vector<Vec3d>& q) {
    for (const auto* sides : {&p, &q})
        for (std::size_t i = 0; i < sides->size(); ++i) {
            const Vec3d along = (*sides)[(i + 1) % sides->size()] - (*sides)[i];
            const Vec3d n{along.y, -along.x, 0};
            const std::vector<Vec3d>& other = sides == &p ? q : p;
            if (dot(n, other[Clouds::furthest(other, -n)] - (*sides)[Clouds::furthest(*sides, n)]) > 0)
                return false;
        }
    return true;
}

TEST(SeparatingVector, CW_2_2_2d_decides_convex_polygons_and_stays_in_the_plane) {
    Random random(19);
    int meeting = 0;
    std::size_t most = 0;
    for (int i = 0; i < 5000; ++i) {
        const std::vector<Vec3d> p = polygon(random, {});
        const SinCos at = sin_cos(random.uniform(0, 6));
        const double distance = random.uniform(0.2, 2.2);
        const std::vector<Vec3d> q = polygon(random, {distance * at.cos, distance * at.sin, 0});
        PolygonPair polygons{p, q};
        const Search run =
            search<PlaneSpace>(polygons, Vec3d{at.cos, at.sin, 0}, static_cast<std::uint32_t>(p.size()),
                               static_cast<std::uint32_t>(q.size()));
        const bool meet = polygons_intersect(p, q);
        EXPECT_EQ(run.collides(), meet);
        meeting += meet ? 1 : 0;
        most = std::max(most, run.steps.size());
        for (const Step& step : run.steps) {
            EXPECT_EQ(step.s.z, 0.0);
            EXPECT_NEAR(length(step.s), 1, 1e-12);
            EXPECT_EQ(step.m, q[step.pair.b] - p[step.pair.a]);
            EXPECT_NEAR(dot(step.s, p[step.pair.a]), dot(step.s, p[Clouds::furthest(p, step.s)]), 1e-12);
        }
        if (!run.collides()) continue;
        ASSERT_EQ(run.answer.ring.count, 2);  // two rays and the newest surround the origin
        const Vec3d a = run.rays[run.answer.ring.ray[0]].r, b = run.rays[run.answer.ring.ray[1]].r;
        const Vec3d c = run.rays.back().r;
        const double ab = cross(a, b).z, bc = cross(b, c).z, ca = cross(c, a).z;
        EXPECT_TRUE((ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0));
    }
    EXPECT_GT(meeting, 1500);
    EXPECT_LT(meeting, 3500);
    EXPECT_LT(most, 20u);
}

/// Visits pairs like a search and compares with a list.
template <class Stamp>
void visit_and_compare(std::uint32_t count_a, std::uint32_t count_b, int searches, std::size_t visits) {
    using Table = VisitedPairs<Stamp>;
    std::vector<typename Table::Slot> slots(Table::slots_for(count_a, count_b));
    Stamp stamp = 0;
    Random random(20);
    for (int s = 0; s < searches; ++s) {
        Table table(slots, stamp, count_a, count_b);
        table.begin();
        std::vector<VertexPair> list;
        for (std::size_t i = 0; i < visits; ++i) {
            const VertexPair pair{static_cast<std::uint32_t>(random.below(count_a)),
                                  static_cast<std::uint32_t>(random.below(count_b))};
            bool want = false;
            for (const VertexPair& old : list) want = want || (old.a == pair.a && old.b == pair.b);
            ASSERT_EQ(table.seen(pair, list.size(), [&](std::size_t k) { return list[k]; }), want)
                << "search " << s;
            if (want) continue;
            table.enter(pair, list.size());
            list.push_back(pair);
        }
    }
}

TEST(SeparatingVector, CW_5_stamp_distinguishes_visits_across_the_wrap_and_beyond_its_capacity) {
    visit_and_compare<std::uint8_t>(6, 5, 1000, 20);     // one slot per pair; the stamp wraps three times
    visit_and_compare<std::uint8_t>(300, 400, 600, 60);  // pairs share slots
    visit_and_compare<std::uint16_t>(40, 40, 3, 1600);   // more visits than slots
    visit_and_compare<std::uint16_t>(2, 3, 70000, 3);    // past the wrap of 16 bits
    EXPECT_LE(VisitedPairs<std::uint16_t>::slots_for(2000, 2000) * sizeof(VisitedPairs<std::uint16_t>::Slot),
              4096u);
}

TEST(SeparatingVector, CW_5_stamp_clears_nothing_between_searches) {
    using Table = VisitedPairs<std::uint8_t>;
    std::vector<Table::Slot> slots(Table::slots_for(10, 10));
    std::uint8_t stamp = 0;
    std::size_t clears = 0;
    for (int s = 0; s < 510; ++s) {
        Table table(slots, stamp, 10, 10);
        slots[99] = {200, 7};  // clearing would erase this
        table.begin();
        EXPECT_NE(stamp, 0) << "the stamp of free slots";
        clears += slots[99].stamp == 0 ? 1 : 0;
    }
    EXPECT_EQ(clears, 2u);
}

}  // namespace
}  // namespace claybox::collision
