#include "collision/module/pass/pass_runner.hpp"

#include <algorithm>
#include <utility>

namespace claybox::collision {

PassRunner::PassRunner(FrameExchange& exchange, const WorldSettings& settings)
    : exchange_(exchange), executor_(make_serial_executor()) {
    workers_.push_back(std::make_unique<Worker>());
    apply_settings(settings);
}

double PassRunner::stage_seconds() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - stage_start_).count();
    stage_start_ = now;
    return seconds;
}

void PassRunner::run(const Accuracy* recorded) {
    CLAYBOX_ASSERT(!running_);  // a callback must not start a pass
    running_ = true;
    const std::uint64_t number = stats_.pass + 1;
    stats_ = PassStats{};
    stats_.pass = number;
    stage_start_ = std::chrono::steady_clock::now();
    stats_.frame = exchange_.take(list_, group_list_, commands_);
    if (commands_.settings) apply_settings(*commands_.settings);
    apply_accuracy(recorded ? *recorded : governor_.accuracy());
    stats_.seconds_take = stage_seconds();
    apply_moved_list();
    apply_commands();
    choose_sweeping_groups();
    place_moved_bodies();
    query_runner_.bounds_changed();
    stats_.seconds_bounds = stage_seconds();
    find_candidates();
    stats_.seconds_broad = stage_seconds();
    reset_workers();
    choose_tests();
    run_tests();
    burst_.reset();
    if (stop_.stop_requested()) return;  // incomplete: do not report this pass
    stats_.seconds_narrow = stage_seconds();
    report_events();
    const std::exception_ptr thrown = run_callbacks();
    answer_queries();
    update_state_hash();
    release_retired_bodies();
    collect_stats();
    stats_.seconds_events = stage_seconds();
    stats_.seconds_total = stats_.seconds_take + stats_.seconds_bounds + stats_.seconds_broad +
                           stats_.seconds_narrow + stats_.seconds_events;
    governor_.after_pass(stats_.seconds_total);
    deliver_report();
    running_ = false;
    if (thrown) std::rethrow_exception(thrown);
    exchange_.finish_pass();
}

/// Higher accuracy tests all pairs again. Full accuracy also drops the caches of inexact answers.
void PassRunner::apply_accuracy(Accuracy accuracy) {
    if (accuracy < accuracy_) test_all_ = true;
    if (accuracy < accuracy_ && accuracy == Accuracy::full) pairs_.clear_caches();
    stats_.accuracy = accuracy_ = accuracy;
}

/// Ignores commands about unknown bodies: a callback may have removed them.
void PassRunner::apply_commands() {
    for (const InterestChange& change : commands_.interests) apply_interest_change(change);
    for (CallbackChange& change : commands_.callbacks) {
        if (!change.a)
            callback_ = std::move(change.callback);
        else if (!change.callback)
            pair_callbacks_.erase(change.a, change.b);
        else if (has_record(change.a) && has_record(change.b))
            pair_callbacks_.put(change.a, change.b, std::move(change.callback));
    }
    queries_.swap(commands_.queries);
    commands_.clear();
}

void PassRunner::apply_interest_change(const InterestChange& change) {
    if (change.kind == InterestChange::Kind::groups) {
        interest_.set_groups(change.group_a, change.group_b, change.interest);
        test_all_ = sweep_rules_changed_ = true;
        return;
    }
    if (!has_record(change.a)) return;
    sweep_rules_changed_ = true;
    if (change.kind == InterestChange::Kind::body) return switch_continuous(change.a.slot, change.continuous);
    if (!has_record(change.b)) return;
    if (change.kind == InterestChange::Kind::exception)
        interest_.set_exception(change.a, change.b, change.interest);
    else
        interest_.remove_exception(change.a, change.b);
    interest_changed_slots_.push_back(change.a.slot);  // one body is enough to find the pair
}

void PassRunner::apply_settings(const WorldSettings& next) {
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
    if (next.continuous != old.continuous || next.continuous_algorithm != old.continuous_algorithm ||
        next.continuous_parameters != old.continuous_parameters ||
        next.continuous_tolerance != old.continuous_tolerance) {
        test_all_ = sweep_rules_changed_ = true;
        continuous_parameters_ = {next.continuous_parameters,
                                  default_continuous_algorithm()
                                      ? default_values(default_continuous_algorithm()->parameters)
                                      : ParameterValues{}};
    }
    if (next.ignored_groups != old.ignored_groups) test_all_ = true;
    if (algorithm_changed)
        for (std::size_t slot = 0; slot < bodies_.size(); ++slot) {
            bodies_[slot].prepared = {};
            bodies_[slot].is_prepared = {};
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
        create_broad_phase();
}

void PassRunner::create_broad_phase() {
    broad_phase_ = settings_.broad_phase->create(settings_.broad_parameters);
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive) broad_phase_->insert(slot);
}

void PassRunner::place_all_bodies() {
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive) bounds_.place(slot, placed_[slot]);
}

void PassRunner::collect_stats() {
    report_.view.begin(exchange_.view_request());
    if (report_.view.request().limit > 0) broad_phase_->view(report_.view);
    const LoopTimes times = executor_->take_times();
    stats_.workers = executor_->worker_count();
    stats_.seconds_shared = times.wall;
    stats_.seconds_busy = times.busy;
    // Summing walks over all lists; every 16th pass is enough for the panel.
    const bool due = stats_.pass % 16 == 1;
    if (due) memory_bytes_ = memory_bytes();
    const bool was_listed = std::exchange(memory_listed_, exchange_.memory_list_requested());
    report_.memory.clear();
    if (memory_listed_ && (due || !was_listed)) list_memory(report_.memory);
}

void PassRunner::deliver_report() {
    if (!settings_.queue_events) events_.clear_events();
    std::swap(report_.events, events_);
    report_.stats = stats_;
    report_.hardest_changed = std::exchange(hardest_changed_, false);
    if (report_.hardest_changed) report_.hardest = hardest_;
    report_.boundaries.push_back({stats_.frame, stats_.accuracy});
    report_.memory_bytes = memory_bytes_;
    exchange_.deliver_report(report_, retired_slots_);
    retired_slots_.clear();
    list_.clear();
    group_list_.clear();
}

/// Calls visit(kind, name, bytes) for everything except shapes.
template <class Visit>
void PassRunner::each_memory(Visit&& visit) const {
    using Kind = MemoryPart::Kind;
    visit(Kind::structure, "bodies",
          bodies_.capacity() * sizeof(BodyRecord) + placed_.capacity() * sizeof(PairBody) +
              (creation_.capacity() + hash_of_body_.capacity()) * sizeof(std::uint64_t) +
              bounds_.memory_bytes() + kept_.capacity() + moved_.memory_bytes() + touched_.memory_bytes());
    std::size_t own = 0, prepared = 0;
    for (const BodyRecord& body : bodies_) {
        if (!body.own) continue;
        own += sizeof(Geometry) + collision::memory_bytes(*body.own);
        for (const auto& made : body.prepared) prepared += made ? made->memory_bytes() : 0;
    }
    visit(Kind::structure, "geometry of deformable bodies", own);
    visit(Kind::structure, "prepared for deformable bodies", prepared);
    visit(Kind::structure, settings_.broad_phase->id, broad_phase_->memory_bytes());
    visit(Kind::structure, "moved list", list_.memory_bytes() + group_list_.memory_bytes());
    visit(Kind::structure, "scene groups", groups_.memory_bytes());
    visit(Kind::structure, "pairs and their caches", pairs_.memory_bytes());
    visit(Kind::structure, "interest", interest_.memory_bytes());
    visit(Kind::structure, "motions of continuous bodies", sweeps_.memory_bytes());
    visit(Kind::structure, "callbacks of pairs", pair_callbacks_.memory_bytes());
    std::size_t work = (tests_.capacity() + quick_tests_.capacity()) * sizeof(Test) + quick_.capacity() +
                       waiting_.capacity() * sizeof(std::uint32_t) +
                       candidates_.capacity() * sizeof(PairKey) + shared_.memory_bytes() +
                       work_.capacity() * sizeof(std::uint32_t);
    for (const auto& worker : workers_)
        work += sizeof(Worker) + worker->contacts.capacity() * sizeof(ContactRecord) +
                (worker->hits.capacity() + worker->hit_buffer.capacity()) * sizeof(Hit) +
                worker->impacts.capacity() * sizeof(Impact) +
                (worker->motion_hits.capacity() + worker->motion_hit_buffer.capacity()) * sizeof(MotionHit);
    visit(Kind::structure, "tests and workers", work);
    const auto visit_prepared = [&](const auto& algorithms) {
        for (const auto* algorithm : algorithms)
            if (const std::size_t bytes = prepared_store_.memory_bytes(*algorithm); bytes > 0)
                visit(Kind::algorithm, algorithm->id, bytes);
    };
    visit_prepared(pair_algorithms());
    visit_prepared(continuous_algorithms());
}

std::size_t PassRunner::memory_bytes() const {
    std::size_t sum = 0;
    each_memory([&](MemoryPart::Kind, const char*, std::size_t bytes) { sum += bytes; });
    return sum;
}

void PassRunner::list_memory(std::vector<MemoryPart>& parts) const {
    each_memory([&](MemoryPart::Kind kind, const char* name, std::size_t bytes) {
        parts.push_back({kind, name, bytes});
    });
    std::vector<const Shape*> shapes;
    for (const BodyRecord& body : bodies_)
        if (body.alive) shapes.push_back(body.shape.get());
    std::sort(shapes.begin(), shapes.end());
    shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
    const std::size_t first = parts.size();
    for (const Shape* shape : shapes)
        parts.push_back({MemoryPart::Kind::shape, shape->name(), shape->memory_bytes()});
    std::sort(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(),
              [](const MemoryPart& x, const MemoryPart& y) {
                  return x.bytes != y.bytes ? x.bytes > y.bytes : x.name < y.name;
              });
}

}  // namespace claybox::collision
