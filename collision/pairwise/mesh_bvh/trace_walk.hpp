#pragma once
// Reports the traversal of two trees to a trace. Not part of any search.

#include "collision/core/trace.hpp"
#include "collision/pairwise/bvh/bvh_probe.hpp"

namespace claybox::collision {

/// Reports, level by level, the boxes that overlap a box of the other tree and the boxes passed over. It uses
/// the tests of find_bvh_hits(), starts at the roots and ignores hits. The boxes of all overlapping leaves
/// come last. Discs are not shown, although they separate many volumes. A traversal with too many pairs to
/// view ends early. Reports nothing if the trees cannot be walked.
void trace_bvh_walk(const PlacedBvh& a, const PlacedBvh& b, Trace& trace);

}  // namespace claybox::collision
