#pragma once
// What a pair of trees remembers of its last query. After a collision: the edge and the triangle that
// intersected. After a separation: the front of the traversal, that is the places where it found volumes
// apart, with their gaps. Places whose gap exceeds the motion of the bodies since then are still apart, so
// the traversal need not reach them again. Only nearer places are rechecked, and the traversal continues
// below those that may overlap now. (Fronts of two hierarchies: Klosowski et al., Efficient Collision
// Detection Using Bounding Volume Hierarchies of k-DOPs, 1998; the distance bound is ours.)
//
// Proof. Let N be the computed inverse of X's linear part, and g > 0 the gap that gap_bounds() returned for a
// volume of X and one of Y, in the frame of X's tree. For points x and y of the surfaces below them and w =
// (L_X x + t_X) - (L_Y y + t_Y) in the world, N w differs from x minus the computed image of y by at most
// `off` per axis, which gap_bounds() has subtracted twice. So |N w| >= g and |w| >= g / |N|: see
// world_per_unit(). When the bodies move, |w| changes by at most the sum of their largest displacements: see
// max_displacement().

#include "collision/pairwise/bvh/bvh_probe.hpp"

#include <span>

namespace claybox::collision {

/// A place where two bodies were apart: either lanes of a node that was opened against a volume of the other
/// body, or two leaves whose triangles did not intersect.
struct BvhFrontEntry {
    std::uint64_t refs;   ///< ref of A in the lower half, of B in the upper half
    float gap;            ///< metres: how far the bodies must move before they can touch here
    std::uint8_t opened;  ///< the side of the opened node: 0 or 1
    std::uint8_t lanes;   ///< lanes of the node that were apart; 0 for leaves
};

inline constexpr std::size_t kMaxFrontEntries = 48;

/// A front. Keeps the nearest places of a large front; one distance covers the rest.
struct BvhFront {
    std::uint64_t stamp;                   ///< identifies the front; 0 for none
    Matrix34f world_from_a, world_from_b;  ///< poses when the front was built
    float nearest;                         ///< metres: the smallest gap
    float beyond;                          ///< metres: lower bound of the gaps of all unlisted places
    std::uint32_t steps;                   ///< steps of the traversal that built it
    std::uint32_t count;
    BvhFrontEntry entries[kMaxFrontEntries];
};

/// Decides when a separated pair builds a front. Building one adds 10 to 27 % to a traversal, which is
/// lost if the bodies move so far that the next query starts from the roots. After several lost fronts in a
/// row, the next one waits for 1, 3, then 7 traversals. A front that saves a traversal ends the waiting.
class BvhFrontSchedule {
  public:
    void front_helped() { lost_ = 0; }
    void front_was_lost() {
        if (lost_ < 4) ++lost_;
        waiting_ = static_cast<std::uint8_t>((1u << lost_) / 2 - 1);
    }
    /// Called once per traversal that could build a front.
    bool is_due() {
        if (waiting_ == 0) return true;
        --waiting_;
        return false;
    }

  private:
    std::uint8_t lost_ = 0, waiting_ = 0;
};

struct BvhMemory {
    enum class Last : unsigned char { nothing, hit, apart };

    /// The edge or diagonal that intersected, and the triangle of the other mesh: as in MeshHit.
    std::uint32_t vertices[2] = {}, edge = kNoIndex, triangle = 0;
    std::uint32_t ref_a = kNoIndex, ref_b = kNoIndex;  ///< the leaves that contain them
    std::uint64_t front = 0;                           ///< stamp of the front; 0 for none
    std::uint64_t structure_a = 0, structure_b = 0;    ///< structure of the trees that the memory refers to
    std::uint32_t steps = 0;                           ///< steps of the last traversal that built no front
    bool edge_of_b = false;
    Last last = Last::nothing;
    BvhFrontSchedule schedule;
};

/// Builds and maintains a front. Stored gaps are current gaps minus `moved` metres.
class BvhFrontBuilder {
  public:
    /// Inactive: records nothing.
    BvhFrontBuilder() = default;
    /// Starts the front of a new traversal.
    explicit BvhFrontBuilder(BvhFront& out) : out_(&out) { out.count = 0; }
    /// Continues a front after the bodies moved by `moved`. Moves the places that may touch now from the
    /// front to `nearer`, which must have space for all.
    BvhFrontBuilder(BvhFront& front, float moved, std::span<BvhFrontEntry>& nearer);

    bool is_active() const { return out_ != nullptr; }
    /// `gap`: metres, in the current poses.
    void add(BvhFrontEntry place, float gap) {
        place.gap = gap - moved_;
        if (!(place.gap < beyond_)) return;
        if (out_->count == kMaxFrontEntries && !drop_farther_half(place.gap)) return;
        out_->entries[out_->count++] = place;
    }
    /// Completes the front and returns its stamp: a hash of the meshes and of all poses involved, so equal
    /// stamps mean equal fronts. (Caches may be copied, and memories of several pairs may share storage.)
    std::uint64_t finish(const PlacedBvh& a, const PlacedBvh& b) const;

  private:
    bool drop_farther_half(float gap);

    BvhFront* out_ = nullptr;
    float beyond_ = 0x1p100f, moved_ = 0;
    std::uint64_t stamp_ = 0;  ///< of the front that it continues
};

/// Upper bound, in metres, of the displacement of any point of the mesh between two poses. NaN or infinite if
/// float cannot bound it.
float max_displacement(const MeshBvh& tree, const Matrix34f& from, const Matrix34f& to);

}  // namespace claybox::collision
