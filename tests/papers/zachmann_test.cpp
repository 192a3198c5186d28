// The experiments of Zachmann's thesis: what counts decide.

#include "bench/papers/shared/scene_stream.hpp"
#include "tests/papers/quick_row.hpp"

namespace claybox::bench {
namespace {

TEST(ZachmannRows, Z_3_2_1_X1_and_X2_compare_the_levels_of_prechecks) {
    EXPECT_TRUE(is_stated(quick_row("Z-3.2.1-X1"), "speed-up of edge against box"));
    EXPECT_TRUE(holds(quick_row("Z-3.2.1-X2"), "the relaxed collect phase may miss collisions"));
}

TEST(ZachmannRows, Z_3_2_2_X_three_checks_decide_nearly_all_edges) {
    EXPECT_TRUE(holds(quick_row("Z-3.2.2-X"), "edges that the first three checks decide"));
}

TEST(ZachmannRows, Z_3_4_1_X1_prechecks_of_clipping_change_no_verdict) {
    EXPECT_TRUE(is_stated(quick_row("Z-3.4.1-X1"), "edge against the boxes of polygons"));
}

TEST(ZachmannRows, Z_3_4_1_X2_compares_convex_with_arbitrary) {
    const Findings f = quick_row("Z-3.4.1-X2");
    ASSERT_EQ(f.tables.size(), 2u) << "times, and what was counted";
    EXPECT_EQ(f.tables[0].rows.size(), 6u);
    EXPECT_EQ(f.tables[1].rows.size(), 6u);
    EXPECT_TRUE(is_stated(f, "order of the columns"));
}

TEST(ZachmannRows, Z_3_4_2_X1_the_best_pull_is_weaker_with_more_pulls) {
    const Findings f = quick_row("Z-3.4.2-X1");
    EXPECT_TRUE(holds(f, "the best eta falls"));
    EXPECT_TRUE(holds(f, "more pulls miss fewer"));
}

TEST(ZachmannRows, Z_3_4_2_X2_a_better_first_plane_helps_few_pulls) {
    const Findings f = quick_row("Z-3.4.2-X2");
    EXPECT_TRUE(holds(f, "10 pulls: a plane between"));
    EXPECT_TRUE(holds(f, "with 1000 pulls the first plane hardly matters"));
}

TEST(ZachmannRows, Z_3_4_2_X3_relaxation_helps_few_pulls_only) {
    EXPECT_TRUE(holds(quick_row("Z-3.4.2-X3"), "relaxation helps with few pulls"));
}

TEST(ZachmannRows, Z_3_5_X_random_points_find_few_collisions_that_vertices_miss) {
    EXPECT_TRUE(is_stated(quick_row("Z-3.5-X"), "vertices first: found only by one of 1000"));
}

TEST(ZachmannRows, Z_3_6_5_X1_box_trees_are_measured_with_warm_and_cold_caches) {
    const Findings f = quick_row("Z-3.6.5-X1");
    EXPECT_TRUE(is_stated(f, "time of the arbitrary algorithm / box-tree, warm caches"));
    EXPECT_TRUE(is_stated(f, "the same, caches flushed"));
}

TEST(ZachmannRows, Z_3_6_5_X2_X3_X4_repeat_the_tables_of_box_trees) {
    EXPECT_TRUE(is_stated(quick_row("Z-3.6.5-X2"), "torus: speed-up by flags"));
    EXPECT_EQ(quick_row("Z-3.6.5-X3").plots.size(), 3u);
    EXPECT_TRUE(is_stated(quick_row("Z-3.6.5-X4"), "torus: box-trees gain"));
}

TEST(ZachmannRows, Z_5_4_4_X1_X2_octree_references_and_memory_are_counted) {
    EXPECT_TRUE(holds(quick_row("Z-5.4.4-X1"), "references on the last level, depth 5"));
    EXPECT_TRUE(holds(quick_row("Z-5.4.4-X2"), "memory of depth 5"));
}

TEST(ZachmannRows, Z_5_4_4_X3_Z_5_4_4_X4_variants_of_the_octree_find_the_same_pairs) {
    EXPECT_TRUE(is_stated(quick_row("Z-5.4.4-X3"), "the box difference is the fastest"));
    EXPECT_TRUE(is_stated(quick_row("Z-5.4.4-X4"), "depth 5: speed-up of a hysteresis of 64"));
}

TEST(ZachmannRows, Z_5_5_2_X1_X2_grid_memory_and_variants) {
    EXPECT_TRUE(holds(quick_row("Z-5.5.2-X1"), "the doubly indexed scheme needs more memory, 4^3"));
    EXPECT_TRUE(is_stated(quick_row("Z-5.5.2-X2"), "time of the doubly indexed scheme"));
}

TEST(ZachmannRows, Z_5_5_2_X3_Z_5_5_2_X4_Z_5_5_2_X5_a_grid_drops_pairs_and_changes_no_state) {
    EXPECT_TRUE(is_stated(quick_row("Z-5.5.2-X3"), "the grid pays off from"));
    EXPECT_TRUE(holds(quick_row("Z-5.5.2-X4"), "pairs of boxes without and with the grid"));
    EXPECT_TRUE(is_stated(quick_row("Z-5.5.2-X5"), "speed-up by a grid"));
}

TEST(ZachmannRows, Z_6_6_X1_to_X4_modes_end_in_the_same_state) {
    for (const char* id : {"Z-6.6-X1", "Z-6.6-X2", "Z-6.6-X3", "Z-6.6-X4"}) quick_row(id);
}

TEST(ZachmannRows, Z_8_2_X1_an_application_runs_beside_concurrent_passes) {
    EXPECT_TRUE(is_stated(quick_row("Z-8.2-X1"), "frame time with concurrent collision detection"));
}

TEST(ZachmannRows, Z_8_2_X2_whole_hand_and_forefinger_shape_two_pots) {
    const Findings f = quick_row("Z-8.2-X2");
    ASSERT_EQ(f.tables.size(), 1u);
    EXPECT_EQ(f.tables[0].rows.size(), 4u);
    const RecordedScene small = record_pot({20, 211}, HandParts::forefinger, 2).value();
    EXPECT_EQ(small.bodies[0]->topology().polygon_count(), 4220u);
    EXPECT_EQ(small.pairs.size(), 3u);
}

}  // namespace
}  // namespace claybox::bench
