// Properties of screw_motion on random bodies and motions.

#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/continuous/screw_motion/screw_case.hpp"
#include "tests/support/environment.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace claybox::test {
namespace {

Vec3d random_vector(Random& random, double size) {
    const double x = random.uniform(-size, size), y = random.uniform(-size, size),
                 z = random.uniform(-size, size);
    return {x, y, z};
}

/// An L-shaped or star-shaped prism, a torus, an open sheet, a box.
std::vector<ShapePtr> bodies() {
    std::vector<ShapePtr> out;
    out.push_back(extruded({{-0.8f, -0.8f, 0},
                            {0.8f, -0.8f, 0},
                            {0.8f, -0.3f, 0},
                            {-0.3f, -0.3f, 0},
                            {-0.3f, 0.8f, 0},
                            {-0.8f, 0.8f, 0}},
                           0.3f));
    std::vector<Vec3f> star;
    for (int i = 0; i < 10; ++i) {
        const double angle = kPi * i / 5, r = i % 2 == 0 ? 0.9 : 0.35;
        star.push_back({static_cast<float>(r * std::cos(angle)), static_cast<float>(r * std::sin(angle)), 0});
    }
    out.push_back(extruded(star, 0.2f));
    out.push_back(make_primitive_shape(Primitive::torus, 60, 0.9f, 1).value());
    out.push_back(make_primitive_shape(Primitive::tetra_flake, 64, 0.9f, 1).value());
    out.push_back(box({-0.5f, -0.4f, -0.3f}, {0.5f, 0.4f, 0.3f}));
    // Open: a bent sheet of triangles.
    out.push_back(shape_of({{-0.8f, -0.7f, 0},
                            {0, -0.7f, 0.4f},
                            {0.8f, -0.7f, -0.1f},
                            {-0.8f, 0.7f, 0.2f},
                            {0, 0.7f, 0.5f},
                            {0.8f, 0.7f, 0}},
                           {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}));
    return out;
}

/// A random screw: about an axis near or far, with or without pitch; sometimes a translation.
Screw random_screw(Random& random, const Vec3d& near, const Vec3d& from) {
    Screw s;
    const int kind = static_cast<int>(random.uniform(0, 8));
    const Vec3d noise = random_vector(random, 1);
    s.axis = normalized(kind < 4 ? noise : near - from + 0.3 * noise);
    s.point = near + random_vector(random, kind == 0 ? 0.3 : kind == 1 ? 30.0 : 2.5);
    s.angle = kind == 2 ? 0 : kind == 3 ? random.uniform(-7, 7) : random.uniform(-1.5, 1.5);
    if (kind == 1) s.angle *= 0.1;
    s.pitch = kind == 3 ? 0 : kind > 3 ? 4 : random.uniform(-2, 2);
    return s;
}

ScrewCase random_case(Random& random, const std::vector<ShapePtr>& shapes) {
    const auto pick = [&] {
        return shapes[static_cast<std::size_t>(random.uniform(0, static_cast<double>(shapes.size()) - 1e-9))];
    };
    ScrewCase c;
    c.a = pick();
    c.b = pick();
    const Quat turn_a = random_rotation(random, 0, kPi), turn_b = random_rotation(random, 0, kPi);
    const Vec3d at_a = random_vector(random, 0.5), at_b = at_a + random_vector(random, 2.6);
    c.matrix_a = to_matrix({turn_a, at_a});
    c.matrix_b = to_matrix({turn_b, at_b});
    const int moving = static_cast<int>(random.uniform(0, 4));
    if (moving != 1) c.motion_b = Motion::along(random_screw(random, at_a, at_b));
    if (moving >= 1 && moving < 3) c.motion_a = Motion::along(random_screw(random, at_b, at_a));
    return c;
}

Matrix34f rounded(const Matrix34d& m) {
    Matrix34f out;
    for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m.m[i]);
    return out;
}

/// The exact test of the surfaces at a time, with their distance.
PairResult at_time(const ScrewCase& c, double t, Wants wants) {
    static Scratch scratch;
    static PairCache cache;
    PairQuery query = make_pair_query(*c.a, rounded(placement_at(c.matrix_a, c.motion_a, t)), *c.b,
                                      rounded(placement_at(c.matrix_b, c.motion_b, t)), scratch);
    query.wants = wants;
    return run_query(*find_pair_algorithm("mesh_bvh"), query, cache);
}

/// CLAYBOX_SCREW_CASES asks for a longer run.
int cases() {
    return static_cast<int>(number_from("CLAYBOX_SCREW_CASES", 1500));
}

TEST(ScrewProperty, agrees_with_dense_exact_tests_on_any_meshes) {
    Random random(7);
    const auto shapes = bodies();
    int hits = 0, starts = 0;
    double worst = 0;
    for (int i = 0; i < cases(); ++i) {
        const ScrewCase c = random_case(random, shapes);
        const ScrewOutcome out = run(c);
        ASSERT_NE(out.result.verdict, Verdict::undecided);
        starts += out.result.at_start;
        if (out.result.at_start) continue;
        const double until = out.hit() ? out.time() : 1;
        for (int k = 0; k <= 100; ++k) {
            const double t = 0.01 * k;
            if (t > until - 1e-4) break;
            ASSERT_EQ(at_time(c, t, kWantVerdict).verdict, Verdict::separated)
                << "case " << i << " overlaps at " << t << " before " << until;
        }
        if (!out.hit()) continue;
        ++hits;
        const PairResult contact = at_time(c, out.time(), kWantDistance);
        if (contact.verdict == Verdict::separated) {
            worst = std::max(worst, contact.distance);
            ASSERT_LT(contact.distance, 2e-6) << "case " << i << " at " << out.time();
        }
    }
    std::printf("%d hits, %d overlap at the start, largest distance at the contact %.3g\n", hits, starts,
                worst);
    EXPECT_GT(hits, cases() / 4);
}

TEST(ScrewProperty, selection_changes_no_first_contact) {
    // With and without drawing everything, at any resolution, for all contacts or for the first one.
    Random random(12);
    const auto shapes = bodies();
    int hits = 0;
    for (int i = 0; i < 400; ++i) {
        ScrewCase c = random_case(random, shapes);
        const ScrewOutcome fast = run(c, false), all = run(c);
        c.set(ScrewParameter::pixels, i % 2 == 0 ? 3 : 24);
        const ScrewOutcome other = run(c);
        c.set(ScrewParameter::hierarchy, 0);
        const ScrewOutcome drawn = run(c);
        ASSERT_EQ(all.hits.size(), other.hits.size()) << i;
        for (const ScrewOutcome* o : {&all, &other, &drawn}) {
            ASSERT_EQ(fast.result.verdict, o->result.verdict) << i;
            ASSERT_EQ(fast.result.at_start, o->result.at_start) << i;
            ASSERT_NEAR(fast.time(), o->time(), 1e-10) << i;
            ASSERT_EQ(fast.result.feature_a, o->result.feature_a) << i;
            ASSERT_EQ(fast.result.feature_b, o->result.feature_b) << i;
        }
        hits += fast.hit() && !fast.result.at_start;
    }
    EXPECT_GT(hits, 100);
}

TEST(ScrewProperty, swapping_the_bodies_keeps_time_and_place) {
    Random random(8);
    const auto shapes = bodies();
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        const ScrewCase c = random_case(random, shapes);
        ScrewCase s{c.b, c.a, c.matrix_b, c.matrix_a, c.motion_b, c.motion_a};
        const ScrewOutcome there = run(c), back = run(s);
        ASSERT_EQ(there.hit(), back.hit()) << i;
        ASSERT_EQ(there.result.at_start, back.result.at_start) << i;
        if (!there.hit() || there.result.at_start) continue;
        ++hits;
        ASSERT_NEAR(there.time(), back.time(), 1e-8) << i;
        ASSERT_LT(length(there.result.point_w - back.result.point_w), 1e-6) << i;
    }
    EXPECT_GT(hits, 60);
}

TEST(ScrewProperty, a_rigid_turn_of_the_scene_changes_nothing) {
    Random random(9);
    const auto shapes = bodies();
    int hits = 0, grazing = 0;
    for (int i = 0; i < 300; ++i) {
        const ScrewCase c = random_case(random, shapes);
        const Quat turn = random_rotation(random, 0, kPi);
        const Vec3d shift = random_vector(random, 2);
        const Matrix34d scene = to_double(to_matrix({turn, shift}));
        const auto placed = [&](const Matrix34f& m) {
            Matrix34d out;
            for (int column = 0; column < 4; ++column) {
                const Vec3d v{m(0, column), m(1, column), m(2, column)};
                const Vec3d w = column == 3 ? transform_point(scene, v) : transform_vector(scene, v);
                for (std::size_t row = 0; row < 3; ++row)
                    out.m[row * 4 + static_cast<std::size_t>(column)] = w[row];
            }
            return rounded(out);
        };
        const auto moved = [&](Motion m) {
            if (m.kind != Motion::Kind::screw) return m;
            m.point_w = transform_point(scene, m.point_w);
            m.axis_w = normalized(transform_vector(scene, m.axis_w));
            m.travel_w = transform_vector(scene, m.travel_w);
            return m;
        };
        ScrewCase s{c.a, c.b, placed(c.matrix_a), placed(c.matrix_b), moved(c.motion_a), moved(c.motion_b)};
        const ScrewOutcome here = run(c), there = run(s);
        // The matrices are rounded to float: a contact that grazes may appear or be gone.
        if (here.hit() != there.hit() || std::fabs(here.time() - there.time()) > 1e-4)
            ++grazing;
        else
            hits += here.hit();
    }
    EXPECT_GT(hits, 60);
    EXPECT_LE(grazing, 2);
}

TEST(ScrewProperty, a_finer_screen_never_loses_a_proper_hit) {
    Random random(10);
    const auto shapes = bodies();
    std::size_t proper = 0;
    for (int i = 0; i < 150; ++i) {
        ScrewCase c = random_case(random, shapes);
        std::vector<std::vector<MotionHit>> found;
        for (const double pixels : {2.0, 6.0, 12.0, 24.0}) {
            c.set(ScrewParameter::pixels, pixels);
            found.push_back(run(c).hits);
        }
        for (std::size_t k = 0; k + 1 < found.size(); ++k)
            for (const MotionHit& hit : found[k]) {
                if (hit.properness < 0) continue;
                ++proper;
                bool kept = false;
                for (const MotionHit& finer : found[k + 1])
                    kept |= finer.a == hit.a && finer.b == hit.b && std::fabs(finer.time - hit.time) < 1e-8;
                ASSERT_TRUE(kept) << "case " << i << " at " << hit.time;
            }
    }
    EXPECT_GT(proper, 100u);
}

}  // namespace
}  // namespace claybox::test
