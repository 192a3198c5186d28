#pragma once

#include "collision/module/world.hpp"

namespace claybox::collision {

/// Whether a broad phase saves time (Zachmann, thesis, 5.1): p(n) T_p + T_s < n^2 / 2 T_p, that is
/// p(n) < n^2 / 2 - T_s / T_p, for n moving bodies, p(n) tested pairs, T_p seconds per test and T_s seconds
/// for the broad phase.
struct BroadPhaseBenefit {
    double pairs = 0;  ///< p(n)
    double limit = 0;  ///< the right-hand side
    bool pays_off() const { return pairs < limit; }
};

/// Computed from one pass. Without tests there is no T_p, and the limit is n^2 / 2.
inline BroadPhaseBenefit broad_phase_benefit(const PassStats& stats) {
    const auto n = static_cast<double>(stats.moved), tests = static_cast<double>(stats.tests);
    const bool timed = stats.tests > 0 && stats.seconds_narrow > 0;
    return {tests, 0.5 * n * n - (timed ? stats.seconds_broad * tests / stats.seconds_narrow : 0)};
}

}  // namespace claybox::collision
