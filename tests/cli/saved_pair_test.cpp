// Saved pairs: `query` gives the verdict that the window showed. Every file of tests/data/pairs is answered
// by every algorithm.

#include "app/session/compare/saved_pair.hpp"

#include "app/session/strict_json.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace claybox::app {
namespace {

using nlohmann::json;

PairSubject saved_subject(collision::Primitive a, collision::Primitive b, const collision::Pose& pose_b) {
    PairSubject out;
    out.a = collision::make_primitive_shape(a, 60, 0.1f, 1).value();
    out.b = collision::make_primitive_shape(b, 60, 0.1f, 1).value();
    collision::Pose pose_a;
    pose_a.translation = {0.1, 0.2, -0.3};
    out.world_from_a = out.before_a = collision::to_matrix(pose_a);
    out.world_from_b = out.before_b = collision::to_matrix(pose_b);
    out.world_from_b.m[0] *= 1.25f;  // a scaled body
    out.name_a = "Body 1";
    out.name_b = "Body 2";
    out.frame = 42;
    return out;
}

collision::Pose posed(double x) {
    collision::Pose out;
    out.translation = {0.1 + x, 0.22, -0.31};
    out.rotation = collision::normalized(collision::Quat{0.9, 0.1, 0.3, -0.2});
    return out;
}

std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// Verdicts of `claybox query FILE --pair all`, by algorithm and meaning.
void expect_saved_answers(const std::filesystem::path& file, std::span<const AlgorithmAnswer> asked) {
    const test::Outcome outcome = test::run_here({"query", file.string(), "--pair", "all"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    std::size_t compared = 0;
    for (const std::string& text : test::lines_of(outcome.out)) {
        const json answer = json::parse(text);
        for (const AlgorithmAnswer& row : asked) {
            if (answer.at("pair") != row.id || row.along_motion) continue;
            EXPECT_EQ(answer.at("verdict"), collision::to_string(row.verdict)) << row.id;
            ++compared;
        }
    }
    EXPECT_GT(compared, 5u);
}

TEST(SavedPair, APP_alg_panel_query_gives_the_verdicts_that_were_asked) {
    using collision::Primitive;
    const test::Folder folder("saved_pair");
    const std::filesystem::path here = std::filesystem::path(folder.file("x")).parent_path();
    int number = 0;
    for (const Primitive second : {Primitive::ellipsoid_hull, Primitive::torus})
        for (const double x : {0.03, 0.11, 0.4}) {
            const PairSubject subject = saved_subject(Primitive::uv_sphere, second, posed(x));
            AskAll asked;
            asked.start(subject, {});
            while (!asked.advance(1)) {
            }
            EXPECT_EQ(asked.disagreements(), 0u);
            std::filesystem::path file;
            std::string error;
            ASSERT_TRUE(save_pair(subject, {"cage", asked.rows()}, here, file, error)) << error;
            EXPECT_EQ(file.filename(), "claybox-pair-" + std::to_string(++number) + ".jsonl");
            const json line = json::parse(test::lines_of(content_of(file)).front());
            EXPECT_EQ(line.at("frame"), 42);
            EXPECT_EQ(line.at("id"), "Body 1 and Body 2");
            EXPECT_EQ(line.at("expected"), collision::to_string(asked.truth().solid));
            EXPECT_EQ(line.at("answers").at("edge_polygon"), collision::to_string(asked.truth().surface));
            EXPECT_EQ(line.at("a").contains("mesh"), second == Primitive::torus);
            expect_saved_answers(file, asked.rows());
        }
}

TEST(SavedPair, a_folder_that_cannot_be_written_is_an_error) {
    const test::Folder folder("saved_pair_error");
    std::filesystem::path file;
    std::string error;
    const PairSubject subject =
        saved_subject(collision::Primitive::uv_sphere, collision::Primitive::torus, posed(0.1));
    EXPECT_FALSE(save_pair(subject, {}, folder.file("missing"), file, error));
    EXPECT_FALSE(error.empty());
}

/// Every exact algorithm answers a saved pair as exact arithmetic did when it was saved.
TEST(SavedPairs, every_exact_algorithm_gives_the_expected_verdict) {
    std::size_t files = 0, compared = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(CLAYBOX_TEST_DATA) / "pairs")) {
        if (entry.path().extension() != ".jsonl") continue;
        ++files;
        std::map<std::string, json> lines;
        for (const std::string& text : test::lines_of(content_of(entry.path()))) {
            const json line = json::parse(text);
            lines[line.at("id").get<std::string>()] = line;
        }
        const test::Outcome outcome = test::run_here({"query", entry.path().string(), "--pair", "all"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        for (const std::string& text : test::lines_of(outcome.out)) {
            const json answer = json::parse(text);
            const collision::PairAlgorithm* algorithm =
                collision::find_pair_algorithm(answer.at("pair").get<std::string>());
            const json& line = lines.at(answer.at("id").get<std::string>());
            const char* field = answer.at("meaning") == "solid" ? "expected" : "expected_surface";
            if (!algorithm->exact || !line.contains(field)) continue;
            EXPECT_EQ(answer.at("verdict"), line.at(field)) << entry.path() << ' ' << algorithm->id;
            ++compared;
        }
    }
    EXPECT_GT(files, 0u);
    EXPECT_GT(compared, files * 5);
}

}  // namespace
}  // namespace claybox::app
