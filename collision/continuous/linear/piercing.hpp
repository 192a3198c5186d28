#pragma once
// The ray of a relative motion through a triangle of the Minkowski difference C, in double with error bounds.

#include "collision/exact/solid.hpp"

namespace claybox::collision {

struct Piercing {
    bool is_certain = false;  ///< it pierces the inside, within the sweep
    double time_high = 1;     ///< the exact time of the triangle is at most this
    double spread = 1;        ///< about how much less it can be
    double weights[3] = {};
    Vec3d normal;  ///< computed; the ray runs along it
};

/// The triangle of the first three pairs. Tries one bound for the whole triangle first. If this decides
/// nothing or leaves the time uncertain, running error bounds follow.
Piercing pierce(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                const VertexPair (&pairs)[4]);

/// The two methods, for tests.
Piercing pierce_with_one_bound(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                               const VertexPair (&pairs)[4]);
Piercing pierce_with_running_bounds(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                                    const VertexPair (&pairs)[4]);

}  // namespace claybox::collision
