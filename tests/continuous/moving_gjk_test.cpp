#include "tests/continuous/motions.hpp"

namespace claybox::test {
namespace {

const ContinuousAlgorithm& moving_gjk() {
    return *find_continuous_algorithm("moving_gjk");
}

/// A bullet in front of a plate of a millimetre, two metres behind it one frame later.
MovingPair bullet_and_plate() {
    MovingPair p;
    p.a = box_shape({1, 1, 0.0005f});
    p.b = box_shape({0.01f, 0.01f, 0.02f});
    p.matrix_b = at({0.3, 0.2, 1});
    p.motion_b = Motion::linear({0.3f, 0.2f, -1});
    return p;
}

TEST(MovingGjk, CN_gjk_move_finds_a_bullet_through_a_thin_plate) {
    const MovingPair p = bullet_and_plate();
    // Neither frame has contact.
    for (const Matrix34f& m : {p.matrix_b, at({0.3, 0.2, -1})}) {
        Scratch scratch;
        PairCache cache;
        const PairQuery query = make_pair_query(*p.a, p.matrix_a, *p.b, m, scratch);
        EXPECT_EQ(run_query(*find_pair_algorithm("gjk"), query, cache).verdict, Verdict::separated);
    }
    for (const char* id : {"moving_gjk", "interframe_lp", "best_continuous"}) {
        const ContinuousResult r = run(*find_continuous_algorithm(id), p);
        EXPECT_EQ(r.verdict, Verdict::colliding) << id;
        // The front of the bullet travels 0.98 - 0.0005 of 2 metres.
        EXPECT_NEAR(r.time_high, (1 - 0.02 - 0.0005) / 2, 1e-8) << id;
        EXPECT_LT(length(r.normal_w - Vec3d{0, 0, 1}), 1e-12) << id;
        EXPECT_NEAR(r.point_w.z, 0.0005, 1e-8) << id;
        EXPECT_EQ(r.feature_a.kind, FeatureKind::face) << id;
    }
}

/// The relative motion alone decides: t = t1 - t2.
TEST(MovingGjk, CN_gjk_move_only_the_relative_translation_matters) {
    for (MovingPair p : linear_pairs(100, 20)) {
        p.motion_a = {};
        const ContinuousResult one = run(moving_gjk(), p);
        // The same relative motion, now shared between both bodies; the steps are exact in float.
        const Vec3f step{0.5f, 0.25f, -0.125f};
        const auto grid = [](const Vec3f& v) {
            return Vec3f{std::round(v.x * 1024) / 1024, std::round(v.y * 1024) / 1024,
                         std::round(v.z * 1024) / 1024};
        };
        for (Matrix34f* m : {&p.matrix_a, &p.matrix_b}) {
            const Vec3f t = grid(m->translation());
            for (std::size_t k = 0; k < 3; ++k) m->m[4 * k + 3] = t[k];
        }
        p.motion_b.end_w = grid(p.motion_b.end_w);
        const ContinuousResult still = run(moving_gjk(), p);
        p.motion_a = Motion::linear(p.matrix_a.translation() + step);
        p.motion_b.end_w = p.motion_b.end_w + step;
        const ContinuousResult both = run(moving_gjk(), p);
        ASSERT_EQ(still.verdict, both.verdict);
        EXPECT_NEAR(still.time_high, both.time_high, 1e-12);
        EXPECT_EQ(one.verdict == Verdict::undecided, false);
    }
}

TEST(MovingGjk, CN_gjk_move_the_ray_alone_gives_the_same_answers) {
    for (const MovingPair& p : linear_pairs(200, 21)) {
        Scratch scratch;
        PairCache cache;
        ContinuousQuery query = make_query(p, scratch);
        query.pair.parameters = default_values(moving_gjk().parameters);
        query.pair.parameters[0] = 0;  // without the swept hull
        const ContinuousResult ray = run_continuous(moving_gjk(), query, cache), both = run(moving_gjk(), p);
        ASSERT_EQ(ray.verdict, both.verdict);
        EXPECT_NEAR(ray.time_high, both.time_high, 1e-9);
    }
}

}  // namespace
}  // namespace claybox::test
