#include "collision/module/interest.hpp"

#include "collision/core/assert.hpp"

namespace claybox::collision {

void InterestMatrix::set_groups(unsigned group_a, unsigned group_b, const Interest& interest) {
    CLAYBOX_ASSERT(group_a < kGroupCount && group_b < kGroupCount);
    groups_[group_a * kGroupCount + group_b] = interest;
    groups_[group_b * kGroupCount + group_a] = interest;
}

}  // namespace claybox::collision
