#include "bench/experiments/experiment.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

namespace claybox::test {
namespace {

using nlohmann::json;

TEST(Bench, list_names_every_experiment) {
    const Outcome outcome = run_here({"bench", "list"});
    EXPECT_EQ(outcome.status, 0);
    for (const bench::Experiment* experiment : bench::experiments())
        EXPECT_NE(outcome.out.find(experiment->id), std::string::npos);
    EXPECT_EQ(run_here({"bench"}).out, outcome.out);
}

TEST(Bench, json_has_google_benchmarks_format_and_no_exact_algorithm_is_wrong) {
    const Outcome outcome =
        run_here({"bench", "convex", "--quick", "--rows", "ellipsoid/20/5/10,rod/100/20/40", "--json", "-"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json out = json::parse(outcome.out);
    for (const char* field : {"date", "executable", "library_build_type", "seed", "spreads"})
        EXPECT_TRUE(out.at("context").contains(field)) << field;
    std::set<std::string> rows, algorithms;
    int spreads = 0;
    for (const json& entry : out.at("benchmarks")) {
        const std::string name = entry.at("name");
        EXPECT_EQ(entry.at("run_name"), name);
        EXPECT_EQ(entry.at("run_type"), "iteration");
        EXPECT_EQ(entry.at("time_unit"), "ns");
        EXPECT_GT(entry.at("iterations").get<std::uint64_t>(), 0u);
        EXPECT_GT(entry.at("real_time").get<double>(), 0);
        if (entry.contains("spread")) {
            EXPECT_GT(entry.at("spread").get<double>(), 0) << name;
            ++spreads;
        }
        const std::size_t last = name.rfind('/');
        rows.insert(name.substr(0, last));
        const auto* algorithm = collision::find_pair_algorithm(name.substr(last + 1));
        if (algorithm == nullptr || !entry.contains("asked")) continue;
        algorithms.insert(algorithm->id);
        EXPECT_TRUE(!algorithm->exact ||
                    entry.at("wrong").get<int>() + entry.at("undecided").get<int>() == 0);
        EXPECT_NEAR(entry.at("rung_1").get<double>() + entry.at("rung_2").get<double>() +
                        entry.at("rung_3").get<double>(),
                    1, 1e-9);
    }
    for (const char* row :
         {"convex/ellipsoid/20/5/10/all", "convex/ellipsoid/20/5/10/separated",
          "convex/ellipsoid/20/5/10/near", "convex/ellipsoid/20/5/10/colliding", "convex/rod/100/20/40/all"})
        EXPECT_TRUE(rows.contains(row)) << row;
    EXPECT_GT(spreads, 0);
    EXPECT_TRUE(algorithms.contains("gjk") && algorithms.contains("lp_exact"));
}

TEST(Bench, tables_mark_algorithms_that_do_not_fit_and_files_are_complete) {
    const Folder folder("bench");
    const std::string file = folder.file("table.md");
    ASSERT_EQ(run_here({"bench", "convex", "--quick", "--rows", "plate/200/5/10", "--algorithms",
                        "gjk,sat_brute", "--markdown", file})
                  .status,
              0);
    EXPECT_EQ(folder.count(), 1u);
    const Outcome outcome =
        run_here({"bench", "convex", "--quick", "--rows", "plate/200/5/10", "--algorithms", "gjk,sat_brute"});
    EXPECT_NE(outcome.out.find("| contestant | plate 200 |"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("| sat_brute | n/a |"), std::string::npos) << outcome.out;
    for (const char* condition : {"\nConditions: date ", ", processor ", ", compiler ", ", build "})
        EXPECT_NE(outcome.out.find(condition), std::string::npos) << condition;
}

TEST(Bench, algorithms_accepts_titles_and_any_case) {
    const std::string title = collision::find_pair_algorithm("sat_brute")->title;
    const Outcome outcome = run_here({"bench", "CONVEX", "--quick", "--rows", "ellipsoid/20/5/10",
                                      "--algorithms", "GJK,V-Clip," + title, "--json", "-"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    std::set<std::string> algorithms;
    const json out = json::parse(outcome.out);
    for (const json& entry : out.at("benchmarks")) {
        const std::string name = entry.at("name");
        algorithms.insert(name.substr(name.rfind('/') + 1));
    }
    for (const char* id : {"gjk", "v_clip", "sat_brute"}) EXPECT_TRUE(algorithms.contains(id)) << id;
    EXPECT_FALSE(algorithms.contains("best"));
}

TEST(Bench, meshes_of_a_folder_are_included) {
    const Folder folder("bench meshes");
    std::string torus;  // 12 by 12 quads
    for (int i = 0; i < 144; ++i) {
        const double u = 0.5236 * (i / 12), v = 0.5236 * (i % 12), r = 1 + 0.4 * std::cos(v);
        torus += "v " + std::to_string(r * std::cos(u)) + ' ' + std::to_string(0.4 * std::sin(v)) + ' ' +
                 std::to_string(r * std::sin(u)) + '\n';
    }
    const auto at = [](int u, int v) { return ' ' + std::to_string(1 + (u % 12) * 12 + v % 12); };
    for (int u = 0; u < 12; ++u)
        for (int v = 0; v < 12; ++v)
            torus += "f" + at(u, v) + at(u, v + 1) + at(u + 1, v + 1) + at(u + 1, v) + '\n';
    folder.write("ring.obj", torus);
    const Outcome outcome = run_here({"bench", "mesh", "--quick", "--meshes", folder.file("."), "--rows",
                                      "contact/file/ring", "--json", "-"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json out = json::parse(outcome.out);
    std::set<std::string> names;
    for (const json& entry : out.at("benchmarks")) names.insert(entry.at("name"));
    EXPECT_TRUE(names.contains("mesh/contact/file/ring/all/edge_polygon"));
    EXPECT_TRUE(names.contains("mesh/contact/file/ring/all/mesh_bvh"));
}

TEST(Bench, wrong_usage_is_one_line_with_the_expected_usage) {
    const std::vector<std::vector<std::string>> wrong = {
        {"bench", "convexity"},
        {"bench", "--quick"},
        {"bench", "list", "--json", "-"},
        {"bench", "convex", "--rows", "cube/20"},
        {"bench", "convex", "--algorithms", "gjk,nothing"},
        {"bench", "mesh", "--rows", "contact/cube/1000"},
        {"bench", "mesh", "--algorithms", "gjk"},
        {"bench", "mesh", "--meshes", "no/such/folder", "--rows", "contact/file/*"},
        {"bench", "convex", "--json", "no/such/folder/out.json"},
        {"bench", "convex", "--markdown", "no/such/folder/out.md"},
        {"bench", "convex", "--json", "-", "--markdown", "-"},
    };
    for (const std::vector<std::string>& words : wrong) {
        const Outcome outcome = run_here(words);
        EXPECT_EQ(outcome.status, 2) << words.back();
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        const bool expected = outcome.err.find("expected") != std::string::npos ||
                              outcome.err.find("Expected") != std::string::npos;
        EXPECT_TRUE(expected) << outcome.err;
    }
}

}  // namespace
}  // namespace claybox::test
