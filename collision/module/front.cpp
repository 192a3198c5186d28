#include "collision/module/front.hpp"

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

bool acceptable(const Vec3f& p) {
    const auto fits = [](float v) {
        return std::abs(static_cast<double>(v)) <= kMaxMagnitude;
    };  // false for NaN
    return fits(p.x) && fits(p.y) && fits(p.z);
}

/// Moves all of `fresh` behind what `batch` holds; an empty batch takes over the memory.
void append(EventBatch& batch, EventBatch& fresh) {
    if (batch.events.empty()) {
        std::swap(batch, fresh);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(batch.hits.size());
    for (Event& event : fresh.events) event.first_hit += offset;
    batch.events.insert(batch.events.end(), fresh.events.begin(), fresh.events.end());
    batch.hits.insert(batch.hits.end(), fresh.hits.begin(), fresh.hits.end());
}

}  // namespace

void Orders::clear() {
    settings.reset();
    interests.clear();
    callbacks.clear();
}

void Orders::merge(Orders& later) {
    if (later.settings) settings = std::move(later.settings);
    interests.insert(interests.end(), later.interests.begin(), later.interests.end());
    callbacks.insert(callbacks.end(), std::make_move_iterator(later.callbacks.begin()),
                     std::make_move_iterator(later.callbacks.end()));
    later.clear();
}

MovedBody& Front::enter(BodyId body, Author author) {
    MovedBody& entry = (author == Author::application ? open_ : published_).enter(body.slot);
    entry.generation = body.generation;
    return entry;
}

Result<BodyId> Front::add(const BodyDef& def, Author author, std::uint64_t frame) {
    if (!def.shape) return Error{"body: expected a shape", {}, 0};
    if (def.group >= kGroupCount)
        return Error{
            "body: group " + std::to_string(def.group) + " is not below " + std::to_string(kGroupCount),
            {},
            0};
    auto pose = checked(def.pose);
    if (!pose) return pose.error();
    auto added = std::make_unique<BodyDef>(def);
    added->pose = pose.value();

    const std::lock_guard lock(mutex_);
    if (free_slots_.empty()) {
        free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.emplace_back();
    }
    BodyId id;
    id.slot = free_slots_.back();
    free_slots_.pop_back();
    Slot& slot = slots_[id.slot];
    id.generation = ++slot.generation;
    slot.alive = true;
    slot.deformable = def.deformable;
    slot.vertex_count = static_cast<std::uint32_t>(def.shape->geometry().positions.size());
    ++alive_count_;

    MovedBody& entry = enter(id, author);
    // What may stand here is of a body that had the slot before.
    entry.moved = entry.by_callback = entry.removed = false;
    entry.changes.clear();
    entry.added = std::move(added);
    entry.frame = frame;
    // Numbers of the application and of callbacks are apart, so that they do not depend on when passes run.
    const auto index = static_cast<std::size_t>(author);
    entry.creation = 2 * created_[index]++ + index;
    return id;
}

Status Front::remove(BodyId body, Author author, std::uint64_t frame) {
    const std::lock_guard lock(mutex_);
    if (!is_alive(body)) return stale(body);
    slots_[body.slot].alive = false;
    --alive_count_;
    // A callback may remove a body whose first frame is not over.
    const MovedBody* const fresh = open_.find(body.slot);
    if (fresh && fresh->added) author = Author::application;
    MovedBody& entry = enter(body, author);
    entry.removed = true;
    entry.frame = std::max(entry.frame, frame);
    return Done{};
}

Status Front::move(BodyId body, const Pose& pose) {
    auto good = checked(pose);
    if (!good) return good.error();
    const std::lock_guard lock(mutex_);
    if (!is_alive(body)) return stale(body);
    MovedBody& entry = enter(body, Author::application);
    entry.moved = true;
    entry.pose = good.value();
    return Done{};
}

void Front::respond(BodyId body, const Pose& pose, std::uint64_t frame) {
    const auto good = checked(pose);
    if (!good) return;
    const std::lock_guard lock(mutex_);
    if (!is_alive(body)) return;
    const MovedBody* const waiting = published_.find(body.slot);
    if (waiting && waiting->moved && !waiting->by_callback && waiting->frame >= frame) return;
    MovedBody& entry = enter(body, Author::callback);
    entry.moved = entry.by_callback = true;
    entry.pose = good.value();
    entry.frame = std::max(entry.frame, frame);
}

Status Front::deform(BodyId body, std::span<const VertexChange> changes) {
    const std::lock_guard lock(mutex_);
    if (!is_alive(body)) return stale(body);
    const Slot& slot = slots_[body.slot];
    const auto name = [&] { return "body " + std::to_string(body.slot); };
    if (!slot.deformable) return Error{name() + ": expected a deformable body", {}, 0};
    for (const VertexChange& change : changes) {
        if (change.vertex >= slot.vertex_count)
            return Error{name() + ": vertex " + std::to_string(change.vertex) + " of " +
                             std::to_string(slot.vertex_count) + " does not exist",
                         {},
                         0};
        if (!acceptable(change.position))
            return Error{name() + ": the position of vertex " + std::to_string(change.vertex) +
                             " is not finite or too large",
                         {},
                         0};
    }
    if (changes.empty()) return Done{};
    open_.add_changes(enter(body, Author::application), changes, slot.vertex_count);
    return Done{};
}

void Front::publish(std::uint64_t frame) {
    {
        const std::lock_guard lock(mutex_);
        open_.stamp_frame(frame);
        if (published_.empty())
            std::swap(open_, published_);
        else
            published_.merge(open_);
        published_orders_.merge(open_orders_);
        frame_ = frame;
        ++published_count_;
    }
    work_.notify_one();
}

bool Front::alive(BodyId body) const {
    const std::lock_guard lock(mutex_);
    return is_alive(body);
}

std::size_t Front::body_count() const {
    const std::lock_guard lock(mutex_);
    return alive_count_;
}

std::uint64_t Front::take(MovedList& list, Orders& orders) {
    CLAYBOX_ASSERT(list.empty());
    const std::lock_guard lock(mutex_);
    std::swap(list, published_);
    std::swap(orders, published_orders_);
    taken_count_ = published_count_;
    return frame_;
}

void Front::deliver(const Delivery& delivery) {
    {
        const std::lock_guard lock(mutex_);
        if (poll_limit_) {
            held_.push_back({delivery.stats.pass, std::exchange(delivery.events, {})});
        } else {
            append(outgoing_, delivery.events);
        }
        stats_ = delivery.stats;
        if (delivery.hardest) hardest_ = *delivery.hardest;
        std::swap(view_, delivery.view);
        free_slots_.insert(free_slots_.end(), delivery.forgotten.begin(), delivery.forgotten.end());
        keep_boundary(delivery.stats.frame);
        pass_memory_ = delivery.memory_bytes;
        done_count_ = taken_count_;
    }
    idle_.notify_all();
}

/// Holds up to twice as many as are given out, so that a shift is rare.
void Front::keep_boundary(std::uint64_t frame) {
    if (boundaries_.size() == 2 * kMostPassBoundaries)
        boundaries_.erase(boundaries_.begin(), boundaries_.begin() + kMostPassBoundaries);
    boundaries_.push_back(frame);
}

void Front::poll(EventBatch& out) {
    out.clear();
    const std::lock_guard lock(mutex_);
    std::swap(out, outgoing_);
    polled_pass_ = poll_limit_.value_or(stats_.pass);
    std::size_t due = 0;
    while (due < held_.size() && held_[due].pass <= polled_pass_) append(out, held_[due++].batch);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(due));
}

std::uint64_t Front::polled_pass() const {
    const std::lock_guard lock(mutex_);
    return polled_pass_;
}

void Front::limit_polls(std::uint64_t pass) {
    const std::lock_guard lock(mutex_);
    poll_limit_ = pass;
}

PassStats Front::stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
}

HardestPair Front::hardest_pair() const {
    const std::lock_guard lock(mutex_);
    return hardest_;
}

std::size_t Front::view_limit() const {
    const std::lock_guard lock(mutex_);
    return view_limit_;
}

void Front::want_view(std::size_t limit) {
    const std::lock_guard lock(mutex_);
    view_limit_ = limit;
}

std::vector<Aabb> Front::view() const {
    const std::lock_guard lock(mutex_);
    return view_;
}

std::vector<std::uint64_t> Front::take_boundaries() {
    const std::lock_guard lock(mutex_);
    const std::size_t many = boundaries_.size() - std::min(boundaries_.size(), kMostPassBoundaries);
    std::vector<std::uint64_t> out(boundaries_.begin() + static_cast<std::ptrdiff_t>(many),
                                   boundaries_.end());
    boundaries_.clear();  // keeps its memory: passes do not allocate
    return out;
}

std::size_t Front::memory_bytes() const {
    const std::lock_guard lock(mutex_);
    return pass_memory_ + slots_.capacity() * sizeof(Slot) + open_.memory_bytes() +
           published_.memory_bytes() + outgoing_.events.capacity() * sizeof(Event) +
           outgoing_.hits.capacity() * sizeof(Hit) + view_.capacity() * sizeof(Aabb) +
           boundaries_.capacity() * sizeof(std::uint64_t);
}

bool Front::wait_for_work(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    return work_.wait(lock, stop, [this] { return taken_count_ != published_count_; }) &&
           !stop.stop_requested();
}

void Front::wait_idle() {
    std::unique_lock lock(mutex_);
    const std::uint64_t wanted = published_count_;
    idle_.wait(lock, [&] { return done_count_ >= wanted; });
}

}  // namespace claybox::collision
