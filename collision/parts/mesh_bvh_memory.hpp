#pragma once
// What a pair of trees remembers of its last query. Of a collision: the edge and the triangle that met. Of a
// separation: the front of the walk, which are the places where it found volumes apart, with how far apart
// they were. The walk need not be repeated where the bodies have moved less since, because then what was
// apart is apart; only nearer places of the front are asked again, and walked on below where they may meet
// now. (Fronts of two trees walked together: Klosowski et al., Efficient Collision Detection Using Bounding
// Volume Hierarchies of k-DOPs, 1998; here with the distance that bodies have to move first.)
//
// Proof. Let N be the computed inverse of X's linear part and apart_by() have told g > 0 of a volume of X and
// one of Y, in the frame of X's tree. For points x and y of the surfaces below them, w = (L_X x + t_X) - (L_Y
// y + t_Y) in the world, N w differs from x less the computed image of y by at most `off`, by axis, which
// apart_by() has taken away twice. So |N w| >= g and |w| >= g / |N|: see world_per_unit(). When the bodies
// move, |w| changes by at most what a point of each moves: see farthest_move().

#include "collision/parts/mesh_bvh_probe.hpp"

#include <span>

namespace claybox::collision {

/// Where two bodies were apart. Either lanes of the node that was opened against a volume of the other body,
/// or two leaves whose triangles did not meet.
struct BvhFrontPlace {
    std::uint64_t refs;   ///< of A in the lower half, of B in the upper
    float gap;            ///< metres: how far the bodies must move until they can meet here
    std::uint8_t opened;  ///< whose node: 0 or 1
    std::uint8_t lanes;   ///< of the node, that were apart; 0 for leaves
};

inline constexpr std::size_t kMostFrontPlaces = 48;

/// A front. Of a large one the nearest places; the rest is summed up in one number.
struct BvhFront {
    std::uint64_t stamp;                   ///< tells fronts apart; 0 for none
    Matrix34f world_from_a, world_from_b;  ///< where the bodies were when it was made
    float nearest;                         ///< metres: the least gap
    float beyond;                          ///< metres: all that is not listed is as far apart at least
    std::uint32_t steps;                   ///< of the walk that made it
    std::uint32_t count;
    BvhFrontPlace places[kMostFrontPlaces];
};

struct BvhMemory {
    enum class Last : unsigned char { nothing, met, apart };

    /// The edge, or diagonal, that met, and the triangle of the other mesh: as in MeshHit.
    std::uint32_t vertices[2] = {}, edge = kNoIndex, triangle = 0;
    std::uint32_t ref_a = kNoIndex, ref_b = kNoIndex;  ///< the leaves in which they are
    std::uint64_t front = 0;                           ///< its stamp; 0 for none
    std::uint64_t structure_a = 0, structure_b = 0;    ///< of the trees of which it speaks
    std::uint32_t steps = 0;                           ///< of the last walk that made no front
    bool edge_of_b = false;
    Last last = Last::nothing;
};

/// Makes and keeps a front. Gaps are those that are left when `moved` metres are taken away.
class BvhFrontMaker {
  public:
    /// Of nothing, which stays so.
    BvhFrontMaker() = default;
    /// The front of a new walk.
    explicit BvhFrontMaker(BvhFront& out) : out_(&out) { out.count = 0; }
    /// Goes on with a front after bodies have moved by `moved`. The places that may meet now leave it for
    /// `nearer`, which has room for all.
    BvhFrontMaker(BvhFront& front, float moved, std::span<BvhFrontPlace>& nearer);

    bool makes() const { return out_ != nullptr; }
    /// `gap` metres as they are now.
    void add(BvhFrontPlace place, float gap) {
        place.gap = gap - moved_;
        if (!(place.gap < beyond_)) return;
        if (out_->count == kMostFrontPlaces && !make_room(place.gap)) return;
        out_->places[out_->count++] = place;
    }
    /// The front is complete. Returns its stamp, which follows from the meshes and all poses that had to do
    /// with it: equal stamps are of equal fronts. (Caches may be copied, and memories of other pairs share a
    /// room.)
    std::uint64_t finish(const PlacedBvh& a, const PlacedBvh& b) const;

  private:
    bool make_room(float gap);

    BvhFront* out_ = nullptr;
    float beyond_ = 0x1p100f, moved_ = 0;
    std::uint64_t stamp_ = 0;  ///< of the front that it goes on with
};

/// How far a point of the mesh moves at most when its body does, metres; not a number or infinite where float
/// cannot tell.
float farthest_move(const MeshBvh& tree, const Matrix34f& from, const Matrix34f& to);

}  // namespace claybox::collision
