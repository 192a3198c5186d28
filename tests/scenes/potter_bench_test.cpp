// The experiment `potter`: rows, and a short run. No check depends on times.

#include "bench/scenes/potter/potter.hpp"
#include "bench/scenes/potter/potter_compare.hpp"

#include <gtest/gtest.h>

namespace claybox::bench {
namespace {

PotterRow row_of(const std::string& name) {
    return potter_rows({name}, false).value().at(0);
}

ExperimentReport quick(const std::vector<std::string>& rows) {
    ExperimentOptions options;
    options.quick = true;
    options.rows = rows;
    const auto report = potter_experiment().run(options);
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().text());
    return report.ok() ? report.value() : ExperimentReport{};
}

const Measurement* find(const ExperimentReport& report, const std::string& name) {
    for (const Measurement& m : report.measurements)
        if (m.name == name) return &m;
    ADD_FAILURE() << "no measurement " << name;
    return nullptr;
}

double counter(const Measurement& m, const std::string& name) {
    for (const auto& [id, value] : m.counters)
        if (id == name) return value;
    ADD_FAILURE() << "no counter " << name;
    return -1;
}

TEST(PotterRows, patterns_select_rows_and_invalid_patterns_are_errors) {
    EXPECT_EQ(potter_rows({"still"}, false).value().size(), 3u);
    EXPECT_EQ(potter_rows({"touched/*/one_fingertip/triangles"}, false).value().size(), 3u);
    EXPECT_EQ(row_of("hand/9944/index_finger").name(), "hand/9944/index_finger/quadrangles");
    EXPECT_EQ(row_of("touched/50000").polygons, 50000u);
    EXPECT_NEAR(row_of("touched/1000000").hand_scale(), 0.1, 1e-9);
    for (const char* bad : {"", "all", "touched/499", "touched/1000001", "hand/10000/foot", "still/x"})
        EXPECT_FALSE(potter_rows({bad}, false).ok()) << bad;
}

TEST(PotterScript, the_same_number_of_polygons_is_under_the_hand_in_clay_of_any_size) {
    double fewest = 1e9, most = 0;
    for (const char* name : {"touched/5000/one_fingertip", "touched/20000/one_fingertip"}) {
        auto player = PotterPlayer::create(row_of(name), {}, 1, 40);
        ASSERT_TRUE(player.ok());
        player.value()->play(40);
        ASSERT_TRUE(explain_frames(*player.value(), {}, 1, nullptr).ok());
        const double vertices = summarise(*player.value()).vertices;
        fewest = std::min(fewest, vertices);
        most = std::max(most, vertices);
    }
    EXPECT_GT(fewest, 20);
    EXPECT_LT(most, 2 * fewest);
}

TEST(PotterBench, a_short_run_moves_clay_and_reports_each_stage) {
    const ExperimentReport report = quick({"touched"});
    for (const char* name :
         {"potter/touched/2000/whole_hand/quadrangles", "potter/touched/8000/whole_hand/quadrangles"}) {
        const Measurement* const m = find(report, name);
        ASSERT_NE(m, nullptr);
        EXPECT_GT(m->queries, 5u);
        for (const char* id : {"vertices", "polygons", "normals", "structure", "collision", "upload_bytes"})
            EXPECT_GT(counter(*m, id), 0) << id;
    }
    EXPECT_NE(report.markdown.find("### The same polygons under the hand"), std::string::npos);
}

TEST(PotterBench, Z_8_1_still_the_time_that_a_still_pot_saves_is_shown) {
    const ExperimentReport report = quick({"still"});
    for (const char* name : {"potter/still/2000/turning", "potter/still/2000/still"}) {
        const Measurement* const m = find(report, name);
        ASSERT_NE(m, nullptr);
        EXPECT_GT(m->ns, 0);
        EXPECT_GT(counter(*m, "tight"), 0);
    }
    EXPECT_NE(report.markdown.find("### A still pot against a turning pot"), std::string::npos);
}

TEST(PotterBench, times_of_libraries_have_spreads_and_ratios) {
    PotterRun run;
    OthersResult row;
    row.polygons = 2000;
    row.vertices = 30;
    row.results = {{"mesh_bvh", "Ours", true, 1, 0.1, 0.1, 0.2, 0.05, 1, 9, 160, 0},
                   {"other", "Other", false, 1, 0.4, 0.4, 0.8, 0.25, 4, 9, 160, 3}};
    row.surfaces = {{"claybox", "Ours", true, 1, 0.1, 0.2, 0.02, 0.03, 0, 0, 9},
                    {"other", "Other", false, 1, 0.3, 0.5, 0.04, 0.06, 1, 0.1, 9}};
    run.others.push_back(row);
    const ExperimentReport report = report_potter(run);
    EXPECT_EQ(find(report, "potter/others/2000/other")->spread, 0.25);
    for (const char* cells : {"| Ours | 30 | 1.0 | 0.100 | 0.100 | 0.200 | 5 | 1.0 | 160 | 0 |",
                              "| Other | 30 | 1.0 | 0.400 | 0.400 | 0.800 | 25 | 4.0 | 160 | 3 |",
                              "| Other | 30 | 1.0 | 0.300 | 4 | 3.0 | 0.500 | 6 | 2.5 | 1.00 | 0.100 |"})
        EXPECT_NE(report.markdown.find(cells), std::string::npos) << cells << '\n' << report.markdown;
}

TEST(PotterBench, other_libraries_answer_mostly_as_we_do) {
    const ExperimentReport report = quick({"others"});
    for (const Measurement& m : report.measurements) {
        EXPECT_GT(m.ns, 0) << m.name;
        if (m.name.find("surface_") != std::string::npos) continue;
        EXPECT_GT(counter(m, "against_ours"), 0) << m.name;
        EXPECT_LE(counter(m, "different"), 0.15 * 16 * static_cast<double>(m.queries + 1)) << m.name;
    }
    EXPECT_EQ(counter(*find(report, "potter/others/2000/mesh_bvh"), "different"), 0);
    EXPECT_EQ(counter(*find(report, "potter/others/2000/mesh_bvh"), "against_ours"), 1);
    EXPECT_EQ(counter(*find(report, "potter/others/2000/surface_claybox"), "normals_apart"), 0);
    for (const Measurement& m : report.measurements) {
        if (m.name.find("surface_cgal") == std::string::npos) continue;
        // In degrees: CGAL weighs the polygons around a vertex in another way.
        EXPECT_LT(counter(m, "normals_apart"), 5) << m.name;
        EXPECT_LT(counter(m, "smooth_apart"), 1) << m.name;
    }
}

}  // namespace
}  // namespace claybox::bench
