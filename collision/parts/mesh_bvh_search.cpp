#include "collision/parts/mesh_bvh_search.hpp"

#include "collision/parts/mesh_bvh_leaf.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace claybox::collision {

namespace {

/// Pairs taken from the stack at once: the processor works on all of them while it waits for each.
constexpr std::size_t kBatch = 2;
/// Each step takes one pair and leaves four at most, and goes down one level of one of two trees.
constexpr std::size_t kStack = kBatch * (3 * 2 * kMostBvhLevels + 5);
/// How often a long search looks whether it shall stop.
constexpr std::uint64_t kStopEvery = 1024;

/// Refs of A, in the lower half, and of B. In one number, which is stored and loaded whole.
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
/// What met is looked for so many levels above the leaves in which it was, before all is.
constexpr int kLevelsAround = 2;
/// Volumes less apart than this part of the smaller body are opened when a front is made, as many as a walk
/// had steps without that.
constexpr float kHardlyApart = 0x1p-8f;
/// The gap of a place that is asked again however little the bodies move.
constexpr float kAskedAgain = -0x1p100f;

/// Pairs of leaves wait here so that the walk above them is one loop without surprises for the processor.
constexpr std::size_t kWaitingLeaves = 4;
/// Pairs of volumes for each part among which a walk is shared out, and the most pairs.
constexpr std::size_t kSharesOfPart = 8, kMostShares = 256;

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
    /// From the roots, after the leaves that met last.
    MeshEnd run();
    /// From the places of a front that may meet now.
    MeshEnd run_from(std::span<const BvhFrontPlace> places);
    /// `may_open`: volumes that are hardly apart.
    void make(const BvhFrontMaker& maker, std::size_t may_open) {
        maker_ = maker;
        per_unit_[0] = world_per_unit(relation_[0], search_.a);
        per_unit_[1] = world_per_unit(relation_[1], search_.b);
        may_open_apart_ = may_open;
        if (may_open == 0) return;
        hardly_apart_ = kHardlyApart * std::min(per_unit_[0] * search_.a.tree->volume(0).radius,
                                                per_unit_[1] * search_.b.tree->volume(0).radius);
    }
    const BvhFrontMaker& maker() const { return maker_; }

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
    BvhFrontMaker maker_;
    float per_unit_[2] = {};  ///< see world_per_unit()
    std::size_t may_open_apart_ = 0;
    float hardly_apart_ = 0;                ///< metres
    std::optional<BvhLeafTest> leaf_test_;  ///< made for the first pair of triangles that needs it
};

/// That of the larger volume, or the one that is no leaf.
std::size_t Walk::side_to_open(RefPair pair) const {
    const unsigned leaf_a = child_of(pair, 0) >> 31, leaf_b = child_of(pair, 1) >> 31;
    const float size_a = node_of(pair, 0).radius[ref_of(pair, 0) % 4],
                size_b = node_of(pair, 1).radius[ref_of(pair, 1) % 4] * relation_[0].length;
    return leaf_a | (~leaf_b & static_cast<unsigned>(size_b > size_a));
}

/// [what comparisons of the lanes told, 64][lanes that are left, 16]: these lanes, two bits each from the
/// lowest, the farthest apart first, so that the deepest comes from a stack first.
struct LaneOrders {
    std::uint8_t packed[64 * 16] = {};

    static constexpr unsigned kFirst[6] = {0, 1, 2, 3, 0, 1}, kSecond[6] = {1, 2, 3, 0, 2, 3};
    constexpr LaneOrders() {
        for (unsigned told = 0; told < 64; ++told) {
            unsigned behind[4] = {};  // how many lanes are farther apart
            for (unsigned i = 0; i < 6; ++i) ++behind[(told >> i & 1) != 0 ? kFirst[i] : kSecond[i]];
            for (unsigned left = 0; left < 16; ++left) {
                unsigned out = 0, at = 0;
                for (unsigned place = 0; place < 4; ++place)
                    for (unsigned lane = 0; lane < 4; ++lane)
                        if (behind[lane] == place && (left >> lane & 1) != 0) out |= lane << 2 * at++;
                packed[16 * told + left] = static_cast<std::uint8_t>(out);
            }
        }
    }
};
constexpr LaneOrders kOrders;

/// Row of kOrders. Comparisons may contradict each other, of equal lanes or numbers that are none: no lane is
/// lost then.
unsigned compare_lanes(Float4 apart) {
    return bits4(apart < lanes4<1, 2, 3, 0>(apart)) | (bits4(apart < lanes4<2, 3, 0, 1>(apart)) & 3) << 4;
}

/// Bits of a mask of four; not every processor that we build for counts them in one step.
std::size_t count_of(unsigned mask) {
    return 0x4332322132212110u >> 4 * mask & 7;
}

/// Up to four, of which the caller keeps as many as there are.
void push(RefPair* to, RefPair first, std::size_t x, unsigned order) {
    for (unsigned i = 0; i < 4; ++i) to[i] = first + (RefPair{order >> 2 * i & 3} << 32 * x);
}

/// Opens side x of the pair against the other. Without branches: how many children are left is what nobody
/// can foresee.
void Walk::open(RefPair pair, std::size_t x, unsigned lanes) {
    ++counts_.steps;
    const std::size_t y = 1 - x;
    const std::uint32_t child[2] = {child_of(pair, 0), child_of(pair, 1)};
    const BvhRelation& relation = relation_[x];
    const BvhNode& node = nodes_[x][child[x]];
    const BvhProbe probe = make_probe(relation, node_of(pair, y), ref_of(pair, y) % 4);
    const Float4 apart = apart_by(relation, probe, node);
    const unsigned left = may_meet(probe, node, apart) & lanes;
    Int4 children;
    __builtin_memcpy(&children, node.child, sizeof children);
    const unsigned to_leaves = bits4(children) & (0u - (child[y] >> 31));
    const unsigned leaves = left & to_leaves;
    unsigned inner = left & ~leaves;
    if (maker_.makes())
        inner |= record(pair, x, lanes & bits4(children != whole4(-1)) & ~left, ~to_leaves,
                        probe.reach == BvhProbe::Reach::normal ? apart : splat4(kAskedAgain));
    const std::uint8_t* const orders = kOrders.packed + 16 * compare_lanes(apart);
    const RefPair first = with_ref(pair, x, 4 * child[x]);
    push(stack_.data() + count_, first, x, orders[inner]);
    push(leaves_.data() + leaf_count_, first, x, orders[leaves]);
    count_ += count_of(inner);
    leaf_count_ += count_of(leaves);
}

/// Lanes that are apart become a place of the front. Those that are hardly apart and can be opened are
/// returned instead: what is below them is farther apart.
unsigned Walk::record(RefPair pair, std::size_t x, unsigned lanes, unsigned can_open, Float4 apart) {
    const Float4 gaps = apart * splat4(per_unit_[x]);
    const unsigned hardly = lanes & can_open & bits4(gaps < splat4(hardly_apart_));
    const unsigned gone = lanes & ~hardly;
    may_open_apart_ -= std::min(may_open_apart_, count_of(hardly));
    if (may_open_apart_ == 0) hardly_apart_ = 0;
    if (gone != 0) {
        const Int4 of_others = Int4(splat4(0x1p100f));
        maker_.add({pair, 0, static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(gone)},
                   least4(Float4(select4(kLaneMasks[gone], Int4(gaps), of_others)))[0]);
    }
    return hardly;
}

bool Walk::test_leaves() {
    while (leaf_count_ != 0)
        if (!test(leaves_[--leaf_count_])) return false;
    return true;
}

bool Walk::test(RefPair pair) {
    ++counts_.leaves;
    const std::uint32_t leaf_a = child_of(pair, 0), leaf_b = child_of(pair, 1);
    unsigned left = triangles_may_meet(search_.a, relation_[0], ref_of(pair, 0), search_.b, ref_of(pair, 1));
    if (left != 0 && !leaf_test_) leaf_test_.emplace(search_, on_hit_, counts_);
    for (; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
        if (leaf_test_->run(search_.a.tree->triangles()[bvh_leaf_first(leaf_a) + bit % 4].triangle,
                            search_.b.tree->triangles()[bvh_leaf_first(leaf_b) + bit / 4].triangle))
            continue;
        if (search_.memory != nullptr) {
            leaf_test_->remember(*search_.memory);
            search_.memory->ref_a = ref_of(pair, 0), search_.memory->ref_b = ref_of(pair, 1);
        }
        return false;
    }
    if (maker_.makes()) maker_.add({pair, 0, 0, 0}, kAskedAgain);
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

/// Whether the search ends, with `end`, where the surfaces met last: in the same leaves or in what is around
/// them.
bool Walk::starts_with_hit(MeshEnd& end) {
    end = MeshEnd::ended;
    std::uint32_t a = search_.memory->ref_a, b = search_.memory->ref_b;
    if (!test(pair_of(a, b))) return true;
    for (int level = 0; level < kLevelsAround; ++level) {
        a = search_.a.tree->above(a);
        b = search_.b.tree->above(b);
    }
    if (a == 0 && b == 0) return false;  // that would be all
    stack_[count_++] = pair_of(a, b);
    return !drain(end);
}

/// Walks until the stack is empty; false when the search ended before, with `end`.
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
    if (search_.memory != nullptr && search_.memory->last == BvhMemory::Last::met && starts_with_hit(end))
        return end;
    start();
    drain(end);
    return end;
}

/// Opens the roots breadth first, the same way for each part, until there are pairs enough; takes its own.
MeshEnd Walk::run_part() {
    RefPair shares[kMostShares + 4];
    const std::size_t enough = std::min(kMostShares, kSharesOfPart * search_.part_count);
    std::size_t first = 0, last = 0;
    start();
    while (true) {
        std::copy_n(stack_.data(), count_, shares + last);
        last += count_;
        count_ = 0;
        // No pair stays on the stack, where each part would take it for its own.
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

MeshEnd Walk::run_from(std::span<const BvhFrontPlace> places) {
    MeshEnd end = MeshEnd::complete;
    for (const BvhFrontPlace& place : places) {
        if (place.lanes == 0)
            leaves_[leaf_count_++] = place.refs;
        else
            open(place.refs, place.opened, place.lanes);
        if (!drain(end)) break;
    }
    return end;
}

/// Forgets what it says of other trees: their refs mean nothing in these.
void forget_other_trees(const BvhSearch& search) {
    BvhMemory& memory = *search.memory;
    const std::uint64_t a = search.a.tree->structure(), b = search.b.tree->structure();
    if (memory.structure_a == a && memory.structure_b == b) return;
    memory = {};
    memory.structure_a = a;
    memory.structure_b = b;
}

/// The front that the memory knows; null when there is none.
BvhFront* front_of(const BvhSearch& search) {
    const bool known =
        search.front != nullptr && search.memory->front != 0 && search.front->stamp == search.memory->front;
    return known ? search.front : nullptr;
}

/// What a point of A and one of B have moved at most since the front was made, together.
float moved_since(const BvhFront& front, const BvhSearch& search) {
    return farthest_move(*search.a.tree, front.world_from_a, *search.a.world_from_body) +
           farthest_move(*search.b.tree, front.world_from_b, *search.b.world_from_body);
}

/// Whether asking what may meet by now is cheaper than walking from the roots.
bool worth_resuming(const BvhFront& front, float moved) {
    if (!(moved < front.beyond)) return false;
    std::size_t near = 0;
    for (const BvhFrontPlace& place : std::span(front.places).first(front.count))
        near += place.gap <= moved ? 1 : 0;
    return 2 * near <= front.steps;
}

/// From the places of the front that may meet by now.
MeshEnd resume(const BvhSearch& search, Walk& walk, float moved) {
    BvhMemory& memory = *search.memory;
    BvhFrontPlace room[kMostFrontPlaces];
    std::span<BvhFrontPlace> nearer(room);
    walk.make(BvhFrontMaker(*search.front, moved, nearer), 0);
    memory.front = 0;
    const MeshEnd end = walk.run_from(nearer);
    if (end != MeshEnd::complete) return end;
    memory.front = walk.maker().finish(search.a, search.b);
    memory.last = BvhMemory::Last::apart;
    return end;
}

/// From the roots; makes a front when the bodies were apart before too.
MeshEnd renew(const BvhSearch& search, Walk& walk, const BvhCounts& counts) {
    BvhMemory& memory = *search.memory;
    const bool makes = memory.last == BvhMemory::Last::apart && search.front != nullptr;
    if (makes) walk.make(BvhFrontMaker(*search.front), memory.steps);
    memory.front = 0;
    const MeshEnd end = walk.run();
    if (end != MeshEnd::complete) return end;
    memory.last = BvhMemory::Last::apart;
    const auto steps = static_cast<std::uint32_t>(counts.steps);
    if (!makes) {
        memory.steps = steps;
        return end;
    }
    BvhFront& front = *search.front;
    front.world_from_a = *search.a.world_from_body;
    front.world_from_b = *search.b.world_from_body;
    front.steps = steps;
    memory.front = walk.maker().finish(search.a, search.b);
    return end;
}

}  // namespace

bool find_bvh_hits(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts,
                   MeshEnd& end) {
    BvhMemory* const memory = search.memory;
    if (memory != nullptr) forget_other_trees(search);
    BvhFront* const front = memory == nullptr ? nullptr : front_of(search);
    float moved = 0;
    end = MeshEnd::ended;
    if (memory != nullptr && memory->last == BvhMemory::Last::met &&
        BvhLeafTest(search, on_hit, counts).meets_again(*memory))
        return true;
    end = MeshEnd::complete;
    if (front != nullptr) {
        moved = moved_since(*front, search);
        if (moved < front->nearest) {
            memory->last = BvhMemory::Last::apart;
            return true;
        }
    }
    Walk walk(search, on_hit, counts);
    if (!walk.relate_trees()) return false;
    if (memory == nullptr)
        end = walk.run();
    else if (front != nullptr && worth_resuming(*front, moved))
        end = resume(search, walk, moved);
    else
        end = renew(search, walk, counts);
    return true;
}

}  // namespace claybox::collision
