// The front end of the thesis (7.2, 7.4), as the command line provides it.
#include "app/session/interrupt.hpp"
#include "collision/module/world.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <fstream>
#include <thread>

namespace claybox::test {
namespace {

using nlohmann::json;

json run_json(std::vector<std::string> more) {
    std::vector<std::string> words{"run", "--headless", "--json", "-"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_here(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
}

TEST(FrontEnd, Z_7_2_yuInitY_one_call_starts_scene_and_module_with_defaults) {
    const json out = run_json({"--frames", "2"});
    const collision::WorldSettings settings = collision::default_settings();
    EXPECT_EQ(out.at("scene"), "cage");
    EXPECT_EQ(out.at("pair"), settings.pair_algorithm->id);
    EXPECT_EQ(out.at("broad"), settings.broad_phase->id);
    EXPECT_EQ(out.at("seed"), 1);
    EXPECT_GT(out.at("bodies"), 0);
}

// The thesis' movem: -m objects, size, shapes, -s space index and resolution, -a algorithm, parameters of the
// algorithm, processes, concurrent, -t frames.
TEST(FrontEnd, Z_7_4_movem_the_options_of_the_thesis_test_program_are_switches_of_run) {
    const std::vector<std::string> base{"--scene",     "cage",      "--frames",  "20",      "--seed",
                                        "4",           "--set",     "bodies=30", "--set",   "fill=10",
                                        "--set",       "spread=20", "--set",     "speed=5", "--set",
                                        "rotation=10", "--set",     "detail=40"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), base.begin(), base.end());
        return run_json(more);
    };
    for (const char* shape : {"mixed", "uv_sphere", "torus", "tetra_flake", "tetrahedron"})
        EXPECT_EQ(with({"--set", std::string("shape=") + shape}).at("frames"), 20) << shape;
    const json plain = with({"--pair", "edge_polygon"});
    EXPECT_EQ(plain.at("pair"), "edge_polygon");
    EXPECT_EQ(with({"--pair", "box_tree"}).at("hash"), plain.at("hash"));
    EXPECT_EQ(with({"--pair", "edge_polygon", "--broad", "all_pairs"}).at("hash"), plain.at("hash"));
    EXPECT_EQ(with({"--pair", "edge_polygon", "--broad", "grid", "--set", "cell_size=0.5"}).at("hash"),
              plain.at("hash"));
    EXPECT_EQ(with({"--pair", "edge_polygon", "--broad", "octree", "--set", "depth=4"}).at("hash"),
              plain.at("hash"));
    EXPECT_EQ(with({"--pair", "edge_polygon", "--parallel", "pairs", "--workers", "2"}).at("hash"),
              plain.at("hash"));
    EXPECT_EQ(with({"--pair", "cyrus_beck", "--set", "precheck=none", "--concurrent"}).at("frames"), 20);
    EXPECT_EQ(with({"--pair", "separating_plane", "--exactness", "fast"}).at("pair"), "separating_plane");
}

#if defined(SIGHUP)

TEST(Interrupt, a_closed_terminal_requests_the_end) {
    const app::Interrupt interrupt;
    ASSERT_EQ(std::raise(SIGHUP), 0);
    EXPECT_TRUE(app::Interrupt::requested());
}

TEST(Interrupt, an_ignored_signal_stays_ignored) {
    for (const int signal : {SIGINT, SIGHUP}) {
        auto* const before = std::signal(signal, SIG_IGN);
        {
            const app::Interrupt interrupt;
            ASSERT_EQ(std::raise(signal), 0);
            EXPECT_FALSE(app::Interrupt::requested()) << signal;
        }
        EXPECT_EQ(std::signal(signal, before), SIG_IGN) << signal;
    }
}

#endif

TEST(FrontEnd, Z_7_2_yuExit_ctrl_c_ends_a_run_and_its_threads_and_all_outputs_are_written) {
    const Folder folder("interrupt");
    const std::string record = folder.file("run.jsonl"), report = folder.file("run.json");
    // Shells start background jobs with the signal ignored, and a run leaves it so.
    auto* const before = std::signal(SIGINT, SIG_DFL);
    std::thread impatient([] {
        while (!app::Interrupt::armed()) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::raise(SIGINT);
    });
    const Outcome outcome = run_here({"run", "--headless", "--concurrent", "--frames", "1000000000", "--set",
                                      "bodies=20", "--record", record, "--json", report});
    impatient.join();
    std::signal(SIGINT, before);
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_FALSE(app::Interrupt::armed());
    const json out = json::parse(std::ifstream(report));
    EXPECT_LT(out.at("frames").get<std::uint64_t>(), 1000000000u);
    EXPECT_EQ(folder.count(), 2u);  // no temporary file is left
    EXPECT_EQ(run_here({"replay", record}).status, 0);
}

}  // namespace
}  // namespace claybox::test
