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
RefPair with_ref(RefPair pair, std::size_t side, std::uint32_t ref) {
    return (pair & 0xffffffff00000000u >> 32 * side) | RefPair{ref} << 32 * side;
}

/// Pairs of leaves wait here so that the walk above them is one loop without surprises for the processor.
constexpr std::size_t kWaitingLeaves = 4;

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
    MeshEnd run();

  private:
    const BvhNode& node_of(RefPair pair, std::size_t side) const {
        return nodes_[side][ref_of(pair, side) / 4];
    }
    std::uint32_t child_of(RefPair pair, std::size_t side) const {
        return node_of(pair, side).child[ref_of(pair, side) % 4];
    }
    void start();
    bool starts_with_hit();
    std::size_t side_to_open(RefPair pair) const;
    void open(RefPair pair, std::size_t x);
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

/// Row of kOrders. Comparisons that contradict each other, as of numbers that are none, lose lanes: see
/// open().
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
void Walk::open(RefPair pair, std::size_t x) {
    ++counts_.steps;
    const std::size_t y = 1 - x;
    const std::uint32_t child[2] = {child_of(pair, 0), child_of(pair, 1)};
    const BvhRelation& relation = relation_[x];
    const BvhNode& node = nodes_[x][child[x]];
    const BvhProbe probe = make_probe(relation, node_of(pair, y), ref_of(pair, y) % 4);
    const Float4 apart = apart_by(relation, probe, node);
    const unsigned left = may_meet(probe, node, apart);
    Int4 children;
    __builtin_memcpy(&children, node.child, sizeof children);
    const unsigned leaves = left & bits4(children) & (0u - (child[y] >> 31)), inner = left & ~leaves;
    const std::uint8_t* const orders = kOrders.packed + 16 * compare_lanes(apart);
    const RefPair first = with_ref(pair, x, 4 * child[x]);
    push(stack_.data() + count_, first, x, orders[inner]);
    push(leaves_.data() + leaf_count_, first, x, orders[leaves]);
    count_ += count_of(inner);
    leaf_count_ += count_of(leaves);
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
        if (!leaf_test_->run(search_.a.tree->triangles()[bvh_leaf_first(leaf_a) + bit % 4].triangle,
                             search_.b.tree->triangles()[bvh_leaf_first(leaf_b) + bit / 4].triangle)) {
            if (search_.memory != nullptr) *search_.memory = {ref_of(pair, 0), ref_of(pair, 1)};
            return false;
        }
    }
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

/// Whether the leaves that met last meet again.
bool Walk::starts_with_hit() {
    if (search_.memory == nullptr) return false;
    const std::uint32_t ref[2] = {search_.memory->ref_a, search_.memory->ref_b};
    for (std::size_t side = 0; side < 2; ++side) {
        const auto& tree = *(side == 0 ? search_.a : search_.b).tree;
        if (ref[side] / 4 >= tree.nodes().size()) return false;
        if (tree.child(ref[side]) == kNoIndex || !is_bvh_leaf(tree.child(ref[side]))) return false;
    }
    return !test(RefPair{ref[1]} << 32 | ref[0]);
}

MeshEnd Walk::run() {
    if (starts_with_hit()) return MeshEnd::ended;
    start();
    while (count_ != 0) {
        if (counts_.steps % kStopEvery == 0 && search_.stop.stop_requested()) return MeshEnd::stopped;
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
        for (std::size_t i = 0; i < taken; ++i) open(batch[i], side[i]);
        if (leaf_count_ >= kWaitingLeaves && !test_leaves()) return MeshEnd::ended;
    }
    return test_leaves() ? MeshEnd::complete : MeshEnd::ended;
}

}  // namespace

bool find_bvh_hits(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts,
                   MeshEnd& end) {
    Walk walk(search, on_hit, counts);
    if (!walk.relate_trees()) return false;
    end = walk.run();
    return true;
}

}  // namespace claybox::collision
