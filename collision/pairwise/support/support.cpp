#include "collision/pairwise/support/support.hpp"

#include "collision/pairwise/support/hill_climb.hpp"
#include "collision/simd/support_scan.hpp"

namespace claybox::collision {

namespace {

constexpr auto kUncounted = [](std::uint32_t) {};

}  // namespace

std::uint32_t support_vertex(const ConvexHull& hull, const Vec3f& direction, std::uint32_t start,
                             SupportMethod method, const FarNeighbours* far) {
    const bool scan =
        method == SupportMethod::automatic ? hull.vertex_count <= kScanLimit : method == SupportMethod::scan;
    if (!scan && far != nullptr) return hill_climb_far(hull, *far, direction, start, kUncounted);
    if (!scan) return hill_climb(hull, direction, start, kUncounted);
    const auto count = static_cast<std::uint32_t>(hull.x.size());
    return support_scan(hull.x.data(), hull.y.data(), hull.z.data(), count, direction);
}

std::uint32_t support_vertex(const ConvexHull& hull, const Vec3d& direction, std::uint32_t start) {
    return hill_climb(hull, direction, start, kUncounted);
}

}  // namespace claybox::collision
