#include "collision/broadphase/world_bounds.hpp"

namespace claybox::collision {

bool finer_bounds_overlap(const WorldBounds& bounds, BoundKinds kinds, PairKey pair) {
    const std::uint32_t a = first_slot(pair), b = second_slot(pair);
    if ((kinds & kSphereBounds) && !bounds.spheres.empty() && !overlap(bounds.spheres[a], bounds.spheres[b]))
        return false;
    if ((kinds & kKDopBounds) && !bounds.k_dops.empty() && !overlap(bounds.k_dops[a], bounds.k_dops[b]))
        return false;
    return !(kinds & kOrientedBounds) || bounds.oriented.empty() ||
           overlap(bounds.oriented[a], bounds.oriented[b]);
}

void filter_pairs(const WorldBounds& bounds, BoundKinds kinds, std::vector<PairKey>& pairs) {
    if (kinds == 0) return;
    std::erase_if(pairs, [&](PairKey pair) { return !finer_bounds_overlap(bounds, kinds, pair); });
}

}  // namespace claybox::collision
