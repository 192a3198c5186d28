#include "tests/session/session_support.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::app {
namespace {

using collision::ParallelMode;

std::uint64_t hash_after(const SessionOptions& options, int frames) {
    const auto session = start(options);
    run(*session, frames);
    return session->report().state_hash;
}

struct RunMode {
    ParallelMode parallel;
    unsigned workers;
    const char* broad_phase;
};
constexpr RunMode kRunModes[] = {{ParallelMode::serial, 1, "grid"},      {ParallelMode::pairs, 1, "grid"},
                                 {ParallelMode::pairs, 2, "all_pairs"},  {ParallelMode::pairs, 4, "grid"},
                                 {ParallelMode::serial, 1, "all_pairs"}, {ParallelMode::pairs, 3, "grid"}};

// The loop's result does not depend on workers, parallel mode or broad phase.
TEST(SceneRuns, APP_loop_same_seed_same_hash_on_one_to_four_workers_and_both_broad_phases) {
    for (const SceneDescriptor* scene : scenes()) {
        std::map<std::uint64_t, int> seen;
        for (const RunMode& mode : kRunModes) {
            SessionOptions options = options_for(scene->id);
            options.settings.parallel = mode.parallel;
            options.settings.workers = mode.workers;
            options.settings.broad_phase = collision::find_broad_phase(mode.broad_phase);
            options.settings.broad_parameters =
                collision::default_values(options.settings.broad_phase->parameters);
            ++seen[hash_after(options, 90)];
        }
        EXPECT_EQ(seen.size(), 1u) << scene->id;
    }
}

TEST(SceneRuns, exact_algorithms_agree_on_convex_bodies) {
    SessionOptions options = options_for("cage");
    options.settings.pair_algorithm = collision::find_pair_algorithm("gjk");
    options.settings.pair_parameters = collision::default_values(options.settings.pair_algorithm->parameters);
    const std::uint64_t gjk = hash_after(options, 150);
    options.settings.pair_algorithm = collision::find_pair_algorithm("edge_polygon");
    options.settings.pair_parameters = collision::default_values(options.settings.pair_algorithm->parameters);
    EXPECT_EQ(gjk, hash_after(options, 150))
        << "no body of the cage is inside another, so surface tests equal solid tests";
}

// Switching rebuilds prepared data and caches. Pairs that an algorithm does not support or leaves undecided
// go to the fallback.
TEST(SceneRuns, APP_alg_panel_switching_among_all_algorithms_in_the_running_cage_changes_nothing) {
    const auto all = collision::pair_algorithms();
    const SessionOptions options = options_for("cage");
    const auto steady = start(options), switched = start(options);
    for (int round = 0; round < 60; ++round) {
        collision::WorldSettings settings = switched->settings();
        settings.pair_algorithm = all[static_cast<std::size_t>(round) % all.size()];
        // An algorithm that may err by a pixel in both directions may change the run.
        if (!settings.pair_algorithm->exact && settings.pair_algorithm->bias == collision::Bias::none)
            continue;
        settings.pair_parameters = collision::default_values(settings.pair_algorithm->parameters);
        switched->set_settings(settings);
        run(*steady, 5);
        run(*switched, 5);
        ASSERT_EQ(switched->report().state_hash, steady->report().state_hash) << settings.pair_algorithm->id;
    }
}

TEST(SceneRuns, seeds_and_parameters_change_the_run) {
    SessionOptions options = options_for("cage");
    const std::uint64_t first = hash_after(options, 30);
    options.seed = 2;
    EXPECT_NE(first, hash_after(options, 30));
    options.seed = 1;
    set(options, "speed", 3);
    EXPECT_NE(first, hash_after(options, 30));
}

TEST(SceneRuns, every_parameter_is_complete) {
    for (const SceneDescriptor* scene : scenes()) {
        EXPECT_EQ(find_scene(scene->id), scene);
        for (const collision::Parameter& p : scene->parameters) {
            EXPECT_NE(std::string(p.title), "") << p.id;
            EXPECT_NE(std::string(p.help), "") << p.id;
            EXPECT_NE(std::string(p.source), "") << p.id;
            const bool choice = p.kind == collision::ParameterKind::choice;
            EXPECT_LE(p.default_value, choice ? static_cast<double>(p.choices.size()) - 1 : p.max) << p.id;
            EXPECT_GE(p.default_value, choice ? 0 : p.min) << p.id;
        }
        EXPECT_LT(scene->rebuild_mask >> scene->parameters.size(), 1u);
    }
    EXPECT_EQ(find_scene("nowhere"), nullptr);
}

TEST(SceneRuns, views_refer_to_existing_meshes_and_stay_finite) {
    for (const SceneDescriptor* scene : scenes()) {
        const auto session = start(options_for(scene->id));
        run(*session, 110);
        std::vector<ViewMesh> meshes;
        session->scene().meshes(meshes);
        std::map<std::uint64_t, int> ids;
        for (const ViewMesh& m : meshes) {
            EXPECT_EQ(++ids[m.id], 1) << "mesh ids are unique";
            EXPECT_EQ(m.topology->vertex_count, m.positions->size());
        }
        SceneView view;
        ViewOptions options;
        options.bounds = true;
        session->scene().view(options, view);
        EXPECT_FALSE(view.drawables.empty());
        for (const Drawable& d : view.drawables)
            EXPECT_TRUE(ids.count(d.mesh)) << scene->id << " mesh " << d.mesh;
        for (const ViewCrowd& crowd : view.crowds)
            EXPECT_TRUE(ids.count(crowd.mesh)) << scene->id << " mesh " << crowd.mesh;
        SCOPED_TRACE(scene->id);
        expect_finite(view);
    }
}

// Parameters that do not rebuild a scene still change its result.
TEST(SceneRuns, APP_param_panel_live_parameters_have_a_measured_effect) {
    struct Effect {
        const char *scene, *parameter, *figure;
        double value;
        int frames;
    };
    constexpr Effect effects[] = {{"potter", "strength", "volume_after", 5, 110},
                                  {"potter", "radius", "polygons_moved", 8, 110},
                                  {"potter", "spin_only_touched", "volume_after", 0, 110},
                                  {"potter", "speed", "volume_after", -90, 110},
                                  {"buttons", "fire_at", "presses", 95, 130},
                                  {"cage", "speed", "hits", 6, 200},
                                  {"cage", "rotation", "hits", 40, 300},
                                  {"crowd", "speed", "hits", 2, 60},
                                  {"crowd", "rotation", "hits", 12, 60},
                                  {"crowd", "moving", "hits", 10, 60},
                                  {"mobiles", "speed", "hits", 150, 60},
                                  {"bullets", "speed", "passed_off", 300, 60},
                                  {"bullets", "switch", "passed_off", 1, 60},
                                  {"cars", "rate", "hits_all", 240, 80},
                                  {"screw_tori", "speed", "time", 2, 80},
                                  {"screw_tori", "threshold", "hits", 1, 2}};
    for (const Effect& e : effects) {
        const auto plain = start(options_for(e.scene)), changed = start(options_for(e.scene));
        const auto table = plain->descriptor().parameters;
        ASSERT_TRUE(changed->set_parameter(collision::find_parameter(table, e.parameter), e.value).ok());
        run(*plain, e.frames);
        run(*changed, e.frames);
        EXPECT_NE(figure(*plain, e.figure), figure(*changed, e.figure)) << e.scene << " " << e.parameter;
    }
}

}  // namespace
}  // namespace claybox::app
