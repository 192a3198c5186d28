#include "collision/module/exchange/frame_exchange.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace claybox::collision {

namespace {

Error stale_error(BodyId body) {
    return Error{
        "body " + std::to_string(body.slot) + ": expected a body of this world, but it was removed", {}, 0};
}

Error stale_error(GroupId group) {
    return Error{
        "group " + std::to_string(group.slot) + ": expected a scene group of this world, but it was removed",
        {},
        0};
}

bool in_range(const Vec3f& p) {
    const auto fits = [](float v) {
        return std::abs(static_cast<double>(v)) <= kMaxMagnitude;
    };  // false for NaN
    return fits(p.x) && fits(p.y) && fits(p.z);
}

/// Whether `ready` can become the body that `def` describes.
bool fits(const ReadyBody& ready, const BodyDef& def) {
    return def.deformable && ready.geometry && ready.geometry->topology == def.shape->geometry().topology;
}

/// Appends `fresh` to `batch` and empties it. Swaps when `batch` is empty.
void append(EventBatch& batch, EventBatch& fresh) {
    if (batch.empty()) {
        std::swap(batch, fresh);
    } else {
        const auto offset = static_cast<std::uint32_t>(batch.hits.size());
        const auto impact_offset = static_cast<std::uint32_t>(batch.impacts.size());
        for (Event& event : fresh.events) {
            event.first_hit += offset;
            if (event.impact != kNoIndex) event.impact += impact_offset;
        }
        const auto motion_hit_offset = static_cast<std::uint32_t>(batch.motion_hits.size());
        for (Impact& impact : fresh.impacts) impact.first_hit += motion_hit_offset;
        batch.impacts.insert(batch.impacts.end(), fresh.impacts.begin(), fresh.impacts.end());
        batch.motion_hits.insert(batch.motion_hits.end(), fresh.motion_hits.begin(), fresh.motion_hits.end());
        batch.events.insert(batch.events.end(), fresh.events.begin(), fresh.events.end());
        batch.hits.insert(batch.hits.end(), fresh.hits.begin(), fresh.hits.end());
        const auto answer_hit_offset = static_cast<std::uint32_t>(batch.answer_hits.size());
        for (Answer& answer : fresh.answers) answer.first_hit += answer_hit_offset;
        batch.answers.insert(batch.answers.end(), fresh.answers.begin(), fresh.answers.end());
        batch.answer_hits.insert(batch.answer_hits.end(), fresh.answer_hits.begin(), fresh.answer_hits.end());
    }
    fresh.clear();
}

/// Keeps up to twice the returned number, which makes erasing from the front rare.
void append(std::vector<PassBoundary>& all, std::vector<PassBoundary>& fresh) {
    all.insert(all.end(), fresh.begin(), fresh.end());
    fresh.clear();
    if (all.size() >= 2 * kMaxPassBoundaries)
        all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(kMaxPassBoundaries));
}

}  // namespace

bool Commands::empty() const {
    return !settings && interests.empty() && callbacks.empty() && queries.empty();
}

void Commands::clear() {
    settings.reset();
    interests.clear();
    callbacks.clear();
    queries.clear();
}

void Commands::merge(Commands& later) {
    if (later.settings) settings = later.settings;
    interests.insert(interests.end(), later.interests.begin(), later.interests.end());
    callbacks.insert(callbacks.end(), std::make_move_iterator(later.callbacks.begin()),
                     std::make_move_iterator(later.callbacks.end()));
    queries.insert(queries.end(), std::make_move_iterator(later.queries.begin()),
                   std::make_move_iterator(later.queries.end()));
    later.clear();
}

void PassReport::merge(PassReport& later) {
    append(events, later.events);
    stats = later.stats;
    if (std::exchange(later.hardest_changed, false)) {
        hardest = std::move(later.hardest);
        hardest_changed = true;
    }
    std::swap(view, later.view);
    append(boundaries, later.boundaries);
    memory_bytes = later.memory_bytes;
    if (!later.memory.empty()) std::swap(memory, later.memory);
    later.memory.clear();
    released_groups.insert(released_groups.end(), later.released_groups.begin(), later.released_groups.end());
    later.released_groups.clear();
}

Result<BodyId> FrameExchange::add(const BodyDef& def, Author author, MovedList& list, std::uint64_t frame) {
    if (!def.shape) return Error{"body: expected a shape", {}, 0};
    if (def.group >= kGroupCount)
        return Error{"body: group " + std::to_string(def.group) + ", expected less than " +
                         std::to_string(kGroupCount),
                     {},
                     0};
    if (def.ready && !fits(*def.ready, def))
        return Error{"body: expected a deformable body, and data made for its shape", {}, 0};
    const auto pose = checked(def.pose);
    if (!pose) return pose.error();
    AuthorState& state = authors_[author];
    const auto vertices = static_cast<std::uint32_t>(def.shape->geometry().positions.size());
    const BodyId id = slots_.open(state.free_slots, def.deformable ? vertices : kNoIndex);
    MovedBody& entry = list.entry_for(id);
    entry.added = std::make_unique<BodyDef>(def);
    entry.added->pose = pose.value();
    entry.frame = frame;
    // Application and callbacks number separately: creation numbers must not depend on when passes run.
    entry.creation = 2 * state.created++ + author;
    return id;
}

Result<BodyId> FrameExchange::add(const BodyDef& def) {
    if (def.parent && !group_ids_.alive(def.parent)) return stale_error(def.parent);
    return add(def, kApplication, open_->list, 0);
}

Status FrameExchange::remove(BodyId body) {
    if (!slots_.close(body)) return stale_error(body);
    open_->list.entry_for(body).removed = true;
    return Done{};
}

Status FrameExchange::move(BodyId body, const Pose& pose, Arrival arrival) {
    const auto valid = checked(pose);
    if (!valid) return valid.error();
    if (!alive(body)) return stale_error(body);
    open_->list.set_pose(open_->list.entry_for(body), valid.value(), arrival);
    return Done{};
}

Status FrameExchange::deform(BodyId body, std::span<const VertexChange> changes) {
    if (!alive(body)) return stale_error(body);
    const std::uint32_t vertices = slots_.vertices(body);
    const auto name = [&] { return "body " + std::to_string(body.slot); };
    if (vertices == kNoIndex) return Error{name() + ": expected a deformable body", {}, 0};
    for (const VertexChange& change : changes) {
        if (change.vertex >= vertices)
            return Error{name() + ": vertex " + std::to_string(change.vertex) + " of " +
                             std::to_string(vertices) + " does not exist",
                         {},
                         0};
        if (!in_range(change.position))
            return Error{name() + ": the position of vertex " + std::to_string(change.vertex) +
                             " is not finite or too large",
                         {},
                         0};
    }
    if (changes.empty()) return Done{};
    open_->list.add_changes(open_->list.entry_for(body), changes, vertices);
    return Done{};
}

Result<GroupId> FrameExchange::add_group(const GroupDef& def) {
    if (def.parent && !group_ids_.alive(def.parent)) return stale_error(def.parent);
    const auto pose = checked(def.pose);
    if (!pose) return pose.error();
    if (!group_ids_.has_free()) collect();  // finished passes may have released slots
    const GroupId id = group_ids_.open();
    MovedGroup& entry = open_->groups.entry_for(id);
    entry.added = entry.moved = true;
    entry.parent = def.parent;
    entry.pose = pose.value();
    return id;
}

Status FrameExchange::move_group(GroupId group, const Pose& pose, Arrival arrival) {
    const auto valid = checked(pose);
    if (!valid) return valid.error();
    if (!group_ids_.alive(group)) return stale_error(group);
    MovedGroup& entry = open_->groups.entry_for(group);
    entry.moved = true;
    entry.restarted |= arrival == Arrival::placed;
    entry.pose = valid.value();
    return Done{};
}

Status FrameExchange::remove_group(GroupId group) {
    if (!group_ids_.close(group)) return stale_error(group);
    open_->groups.entry_for(group).removed = true;
    return Done{};
}

void FrameExchange::publish(std::uint64_t frame) {
    open_->list.stamp_frame(frame);
    open_->groups.stamp_frame(frame);
    std::unique_ptr<FrameInput> waiting = incoming_.take_back();
    if (waiting) {
        waiting->list.merge(open_->list);
        waiting->groups.merge(open_->groups);
        waiting->commands.merge(open_->commands);
    } else {
        waiting = std::exchange(open_, incoming_.blank());
    }
    waiting->frame = frame;
    waiting->number = ++published_;
    incoming_.send(std::move(waiting));
    wake();
}

void FrameExchange::wake() {
    work_signal_.increment();
}

void FrameExchange::collect() {
    std::unique_ptr<PassReport> fresh = reports_.receive();
    if (!fresh) return;
    if (poll_limit_) {
        held_.push_back({fresh->stats.pass, std::exchange(fresh->events, {})});
    }
    report_.merge(*fresh);
    reports_.give_back(std::move(fresh));
    group_ids_.release(report_.released_groups);
    report_.released_groups.clear();
}

const PassReport& FrameExchange::report() {
    collect();
    return report_;
}

void FrameExchange::poll(EventBatch& out) {
    collect();
    out.clear();
    std::swap(out, report_.events);
    polled_pass_ = poll_limit_.value_or(report_.stats.pass);
    std::size_t due = 0;
    while (due < held_.size() && held_[due].pass <= polled_pass_) append(out, held_[due++].batch);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(due));
}

void FrameExchange::limit_polling(std::uint64_t pass) {
    collect();
    poll_limit_ = pass;
}

void FrameExchange::end_polling_limit() {
    collect();
    poll_limit_.reset();
    for (HeldBatch& held : held_) append(report_.events, held.batch);
    held_.clear();
}

std::vector<PassBoundary> FrameExchange::take_pass_boundaries() {
    collect();
    std::vector<PassBoundary>& all = report_.boundaries;
    const std::size_t dropped = all.size() - std::min(all.size(), kMaxPassBoundaries);
    std::vector<PassBoundary> out(all.begin() + static_cast<std::ptrdiff_t>(dropped), all.end());
    all.clear();  // keeps its memory: delivering reports must not allocate
    return out;
}

std::size_t FrameExchange::memory_bytes() {
    collect();
    std::size_t bytes = report_.memory_bytes + slots_.memory_bytes() + open_->list.memory_bytes() +
                        group_ids_.memory_bytes() + open_->groups.memory_bytes() +
                        report_.events.events.capacity() * sizeof(Event) +
                        report_.events.hits.capacity() * sizeof(Hit) +
                        report_.events.impacts.capacity() * sizeof(Impact) +
                        report_.events.motion_hits.capacity() * sizeof(MotionHit) +
                        report_.view.memory_bytes() + report_.boundaries.capacity() * sizeof(PassBoundary);
    if (std::unique_ptr<FrameInput> waiting = incoming_.take_back()) {
        bytes += waiting->list.memory_bytes() + waiting->groups.memory_bytes();
        incoming_.send(std::move(waiting));
        wake();  // the pass thread may have found the mailbox empty
    }
    return bytes;
}

void FrameExchange::wait_idle() {
    for (std::uint32_t done = done_.load(); done != published_ && !passes_ended(); done = done_.load())
        done_.wait(done);
}

void FrameExchange::finish_pass() {
    done_.store(taken_);
}

void FrameExchange::end_passes() {
    ended_.store(true, std::memory_order_release);
    done_.increment();  // another value wakes those who wait
}

bool FrameExchange::wait_for_work(const StopToken& stop) {
    for (;;) {
        const std::uint32_t signal = work_signal_.load();
        if (stop.stop_requested()) return false;
        // Claim it now: the application might take it back to merge a frame, and the pass would find nothing.
        claimed_ = incoming_.receive();
        if (claimed_) return true;
        work_signal_.wait(signal);
    }
}

std::uint64_t FrameExchange::take(MovedList& list, GroupList& groups, Commands& commands) {
    CLAYBOX_ASSERT(list.empty() && groups.empty() && commands.empty());
    // Swapping only what is not empty saves 9 % of a pass of one pair.
    if (!responses_.empty()) std::swap(list, responses_);
    std::unique_ptr<FrameInput> fresh = claimed_ ? std::move(claimed_) : incoming_.receive();
    if (!fresh) return frame_;
    taken_ = fresh->number;
    frame_ = fresh->frame;
    if (!fresh->commands.empty()) std::swap(commands, fresh->commands);
    if (!fresh->groups.empty()) std::swap(groups, fresh->groups);
    if (list.empty())
        std::swap(list, fresh->list);
    else
        list.merge(fresh->list);
    incoming_.give_back(std::move(fresh));
    return frame_;
}

Result<BodyId> FrameExchange::add_response(const BodyDef& def, std::uint64_t frame) {
    return add(def, kCallback, responses_, frame);
}

void FrameExchange::remove_response(BodyId body, std::uint64_t frame) {
    if (!slots_.close(body)) return;  // already removed: nothing to do
    MovedBody& entry = responses_.entry_for(body);
    entry.removed = true;
    entry.frame = frame;
}

void FrameExchange::move_response(BodyId body, const Pose& pose, Arrival arrival, std::uint64_t frame) {
    const auto valid = checked(pose);
    if (!valid || !alive(body)) return;
    MovedBody& entry = responses_.entry_for(body);
    responses_.set_pose(entry, valid.value(), arrival);
    entry.frame = frame;
}

void FrameExchange::defer_removal(const MovedBody& entry) {
    MovedBody& kept = responses_.entry_for({entry.slot, entry.generation});
    kept.removed = true;
    kept.frame = entry.frame;
}

void FrameExchange::deliver_report(PassReport& report, std::span<const std::uint32_t> released_slots) {
    slots_.release(released_slots);
    std::unique_ptr<PassReport> waiting = reports_.take_back();
    if (!waiting) waiting = reports_.blank();
    waiting->merge(report);
    reports_.send(std::move(waiting));
}

}  // namespace claybox::collision
