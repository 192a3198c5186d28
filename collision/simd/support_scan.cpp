// Compiled once per vector target: foreach_target.h includes this file repeatedly with different settings.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/simd/support_scan.cpp"
#include <hwy/foreach_target.h>
// Highway requires that the include above comes first.
#include "collision/simd/support_scan.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace claybox::collision {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, kScanPadding>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Ints = hn::Vec<IntTag>;

std::uint32_t support_scan_target(const float* x, const float* y, const float* z, std::uint32_t count,
                                  float dx, float dy, float dz) {
    const FloatTag df;
    const IntTag di;
    const auto lanes = static_cast<std::uint32_t>(hn::Lanes(df));
    const Floats vx = hn::Set(df, dx), vy = hn::Set(df, dy), vz = hn::Set(df, dz);
    const auto dots = [&](std::uint32_t i) HWY_ATTR {
        // Mul and Add, never MulAdd: a fused sum rounds differently.
        const Floats xy = hn::Add(hn::Mul(vx, hn::LoadU(df, x + i)), hn::Mul(vy, hn::LoadU(df, y + i)));
        return hn::Add(xy, hn::Mul(vz, hn::LoadU(df, z + i)));
    };
    Ints index = hn::Iota(di, 0);
    const Ints step = hn::Set(di, static_cast<std::int32_t>(lanes));
    // The best value of each lane so far. A later value replaces an earlier one only if it is larger, so each
    // lane keeps its lowest index. No struct holds both: vectors of unknown length (SVE) cannot be members.
    Floats best = dots(0);
    Ints best_index = index;
    for (std::uint32_t i = lanes; i < count; i += lanes) {
        index = hn::Add(index, step);
        const Floats now = dots(i);
        const auto larger = hn::Gt(now, best);
        best = hn::IfThenElse(larger, now, best);
        best_index = hn::IfThenElse(hn::RebindMask(di, larger), index, best_index);
    }
    const Floats largest = hn::MaxOfLanes(df, best);
    const auto winners = hn::RebindMask(di, hn::Eq(best, largest));
    const Ints none = hn::Set(di, 0x7fffffff);
    const auto lowest = static_cast<std::uint32_t>(
        hn::GetLane(hn::MinOfLanes(di, hn::IfThenElse(winners, best_index, none))));
    return lowest < count ? lowest : 0;  // a NaN lane leaves no winner
}

}  // namespace HWY_NAMESPACE
}  // namespace claybox::collision
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace claybox::collision {

HWY_EXPORT(support_scan_target);

std::uint32_t support_scan(const float* x, const float* y, const float* z, std::uint32_t count,
                           const Vec3f& direction) {
    return HWY_DYNAMIC_DISPATCH(support_scan_target)(x, y, z, count, direction.x, direction.y, direction.z);
}

std::uint32_t support_scan_scalar(const float* x, const float* y, const float* z, std::uint32_t count,
                                  const Vec3f& direction) {
    std::uint32_t best = 0;
    float best_value = direction.x * x[0] + direction.y * y[0] + direction.z * z[0];
    for (std::uint32_t i = 1; i < count; ++i) {
        const float value = direction.x * x[i] + direction.y * y[i] + direction.z * z[i];
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}

}  // namespace claybox::collision
#endif  // HWY_ONCE
