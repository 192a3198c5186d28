#include "collision/module/pass.hpp"
#include "collision/pairwise/prepared_bvh.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace claybox::collision {

namespace {

/// For fewer bodies the loops of a pass are not worth waking workers up.
constexpr std::size_t kManyMoved = 64;

std::uint64_t hash_of(std::uint64_t creation, const Matrix34f& matrix) {
    StateHash hash;
    hash.add(creation);
    // Two numbers at a time: hashing is on the path of every moved body. Adding zero makes -0 and 0 one
    // state.
    for (std::size_t i = 0; i < 12; i += 2) {
        const auto high = std::bit_cast<std::uint32_t>(matrix.m[i] + 0.0f);
        const auto low = std::bit_cast<std::uint32_t>(matrix.m[i + 1] + 0.0f);
        hash.add(std::uint64_t{high} << 32 | low);
    }
    return hash.value();
}

}  // namespace

void Pass::apply_list() {
    moved_.start_round();
    touched_.start_round();
    moved_slots_.clear();
    entered_slots_.clear();
    left_at_.clear();
    groups_.enter(group_list_.groups());
    for (MovedBody& entry : list_.bodies()) apply_entry(entry);
    const auto with_group = [this](std::uint32_t slot, std::uint64_t frame) { move_with_group(slot, frame); };
    groups_.leave(group_list_.groups(), with_group, report_.forgotten_groups);
    if (list_.bodies().size() >= kManyMoved || !group_list_.empty()) burst_.emplace(*executor_);
    groups_.carry_down(*executor_, with_group);
    sort_moved_slots();
    stats_.moved = moved_slots_.size();
    stats_.bodies = alive_count_;
}

void Pass::apply_entry(MovedBody& entry) {
    if (entry.added && entry.removed) {
        retired_slots_.push_back(entry.slot);  // came and went between two passes
        return;
    }
    if (entry.added) enter_body(entry);
    const bool unheard = entry.slot >= bodies_.size() || entry.generation > bodies_[entry.slot].generation;
    if (entry.removed && unheard) front_.keep_removal(entry);
    if (!knows({entry.slot, entry.generation}) || !bodies_[entry.slot].alive) return;
    if (entry.removed) {
        retire_body(entry.slot);
        return;
    }
    BodyRecord& body = bodies_[entry.slot];
    body.frame = entry.frame;
    if (entry.moved) body.pose = entry.pose;
    if (!entry.changes.empty()) deform_body(body, entry);
    moved_slots_.push_back(entry.slot);
    moved_.mark(entry.slot);
}

void Pass::move_with_group(std::uint32_t slot, std::uint64_t frame) {
    bodies_[slot].frame = std::max(bodies_[slot].frame, frame);
    if (moved_.marked(slot)) return;
    moved_slots_.push_back(slot);
    moved_.mark(slot);
}

/// Many of them are read off the marks faster.
void Pass::sort_moved_slots() {
    constexpr std::size_t kBodiesPerSort = 8;
    if (kBodiesPerSort * moved_slots_.size() < bodies_.size()) {
        std::sort(moved_slots_.begin(), moved_slots_.end());
        return;
    }
    moved_slots_.clear();
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (moved_.marked(slot)) moved_slots_.push_back(slot);
}

void Pass::enter_body(MovedBody& entry) {
    if (entry.slot >= bodies_.size()) {
        const std::size_t count = entry.slot + std::size_t{1};
        bodies_.resize(count);
        placed_.resize(count);
        creation_.resize(count);
        hash_of_body_.resize(count);
        bounds_.resize(count);
        moved_.resize(count);
        touched_.resize(count);
    }
    BodyRecord& body = bodies_[entry.slot];
    body = BodyRecord{};
    body.shape = std::move(entry.added->shape);
    if (entry.added->deformable) body.own = std::make_unique<Geometry>(body.shape->geometry());
    body.pose = entry.added->pose;
    body.data = entry.added->data;
    body.group = entry.added->group;
    creation_[entry.slot] = entry.creation;
    hash_of_body_[entry.slot] = 0;
    body.generation = entry.generation;
    body.alive = true;
    groups_.hang(entry.slot, entry.added->parent);
    entry.added.reset();
    placed_[entry.slot] = {
        body.shape.get(), body.own ? body.own.get() : &body.shape->geometry(), nullptr, {}};
    entered_slots_.push_back(entry.slot);
    ++alive_count_;
}

void Pass::retire_body(std::uint32_t slot) {
    BodyRecord& body = bodies_[slot];
    body.alive = false;
    hash_of_poses_ -= hash_of_body_[slot];
    --alive_count_;
    touched_.mark(slot);  // its pairs end
    broad_phase_->remove(slot);
    bounds_.forget(slot);
    if (groups_.holds(slot)) left_at_.emplace_back(slot, groups_.world_pose(slot, body.pose));
    groups_.take_down(slot);
    retired_slots_.push_back(slot);
}

void Pass::deform_body(BodyRecord& body, MovedBody& entry) {
    change_merger_.keep_newest(entry.changes);
    const Status status = deform(*body.own, entry.changes, touched_polygons_);
    CLAYBOX_ASSERT(status.ok());  // Front::deform has checked every number
    if (!status.ok()) return;
    if (body.tree) body.tree = update_bvh(std::move(body.tree), *body.own, touched_polygons_);
    for (const Choice choice : {kChosen, kFallback}) {
        if (!body.prepared_made[choice] || !body.prepared[choice]) continue;
        if (const auto update = algorithm(choice)->update)
            body.prepared[choice] = update(std::move(body.prepared[choice]), *body.own, touched_polygons_);
        else
            body.prepared_made[choice] = false;
    }
    placed_[entry.slot].prepared = body.prepared[kChosen].get();
}

void Pass::place_moved_bodies() {
    executor_->parallel_for(
        moved_slots_.size(), 64, [&](std::size_t begin, std::size_t end, unsigned worker) {
            std::uint64_t change = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint32_t slot = moved_slots_[i];
                placed_[slot].world_from_body = to_matrix(groups_.world_pose(slot, bodies_[slot].pose));
                bounds_.place(slot, placed_[slot]);
                std::uint64_t& hash = hash_of_body_[slot];
                change -= hash;
                hash = hash_of(creation_[slot], placed_[slot].world_from_body);
                change += hash;
            }
            workers_[worker]->hash_change += change;
        });
    for (const auto& worker : workers_) hash_of_poses_ += std::exchange(worker->hash_change, 0);
}

/// With all that the broad phase needs.
WorldBounds Pass::world_bounds() {
    WorldBounds bounds = bounds_.view();
    if ((settings_.broad_phase->needs & kGroupBounds) && !groups_.empty()) {
        groups_.carry_up(*executor_, bounds.boxes);
        groups_.tell(bounds);
    }
    return bounds;
}

void Pass::find_candidates() {
    for (const std::uint32_t slot : entered_slots_) broad_phase_->insert(slot);
    const WorldBounds bounds = world_bounds();
    broad_phase_->update(moved_slots_, bounds, *executor_);
    choose_searched();
    for (const std::uint32_t slot : searched_slots_) touched_.mark(slot);
    broad_phase_->find_pairs(searched_slots_, bounds, *executor_, candidates_);
    stats_.raw_candidates = broad_phase_->counts().raw_candidates;
    stats_.candidates = candidates_.size();
    if (settings_.assert_pairs) compare_with_all_pairs();
    filter_candidates();
}

/// Whose pairs are looked for, in order: all bodies, or those that moved or were spoken about.
void Pass::choose_searched() {
    searched_slots_.clear();
    if (std::exchange(test_all_, false)) {
        for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
            if (bodies_[slot].alive) searched_slots_.push_back(slot);
    } else {
        searched_slots_ = moved_slots_;
        const std::size_t moved = searched_slots_.size();
        for (const std::uint32_t slot : asked_slots_)
            if (bodies_[slot].alive) searched_slots_.push_back(slot);
        if (searched_slots_.size() > moved) {
            std::sort(searched_slots_.begin(), searched_slots_.end());
            searched_slots_.erase(std::unique(searched_slots_.begin(), searched_slots_.end()),
                                  searched_slots_.end());
        }
    }
    asked_slots_.clear();
}

void Pass::filter_candidates() {
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

void Pass::compare_with_all_pairs() {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase("all_pairs");
    const auto reference = descriptor.create(default_values(descriptor.parameters));
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive) reference->insert(slot);
    const WorldBounds bounds = bounds_.view();
    reference->update(searched_slots_, bounds, *executor_);
    reference->find_pairs(searched_slots_, bounds, *executor_, reference_pairs_);
    filter_pairs(bounds, settings_.broad_phase->states, reference_pairs_);
    std::size_t common = 0;
    auto theirs = reference_pairs_.begin();
    for (const PairKey key : candidates_) {
        while (theirs != reference_pairs_.end() && *theirs < key) ++theirs;
        if (theirs != reference_pairs_.end() && *theirs == key) ++common, ++theirs;
    }
    stats_.pair_disagreements = candidates_.size() + reference_pairs_.size() - 2 * common;
}

/// What was said about the body by name.
void Pass::forget_body(BodyId body) {
    interest_.remove_body(body);
    pair_callbacks_.erase_body(body);
}

void Pass::forget_retired_bodies() {
    for (const std::uint32_t slot : retired_slots_) {
        if (slot >= bodies_.size() || !bodies_[slot].shape || bodies_[slot].alive) continue;
        const BodyId gone = id_of(slot);
        forget_body(gone);
        bodies_[slot] = BodyRecord{};
        bodies_[slot].generation = gone.generation;
        placed_[slot] = PairBody{};
    }
}

}  // namespace claybox::collision
