// Source: Zachmann 1994, section 5.6 (generalised octrees), an idea that was not implemented there.
// Idea: a cell is divided at the centre of its cube by the planes of all slabs: the three axis planes of
//   the octree and the four diagonals of a 14-DOP. A body's interval along each direction is below the
//   plane, above it, or cut by it. These seven results select the part of the cell for the body,
//   recursively.
// Correctness: if two bodies separate at a cell, one below a plane and the other above it, their intervals
//   along that direction are disjoint. A search therefore visits, at each cell, only the parts whose
//   results contradict none of its own. The shape of the parts is irrelevant: that parts are not similar
//   to their cell, a concern of the thesis, does not matter. The centres are those of the octree's cubes,
//   as the section proposes.
// Ours: a body is in one part only; "cut" is a result like the others; a body cut by all three axis planes
//   stays. Parts are created on demand and freed when empty.
// Preconditions: none. Exact: yes, the pairs whose boxes and slabs overlap.
// Complexity: O(depth + visited children) per body.
// Cache: the part of each body.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace claybox::collision {

namespace {

enum SlabParameter : std::size_t { kUniverse, kDepth };

constexpr std::array kParameters{
    Parameter{.id = "universe",
              .title = "Universe",
              .kind = ParameterKind::real,
              .default_value = 0,
              .min = 0,
              .max = 10000,
              .unit = "m",
              .source = "ours: as in the octree",
              .help = "Edge of the cube that is divided; 0: chosen from the positions of the bodies."},
    Parameter{.id = "depth",
              .title = "Depth",
              .kind = ParameterKind::integer,
              .default_value = 5,
              .min = 1,
              .max = 8,
              .source = "Zachmann 1994, 5.6: less than an octree's for the same resolution",
              .help = "Maximum number of subdivisions."},
};

constexpr std::size_t kAxes = 3, kSlabs = kAxes + kDiagonals;
constexpr unsigned kAxisBits = (1u << kAxes) - 1;

/// Intervals along the axes, then along the diagonals.
struct Slabs {
    std::array<float, kSlabs> low, high;

    Slabs(const WorldBounds& bounds, std::uint32_t slot) {
        const Aabb& box = bounds.boxes[slot];
        const KDop dop = bounds.k_dops.empty() ? diagonals_of(box) : bounds.k_dops[slot];
        for (std::size_t i = 0; i < kAxes; ++i) low[i] = box.min[i], high[i] = box.max[i];
        for (std::size_t i = 0; i < kDiagonals; ++i)
            low[kAxes + i] = dop.low[i], high[kAxes + i] = dop.high[i];
    }
};

/// Position of a body relative to the planes of a cell, one bit per slab; no bit set: cut by the plane.
struct Sides {
    unsigned below = 0, above = 0;
    bool contradicts(const Sides& other) const { return (below & other.above) | (above & other.below); }
    friend bool operator==(const Sides&, const Sides&) = default;
};

class OctreeSlabs final : public BroadPhase {
  public:
    explicit OctreeSlabs(const ParameterValues& values)
        : requested_edge_(values[kUniverse]), depth_(std::clamp(values.integer(kDepth), 1, 8)) {
        set_universe({}, requested_edge_ > 0 ? requested_edge_ : 1.0);
    }

    void insert(std::uint32_t slot) override {
        if (slot >= node_of_.size()) {
            node_of_.resize(slot + 1, kAbsent);
            next_.resize(slot + 1, kNoIndex);
            previous_.resize(slot + 1, kNoIndex);
            moved_.resize(slot + 1, 0);
        }
        CLAYBOX_ASSERT(node_of_[slot] == kAbsent);
        node_of_[slot] = kWaiting;
        waiting_.push_back(slot);
        ++body_count_;
    }

    void remove(std::uint32_t slot) override {
        if (slot >= node_of_.size() || node_of_[slot] == kAbsent) return;
        if (node_of_[slot] != kWaiting) leave(slot);
        node_of_[slot] = kAbsent;
        --body_count_;
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        counts_.unchanged = counts_.sorts = 0;
        const bool stale = body_count_ > 2 * bodies_at_choice_ || 2 * body_count_ < bodies_at_choice_;
        if (requested_edge_ <= 0 && stale && choose_universe(bounds)) {
            for (std::uint32_t slot = 0; slot < node_of_.size(); ++slot)
                if (node_of_[slot] != kAbsent) enter(slot, bounds);
            counts_.sorts = 1;
        } else {
            for (const std::uint32_t slot : waiting_)
                if (node_of_[slot] == kWaiting) enter(slot, bounds);
            for (const std::uint32_t slot : moved) update_body(slot, bounds);
        }
        waiting_.clear();
        counts_.cells_changed = std::exchange(changed_, 0);
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        for (const std::uint32_t slot : moved) moved_[slot] = 1;
        collector_.begin(executor.worker_count());
        if (walks_.size() < executor.worker_count()) walks_.resize(executor.worker_count());
        for (Walk& walk : walks_) walk.tests = 0;
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                find_pairs_of(slot, bounds, walks_[worker], collector_.worker(worker));
        });
        for (const std::uint32_t slot : moved) moved_[slot] = 0;
        collector_.finish(node_of_.size(), out);
        counts_.raw_candidates = collector_.raw();
        counts_.node_tests = 0;
        for (const Walk& walk : walks_) counts_.node_tests += walk.tests;
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        std::size_t bytes = sizeof *this + nodes_.capacity() * sizeof(Node) + collector_.memory_bytes() +
                            moved_.capacity() + ends_.capacity() * sizeof(float) +
                            (free_.capacity() + node_of_.capacity() + next_.capacity() +
                             previous_.capacity() + waiting_.capacity()) *
                                sizeof(std::uint32_t);
        for (const Walk& walk : walks_) bytes += sizeof(Walk) + walk.open.capacity() * sizeof(std::uint32_t);
        return bytes;
    }

    /// The cubes of the parts that contain bodies.
    void view(StructureView& out) const override {
        for (const Node& node : nodes_) {
            if (node.first_body == kNoIndex) continue;
            const Vec3f half{node.half, node.half, node.half};
            out.add({node.centre - half, node.centre + half}, node.level);
        }
    }

  private:
    static constexpr std::uint32_t kAbsent = kNoIndex, kWaiting = kNoIndex - 1;

    struct Node {
        std::array<float, kSlabs> plane{};
        Sides sides;  ///< position relative to the parent's planes
        std::uint32_t parent = kNoIndex, first_child = kNoIndex;
        std::uint32_t next = kNoIndex, previous = kNoIndex;  ///< children of the same parent
        std::uint32_t first_body = kNoIndex;
        std::uint32_t level = 0;
        Vec3f centre;
        float half = 0;
    };
    struct alignas(kCacheLine) Walk {
        std::vector<std::uint32_t> open;
        std::uint64_t tests = 0;
    };

    /// Empties the structure.
    void set_universe(const Vec3f& centre, double edge) {
        nodes_.clear();
        free_.clear();
        nodes_.emplace_back();
        set_cube(nodes_[0], centre, static_cast<float>(edge / 2));
    }

    /// Rounding of the planes does not matter: any plane gives a correct division.
    static void set_cube(Node& node, const Vec3f& centre, float half) {
        node.centre = centre;
        node.half = half;
        for (std::size_t i = 0; i < kAxes; ++i) node.plane[i] = centre[i];
        for (std::size_t i = 0; i < kDiagonals; ++i) {
            float sum = 0;
            for (std::size_t k = 0; k < 3; ++k) sum += static_cast<float>(kDiagonalSigns[i][k]) * centre[k];
            node.plane[kAxes + i] = sum;
        }
    }

    static Sides sides_at(const Node& node, const Slabs& slabs) {
        Sides out;
        for (std::size_t i = 0; i < kSlabs; ++i) {
            out.below |= unsigned(slabs.high[i] < node.plane[i]) << i;
            out.above |= unsigned(slabs.low[i] > node.plane[i]) << i;
        }
        return out;
    }

    /// The part of a body; created if necessary and `create` is true, otherwise kNoIndex.
    std::uint32_t find_node(const Slabs& slabs, bool create) {
        std::uint32_t node = 0;
        while (nodes_[node].level < static_cast<std::uint32_t>(depth_)) {
            const Sides sides = sides_at(nodes_[node], slabs);
            if (((sides.below | sides.above) & kAxisBits) == 0) break;
            std::uint32_t child = nodes_[node].first_child;
            while (child != kNoIndex && !(nodes_[child].sides == sides)) child = nodes_[child].next;
            if (child == kNoIndex && !create) return kNoIndex;
            node = child == kNoIndex ? create_child(node, sides) : child;
        }
        return node;
    }

    std::uint32_t create_child(std::uint32_t parent, const Sides& sides) {
        std::uint32_t place = static_cast<std::uint32_t>(nodes_.size());
        if (free_.empty()) {
            nodes_.emplace_back();
        } else {
            place = free_.back();
            free_.pop_back();
        }
        Node child;
        const Node& above = nodes_[parent];
        child.sides = sides;
        child.parent = parent;
        child.level = above.level + 1;
        child.next = above.first_child;
        Vec3f centre = above.centre;
        for (std::size_t i = 0; i < kAxes; ++i) {
            if (sides.below >> i & 1) centre[i] -= above.half / 2;
            if (sides.above >> i & 1) centre[i] += above.half / 2;
        }
        set_cube(child, centre, above.half / 2);
        if (child.next != kNoIndex) nodes_[child.next].previous = place;
        nodes_[parent].first_child = place;
        nodes_[place] = child;
        return place;
    }

    /// Frees the part and its ancestors if they are empty.
    void free_empty(std::uint32_t place) {
        while (place != 0 && nodes_[place].first_body == kNoIndex && nodes_[place].first_child == kNoIndex) {
            const Node node = std::exchange(nodes_[place], Node{});
            if (node.next != kNoIndex) nodes_[node.next].previous = node.previous;
            (node.previous == kNoIndex ? nodes_[node.parent].first_child : nodes_[node.previous].next) =
                node.next;
            free_.push_back(place);
            place = node.parent;
        }
    }

    void enter(std::uint32_t slot, const WorldBounds& bounds) {
        link(slot, find_node(Slabs(bounds, slot), true));
    }

    void link(std::uint32_t slot, std::uint32_t place) {
        std::uint32_t& first = nodes_[place].first_body;
        node_of_[slot] = place;
        next_[slot] = first;
        previous_[slot] = kNoIndex;
        if (first != kNoIndex) previous_[first] = slot;
        first = slot;
        ++changed_;
    }

    void leave(std::uint32_t slot) {
        const std::uint32_t place = node_of_[slot];
        if (next_[slot] != kNoIndex) previous_[next_[slot]] = previous_[slot];
        (previous_[slot] == kNoIndex ? nodes_[place].first_body : next_[previous_[slot]]) = next_[slot];
        ++changed_;
        free_empty(place);
    }

    void update_body(std::uint32_t slot, const WorldBounds& bounds) {
        const Slabs slabs(bounds, slot);
        if (find_node(slabs, false) == node_of_[slot]) {
            ++counts_.unchanged;
            return;
        }
        leave(slot);
        link(slot, find_node(slabs, true));
    }

    /// Chooses the cube around the middle three quarters of the bodies along each axis, enlarged to what
    /// evenly spread bodies would fill, plus a tenth. Planes divide all space: bodies outside are handled
    /// correctly too.
    bool choose_universe(const WorldBounds& bounds) {
        bodies_at_choice_ = body_count_;
        if (body_count_ == 0) return false;
        Vec3f centre;
        float edge = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            ends_.clear();
            for (std::uint32_t slot = 0; slot < node_of_.size(); ++slot)
                if (node_of_[slot] != kAbsent) ends_.push_back(bounds.boxes[slot].centre()[axis]);
            const auto at = [&](std::size_t eighths) {
                const auto place =
                    ends_.begin() + static_cast<std::ptrdiff_t>((ends_.size() - 1) * eighths / 8);
                std::nth_element(ends_.begin(), place, ends_.end());
                return *place;
            };
            const float low = at(1), high = at(7);
            centre[axis] = 0.5f * low + 0.5f * high;
            edge = std::max(edge, (high - low) * (8.0f / 6 * 1.1f));
        }
        set_universe(centre, edge > 0 ? static_cast<double>(edge) : 1.0);
        return true;
    }

    /// Of two moved bodies, the lower slot reports the pair.
    void find_pairs_of(std::uint32_t slot, const WorldBounds& bounds, Walk& walk,
                       PairCollector::Worker& worker) const {
        const Slabs slabs(bounds, slot);
        walk.open.assign(1, 0);
        while (!walk.open.empty()) {
            const Node& node = nodes_[walk.open.back()];
            walk.open.pop_back();
            for (std::uint32_t other = node.first_body; other != kNoIndex; other = next_[other])
                test_pair(slot, other, bounds, worker);
            if (node.first_child == kNoIndex) continue;
            const Sides sides = sides_at(node, slabs);
            for (std::uint32_t child = node.first_child; child != kNoIndex; child = nodes_[child].next) {
                ++walk.tests;
                if (!sides.contradicts(nodes_[child].sides)) walk.open.push_back(child);
            }
        }
    }

    void test_pair(std::uint32_t slot, std::uint32_t other, const WorldBounds& bounds,
                   PairCollector::Worker& worker) const {
        if (other == slot || (moved_[other] && other < slot)) return;
        ++worker.raw;
        const PairKey pair = make_pair_key(slot, other);
        if (overlap(bounds.boxes[slot], bounds.boxes[other]) &&
            finer_bounds_overlap(bounds, kKDopBounds, pair))
            worker.pairs.push_back(pair);
    }

    double requested_edge_;  ///< metres; 0: automatic
    int depth_;
    std::size_t body_count_ = 0, bodies_at_choice_ = 0;
    std::vector<Node> nodes_;                     ///< nodes_[0] is the root
    std::vector<std::uint32_t> free_;             ///< free places in nodes_
    std::vector<std::uint32_t> node_of_;          ///< by slot
    std::vector<std::uint32_t> next_, previous_;  ///< by slot: bodies of the same part
    std::vector<std::uint32_t> waiting_;          ///< inserted since the last update
    std::vector<unsigned char> moved_;            ///< by slot; set during find_pairs only
    std::vector<float> ends_;
    std::vector<Walk> walks_;    ///< by worker
    std::uint64_t changed_ = 0;  ///< since the last update
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_octree_slabs() {
    static const BroadPhaseDescriptor descriptor{
        "octree_slabs",
        "Octree of slabs",
        "Zachmann 1994, section 5.6",
        "Cells are divided at the centre by the planes of a 14-DOP; a body's slabs select its part.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            return std::make_unique<OctreeSlabs>(values);
        },
        "Depth",
        {},
        kKDopBounds,
        kKDopBounds,
    };
    return descriptor;
}

}  // namespace claybox::collision
