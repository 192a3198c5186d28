#include "collision/module/front.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace claybox::collision {

namespace {

Error stale(BodyId body) {
    return Error{
        "body " + std::to_string(body.slot) + ": expected a body of this world, it has been removed", {}, 0};
}

Error stale(GroupId group) {
    return Error{
        "group " + std::to_string(group.slot) + ": expected a scene group of this world, it has been removed",
        {},
        0};
}

bool acceptable(const Vec3f& p) {
    const auto fits = [](float v) {
        return std::abs(static_cast<double>(v)) <= kMaxMagnitude;
    };  // false for NaN
    return fits(p.x) && fits(p.y) && fits(p.z);
}

/// Moves all of `fresh` behind what `batch` holds; an empty batch takes over the memory.
void append(EventBatch& batch, EventBatch& fresh) {
    if (batch.empty()) {
        std::swap(batch, fresh);
    } else {
        const auto offset = static_cast<std::uint32_t>(batch.hits.size());
        for (Event& event : fresh.events) event.first_hit += offset;
        batch.events.insert(batch.events.end(), fresh.events.begin(), fresh.events.end());
        batch.hits.insert(batch.hits.end(), fresh.hits.begin(), fresh.hits.end());
        const auto answer_offset = static_cast<std::uint32_t>(batch.answer_hits.size());
        for (Answer& answer : fresh.answers) answer.first_hit += answer_offset;
        batch.answers.insert(batch.answers.end(), fresh.answers.begin(), fresh.answers.end());
        batch.answer_hits.insert(batch.answer_hits.end(), fresh.answer_hits.begin(), fresh.answer_hits.end());
    }
    fresh.clear();
}

/// Holds up to twice as many as are given out, so that a shift is rare.
void append(std::vector<PassBoundary>& all, std::vector<PassBoundary>& fresh) {
    all.insert(all.end(), fresh.begin(), fresh.end());
    fresh.clear();
    if (all.size() >= 2 * kMostPassBoundaries)
        all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(kMostPassBoundaries));
}

}  // namespace

void Orders::clear() {
    settings.reset();
    interests.clear();
    callbacks.clear();
    questions.clear();
}

void Orders::merge(Orders& later) {
    if (later.settings) settings = std::move(later.settings);
    interests.insert(interests.end(), later.interests.begin(), later.interests.end());
    callbacks.insert(callbacks.end(), std::make_move_iterator(later.callbacks.begin()),
                     std::make_move_iterator(later.callbacks.end()));
    questions.insert(questions.end(), std::make_move_iterator(later.questions.begin()),
                     std::make_move_iterator(later.questions.end()));
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
    forgotten_groups.insert(forgotten_groups.end(), later.forgotten_groups.begin(),
                            later.forgotten_groups.end());
    later.forgotten_groups.clear();
}

Result<BodyId> Front::add(const BodyDef& def, Author author, MovedList& list, std::uint64_t frame) {
    if (!def.shape) return Error{"body: expected a shape", {}, 0};
    if (def.group >= kGroupCount)
        return Error{
            "body: group " + std::to_string(def.group) + " is not below " + std::to_string(kGroupCount),
            {},
            0};
    const auto pose = checked(def.pose);
    if (!pose) return pose.error();
    Side& side = sides_[author];
    const auto vertices = static_cast<std::uint32_t>(def.shape->geometry().positions.size());
    const BodyId id = slots_.open(side.slots, def.deformable ? vertices : kNoIndex);
    MovedBody& entry = list.enter(id);
    entry.added = std::make_unique<BodyDef>(def);
    entry.added->pose = pose.value();
    entry.frame = frame;
    // Numbers of the application and of callbacks are apart, so that they do not depend on when passes run.
    entry.creation = 2 * side.created++ + author;
    return id;
}

Result<BodyId> Front::add(const BodyDef& def) {
    if (def.parent && !group_names_.alive(def.parent)) return stale(def.parent);
    return add(def, kApplication, open_->list, 0);
}

Status Front::remove(BodyId body) {
    if (!slots_.close(body)) return stale(body);
    open_->list.enter(body).removed = true;
    return Done{};
}

Status Front::move(BodyId body, const Pose& pose) {
    const auto good = checked(pose);
    if (!good) return good.error();
    if (!alive(body)) return stale(body);
    MovedBody& entry = open_->list.enter(body);
    entry.moved = true;
    entry.pose = good.value();
    return Done{};
}

Status Front::deform(BodyId body, std::span<const VertexChange> changes) {
    if (!alive(body)) return stale(body);
    const std::uint32_t vertices = slots_.vertices(body);
    const auto name = [&] { return "body " + std::to_string(body.slot); };
    if (vertices == kNoIndex) return Error{name() + ": expected a deformable body", {}, 0};
    for (const VertexChange& change : changes) {
        if (change.vertex >= vertices)
            return Error{name() + ": vertex " + std::to_string(change.vertex) + " of " +
                             std::to_string(vertices) + " does not exist",
                         {},
                         0};
        if (!acceptable(change.position))
            return Error{name() + ": the position of vertex " + std::to_string(change.vertex) +
                             " is not finite or too large",
                         {},
                         0};
    }
    if (changes.empty()) return Done{};
    open_->list.add_changes(open_->list.enter(body), changes, vertices);
    return Done{};
}

Result<GroupId> Front::add_group(const GroupDef& def) {
    if (def.parent && !group_names_.alive(def.parent)) return stale(def.parent);
    const auto pose = checked(def.pose);
    if (!pose) return pose.error();
    if (!group_names_.has_free()) collect();  // passes may have given some free
    const GroupId id = group_names_.open();
    MovedGroup& entry = open_->groups.enter(id);
    entry.added = entry.moved = true;
    entry.parent = def.parent;
    entry.pose = pose.value();
    return id;
}

Status Front::move_group(GroupId group, const Pose& pose) {
    const auto good = checked(pose);
    if (!good) return good.error();
    if (!group_names_.alive(group)) return stale(group);
    MovedGroup& entry = open_->groups.enter(group);
    entry.moved = true;
    entry.pose = good.value();
    return Done{};
}

Status Front::remove_group(GroupId group) {
    if (!group_names_.close(group)) return stale(group);
    open_->groups.enter(group).removed = true;
    return Done{};
}

void Front::publish(std::uint64_t frame) {
    open_->list.stamp_frame(frame);
    open_->groups.stamp_frame(frame);
    std::unique_ptr<Incoming> waiting = incoming_.take_back();
    if (waiting) {
        waiting->list.merge(open_->list);
        waiting->groups.merge(open_->groups);
        waiting->orders.merge(open_->orders);
    } else {
        waiting = std::exchange(open_, incoming_.blank());
    }
    waiting->frame = frame;
    waiting->number = ++published_;
    incoming_.send(std::move(waiting));
    wake();
}

void Front::wake() {
    bell_.fetch_add(1);
    bell_.notify_one();
}

void Front::collect() {
    std::unique_ptr<PassReport> fresh = reports_.receive();
    if (!fresh) return;
    if (poll_limit_) {
        held_.push_back({fresh->stats.pass, std::exchange(fresh->events, {})});
    }
    report_.merge(*fresh);
    reports_.give_back(std::move(fresh));
    group_names_.release(report_.forgotten_groups);
    report_.forgotten_groups.clear();
}

const PassReport& Front::report() {
    collect();
    return report_;
}

void Front::poll(EventBatch& out) {
    collect();
    out.clear();
    std::swap(out, report_.events);
    polled_pass_ = poll_limit_.value_or(report_.stats.pass);
    std::size_t due = 0;
    while (due < held_.size() && held_[due].pass <= polled_pass_) append(out, held_[due++].batch);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(due));
}

void Front::limit_polls(std::uint64_t pass) {
    collect();
    poll_limit_ = pass;
}

std::vector<PassBoundary> Front::take_boundaries() {
    collect();
    std::vector<PassBoundary>& all = report_.boundaries;
    const std::size_t many = all.size() - std::min(all.size(), kMostPassBoundaries);
    std::vector<PassBoundary> out(all.begin() + static_cast<std::ptrdiff_t>(many), all.end());
    all.clear();  // keeps its memory: reports do not allocate
    return out;
}

std::size_t Front::memory_bytes() {
    collect();
    std::size_t bytes = report_.memory_bytes + slots_.memory_bytes() + open_->list.memory_bytes() +
                        group_names_.memory_bytes() + open_->groups.memory_bytes() +
                        report_.events.events.capacity() * sizeof(Event) +
                        report_.events.hits.capacity() * sizeof(Hit) + report_.view.memory_bytes() +
                        report_.boundaries.capacity() * sizeof(PassBoundary);
    if (std::unique_ptr<Incoming> waiting = incoming_.take_back()) {
        bytes += waiting->list.memory_bytes() + waiting->groups.memory_bytes();
        incoming_.send(std::move(waiting));
        wake();  // a pass may have found the box empty
    }
    return bytes;
}

void Front::wait_idle() {
    for (std::uint32_t done = done_.load(); done != published_; done = done_.load()) done_.wait(done);
}

bool Front::wait_for_work(const std::stop_token& stop) {
    for (;;) {
        const std::uint32_t rung = bell_.load();
        if (stop.stop_requested()) return false;
        // Taken at once: the application may take it back to add to it, and a pass without it would be one
        // too many.
        claimed_ = incoming_.receive();
        if (claimed_) return true;
        bell_.wait(rung);
    }
}

std::uint64_t Front::take(MovedList& list, GroupList& groups, Orders& orders) {
    CLAYBOX_ASSERT(list.empty() && groups.empty());
    std::swap(list, responses_);
    std::unique_ptr<Incoming> fresh = claimed_ ? std::move(claimed_) : incoming_.receive();
    if (!fresh) return frame_;
    taken_ = fresh->number;
    frame_ = fresh->frame;
    std::swap(orders, fresh->orders);
    std::swap(groups, fresh->groups);
    if (list.empty())
        std::swap(list, fresh->list);
    else
        list.merge(fresh->list);
    incoming_.give_back(std::move(fresh));
    return frame_;
}

Result<BodyId> Front::add_response(const BodyDef& def, std::uint64_t frame) {
    return add(def, kCallback, responses_, frame);
}

void Front::remove_response(BodyId body, std::uint64_t frame) {
    if (!slots_.close(body)) return;  // gone already, which is what the caller wants
    MovedBody& entry = responses_.enter(body);
    entry.removed = true;
    entry.frame = frame;
}

void Front::move_response(BodyId body, const Pose& pose, std::uint64_t frame) {
    const auto good = checked(pose);
    if (!good || !alive(body)) return;
    MovedBody& entry = responses_.enter(body);
    entry.moved = true;
    entry.pose = good.value();
    entry.frame = frame;
}

void Front::keep_removal(const MovedBody& entry) {
    MovedBody& kept = responses_.enter({entry.slot, entry.generation});
    kept.removed = true;
    kept.frame = entry.frame;
}

void Front::deliver(PassReport& report, std::span<const std::uint32_t> forgotten) {
    slots_.release(forgotten);
    std::unique_ptr<PassReport> waiting = reports_.take_back();
    if (!waiting) waiting = reports_.blank();
    waiting->merge(report);
    reports_.send(std::move(waiting));
    done_.store(taken_);
    done_.notify_all();
}

}  // namespace claybox::collision
