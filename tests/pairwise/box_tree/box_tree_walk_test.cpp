// The simultaneous traversal alone: which boxes are cut, in which order, and which leaves are paired.

#include "collision/core/random.hpp"
#include "collision/pairwise/box_tree/aligned.hpp"
#include "collision/pairwise/box_tree/walk.hpp"

#include <gtest/gtest.h>

#include <set>

namespace claybox::test {
namespace {

using namespace collision;

/// Small boxes along x, one per unit.
std::vector<Aabb> row_of_boxes(int count, float at) {
    std::vector<Aabb> out;
    for (int i = 0; i < count; ++i) {
        const float x = at + static_cast<float>(i);
        out.push_back({{x + 0.25f, 0, 0}, {x + 0.75f, 1, 1}});
    }
    return out;
}

BoxTree tree_of(const std::vector<Aabb>& boxes) {
    BoxTreeOptions options;
    options.min_items = 1;
    options.empty_leaves = false;
    return build_box_tree(boxes, options);
}

/// Both frames are the world frame.
AlignedFrames upright() {
    AlignedFrames out;
    for (auto& side : out.axes)
        for (std::size_t k = 0; k < 3; ++k) side[k][k] = 1;
    return out;
}

AlignedPair roots(const BoxTree& a, const BoxTree& b) {
    AlignedPair out{};
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t k = 0; k < 3; ++k) {
            const Aabb& box = (s == 0 ? a : b).box;
            out.side[s].low[k] = out.side[s].min[k] = box.min[k];
            out.side[s].max[k] = box.max[k];
            out.side[s].size[k] = out.side[s].max[k] - out.side[s].min[k];
        }
    return out;
}

/// Records which side is cut.
struct Recorder {
    AlignedFrames frames = upright();
    mutable std::string cuts;
    void split(const AlignedPair& pair, std::size_t s, std::size_t axis, double position, double part,
               AlignedPair& left, AlignedPair& right) const {
        cuts += s == 0 ? 'a' : 'b';
        AlignedSplitter(frames).split(pair, s, axis, position, part, left, right);
    }
};

struct Walked {
    std::string cuts;
    std::set<std::pair<std::uint32_t, std::uint32_t>> leaves;
    BoxTreeWalkCounts counts;
    bool every_pair_overlaps = true, complete = false;
};

Walked walk(const BoxTree& a, const BoxTree& b, std::size_t max_leaves = ~std::size_t{0}) {
    Walked out;
    const Recorder splitter;
    auto leaf = [&](const AlignedPair& pair, const BoxTreeLeaf& leaf_a, const BoxTreeLeaf& leaf_b) {
        out.every_pair_overlaps = out.every_pair_overlaps && pair.boxes_overlap();
        EXPECT_TRUE(out.leaves.insert({a.items[leaf_a.begin], b.items[leaf_b.begin]}).second) << "twice";
        return out.leaves.size() < max_leaves;
    };
    out.complete =
        BoxTreeWalk<AlignedPair, Recorder, decltype(leaf)>(a, b, splitter, leaf, out.counts).run(roots(a, b));
    out.cuts = splitter.cuts;
    return out;
}

TEST(BoxTreeWalk, Z_3_6_1_trav_descends_both_trees_in_every_step) {
    const BoxTree a = tree_of(row_of_boxes(2, 0)), b = tree_of(row_of_boxes(2, 0.25f));
    ASSERT_EQ(a.nodes.size(), 3u);
    // Two inner nodes: the first is cut, then the second for each half. Then all are leaves.
    const Walked both = walk(a, b);
    EXPECT_EQ(both.cuts, "abb");
    EXPECT_EQ(both.counts.box_pairs, 6u);
    // One is a leaf: only the other is cut.
    const BoxTree one = tree_of(row_of_boxes(1, 0.5f));
    EXPECT_EQ(walk(a, one).cuts, "a");
    EXPECT_EQ(walk(one, a).cuts, "b");
    // Both are leaves: nothing is cut.
    EXPECT_EQ(walk(one, one).cuts, "");
    EXPECT_EQ(walk(one, one).leaves.size(), 1u);
    // Four levels against four: they alternate, so that neither tree gets a level ahead.
    const std::string cuts = walk(tree_of(row_of_boxes(16, 0)), tree_of(row_of_boxes(16, 0))).cuts;
    EXPECT_EQ(cuts.substr(0, 8), "abababab");
}

TEST(BoxTreeWalk, Z_3_6_1_trav_visits_overlapping_leaves_and_skips_separate_parts) {
    const std::vector<Aabb> boxes = row_of_boxes(64, 0);
    const BoxTree tree = tree_of(boxes);
    ASSERT_EQ(tree.leaves.size(), 64u);
    for (const int shift : {0, 1, 20, 63, 64, 200}) {
        const BoxTree other = tree_of(row_of_boxes(64, static_cast<float>(shift)));
        const Walked walked = walk(tree, other);
        EXPECT_TRUE(walked.complete);
        EXPECT_TRUE(walked.every_pair_overlaps);
        EXPECT_EQ(walked.counts.leaf_pairs, walked.leaves.size());
        for (int i = 0; i < 64; ++i)
            for (int k = 0; k < 64; ++k)
                if (i == k + shift) {
                    EXPECT_EQ(
                        walked.leaves.count({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k)}),
                        1u);
                }
        // Leaves fill the row, so one or two neighbours overlap too; all pairs would be 4096.
        EXPECT_LE(walked.leaves.size(), 4u * 64);
        EXPECT_LT(walked.counts.box_pairs, 1500u);
        if (shift == 200) {
            EXPECT_EQ(walked.counts.box_pairs, 0u);
        }
    }
    EXPECT_FALSE(walk(tree, tree, 3).complete) << "a leaf may end the traversal";
    EXPECT_EQ(walk(tree, tree, 3).leaves.size(), 3u);
}

TEST(BoxTreeWalk, Z_3_6_3_empty_parts_end_the_traversal) {
    BoxTreeOptions options;
    options.min_items = 1;
    options.empty_leaves = true;
    const std::vector<Aabb> ends{{{0, 0, 0}, {1, 1, 1}},
                                 {{0, 0, 0}, {0.5f, 1, 1}},
                                 {{9, 0, 0}, {10, 1, 1}},
                                 {{9.5f, 0, 0}, {10, 1, 1}}};
    const BoxTree gap = build_box_tree(ends, options);
    const BoxTree within = tree_of({{{4, 0, 0}, {6, 1, 1}}});
    const Walked walked = walk(gap, within);
    EXPECT_EQ(walked.leaves.size(), 0u) << "the first is far from the second";
    EXPECT_GT(walked.counts.empty_parts, 0u);
}

}  // namespace
}  // namespace claybox::test
