#include "collision/module/interest.hpp"

#include "collision/core/assert.hpp"

namespace claybox::collision {

void InterestMatrix::set_groups(unsigned group_a, unsigned group_b, const Interest& interest) {
    CLAYBOX_ASSERT(group_a < kGroupCount && group_b < kGroupCount);
    groups_[group_a * kGroupCount + group_b] = interest;
    groups_[group_b * kGroupCount + group_a] = interest;
}

std::uint64_t InterestMatrix::continuous_groups(std::uint64_t switched) const {
    // An exception may test what the groups do not: then any two bodies may be such a pair.
    if (continuous_exceptions_ || (switched != 0 && !exceptions_.empty())) return ~std::uint64_t{0};
    std::uint64_t out = 0;
    for (unsigned a = 0; a < kGroupCount; ++a)
        for (unsigned b = a; b < kGroupCount; ++b) {
            const Interest& interest = groups(a, b);
            const std::uint64_t both = std::uint64_t{1} << a | std::uint64_t{1} << b;
            const bool on = interest.continuity == Continuity::on;
            const bool of_bodies = interest.continuity == Continuity::of_bodies && (both & switched) != 0;
            if (interest.test && (on || of_bodies)) out |= both;
        }
    return out;
}

}  // namespace claybox::collision
