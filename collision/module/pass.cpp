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

void Pass::run(const Accuracy* recorded) {
    CLAYBOX_ASSERT(!running_);  // a callback must not start a pass
    running_ = true;
    const std::uint64_t number = stats_.pass + 1;
    stats_ = PassStats{};
    stats_.pass = number;
    lap_start_ = std::chrono::steady_clock::now();
    stats_.frame = front_.take(list_, group_list_, orders_);
    if (orders_.settings) take_settings(*orders_.settings);
    take_accuracy(recorded ? *recorded : governor_.accuracy());
    stats_.seconds_take = lap();
    apply_list();
    follow_orders();
    place_moved_bodies();
    everything_.reset();
    stats_.seconds_bounds = lap();
    find_candidates();
    stats_.seconds_broad = lap();
    choose_tests();
    run_tests();
    burst_.reset();
    if (stop_.stop_requested()) return;  // tests are missing: nobody may hear of this pass
    stats_.seconds_narrow = lap();
    report_events();
    call_back();
    answer_questions();
    hash_state();
    forget_retired_bodies();
    gather_figures();
    stats_.seconds_events = lap();
    stats_.seconds_total = stats_.seconds_take + stats_.seconds_bounds + stats_.seconds_broad +
                           stats_.seconds_narrow + stats_.seconds_events;
    governor_.after_pass(stats_.seconds_total);
    deliver();
    running_ = false;
}

/// More of it asks about all pairs anew, and what was remembered of guesses is forgotten.
void Pass::take_accuracy(Accuracy accuracy) {
    if (accuracy < accuracy_) test_all_ = true;
    if (accuracy < accuracy_ && accuracy == Accuracy::full) pairs_.clear_caches();
    stats_.accuracy = accuracy_ = accuracy;
}

/// What was ordered about bodies that this pass knows; it may be late, for a callback may have removed one.
void Pass::follow_orders() {
    for (const InterestChange& change : orders_.interests) change_interest(change);
    for (CallbackChange& change : orders_.callbacks) {
        if (!change.a)
            callback_ = std::move(change.callback);
        else if (!change.callback)
            pair_callbacks_.erase(change.a, change.b);
        else if (holds(change.a) && holds(change.b))
            pair_callbacks_.put(change.a, change.b, std::move(change.callback));
    }
    questions_.swap(orders_.questions);
    orders_.clear();
}

void Pass::change_interest(const InterestChange& change) {
    if (change.kind == InterestChange::Kind::groups) {
        interest_.set_groups(change.group_a, change.group_b, change.interest);
        test_all_ = true;
        return;
    }
    if (!holds(change.a) || !holds(change.b)) return;
    if (change.kind == InterestChange::Kind::exception)
        interest_.set_exception(change.a, change.b, change.interest);
    else
        interest_.remove_exception(change.a, change.b);
    asked_slots_.push_back(change.a.slot);  // one of the two brings the pair
}

void Pass::take_settings(const WorldSettings& next) {
    const WorldSettings old = std::exchange(settings_, next);
    const bool algorithm_changed =
        next.pair_algorithm != old.pair_algorithm || next.fallback_algorithm != old.fallback_algorithm ||
        next.solid_fallback != old.solid_fallback || next.pair_parameters != old.pair_parameters;
    if (algorithm_changed || next.exactness != old.exactness || next.solid != old.solid ||
        next.seed != old.seed || next.narrow != old.narrow) {
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
        for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
            bodies_[slot].prepared = {};
            bodies_[slot].prepared_made = {};
            placed_[slot].prepared = nullptr;
        }
    const unsigned workers = next.parallel == ParallelMode::serial ? 1 : next.workers;
    if (executor_->worker_count() != workers) {
        executor_ = workers == 1 ? make_serial_executor() : make_thread_executor(workers);
        while (workers_.size() < workers) workers_.push_back(std::make_unique<Worker>());
    }
    governor_.set_budget(1e-3 * next.budget_ms);
    const bool filter_changed = next.bound_parameters != old.bound_parameters;
    const bool bounds_changed = bounds_.set(next.bound_parameters, next.broad_phase->needs);
    if (bounds_changed) place_all_bodies();
    if (bounds_changed || filter_changed) test_all_ = true;
    if (!broad_phase_ || bounds_changed || next.broad_phase != old.broad_phase ||
        next.broad_parameters != old.broad_parameters)
        make_broad_phase();
}

void Pass::make_broad_phase() {
    broad_phase_ = settings_.broad_phase->create(settings_.broad_parameters);
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive) broad_phase_->insert(slot);
}

void Pass::place_all_bodies() {
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive) bounds_.place(slot, placed_[slot]);
}

void Pass::gather_figures() {
    report_.view.begin(front_.view_wish());
    if (report_.view.wish().limit > 0) broad_phase_->view(report_.view);
    const LoopTimes times = executor_->take_times();
    stats_.workers = executor_->worker_count();
    stats_.seconds_shared = times.wall;
    stats_.seconds_busy = times.busy;
    // Adding up walks over all lists: now and then is enough for a figure in a panel.
    const bool due = stats_.pass % 16 == 1;
    if (due) memory_bytes_ = memory_bytes();
    const bool listed = std::exchange(memory_listed_, front_.memory_wanted());
    report_.memory.clear();
    if (memory_listed_ && (due || !listed)) list_memory(report_.memory);
}

void Pass::deliver() {
    if (!settings_.queue_events) events_.clear_events();
    std::swap(report_.events, events_);
    report_.stats = stats_;
    report_.hardest_changed = std::exchange(hardest_changed_, false);
    if (report_.hardest_changed) report_.hardest = hardest_;
    report_.boundaries.push_back({stats_.frame, stats_.accuracy});
    report_.memory_bytes = memory_bytes_;
    front_.deliver(report_, retired_slots_);
    retired_slots_.clear();
    list_.clear();
    group_list_.clear();
}

}  // namespace claybox::collision
