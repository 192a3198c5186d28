// Source: Zachmann 1994, section 5.4 (octrees) and 7.3.4 (their implementation).
// Idea: the universe is a cube of 2^depth voxels a side; boxes become integer boxes of half-open voxels. A
// body
//   stands in every octant that lies in its integer box and whose parent does not; neighbours are bodies that
//   share a voxel. Octants are made once. When a body moves, octants that the new box lacks are found in the
//   body's own list, and an insertion traversal is made with each of up to six boxes that partition what is
//   new; nothing happens when the integer box stays. The thesis' earlier variants can be chosen.
// Corrected: FIX-36 (which halves a traversal skips), FIX-37 (entering boxes). Ours: octants are kept as
// after a
//   fresh insertion (the difference splits octants that the new box cuts and joins those that it completes),
//   so the structure depends on the boxes alone; octants know by a bit per child what is empty, and their
//   number gives their place, so that lists of octants need no stored bounds; insertion starts at the
//   smallest octant around the box; who starts from the list of octants also looks at the bodies above them;
//   a pair is reported where its lowest shared voxel lies, so no body is marked; a body across many voxels
//   takes coarser ones; the universe can follow the bodies. Bodies outside stand in its border voxels.
// Preconditions: none. Exact: yes, exactly the pairs of overlapping boxes.
// Complexity: a body of k voxels a side has O(k^2) references; finding is O(moved * references * bodies
// there). Caches: integer boxes, references and lists of octants.
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/octree_index.hpp"
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
              .source = "ours: bodies outside count to its border",
              .help = "Edge of a cube about the origin; 0 lets it follow the bodies."},
    Parameter{.id = "depth",
              .title = "Depth",
              .kind = ParameterKind::integer,
              .default_value = 5,
              .min = 2,
              .max = 7,
              .source = "Zachmann 1994, 5.4.4: 2 to 5",
              .help = "Levels below the root: a universe has 2^depth voxels a side."},
    Parameter{.id = "variant",
              .title = "Variant",
              .kind = ParameterKind::choice,
              .default_value = 2,
              .min = 0,
              .max = 3,
              .source = "Zachmann 1994, 5.4.1 to 5.4.5; the third was the fastest",
              .help = "How a body that has moved finds the octants to change and its neighbours.",
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
              .help = "The step by which an octant's list of bodies grows and shrinks."},
    Parameter{.id = "exit_when_same",
              .title = "Exit when same",
              .kind = ParameterKind::toggle,
              .default_value = 1,
              .source = "Zachmann 1994, 5.5.2",
              .help = "Does nothing for a body whose integer box has stayed."},
    Parameter{.id = "voxels_across",
              .title = "Voxels across",
              .kind = ParameterKind::integer,
              .default_value = 8,
              .min = 2,
              .max = 128,
              .source = "ours: bounds the memory of a body",
              .help = "A body across more voxels takes coarser ones, so that it has few references."},
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

enum class Place : unsigned char { absent, waiting, inside, outside };

class Octree final : public BroadPhase {
  public:
    explicit Octree(const ParameterValues& values)
        : wanted_universe_(values[kUniverse]),
          voxels_across_(std::max(2, values.integer(kVoxelsAcross))),
          index_(options_from(values)) {
        const auto edge = static_cast<float>(wanted_universe_ > 0 ? wanted_universe_ : 1.0);
        set_universe({{-edge / 2, -edge / 2, -edge / 2}, {edge / 2, edge / 2, edge / 2}});
    }

    /// Only noted: the next update knows all boxes, and with them the universe.
    void insert(std::uint32_t slot) override {
        if (slot >= place_.size()) {
            place_.resize(slot + 1, Place::absent);
            moved_.resize(slot + 1, 0);
            index_.reserve_slots(slot + 1);
        }
        CLAYBOX_ASSERT(place_[slot] == Place::absent);
        place_[slot] = Place::waiting;
        waiting_.push_back(slot);
        ++body_count_;
    }

    void remove(std::uint32_t slot) override {
        if (slot >= place_.size() || place_[slot] == Place::absent) return;
        outside_ -= place_[slot] == Place::outside;
        index_.leave(slot);
        place_[slot] = Place::absent;
        --body_count_;
    }

    void update(std::span<const std::uint32_t> moved, const WorldBounds& bounds, Executor&) override {
        const std::span<const Aabb> boxes = bounds.boxes;
        counts_.unchanged = 0;
        if (number_is_stale() && choose_universe(boxes)) {
            rebuild(boxes);
        } else {
            for (const std::uint32_t slot : waiting_)
                if (place_[slot] == Place::waiting) enter(slot, boxes[slot]);
            for (const std::uint32_t slot : moved) {
                counts_.unchanged += !index_.move(slot, to_voxels(boxes[slot]));
                set_place(slot, boxes[slot]);
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
        collector_.finish(place_.size(), out);
        counts_.raw_candidates = collector_.raw();
    }

    BroadPhaseCounts counts() const override { return counts_; }

    std::size_t memory_bytes() const override {
        return sizeof *this + index_.memory_bytes() + collector_.memory_bytes() + place_.capacity() +
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

    /// Monotone, and clamped to the universe: overlapping boxes share a voxel wherever they are.
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
        // Twice as coarse each time; one more may be needed where the ends lie badly, and does no harm.
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
        place_[slot] = Place::inside;
        set_place(slot, box);
    }
    void set_place(std::uint32_t slot, const Aabb& box) {
        outside_ -= place_[slot] == Place::outside;
        place_[slot] = contains_box(universe_, box) ? Place::inside : Place::outside;
        outside_ += place_[slot] == Place::outside;
    }
    static bool contains_box(const Aabb& a, const Aabb& b) {
        return a.min.x <= b.min.x && b.max.x <= a.max.x && a.min.y <= b.min.y && b.max.y <= a.max.y &&
               a.min.z <= b.min.z && b.max.z <= a.max.z;
    }

    /// Reasons to choose the universe anew when it follows the bodies: their number has doubled or halved
    /// since it was chosen, many more have left it.
    bool number_is_stale() const {
        return wanted_universe_ <= 0 && body_count_ > 0 &&
               (body_count_ > 2 * bodies_at_choice_ || 2 * body_count_ < bodies_at_choice_);
    }
    bool many_are_outside() const {
        return wanted_universe_ <= 0 && outside_ > 2 * outside_at_choice_ + body_count_ / 8 + 8;
    }

    /// A cube around what lies between the first and the last eighth of the bodies, larger by what even
    /// bodies need and a tenth: few that are far away make no voxels useless. True when it has changed.
    bool choose_universe(std::span<const Aabb> boxes) {
        bodies_at_choice_ = body_count_;
        outside_at_choice_ = outside_;
        constexpr double kRoom = 1.1 * 4 / 3, kLargest = 1e30;
        std::array<double, 3> middle{};
        double edge = 0, farthest = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double low = end_of(boxes, axis, false), high = end_of(boxes, axis, true);
            middle[axis] = std::clamp(low / 2 + high / 2, -kLargest, kLargest);
            edge = std::max(edge, high - low);
            farthest = std::max(farthest, std::abs(middle[axis]));
        }
        // Not so small that a float at that place could not tell its ends apart.
        edge = std::clamp(edge > 0 ? kRoom * edge : 1.0, std::max(1e-30, 1e-5 * farthest), kLargest);
        Aabb universe;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            universe.min[axis] = static_cast<float>(middle[axis] - edge / 2);
            universe.max[axis] = static_cast<float>(middle[axis] + edge / 2);
        }
        if (universe == universe_) return false;
        set_universe(universe);
        return true;
    }

    /// The low end of the box after the first eighth, or the high end of the one before the last.
    double end_of(std::span<const Aabb> boxes, std::size_t axis, bool high) {
        ends_.clear();
        for (std::uint32_t slot = 0; slot < place_.size(); ++slot)
            if (place_[slot] != Place::absent)
                ends_.push_back(high ? boxes[slot].max[axis] : boxes[slot].min[axis]);
        const std::size_t eighth = ends_.size() / 8, at = high ? ends_.size() - 1 - eighth : eighth;
        const auto end = ends_.begin() + static_cast<std::ptrdiff_t>(at);
        std::nth_element(ends_.begin(), end, ends_.end());
        return static_cast<double>(*end);
    }

    void rebuild(std::span<const Aabb> boxes) {
        index_.clear();
        outside_ = 0;
        for (std::uint32_t slot = 0; slot < place_.size(); ++slot)
            if (place_[slot] != Place::absent) enter(slot, boxes[slot]);
        outside_at_choice_ = outside_;
    }

    void find_pairs_of(std::uint32_t slot, std::span<const Aabb> boxes, PairCollector::Worker& worker) const {
        const Aabb& box = boxes[slot];
        const VoxelBox& voxels = index_.box(slot);
        index_.for_each_neighbour(slot, [&](std::uint32_t other, const Octant& octant) {
            // Of two moved ones the lower slot finds the pair.
            if (other == slot || (moved_[other] && other < slot)) return;
            ++worker.raw;
            if (!overlap(box, boxes[other])) return;
            const VoxelBox& theirs = index_.box(other);
            const Voxel lowest{std::max(voxels.low[0], theirs.low[0]), std::max(voxels.low[1], theirs.low[1]),
                               std::max(voxels.low[2], theirs.low[2])};
            if (octant.contains(lowest)) worker.pairs.push_back(make_pair_key(slot, other));
        });
    }

    double wanted_universe_;  ///< metres; 0: follows the bodies
    std::int32_t voxels_across_;
    OctreeIndex index_;
    Aabb universe_;  ///< a cube
    std::array<double, 3> origin_{};
    double voxel_size_ = 1, voxels_per_metre_ = 1;
    std::int32_t last_voxel_ = 0;
    std::size_t body_count_ = 0, bodies_at_choice_ = 0, outside_ = 0, outside_at_choice_ = 0;
    std::uint64_t seen_changes_ = 0;
    std::vector<std::uint32_t> waiting_;  ///< inserted since the last update
    std::vector<Place> place_;            ///< by slot
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
        "Bodies stand in the octants that fill their integer boxes; a moving body changes only what its "
        "boxes "
        "do not share.",
        kParameters,
        [](const ParameterValues& values) -> std::unique_ptr<BroadPhase> {
            return std::make_unique<Octree>(values);
        },
        "Depth",
    };
    return descriptor;
}

}  // namespace claybox::collision
