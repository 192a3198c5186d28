#pragma once
// The walk of two trees as a picture: not part of any search, and only made for a trace.

#include "collision/core/trace.hpp"
#include "collision/parts/mesh_bvh_probe.hpp"

namespace claybox::collision {

/// Tells, level by level, the boxes of the volumes that meet one of the other tree and of those that are
/// passed over, by the tests of find_bvh_hits(), from the roots and as if no hit ended the walk; last the
/// boxes of all leaves that meet. Discs are not told, though they are what sets many volumes apart. A walk
/// that grows beyond what can be looked at ends early. Nothing where the trees cannot be walked.
void show_bvh_walk(const PlacedBvh& a, const PlacedBvh& b, Trace& trace);

}  // namespace claybox::collision
