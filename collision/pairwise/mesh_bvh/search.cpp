#include "collision/pairwise/mesh_bvh/search.hpp"

#include "collision/pairwise/mesh_bvh/leaf_test.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace claybox::collision {

namespace {

/// Pairs popped from the stack at once, so that their memory accesses overlap.
constexpr std::size_t kBatch = 2;
/// Each step pops one pair, pushes at most four, and descends one level in one of the trees.
constexpr std::size_t kStack = kBatch * (3 * 2 * kMaxBvhLevels + 5);
/// Interval of stop-token checks in long searches.
constexpr std::uint64_t kStopEvery = 1024;

/// Refs of A (lower half) and B (upper half) in one number, stored and loaded as a whole.
using RefPair = std::uint64_t;

std::uint32_t ref_of(RefPair pair, std::size_t side) {
    return static_cast<std::uint32_t>(pair >> 32 * side);
}
RefPair pair_of(std::uint32_t ref_a, std::uint32_t ref_b) {
    return RefPair{ref_b} << 32 | ref_a;
}
RefPair with_ref(RefPair pair, std::size_t side, std::uint32_t ref) {
    return (pair & 0xffffffff00000000u >> 32 * side) | RefPair{ref} << 32 * side;
}

constexpr unsigned kAllLanes = 15;
/// All ones in the lanes of a mask.
constexpr Int4 kLaneMasks[16] = {{0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},
                                 {0, 0, -1, 0},  {-1, 0, -1, 0},  {0, -1, -1, 0},  {-1, -1, -1, 0},
                                 {0, 0, 0, -1},  {-1, 0, 0, -1},  {0, -1, 0, -1},  {-1, -1, 0, -1},
                                 {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};
/// Before a full search, the search looks this many levels above the leaves of the last hit.
constexpr int kLevelsAround = 2;
/// While a front is built, volumes with a gap below this fraction of the smaller body are opened anyway, at
/// most as many as the previous traversal had steps.
constexpr float kNearlyTouching = 0x1p-8f;
/// The gap of a place that is rechecked even if the bodies do not move.
constexpr float kAlwaysRecheck = -0x1p100f;

/// Pairs of leaves are collected and tested in batches, so that the traversal above is one predictable loop.
constexpr std::size_t kWaitingLeaves = 4;
/// Number of volume pairs per part when a traversal is split, and the maximum number of pairs.
constexpr std::size_t kSharesPerPart = 8, kMaxShares = 256;

class Walk {
  public:
    Walk(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts)
        : search_(search),
          on_hit_(on_hit),
          counts_(counts),
          nodes_{search.a.tree->nodes().data(), search.b.tree->nodes().data()} {}

    bool relate_trees() {
        return relate(search_.a, search_.b, relation_[0]) && relate(search_.b, search_.a, relation_[1]);
    }
    /// From the roots, after trying the leaves of the last hit.
    MeshEnd run();
    /// From the places of a front that may touch now.
    MeshEnd run_from(std::span<const BvhFrontEntry> entries);
    /// Builds a front. `may_open`: how many nearly touching volumes may be opened.
    void build_front(const BvhFrontBuilder& front_builder, std::size_t may_open) {
        front_builder_ = front_builder;
        per_unit_[0] = world_per_unit(relation_[0], search_.a);
        per_unit_[1] = world_per_unit(relation_[1], search_.b);
        may_open_ = may_open;
        if (may_open == 0) return;
        near_gap_ = kNearlyTouching * std::min(per_unit_[0] * search_.a.tree->volume(0).radius,
                                               per_unit_[1] * search_.b.tree->volume(0).radius);
    }
    const BvhFrontBuilder& front_builder() const { return front_builder_; }

  private:
    const BvhNode& node_of(RefPair pair, std::size_t side) const {
        return nodes_[side][ref_of(pair, side) / 4];
    }
    std::uint32_t child_of(RefPair pair, std::size_t side) const {
        return node_of(pair, side).child[ref_of(pair, side) % 4];
    }
    void start();
    MeshEnd run_part();
    bool starts_with_hit(MeshEnd& end);
    std::size_t side_to_open(RefPair pair) const;
    void open(RefPair pair, std::size_t x, unsigned lanes);
    unsigned record(RefPair pair, std::size_t x, unsigned lanes, unsigned can_open, Float4 apart);
    bool drain(MeshEnd& end);
    bool test_leaves();
    bool test(RefPair pair);

    const BvhSearch& search_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    BvhCounts& counts_;
    const BvhNode* nodes_[2];
    BvhRelation relation_[2];  ///< [0]: A from B
    std::array<RefPair, kStack> stack_;
    std::array<RefPair, kWaitingLeaves + 4 * kBatch> leaves_;
    std::size_t count_ = 0, leaf_count_ = 0;
    BvhFrontBuilder front_builder_;
    float per_unit_[2] = {};  ///< see world_per_unit()
    std::size_t may_open_ = 0;
    float near_gap_ = 0;                    ///< metres
    std::optional<BvhLeafTest> leaf_test_;  ///< created for the first pair of triangles that needs it
};

/// The side with the larger volume; if one side is a leaf, the other.
std::size_t Walk::side_to_open(RefPair pair) const {
    const unsigned leaf_a = child_of(pair, 0) >> 31, leaf_b = child_of(pair, 1) >> 31;
    const float size_a = node_of(pair, 0).radius[ref_of(pair, 0) % 4],
                size_b = node_of(pair, 1).radius[ref_of(pair, 1) % 4] * relation_[0].length;
    return leaf_a | (~leaf_b & static_cast<unsigned>(size_b > size_a));
}

/// [results of the lane comparisons, 64][remaining lanes, 16]: the remaining lanes, two bits each from the
/// lowest, the largest gap first. The deepest lane is thus popped from the stack first.
struct LaneOrders {
    std::uint8_t packed[64 * 16] = {};

    static constexpr unsigned kFirst[6] = {0, 1, 2, 3, 0, 1}, kSecond[6] = {1, 2, 3, 0, 2, 3};
    constexpr LaneOrders() {
        for (unsigned comparisons = 0; comparisons < 64; ++comparisons) {
            unsigned behind[4] = {};  // number of lanes with a larger gap
            for (unsigned i = 0; i < 6; ++i) ++behind[(comparisons >> i & 1) != 0 ? kFirst[i] : kSecond[i]];
            for (unsigned remaining = 0; remaining < 16; ++remaining) {
                unsigned out = 0, at = 0;
                for (unsigned entry = 0; entry < 4; ++entry)
                    for (unsigned lane = 0; lane < 4; ++lane)
                        if (behind[lane] == entry && (remaining >> lane & 1) != 0) out |= lane << 2 * at++;
                packed[16 * comparisons + remaining] = static_cast<std::uint8_t>(out);
            }
        }
    }
};
constexpr LaneOrders kOrders;

/// Row of kOrders. Comparisons may be contradictory, for equal lanes or NaN; even then no lane is lost.
unsigned compare_lanes(Float4 apart) {
    return mask_bits4(apart < shuffle4<1, 2, 3, 0>(apart)) |
           (mask_bits4(apart < shuffle4<2, 3, 0, 1>(apart)) & 3) << 4;
}

/// Population count of a 4-bit mask; not every target processor has an instruction for it.
std::size_t count_of(unsigned mask) {
    return 0x4332322132212110u >> 4 * mask & 7;
}

/// Writes up to four pairs; the caller keeps as many as are valid.
void push(RefPair* to, RefPair first, std::size_t x, unsigned order) {
    for (unsigned i = 0; i < 4; ++i) to[i] = first + (RefPair{order >> 2 * i & 3} << 32 * x);
}

/// Opens side x of the pair against the other side. Branch-free, because the number of overlapping children
/// is unpredictable.
void Walk::open(RefPair pair, std::size_t x, unsigned lanes) {
    ++counts_.steps;
    const std::size_t y = 1 - x;
    const std::uint32_t child[2] = {child_of(pair, 0), child_of(pair, 1)};
    const BvhRelation& relation = relation_[x];
    const BvhNode& node = nodes_[x][child[x]];
    const BvhProbe probe = make_probe(relation, node_of(pair, y), ref_of(pair, y) % 4);
    const Float4 apart = gap_bounds(relation, probe, node);
    const unsigned remaining = may_overlap(probe, node, apart) & lanes;
    Int4 children;
    __builtin_memcpy(&children, node.child, sizeof children);
    const unsigned to_leaves = mask_bits4(children) & (0u - (child[y] >> 31));
    const unsigned leaves = remaining & to_leaves;
    unsigned inner = remaining & ~leaves;
    if (front_builder_.is_active())
        inner |= record(pair, x, lanes & mask_bits4(children != splat_int4(-1)) & ~remaining, ~to_leaves,
                        probe.reach == BvhProbe::Reach::normal ? apart : splat4(kAlwaysRecheck));
    const std::uint8_t* const orders = kOrders.packed + 16 * compare_lanes(apart);
    const RefPair first = with_ref(pair, x, 4 * child[x]);
    push(stack_.data() + count_, first, x, orders[inner]);
    push(leaves_.data() + leaf_count_, first, x, orders[leaves]);
    count_ += count_of(inner);
    leaf_count_ += count_of(leaves);
}

/// Lanes with a gap become a place of the front. Returns the nearly touching lanes that can be opened
/// instead: the volumes below have larger gaps.
unsigned Walk::record(RefPair pair, std::size_t x, unsigned lanes, unsigned can_open, Float4 apart) {
    const Float4 gaps = apart * splat4(per_unit_[x]);
    const unsigned near = lanes & can_open & mask_bits4(gaps < splat4(near_gap_));
    const unsigned recorded = lanes & ~near;
    may_open_ -= std::min(may_open_, count_of(near));
    if (may_open_ == 0) near_gap_ = 0;
    if (recorded != 0) {
        const Int4 of_others = Int4(splat4(0x1p100f));
        front_builder_.add({pair, 0, static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(recorded)},
                           smallest4(Float4(select4(kLaneMasks[recorded], Int4(gaps), of_others)))[0]);
    }
    return near;
}

bool Walk::test_leaves() {
    while (leaf_count_ != 0)
        if (!test(leaves_[--leaf_count_])) return false;
    return true;
}

bool Walk::test(RefPair pair) {
    ++counts_.leaves;
    const std::uint32_t leaf_a = child_of(pair, 0), leaf_b = child_of(pair, 1);
    unsigned remaining =
        triangles_may_intersect(search_.a, relation_[0], ref_of(pair, 0), search_.b, ref_of(pair, 1));
    if (remaining != 0 && !leaf_test_) leaf_test_.emplace(search_, on_hit_, counts_);
    for (; remaining != 0; remaining &= remaining - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(remaining));
        if (leaf_test_->run(search_.a.tree->triangles()[bvh_leaf_first(leaf_a) + bit % 4].triangle,
                            search_.b.tree->triangles()[bvh_leaf_first(leaf_b) + bit / 4].triangle))
            continue;
        if (search_.memory != nullptr) {
            leaf_test_->remember(*search_.memory);
            search_.memory->ref_a = ref_of(pair, 0), search_.memory->ref_b = ref_of(pair, 1);
        }
        return false;
    }
    if (front_builder_.is_active()) front_builder_.add({pair, 0, 0, 0}, kAlwaysRecheck);
    return true;
}

void Walk::start() {
    const RefPair roots = 0;
    if (child_of(roots, 0) == kNoIndex || child_of(roots, 1) == kNoIndex) return;
    if (is_bvh_leaf(child_of(roots, 0)) && is_bvh_leaf(child_of(roots, 1)))
        leaves_[leaf_count_++] = roots;
    else
        stack_[count_++] = roots;
}

/// Searches where the surfaces intersected last: in the same leaves, then around them. True if the search
/// ends here, with result `end`.
bool Walk::starts_with_hit(MeshEnd& end) {
    end = MeshEnd::ended;
    std::uint32_t a = search_.memory->ref_a, b = search_.memory->ref_b;
    if (!test(pair_of(a, b))) return true;
    for (int level = 0; level < kLevelsAround; ++level) {
        a = search_.a.tree->parent_of(a);
        b = search_.b.tree->parent_of(b);
    }
    if (a == 0 && b == 0) return false;  // that would be the full search
    stack_[count_++] = pair_of(a, b);
    return !drain(end);
}

/// Traverses until the stack is empty. False if the search ended before, with result `end`.
bool Walk::drain(MeshEnd& end) {
    while (count_ != 0) {
        if (counts_.steps % kStopEvery == 0 && search_.stop.stop_requested())
            return end = MeshEnd::stopped, false;
        RefPair batch[kBatch];
        const std::size_t taken = std::min(kBatch, count_);
        count_ -= taken;
        std::copy_n(stack_.data() + count_, taken, batch);
        std::size_t side[kBatch];
        for (std::size_t i = 0; i < taken; ++i) {
            side[i] = side_to_open(batch[i]);
            const char* const line =
                reinterpret_cast<const char*>(nodes_[side[i]] + child_of(batch[i], side[i]));
            __builtin_prefetch(line);
            __builtin_prefetch(line + 64);
            __builtin_prefetch(line + 128);
        }
        for (std::size_t i = 0; i < taken; ++i) open(batch[i], side[i], kAllLanes);
        if (leaf_count_ >= kWaitingLeaves && !test_leaves()) return end = MeshEnd::ended, false;
    }
    end = test_leaves() ? MeshEnd::complete : MeshEnd::ended;
    return end == MeshEnd::complete;
}

MeshEnd Walk::run() {
    if (search_.part_count > 1) return run_part();
    MeshEnd end = MeshEnd::complete;
    if (search_.memory != nullptr && search_.memory->last == BvhMemory::Last::hit && starts_with_hit(end))
        return end;
    start();
    drain(end);
    return end;
}

/// Opens the roots breadth-first, in the same way for each part, until there are enough pairs; then processes
/// its own.
MeshEnd Walk::run_part() {
    RefPair shares[kMaxShares + 4];
    const std::size_t enough = std::min(kMaxShares, kSharesPerPart * search_.part_count);
    std::size_t first = 0, last = 0;
    start();
    while (true) {
        std::copy_n(stack_.data(), count_, shares + last);
        last += count_;
        count_ = 0;
        // No pair stays on the stack, because each part would process it.
        if (first == last || last >= enough || leaf_count_ >= kWaitingLeaves) break;
        open(shares[first], side_to_open(shares[first]), kAllLanes);
        ++first;
    }
    if (search_.part != 0) leaf_count_ = 0;
    MeshEnd end = MeshEnd::complete;
    for (std::size_t i = first; i < last; ++i) {
        if (i % search_.part_count != search_.part) continue;
        stack_[count_++] = shares[i];
        if (!drain(end)) return end;
    }
    return test_leaves() ? MeshEnd::complete : MeshEnd::ended;
}

MeshEnd Walk::run_from(std::span<const BvhFrontEntry> entries) {
    MeshEnd end = MeshEnd::complete;
    for (const BvhFrontEntry& entry : entries) {
        if (entry.lanes == 0)
            leaves_[leaf_count_++] = entry.refs;
        else
            open(entry.refs, entry.opened, entry.lanes);
        if (!drain(end)) break;
    }
    return end;
}

/// Clears a memory of other trees, since their refs mean nothing here.
void reset_for_other_trees(const BvhSearch& search) {
    BvhMemory& memory = *search.memory;
    const std::uint64_t a = search.a.tree->structure(), b = search.b.tree->structure();
    if (memory.structure_a == a && memory.structure_b == b) return;
    memory = {};
    memory.structure_a = a;
    memory.structure_b = b;
}

/// The front that belongs to the memory; null if there is none.
BvhFront* front_of(const BvhSearch& search) {
    const bool known =
        search.front != nullptr && search.memory->front != 0 && search.front->stamp == search.memory->front;
    return known ? search.front : nullptr;
}

/// Upper bound of the relative displacement of the bodies since the front was built.
float displacement_since(const BvhFront& front, const BvhSearch& search) {
    return max_displacement(*search.a.tree, front.world_from_a, *search.a.world_from_body) +
           max_displacement(*search.b.tree, front.world_from_b, *search.b.world_from_body);
}

/// Whether rechecking the near places is cheaper than a traversal from the roots.
bool is_resuming_cheaper(const BvhFront& front, float moved) {
    if (!(moved < front.beyond)) return false;
    std::size_t near = 0;
    for (const BvhFrontEntry& entry : std::span(front.entries).first(front.count))
        near += entry.gap <= moved ? 1 : 0;
    return 2 * near <= front.steps;
}

/// Continues from the places of the front that may touch now.
MeshEnd resume_from_front(const BvhSearch& search, Walk& walk, float moved) {
    BvhMemory& memory = *search.memory;
    BvhFrontEntry storage[kMaxFrontEntries];
    std::span<BvhFrontEntry> nearer(storage);
    walk.build_front(BvhFrontBuilder(*search.front, moved, nearer), 0);
    memory.front = 0;
    const MeshEnd end = walk.run_from(nearer);
    if (end != MeshEnd::complete) return end;
    memory.front = walk.front_builder().finish(search.a, search.b);
    memory.last = BvhMemory::Last::apart;
    return end;
}

/// Starts from the roots. Builds a front if the bodies were apart in the last query too and one is due.
MeshEnd search_from_roots(const BvhSearch& search, Walk& walk, const BvhCounts& counts) {
    BvhMemory& memory = *search.memory;
    const bool is_active =
        memory.last == BvhMemory::Last::apart && search.front != nullptr && memory.schedule.is_due();
    if (is_active) walk.build_front(BvhFrontBuilder(*search.front), memory.steps);
    memory.front = 0;
    const MeshEnd end = walk.run();
    if (end != MeshEnd::complete) return end;
    memory.last = BvhMemory::Last::apart;
    const auto steps = static_cast<std::uint32_t>(counts.steps);
    if (!is_active) {
        memory.steps = steps;
        return end;
    }
    BvhFront& front = *search.front;
    front.world_from_a = *search.a.world_from_body;
    front.world_from_b = *search.b.world_from_body;
    front.steps = steps;
    memory.front = walk.front_builder().finish(search.a, search.b);
    return end;
}

}  // namespace

bool find_bvh_hits(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts,
                   MeshEnd& end) {
    BvhMemory* const memory = search.memory;
    if (memory != nullptr) reset_for_other_trees(search);
    BvhFront* const front = memory == nullptr ? nullptr : front_of(search);
    float moved = 0;
    end = MeshEnd::ended;
    if (memory != nullptr && memory->last == BvhMemory::Last::hit &&
        BvhLeafTest(search, on_hit, counts).still_hits(*memory))
        return true;
    end = MeshEnd::complete;
    if (front != nullptr) {
        moved = displacement_since(*front, search);
        if (moved < front->nearest) {
            memory->last = BvhMemory::Last::apart;
            memory->schedule.front_helped();
            return true;
        }
    }
    Walk walk(search, on_hit, counts);
    if (!walk.relate_trees()) return false;
    if (memory == nullptr)
        end = walk.run();
    else if (front != nullptr && is_resuming_cheaper(*front, moved)) {
        memory->schedule.front_helped();
        end = resume_from_front(search, walk, moved);
    } else {
        if (front != nullptr) memory->schedule.front_was_lost();
        end = search_from_roots(search, walk, counts);
    }
    return true;
}

}  // namespace claybox::collision
