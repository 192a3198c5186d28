// Every scene with random parameters, some of which change while it runs, random algorithms, and a hand that
// wanders. CLAYBOX_SCENE_ROUNDS=200 gives the number of runs of each scene, CLAYBOX_SCENE_SEED another
// sequence; without them the test is short.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/core/random.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/session/session_support.hpp"
#include "tests/support/environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

namespace claybox::app {
namespace {

using collision::Parameter;
using collision::ParameterKind;
using test::number_from;

/// The default, a limit, or any value between them. Numbers of bodies and polygons stay small, to be fast.
double random_value(const Parameter& p, collision::Random& random) {
    constexpr double kLargest = 300;
    const bool chosen = p.kind == ParameterKind::choice, whole = p.kind != ParameterKind::real;
    const double low = chosen ? 0 : p.min, high = chosen ? static_cast<double>(p.choices.size()) - 1 : p.max;
    const double top = whole ? std::min(high, std::max(low, kLargest)) : high;
    switch (random.below(6)) {
        case 0:
        case 1:
            return std::min(p.default_value, top);
        case 2:
            return low;
        case 3:
            return top;
        default:
            return whole ? low + static_cast<double>(random.below(static_cast<std::uint64_t>(top - low) + 1))
                         : random.uniform(low, top);
    }
}

collision::ParameterValues random_values(std::span<const Parameter> table, collision::Random& random) {
    collision::ParameterValues values = collision::default_values(table);
    for (std::size_t i = 0; i < table.size(); ++i) values[i] = random_value(table[i], random);
    return values;
}

template <typename List>
auto* one_of(const List& list, collision::Random& random) {
    return list[random.below(list.size())];
}

collision::WorldSettings random_settings(collision::Random& random) {
    collision::WorldSettings settings = collision::default_settings();
    settings.pair_algorithm = one_of(collision::pair_algorithms(), random);
    settings.pair_parameters = random_values(settings.pair_algorithm->parameters, random);
    settings.broad_phase = one_of(collision::broad_phases(), random);
    settings.broad_parameters = random_values(settings.broad_phase->parameters, random);
    if (random.below(3) == 0) {
        settings.parallel = collision::ParallelMode::pairs;
        settings.workers = 2;
    }
    settings.continuous = random.below(4) > 0;
    settings.continuous_algorithm = one_of(collision::continuous_algorithms(), random);
    settings.continuous_parameters = random_values(settings.continuous_algorithm->parameters, random);
    return settings;
}

/// The script of the scene, or a hand anywhere in its region, open or closed.
HandInput random_hand(const Session& session, collision::Random& random) {
    HandInput hand = scripted_hand(session.scene(), session.frame() + 1);
    if (random.below(3) == 0) return hand;
    const collision::Aabb region = session.scene().hand_region();
    const auto between = [&](float low, float high) { return random.uniform(low, high); };
    HandKey key = session.scene().hand_rest();
    key.wrist.translation = {between(region.min.x, region.max.x), between(region.min.y, region.max.y),
                             between(region.min.z, region.max.z)};
    for (float& curl : key.curl) curl = static_cast<float>(random.uniform());
    return to_hand_input(engine::pose_hand(to_hand_pose(key)));
}

void check_view(const Session& session) {
    SceneView view;
    session.scene().view({}, view);
    for (const Drawable& d : view.drawables) {
        ASSERT_TRUE(collision::is_finite(d.pose.translation));
        ASSERT_TRUE(std::isfinite(d.pose.rotation.w));
    }
    expect_finite(view);
    for (const Figure& f : session.scene().figures()) ASSERT_TRUE(std::isfinite(f.value)) << f.id;
}

void run_round(const SceneDescriptor& scene, std::uint64_t seed) {
    collision::Random random(seed);
    SessionOptions options = options_for(scene.id);
    options.scene_parameters = random_values(scene.parameters, random);
    options.settings = random_settings(random);
    options.seed = random.bits();
    const auto session = start(options);
    ASSERT_TRUE(session);
    for (int frame = 0; frame < 60; ++frame) {
        if (!scene.parameters.empty() && random.below(15) == 0) {
            const std::size_t which = random.below(scene.parameters.size());
            ASSERT_TRUE(session->set_parameter(which, random_value(scene.parameters[which], random)).ok());
        }
        if (random.below(30) == 0) session->set_settings(random_settings(random));
        StepInput input;
        input.hand[0] = random_hand(*session, random);
        if (!scene.actions.empty() && random.below(15) == 0)
            input.actions.push_back(static_cast<std::uint32_t>(random.below(scene.actions.size())));
        session->step(input);
    }
    check_view(*session);
}

TEST(RandomParameters, no_values_break_a_scene) {
    const std::uint64_t rounds = number_from("CLAYBOX_SCENE_ROUNDS", 0);
    const std::uint64_t first = number_from("CLAYBOX_SCENE_SEED", 1);
    for (std::uint64_t round = 0; round < std::max<std::uint64_t>(rounds, 2); ++round)
        for (const SceneDescriptor* scene : scenes()) {
            const std::string run = scene->id + (", seed " + std::to_string(first + round));
            SCOPED_TRACE(run);
            if (rounds > 0) {
                std::puts(run.c_str());
                std::fflush(stdout);
            }
            run_round(*scene, first + round);
            if (HasFailure()) return;
        }
}

}  // namespace
}  // namespace claybox::app
