// Compiled once per vector target: foreach_target.h includes this file repeatedly with different settings.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/simd/box_codes.cpp"
#include <hwy/foreach_target.h>
// Highway requires that the include above comes first.
#include "collision/simd/box_codes.hpp"

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace claybox::collision {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of more than eight lanes would seldom be full.
using Tag = hn::CappedTag<std::uint32_t, 8>;
using Words = hn::Vec<Tag>;

/// Writes the lanes of `v` selected by the mask, in order; returns their number. Compresses before storing,
/// because some processors are slow at both in one instruction. Targets without mask registers copy lane by
/// lane: few lanes are selected.
HWY_INLINE std::size_t store_selected(Words v, hn::Mask<Tag> selected, const std::uint32_t* from,
                                      std::uint32_t* to) {
    const Tag d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    (void)from;
    hn::StoreU(hn::Compress(v, selected), d, to);
    return hn::CountTrue(d, selected);
#else
    (void)v;
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, selected, bytes);
    std::size_t count = 0;
    for (unsigned bits = bytes[0]; bits != 0; bits &= bits - 1)
        to[count++] = from[static_cast<unsigned>(__builtin_ctz(bits))];
    return count;
#endif
}

alignas(64) constexpr std::uint32_t kAscending[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// Runs are many and short. This copies them into one block first, so that the vectors are full.
class Gathered {
  public:
    std::uint32_t count() const { return count_; }
    void clear() { count_ = 0; }
    /// Adds as many boxes of the run as fit; returns the place where it stopped.
    HWY_INLINE std::uint32_t add(const CodeColumns& codes, std::uint32_t begin, std::uint32_t end) {
        const Tag d;
        const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
        end = std::min(end, begin + (static_cast<std::uint32_t>(kCodeBlock) - count_));
        for (std::uint32_t from = begin, to = count_; from < end; from += lanes, to += lanes) {
            hn::StoreU(hn::LoadU(d, codes.upper + from), d, upper_ + to);
            hn::StoreU(hn::LoadU(d, codes.lower + from), d, lower_ + to);
            hn::StoreU(hn::Add(hn::Load(d, kAscending), hn::Set(d, from)), d, place_ + to);
        }
        count_ += end - begin;
        return end;
    }
    HWY_INLINE void close() { hn::StoreU(hn::Set(Tag(), kCodeNothing), Tag(), upper_ + count_); }
    /// Compares a box with the boxes from `first` on; appends the places of those that may overlap it.
    HWY_INLINE std::size_t query(const BoxCode& code, std::uint32_t apart, std::uint32_t first,
                                 std::uint32_t* out, std::size_t count) const {
        const Tag d;
        const auto lanes = static_cast<std::uint32_t>(hn::Lanes(d));
        const auto upper = hn::Set(d, code.upper), lower = hn::Set(d, code.lower), bits = hn::Set(d, apart);
        for (std::uint32_t i = first; i < count_; i += lanes) {
            const auto sums =
                hn::Or(hn::Add(hn::LoadU(d, upper_ + i), lower), hn::Add(hn::LoadU(d, lower_ + i), upper));
            const auto near = hn::Eq(hn::And(sums, bits), hn::Zero(d));
            count += store_selected(hn::LoadU(d, place_ + i), near, place_ + i, out + count);
        }
        return count;
    }

  private:
    std::uint32_t count_ = 0;
    alignas(64) std::uint32_t upper_[kCodeBlock + 2 * kCodePadding];
    alignas(64) std::uint32_t lower_[kCodeBlock + 2 * kCodePadding];
    alignas(64) std::uint32_t place_[kCodeBlock + 2 * kCodePadding];
};

/// Compares all boxes of the task with the gathered boxes. If `own` is below all places, the gathered boxes
/// begin with the box at place `own`.
HWY_INLINE void query_gathered(const CodeColumns& codes, const CodeTask& task, std::uint32_t own,
                               Gathered& gathered, NearPairs& near) {
    const Tag d;
    gathered.close();
    const std::uint32_t apart = task.all ? kCodeNothing : kCodeNothing | kCodeApart;
    std::size_t count = near.count;
    for (std::uint32_t place = task.first; place < task.last; ++place) {
        const std::uint32_t first = place + 1 > own ? place + 1 - own : 0;
        if (HWY_UNLIKELY(near.capacity - count < gathered.count())) {
            near.count = count;
            near.flush(near);
            count = near.count;
        }
        std::size_t written = count;
        const BoxCode code = task.given ? task.code : BoxCode{codes.upper[place], codes.lower[place]};
        count = gathered.query(code, apart, first, near.other, count);
        near.compared += gathered.count() > first ? gathered.count() - first : 0;
        const auto query = hn::Set(d, place);
        do hn::StoreU(query, d, near.query + written);
        while ((written += hn::Lanes(d)) < count);
    }
    near.count = count;
    gathered.clear();
}

void find_near_pairs_target(const CodeColumns& codes, const CodeTask* task, std::size_t tasks,
                            const CodeRun* run, NearPairs& near) {
    constexpr std::uint32_t kNotOwn = 0xffffffffu;
    Gathered gathered;
    for (const CodeTask* const last_task = task + tasks; task < last_task; ++task) {
        std::uint32_t own = kNotOwn;
        const auto add = [&](std::uint32_t begin, std::uint32_t end, bool is_own) HWY_ATTR {
            if (is_own) own = begin;
            for (begin = gathered.add(codes, begin, end); HWY_UNLIKELY(begin < end);
                 begin = gathered.add(codes, begin, end)) {
                query_gathered(codes, *task, own, gathered, near);
                own = is_own ? begin : kNotOwn;
            }
        };
        if (task->own_end != 0) add(task->first, task->own_end, true);
        for (const CodeRun* const last_run = run + task->runs; run < last_run; ++run)
            add(run->begin, run->end, false);
        query_gathered(codes, *task, own, gathered, near);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace claybox::collision
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace claybox::collision {

HWY_EXPORT(find_near_pairs_target);

void find_near_pairs(const CodeColumns& codes, std::span<const CodeTask> tasks, const CodeRun* runs,
                     NearPairs& near) {
    HWY_DYNAMIC_DISPATCH(find_near_pairs_target)(codes, tasks.data(), tasks.size(), runs, near);
}

void find_near_pairs_scalar(const CodeColumns& codes, std::span<const CodeTask> tasks, const CodeRun* run,
                            NearPairs& near) {
    const auto compare = [&](const CodeTask& task, std::uint32_t place, std::uint32_t begin,
                             std::uint32_t end) {
        const BoxCode code = task.given ? task.code : BoxCode{codes.upper[place], codes.lower[place]};
        for (std::uint32_t i = begin; i < end; ++i) {
            ++near.compared;
            std::uint32_t apart = (codes.upper[i] | code.upper) & kCodeNothing;
            if (!task.all)
                apart |= ((codes.upper[i] + code.lower) | (codes.lower[i] + code.upper)) & kCodeApart;
            if (apart != 0) continue;
            if (near.count == near.capacity) near.flush(near);
            near.query[near.count] = place;
            near.other[near.count++] = i;
        }
    };
    for (const CodeTask& task : tasks) {
        for (std::uint32_t place = task.first; place < task.last; ++place) {
            compare(task, place, std::min(place + 1, task.own_end), task.own_end);
            for (std::uint32_t i = 0; i < task.runs; ++i) compare(task, place, run[i].begin, run[i].end);
        }
        run += task.runs;
    }
}

}  // namespace claybox::collision
#endif  // HWY_ONCE
