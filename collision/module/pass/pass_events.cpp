#include "collision/module/pass/contact_point.hpp"
#include "collision/module/pass/pass_runner.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

namespace {

constexpr std::size_t kEventsAhead = 8;  // tests whose states are prefetched

}  // namespace

void PassRunner::report_events() {
    events_.clear();
    hash_of_changes_ = 0;
    // Tests and ended pairs are both in key order.
    auto ended = pairs_.ended().begin();
    const auto last = pairs_.ended().end();
    for (std::size_t i = 0; i < tests_.size(); ++i) {
        if (i + kEventsAhead < tests_.size()) pairs_.prefetch_rest(tests_[i + kEventsAhead].state);
        const Test& test = tests_[i];
        for (; ended != last && ended->key < test.key; ++ended) report_end(ended->key, ended->data);
        report_test(test);
    }
    for (; ended != last; ++ended) report_end(ended->key, ended->data);
    stats_.colliding = colliding_count_;
}

void PassRunner::report_test(const Test& test) {
    PairState& state = pairs_.state(test.state);
    state.work = test.work;
    const bool before = state.colliding, now = test.verdict == Verdict::colliding;
    const bool was_along = std::exchange(state.along, test.choice == kContinuous);
    state.colliding = now;
    if (before && !now) report_end(test.key, state.data);
    if (!now) return;
    const std::uint32_t a = first_slot(test.key), b = second_slot(test.key);
    const auto has_moved = [&](std::uint32_t slot) {
        return moved_.marked(slot) && !sweeps_.is_settled(slot, stats_.pass);
    };
    if (before && !was_along && !has_moved(a) && !has_moved(b))
        return;  // tested again for another reason, without a change
    Event event = make_event(before ? EventKind::stay : EventKind::begin, test.key, state.data);
    const Worker& worker = *workers_[test.worker];
    const ContactRecord& contact = worker.contacts[test.contact];
    event.witness = contact.witness;
    event.first_hit = static_cast<std::uint32_t>(events_.hits.size());
    event.hit_count = contact.hit_count;
    if (contact.impact != kNoIndex) report_impact(test, contact, event);
    const auto first = worker.hits.begin() + contact.first_hit;
    events_.hits.insert(events_.hits.end(), first, first + contact.hit_count);
    if (contact.impact == kNoIndex)
        event.point_w = contact.hit_count > 0 ? first->point_w
                                              : contact_point(placed_[a], placed_[b], contact.witness,
                                                              bounds_.turned_box(a, placed_[a]),
                                                              bounds_.turned_box(b, placed_[b]));
    events_.events.push_back(event);
    if (before) return;
    ++stats_.begins;
    ++colliding_count_;
    const std::uint64_t name = pair_hash(test.key);
    hash_of_pairs_ += name;
    hash_of_changes_ += mix64(name ^ static_cast<std::uint64_t>(EventKind::begin));
}

void PassRunner::report_end(PairKey key, std::uint64_t data_of_pair) {
    events_.events.push_back(make_event(EventKind::end, key, data_of_pair));
    ++stats_.ends;
    --colliding_count_;
    const std::uint64_t name = pair_hash(key);
    hash_of_pairs_ -= name;
    hash_of_changes_ += mix64(name ^ static_cast<std::uint64_t>(EventKind::end));
}

Event PassRunner::make_event(EventKind kind, PairKey key, std::uint64_t data_of_pair) const {
    const std::uint32_t a = first_slot(key), b = second_slot(key);
    Event event;
    event.kind = kind;
    event.a = id_of(a);
    event.b = id_of(b);
    event.frame_a = bodies_[a].frame;
    event.frame_b = bodies_[b].frame;
    event.version_a = placed_[a].geometry->version;
    event.version_b = placed_[b].geometry->version;
    event.frame = stats_.frame;
    event.data = data_of_pair;
    return event;
}

/// A pair's own callback replaces the general one. Returns the exception of a callback, which ends the
/// callbacks of this pass: the pass itself must be completed before anybody sees the exception.
std::exception_ptr PassRunner::run_callbacks() {
    if (!callback_ && pair_callbacks_.empty()) return {};
    try {
        for (const Event& event : events_.events) {
            const EventCallback* const own = pair_callbacks_.find(event.a, event.b);
            const EventCallback& callback = own ? *own : callback_;
            if (!callback) continue;
            callback(event, {events_.hits.data() + event.first_hit, event.hit_count}, *this);
        }
    } catch (...) {
        return std::current_exception();
    }
    return {};
}

void PassRunner::answer_queries() {
    for (const PendingQuery& pending : queries_) {
        query_runner_.answer(pending.query, query_hits_);
        events_.answers.push_back({pending.ticket, stats_.frame,
                                   static_cast<std::uint32_t>(events_.answer_hits.size()),
                                   static_cast<std::uint32_t>(query_hits_.size())});
        events_.answer_hits.insert(events_.answer_hits.end(), query_hits_.begin(), query_hits_.end());
    }
    queries_.clear();
}

Status PassRunner::query_now(const WorldQuery& query, std::vector<QueryHit>& out) {
    out.clear();
    WorldQuery valid = query;
    const Status status = validate(valid);
    if (status) query_runner_.answer(valid, out);
    return status;
}

// Bodies and pairs enter as sums of well-mixed hashes. Sums need no order: only changes are hashed again.
void PassRunner::update_state_hash() {
    hash_.add(hash_of_poses_);
    hash_.add(hash_of_pairs_);
    hash_.add(hash_of_changes_);
    stats_.state_hash = hash_.value();
}

std::uint64_t PassRunner::pair_hash(PairKey key) const {
    const std::uint64_t a = creation_[first_slot(key)], b = creation_[second_slot(key)];
    return mix64(mix64(std::min(a, b)) + std::max(a, b));
}

const Pose& PassRunner::pose(BodyId body) const {
    static const Pose identity;
    return knows(body) ? bodies_[body.slot].pose : identity;
}

Pose PassRunner::world_pose(BodyId body) const {
    if (!knows(body)) return {};
    for (const auto& [slot, pose] : last_world_poses_)
        if (slot == body.slot) return pose;
    return groups_.world_pose(body.slot, bodies_[body.slot].pose);
}

std::uint64_t PassRunner::data(BodyId body) const {
    return knows(body) ? bodies_[body.slot].data : 0;
}

/// Hits exist only if both bodies were tested in this pass: their matrices are still valid.
std::size_t PassRunner::contacts(const Event& event, std::span<const Hit> hits, std::span<Contact> out) {
    if (hits.empty() || !knows(event.a) || !knows(event.b)) return 0;
    PairQuery query;
    query.a = placed_[event.a.slot];
    query.b = placed_[event.b.slot];
    query.scratch = &workers_.front()->scratch;
    return find_contacts(query, hits, out);
}

void PassRunner::move(BodyId body, const Pose& to, Arrival arrival) {
    exchange_.move_response(body, to, arrival, stats_.frame);
}

Result<BodyId> PassRunner::add_body(const BodyDef& def) {
    return exchange_.add_response(def, stats_.frame);
}

void PassRunner::remove_body(BodyId body) {
    exchange_.remove_response(body, stats_.frame);
}

}  // namespace claybox::collision
