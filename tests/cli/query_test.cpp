#include "app/cli/commands/query_answers.hpp"
#include "app/cli/commands/query_shapes.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/cli/support.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace claybox::test {
namespace {

using nlohmann::json;

const std::string kMatrix = "[1,0,0,0,0,1,0,0,0,0,1,0]";

/// A query line with two points, the second at (x, 0, 0).
std::string line_of_points(const std::string& id, const std::string& x, const std::string& more = "") {
    return "{\"id\":\"" + id +
           "\",\"a\":{\"kind\":\"vertices\",\"points\":[[0,0,0]]},\"b\":{\"kind\":\"vertices\",\"points\":["
           "[" +
           x + ",0,0]]},\"matrix_a\":" + kMatrix + ",\"matrix_b\":" + kMatrix + more + "}\n";
}

std::vector<json> answers_of(const Outcome& outcome) {
    std::vector<json> out;
    for (const std::string& line : lines_of(outcome.out)) out.push_back(json::parse(line));
    return out;
}

/// Compares every answer to a file of the ground truth with the file.
void expect_truth(const std::string& file, const std::vector<std::string>& switches, bool every_line) {
    const std::vector<json> truth = truth_lines(file);
    if (truth.empty()) GTEST_SKIP() << "no " << file << " here";
    std::map<std::string, const json*> by_id;
    for (const json& line : truth) by_id[line.at("id")] = &line;
    std::vector<std::string> arguments{"query", (truth_dir() / file).string()};
    arguments.insert(arguments.end(), switches.begin(), switches.end());
    const Outcome outcome = run_here(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::vector<json> answers = answers_of(outcome);
    if (every_line) {
        EXPECT_EQ(answers.size(), truth.size());
    }
    for (const json& answer : answers) {
        const json& line = *by_id.at(answer.at("id"));
        const collision::PairAlgorithm* algorithm =
            collision::find_pair_algorithm(answer.at("pair").get<std::string>());
        ASSERT_NE(algorithm, nullptr);
        if (!algorithm->exact) continue;
        const bool inside = answer.at("meaning") == "solid" && line.value("inside", false);
        EXPECT_EQ(answer.at("collide"), line.at("collide").get<bool>() || inside) << answer.dump();
        if (answer.contains("distance")) {
            const double want = line.at("distance");
            const bool surfaces = answer.at("meaning") == "surface";
            EXPECT_NEAR(answer.at("distance").get<double>(), want,
                        1e-6 * (want + (surfaces ? 0 : line.at("coord_max").get<double>())))
                << answer.dump();
        }
    }
}

TEST(Query, every_algorithm_that_fits_answers_every_convex_line_correctly) {
    expect_truth("convex.jsonl", {"--pair", "all"}, false);
    expect_truth("convex.jsonl", {"--pair", "gjk"}, true);
}

TEST(Query, every_algorithm_that_fits_answers_every_mesh_line_correctly) {
    expect_truth("mesh.jsonl", {"--pair", "all"}, false);
    expect_truth("mesh.jsonl", {"--pair", "edge_polygon"}, true);
}

TEST(Query, with_solid_a_surface_algorithm_answers_for_solids) {
    expect_truth("mesh.jsonl", {"--pair", "edge_polygon", "--solid"}, true);
    expect_truth("convex.jsonl", {"--pair", "edge_polygon", "--solid"}, true);
}

TEST(Query, with_solid_a_surface_algorithm_answers_for_points) {
    const Folder folder("query_solid");
    const std::string file =
        folder.write("q.jsonl", line_of_points("far", "3") + line_of_points("same", "0"));
    for (const char* algorithm : {"edge_polygon", "box_tree", "mesh_bvh"}) {
        const Outcome outcome = run_here({"query", file, "--pair", algorithm, "--solid"});
        EXPECT_EQ(outcome.status, 0) << algorithm << outcome.err;
        EXPECT_EQ(answers_of(outcome).at(0).at("collide"), false) << algorithm;
        EXPECT_EQ(answers_of(outcome).at(1).at("collide"), true) << algorithm;
    }
}

TEST(Query, an_answer_has_the_documented_fields) {
    const Folder folder("query_fields");
    const Outcome outcome =
        run_here({"query", folder.write("q.jsonl", line_of_points("far", "3")), "--repeat", "5"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json answer = answers_of(outcome).at(0);
    EXPECT_EQ(answer.at("id"), "far");
    EXPECT_EQ(answer.at("meaning"), "solid");
    EXPECT_EQ(answer.at("verdict"), "separated");
    EXPECT_EQ(answer.at("collide"), false);
    EXPECT_EQ(answer.at("distance"), 3.0);
    EXPECT_GT(answer.at("ns").get<double>(), 0);
    EXPECT_GE(answer.at("rung").get<int>(), 1);
}

TEST(Query, touching_points_collide) {
    const Folder folder("query_touch");
    const Outcome outcome = run_here({"query", folder.write("q.jsonl", line_of_points("same", "0"))});
    EXPECT_EQ(answers_of(outcome).at(0).at("collide"), true);
}

TEST(Query, reports_a_bad_line_in_its_place_and_continues) {
    const Folder folder("query_bad");
    const std::string text = line_of_points("one", "3") + "{\"id\":7}\n\n" + line_of_points("two", "NaN") +
                             line_of_points("three", "1e30") + line_of_points("four", "2");
    const Outcome outcome = run_here({"query", folder.write("q.jsonl", text)});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "");
    const std::vector<json> answers = answers_of(outcome);
    ASSERT_EQ(answers.size(), 5u);
    EXPECT_EQ(answers[0].at("id"), "one");
    EXPECT_EQ(answers[1].at("line"), 2);
    EXPECT_EQ(answers[2].at("line"), 4);
    EXPECT_EQ(answers[3].at("line"), 5);
    EXPECT_TRUE(answers[3].contains("error"));
    EXPECT_EQ(answers[4].at("id"), "four");
}

TEST(Query, a_value_of_a_wrong_type_is_an_error) {
    const std::string point = "{\"kind\":\"vertices\",\"points\":[[0,0,0]]}";
    const auto line = [&](const std::string& a, const std::string& matrix) {
        return "{\"a\":" + a + ",\"b\":" + point + ",\"matrix_a\":" + matrix + ",\"matrix_b\":" + kMatrix +
               "}";
    };
    for (const std::string& text : {line("{}", kMatrix),
                                    line("[]", kMatrix),
                                    line("{\"kind\":\"sphere\"}", kMatrix),
                                    line("{\"kind\":\"vertices\"}", kMatrix),
                                    line("{\"kind\":\"vertices\",\"points\":[]}", kMatrix),
                                    line("{\"kind\":\"vertices\",\"points\":[[0,0]]}", kMatrix),
                                    line("{\"kind\":\"vertices\",\"points\":[[0,0,\"0\"]]}", kMatrix),
                                    line("{\"kind\":\"vertices\",\"points\":[[0,0,true]]}", kMatrix),
                                    line("{\"mesh\":7}", kMatrix),
                                    line("{\"mesh\":\"../x.obj\"}", kMatrix),
                                    line("{\"mesh\":\"..\"}", kMatrix),
                                    line("{\"mesh\":\"\"}", kMatrix),
                                    line("{\"mesh\":\"/etc/passwd\"}", kMatrix),
                                    line("{\"mesh\":\"a\\\\b.obj\"}", kMatrix),
                                    line("{\"mesh\":\"a\\u0000.obj\"}", kMatrix),
                                    line("{\"mesh\":\"" + std::string(256, 'a') + "\"}", kMatrix),
                                    line("{\"mesh\":\"absent.obj\"}", kMatrix),
                                    line(point, "[1,2,3]"),
                                    line(point, "{}"),
                                    line(point, "[1,0,0,0,0,1,0,0,0,0,1,1e300]"),
                                    std::string("[1]"),
                                    std::string("7"),
                                    std::string("{\"a\":1} {\"b\":2}"),
                                    "{\"id\":[1]," + line(point, kMatrix).substr(1)}) {
        const Folder folder("query_types");
        const Outcome outcome = run_here({"query", folder.write("q.jsonl", text)});
        EXPECT_EQ(outcome.status, 2) << text;
        ASSERT_EQ(lines_of(outcome.out).size(), 1u) << text;
        EXPECT_TRUE(answers_of(outcome)[0].contains("error")) << text;
    }
}

TEST(Query, numbers_have_a_magnitude_of_at_most_two_to_the_sixty) {
    const auto line = [](const std::string& coordinate, const std::string& entry) {
        const std::string point = "{\"kind\":\"vertices\",\"points\":[[" + coordinate + ",0,0],[1,2,3]]}";
        return "{\"id\":1,\"a\":" + point + ",\"b\":" + point + ",\"matrix_a\":[1,0,0," + entry +
               ",0,1,0,0,0,0,1,0],\"matrix_b\":" + kMatrix + "}\n";
    };
    const Folder folder("query_border");
    const auto answer = [&](const std::string& text) {
        return run_here({"query", folder.write("q.jsonl", text), "--pair", "gjk"});
    };
    for (const char* bad : {"1152921504606847232", "-1.2e18", "3.5e38", "1e300"}) {
        for (const std::string& text : {line(bad, "0"), line("0", bad)}) {
            const Outcome outcome = answer(text);
            EXPECT_EQ(outcome.status, 2) << text;
            EXPECT_NE(outcome.out.find("magnitude up to 2^60"), std::string::npos) << outcome.out;
        }
    }
    // Both bodies are equal; one may be moved.
    EXPECT_EQ(answers_of(answer(line("1152921504606846976", "0")))[0].at("collide"), true);
    EXPECT_EQ(answers_of(answer(line("0", "-1152921504606846976")))[0].at("collide"), false);
    EXPECT_EQ(answers_of(answer(line("1e-45", "0")))[0].at("collide"), true);
    EXPECT_EQ(answers_of(answer(line("0", "1e-45")))[0].at("verdict"), "separated");
    EXPECT_EQ(answers_of(answer(line("1e-400", "-1e-400")))[0].at("collide"), true);
}

TEST(Query, more_points_than_a_hull_can_be_built_of_in_time_are_an_error) {
    const auto answer = [](std::size_t count) {
        std::string points = "[0,0,0]";
        for (std::size_t i = 1; i < count; ++i) points += ",[0,0,0]";
        const std::string matrix = "[1,0,0,0,0,1,0,0,0,0,1,0]";
        const auto line = app::parse_query_line("{\"matrix_a\":" + matrix + ",\"matrix_b\":" + matrix +
                                                ",\"a\":{\"kind\":\"vertices\",\"points\":[" + points +
                                                "]},\"b\":{\"kind\":\"vertices\",\"points\":[[0,0,0]]}}");
        return line ? std::string() : line.error().message;
    };
    EXPECT_EQ(answer(100000), "");
    EXPECT_NE(answer(100001).find("at most 100000"), std::string::npos) << answer(100001);
}

TEST(Query, a_motion_is_answered_by_continuous_algorithms) {
    const Folder folder("query_motion");
    const std::string cube =
        R"({"kind":"vertices","points":[[-1,-1,-1],[1,-1,-1],[-1,1,-1],[1,1,-1],[-1,-1,1],[1,-1,1],[-1,1,1],[1,1,1]]})";
    const auto matrix = [](double x) { return "[1,0,0," + std::to_string(x) + ",0,1,0,0,0,0,1,0]"; };
    const std::string bodies = ",\"a\":" + cube + ",\"b\":" + cube;
    const std::string linear = "{\"id\":1,\"matrix_a0\":" + matrix(0) + ",\"matrix_a1\":" + matrix(0) +
                               ",\"matrix_b0\":" + matrix(6) + ",\"matrix_b1\":" + matrix(-2) + bodies + "}";
    const std::string turn =
        "{\"id\":2,\"matrix_a\":" + matrix(0) + ",\"matrix_b\":" + matrix(2.1) +
        R"(,"screw_a":null,"screw_b":{"point":[2.1,0,0],"axis":[0,0,1],"theta":1,"g":[0,0,0]})" + bodies +
        "}";
    const std::string file = folder.write("q.jsonl", linear + "\n" + turn + "\n");
    const Outcome outcome = run_here({"query", file, "--continuous", "all"});
    ASSERT_EQ(outcome.status, 0) << outcome.out;
    int linear_answers = 0, turn_answers = 0;
    for (const json& answer : answers_of(outcome)) {
        if (answer.at("promise") == "approximate") continue;
        EXPECT_EQ(answer.at("hit"), true) << answer;
        const bool is_linear = answer.at("id") == 1;
        ++(is_linear ? linear_answers : turn_answers);
        // A corner of radius sqrt(2) reaches the other cube when sin(t + pi/4) = 1.1 / sqrt(2).
        const double time = is_linear ? 0.5 : std::asin(1.1 / std::sqrt(2.0)) - 0.78539816339744831;
        EXPECT_NEAR(answer.at("toi").get<double>(), time, 1e-5) << answer;
        EXPECT_NEAR(answer.at("toi_normal")[0].get<double>(), 1, 1e-4) << answer;
        if (answer.contains("swept_hull_collide")) {
            EXPECT_EQ(answer.at("swept_hull_collide"), true);
        }
    }
    EXPECT_EQ(linear_answers, 4);
    EXPECT_EQ(turn_answers, 1);
    // Without a choice: the default. A pair algorithm ignores motions, so it must not answer.
    EXPECT_EQ(answers_of(run_here({"query", file}))[0].at("pair"), "best_continuous");
    const Outcome pair = run_here({"query", file, "--pair", "gjk"});
    EXPECT_EQ(pair.status, 2);
    EXPECT_NE(pair.out.find("--continuous"), std::string::npos) << pair.out;
    // A line without a motion: fixed bodies.
    const std::string still = folder.write("s.jsonl", line_of_points("s", "1"));
    EXPECT_EQ(answers_of(run_here({"query", still, "--continuous", "moving_gjk"}))[0].at("pair"),
              "moving_gjk");
    EXPECT_EQ(run_here({"query", file, "--continuous", "nonsense"}).status, 2);
    EXPECT_EQ(run_here({"query", file, "--tolerance", "-1"}).status, 2);
    const Outcome narrow = run_here({"query", file, "--continuous", "moving_gjk"});
    EXPECT_EQ(narrow.status, 2);
    EXPECT_NE(narrow.out.find("does not fit"), std::string::npos) << narrow.out;
}

TEST(Query, a_bad_motion_is_an_error_that_names_the_field) {
    const Folder folder("query_bad_motion");
    const std::string turned = "[0,1,0,0,1,0,0,0,0,0,1,0]";
    const auto linear = [&](const std::string& end) {
        return R"({"matrix_a0":)" + kMatrix + R"(,"matrix_a1":)" + end + R"(,"matrix_b0":)" + kMatrix +
               R"(,"matrix_b1":)" + kMatrix +
               R"(,"a":{"kind":"vertices","points":[[0,0,0]]},"b":{"kind":"vertices","points":[[0,0,0]]}})";
    };
    const std::pair<std::string, const char*> cases[] = {
        {linear(turned), "matrix_a1"},
        {linear("[1,2]"), "matrix_a1"},
        {line_of_points("m", "1", ",\"matrix_a0\":" + kMatrix), "matrix_a1"},
        {line_of_points("m", "1", ",\"screw_a\":1"), "screw_a"},
        {line_of_points("m", "1", R"(,"screw_a":{"point":[0,0,0],"theta":1,"g":[0,0,0]})"), "screw_a.axis"},
        {line_of_points("m", "1", R"(,"screw_a":{"point":[0,0,0],"axis":[0,0,2],"theta":1,"g":[0,0,0]})"),
         "length 1"},
        {line_of_points("m", "1", R"(,"screw_b":{"point":[0,0],"axis":[0,0,1],"theta":1,"g":[0,0,0]})"),
         "screw_b.point"},
        {line_of_points("m", "1", R"(,"screw_b":{"point":[0,0,0],"axis":[0,0,1],"theta":"x","g":[0,0,0]})"),
         "screw_b.theta"},
    };
    for (const auto& [text, field] : cases) {
        const Outcome outcome = run_here({"query", folder.write("q.jsonl", text), "--continuous", "all"});
        EXPECT_EQ(outcome.status, 2) << text;
        EXPECT_NE(outcome.out.find(field), std::string::npos) << outcome.out;
    }
}

TEST(Query, every_motion_of_the_ground_truth_is_answered_right) {
    for (const auto& [name, tolerance] :
         {std::pair{"continuous.jsonl", 1e-6}, std::pair{"screw.jsonl", 1e-4}}) {
        const std::filesystem::path file = truth_dir() / name;
        const Outcome outcome = run_here({"query", file.string(), "--continuous", "all"});
        ASSERT_EQ(outcome.status, 0);
        std::map<std::string, json> truth;
        for (const json& line : truth_lines(name)) truth[line["id"]] = line;
        std::size_t judged = 0;
        for (const json& answer : answers_of(outcome)) {
            if (answer.at("promise") == "approximate") continue;
            const json& line = truth.at(answer.at("id"));
            ++judged;
            ASSERT_EQ(answer.at("hit"), line.at("hit")) << answer;
            if (answer.at("hit").get<bool>()) {
                EXPECT_NEAR(answer.at("toi").get<double>(), line.at("toi").get<double>(), tolerance)
                    << answer;
            }
        }
        EXPECT_GE(judged, truth.size()) << name;
    }
}

TEST(Query, reads_meshes_next_to_the_file_and_in_the_folder_meshes) {
    const Folder folder("query_meshes");
    const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    folder.write("beside.obj", text);
    folder.write("meshes/below.obj", text);
    const Outcome outcome = run_here(
        {"query",
         folder.write(
             "q.jsonl",
             "{\"id\":1,\"a\":{\"mesh\":\"beside.obj\"},\"b\":{\"mesh\":\"below.obj\"},\"matrix_a\":" +
                 kMatrix + ",\"matrix_b\":" + kMatrix + "}")});
    ASSERT_EQ(outcome.status, 0) << outcome.out;
    EXPECT_EQ(answers_of(outcome)[0].at("collide"), true);
}

TEST(MeshCache, a_stream_that_names_ever_new_meshes_keeps_a_bounded_number) {
    const Folder folder("query_cache");
    folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    folder.write("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    app::MeshCache many(folder.file(""));
    for (std::size_t i = 0; i < 3 * app::MeshCache::kMaxMeshes; ++i) {
        many.limit();
        EXPECT_FALSE(many.find("absent-" + std::to_string(i)).ok());
        ASSERT_LE(many.count(), app::MeshCache::kMaxMeshes);
    }
    app::MeshCache small(folder.file(""), 1);
    ASSERT_TRUE(small.find("a.obj").ok());
    ASSERT_TRUE(small.find("b.obj").ok());
    EXPECT_EQ(small.count(), 2u);
    small.limit();
    EXPECT_EQ(small.count(), 0u);
    EXPECT_TRUE(small.find("a.obj").ok());
}

TEST(Query, workers_give_the_same_answers_in_the_order_of_the_lines) {
    const Folder folder("query_workers");
    std::string lines;
    for (int i = 0; i < 3000; ++i) {
        lines += line_of_points(std::to_string(i), std::to_string(i % 7));
        if (i % 500 == 3) lines += "\n not JSON\n";
        if (i == 900) lines.append((16u << 20) + 1, '1').append("\n");
    }
    const std::string file = folder.write("many.jsonl", lines);
    const Outcome one = run_here({"query", file});
    EXPECT_EQ(one.status, 2) << "some lines are no queries";
    EXPECT_EQ(lines_of(one.out).size(), 3007u);
    for (const char* workers : {"2", "5"}) {
        const Outcome many = run_here({"query", file, "--workers", workers});
        EXPECT_EQ(many.status, one.status);
        EXPECT_TRUE(many.out == one.out) << workers;
        EXPECT_EQ(many.err, one.err);
    }
    EXPECT_EQ(run_here({"query", file, "--workers", "0"}).status, 2);
    EXPECT_EQ(run_here({"query", file, "--workers", "2", "--repeat", "3"}).status, 2);
}

TEST(HullCache, equal_points_are_one_hull_and_a_stream_of_new_ones_keeps_a_bounded_number) {
    using collision::Vec3f;
    constexpr std::size_t kMost = 100;
    app::HullCache hulls(kMost);
    const std::vector<Vec3f> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto first = hulls.find(points);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(hulls.find(points).value(), first.value());
    std::vector<Vec3f> other = points;
    other[0].x = -0.0f;
    EXPECT_NE(hulls.find(other).value(), first.value()) << "other bits";
    std::swap(other[1], other[2]);
    EXPECT_NE(hulls.find(other).value(), first.value()) << "another order";
    EXPECT_EQ(hulls.count(), 3u);
    hulls.limit();
    const std::size_t before = hulls.bytes();
    first.value()->prepare(collision::find_pair_algorithm("separating_vector")->prepare);
    EXPECT_EQ(hulls.find(points).value(), first.value());
    hulls.limit();
    EXPECT_GT(hulls.bytes(), before) << "prepared data count";
    for (std::size_t i = 0; i < 2 * kMost; ++i) {
        hulls.limit();
        other[0].x = static_cast<float>(i);
        ASSERT_TRUE(hulls.find(other).ok());
        ASSERT_LE(hulls.count(), kMost);
    }
}

TEST(HullCache, a_text_leads_to_the_hull_of_its_points_and_a_bounded_number_of_texts_is_kept) {
    using collision::Vec3f;
    constexpr std::size_t kMost = 100;
    app::HullCache hulls(kMost);
    const std::vector<Vec3f> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto text = [](std::size_t i) { return "[[" + std::to_string(i) + "]]"; };
    EXPECT_EQ(hulls.find(text(0)), nullptr);
    const auto first = hulls.find(points, text(0));
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(hulls.find(text(0)), first.value());
    EXPECT_EQ(hulls.find(text(1)), nullptr);
    EXPECT_EQ(hulls.find(points, text(1)).value(), first.value()) << "one hull may have many texts";
    EXPECT_EQ(hulls.count(), 1u);
    const std::size_t before = hulls.bytes();
    ASSERT_TRUE(hulls.find(points, std::string(1000, ' ')).ok());
    EXPECT_GE(hulls.bytes(), before + 1000) << "texts count";
    for (std::size_t i = 0; i < 2 * kMost; ++i) {
        hulls.limit();
        ASSERT_TRUE(hulls.find(points, text(i)).ok());
    }
    EXPECT_EQ(hulls.find(text(0)), nullptr) << "forgotten";
    EXPECT_FALSE(hulls.find(std::vector<Vec3f>{{0, 0, NAN}}, "[[bad]]").ok());
    EXPECT_EQ(hulls.find("[[bad]]"), nullptr);
}

TEST(Query, an_unknown_id_is_an_error_that_lists_the_known_ids) {
    const Folder folder("query_ids");
    const std::string file = folder.write("q.jsonl", line_of_points("x", "1"));
    const Outcome pair = run_here({"query", file, "--pair", "nonsense"});
    EXPECT_EQ(pair.status, 2);
    EXPECT_EQ(pair.out, "");
    for (const collision::PairAlgorithm* a : collision::pair_algorithms())
        EXPECT_NE(pair.err.find(a->id), std::string::npos);
    EXPECT_EQ(run_here({"query", file, "--set", "nonsense=1"}).status, 2);
    EXPECT_EQ(run_here({"query", file, "--exactness", "nearly"}).status, 2);
    EXPECT_EQ(run_here({"query", file, "--exactness", "fast"}).status, 0);
    EXPECT_EQ(run_here({"query", folder.file("absent.jsonl")}).status, 2);
}

TEST(Query, an_algorithm_that_does_not_fit_is_an_error) {
    const Folder folder("query_fit");
    const Outcome outcome =
        run_here({"query", folder.write("q.jsonl", line_of_points("x", "1")), "--pair", "edge_polygon"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(answers_of(outcome).at(0).at("error").get<std::string>().find("surfaces"), std::string::npos);
}

}  // namespace
}  // namespace claybox::test
