#include "collision/module/interest.hpp"

#include "collision/core/assert.hpp"

#include <utility>

namespace claybox::collision {

void InterestMatrix::set_groups(unsigned group_a, unsigned group_b, const Interest& interest) {
    CLAYBOX_ASSERT(group_a < kGroupCount && group_b < kGroupCount);
    groups_[group_a * kGroupCount + group_b] = interest;
    groups_[group_b * kGroupCount + group_a] = interest;
}

void InterestMatrix::set_exception(BodyId a, BodyId b, const Interest& interest) {
    if (b.slot < a.slot) std::swap(a, b);
    const auto [place, fresh] = exceptions_.insert_or_assign(make_pair_key(a.slot, b.slot),
                                                             Exception{a.generation, b.generation, interest});
    (void)place;
    if (!fresh) return;
    if (b.slot >= count_of_slot_.size()) count_of_slot_.resize(b.slot + 1, 0);
    ++count_of_slot_[a.slot];
    ++count_of_slot_[b.slot];
}

void InterestMatrix::remove_exception(BodyId a, BodyId b) {
    if (b.slot < a.slot) std::swap(a, b);
    const auto found = exceptions_.find(make_pair_key(a.slot, b.slot));
    if (found == exceptions_.end() || found->second.generation_a != a.generation ||
        found->second.generation_b != b.generation)
        return;
    --count_of_slot_[a.slot];
    --count_of_slot_[b.slot];
    exceptions_.erase(found);
}

void InterestMatrix::remove_body(BodyId body) {
    if (!has_exception(body.slot)) return;
    for (auto place = exceptions_.begin(); place != exceptions_.end();) {
        const std::uint32_t a = first_slot(place->first), b = second_slot(place->first);
        const bool of_body = (a == body.slot && place->second.generation_a == body.generation) ||
                             (b == body.slot && place->second.generation_b == body.generation);
        if (!of_body) {
            ++place;
            continue;
        }
        --count_of_slot_[a];
        --count_of_slot_[b];
        place = exceptions_.erase(place);
    }
}

const Interest& InterestMatrix::find(BodyId a, unsigned group_a, BodyId b, unsigned group_b) const {
    if (has_exception(a.slot) && has_exception(b.slot)) {
        if (b.slot < a.slot) std::swap(a, b);
        const auto found = exceptions_.find(make_pair_key(a.slot, b.slot));
        if (found != exceptions_.end() && found->second.generation_a == a.generation &&
            found->second.generation_b == b.generation)
            return found->second.interest;
    }
    return groups(group_a, group_b);
}

}  // namespace claybox::collision
