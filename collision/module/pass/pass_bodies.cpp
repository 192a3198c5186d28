#include "collision/module/pass/pass_runner.hpp"
#include "collision/pairwise/bvh/prepared_bvh.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace claybox::collision {

namespace {

/// Below this number, waking the workers for the loops of a pass does not pay.
constexpr std::size_t kMinBurstBodies = 64;
/// Above this number, the workers would fall asleep before the first loop.
constexpr std::size_t kMaxEarlyBurstBodies = 4096;

std::uint64_t hash_of(std::uint64_t creation, const Matrix34f& matrix) {
    StateHash hash;
    hash.add(creation);
    // Two numbers at a time, since every moved body is hashed. Adding 0 gives -0 and 0 the same hash.
    for (std::size_t i = 0; i < 12; i += 2) {
        const auto high = std::bit_cast<std::uint32_t>(matrix.m[i] + 0.0f);
        const auto low = std::bit_cast<std::uint32_t>(matrix.m[i + 1] + 0.0f);
        hash.add(std::uint64_t{high} << 32 | low);
    }
    return hash.value();
}

}  // namespace

void PassRunner::apply_moved_list() {
    // Workers take a while to wake up, but do not stay awake for long without a loop.
    const std::size_t changes = list_.bodies().size();
    if (changes >= kMinBurstBodies && changes <= kMaxEarlyBurstBodies) burst_.emplace(*executor_);
    moved_.start_round();
    touched_.start_round();
    moved_slots_.clear();
    entered_slots_.clear();
    last_world_poses_.clear();
    // Only if this pass may be the first with sweeps.
    keeps_last_poses_ = !sweeps_.active() && (sweep_rules_changed_ || !commands_.interests.empty());
    groups_.apply(group_list_.groups());
    for (MovedBody& entry : list_.bodies()) apply_entry(entry);
    const auto with_group = [this](std::uint32_t slot, std::uint64_t frame, Arrival arrival) {
        move_with_group(slot, frame, arrival);
    };
    groups_.remove(group_list_.groups(), with_group, report_.released_groups);
    if (!burst_ && (changes >= kMinBurstBodies || !group_list_.empty())) burst_.emplace(*executor_);
    groups_.update_poses(*executor_, with_group);
    settle_swept_bodies();
    sort_moved_slots();
    stats_.moved = moved_slots_.size();
    stats_.bodies = alive_count_;
}

void PassRunner::apply_entry(MovedBody& entry) {
    if (entry.added && entry.removed) {
        retired_slots_.push_back(entry.slot);  // added and removed between two passes
        return;
    }
    if (entry.added) insert_body(entry);
    const bool unknown = entry.slot >= bodies_.size() || entry.generation > bodies_[entry.slot].generation;
    if (entry.removed && unknown) exchange_.defer_removal(entry);
    if (!knows({entry.slot, entry.generation}) || !bodies_[entry.slot].alive) return;
    if (entry.removed) {
        retire_body(entry.slot);
        return;
    }
    BodyRecord& body = bodies_[entry.slot];
    body.frame = entry.frame;
    if (entry.moved) {
        if (keeps_last_poses_)
            std::swap(body.pose, entry.pose);
        else
            body.pose = entry.pose;
    }
    if (entry.start != kNoIndex) restart_sweep(entry.slot, list_.start(entry));
    if (!entry.changes.empty()) deform_body(body, entry);
    moved_slots_.push_back(entry.slot);
    moved_.mark(entry.slot);
}

void PassRunner::move_with_group(std::uint32_t slot, std::uint64_t frame, Arrival arrival) {
    bodies_[slot].frame = std::max(bodies_[slot].frame, frame);
    if (arrival == Arrival::placed) restart_sweep(slot, bodies_[slot].pose);
    if (moved_.marked(slot)) return;
    moved_slots_.push_back(slot);
    moved_.mark(slot);
}

/// When many bodies moved, collecting the marks is faster than sorting.
void PassRunner::sort_moved_slots() {
    constexpr std::size_t kBodiesPerSort = 8;
    if (kBodiesPerSort * moved_slots_.size() < bodies_.size()) {
        std::sort(moved_slots_.begin(), moved_slots_.end());
        return;
    }
    moved_slots_.clear();
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (moved_.marked(slot)) moved_slots_.push_back(slot);
}

void PassRunner::insert_body(MovedBody& entry) {
    if (entry.slot >= bodies_.size()) {
        const std::size_t count = entry.slot + std::size_t{1};
        bodies_.resize(count);
        placed_.resize(count);
        creation_.resize(count);
        hash_of_body_.resize(count);
        bounds_.resize(count);
        sweeps_.resize(count);
        moved_.resize(count);
        touched_.resize(count);
    }
    BodyRecord& body = bodies_[entry.slot];
    body = BodyRecord{};
    body.shape = std::move(entry.added->shape);
    ReadyBody* const ready = entry.added->ready.get();
    if (ready && ready->geometry)
        body.own = std::move(ready->geometry);
    else if (entry.added->deformable)
        body.own = std::make_unique<Geometry>(body.shape->geometry());
    body.pose = entry.added->pose;
    body.data = entry.added->data;
    body.group = entry.added->group;
    body.continuous = entry.added->continuous;
    if (body.continuous) count_continuous(body.group, 1);
    creation_[entry.slot] = entry.creation;
    hash_of_body_[entry.slot] = 0;
    body.generation = entry.generation;
    body.alive = true;
    groups_.attach(entry.slot, entry.added->parent);
    if (entry.moved && entry.start == kNoIndex) list_.set_start(entry, entry.added->pose);
    placed_[entry.slot] = {
        body.shape.get(), body.own ? body.own.get() : &body.shape->geometry(), nullptr, {}};
    if (ready) take_prepared(entry.slot, *ready);
    entry.added.reset();
    entered_slots_.push_back(entry.slot);
    ++alive_count_;
}

/// The settings may have changed since the data were made; what no longer fits is made anew when needed.
void PassRunner::take_prepared(std::uint32_t slot, ReadyBody& ready) {
    BodyRecord& body = bodies_[slot];
    for (ReadyBody::Made& made : ready.made) {
        for (const Choice choice : {kChosen, kFallback}) {
            if (made.algorithm != algorithm(choice) || !made.prepared) continue;
            body.prepared[choice] = std::move(made.prepared);
            body.is_prepared[choice] = true;
        }
    }
    placed_[slot].prepared = body.prepared[kChosen].get();
}

void PassRunner::retire_body(std::uint32_t slot) {
    BodyRecord& body = bodies_[slot];
    body.alive = false;
    hash_of_poses_ -= hash_of_body_[slot];
    --alive_count_;
    touched_.mark(slot);  // ends its pairs
    broad_phase_->remove(slot);
    bounds_.forget(slot);
    sweeps_.forget(slot);
    if (body.continuous) count_continuous(body.group, -1);
    if (groups_.contains(slot)) last_world_poses_.emplace_back(slot, groups_.world_pose(slot, body.pose));
    groups_.detach(slot);
    retired_slots_.push_back(slot);
}

void PassRunner::deform_body(BodyRecord& body, MovedBody& entry) {
    change_merger_.keep_newest(entry.changes);
    const Status status = deform(*body.own, entry.changes, touched_polygons_);
    CLAYBOX_ASSERT(status.ok());  // FrameExchange::deform has validated every number
    if (!status.ok()) return;
    bounds_.note_changes(entry.slot, entry.changes);
    update_sweep_data(entry.slot);
    if (body.tree) body.tree = update_bvh(std::move(body.tree), *body.own, touched_polygons_);
    for (const Choice choice : {kChosen, kFallback}) {
        if (!body.is_prepared[choice] || !body.prepared[choice]) continue;
        if (const auto update = algorithm(choice)->update)
            body.prepared[choice] = update(std::move(body.prepared[choice]), *body.own, touched_polygons_);
        else
            body.is_prepared[choice] = false;
    }
    placed_[entry.slot].prepared = body.prepared[kChosen].get();
}

/// Runs for several bodies in parallel.
void PassRunner::place_body(std::uint32_t slot, Worker& worker) {
    PairBody& body = placed_[slot];
    const Pose pose = groups_.world_pose(slot, bodies_[slot].pose);
    const Matrix34f matrix = to_matrix(pose);
    const bool still = matrix.m == body.world_from_body.m;
    if (sweeps_.active()) {
        const LastPlace last{body.world_from_body, bounds_.placed_box(slot)};
        body.world_from_body = matrix;
        bounds_.place(slot, body, still);
        sweep_body(slot, pose, last);
    } else {
        body.world_from_body = matrix;
        bounds_.place(slot, body, still);
    }
    std::uint64_t& hash = hash_of_body_[slot];
    worker.hash_change -= hash;
    hash = hash_of(creation_[slot], matrix);
    worker.hash_change += hash;
}

void PassRunner::place_moved_bodies() {
    executor_->parallel_for(moved_slots_.size(), 64,
                            [&](std::size_t begin, std::size_t end, unsigned worker) {
                                for (std::size_t i = begin; i < end; ++i)
                                    place_body(moved_slots_[i], *workers_[worker]);
                            });
    for (const auto& worker : workers_) hash_of_poses_ += std::exchange(worker->hash_change, 0);
    if (!sweeps_.active()) return;
    sweeps_.finish(moved_slots_);
    stats_.swept = sweeps_.swept_slots().size();
}

void PassRunner::release_retired_bodies() {
    for (const std::uint32_t slot : retired_slots_) {
        if (slot >= bodies_.size() || !bodies_[slot].shape || bodies_[slot].alive) continue;
        const BodyId gone = id_of(slot);
        interest_.remove_body(gone);
        pair_callbacks_.erase_body(gone);
        bodies_[slot] = BodyRecord{};
        bodies_[slot].generation = gone.generation;
        placed_[slot] = PairBody{};
    }
}

}  // namespace claybox::collision
