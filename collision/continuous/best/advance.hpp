#pragma once
// Conservative advancement: both bodies move to the latest time that is proven free of contact, are measured
// there, and so on until they are within the tolerance or the motion ends.

#include "collision/continuous/registry.hpp"

namespace claybox::collision {

/// What a pair of convex bodies remembers: where its last search for the distance ended.
struct AdvanceMemory {
    Vec3d direction;
    std::uint32_t a = 0, b = 0;
};

/// Convex bodies as solids, by the distance of the hulls. Any motions.
void advance_convex(const ContinuousQuery& query, AdvanceMemory& memory, ContinuousResult& result,
                    Trace* trace);
/// Meshes as surfaces, by their trees; a body inside a closed other one at the start counts as contact. Any
/// motions and polygons.
void advance_meshes(const ContinuousQuery& query, ContinuousResult& result, Trace* trace);

/// Counters of both, as indices into ContinuousResult::counters.
enum AdvanceCounter : std::size_t { kSteps = 4, kVolumePairs, kTrianglePairs };
/// Steps after which a query gives up and stays undecided; only hostile motions need that many.
inline constexpr std::uint32_t kMaxAdvanceSteps = 200000;

/// The smallest tolerance that double arithmetic supports for coordinates of this size.
inline double usable_tolerance(double wanted, double size) {
    return wanted > 0x1p-40 * size ? wanted : 0x1p-40 * size;
}

/// The hit at a time when the closest points are `a_w` and `b_w`, at most the tolerance apart.
void write_advance_hit(const ContinuousQuery& query, double time, const Vec3d& a_w, const Vec3d& b_w,
                       const Vec3d& normal_w, const Feature& a, const Feature& b, ContinuousResult& result);

}  // namespace claybox::collision
