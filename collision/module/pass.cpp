#include "collision/module/pass.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

Pass::Pass(Front& front, const WorldSettings& settings) : front_(front), executor_(make_serial_executor()) {
    workers_.push_back(std::make_unique<Worker>());
    take_settings(settings);
}

double Pass::lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - lap_start_).count();
    lap_start_ = now;
    return seconds;
}

void Pass::run() {
    CLAYBOX_ASSERT(!running_);  // a callback must not start a pass
    running_ = true;
    const std::uint64_t number = stats_.pass + 1;
    stats_ = PassStats{};
    stats_.pass = number;
    lap_start_ = std::chrono::steady_clock::now();
    stats_.frame = front_.take(list_, orders_);
    take_orders();
    stats_.seconds_take = lap();
    apply_list();
    place_moved_bodies();
    stats_.seconds_bounds = lap();
    find_candidates();
    stats_.seconds_broad = lap();
    choose_tests();
    run_tests();
    if (stop_.stop_requested()) return;  // tests are missing: nobody may hear of this pass
    stats_.seconds_narrow = lap();
    report_events();
    call_back();
    hash_state();
    forget_retired_bodies();
    gather_figures();
    stats_.seconds_events = lap();
    stats_.seconds_total = stats_.seconds_take + stats_.seconds_bounds + stats_.seconds_broad +
                           stats_.seconds_narrow + stats_.seconds_events;
    deliver();
    running_ = false;
}

void Pass::take_orders() {
    if (orders_.settings) take_settings(*orders_.settings);
    for (const InterestChange& change : orders_.interests) {
        switch (change.kind) {
            case InterestChange::Kind::groups:
                interest_.set_groups(change.group_a, change.group_b, change.interest);
                break;
            case InterestChange::Kind::exception:
                interest_.set_exception(change.a, change.b, change.interest);
                break;
            case InterestChange::Kind::clear_exception:
                interest_.remove_exception(change.a, change.b);
                break;
        }
        test_all_ = true;
    }
    for (CallbackChange& change : orders_.callbacks) {
        if (!change.a) {
            callback_ = std::move(change.callback);
            continue;
        }
        const auto same = [&](const PairCallback& known) {
            return known.a == change.a && known.b == change.b;
        };
        std::erase_if(pair_callbacks_, same);
        if (change.callback) pair_callbacks_.push_back({change.a, change.b, std::move(change.callback)});
    }
    if (!orders_.callbacks.empty())
        std::sort(pair_callbacks_.begin(), pair_callbacks_.end(),
                  [](const PairCallback& x, const PairCallback& y) {
                      return make_pair_key(x.a.slot, x.b.slot) < make_pair_key(y.a.slot, y.b.slot);
                  });
    orders_.clear();
}

void Pass::take_settings(const WorldSettings& next) {
    const WorldSettings old = std::exchange(settings_, next);
    const bool algorithm_changed =
        next.pair_algorithm != old.pair_algorithm || next.fallback_algorithm != old.fallback_algorithm ||
        next.solid_fallback != old.solid_fallback || next.pair_parameters != old.pair_parameters;
    if (algorithm_changed || next.exactness != old.exactness || next.solid != old.solid ||
        next.seed != old.seed) {
        test_all_ = true;
        pairs_.clear_caches();
        hardest_ = {};
        hardest_changed_ = true;
        parameters_[kChosen] = next.pair_parameters;
        for (const Choice choice : {kFallback, kSolidFallback})
            parameters_[choice] =
                algorithm(choice) ? default_values(algorithm(choice)->parameters) : ParameterValues{};
    }
    if (algorithm_changed)
        for (BodyRecord& body : bodies_) {
            body.prepared = {};
            body.prepared_made = {};
        }
    const unsigned workers = next.parallel == ParallelMode::serial ? 1 : next.workers;
    if (executor_->worker_count() != workers) {
        executor_ = workers == 1 ? make_serial_executor() : make_thread_executor(workers);
        while (workers_.size() < workers) workers_.push_back(std::make_unique<Worker>());
    }
    if (!broad_phase_ || next.broad_phase != old.broad_phase || next.broad_parameters != old.broad_parameters)
        make_broad_phase();
}

void Pass::make_broad_phase() {
    broad_phase_ = settings_.broad_phase->create(settings_.broad_parameters);
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive) broad_phase_->insert(slot, boxes_[slot]);
}

void Pass::gather_figures() {
    view_.clear();
    if (const std::size_t limit = front_.view_limit(); limit > 0) broad_phase_->view(view_, limit);
    // Adding up walks over all lists: now and then is enough for a figure in a panel.
    if (stats_.pass % 16 == 1) memory_bytes_ = memory_bytes();
}

void Pass::deliver() {
    if (!settings_.queue_events) events_.clear();
    front_.deliver(
        {events_, stats_, view_, retired_slots_, memory_bytes_, hardest_changed_ ? &hardest_ : nullptr});
    hardest_changed_ = false;
    retired_slots_.clear();
    list_.clear();
}

std::size_t Pass::memory_bytes() const {
    std::size_t bytes = bodies_.capacity() * sizeof(BodyRecord) + placed_.capacity() * sizeof(PairBody) +
                        boxes_.capacity() * sizeof(Aabb) + moved_.capacity() + touched_.capacity() +
                        tests_.capacity() * sizeof(Test) + candidates_.capacity() * sizeof(PairKey) +
                        list_.memory_bytes() + pairs_.memory_bytes() + broad_phase_->memory_bytes();
    for (const auto& worker : workers_)
        bytes += sizeof(Worker) + worker->contacts.capacity() * sizeof(Contact) +
                 (worker->hits.capacity() + worker->room.capacity()) * sizeof(Hit);
    return bytes + prepared_store_.memory_bytes();
}

}  // namespace claybox::collision
