// `claybox bench papers`, single rows and `claybox bench streams`.

#include "app/bench/findings_json.hpp"
#include "app/bench/papers_run.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace claybox::test {
namespace {

std::string text_of(const std::string& file) {
    std::ifstream stream(file);
    std::stringstream out;
    out << stream.rdbuf();
    return out.str();
}

TEST(Papers, APP_bench_list_shows_every_row) {
    const std::string out = run_here({"bench", "list"}).out;
    for (const app::PapersSection& section : app::papers_sections())
        EXPECT_NE(out.find(section.id), std::string::npos) << section.id;
}

TEST(Papers, one_row_prints_its_claims_and_writes_json) {
    const Folder folder("row");
    const Outcome outcome = run_here({"bench", "lp-6-lib", "--quick"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("| number of objects | 20 | 20 | holds |"), std::string::npos) << outcome.out;
    ASSERT_EQ(run_here({"bench", "LP-6-lib", "--quick", "--json", folder.file("a.json")}).status, 0);
    const auto stored = app::read_stored_entry(folder.file("a.json"));
    ASSERT_TRUE(stored.ok()) << stored.error().text();
    EXPECT_EQ(stored.value().entry.id, "LP-6-lib");
    EXPECT_EQ(nlohmann::json(app::to_json(stored.value())),
              nlohmann::json::parse(text_of(folder.file("a.json"))));
}

TEST(Papers, a_run_is_resumed_split_and_merged) {
    const Folder folder("papers");
    const std::string out = folder.file("out");
    const std::vector<std::string> rows{"bench",          "papers", "--quick", "--rows",
                                        "LP-6-lib,BU-X3", "--out",  out};
    auto part = rows;
    part.insert(part.end(), {"--shard", "2/2"});
    Outcome outcome = run_here(part);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(out + "/BU-X3.json"));
    EXPECT_FALSE(std::filesystem::exists(out + "/LP-6-lib.json"));
    EXPECT_NE(outcome.out.find("missing: LP-6-lib"), std::string::npos);
    // An hour ago: the times of files may be whole seconds.
    std::filesystem::last_write_time(out + "/BU-X3.json",
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    const auto before = std::filesystem::last_write_time(out + "/BU-X3.json");
    outcome = run_here(rows);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(std::filesystem::last_write_time(out + "/BU-X3.json"), before);  // not run again
    EXPECT_EQ(outcome.out.find("missing: LP-6-lib"), std::string::npos);
    const std::string html = text_of(out + "/papers.html"), text = text_of(out + "/papers.md");
    for (const char* id : {"LP-6-lib", "BU-X3"}) {
        EXPECT_NE(html.find(id), std::string::npos);
        EXPECT_NE(text.find(id), std::string::npos);
    }
    EXPECT_TRUE(std::filesystem::exists(out + "/papers/BU-X3-1.svg"));
    // Other conditions: the same files do not count.
    auto other = rows;
    other.insert(other.end(), {"--seed", "2"});
    ASSERT_EQ(run_here(other).status, 0);
    EXPECT_NE(std::filesystem::last_write_time(out + "/BU-X3.json"), before);
}

TEST(Papers, LP_X1_a_full_run_can_be_read_again) {
    const Folder folder("approach");
    const Outcome outcome = run_here({"bench", "papers", "--rows", "LP-X1", "--out", folder.file("out")});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto stored = app::read_stored_entry(folder.file("out") + "/LP-X1.json");
    ASSERT_TRUE(stored.ok()) << stored.error().text();
    ASSERT_EQ(stored.value().entry.findings.notes.size(), 1u) << "the cube";
}

TEST(Papers, figures_that_are_no_numbers_are_an_error) {
    bench::Findings findings;
    findings.plots.push_back({"Times", "x", "y", false, false, {{"curve", {{1, 2}, {3, 4}}}}});
    findings.values.push_back({"value", 1, "ns", 0.1});
    EXPECT_TRUE(app::check_numbers(findings));
    findings.plots[0].curves[0].points[1].second = std::nan("");
    EXPECT_NE(app::check_numbers(findings).error().text().find("curve 'curve'"), std::string::npos);
    findings.plots.clear();
    findings.values[0].spread = std::numeric_limits<double>::infinity();
    EXPECT_NE(app::check_numbers(findings).error().text().find("value 'value'"), std::string::npos);
}

TEST(Papers, damaged_findings_are_measured_again_and_explained) {
    const Folder folder("damaged");
    const std::string file = folder.write("LP-6-lib.json", "{\"format\":\"claybox findings 1\",\"id\":3}");
    const auto stored = app::read_stored_entry(file);
    ASSERT_FALSE(stored.ok());
    EXPECT_NE(stored.error().text().find("expected findings of 'claybox bench papers'"), std::string::npos);
    EXPECT_FALSE(app::read_stored_entry(folder.file("none.json")).ok());
}

TEST(Papers, wrong_switches_are_explained) {
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"bench", "papers", "--shard", "3/2"}, "expected i/n"},
        {{"bench", "papers", "--shard", "0/2"}, "expected i/n"},
        {{"bench", "papers", "--shard", "1/2x"}, "expected i/n"},
        {{"bench", "papers", "--rows", "CW-X99"}, "expected ids of rows"},
        {{"bench", "papers", "--json", "a.json"}, "expected no --algorithms"},
        {{"bench", "CW-X1", "--rows", "all"}, "expected no --rows"},
        {{"bench", "convex", "--shard", "1/2"}, "with 'papers' or 'streams' only"},
        {{"bench", "streams"}, "expected --out"},
        {{"bench", "streams", "--out", "x", "--rows", "kettle"}, "expected one or more of ellipsoids-20"},
        {{"bench", "CW-X0"}, "unknown experiment"}};
    for (const auto& [arguments, message] : cases) {
        const Outcome outcome = run_here(arguments);
        EXPECT_EQ(outcome.status, 2) << message;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    }
}

TEST(Papers, streams_are_answered_by_claybox_query_as_they_expect) {
    const Folder folder("streams");
    ASSERT_EQ(
        run_here({"bench", "streams", "--out", folder.file("s"), "--rows", "stacks,flakes-contact"}).status,
        0);
    for (const auto& [name, field, pair] :
         {std::tuple{"stacks", "expected", "gjk"}, {"flakes-contact", "expected_surface", "edge_polygon"}}) {
        const std::string file = folder.file("s/" + std::string(name) + "/queries.jsonl");
        const Outcome outcome = run_here({"query", file, "--pair", pair});
        ASSERT_EQ(outcome.status, 0) << outcome.err.substr(0, 300);
        std::stringstream lines(text_of(file)), answers(outcome.out);
        std::size_t count = 0;
        for (std::string line, answer; std::getline(lines, line) && std::getline(answers, answer); ++count) {
            const auto query = nlohmann::json::parse(line), result = nlohmann::json::parse(answer);
            ASSERT_EQ(query.at("id"), result.at("id"));
            ASSERT_EQ(query.at(field), result.at("verdict")) << line;
        }
        EXPECT_GT(count, 100u);
    }
}

}  // namespace
}  // namespace claybox::test
