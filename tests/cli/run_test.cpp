#include "app/cli/cli.hpp"
#include "app/scenes/scene.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

namespace claybox::test {
namespace {

using nlohmann::json;

json run_scene_json(std::vector<std::string> more) {
    std::vector<std::string> words{"run", "--headless", "--json", "-"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_here(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out);
}

std::string run_hash(std::vector<std::string> more) {
    std::vector<std::string> words{"run", "--headless", "--hash"};
    words.insert(words.end(), more.begin(), more.end());
    const std::vector<std::string> lines = lines_of(run_here(words).out);
    return lines.empty() ? "" : lines.back();
}

TEST(Run, json_has_all_documented_fields_for_every_scene) {
    for (const app::SceneDescriptor* scene : app::scenes()) {
        const json out = run_scene_json({"--scene", scene->id, "--frames", "30", "--seed", "5"});
        EXPECT_EQ(out.at("scene"), scene->id);
        EXPECT_EQ(out.at("seed"), 5);
        EXPECT_EQ(out.at("frames"), 30);
        EXPECT_GT(out.at("bodies").get<int>(), 0);
        EXPECT_EQ(out.at("hash").get<std::string>().size(), 16u);
        EXPECT_GT(out.at("frame_ms").at("max").get<double>(), 0);
        EXPECT_LE(out.at("frame_ms").at("p50"), out.at("frame_ms").at("p99"));
        EXPECT_LE(out.at("frame_ms").at("p99"), out.at("frame_ms").at("max"));
        EXPECT_TRUE(out.at("stage_ms").contains("narrow"));
        for (const char* field : {"candidates", "tests", "colliding", "exact_rung"})
            EXPECT_TRUE(out.at("counts").contains(field));
        EXPECT_TRUE(out.contains("presses") && out.contains("releases"));
    }
}

TEST(Run, potter_reports_the_dent_and_buttons_one_press) {
    const json potter = run_scene_json({"--scene", "potter", "--frames", "300"});
    EXPECT_GT(potter.at("volume_before").get<double>(), 0);
    EXPECT_NE(potter.at("volume_before"), potter.at("volume_after"));
    EXPECT_GT(potter.at("polygons_moved").get<int>(), 0);
    EXPECT_GT(potter.at("polygons").get<int>(), 0);
    const json buttons = run_scene_json({"--scene", "buttons", "--frames", "300"});
    EXPECT_EQ(buttons.at("presses"), 1);
    EXPECT_EQ(buttons.at("releases"), 1);
}

TEST(Run, continuous_chooses_the_algorithm_or_none) {
    const auto passed = [](std::vector<std::string> more) {
        std::vector<std::string> words{"--scene", "bullets", "--set", "switch=all", "--frames", "120"};
        words.insert(words.end(), more.begin(), more.end());
        return run_scene_json(words);
    };
    const json on = passed({"--continuous", "Best continuous"}), off = passed({"--continuous", "off"});
    EXPECT_EQ(on.at("continuous"), "best_continuous");
    EXPECT_EQ(on.at("passed_on"), 0);
    EXPECT_GT(on.at("stopped_on").get<int>(), 100);
    EXPECT_EQ(off.at("continuous"), "off");
    EXPECT_GT(off.at("passed_off").get<int>(), 100);
    const Outcome unknown = run_here({"run", "--headless", "--continuous", "best_continous"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_NE(unknown.err.find("did you mean 'best_continuous'"), std::string::npos) << unknown.err;
}

TEST(Run, contacts_are_those_of_the_last_pass) {
    for (const char* scene : {"cage", "mobiles"}) {
        std::set<int> seen;
        int sum_before = 0;
        for (std::uint64_t frames = 1; frames < 12; ++frames) {
            const json out =
                run_scene_json({"--scene", scene, "--set", "speed=50", "--frames", std::to_string(frames)});
            const int sum = out.at("counts").at("colliding").get<int>();  // over all passes
            EXPECT_EQ(out.at("contacts"), sum - sum_before) << scene << frames;
            seen.insert(sum - sum_before);
            sum_before = sum;
        }
        EXPECT_GT(seen.size(), 1u) << scene << ": the number never changed";
    }
}

TEST(Run, the_hash_does_not_depend_on_workers_broad_phase_or_mode) {
    for (const app::SceneDescriptor* scene : app::scenes()) {
        const std::vector<std::string> base{"--scene", scene->id, "--frames", "40", "--seed", "3"};
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), base.begin(), base.end());
            return run_hash(more);
        };
        const std::string hash = with({});
        EXPECT_EQ(hash.size(), 21u) << hash;
        EXPECT_EQ(with({}), hash) << scene->id;
        for (const char* workers : {"1", "2", "4"}) {
            EXPECT_EQ(with({"--parallel", "pairs", "--workers", workers}), hash) << scene->id << workers;
        }
        for (const auto* broad : collision::broad_phases())
            EXPECT_EQ(with({"--broad", broad->id}), hash) << scene->id << broad->id;
    }
}

TEST(Run, seed_and_parameters_reach_the_scene) {
    EXPECT_EQ(run_scene_json({"--frames", "2", "--set", "bodies=20"}).at("bodies").get<int>() + 10,
              run_scene_json({"--frames", "2", "--set", "bodies=30"}).at("bodies").get<int>());
    EXPECT_NE(run_hash({"--frames", "5", "--seed", "1"}), run_hash({"--frames", "5", "--seed", "2"}));
}

TEST(Run, meshes_from_files_fly_in_the_cage_clean_or_dirty) {
    const std::string meshes = (truth_dir() / "meshes").string();
    const std::vector<std::string> base{
        "--mesh", meshes + "/torus.obj", "--mesh", meshes + "/dirty_open_ball.obj", "--frames", "60", "--set",
        "fill=20"};
    const json out = run_scene_json(base);
    EXPECT_EQ(out.at("bodies"), 40);
    EXPECT_GT(out.at("counts").at("tests").get<int>(), 0);
    EXPECT_EQ(run_hash(base), run_hash(base));
    EXPECT_NE(run_hash(base), run_hash({"--frames", "60", "--set", "fill=20"}));
    std::vector<std::string> concurrent = base;
    concurrent.push_back("--concurrent");
    EXPECT_EQ(run_scene_json(concurrent).at("bodies"), 40);
}

TEST(Run, an_unusable_mesh_is_an_error_with_its_name) {
    const Folder folder("run_mesh");
    const std::string point = folder.write("point.obj", "v 1 2 3\nv 1 2 3\nv 1 2 3\nf 1 2 3\n");
    const std::string bad = folder.write("bad.obj", "v 1 2 3\nf 1 2 9\n");
    const std::string good = folder.write("good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const auto refusal = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"run", "--headless", "--frames", "2"});
        const Outcome outcome = run_here(more);
        EXPECT_EQ(outcome.status, 2);
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        return outcome.err;
    };
    EXPECT_NE(refusal({"--mesh", point}).find("point.obj"), std::string::npos);
    EXPECT_NE(refusal({"--mesh", bad}).find("bad.obj"), std::string::npos);
    EXPECT_NE(refusal({"--mesh", folder.file("none.obj")}).find("none.obj"), std::string::npos);
    EXPECT_NE(refusal({"--mesh", good, "--scene", "buttons"}).find("cage, workbench or potter"),
              std::string::npos);
    EXPECT_NE(refusal({"--mesh", good, "--record", folder.file("r.jsonl")}).find("recorded"),
              std::string::npos);
    EXPECT_EQ(run_here({"run", "--headless", "--frames", "2", "--mesh", good}).status, 0);
}

TEST(Run, json_is_written_to_a_file) {
    const Folder folder("run_json");
    const Outcome outcome =
        run_here({"run", "--headless", "--frames", "3", "--json", folder.file("out.json")});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    std::ifstream in(folder.file("out.json"));
    EXPECT_EQ(json::parse(in).at("frames"), 3);
    EXPECT_EQ(folder.count(), 1u);
    EXPECT_EQ(
        run_here({"run", "--headless", "--frames", "3", "--json", folder.file("absent/out.json")}).status, 2);
}

TEST(Run, a_failed_screenshot_is_an_error_and_the_json_is_written) {
    const Folder folder("run_screenshot");
    app::Frontend frontend;
    frontend.screenshot = [](app::Session&, const std::filesystem::path&, int, int) {
        return collision::Status(collision::Error{"no picture", {}, 0});
    };
    const std::string recording = folder.file("r.jsonl");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"run", "--headless", "--frames", "2", "--record", recording},
          std::vector<std::string>{"replay", recording}}) {
        std::vector<std::string> words{"claybox"};
        words.insert(words.end(), command.begin(), command.end());
        const std::string json_file = folder.file(command[0] + ".json");
        words.insert(words.end(), {"--screenshot", folder.file("a.png"), "--json", json_file});
        std::vector<char*> pointers;
        for (std::string& word : words) pointers.push_back(word.data());
        ::testing::internal::CaptureStderr();
        EXPECT_EQ(app::run_command_line(static_cast<int>(pointers.size()), pointers.data(), frontend), 2);
        EXPECT_EQ(::testing::internal::GetCapturedStderr(), "no picture\n");
        std::ifstream in(json_file);
        EXPECT_TRUE(in && json::parse(in).at("frames") == 2) << command[0];
    }
}

TEST(Run, an_output_that_is_a_device_stays_one_and_a_full_one_is_an_error) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const Folder folder("run_device");
    std::filesystem::create_symlink("/dev/full", folder.file("full"));
    for (const char* option : {"--json", "--record"}) {
        const Outcome outcome = run_here({"run", "--headless", "--frames", "2", option, folder.file("full")});
        EXPECT_EQ(outcome.status, 2) << option;
        EXPECT_NE(outcome.err.find("No space left"), std::string::npos) << outcome.err;
        EXPECT_TRUE(std::filesystem::is_character_file(folder.file("full"))) << option;
    }
    EXPECT_EQ(folder.count(), 1u);
}

TEST(Replay, a_recording_replays_to_the_same_hashes_with_other_switches) {
    const Folder folder("replay");
    for (const app::SceneDescriptor* scene : app::scenes()) {
        const std::string file = folder.file(std::string(scene->id) + ".jsonl");
        ASSERT_EQ(
            run_here({"run", "--headless", "--scene", scene->id, "--frames", "40", "--record", file}).status,
            0);
        for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                                     {"--parallel", "pairs", "--workers", "3"},
                                                     {"--broad", "all_pairs"}}) {
            std::vector<std::string> words{"replay", file};
            words.insert(words.end(), more.begin(), more.end());
            const Outcome outcome = run_here(words);
            EXPECT_EQ(outcome.status, 0) << scene->id << outcome.err;
            EXPECT_NE(outcome.out.find("40 frames replayed"), std::string::npos) << outcome.out;
        }
    }
}

TEST(Replay, every_exact_algorithm_finds_the_colliding_pairs_of_the_recording) {
    const Folder folder("replay_every");
    const std::string file = folder.file("cage.jsonl");
    ASSERT_EQ(
        run_here({"run", "--headless", "--frames", "90", "--set", "bodies=20", "--record", file}).status, 0);
    const Outcome outcome = run_here({"replay", file, "--every-algorithm"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), collision::pair_algorithms().size() + 1) << outcome.out;
    for (const char* id : {"best ", "gjk ", "sat_brute ", "mesh_bvh "}) {
        const auto line =
            std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.starts_with(id); });
        ASSERT_NE(line, lines.end()) << id;
        EXPECT_NE(line->find("all equal"), std::string::npos) << *line;
    }
    const Outcome other = run_here({"replay", file, "--every-algorithm", "--seed", "77", "--frames", "3"});
    EXPECT_EQ(other.status, 1);
    EXPECT_NE(other.out.find("differ from frame 1 on"), std::string::npos) << other.out;
}

TEST(Replay, another_seed_is_a_difference_that_names_the_frame) {
    const Folder folder("replay_differs");
    const std::string file = folder.file("cage.jsonl");
    ASSERT_EQ(run_here({"run", "--headless", "--frames", "5", "--record", file}).status, 0);
    const Outcome outcome = run_here({"replay", file, "--seed", "77"});
    EXPECT_EQ(outcome.status, 1);
    ASSERT_EQ(lines_of(outcome.err).size(), 1u);
    EXPECT_NE(outcome.err.find("frame 1 is the first that differs"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace claybox::test
