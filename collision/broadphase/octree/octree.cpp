// Source: Zachmann 1994, sections 5.4 (octrees) and 7.3.4 (implementation).
// Idea: the universe is a cube of 2^depth voxels per side. Boxes become integer boxes of half-open voxels.
//   A body is in every octant that is inside its integer box and whose parent is not. Neighbours are
//   bodies that share a voxel. All octants are created once. A move removes octants outside the new box
//   (found in the body's own list) and inserts with each of up to six boxes that partition the new part;
//   it does nothing if the integer box stays the same. The thesis' earlier variants are options.
// Corrected: FIX-36 (which halves a traversal skips), FIX-37 (entering boxes).
// Ours: after a move, octants are as after a new insertion (octants cut by the new box are split, octants
//   completed by it are joined): the structure depends on the boxes only. A bit per child marks empty
//   octants. The number of an octant encodes its position: no stored bounds. Insertion starts at the
//   smallest octant around the box. The search from a body's list also visits the octants above. A pair is
//   reported in the octant with its lowest shared voxel: no marks on bodies. A body across many voxels
//   uses coarser ones. The universe can follow the bodies; bodies outside are in its border voxels.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes.
// Complexity: a body of k voxels per side has O(k^2) references; search O(moved * references * bodies
//   there).
// Cache: integer boxes, references and lists of octants.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/octree/octree_index.hpp"
#include "collision/jobs/pair_collector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace claybox::collision {

namespace {

enum OctreeParameter : std::size_t {
    kUniverse,
    kDepth,
    kVariant,
    kTraversal,
    kHysteresis,
    kExitWhenSame,
    kVoxelsAcross
};

constexpr std::array kVariants{"naive", "octant_arrays", "box_difference", "attach_visited"};
constexpr std::array kTraversals{"plain", "decision_tree", "reused"};

constexpr std::array kParameters{
    Parameter{.id = "universe",
              .title = "Universe",
              .kind = ParameterKind::real,
              .default_value = 0,
              .min = 0,
              .max = 1000,
              .unit = "m",
              .source = "ours: bodies outside belong to its border voxels",
              .help = "Edge of a cube centred at the origin; 0: the cube follows the bodies."},
    Parameter{.id = "depth",
              .title = "Depth",
              .kind = ParameterKind::integer,
              .default_value = 5,
              .min = 2,
              .max = 7,
              .source = "Zachmann 1994, 5.4.4: 2 to 5",
              .help = "Levels below the root: the universe has 2^depth voxels per side."},
    Parameter{.id = "variant",
              .title = "Variant",
              .kind = ParameterKind::choice,
              .default_value = 2,
              .min = 0,
              .max = 3,
              .source = "Zachmann 1994, 5.4.1 to 5.4.5; the third was the fastest",
              .help = "How a moved body finds its neighbours and the octants to change.",
              .choices = kVariants},
    Parameter{.id = "traversal",
              .title = "Traversal",
              .kind = ParameterKind::choice,
              .default_value = 1,
              .min = 0,
              .max = 2,
              .source = "Zachmann 1994, 7.3.4 and 5.4.5",
              .help = "How sub-octants are compared with a box.",
              .choices = kTraversals},
    Parameter{.id = "hysteresis",
              .title = "Hysteresis",
              .kind = ParameterKind::integer,
              .default_value = 10,
              .min = 1,
              .max = 64,
              .source = "Zachmann 1994, 7.3.4: raised from 5 to 10",
              .help = "Step by which an octant's list of bodies grows and shrinks."},
    Parameter{.id = "exit_when_same",
              .title = "Exit when same",
              .kind = ParameterKind::toggle,
              .default_value = 1,
              .source = "Zachmann 1994, 5.5.2",
              .help = "Skips a moved body whose integer box is unchanged."},
    Parameter{.id = "voxels_across",
              .title = "Voxels across",
              .kind = ParameterKind::integer,
              .default_value = 8,
              .min = 2,
              .max = 128,
              .source = "ours: bounds the memory of a body",
              .help = "A body across more voxels uses coarser voxels, which limits its references."},
};

OctreeOptions options_from(const ParameterValues& values) {
    const auto in_range = [&](std::size_t i) {
        return std::clamp(values[i], kParameters[i].min, kParameters[i].max);
    };
    OctreeOptions options;
    options.depth = static_cast<unsigned>(in_range(kDepth));
    options.variant = static_cast<OctreeVariant>(in_range(kVariant));
    options.traversal = static_cast<OctreeTraversal>(in_range(kTraversal));
    options.hysteresis = static_cast<std::uint32_t>(in_range(kHysteresis));
    options.exit_when_same = values.on(kExitWhenSame);
    return options;
}

enum class SlotState : unsigned char { absent, waiting, inside, outside };

class Octree final : public BroadPhase {
  public:
    explicit Octree(const ParameterValues& values)
        : requested_edge_(values[kUniverse]),
          voxels_across_(std::max(2, values.integer(kVoxelsAcross))),
          index_(options_from(values)) {
        const auto edge = static_cast<float>(requested_edge_ > 0 ? requested_edge_ : 1.0);
        set_universe({{-edge / 2, -edge / 2, -edge / 2}, {edge / 2, edge / 2, edge / 2}});
    }

    /// Deferred until the next update, when all boxes and the universe are known.
    void insert(std::uint32_t slot) override {
        if (slot >= state_.size()) {
            state_.resize(slot + 1, SlotState::absent);
            moved_.resize(slot + 1, 0);
            index_.reserve_slots(slot + 1);
        }
        CLAYBOX_ASSERT(state_[slot] == SlotState::absent);
        state_[slot] = SlotState::waiting;
        waiting_.push_back(slot);
        ++body_count_;
    }

    void remove(std::uint32_t slot) override {
        if (slot >= state_.size() || state_[slot] == SlotState::absent) return;
        outside_ -= state_[slot] == SlotState::outside;
        index_.leave(slot);
        state_[slot] = SlotState::absent;
        --body_count_;
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_.unchanged = 0;
        if (number_is_stale() && choose_universe(boxes)) {
            rebuild(boxes);
        } else {
            for (const std::uint32_t slot : waiting_)
                if (state_[slot] == SlotState::waiting) enter(slot, boxes[slot]);
            for (const std::uint32_t slot : moved) {
                counts_.unchanged += !index_.move(slot, to_voxels(boxes[slot]));
                set_inside(slot, boxes[slot]);
            }
            if (many_are_outside() && choose_universe(boxes)) rebuild(boxes);
        }
        waiting_.clear();
        counts_.cells_changed =
            index_.references_changed() - std::exchange(seen_changes_, index_.references_changed());
    }

    void find_pairs(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor& executor,
                    std::vector<PairKey>& out) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        for (const std::uint32_t slot : moved) moved_[slot] = 1;
        collector_.begin(executor.worker_count());
        executor.parallel_for(moved.size(), 32, [&](std::size_t begin, std::size_t end, unsigned worker) {
            for (const std::uint32_t slot : moved.subspan(begin, end - begin))
                find_pairs_of(slot, boxes, collector_.worker(worker));
        });
        for (const std::uint32_t slot : moved) moved_[slot] = 0;
        collector_.finish(state_.size(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + index_.memory_bytes() + collector_.memory_bytes() + state_.capacity() +
               moved_.capacity() + waiting_.capacity() * sizeof(std::uint32_t) +
               ends_.capacity() * sizeof(float);
    }

    void view(StructureView& out) const override {
        index_.for_each_occupied([&](const Octant& octant, std::span<const std::uint32_t>) {
            Aabb box;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double low = origin_[axis] + octant.low[axis] * voxel_size_;
                box.min[axis] = static_cast<float>(low);
                box.max[axis] = static_cast<float>(low + octant.size * voxel_size_);
            }
            const unsigned height = std::countr_zero(static_cast<std::uint32_t>(octant.size));
            out.add(box, index_.options().depth - height);
        });
    }

  private:
    void set_universe(const Aabb& universe) {
        universe_ = universe;
        const std::int32_t voxels = 1 << index_.options().depth;
        last_voxel_ = voxels - 1;
        voxel_size_ = (static_cast<double>(universe.max.x) - static_cast<double>(universe.min.x)) / voxels;
        voxels_per_metre_ = 1 / voxel_size_;
        for (std::size_t axis = 0; axis < 3; ++axis) origin_[axis] = static_cast<double>(universe.min[axis]);
    }

    /// Monotone and clamped to the universe: overlapping boxes share a voxel everywhere.
    std::int32_t to_voxel(float x, std::size_t axis) const {
        const double v = std::floor((static_cast<double>(x) - origin_[axis]) * voxels_per_metre_);
        return static_cast<std::int32_t>(std::clamp(v, 0.0, static_cast<double>(last_voxel_)));
    }
    VoxelBox to_voxels(const Aabb& box) const {
        VoxelBox out;
        if (box.empty()) return out;
        std::int32_t across = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            out.low[axis] = to_voxel(box.min[axis], axis);
            out.high[axis] = to_voxel(box.max[axis], axis);
            across = std::max(across, out.high[axis] - out.low[axis] + 1);
        }
        // Doubles the voxel size until the body fits; alignment may add one more voxel, which does no harm.
        std::int32_t coarse = 1;
        while (across > voxels_across_ * coarse) coarse *= 2;
        for (std::size_t axis = 0; axis < 3 && coarse > 1; ++axis) {
            out.low[axis] &= ~(coarse - 1);
            out.high[axis] |= coarse - 1;
        }
        return out;
    }

    void enter(std::uint32_t slot, const Aabb& box) {
        index_.enter(slot, to_voxels(box));
        state_[slot] = SlotState::inside;
        set_inside(slot, box);
    }
    void set_inside(std::uint32_t slot, const Aabb& box) {
        outside_ -= state_[slot] == SlotState::outside;
        state_[slot] = contains_box(universe_, box) ? SlotState::inside : SlotState::outside;
        outside_ += state_[slot] == SlotState::outside;
    }
    static bool contains_box(const Aabb& a, const Aabb& b) {
        return a.min.x <= b.min.x && b.max.x <= a.max.x && a.min.y <= b.min.y && b.max.y <= a.max.y &&
               a.min.z <= b.min.z && b.max.z <= a.max.z;
    }

    /// When the universe follows the bodies, it is chosen again if their number has doubled or halved since
    /// the last choice, or if many more bodies are outside.
    bool number_is_stale() const {
        return requested_edge_ <= 0 && body_count_ > 0 &&
               (body_count_ > 2 * bodies_at_choice_ || 2 * body_count_ < bodies_at_choice_);
    }
    bool many_are_outside() const {
        return requested_edge_ <= 0 && outside_ > 2 * outside_at_choice_ + body_count_ / 8 + 8;
    }

    /// Chooses a cube around the middle three quarters of the bodies along each axis, enlarged to what evenly
    /// spread bodies would fill, plus a tenth. Few distant bodies then do not waste voxels. Returns true when
    /// it changed.
    bool choose_universe(std::span<const Aabb> boxes) {
        bodies_at_choice_ = body_count_;
        outside_at_choice_ = outside_;
        constexpr double kMargin = 1.1 * 4 / 3, kLargest = 1e30;
        std::array<double, 3> middle{};
        double edge = 0, farthest = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double low = end_of(boxes, axis, false), high = end_of(boxes, axis, true);
            middle[axis] = std::clamp(low / 2 + high / 2, -kLargest, kLargest);
            edge = std::max(edge, high - low);
            farthest = std::max(farthest, std::abs(middle[axis]));
        }
        // Large enough for floats at that distance to distinguish its ends.
        edge = std::clamp(edge > 0 ? kMargin * edge : 1.0, std::max(1e-30, 1e-5 * farthest), kLargest);
        Aabb universe;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            universe.min[axis] = static_cast<float>(middle[axis] - edge / 2);
            universe.max[axis] = static_cast<float>(middle[axis] + edge / 2);
        }
        if (universe == universe_) return false;
        set_universe(universe);
        return true;
    }

    /// The low end after the first eighth of the boxes, or the high end before the last eighth.
    double end_of(std::span<const Aabb> boxes, std::size_t axis, bool high) {
        ends_.clear();
        for (std::uint32_t slot = 0; slot < state_.size(); ++slot)
            if (state_[slot] != SlotState::absent)
                ends_.push_back(high ? boxes[slot].max[axis] : boxes[slot].min[axis]);
        const std::size_t eighth = ends_.size() / 8, at = high ? ends_.size() - 1 - eighth : eighth;
        const auto end = ends_.begin() + static_cast<std::ptrdiff_t>(at);
        std::nth_element(ends_.begin(), end, ends_.end());
        return static_cast<double>(*end);
    }

    void rebuild(std::span<const Aabb> boxes) {
        index_.clear();
        outside_ = 0;
        for (std::uint32_t slot = 0; slot < state_.size(); ++slot)
            if (state_[slot] != SlotState::absent) enter(slot, boxes[slot]);
        outside_at_choice_ = outside_;
    }

    void find_pairs_of(std::uint32_t slot, std::span<const Aabb> boxes, PairCollector::Worker& worker) const {
        const Aabb& box = boxes[slot];
        const VoxelBox& voxels = index_.box(slot);
        index_.for_each_neighbour(slot, [&](std::uint32_t other, const Octant& octant) {
            // Of two moved bodies, the lower slot reports the pair.
            if (other == slot || (moved_[other] && other < slot)) return;
            ++worker.raw;
            if (!overlap(box, boxes[other])) return;
            const VoxelBox& theirs = index_.box(other);
            const Voxel lowest{std::max(voxels.low[0], theirs.low[0]), std::max(voxels.low[1], theirs.low[1]),
                               std::max(voxels.low[2], theirs.low[2])};
            if (octant.contains(lowest)) worker.pairs.push_back(make_pair_key(slot, other));
        });
    }

    double requested_edge_;  ///< metres; 0: follows the bodies
    std::int32_t voxels_across_;
    OctreeIndex index_;
    Aabb universe_;  ///< a cube
    std::array<double, 3> origin_{};
    double voxel_size_ = 1, voxels_per_metre_ = 1;
    std::int32_t last_voxel_ = 0;
    std::size_t body_count_ = 0, bodies_at_choice_ = 0, outside_ = 0, outside_at_choice_ = 0;
    std::uint64_t seen_changes_ = 0;
    std::vector<std::uint32_t> waiting_;  ///< inserted since the last update
    std::vector<SlotState> state_;        ///< by slot
    std::vector<unsigned char> moved_;    ///< by slot; set during find_pairs only
    std::vector<float> ends_;
    PairCollector collector_;
    BroadPhaseCounts counts_;
};

}  // namespace

const BroadPhaseDescriptor& describe_octree() {
    static const BroadPhaseDescriptor descriptor{
        "octree",
        "Octree",
        "Zachmann 1994, section 5.4 with the corrections of its formulas",
        "Each body is in the octants that fill its integer box. A move changes only the octants in which the "
        "old and the new box differ.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            return std::make_unique<Octree>(values);
        },
        "Depth",
    };
    return descriptor;
}

}  // namespace claybox::collision
