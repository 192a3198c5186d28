// Source: Zachmann 1994, section 5.7 (a hierarchy of bounding boxes over the scene's groups) and chapter 2
//   with FIX-41 (if two inner boxes overlap, all children of one are compared with all children of the
//   other).
// Idea: a scene group is a node with the box around everything below it. Pairs are found by descending
//   pairs of nodes whose boxes overlap. Users group bodies that are close: the structure needs no
//   construction.
// Ours: a node with many children, such as the root of a flat scene, gets intermediate nodes: its children
//   are halved at the median of the longest axis until few are left. A flat scene is then not quadratic.
//   Boxes are refitted bottom up at every update. Intermediate nodes are rebuilt when as many bodies have
//   moved as there are. This addresses the section's concern that groups drift apart: bodies inside one
//   group are sorted again, and only the boxes of the groups themselves stay large.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes.
// Complexity: O(n) per update, occasionally O(n log n); pairs as in a tree while groups are compact.
// Cache: the nodes.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/tree/hierarchy_nodes.hpp"
#include "collision/jobs/pair_collector.hpp"

namespace claybox::collision {

namespace {

/// If at least one in this many bodies has moved, the hierarchy is compared with itself.
constexpr std::size_t kBodiesPerSelfWalk = 4;
/// Number of node pairs distributed to workers; independent of the executor.
constexpr std::size_t kParts = 256;

class Hierarchy final : public BroadPhase {
  public:
    void insert(std::uint32_t slot) override {
        if (slot >= here_.size()) {
            here_.resize(slot + 1, 0);
            moved_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(!here_[slot]);
        here_[slot] = 1;
        ++body_count_;
        stale_ = true;
    }

    /// The leaf stays until the next rebuild and is skipped.
    void remove(std::uint32_t slot) override {
        if (slot >= here_.size() || !here_[slot]) return;
        here_[slot] = 0;
        --body_count_;
        ++changes_;
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        counts_ = {};
        changes_ += moved.size();
        if (stale_ || changes_ > body_count_ || bounds.groups.version != version_) {
            nodes_.build(here_, bounds);
            version_ = bounds.groups.version;
            stale_ = false;
            changes_ = 0;
            counts_.sorts = 1;
            counts_.cells_changed = nodes_.all().size();
        } else {
            nodes_.refit(here_, bounds);
        }
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        for (const std::uint32_t slot : moved) moved_[slot] = 1;
        collector_.begin(executor.worker_count());
        if (walks_.size() < executor.worker_count()) walks_.resize(executor.worker_count());
        for (Walk& walk : walks_) walk.tests = 0;
        if (kBodiesPerSelfWalk * moved.size() >= body_count_)
            find_in_itself(executor);
        else
            find_of_each(moved, bounds, executor);
        for (const std::uint32_t slot : moved) moved_[slot] = 0;
        collector_.finish(here_.size(), out);
        counts_.raw_candidates = collector_.raw();
        counts_.node_tests = 0;
        for (const Walk& walk : walks_) counts_.node_tests += walk.tests;
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        std::size_t bytes = sizeof *this + nodes_.memory_bytes() + collector_.memory_bytes() +
                            here_.capacity() + moved_.capacity() + parts_.capacity() * sizeof(NodePair);
        for (const Walk& walk : walks_)
            bytes += sizeof(Walk) + walk.pairs.capacity() * sizeof(NodePair) +
                     walk.nodes.capacity() * sizeof(std::uint32_t);
        return bytes;
    }

    void view(StructureView& out) const override {
        const std::span<const HierarchyNode> nodes = nodes_.all();
        std::vector<std::uint32_t> depth(nodes.size(), 0);  // children follow their parents
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].is_body() || nodes[i].box.empty()) continue;
            out.add(nodes[i].box, depth[i]);
            for (std::uint32_t k = 0; k < nodes[i].count; ++k) depth[nodes[i].first + k] = depth[i] + 1;
        }
    }

  private:
    struct NodePair {
        std::uint32_t a, b;
    };
    struct alignas(kCacheLine) Walk {
        std::vector<NodePair> pairs;
        std::vector<std::uint32_t> nodes;
        std::uint64_t tests = 0;
    };

    /// Two nodes with overlapping boxes, or a node with itself: reports a pair of bodies or visits pairs of
    /// children.
    template <class Visit>
    void descend(NodePair pair, PairCollector::Worker& worker, std::uint64_t& tests, Visit&& visit) const {
        const std::span<const HierarchyNode> nodes = nodes_.all();
        const HierarchyNode &a = nodes[pair.a], &b = nodes[pair.b];
        if (pair.a == pair.b) {
            for (std::uint32_t i = 0; i < a.count; ++i)
                for (std::uint32_t k = i; k < a.count; ++k)
                    test_nodes(a.first + i, a.first + k, tests, visit);
            return;
        }
        if (a.is_body() && b.is_body()) {
            ++worker.raw;
            const bool both_here = here_[a.first] & here_[b.first];
            if (both_here && (moved_[a.first] | moved_[b.first]))
                worker.pairs.push_back(make_pair_key(a.first, b.first));
            return;
        }
        const auto count = [](const HierarchyNode& n) { return n.is_body() ? 1 : n.count; };
        for (std::uint32_t i = 0; i < count(a); ++i)
            for (std::uint32_t k = 0; k < count(b); ++k)
                test_nodes(a.is_body() ? pair.a : a.first + i, b.is_body() ? pair.b : b.first + k, tests,
                           visit);
    }

    template <class Visit>
    void test_nodes(std::uint32_t a, std::uint32_t b, std::uint64_t& tests, Visit&& visit) const {
        const std::span<const HierarchyNode> nodes = nodes_.all();
        if (a == b) {
            if (!nodes[a].is_body()) visit(NodePair{a, a});
            return;
        }
        ++tests;
        if (overlap(nodes[a].box, nodes[b].box)) visit(NodePair{a, b});
    }

    void find_in_itself(Executor& executor) {
        parts_.clear();
        if (!nodes_.all().empty()) parts_.push_back({0, 0});
        std::size_t done = 0;  // a queue: parts have about the same level
        while (done < parts_.size() && parts_.size() - done < kParts)
            descend(parts_[done++], collector_.worker(0), walks_[0].tests,
                    [&](NodePair next) { parts_.push_back(next); });
        const auto rest = std::span(parts_).subspan(done);
        executor.parallel_for(rest.size(), 1, [&](std::size_t begin, std::size_t end, unsigned index) {
            Walk& walk = walks_[index];
            for (const NodePair& part : rest.subspan(begin, end - begin)) {
                walk.pairs.assign(1, part);
                while (!walk.pairs.empty()) {
                    const NodePair pair = walk.pairs.back();
                    walk.pairs.pop_back();
                    descend(pair, collector_.worker(index), walk.tests,
                            [&](NodePair next) { walk.pairs.push_back(next); });
                }
            }
        });
    }

    void find_of_each(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor) {
        executor.parallel_for(moved.size(), 16, [&](std::size_t begin, std::size_t end, unsigned index) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                find_of_moved(slot, bounds.boxes[slot], walks_[index], collector_.worker(index));
        });
    }

    /// Of two moved bodies, the lower slot reports the pair.
    void find_of_moved(std::uint32_t slot, const Aabb& box, Walk& walk, PairCollector::Worker& worker) const {
        const std::span<const HierarchyNode> nodes = nodes_.all();
        walk.nodes.assign(1, 0);
        while (!walk.nodes.empty()) {
            const HierarchyNode& node = nodes[walk.nodes.back()];
            walk.nodes.pop_back();
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                ++walk.tests;
                const HierarchyNode& child = nodes[i];
                if (!overlap(box, child.box)) continue;
                if (!child.is_body()) {
                    walk.nodes.push_back(i);
                    continue;
                }
                const std::uint32_t other = child.first;
                if (other == slot || !here_[other] || (moved_[other] && other < slot)) continue;
                ++worker.raw;
                worker.pairs.push_back(make_pair_key(slot, other));
            }
        }
    }

    HierarchyNodes nodes_;
    std::vector<unsigned char> here_;   ///< by slot
    std::vector<unsigned char> moved_;  ///< by slot; set during find_pairs only
    std::size_t body_count_ = 0;
    std::size_t changes_ = 0;  ///< bodies moved and removed since the last build
    std::uint64_t version_ = 0;
    bool stale_ = true;
    std::vector<NodePair> parts_;
    std::vector<Walk> walks_;  ///< by worker
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_hierarchy() {
    static const BroadPhaseDescriptor descriptor{
        "hierarchy",
        "Hierarchy",
        "Zachmann 1994, section 5.7, pairs of nodes as in chapter 2",
        "Scene groups are nodes with the box around everything below; many children are split by position.",
        {},
        [](const ParameterValues&) -> std::unique_ptr<BroadPhase> { return std::make_unique<Hierarchy>(); },
        "Depth",
        {},
        kGroupBounds,
    };
    return descriptor;
}

}  // namespace claybox::collision
