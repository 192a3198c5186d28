#include "collision/module/pass/pass_runner.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

WorldBounds PassRunner::broad_phase_bounds() {
    WorldBounds bounds = bounds_.view();
    if ((settings_.broad_phase->needs & kGroupBounds) && !groups_.empty()) {
        groups_.update_boxes(*executor_, bounds.boxes);
        groups_.add_to(bounds);
    }
    return bounds;
}

void PassRunner::find_candidates() {
    for (const std::uint32_t slot : entered_slots_) broad_phase_->insert(slot);
    const WorldBounds bounds = broad_phase_bounds();
    broad_phase_->update(moved_slots_, bounds, *executor_);
    choose_searched_bodies();
    for (const std::uint32_t slot : searched_slots_) touched_.mark(slot);
    broad_phase_->find_pairs(searched_slots_, bounds, *executor_, candidates_);
    stats_.raw_candidates = broad_phase_->counts().raw_candidates;
    stats_.candidates = candidates_.size();
    if (settings_.assert_pairs) compare_with_all_pairs();
    filter_candidates();
}

/// The bodies whose pairs are searched, ordered by slot: all, or those that moved or whose interest changed.
void PassRunner::choose_searched_bodies() {
    searched_slots_.clear();
    if (std::exchange(test_all_, false)) {
        for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
            if (bodies_[slot].alive) searched_slots_.push_back(slot);
    } else {
        searched_slots_ = moved_slots_;
        const std::size_t moved = searched_slots_.size();
        for (const std::uint32_t slot : interest_changed_slots_)
            if (bodies_[slot].alive) searched_slots_.push_back(slot);
        if (searched_slots_.size() > moved) {
            std::sort(searched_slots_.begin(), searched_slots_.end());
            searched_slots_.erase(std::unique(searched_slots_.begin(), searched_slots_.end()),
                                  searched_slots_.end());
        }
    }
    interest_changed_slots_.clear();
}

void PassRunner::filter_candidates() {
    const BoundKinds kinds = bounds_.filter() & ~settings_.broad_phase->states;
    if (kinds == 0) return;
    const WorldBounds bounds = bounds_.view();
    kept_.resize(candidates_.size());
    executor_->parallel_for(candidates_.size(), 256, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i)
            kept_[i] = finer_bounds_overlap(bounds, kinds, candidates_[i]);
    });
    std::size_t count = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (kept_[i]) candidates_[count++] = candidates_[i];
    stats_.filtered = candidates_.size() - count;
    candidates_.resize(count);
}

void PassRunner::compare_with_all_pairs() {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase("all_pairs");
    const auto reference = descriptor.create(default_values(descriptor.parameters));
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive) reference->insert(slot);
    const WorldBounds bounds = bounds_.view();
    reference->update(searched_slots_, bounds, *executor_);
    reference->find_pairs(searched_slots_, bounds, *executor_, reference_pairs_);
    filter_pairs(bounds, settings_.broad_phase->states, reference_pairs_);
    std::size_t common = 0;
    auto reference_pair = reference_pairs_.begin();
    for (const PairKey key : candidates_) {
        while (reference_pair != reference_pairs_.end() && *reference_pair < key) ++reference_pair;
        if (reference_pair != reference_pairs_.end() && *reference_pair == key) ++common, ++reference_pair;
    }
    stats_.pair_disagreements = candidates_.size() + reference_pairs_.size() - 2 * common;
}

}  // namespace claybox::collision
