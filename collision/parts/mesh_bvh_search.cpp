#include "collision/parts/mesh_bvh_search.hpp"

#include "collision/parts/mesh_bvh_leaf.hpp"

#include <array>
#include <bit>
#include <optional>

namespace claybox::collision {

namespace {

/// Each step takes one pair and leaves four at most, and goes down one level of one of two trees.
constexpr std::size_t kStack = 3 * 2 * kMostBvhLevels + 1;
/// How often a long search looks whether it shall stop.
constexpr std::uint64_t kStopEvery = 1024;

struct RefPair {
    std::uint32_t a, b;
};

class Walk {
  public:
    Walk(const BvhSearch& search, FunctionRef<bool(const MeshHit&)> on_hit, BvhCounts& counts)
        : search_(search), on_hit_(on_hit), counts_(counts) {}

    bool relate_trees() {
        return relate(search_.a, search_.b, a_from_b_) && relate(search_.b, search_.a, b_from_a_);
    }
    MeshEnd run();

  private:
    /// Whether A's volume is the larger one, and can be opened.
    bool opens_a(const RefPair& pair, std::uint32_t child_a, std::uint32_t child_b) const;
    void open(const RefPair& pair, bool open_a, std::uint32_t child);
    bool leaves(const RefPair& pair, std::uint32_t leaf_a, std::uint32_t leaf_b);

    const BvhSearch& search_;
    FunctionRef<bool(const MeshHit&)> on_hit_;
    BvhCounts& counts_;
    BvhRelation a_from_b_, b_from_a_;
    std::array<RefPair, kStack> stack_;
    std::size_t count_ = 0;
    std::optional<BvhLeafTest> leaf_test_;  ///< made for the first pair of triangles that needs it
};

bool Walk::opens_a(const RefPair& pair, std::uint32_t child_a, std::uint32_t child_b) const {
    if (is_bvh_leaf(child_a) || is_bvh_leaf(child_b)) return !is_bvh_leaf(child_a);
    const MeshBvh &a = *search_.a.tree, &b = *search_.b.tree;
    const double size_a = static_cast<double>(a.nodes()[pair.a / 4].radius[pair.a % 4]),
                 size_b = static_cast<double>(b.nodes()[pair.b / 4].radius[pair.b % 4]);
    return size_a >= size_b * a_from_b_.stretch;
}

void Walk::open(const RefPair& pair, bool open_a, std::uint32_t child) {
    ++counts_.steps;
    const MeshBvh &x = open_a ? *search_.a.tree : *search_.b.tree,
                  &y = open_a ? *search_.b.tree : *search_.a.tree;
    const BvhRelation& relation = open_a ? a_from_b_ : b_from_a_;
    const BvhProbe probe(relation, y.volume(open_a ? pair.b : pair.a));
    for (unsigned left = may_meet(relation, probe, x.nodes()[child]); left != 0; left &= left - 1) {
        const std::uint32_t ref = 4 * child + static_cast<std::uint32_t>(std::countr_zero(left));
        stack_[count_++] = open_a ? RefPair{ref, pair.b} : RefPair{pair.a, ref};
    }
}

bool Walk::leaves(const RefPair& pair, std::uint32_t leaf_a, std::uint32_t leaf_b) {
    ++counts_.leaves;
    const MeshBvh &a = *search_.a.tree, &b = *search_.b.tree;
    unsigned left =
        triangles_may_meet(search_.a, a_from_b_, leaf_a, a.volume(pair.a).centre, search_.b, leaf_b);
    if (left != 0 && !leaf_test_) leaf_test_.emplace(search_, on_hit_, counts_);
    for (; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
        if (!leaf_test_->run(a.triangles()[bvh_leaf_first(leaf_a) + bit % 4].triangle,
                             b.triangles()[bvh_leaf_first(leaf_b) + bit / 4].triangle))
            return false;
    }
    return true;
}

MeshEnd Walk::run() {
    if (search_.a.tree->child(0) == kNoIndex || search_.b.tree->child(0) == kNoIndex)
        return MeshEnd::complete;
    stack_[count_++] = {0, 0};
    while (count_ != 0) {
        if (counts_.steps % kStopEvery == 0 && search_.stop.stop_requested()) return MeshEnd::stopped;
        const RefPair pair = stack_[--count_];
        const std::uint32_t child_a = search_.a.tree->child(pair.a), child_b = search_.b.tree->child(pair.b);
        if (is_bvh_leaf(child_a) && is_bvh_leaf(child_b)) {
            if (!leaves(pair, child_a, child_b)) return MeshEnd::ended;
            continue;
        }
        const bool open_a = opens_a(pair, child_a, child_b);
        open(pair, open_a, open_a ? child_a : child_b);
    }
    return MeshEnd::complete;
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
