// The parts of the octree compared with loops over all voxels.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/octree/octree_index.hpp"
#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <iterator>
#include <map>
#include <set>

namespace claybox::collision {
namespace {

constexpr std::array kVariants{OctreeVariant::naive, OctreeVariant::octant_arrays,
                               OctreeVariant::box_difference, OctreeVariant::attach_visited};
constexpr std::array kTraversals{OctreeTraversal::plain, OctreeTraversal::decision_tree,
                                 OctreeTraversal::reused};

OctreeOptions options_of(unsigned depth, OctreeVariant variant,
                         OctreeTraversal traversal = OctreeTraversal::decision_tree) {
    OctreeOptions options;
    options.depth = depth;
    options.variant = variant;
    options.traversal = traversal;
    return options;
}

/// A random box of voxels; sometimes one voxel, all voxels or a slab.
VoxelBox random_voxels(Random& random, unsigned depth) {
    const std::uint64_t voxels = 1u << depth, kind = random.below(12);
    VoxelBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::int32_t>(random.below(voxels));
        const auto b = static_cast<std::int32_t>(random.below(voxels));
        box.low[axis] = std::min(a, b);
        box.high[axis] = kind == 0 ? box.low[axis] : std::max(a, b);
        if (kind == 1 || (kind == 2 && axis == 1)) box.low[axis] = 0;
        if (kind == 1 || (kind == 2 && axis == 1)) box.high[axis] = static_cast<std::int32_t>(voxels) - 1;
    }
    return box;
}

/// A body of a few voxels, moved by at most one along each axis.
VoxelBox nudged(Random& random, VoxelBox box, unsigned depth) {
    const std::int32_t last = (1 << depth) - 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto step = static_cast<std::int32_t>(random.below(3)) - 1;
        if (box.low[axis] + step < 0 || box.high[axis] + step > last) continue;
        box.low[axis] += step;
        box.high[axis] += step;
    }
    return box;
}

bool contains_voxel(const VoxelBox& box, const Voxel& v) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (v[axis] < box.low[axis] || v[axis] > box.high[axis]) return false;
    return true;
}

template <class Visit>
void for_each_voxel(const VoxelBox& box, Visit&& visit) {
    for (std::int32_t x = box.low[0]; x <= box.high[0]; ++x)
        for (std::int32_t y = box.low[1]; y <= box.high[1]; ++y)
            for (std::int32_t z = box.low[2]; z <= box.high[2]; ++z) visit(Voxel{x, y, z});
}

VoxelBox all_voxels(unsigned depth) {
    const std::int32_t last = (1 << depth) - 1;
    return {{0, 0, 0}, {last, last, last}};
}

using Structure = std::map<std::uint32_t, std::multiset<std::uint32_t>>;

/// The references in each octant.
Structure structure_of(const OctreeIndex& index) {
    Structure out;
    index.for_each_occupied([&](const Octant& octant, std::span<const std::uint32_t> references) {
        out[octant.node].insert(references.begin(), references.end());
        return true;
    });
    return out;
}

Structure rebuilt(const OctreeIndex& index, const std::set<std::uint32_t>& present, std::size_t slots) {
    OctreeIndex fresh(index.options());
    fresh.reserve_slots(slots);
    for (const std::uint32_t slot : present) fresh.enter(slot, index.box(slot));
    return structure_of(fresh);
}

/// Expected visits by definition: every octant that overlaps the box and has no ancestor inside the box.
void expect_visits(const Octant& octant, const VoxelBox& box, std::map<std::uint32_t, bool>& out) {
    bool any = false, all = true;
    const std::int32_t last = octant.size - 1;
    for_each_voxel({octant.low, {octant.low[0] + last, octant.low[1] + last, octant.low[2] + last}},
                   [&](const Voxel& v) {
                       any |= contains_voxel(box, v);
                       all &= contains_voxel(box, v);
                   });
    if (!any) return;
    out[octant.node] = all;
    for (unsigned code = 0; code < 8 && !all && octant.size > 1; ++code)
        expect_visits(octant.child(code), box, out);
}

std::vector<std::pair<Octant, bool>> visits_of(OctreeTraversal traversal, unsigned depth,
                                               const VoxelBox& box) {
    std::vector<std::pair<Octant, bool>> out;
    walk_octants(traversal, octant_of(0, depth), box, [&](const Octant& octant, bool inside) {
        out.emplace_back(octant, inside);
        return !inside;
    });
    return out;
}

void expect_correct_visits(OctreeTraversal traversal, unsigned depth, const VoxelBox& box) {
    std::map<std::uint32_t, bool> expected, found;
    expect_visits(octant_of(0, depth), box, expected);
    for (const auto& [octant, inside] : visits_of(traversal, depth, box)) {
        EXPECT_TRUE(found.emplace(octant.node, inside).second) << "visited twice";
        const Octant decoded = octant_of(octant.node, depth);
        EXPECT_EQ(octant.low, decoded.low);
        EXPECT_EQ(octant.size, decoded.size);
    }
    EXPECT_EQ(found, expected);
}

TEST(OctreeWalk, Z_5_4_bits_coordinates_of_a_voxel_encode_the_path_to_it) {
    for (unsigned depth = 1; depth <= 5; ++depth)
        for_each_voxel(all_voxels(depth), [&](const Voxel& voxel) {
            Octant octant = octant_of(0, depth);
            ASSERT_EQ(octant.size, 1 << depth);
            for (unsigned level = 0;; ++level) {
                const Octant direct = octant_at(voxel, level, depth), back = octant_of(octant.node, depth);
                ASSERT_EQ(direct.node, octant.node);
                ASSERT_EQ(direct.low, octant.low);
                ASSERT_EQ(back.low, octant.low);
                ASSERT_EQ(back.size, octant.size);
                ASSERT_EQ(level_of(octant.node), level);
                if (level == depth) break;
                unsigned code = 0;  // recursive descent: the side of the middle
                for (std::size_t axis = 0; axis < 3; ++axis)
                    code = 2 * code + (voxel[axis] >= octant.low[axis] + octant.size / 2 ? 1u : 0u);
                const Octant child = octant.child(code);
                ASSERT_EQ(child.parent().node, octant.node);
                ASSERT_EQ(child.parent().low, octant.low);
                octant = child;
            }
            ASSERT_EQ(octant.low, voxel);
        });
}

TEST(OctreeWalk, Z_7_3_4_oct_decision_tree_visits_exactly_the_overlapping_octants) {
    Random random(5);
    for (const unsigned depth : {2u, 3u})
        for (int i = 0; i < 400; ++i)
            expect_correct_visits(OctreeTraversal::decision_tree, depth, random_voxels(random, depth));
    // FIX-36: boxes that end just before, at and just after the middle.
    for (std::int32_t low = 0; low < 8; ++low)
        for (std::int32_t high = low; high < 8; ++high)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                VoxelBox box{{2, 2, 2}, {5, 5, 5}};
                box.low[axis] = low;
                box.high[axis] = high;
                expect_correct_visits(OctreeTraversal::decision_tree, 3, box);
            }
}

TEST(OctreeWalk, Z_7_3_4_oct_consecutive_sub_octants_differ_in_one_bound) {
    Random random(6);
    for (int i = 0; i < 300; ++i) {
        std::map<std::uint32_t, Octant> last;  // by parent
        for (const auto& visit : visits_of(OctreeTraversal::decision_tree, 4, random_voxels(random, 4))) {
            const Octant& octant = visit.first;
            if (octant.node == 0) continue;
            const std::uint32_t parent = octant.parent().node;
            if (const auto before = last.find(parent); before != last.end()) {
                int changed = 0;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    changed += before->second.low[axis] != octant.low[axis];
                EXPECT_EQ(changed, 1);
            }
            last[parent] = octant;
        }
    }
}

TEST(OctreeWalk, Z_5_4_5_fut_reused_comparisons_find_the_same_octants_inside) {
    Random random(7);
    for (const unsigned depth : {2u, 3u})
        for (int i = 0; i < 400; ++i) {
            const VoxelBox box = random_voxels(random, depth);
            expect_correct_visits(OctreeTraversal::reused, depth, box);
            expect_correct_visits(OctreeTraversal::plain, depth, box);
        }
}

TEST(OctreeIndex, Z_5_4_insert_body_occupies_exactly_the_voxels_of_its_box) {
    for (const OctreeTraversal traversal : kTraversals)
        for (const unsigned depth : {1u, 2u, 4u}) {
            OctreeIndex index(options_of(depth, OctreeVariant::naive, traversal));
            index.reserve_slots(1);
            Random random(8);
            for (int i = 0; i < 100; ++i) {
                const VoxelBox box = random_voxels(random, depth);
                index.enter(0, box);
                std::set<Voxel> reached;
                for (const auto& [node, references] : structure_of(index)) {
                    EXPECT_EQ(references, std::multiset<std::uint32_t>{0});
                    const Octant octant = octant_of(node, depth);
                    const std::int32_t last = octant.size - 1;
                    for_each_voxel(
                        {octant.low, {octant.low[0] + last, octant.low[1] + last, octant.low[2] + last}},
                        [&](const Voxel& v) { EXPECT_TRUE(reached.insert(v).second) << "twice"; });
                    if (node != 0) {
                        EXPECT_FALSE(contains(box, octant.parent())) << "a larger octant suffices";
                    }
                }
                for_each_voxel(all_voxels(depth), [&](const Voxel& v) {
                    EXPECT_EQ(reached.count(v) == 1, contains_voxel(box, v));
                });
                index.leave(0);
                EXPECT_TRUE(structure_of(index).empty());
            }
        }
}

TEST(OctreeIndex, Z_5_4_2_near_neighbours_share_a_voxel_and_each_shared_voxel_is_visited_once) {
    constexpr unsigned kDepth = 4;
    for (const OctreeVariant variant : kVariants)
        for (const OctreeTraversal traversal : kTraversals) {
            OctreeIndex index(options_of(kDepth, variant, traversal));
            constexpr std::uint32_t kBodies = 24;
            index.reserve_slots(kBodies);
            Random random(9);
            for (std::uint32_t slot = 0; slot < kBodies; ++slot)
                index.enter(slot, random_voxels(random, kDepth));
            std::size_t pairs = 0;
            for (std::uint32_t a = 0; a < kBodies; ++a) {
                std::map<std::uint32_t, std::vector<Octant>> visited;
                index.for_each_neighbour(
                    a, [&](std::uint32_t b, const Octant& octant) { visited[b].push_back(octant); });
                for (std::uint32_t b = 0; b < kBodies; ++b) {
                    std::size_t shared = 0;
                    for_each_voxel(index.box(a), [&](const Voxel& v) {
                        if (!contains_voxel(index.box(b), v)) return;
                        ++shared;
                        std::size_t times = 0;
                        for (const Octant& octant : visited[b]) times += octant.contains(v);
                        EXPECT_EQ(times, 1u);
                    });
                    EXPECT_EQ(!visited[b].empty(), shared > 0) << a << " and " << b;
                    pairs += shared > 0;
                }
            }
            EXPECT_GT(pairs, 2 * kBodies);
        }
}

TEST(OctreeIndex, Z_5_4_2_octarr_octant_arrays_find_the_same_pairs_with_more_memory) {
    constexpr unsigned kDepth = 5;
    OctreeIndex naive(options_of(kDepth, OctreeVariant::naive));
    OctreeIndex arrays(options_of(kDepth, OctreeVariant::octant_arrays));
    Random random(10);
    constexpr std::uint32_t kBodies = 100;
    for (OctreeIndex* index : {&naive, &arrays}) index->reserve_slots(kBodies);
    const auto neighbours = [](const OctreeIndex& index, std::uint32_t slot) {
        std::set<std::uint32_t> out;
        index.for_each_neighbour(slot, [&](std::uint32_t other, const Octant&) { out.insert(other); });
        return out;
    };
    for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
        VoxelBox box = random_voxels(random, kDepth);
        for (std::size_t axis = 0; axis < 3; ++axis)
            box.high[axis] = std::min(box.low[axis] + 3, box.high[axis]);
        naive.enter(slot, box);
        arrays.enter(slot, box);
    }
    for (int frame = 0; frame < 20; ++frame)
        for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
            const VoxelBox to = nudged(random, naive.box(slot), kDepth);
            naive.move(slot, to);
            arrays.move(slot, to);
            ASSERT_EQ(neighbours(naive, slot), neighbours(arrays, slot));
        }
    EXPECT_EQ(structure_of(naive), structure_of(arrays));
    EXPECT_EQ(naive.object_array_counts().made, arrays.object_array_counts().made);
    EXPECT_GT(arrays.octant_array_bytes(), naive.octant_array_bytes());
    std::printf("octant arrays: %zu bytes, nodes and lists of bodies: %zu bytes\n",
                arrays.octant_array_bytes(), arrays.backbone_bytes() + arrays.object_array_bytes());
    // Leaving removes a body from all its octants.
    for (std::uint32_t slot = 0; slot < kBodies; ++slot) arrays.leave(slot);
    EXPECT_TRUE(structure_of(arrays).empty());
}

TEST(OctreeIndex, Z_5_4_3_diff_entering_boxes_partition_the_new_part) {
    Random random(11);
    constexpr unsigned kDepth = 3;
    for (int i = 0; i < 3000; ++i) {
        const VoxelBox from = random_voxels(random, kDepth), to = random_voxels(random, kDepth);
        const auto entering = entering_boxes(from, to);
        for_each_voxel(all_voxels(kDepth), [&](const Voxel& v) {
            int times = 0;
            for (const VoxelBox& box : entering) times += contains_voxel(box, v);
            ASSERT_EQ(times, contains_voxel(to, v) && !contains_voxel(from, v) ? 1 : 0);
        });
    }
    std::size_t empty = 0, moves = 0;
    for (int i = 0; i < 1000; ++i) {
        const VoxelBox from = random_voxels(random, 5), to = nudged(random, from, 5);
        ++moves;
        for (const VoxelBox& box : entering_boxes(from, to)) empty += box.empty();
    }
    EXPECT_GE(empty, 3 * moves);
}

TEST(OctreeIndex, Z_5_4_3_diff_structure_after_ten_thousand_moves_equals_a_rebuild) {
    for (const OctreeVariant variant : kVariants)
        for (const OctreeTraversal traversal : kTraversals) {
            constexpr unsigned kDepth = 4;
            constexpr std::uint32_t kBodies = 20;
            OctreeIndex index(options_of(kDepth, variant, traversal));
            index.reserve_slots(kBodies);
            std::set<std::uint32_t> present;
            Random random(12);
            for (int i = 0; i < 10000; ++i) {
                const auto slot = static_cast<std::uint32_t>(random.below(kBodies));
                const std::uint64_t dice = random.below(20);
                if (!present.count(slot)) {
                    index.enter(slot, random_voxels(random, kDepth));
                    present.insert(slot);
                } else if (dice == 0) {
                    index.leave(slot);
                    present.erase(slot);
                } else if (dice == 1) {
                    index.move(slot, VoxelBox{});  // an empty box occupies no octant
                } else if (dice < 10 && !index.box(slot).empty()) {
                    index.move(slot, nudged(random, index.box(slot), kDepth));
                } else {
                    index.move(slot, random_voxels(random, kDepth));
                }
                if (i % 500 == 499) {
                    ASSERT_EQ(structure_of(index), rebuilt(index, present, kBodies))
                        << static_cast<int>(variant) << " after " << i;
                }
            }
        }
}

TEST(OctreeIndex, Z_5_4_3_diff_small_move_changes_fewer_references_than_leaving_and_entering) {
    std::map<OctreeVariant, std::uint64_t> changed;
    for (const OctreeVariant variant : kVariants) {
        OctreeIndex index(options_of(5, variant));
        index.reserve_slots(1);
        index.enter(0, {{3, 4, 5}, {10, 11, 12}});
        Random random(13);
        for (int i = 0; i < 1000; ++i) index.move(0, nudged(random, index.box(0), 5));
        changed[variant] = index.references_changed();
    }
    EXPECT_EQ(changed[OctreeVariant::naive], changed[OctreeVariant::octant_arrays]);
    EXPECT_LT(changed[OctreeVariant::box_difference], changed[OctreeVariant::naive] * 2 / 3);
    EXPECT_GT(changed[OctreeVariant::attach_visited], changed[OctreeVariant::naive]);
}

TEST(OctreeIndex, Z_5_4_backbone_octants_are_created_once_and_lists_are_rarely_reallocated) {
    std::map<std::uint32_t, IndexLists::Counts> counts;
    for (const std::uint32_t hysteresis : {5u, 10u}) {
        OctreeOptions options = options_of(3, OctreeVariant::box_difference);
        options.hysteresis = hysteresis;
        OctreeIndex index(options);
        const std::size_t backbone = index.backbone_bytes();
        EXPECT_GE(backbone, 585 * sizeof(IndexLists::Array));
        constexpr std::uint32_t kBodies = 300;
        index.reserve_slots(kBodies);
        Random random(14);
        for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
            VoxelBox box = random_voxels(random, 3);
            for (std::size_t axis = 0; axis < 3; ++axis) box.high[axis] = std::min(box.low[axis] + 1, 7);
            index.enter(slot, box);
        }
        std::size_t memory = 0;
        for (int frame = 0; frame < 600; ++frame) {
            for (std::uint32_t slot = 0; slot < kBodies; ++slot)
                index.move(slot, nudged(random, index.box(slot), 3));
            if (frame == 299) memory = index.memory_bytes();
        }
        EXPECT_EQ(index.backbone_bytes(), backbone);
        EXPECT_LE(index.memory_bytes(), 2 * memory);
        counts[hysteresis] = index.object_array_counts();
    }
    std::printf("list reallocations: %llu with a hysteresis of 5, %llu with 10\n",
                static_cast<unsigned long long>(counts[5].moved),
                static_cast<unsigned long long>(counts[10].moved));
    EXPECT_GT(counts[10].moved, 0u);
    EXPECT_GT(counts[5].moved, 2 * counts[10].moved);
}

TEST(OctreeIndex, Z_5_4_5_fut_body_is_attached_to_all_octants_visited_by_its_insertion) {
    OctreeIndex index(options_of(4, OctreeVariant::attach_visited));
    index.reserve_slots(1);
    Random random(15);
    for (int i = 0; i < 200; ++i) {
        const VoxelBox box = random_voxels(random, 4);
        index.enter(0, box);
        std::set<std::uint32_t> expected, found;
        for (const auto& visit : visits_of(OctreeTraversal::plain, 4, box)) expected.insert(visit.first.node);
        for (const auto& entry : structure_of(index)) found.insert(entry.first);
        EXPECT_EQ(found, expected);
        index.leave(0);
        EXPECT_TRUE(structure_of(index).empty());
    }
}

class OctreePhase : public testing::Test {
  protected:
    /// Creates an octree with 1 m voxels: the universe extends from -2^(depth-1) to 2^(depth-1).
    void make(unsigned depth, const std::vector<std::pair<std::size_t, double>>& parameters = {}) {
        const BroadPhaseDescriptor& descriptor = *find_broad_phase("octree");
        ParameterValues values = default_values(descriptor.parameters);
        values[0] = 1 << depth;
        values[1] = depth;
        for (const auto& [index, value] : parameters) values[index] = value;
        octree_ = descriptor.create(values);
    }
    void insert(const Aabb& box) {
        octree_->insert(static_cast<std::uint32_t>(boxes_.size()));
        all_.push_back(static_cast<std::uint32_t>(boxes_.size()));
        boxes_.push_back(box);
    }
    /// The volume of the occupied octants; `around`: the box around them.
    double volume(Aabb* around = nullptr) {
        StructureView octants;
        octants.begin({100000});
        octree_->view(octants);
        double sum = 0;
        for (const auto& [box, depth] : octants.boxes()) {
            const Vec3f edge = box.max - box.min;
            sum += static_cast<double>(edge.x * edge.y * edge.z);
            if (around) around->add(box);
        }
        return sum;
    }

    std::unique_ptr<BroadPhase> octree_;
    std::unique_ptr<Executor> executor_ = make_serial_executor();
    std::vector<Aabb> boxes_;
    std::vector<std::uint32_t> all_;
};

TEST_F(OctreePhase, Z_5_4_insert_voxels_are_half_open_and_outside_bodies_are_in_border_voxels) {
    struct Row {
        Aabb box, voxels;
    };
    const Row rows[] = {
        {{{0.25f, 0.25f, 0.25f}, {0.75f, 0.75f, 0.75f}}, {{0, 0, 0}, {1, 1, 1}}},
        {{{0, 0, 0}, {1, 0.5f, 0.5f}}, {{0, 0, 0}, {2, 1, 1}}},  // 1 m belongs to the next voxel
        {{{-0.5f, -1, -1.5f}, {-0.25f, -0.5f, -1}}, {{-1, -1, -2}, {0, 0, 0}}},
        {{{100, 0, 0}, {200, 0.5f, 0.5f}}, {{3, 0, 0}, {4, 1, 1}}},
        {{{-1e30f, 9, -9}, {-1e20f, 10, 9}}, {{-4, 3, -4}, {-3, 4, 4}}},
        {{{-9, -9, -9}, {9, 9, 9}}, {{-4, -4, -4}, {4, 4, 4}}}};
    for (const Row& row : rows) {
        make(3);
        boxes_.clear();
        all_.clear();
        insert(row.box);
        octree_->update(all_, boxes_, *executor_);
        Aabb around;
        const Vec3f edge = row.voxels.max - row.voxels.min;
        EXPECT_EQ(volume(&around), static_cast<double>(edge.x * edge.y * edge.z));
        EXPECT_EQ(around, row.voxels);
    }
}

TEST_F(OctreePhase, Z_5_4_3_same_body_with_an_unchanged_integer_box_changes_nothing) {
    for (const bool exit : {true, false}) {
        make(4, {{2, 0}, {5, exit ? 1 : 0}});  // naive: without the exit everything is inserted again
        boxes_.clear();
        all_.clear();
        insert({{0.1f, 0.1f, 0.1f}, {0.6f, 0.6f, 0.6f}});
        insert({{3.1f, 0.1f, 0.1f}, {3.6f, 0.6f, 0.6f}});
        octree_->update(all_, boxes_, *executor_);
        for (Aabb& box : boxes_) {
            box.min.x += 0.35f;
            box.max.x += 0.35f;
        }
        boxes_[1].max.x += 0.1f;  // 4.05 m: one voxel more
        octree_->update(all_, boxes_, *executor_);
        EXPECT_EQ(octree_->counts().unchanged, exit ? 1u : 0u);
        EXPECT_EQ(octree_->counts().cells_changed, exit ? 3u : 5u);
        octree_->update(all_, boxes_, *executor_);
        EXPECT_EQ(octree_->counts().unchanged, exit ? 2u : 0u);
        EXPECT_EQ(octree_->counts().cells_changed, exit ? 0u : 6u);
    }
}

TEST_F(OctreePhase, body_across_many_voxels_uses_coarser_voxels) {
    const Aabb slab{{-60, -60, -60}, {60, -59.5f, 60}};
    std::vector<std::uint64_t> references;
    for (const double across : {8.0, 128.0}) {
        make(7, {{6, across}});
        boxes_.clear();
        all_.clear();
        insert(slab);
        octree_->update(all_, boxes_, *executor_);
        references.push_back(octree_->counts().cells_changed);
    }
    EXPECT_LE(references[0], 81u);
    EXPECT_GT(references[1], 10000u);
}

TEST_F(OctreePhase, universe_follows_the_bodies_and_ignores_a_few_distant_ones) {
    make(5, {{0, 0}});
    Random random(17);
    for (int i = 0; i < 1000; ++i) {
        const Vec3f low =
            cast<float>(Vec3d{random.uniform(0, 20), random.uniform(0, 20), random.uniform(0, 20)});
        insert({low, low + Vec3f{1, 1, 1}});
    }
    for (int i = 0; i < 10; ++i) insert({{1e15f, 1e15f, 1e15f}, {1.1e15f, 1.1e15f, 1.1e15f}});
    std::vector<PairKey> found;
    const auto raw = [&] {
        octree_->update(all_, boxes_, *executor_);
        octree_->find_pairs(all_, boxes_, *executor_, found);
        return octree_->counts().raw_candidates;
    };
    const std::uint64_t before = raw();
    EXPECT_LT(before, 100000u);  // all pairs: about 510,000
    for (std::size_t i = 0; i < 1000; ++i) {
        boxes_[i].min.x += 5000;
        boxes_[i].max.x += 5000;
    }
    EXPECT_LT(raw(), 2 * before);
    EXPECT_GT(found.size(), 100u);
}

}  // namespace
}  // namespace claybox::collision
