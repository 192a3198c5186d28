// Source: dynamic trees of boxes are well known: boxes with a margin, insertion by least added surface
//   area (cost of Goldsmith and Salmon, 1987), rebuilds with bins of centres (Wald, 2007).
// Idea: every body is a leaf whose box has a margin: small moves change nothing. A body that leaves its
//   box is removed and inserted where the surface area grows least. Few moved bodies query the tree one by
//   one; when many have moved, the tree is compared with itself.
// Ours: the margin is stretched along the body's last move. When many bodies leave their boxes in one
//   update, all moved bodies get new boxes and the tree is refitted bottom up. It is rebuilt when it has
//   become looser; this is also checked after as many insertions as there are bodies, which keeps the
//   quality near that of a new tree at a constant cost per insertion. Nodes are cache lines with two boxes
//   each, without gaps. No recursion: any depth of the tree works.
// Preconditions: slots below 2^31. Exact: yes, candidates from boxes with margins are tested with the
//   exact boxes.
// Complexity: O(moved log bodies + pairs) for bodies of similar size.
// Cache: the tree, the boxes with margins, the boxes of the last update.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/tree/tree_nodes.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace claybox::collision {

namespace {

enum TreeParameter : std::size_t { kAhead, kSlack };

constexpr std::array kParameters{
    Parameter{.id = "ahead",
              .title = "Look ahead",
              .default_value = 4,
              .min = 0,
              .max = 60,
              .unit = "updates",
              .source = "ours: a rebuild every few updates, with little enlarged boxes",
              .help = "Boxes are stretched by the last move times this number of updates."},
    Parameter{.id = "slack",
              .title = "Slack",
              .default_value = 0.02,
              .min = 0,
              .max = 1,
              .source = "ours: margin for rotation and jitter",
              .help = "Boxes are enlarged on all sides by this fraction of their longest edge."},
};

/// If more than one in this many leaves its box in one update, all are refitted at once.
constexpr std::size_t kLeavesPerFit = 8;
/// If more than one in this many is new, the tree is rebuilt.
constexpr std::size_t kLeavesPerRebuild = 4;
/// If at least one in this many has moved, the tree is compared with itself.
constexpr std::size_t kLeavesPerSelfWalk = 3;
/// Increase of looseness() since the last rebuild (as a power of two) that triggers a rebuild.
constexpr double kMaxLoosening = 0.25;
/// Number of parts of a traversal distributed to workers.
constexpr std::size_t kParts = 256;

bool contains(const Aabb& outer, const Aabb& inner) {
    return outer.min.x <= inner.min.x && inner.max.x <= outer.max.x && outer.min.y <= inner.min.y &&
           inner.max.y <= outer.max.y && outer.min.z <= inner.min.z && inner.max.z <= outer.max.z;
}

/// The box with its margin. Adding and subtracting non-negative numbers never rounds into the box.
Aabb with_margin(const Aabb& box, const Aabb& last, float ahead, float slack) {
    const Vec3f size = box.max - box.min;
    const float longest = std::max({size.x, size.y, size.z});
    if (!(longest >= 0 && longest <= std::numeric_limits<float>::max())) return box;
    Aabb out = box;
    bool jumped = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const float down = std::max(0.0f, last.min[axis] - box.min[axis]),
                    up = std::max(0.0f, box.max[axis] - last.max[axis]);
        jumped |= !(down <= longest && up <= longest);
        out.min[axis] -= std::min(longest, ahead * down);
        out.max[axis] += std::min(longest, ahead * up);
    }
    // A jump does not predict the next move.
    if (jumped) out = box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.min[axis] -= slack * longest;
        out.max[axis] += slack * longest;
    }
    return out;
}

class Tree final : public BroadPhase {
  public:
    explicit Tree(const ParameterValues& values)
        : ahead_(static_cast<float>(std::max(0.0, values[kAhead]))),
          slack_(static_cast<float>(std::max(0.0, values[kSlack]))) {}

    /// Deferred: inserting many bodies together is cheaper.
    void insert(std::uint32_t slot) override {
        CLAYBOX_ASSERT(slot < BodyTree::kLeaf);
        if (slot >= bodies_.size()) {
            bodies_.resize(slot + 1);
            state_.resize(slot + 1, State::absent);
            marked_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(state_[slot] == State::absent);
        state_[slot] = State::waiting;
        waiting_.push_back(slot);
    }

    void remove(std::uint32_t slot) override {
        if (slot >= state_.size() || state_[slot] == State::absent) return;
        if (state_[slot] == State::here) {
            tree_.remove(slot);
            ++changed_;
        }
        state_[slot] = State::absent;
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_ = {};
        collect_leaving(moved, boxes);
        add_waiting(boxes);
        const std::size_t leaves = tree_.leaf_count();
        if (kLeavesPerRebuild * entering_.size() > leaves) {
            update_margins(moved, boxes);
            rebuild();
        } else if (kLeavesPerFit * leaving_.size() > leaves) {
            for (const std::uint32_t slot : entering_) tree_.insert(slot, ends_of(bodies_[slot].wide));
            update_margins(moved, boxes);
            for (const std::uint32_t slot : moved) tree_.set_leaf(slot, ends_of(bodies_[slot].wide));
            counts_.cells_changed += moved.size();
            refit_or_rebuild();
        } else {
            for (const std::uint32_t slot : leaving_) tree_.remove(slot);
            update_margins(leaving_, boxes);
            for (const std::uint32_t slot : moved) bodies_[slot].last = boxes[slot];
            for (const std::uint32_t slot : leaving_) tree_.insert(slot, ends_of(bodies_[slot].wide));
            for (const std::uint32_t slot : entering_) tree_.insert(slot, ends_of(bodies_[slot].wide));
            changed_ += leaving_.size() + entering_.size();
            counts_.cells_changed += 2 * leaving_.size();
            if (changed_ > leaves) refit_or_rebuild();
        }
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        for (const std::uint32_t slot : moved) marked_[slot] = 1;
        collector_.begin(executor.worker_count());
        if (walks_.size() < executor.worker_count()) walks_.resize(executor.worker_count());
        for (Walk& walk : walks_) walk.walk.tests = 0;
        if (kLeavesPerSelfWalk * moved.size() < tree_.leaf_count())
            find_of_each(moved, boxes, executor);
        else
            find_in_itself(moved.size() == tree_.leaf_count(), boxes, executor);
        for (const std::uint32_t slot : moved) marked_[slot] = 0;
        collector_.finish(state_.size(), out);
        counts_.raw_candidates = collector_.raw();
        counts_.node_tests = 0;
        for (const Walk& walk : walks_) counts_.node_tests += walk.walk.tests;
    }

    void overlapping(const Aabb& box, std::span<const Aabb> boxes, WalkScratch& scratch,
                     FunctionRef<bool(std::uint32_t)> visit) const override {
        auto& items = scratch.items;
        items.clear();
        if (tree_.leaf_count() > 0) items.push_back({0, tree_.root()});
        while (!items.empty()) {
            const std::uint32_t child = items.back().index;
            items.pop_back();
            if (BodyTree::leaf(child)) {
                const std::uint32_t slot = BodyTree::slot_of(child);
                if (overlap(box, boxes[slot]) && !visit(slot)) return;
                continue;
            }
            const BodyTree::Node& node = tree_.nodes()[child];
            for (std::size_t side = 0; side < 2; ++side)
                if (overlap(box, box_of(node.box[side]))) items.push_back({0, node.child[side]});
        }
    }

    /// Visits nearer children first.
    void along_ray(const RayPart& part, std::span<const Aabb> boxes, WalkScratch& scratch,
                   FunctionRef<double(std::uint32_t)> visit) const override {
        const RayBoxTest test(part.ray);
        double end = part.end;
        auto& items = scratch.items;
        items.clear();
        if (tree_.leaf_count() > 0) items.push_back({part.begin, tree_.root()});
        while (!items.empty()) {
            const WalkScratch::Item item = items.back();
            items.pop_back();
            if (item.enter > end) continue;
            if (BodyTree::leaf(item.index)) {
                const std::uint32_t slot = BodyTree::slot_of(item.index);
                if (test.enter(boxes[slot], part.begin, end) > end) continue;
                end = visit(slot);
                if (end < part.begin) return;
                continue;
            }
            const BodyTree::Node& node = tree_.nodes()[item.index];
            const double first = test.enter(box_of(node.box[0]), part.begin, end),
                         second = test.enter(box_of(node.box[1]), part.begin, end);
            const std::size_t far = first < second ? 1 : 0;
            const double at[2] = {first, second};
            for (const std::size_t side : {far, 1 - far})
                if (at[side] <= end) items.push_back({at[side], node.child[side]});
        }
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        std::size_t bytes =
            sizeof *this + tree_.memory_bytes() + collector_.memory_bytes() +
            bodies_.capacity() * sizeof(Body) + state_.capacity() + marked_.capacity() +
            (waiting_.capacity() + entering_.capacity() + leaving_.capacity()) * sizeof(std::uint32_t) +
            items_.capacity() * sizeof(BodyTree::Item) + walks_.capacity() * sizeof(Walk) +
            parts_.capacity() * sizeof(TreeWalk::Item);
        for (const Walk& walk : walks_)
            bytes += walk.walk.nodes.capacity() * sizeof(std::uint32_t) +
                     walk.walk.items.capacity() * sizeof(TreeWalk::Item);
        return bytes;
    }

    void view(StructureView& out) const override { tree_.view(out); }

  private:
    enum class State : unsigned char { absent, waiting, here };
    struct Body {
        Aabb wide;  ///< with margin, as in the tree
        Aabb last;  ///< box of the last update
    };
    struct alignas(kCacheLine) Walk {
        TreeWalk walk;
    };

    void collect_leaving(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes) {
        leaving_.clear();
        for (const std::uint32_t slot : moved)
            if (state_[slot] == State::here && !contains(bodies_[slot].wide, boxes[slot]))
                leaving_.push_back(slot);
        counts_.unchanged = moved.size() - leaving_.size();
    }

    void add_waiting(std::span<const Aabb> boxes) {
        entering_.clear();
        for (const std::uint32_t slot : waiting_) {
            if (state_[slot] != State::waiting) continue;
            state_[slot] = State::here;
            entering_.push_back(slot);
            bodies_[slot].last = boxes[slot];
            bodies_[slot].wide = with_margin(boxes[slot], boxes[slot], ahead_, slack_);
        }
        waiting_.clear();
        counts_.cells_changed += entering_.size();
    }

    /// Computes new margins; does not change the tree.
    void update_margins(std::span<const std::uint32_t> slots, std::span<const Aabb> boxes) {
        for (const std::uint32_t slot : slots) {
            Body& body = bodies_[slot];
            body.wide = with_margin(boxes[slot], body.last, ahead_, slack_);
            body.last = boxes[slot];
        }
    }

    void refit_or_rebuild() {
        changed_ = 0;
        tree_.refit();
        if (tree_.looseness() > looseness_after_rebuild_ + kMaxLoosening) rebuild();
    }

    void rebuild() {
        items_.clear();
        for (std::uint32_t slot = 0; slot < state_.size(); ++slot)
            if (state_[slot] == State::here) items_.push_back({ends_of(bodies_[slot].wide), slot});
        tree_.rebuild(items_);
        looseness_after_rebuild_ = tree_.looseness();
        changed_ = 0;
        counts_.sorts = 1;
    }

    void test_pair(std::uint32_t a, std::uint32_t b, std::span<const Aabb> boxes,
                   PairCollector::Worker& worker) const {
        ++worker.raw;
        if (overlap(boxes[a], boxes[b])) worker.pairs.push_back(make_pair_key(a, b));
    }

    /// Of two moved bodies, the lower slot reports the pair.
    void find_of_each(std::span<const std::uint32_t> moved, std::span<const Aabb> boxes, Executor& executor) {
        executor.parallel_for(moved.size(), 16, [&](std::size_t begin, std::size_t end, unsigned index) {
            PairCollector::Worker& worker = collector_.worker(index);
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                tree_.query(boxes[slot], tree_.root(), walks_[index].walk, [&](std::uint32_t other) {
                    if (other != slot && !(marked_[other] && other < slot))
                        test_pair(slot, other, boxes, worker);
                });
        });
    }

    void find_in_itself(bool all_moved, std::span<const Aabb> boxes, Executor& executor) {
        if (tree_.leaf_count() < 2) return;
        const auto visitor = [&](PairCollector::Worker& worker) {
            return [&, all_moved](std::uint32_t a, std::uint32_t b) {
                if (all_moved || marked_[a] || marked_[b]) test_pair(a, b, boxes, worker);
            };
        };
        // Breadth first until there are enough parts to distribute; expanded parts are at the front.
        parts_.clear();
        parts_.push_back({tree_.root(), tree_.root()});
        std::size_t next = 0;
        const std::size_t part_count = executor.worker_count() > 1 ? kParts : 1;
        for (; next < parts_.size() && parts_.size() - next < part_count; ++next)
            expand(parts_[next], parts_, boxes, walks_[0].walk, visitor(collector_.worker(0)));
        const auto rest = std::span(std::as_const(parts_)).subspan(next);
        executor.parallel_for(rest.size(), 1, [&](std::size_t begin, std::size_t end, unsigned index) {
            const auto visit = visitor(collector_.worker(index));
            TreeWalk& walk = walks_[index].walk;
            for (std::size_t i = begin; i < end; ++i) {
                walk.items.assign(1, rest[i]);
                while (!walk.items.empty()) {
                    const TreeWalk::Item item = walk.items.back();
                    walk.items.pop_back();
                    expand(item, walk.items, boxes, walk, visit);
                }
            }
        });
    }

    /// A leaf queries a node with its own box, which is smaller than its box in the tree.
    template <class Visit>
    void expand(TreeWalk::Item item, std::vector<TreeWalk::Item>& out, std::span<const Aabb> boxes,
                TreeWalk& walk, Visit&& visit) const {
        if (BodyTree::leaf(item.b)) std::swap(item.a, item.b);
        if (!BodyTree::leaf(item.a)) return tree_.expand(item, out, walk, visit);
        const std::uint32_t slot = BodyTree::slot_of(item.a);
        tree_.query(boxes[slot], item.b, walk, [&](std::uint32_t other) { visit(slot, other); });
    }

    float ahead_, slack_;
    BodyTree tree_;
    double looseness_after_rebuild_ = 0;
    std::size_t changed_ = 0;   ///< insertions and removals since the last refit
    std::vector<Body> bodies_;  ///< by slot
    std::vector<State> state_;
    std::vector<unsigned char> marked_;  ///< by slot; set during find_pairs only
    std::vector<std::uint32_t> waiting_, entering_, leaving_;
    std::vector<BodyTree::Item> items_;
    std::vector<Walk> walks_;  ///< by worker
    std::vector<TreeWalk::Item> parts_;
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_tree() {
    static const BroadPhaseDescriptor descriptor{
        "tree",
        "Tree",
        "a tree of boxes with margins; insertion by surface after Goldsmith and Salmon 1987, bins after Wald "
        "2007",
        "Bodies are leaves with margins: small moves change nothing. The tree is refitted, updated or "
        "rebuilt, whichever is cheapest.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            return std::make_unique<Tree>(values);
        },
        "Depth",
    };
    return descriptor;
}

}  // namespace claybox::collision
