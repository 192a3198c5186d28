// Compiled once per vector target: foreach_target.h includes this file repeatedly with different settings.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/simd/overlap_run.cpp"
#include <hwy/foreach_target.h>
// Highway requires that the include above comes first.
#include "collision/simd/overlap_run.hpp"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace claybox::collision {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, kRunPadding>;
using IndexTag = hn::RebindToUnsigned<FloatTag>;

std::uint32_t overlap_run_target(const RunColumns& columns, const RunBox& box, std::uint32_t begin,
                                 std::uint32_t end, std::uint32_t* hits) {
    const FloatTag df;
    const IndexTag du;
    const auto lanes = static_cast<std::uint32_t>(hn::Lanes(df));
    const auto low_0 = hn::Set(df, box.low_0), low_1 = hn::Set(df, box.low_1),
               high_1 = hn::Set(df, box.high_1), low_2 = hn::Set(df, box.low_2),
               high_2 = hn::Set(df, box.high_2);
    std::uint32_t count = 0;
    for (std::uint32_t i = begin; i < end; i += lanes) {
        const auto first = hn::Ge(hn::LoadU(df, columns.high_0 + i), low_0);
        const auto second = hn::And(hn::Le(hn::LoadU(df, columns.low_1 + i), high_1),
                                    hn::Ge(hn::LoadU(df, columns.high_1 + i), low_1));
        const auto third = hn::And(hn::Le(hn::LoadU(df, columns.low_2 + i), high_2),
                                   hn::Ge(hn::LoadU(df, columns.high_2 + i), low_2));
        auto all = hn::And(first, hn::And(second, third));
        if (hn::AllFalse(df, all)) continue;
        if (end - i < lanes) all = hn::And(all, hn::FirstN(df, end - i));
        count += static_cast<std::uint32_t>(
            hn::CompressStore(hn::Iota(du, i), hn::RebindMask(du, all), du, hits + count));
    }
    return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace claybox::collision
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace claybox::collision {

HWY_EXPORT(overlap_run_target);

std::uint32_t overlap_run(const RunColumns& columns, const RunBox& box, std::uint32_t begin,
                          std::uint32_t end, std::uint32_t* hits) {
    return HWY_DYNAMIC_DISPATCH(overlap_run_target)(columns, box, begin, end, hits);
}

std::uint32_t overlap_run_scalar(const RunColumns& columns, const RunBox& box, std::uint32_t begin,
                                 std::uint32_t end, std::uint32_t* hits) {
    std::uint32_t count = 0;
    for (std::uint32_t i = begin; i < end; ++i)
        if (columns.high_0[i] >= box.low_0 && columns.low_1[i] <= box.high_1 &&
            columns.high_1[i] >= box.low_1 && columns.low_2[i] <= box.high_2 &&
            columns.high_2[i] >= box.low_2)
            hits[count++] = i;
    return count;
}

}  // namespace claybox::collision
#endif  // HWY_ONCE
