// All algorithms about one pair, and about every pair of a frame.

#include "app/session/compare/pair_check.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

using namespace collision;

void answer_separated(const PairQuery&, PairCache&, PairResult& result, Trace*) {
    result.verdict = Verdict::separated;
}

void answer_undecided(const PairQuery&, PairCache&, PairResult& result, Trace*) {
    result.verdict = Verdict::undecided;
}

PairAlgorithm made_up(const char* id, bool exact, Bias bias, decltype(PairAlgorithm::query) query) {
    PairAlgorithm out{};
    out.id = out.title = id;
    out.source = out.summary = "";
    out.exact = exact;
    out.bias = bias;
    out.query = query;
    return out;
}

ShapePtr primitive(Primitive kind) {
    auto made = make_primitive_shape(kind, 60, 0.1f, 1);
    EXPECT_TRUE(made.ok());
    return made.value();
}

Matrix34f at(float x) {
    Matrix34f out;
    out.m = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0};
    return out;
}

PairSubject two(const ShapePtr& a, const ShapePtr& b, float x) {
    PairSubject out;
    out.a = a;
    out.b = b;
    out.world_from_a = out.before_a = at(0);
    out.world_from_b = out.before_b = at(x);
    out.name_a = "Body 1";
    out.name_b = "Body 2";
    return out;
}

void finish(AskAll& asked) {
    for (int i = 0; i < 100000 && asked.running(); ++i) asked.advance(1);
    ASSERT_FALSE(asked.running());
}

TEST(AskAll, APP_alg_panel_every_algorithm_of_the_registry_agrees_with_exact_arithmetic) {
    const ShapePtr ball = primitive(Primitive::uv_sphere), box = primitive(Primitive::box);
    for (const float x : {0.0f, 0.05f, 0.15f, 0.5f}) {
        AskAll asked;
        asked.start(two(ball, box, x), {});
        finish(asked);
        ASSERT_EQ(asked.rows().size(), pair_algorithms().size());
        EXPECT_EQ(asked.disagreements(), 0u);
        EXPECT_GT(asked.count(Standing::agrees), 15u);
        EXPECT_NE(asked.truth().solid, Verdict::undecided);
        for (const AlgorithmAnswer& row : asked.rows())
            if (row.standing != Standing::no_answer) {
                EXPECT_GT(row.ns, 0) << row.id;
            } else {
                EXPECT_STRNE(row.why, "") << row.id;
            }
    }
}

TEST(AskAll, distances_and_depths_are_given_where_the_algorithm_measures_them) {
    const ShapePtr ball = primitive(Primitive::uv_sphere);
    AskAll apart, deep;
    apart.start(two(ball, ball, 0.5f), {});
    deep.start(two(ball, ball, 0.1f), {});
    finish(apart);
    finish(deep);
    for (std::size_t i = 0; i < apart.rows().size(); ++i) {
        const AlgorithmAnswer &far = apart.rows()[i], &near = deep.rows()[i];
        if (std::string_view(far.id) != "gjk") continue;
        ASSERT_TRUE(far.distance && near.depth);
        EXPECT_NEAR(*far.distance, 0.3, 0.02);
        EXPECT_GT(*near.depth, 0.05);
        EXPECT_FALSE(far.depth || near.distance);
    }
}

TEST(AskAll, a_wrong_algorithm_is_a_disagreement_and_a_one_sided_one_is_not) {
    const PairAlgorithm wrong = made_up("wrong", true, Bias::none, answer_separated),
                        shy = made_up("shy", true, Bias::none, answer_undecided),
                        one_sided = made_up("one_sided", false, Bias::separated, answer_separated),
                        lies = made_up("lies", false, Bias::colliding, answer_separated),
                        leaves = made_up("leaves", false, Bias::separated, answer_undecided),
                        rough = made_up("rough", false, Bias::none, answer_separated), convex = [&] {
                            PairAlgorithm out = wrong;
                            out.needs = Needs::convex;
                            return out;
                        }();
    const PairAlgorithm* const table[] = {&wrong, &shy, &one_sided, &lies, &leaves, &rough, &convex};
    const ShapePtr torus = primitive(Primitive::torus);
    AskAll asked;
    asked.use(table, {});
    asked.start(two(torus, torus, 0.02f), {});
    finish(asked);
    ASSERT_EQ(asked.rows().size(), 7u);
    EXPECT_EQ(asked.truth().solid, Verdict::colliding);
    constexpr Standing kExpected[] = {Standing::disagrees, Standing::disagrees, Standing::approximate,
                                      Standing::disagrees, Standing::undecided, Standing::approximate,
                                      Standing::no_answer};
    for (std::size_t i = 0; i < asked.rows().size(); ++i)
        EXPECT_EQ(asked.rows()[i].standing, kExpected[i]) << asked.rows()[i].id;
    EXPECT_EQ(asked.disagreements(), 3u);
}

TEST(AskAll, a_slice_asks_one_algorithm_and_the_last_round_stays_meanwhile) {
    const ShapePtr ball = primitive(Primitive::uv_sphere);
    AskAll asked;
    asked.start(two(ball, ball, 0.5f), {});
    finish(asked);
    PairSubject moved = two(ball, ball, 0.1f);
    moved.frame = 7;
    asked.start(moved, {});
    int slices = 0;
    while (!asked.advance(0)) {
        EXPECT_EQ(asked.done(), static_cast<std::size_t>(++slices));
        EXPECT_EQ(asked.subject().frame, 0u);
        EXPECT_EQ(asked.truth().solid, Verdict::separated);
    }
    EXPECT_EQ(static_cast<std::size_t>(slices) + 1, asked.total());
    EXPECT_EQ(asked.subject().frame, 7u);
    EXPECT_EQ(asked.truth().solid, Verdict::colliding);
}

TEST(AskAll, moving_bodies_are_asked_along_their_motion) {
    const ShapePtr ball = primitive(Primitive::uv_sphere);
    PairSubject subject = two(ball, ball, -0.5f);  // passed through from one side to the other
    subject.before_b = at(0.5f);
    subject.motion_b = Motion::linear({-0.5f, 0, 0});
    AskAll asked;
    asked.start(subject, {});
    finish(asked);
    ASSERT_EQ(asked.rows().size(), pair_algorithms().size() + continuous_algorithms().size());
    std::size_t agree = 0;
    for (const AlgorithmAnswer& row : asked.rows().subspan(pair_algorithms().size())) {
        EXPECT_TRUE(row.along_motion);
        if (row.standing == Standing::no_answer) continue;
        EXPECT_EQ(row.verdict, Verdict::colliding) << row.id;
        agree += row.standing == Standing::agrees ? 1 : 0;
        if (row.time_of_impact) {
            EXPECT_NEAR(*row.time_of_impact, 0.3, 0.02) << row.id;
        }
    }
    EXPECT_GE(agree, 2u);
    EXPECT_EQ(asked.truth().solid, Verdict::separated) << "at the end they are apart";
}

TEST(AskAll, algorithms_that_prepare_for_seconds_are_not_asked_about_fine_bodies) {
    const ShapePtr fine = make_primitive_shape(Primitive::uv_sphere, 6000, 0.1f, 1).value();
    ASSERT_NE(fine->hull(), nullptr);
    AskAll asked;
    asked.start(two(fine, primitive(Primitive::box), 0.12f), {});
    finish(asked);
    EXPECT_EQ(asked.disagreements(), 0u);
    for (const AlgorithmAnswer& row : asked.rows()) {
        const std::string_view id = row.id;
        if (id == "convex_parts" || id == "dobkin_kirkpatrick") {
            EXPECT_EQ(row.standing, Standing::no_answer) << id;
            EXPECT_TRUE(std::string_view(row.why).starts_with("Not asked")) << id;
        }
        if (id == "best" || id == "gjk" || id == "box_tree") {
            EXPECT_EQ(row.standing, Standing::agrees) << id;
        }
    }
}

/// A row of bodies of which each touches the next.
std::vector<CheckBody> chain(std::size_t count) {
    std::vector<CheckBody> out;
    const ShapePtr ball = primitive(Primitive::uv_sphere), torus = primitive(Primitive::torus);
    for (std::size_t i = 0; i < count; ++i)
        out.push_back(
            {i % 3 == 2 ? torus : ball, at(0.15f * static_cast<float>(i)), static_cast<std::uint32_t>(i), 0});
    return out;
}

TEST(PairCheck, every_exact_algorithm_agrees_about_every_pair) {
    PairCheck check;
    check.start(chain(12), default_settings(), 3);
    int slices = 1;
    while (!check.advance(0)) ++slices;
    EXPECT_TRUE(check.complete());
    EXPECT_EQ(check.counts().pairs, 11u);
    EXPECT_GT(slices, 11);
    EXPECT_GT(check.counts().colliding, 0u);
    EXPECT_GT(check.counts().answers, 11u * 5);
    EXPECT_EQ(check.counts().disagreements, 0u);
    EXPECT_FALSE(check.first());
}

TEST(PairCheck, a_wrong_algorithm_is_reported_with_its_first_pair) {
    const PairAlgorithm wrong = made_up("wrong", true, Bias::none, answer_separated);
    PairCheck check;
    check.use({&wrong});
    std::vector<CheckBody> bodies = chain(3);
    bodies[2].world_from_body = at(9);
    bodies[1].world_from_body = at(0.05f);
    check.start(bodies, default_settings(), 3);
    while (!check.advance(1)) {
    }
    EXPECT_EQ(check.counts().disagreements, 1u);
    ASSERT_TRUE(check.first());
    EXPECT_EQ(check.first()->pick_a, 0u);
    EXPECT_EQ(check.first()->pick_b, 1u);
    EXPECT_EQ(check.first()->truth, Verdict::colliding);
    EXPECT_EQ(check.first()->subject.frame, 3u);
}

TEST(PairCheck, a_cancelled_check_keeps_what_it_found_and_parts_of_a_set_are_left_out) {
    PairCheck check;
    check.start(chain(12), default_settings(), 0);
    while (check.done() < 3) check.advance(0);
    check.cancel();
    EXPECT_TRUE(check.has_result());
    EXPECT_FALSE(check.complete());
    EXPECT_EQ(check.counts().pairs, 3u);
    EXPECT_FALSE(check.advance(1));
    std::vector<CheckBody> hand = chain(12);
    for (CheckBody& body : hand) body.set = 1;
    check.start(hand, default_settings(), 0);
    while (!check.advance(1)) {
    }
    EXPECT_EQ(check.counts().pairs, 0u);
}

}  // namespace
}  // namespace claybox::app
