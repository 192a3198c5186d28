// Building box-trees: the search for a cut plane, stopping criteria, thickness, leaves and both front ends.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/box_tree/body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <tuple>

namespace claybox::test {
namespace {

using namespace collision;

/// Boxes from intervals along x; thin in y and z.
std::vector<Aabb> along_x(std::initializer_list<std::array<float, 2>> intervals) {
    std::vector<Aabb> out;
    for (const auto& [low, high] : intervals) out.push_back({{low, 0, 0}, {high, 1, 1}});
    return out;
}

std::vector<Aabb> random_boxes(std::size_t count, double size, std::uint64_t seed) {
    Random random(seed);
    std::vector<Aabb> out;
    for (std::size_t i = 0; i < count; ++i) {
        Aabb box;
        for (std::size_t k = 0; k < 3; ++k) {
            box.min[k] = static_cast<float>(random.uniform(0, 10));
            box.max[k] = box.min[k] + static_cast<float>(random.uniform(0, size));
        }
        out.push_back(box);
    }
    return out;
}

ShapePtr shape_of(Primitive primitive, std::uint32_t target_count) {
    return make_primitive_shape(primitive, target_count, 1, 7).value();
}

/// Cuts down to boxes with few items.
BoxTreeOptions deep() {
    BoxTreeOptions options;
    options.min_items = 2;
    options.lambda = 0.8;
    options.empty_leaves = false;
    return options;
}

/// Without the default's empty leaves.
BoxTreeOptions without_empty_leaves() {
    BoxTreeOptions options;
    options.empty_leaves = false;
    return options;
}

struct Place {
    Vec3d low, high;
    int depth = 0;
};

/// Calls visit(node, place, items below it) for every node.
void each_node(
    const BoxTree& tree,
    const std::function<void(const BoxTreeNode&, const Place&, const std::set<std::uint32_t>&)>& visit) {
    const std::function<std::set<std::uint32_t>(std::uint32_t, Place)> walk = [&](std::uint32_t index,
                                                                                  Place place) {
        std::set<std::uint32_t> items;
        if (index == kNoIndex) return items;
        const BoxTreeNode& node = tree.nodes[index];
        if (node.is_leaf()) {
            const BoxTreeLeaf& leaf = tree.leaves[node.left];
            items.insert(tree.items.begin() + leaf.begin, tree.items.begin() + leaf.end);
        } else {
            Place left = place, right = place;
            left.high[node.axis] = right.low[node.axis] = node.cut;
            left.depth = right.depth = place.depth + 1;
            items = walk(node.left, left);
            items.merge(walk(node.right, right));
        }
        visit(node, place, items);
        return items;
    };
    if (!tree.nodes.empty()) walk(0, {cast<double>(tree.box.min), cast<double>(tree.box.max)});
}

BoxTreeSides sides_of(const std::vector<Aabb>& boxes, const std::set<std::uint32_t>& items, std::size_t axis,
                      double position, double delta) {
    std::vector<float> lows, highs;
    for (const std::uint32_t i : items) {
        lows.push_back(boxes[i].min[axis]);
        highs.push_back(boxes[i].max[axis]);
    }
    return count_sides(lows, highs, position, delta);
}

TEST(BoxTree, Z_3_6_3_penalty_counts_imbalance_and_crossings_and_the_best_axis_wins) {
    const BoxTreeSides sides{7, 3, 2};
    EXPECT_EQ(sides.imbalance(), 4);
    EXPECT_EQ(sides.penalty(0), 4);
    EXPECT_EQ(sides.penalty(1), 6);
    EXPECT_EQ(sides.penalty(2.5), 9);
    for (const double gamma : {0.0, 1.0, 5.0}) {
        const std::vector<Aabb> boxes = random_boxes(300, 3, 1);
        BoxTreeOptions options = deep();
        options.gamma = gamma;
        const BoxTree tree = build_box_tree(boxes, options);
        int inner = 0;
        each_node(
            tree, [&](const BoxTreeNode& node, const Place& place, const std::set<std::uint32_t>& items) {
                if (node.is_leaf()) return;
                ++inner;
                const double chosen = sides_of(boxes, items, node.axis, node.cut, tree.delta).penalty(gamma);
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    std::vector<float> lows, highs;
                    for (const std::uint32_t i : items) {
                        lows.push_back(boxes[i].min[axis]);
                        highs.push_back(boxes[i].max[axis]);
                    }
                    const BoxTreePlane plane =
                        balance_axis(lows, highs, place.low[axis], place.high[axis], tree.delta, options);
                    EXPECT_LE(chosen, plane.sides.penalty(gamma));
                }
            });
        EXPECT_GT(inner, 50);
    }
}

TEST(BoxTree, Z_3_6_3_bisect_starts_in_the_middle_and_moves_the_heavier_end) {
    // Seven on the left of the middle, three on the right.
    std::vector<float> at = {1, 2, 3, 4, 4.2f, 4.4f, 4.6f, 7, 8, 9};
    BoxTreeOptions options;
    options.iterations = 1;
    BoxTreePlane plane = balance_axis(at, at, 0, 10, 0, options);
    EXPECT_EQ(plane.position, 5);  // (l + r) / 2, not l + r
    EXPECT_EQ(plane.sides.left, 7u);
    EXPECT_EQ(plane.sides.right, 3u);
    // r' = (2 n_r r + (n_l - n_r) c) / (n_l + n_r) = (6 * 10 + 4 * 5) / 10 = 8, so the next plane is at 4.
    options.iterations = 2;
    plane = balance_axis(at, at, 0, 10, 0, options);
    EXPECT_EQ(plane.position, 4);
    // The search ends as soon as both sides are equal.
    options.iterations = 50;
    plane = balance_axis(at, at, 0, 10, 0, options);
    EXPECT_EQ(plane.sides.imbalance(), 0);
    EXPECT_LT(plane.iterations, 12);
    // The reverse, away from the origin: l' = (2 n_l l + (n_r - n_l) c) / (n_l + n_r) = (6 * 10 + 4 * 15) /
    // 10 = 12, so the next plane is at 16.
    const std::vector<float> right = {11, 12, 13, 15.2f, 15.4f, 17, 17.5f, 18, 18.5f, 19};
    options.iterations = 1;
    plane = balance_axis(right, right, 10, 20, 0, options);
    EXPECT_EQ(plane.sides.left, 3u);
    EXPECT_EQ(plane.sides.right, 7u);
    options.iterations = 2;
    plane = balance_axis(right, right, 10, 20, 0, options);
    EXPECT_EQ(plane.position, 16);
    EXPECT_EQ(plane.sides.imbalance(), 0);
    // A larger p_max ends it earlier.
    options.iterations = 50;
    options.p_max = 4;
    EXPECT_EQ(balance_axis(at, at, 0, 10, 0, options).iterations, 1);
    // All on one side of every plane except the ends: the interval shrinks to a point and the search ends.
    const std::vector<float> same(9, 2.5f);
    options.p_max = 0.5;
    options.iterations = 1000;
    EXPECT_LT(balance_axis(same, same, 0, 10, 0, options).iterations, 1000);
    // Crossing boxes only: balanced, and no division by zero.
    const std::vector<float> low(4, 0.f), high(4, 10.f);
    plane = balance_axis(low, high, 0, 10, 0, options);
    EXPECT_EQ(plane.sides.crossing, 4u);
    EXPECT_EQ(plane.position, 5);
}

TEST(BoxTree, Z_3_6_3_stop_at_the_deepest_level) {
    BoxTreeOptions options = without_empty_leaves();
    options.min_items = 1;
    for (const int depth : {0, 1, 3, 6}) {
        options.depth = depth;
        const BoxTree tree = build_box_tree(random_boxes(500, 0.1, 2), options);
        EXPECT_EQ(tree.depth, depth);
        each_node(tree, [&](const BoxTreeNode& node, const Place& place, const auto&) {
            EXPECT_LE(place.depth, depth);
            EXPECT_TRUE(node.is_leaf() || place.depth < depth);
        });
    }
}

TEST(BoxTree, Z_3_6_3_stop_at_few_items) {
    BoxTreeOptions options = without_empty_leaves();
    for (const int fewest : {1, 5, 40}) {
        options.min_items = fewest;
        std::size_t cut = 0;
        each_node(build_box_tree(random_boxes(500, 0.01, 3), options),
                  [&](const BoxTreeNode& node, const Place&, const std::set<std::uint32_t>& items) {
                      if (node.is_leaf()) return;
                      ++cut;
                      EXPECT_GT(items.size(), static_cast<std::size_t>(fewest));
                  });
        EXPECT_GT(cut, 500u / static_cast<std::size_t>(fewest) / 4);
    }
}

TEST(BoxTree, Z_3_6_3_stop_if_a_part_would_be_empty) {
    BoxTreeOptions options = without_empty_leaves();
    options.min_items = 1;
    options.lambda = 1;
    // In one place: every plane has all of them on one side.
    const std::vector<Aabb> same(6, Aabb{{0, 0, 0}, {0, 0, 0}});
    std::vector<Aabb> boxes = same;
    EXPECT_EQ(build_box_tree(boxes, options).nodes.size(), 1u);
    // Two places: one cut, then none.
    for (Aabb box : same) {
        box.min = box.max = {1, 0, 0};
        boxes.push_back(box);
    }
    const BoxTree tree = build_box_tree(boxes, options);
    EXPECT_EQ(tree.nodes.size(), 3u);
    EXPECT_EQ(tree.items.size(), 12u);
}

TEST(BoxTree, Z_3_6_3_stop_if_a_part_keeps_nearly_all) {
    // Eight of ten cross every plane in the middle.
    const std::vector<Aabb> boxes =
        along_x({{0, 1}, {9, 10}, {0, 10}, {0, 10}, {0, 10}, {0, 10}, {0, 10}, {0, 10}, {0, 10}, {0, 10}});
    BoxTreeOptions options = without_empty_leaves();
    options.min_items = 1;
    options.lambda = 0.85;
    EXPECT_EQ(build_box_tree(boxes, options).nodes.size(), 1u);
    options.lambda = 0.95;
    EXPECT_GT(build_box_tree(boxes, options).nodes.size(), 1u);
    // One on one side of the only plane, nine on the other, for every possible plane.
    for (const bool mirrored : {false, true}) {
        std::vector<Aabb> lopsided = along_x({{0, 1}});
        for (int i = 0; i < 9; ++i) lopsided.push_back({{10, 0, 0}, {10, 1, 1}});
        for (Aabb& box : lopsided)
            if (mirrored) std::tie(box.min.x, box.max.x) = std::pair(10 - box.max.x, 10 - box.min.x);
        options.lambda = 0.85;
        EXPECT_EQ(build_box_tree(lopsided, options).nodes.size(), 1u) << mirrored;
        options.lambda = 0.95;
        EXPECT_EQ(build_box_tree(lopsided, options).nodes.size(), 3u) << mirrored;
    }
}

TEST(BoxTree, Z_3_6_3_stop_at_the_pointer_limit) {
    BoxTreeOptions options = without_empty_leaves();
    options.min_items = 1;
    options.lambda = 1;
    for (const double limit : {1.0, 2.0, 6.0}) {
        options.pointer_limit = limit;
        const std::vector<Aabb> boxes = random_boxes(200, 5, 4);
        const BoxTree tree = build_box_tree(boxes, options);
        EXPECT_LE(static_cast<double>(tree.items.size()), limit * 200);
        EXPECT_GT(static_cast<double>(tree.items.size()), 0.6 * limit * 200);
    }
}

/// Every corner of an item is inside one of its leaves, up to the thickness, and the leaves contain every
/// item.
void expect_leaves_contain(const BoxTree& tree, const std::vector<Aabb>& boxes) {
    std::vector<std::array<bool, 8>> held(boxes.size());
    each_node(tree, [&](const BoxTreeNode& node, const Place& place, const std::set<std::uint32_t>& items) {
        if (!node.is_leaf()) return;
        for (const std::uint32_t i : items)
            for (std::size_t corner = 0; corner < 8; ++corner) {
                bool inside = true;
                for (std::size_t k = 0; k < 3; ++k) {
                    const double v = (corner >> k & 1) != 0 ? boxes[i].max[k] : boxes[i].min[k];
                    inside &= v >= place.low[k] - tree.thickness && v <= place.high[k] + tree.thickness;
                }
                held[i][corner] |= inside;
            }
    });
    for (const auto& corners : held)
        for (const bool c : corners) ASSERT_TRUE(c);
}

TEST(BoxTree, Z_3_6_3_leaf_pointers_of_crossing_items_are_in_both_parts_and_only_in_leaves) {
    for (const double size : {0.01, 1.0, 4.0}) {
        const std::vector<Aabb> boxes = random_boxes(400, size, 5);
        BoxTreeOptions options = deep();
        const BoxTree tree = build_box_tree(boxes, options);
        expect_leaves_contain(tree, boxes);
        std::size_t in_leaves = 0;
        each_node(tree, [&](const BoxTreeNode& node, const Place&, const std::set<std::uint32_t>& items) {
            if (node.is_leaf()) {
                in_leaves += items.size();
                return;
            }
            const BoxTreeSides sides = sides_of(boxes, items, node.axis, node.cut, tree.delta);
            EXPECT_EQ(sides.left + sides.right + sides.crossing, items.size());
        });
        EXPECT_EQ(in_leaves, tree.items.size());
        const double factor = static_cast<double>(in_leaves) / 400;
        EXPECT_GE(factor, 1);
        EXPECT_LE(factor, 16);
        if (size > 3) {
            EXPECT_GT(factor, 2);
        }
    }
    for (const Primitive primitive : {Primitive::uv_sphere, Primitive::torus, Primitive::tetra_flake}) {
        const ShapePtr shape = shape_of(primitive, 2000);
        const auto trees = make_body_trees(shape->geometry(), {});
        const double factor = trees->pointers_per_polygon(shape->geometry());
        EXPECT_GT(factor, 1.0);
        EXPECT_LT(factor, 16.0);
        RecordProperty(std::string("pointers_per_polygon_") + info(primitive).id, std::to_string(factor));
    }
}

TEST(BoxTree, Z_3_6_3_thick_planes_cut_no_item_at_planes_of_symmetry) {
    // A quadrangle of 32 x 32 parts with computed sides, which are off by roundings.
    Random random(6);
    std::vector<Aabb> grid;
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j) {
            const auto off = [&] { return static_cast<float>(random.uniform(-1e-6, 1e-6)); };
            grid.push_back({{static_cast<float>(i) + off(), static_cast<float>(j) + off(), 0},
                            {static_cast<float>(i + 1) + off(), static_cast<float>(j + 1) + off(), 0}});
        }
    BoxTreeOptions options = without_empty_leaves();
    options.min_items = 1;
    const BoxTree thick = build_box_tree(grid, options);
    options.delta = 0;
    const BoxTree thin = build_box_tree(grid, options);
    expect_leaves_contain(thick, grid);
    expect_leaves_contain(thin, grid);
    EXPECT_EQ(thick.items.size(), grid.size());  // nothing crosses
    EXPECT_EQ(thick.leaves.size(), grid.size());
    EXPECT_GT(thin.items.size(), grid.size() * 5 / 4);
    const auto root_crossings = [](const BoxTree& tree, const std::vector<Aabb>& boxes) {
        std::set<std::uint32_t> all;
        for (std::uint32_t i = 0; i < boxes.size(); ++i) all.insert(i);
        return sides_of(boxes, all, tree.nodes[0].axis, tree.nodes[0].cut, tree.delta).crossing;
    };
    EXPECT_EQ(root_crossings(thick, grid), 0u);
    EXPECT_GT(root_crossings(thin, grid), 0u);
    for (const Primitive primitive : {Primitive::uv_sphere, Primitive::torus}) {
        const ShapePtr shape = shape_of(primitive, 1024);
        const auto polygons = boxes_of_polygons(shape->geometry());
        const std::vector<Aabb> boxes(polygons.begin(), polygons.end());
        options.delta = 1e-5;
        EXPECT_EQ(root_crossings(build_box_tree(boxes, options), boxes), 0u) << info(primitive).id;
    }
}

TEST(BoxTree, Z_3_6_3_cplx_pointers_and_work_grow_nearly_linearly) {
    for (const Primitive primitive : {Primitive::uv_sphere, Primitive::torus, Primitive::tetra_flake}) {
        const ShapePtr small = shape_of(primitive, 1000), large = shape_of(primitive, 16000);
        const auto n = [](const ShapePtr& s) { return static_cast<double>(s->topology().polygon_count()); };
        const auto pointers = [](const ShapePtr& s) {
            return static_cast<double>(make_body_trees(s->geometry(), {})->faces.items.size());
        };
        const double slope = std::log(pointers(large) / pointers(small)) / std::log(n(large) / n(small));
        RecordProperty(std::string("slope_") + info(primitive).id, std::to_string(slope));
        EXPECT_GT(slope, 0.9) << info(primitive).id;
        EXPECT_LT(slope, 1.25) << info(primitive).id;  // with equal thirds it would be 1.71 (FIX-30)
    }
}

TEST(BoxTree, Z_3_6_3_empty_leaves_cut_off_empty_space) {
    // All items in the last fifth of the box along x, except one at the start.
    std::vector<Aabb> boxes = random_boxes(100, 0.05, 8);
    for (Aabb& box : boxes) {
        box.min.x = 50 + box.min.x / 10;
        box.max.x = 50 + box.max.x / 10;
    }
    boxes.push_back({{0, 0, 0}, {1, 10, 10}});
    BoxTreeOptions options = deep();
    const auto empty_parts = [](const BoxTree& tree) {
        std::size_t count = 0;
        for (const BoxTreeNode& node : tree.nodes)
            if (!node.is_leaf())
                count += (node.left == kNoIndex ? 1u : 0u) + (node.right == kNoIndex ? 1u : 0u);
        return count;
    };
    EXPECT_EQ(empty_parts(build_box_tree(boxes, options)), 0u);
    options.empty_leaves = true;
    const BoxTree tree = build_box_tree(boxes, options);
    EXPECT_GT(empty_parts(tree), 0u);
    expect_leaves_contain(tree, boxes);
    each_node(tree, [&](const BoxTreeNode& node, const Place& place, const std::set<std::uint32_t>&) {
        if (node.is_leaf() || (node.left != kNoIndex && node.right != kNoIndex)) return;
        const double at = (node.cut - place.low[node.axis]) / (place.high[node.axis] - place.low[node.axis]);
        EXPECT_GT(at, 1.0 / 3 - 1e-4);  // in the middle third
        EXPECT_LT(at, 2.0 / 3 + 1e-4);
    });
    // Of equal planes, the one across the longest edge.
    std::vector<Aabb> bar;
    for (int i = 0; i < 64; ++i) {
        const auto x = static_cast<float>(i), y = static_cast<float>(i * 37 % 64) / 8;
        bar.push_back({{x, y, 0}, {x + 0.5f, y + 0.01f, 1}});
    }
    EXPECT_EQ(build_box_tree(bar, options).nodes[0].axis, 0u);
    // Two items that cross the middle of the longest edge are less than a tenth of all. They make its plane
    // worse only if the tolerance for equal planes is off.
    bar[31].max.x = 32.2f;
    bar[32].min.x = 31.1f;
    EXPECT_EQ(build_box_tree(bar, options).nodes[0].axis, 0u);
    options.empty_leaves = false;
    EXPECT_EQ(build_box_tree(bar, options).nodes[0].axis, 1u);
}

TEST(BoxTree, Z_3_6_4_mid_cuts_are_in_the_middle_of_their_boxes) {
    const std::vector<Aabb> boxes = random_boxes(300, 0.5, 9);
    BoxTreeOptions options = deep();
    options.cut = BoxTreeCut::middle;
    const BoxTree tree = build_box_tree(boxes, options);
    EXPECT_TRUE(tree.in_middle);
    EXPECT_GT(tree.leaves.size(), 50u);
    expect_leaves_contain(tree, boxes);
    each_node(tree, [&](const BoxTreeNode& node, const Place& place, const auto&) {
        if (node.is_leaf()) return;
        EXPECT_NEAR(node.cut, (place.low[node.axis] + place.high[node.axis]) / 2, 1e-5);
    });
}

TEST(BoxTree, Z_3_6_4_node_stores_an_axis_a_cut_two_pointers_and_leaf_data_only) {
    EXPECT_EQ(sizeof(BoxTreeNode), 16u);
}

TEST(BoxTree, Z_3_6_4_front_ends_for_polygons_and_edges_share_one_builder) {
    const ShapePtr shape = shape_of(Primitive::torus, 400);
    const Geometry& g = shape->geometry();
    const std::vector<BoxTreeEdge> edges = edges_for_box_tree(shape->topology(), true);
    const std::vector<Aabb> edge_boxes = boxes_of_edges(g, edges);
    ASSERT_GE(edges.size(), shape->topology().edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
        for (const std::uint32_t v : edges[i].vertices)
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_LE(edge_boxes[i].min[k], g.positions[v][k]);
                EXPECT_GE(edge_boxes[i].max[k], g.positions[v][k]);
            }
    const auto polygons = boxes_of_polygons(g);
    ASSERT_EQ(polygons.size(), shape->topology().polygon_count());
    for (const std::span<const Aabb> boxes : {polygons, std::span<const Aabb>(edge_boxes)}) {
        const BoxTree tree = build_box_tree(boxes, deep());
        EXPECT_GT(tree.leaves.size(), 50u);
        expect_leaves_contain(tree, {boxes.begin(), boxes.end()});
    }
}

TEST(BoxTree, Z_3_6_4_two_phases_insert_edges_along_the_planes_of_the_polygons) {
    const ShapePtr shape = shape_of(Primitive::tetra_flake, 600);
    const std::vector<BoxTreeEdge> edges = edges_for_box_tree(shape->topology(), false);
    const std::vector<Aabb> boxes = boxes_of_edges(shape->geometry(), edges);
    BoxTree tree = build_box_tree(boxes_of_polygons(shape->geometry()), without_empty_leaves());
    const std::size_t nodes = tree.nodes.size(), polygons = tree.items.size();
    insert_boxes(tree, boxes);
    EXPECT_EQ(tree.nodes.size(), nodes);
    EXPECT_EQ(tree.items.size(), polygons);
    BoxTree of_edges = tree;  // the same planes with the edges as items
    of_edges.items = tree.inserted;
    for (BoxTreeLeaf& leaf : of_edges.leaves) leaf = {leaf.inserted_begin, leaf.inserted_end, 0, 0, leaf.content};
    expect_leaves_contain(of_edges, boxes);
    // An edge that arrives where there is no polygon gets a leaf.
    std::vector<Aabb> ends = along_x({{0, 1}, {9, 10}});
    BoxTreeOptions gap;
    gap.empty_leaves = true;
    gap.min_items = 1;
    BoxTree sparse = build_box_tree(ends, gap);
    insert_boxes(sparse, along_x({{4, 5}, {0, 10}, {7, 8}}));
    std::set<std::uint32_t> fallen(sparse.inserted.begin(), sparse.inserted.end());
    EXPECT_EQ(fallen.size(), 3u);
}

TEST(BoxTree, Z_3_6_4_comb_a_combined_tree_lists_polygons_and_edges_separately) {
    const ShapePtr shape = shape_of(Primitive::torus, 300);
    BodyTreesOptions options;
    options.kind = BodyTreesKind::combined;
    const auto trees = make_body_trees(shape->geometry(), options);
    std::set<std::uint32_t> polygons, edges;
    for (const BoxTreeLeaf& leaf : trees->faces.leaves) {
        const auto p = trees->polygons_of(leaf).index, e = trees->edges_of(leaf).index;
        polygons.insert(p.begin(), p.end());
        edges.insert(e.begin(), e.end());
    }
    EXPECT_EQ(polygons.size(), shape->topology().polygon_count());
    EXPECT_EQ(edges.size(), trees->edge_list.size());
    EXPECT_EQ(*polygons.rbegin() + 1, polygons.size());
    EXPECT_EQ(*edges.rbegin() + 1, edges.size());
}

TEST(BoxTree, Z_3_6_6_sphere_around_a_leaf_touches_more_polygons_than_its_box) {
    const ShapePtr shape = shape_of(Primitive::torus, 1000);
    const auto polygons = boxes_of_polygons(shape->geometry());
    const std::vector<Aabb> boxes(polygons.begin(), polygons.end());
    std::size_t in_boxes = 0, in_spheres = 0;
    each_node(build_box_tree(boxes, deep()),
              [&](const BoxTreeNode& node, const Place& place, const std::set<std::uint32_t>& items) {
                  if (!node.is_leaf()) return;
                  in_boxes += items.size();
                  const Vec3d centre = 0.5 * (place.low + place.high);
                  const double radius = length(place.high - place.low) / 2;
                  for (const Aabb& box : boxes) {
                      const Vec3d nearest = max(cast<double>(box.min), min(cast<double>(box.max), centre));
                      in_spheres += length(nearest - centre) <= radius ? 1 : 0;
                  }
              });
    RecordProperty("pointers_of_spheres_for_each_of_boxes",
                   std::to_string(static_cast<double>(in_spheres) / static_cast<double>(in_boxes)));
    EXPECT_GT(in_spheres, 2 * in_boxes);
}

TEST(BoxTree, trees_of_no_item_and_of_one_item) {
    EXPECT_TRUE(build_box_tree({}, {}).nodes.empty());
    BoxTree none;
    insert_boxes(none, along_x({{0, 1}}));
    EXPECT_TRUE(none.nodes.empty());
    const BoxTree one = build_box_tree(along_x({{0, 1}}), {});
    EXPECT_EQ(one.nodes.size(), 1u);
    EXPECT_EQ(one.items, std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace claybox::test
