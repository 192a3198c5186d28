// The recorded streams of benches and tests: reproducible, and with the stated properties.

#include "bench/streams/stream_player.hpp"
#include "collision/core/random.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>

namespace claybox::streams {
namespace {

using namespace collision;

CageSettings small_cage(Primitive primitive, std::uint64_t seed) {
    CageSettings s;
    s.primitive = primitive;
    s.vertices = 40;
    s.bodies = 30;
    s.shapes = 3;
    s.filled = 0.2;
    s.filled_by_balls = true;
    s.seed = seed;
    return s;
}

QueryStream cage(Primitive primitive, std::uint64_t seed, std::uint32_t frames = 60) {
    return record_cage(small_cage(primitive, seed), frames).value();
}

std::uint64_t hash(const QueryStream& stream) {
    std::uint64_t out = 0;
    const auto add = [&](std::uint64_t bits) { out = mix64(out ^ bits); };
    for (const ShapePtr& shape : stream.shapes) add(shape->geometry().content);
    for (const StreamQuery& q : stream.queries) {
        add(q.frame);
        add(stream.pair(q));
        for (const Matrix34f* m : {&q.world_from_a, &q.world_from_b})
            for (const float f : m->m) add(std::bit_cast<std::uint32_t>(f));
    }
    return out;
}

PlaySettings exact_play() {
    return {Exactness::exact, kWantVerdict, true, default_values(find_pair_algorithm("gjk")->parameters)};
}

TEST(Streams, equal_seeds_give_equal_streams) {
    EXPECT_EQ(hash(cage(Primitive::ellipsoid_hull, 1)), hash(cage(Primitive::ellipsoid_hull, 1)));
    EXPECT_NE(hash(cage(Primitive::ellipsoid_hull, 1)), hash(cage(Primitive::ellipsoid_hull, 2)));
    StackSettings stacks;
    stacks.shape = StackedShape::block;
    EXPECT_EQ(hash(record_stacks(stacks, 5).value()), hash(record_stacks(stacks, 5).value()));
}

TEST(Streams, CW_6_motion_follows_the_experiment_and_reverses_at_hits_and_walls) {
    CageMotion motion = CageMotion::make(small_cage(Primitive::rod_hull, 3)).value();
    std::vector<Pose> before, start;
    for (std::size_t i = 0; i < motion.size(); ++i) start.push_back(motion.pose(i));
    double reach = 0;
    for (int frame = 0; frame < 10000; ++frame) {
        before.clear();
        for (std::size_t i = 0; i < motion.size(); ++i) before.push_back(motion.pose(i));
        motion.advance();
        for (std::size_t i = 0; i < motion.size(); ++i) {
            const Pose& now = motion.pose(i);
            EXPECT_NEAR(length(now.translation - before[i].translation), 0.05, 1e-12);
            const Quat turn = now.rotation * conjugate(before[i].rotation);
            EXPECT_NEAR(2 * std::acos(std::min(1.0, std::abs(turn.w))), 10 * 3.14159265358979 / 180, 1e-6);
            for (std::size_t k = 0; k < 3; ++k) reach = std::max(reach, std::abs(now.translation[k]));
        }
    }
    // 30 balls fill a fifth of the cage; none leaves it by more than one step.
    const double half = 0.5 * std::cbrt(30 * 4.0 / 3.0 * 3.14159265358979 / 0.2);
    EXPECT_LE(reach, half + 0.05);
    EXPECT_GT(reach, half);
    const Vec3d here = motion.pose(0).translation;
    motion.advance();
    const Vec3d step = motion.pose(0).translation - here;
    motion.reverse(0);
    motion.advance();
    EXPECT_NEAR(length(motion.pose(0).translation - here), 0, 1e-12) << length(step);
}

TEST(Streams, queries_have_overlapping_boxes_and_every_kind_of_answer) {
    for (const Primitive primitive :
         {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull}) {
        const QueryStream stream = cage(primitive, 5);
        for (const StreamQuery& q : stream.queries) {
            const Aabb a = transform_aabb(q.world_from_a, stream.shapes[q.a]->geometry().box);
            const Aabb b = transform_aabb(q.world_from_b, stream.shapes[q.b]->geometry().box);
            ASSERT_TRUE(overlap(a, b));
        }
        StreamPlayer player(stream, *find_pair_algorithm("gjk"));
        const PlayCounts tally = player.play(exact_play());
        EXPECT_GT(tally.queries, 50u);
        EXPECT_GT(tally.colliding, 0u);
        EXPECT_LT(tally.colliding, tally.queries);
        EXPECT_EQ(tally.undecided, 0u);
        EXPECT_LT(tally.rung[3] * 1000, tally.queries) << "fewer than one in a thousand is exact arithmetic";
    }
}

/// The lowest and highest y of a shape in its pose, in rationals.
std::pair<test::Rational, test::Rational> heights(const Shape& shape, const Matrix34f& m, const Vec3d& up) {
    std::pair<test::Rational, test::Rational> out;
    const ConvexHull& hull = *shape.hull();
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i) {
        const Vec3f v = hull.vertex(i);
        test::Rational h = 0;
        for (std::size_t r = 0; r < 3; ++r) {
            test::Rational c = m.m[4 * r + 3];
            for (std::size_t k = 0; k < 3; ++k) c += test::Rational(m.m[4 * r + k]) * test::Rational(v[k]);
            h += c * test::Rational(up[r]);
        }
        if (i == 0 || h < out.first) out.first = h;
        if (i == 0 || h > out.second) out.second = h;
    }
    return out;
}

TEST(Streams, upright_stacks_touch_exactly_and_need_exact_arithmetic) {
    for (const StackedShape shape :
         {StackedShape::box, StackedShape::prism, StackedShape::block, StackedShape::mirror})
        for (const std::uint32_t vertices : {8u, 60u}) {
            StackSettings settings;
            settings.shape = shape;
            settings.vertices = vertices;
            const QueryStream stream = record_stacks(settings, 4).value();
            for (const StreamQuery& q : stream.queries)
                EXPECT_EQ(heights(*stream.shapes[q.a], q.world_from_a, {0, 1, 0}).second,
                          heights(*stream.shapes[q.b], q.world_from_b, {0, 1, 0}).first);
            StreamPlayer player(stream, *find_pair_algorithm("gjk"));
            const PlayCounts tally = player.play(exact_play());
            EXPECT_EQ(tally.colliding, tally.queries);
            EXPECT_EQ(tally.rung[3], tally.queries);
        }
}

TEST(Streams, leaning_stacks_collide_and_keep_their_verdict_at_rest) {
    StackSettings settings;
    settings.shape = StackedShape::block;
    settings.tilted = true;
    settings.rest = 5;
    const QueryStream stream = record_stacks(settings, 20).value();
    StreamPlayer player(stream, *find_pair_algorithm("gjk"));
    std::size_t remembered = 0;
    for (std::size_t i = 0; i < stream.queries.size(); ++i) {
        const PairResult r = player.run_one(i, exact_play());
        EXPECT_EQ(r.verdict, Verdict::colliding);
        EXPECT_EQ(r.rung, 3);
        remembered += r.counters[4];
    }
    EXPECT_EQ(remembered, stream.queries.size() * 4 / 5);
}

}  // namespace
}  // namespace claybox::streams
