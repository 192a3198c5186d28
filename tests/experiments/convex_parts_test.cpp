// The experiment `convex_parts`: rows, both sides of the thesis' rule, and agreement of all contestants. No
// check depends on times.

#include "tests/experiments/quick.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace claybox::bench {
namespace {

double counter(const ExperimentReport& report, const std::string& row, const std::string& which) {
    for (const Measurement& m : report.measurements)
        if (m.name == "convex_parts/" + row + "/convex_parts")
            for (const auto& [key, value] : m.counters)
                if (key == which) return value;
    ADD_FAILURE() << row << ' ' << which;
    return -1;
}

TEST(ConvexPartsExperiment, Z_3_7_2_decomp_both_sides_of_the_rule_are_measured_and_answers_agree) {
    const ExperimentReport report = quick("convex_parts", {"l_shape", "chair", "gear"});
    EXPECT_EQ(report.failure, "");
    // Measurements per row: convex parts, two algorithms for any polygons, and the convex algorithm on hulls.
    EXPECT_EQ(report.measurements.size(), 3u * 4);
    for (const Measurement& m : report.measurements) EXPECT_GT(m.ns, 0) << m.name;
    for (const char* row : {"l_shape", "chair", "gear"}) {
        EXPECT_EQ(counter(report, row, "disagreements"), 0);
        EXPECT_NE(report.markdown.find("| " + std::string(row) + " |"), std::string::npos);
    }
    EXPECT_EQ(counter(report, "l_shape", "notches"), 1);
    EXPECT_EQ(counter(report, "l_shape", "parts"), 2);
    EXPECT_EQ(counter(report, "gear", "notches"), 40) << "two at each of 20 gaps between teeth";
    EXPECT_GE(counter(report, "gear", "parts"), 21) << "20 teeth and the disc";
}

TEST(ConvexPartsExperiment, printed_rule_follows_from_the_measured_times) {
    const ExperimentReport report = quick("convex_parts", {"l_shape"});
    double parts = 0, polygons = 0, convex = 0;
    for (const Measurement& m : report.measurements) {
        if (m.name.ends_with("/convex_parts")) parts = m.ns;
        if (m.name.ends_with("/edge_polygon")) polygons = m.ns;
        if (m.name.ends_with("/best_of_hull")) convex = m.ns;
    }
    const std::size_t at = report.markdown.find("\n| l_shape |");
    ASSERT_NE(at, std::string::npos);
    std::vector<std::string> cells;
    for (std::size_t from = at + 2; from < report.markdown.size();) {
        const std::size_t end = report.markdown.find('|', from);
        if (end == std::string::npos) break;
        cells.push_back(report.markdown.substr(from, end - from));
        from = end + 1;
    }
    ASSERT_GE(cells.size(), 11u);
    EXPECT_EQ(cells[8], convex < polygons ? " parts " : " polygons ") << "one notch: the rule is t_c < t_a";
    EXPECT_EQ(cells[10], parts < polygons ? " parts " : " polygons ");
}

}  // namespace
}  // namespace claybox::bench
