// The experiment `edge_polygon`: the parts of the thesis' tables that do not depend on the machine.

#include "bench/experiments/algorithms/edge_polygon_scenes.hpp"
#include "tests/experiments/quick.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::bench {
namespace {

const Measurement* find(const ExperimentReport& report, const std::string& name) {
    for (const Measurement& m : report.measurements)
        if (m.name == name) return &m;
    return nullptr;
}

double counter(const ExperimentReport& report, const std::string& name, const std::string& which) {
    const Measurement* const m = find(report, name);
    if (m == nullptr) return -1;
    for (const auto& [key, value] : m->counters)
        if (key == which) return value;
    return -1;
}

TEST(EdgePolygonTables, Z_3_2_1_X1_cage_matches_the_thesis_and_levels_agree) {
    const RecordedScene cage = record_cage(40, 1).value();
    EXPECT_EQ(cage.bodies.size(), 16u);
    EXPECT_NEAR(static_cast<double>(cage.polygons()), 4121, 120);
    EXPECT_EQ(cage.pairs.size(), 105u);
    for (const collision::Matrix34f& m : {cage.placements.front()[0], cage.placements.back()[0]})
        EXPECT_LT(std::abs(m.translation().x), 3.5f);
    const ExperimentReport report = quick("edge_polygon", {"cage"});
    EXPECT_EQ(report.failure, "");
    for (const char* level : {"none", "object_box", "face_box", "face_collect", "prechecks_only"}) {
        ASSERT_NE(find(report, std::string("edge_polygon/cage/") + level), nullptr) << level;
        EXPECT_EQ(counter(report, std::string("edge_polygon/cage/") + level, "wrong"), 0) << level;
    }
}

/// The share of a check in the report's table.
double share(const std::string& markdown, const std::string& check, int column) {
    std::size_t at = markdown.find("\n| " + check + " |", markdown.find("Z-3.2.2-X"));
    if (at == std::string::npos) return -1;
    for (int i = 0; i <= column; ++i) at = markdown.find('|', at + 1);
    return std::stod(markdown.substr(at + 1));
}

TEST(EdgePolygonTables, Z_3_2_2_X_three_comparisons_decide_nearly_all_edges) {
    const std::string text = quick("edge_polygon", {"cage"}).markdown;
    double first_three = 0, all = 0;
    for (const char* check : {"1", "2", "3", "4", "5", "6", "the rest"}) {
        const double percent = share(text, check, 2);
        ASSERT_GE(percent, 0) << check << text;
        all += percent;
        if (check[0] <= '3') first_three += percent;
    }
    EXPECT_NEAR(all, 100, 0.1);
    EXPECT_GT(first_three, 95);
}

TEST(EdgePolygonTables, Z_3_2_1_X2_hand_touches_the_pot_and_relaxed_level_has_no_false_positives) {
    const RecordedScene pot = record_pot(10).value();
    EXPECT_EQ(pot.bodies.size(), 17u);
    EXPECT_EQ(pot.bodies[0]->topology().polygon_count(), 9944u);
    EXPECT_TRUE(pot.bodies[0]->classification().closed && pot.bodies[0]->classification().manifold);
    const ExperimentReport report = quick("edge_polygon", {"pot"});
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(counter(report, "edge_polygon/pot/face_collect", "colliding"), 0);
    EXPECT_EQ(counter(report, "edge_polygon/pot/relaxed_collect", "wrong"), 0);
    EXPECT_NE(report.markdown.find("times as fast"), std::string::npos);
}

TEST(EdgePolygonTables, point_tests_agree) {
    EXPECT_EQ(quick("edge_polygon", {"points"}).failure, "");
}

}  // namespace
}  // namespace claybox::bench
