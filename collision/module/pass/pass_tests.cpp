#include "collision/core/prefetch.hpp"
#include "collision/module/pass/pass_runner.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

/// Upper limit of the hit buffer, far above the hits of any real pair of meshes; further hits are dropped.
constexpr std::size_t kMaxHits = std::size_t{1} << 24;

bool is_convex(const PairBody& body) {
    return body.shape->hull() != nullptr && !body.deformed();
}

}  // namespace

/// What the choice of a test reads of the bodies of a pair. Those of its first body are still there.
void PassRunner::prefetch_bodies(PairKey key) const {
    const std::uint32_t slot = second_slot(key);
    const BodyRecord& body = bodies_[slot];
    prefetch_range(&body.generation, &body.tree);
    prefetch(&placed_[slot], 1);
}

/// Null if nobody is interested in the pair.
const Interest* PassRunner::interest_of(PairKey key) const {
    const std::uint32_t a = first_slot(key), b = second_slot(key);
    const unsigned group_a = bodies_[a].group, group_b = bodies_[b].group;
    const Interest& interest = interest_.find(id_of(a), group_a, id_of(b), group_b);
    return interest.test && !settings_.ignored_groups.contains(group_a, group_b) ? &interest : nullptr;
}

Wants PassRunner::wants_of(const Interest& interest) const {
    return accuracy_ < Accuracy::verdicts ? interest.wants : interest.wants & kWantSolid;
}

void PassRunner::choose_tests() {
    tests_.clear();
    waiting_.clear();
    run_quick_tests();
    std::size_t next = 0;  // candidate
    const auto quick = [&](std::size_t at) { return quick_.empty() ? Quick::no : quick_[at]; };
    const auto interest_in = [&](PairKey key) -> const Interest* {
        static constexpr Interest kSome;  // the quick test has used the pair's own
        if (quick(next++) != Quick::no) return &kSome;
        if (next + kCandidatesAhead < candidates_.size())
            prefetch_bodies(candidates_[next + kCandidatesAhead]);
        const Interest* const interest = interest_of(key);
        const std::uint32_t a = first_slot(key), b = second_slot(key);
        if (interest == nullptr)
            ++stats_.ignored;
        else if (!sweeps_.active() || is_continuous(a, b, *interest) || !only_ways_overlap(a, b))
            return interest;
        else
            ++stats_.filtered;
        return nullptr;
    };
    const auto touched = [&](std::uint32_t slot) { return touched_.marked(slot); };
    const auto test = [&](PairKey key, std::uint32_t state, const Interest& interest) {
        const std::size_t at = next - 1;
        if (quick(at) == Quick::no) return choose_test(key, state, interest);
        ++stats_.quick_tests;
        if (quick(at) == Quick::other) tests_.push_back(quick_tests_[at]);
    };
    pairs_.update(candidates_, interest_in, touched, test);
    stats_.tests_by_algorithm[kChosen] += stats_.quick_tests;
    stats_.tests = stats_.quick_tests + (boxes_only() ? 0 : waiting_.size() - stats_.not_applicable);
}

void PassRunner::choose_test(PairKey key, std::uint32_t index, const Interest& interest) {
    const std::uint32_t a = first_slot(key), b = second_slot(key);
    PairState& state = pairs_.state(index);
    state.data = interest.data;
    const Wants wants = wants_of(interest);
    if (boxes_only()) {
        add_test(key, index, wants).verdict = Verdict::colliding;
        return;
    }
    SweepChoice along = kChosenSweep;
    if (sweeps_.active() && choose_continuous(a, b, interest, along)) {
        Test& test = add_test(key, index, wants);
        test.choice = kContinuous;
        test.along = along;
        return;
    }
    const Choice choice = choose_algorithm(placed_[a], placed_[b], wants);
    const Choice second = choose_second_algorithm(choice, placed_[a], placed_[b]);
    ++(choice == kNone ? stats_.not_applicable : stats_.tests_by_algorithm[choice]);
    for (const Choice used : {choice, second}) {
        if (used == kNone) continue;
        prepare_body(a, used);
        prepare_body(b, used);
    }
    if (choice != kNone) assign_cache_pool(state, *algorithm(choice), *placed_[a].shape, *placed_[b].shape);
    Test& test = add_test(key, index, wants);
    test.choice = choice;
    test.second = second;
}

PassRunner::Test& PassRunner::add_test(PairKey key, std::uint32_t state, Wants wants) {
    waiting_.push_back(static_cast<std::uint32_t>(tests_.size()));
    Test& test = tests_.emplace_back();
    test.key = key;
    test.state = state;
    test.work = pairs_.state(state).work;
    test.wants = wants;
    return test;
}

// When all hits are wanted and the chosen algorithm does not report them, the fallback does.
PassRunner::Choice PassRunner::choose_algorithm(const PairBody& a, const PairBody& b, Wants wants) const {
    const PairAlgorithm* const chosen = settings_.pair_algorithm;
    const PairAlgorithm* const fallback = settings_.fallback_algorithm;
    const bool chosen_can = chosen && applicable(*chosen, a, b);
    const bool needs_fallback = (wants & kWantAllHits) && !(chosen && (chosen->gives & kWantAllHits));
    if (chosen_can && !needs_fallback) return kChosen;
    if (!chosen_can) return choose_fallback(a, b);
    const bool fallback_can = fallback && (fallback->gives & kWantAllHits) && applicable(*fallback, a, b);
    return fallback_can ? kFallback : kChosen;
}

PassRunner::Choice PassRunner::choose_fallback(const PairBody& a, const PairBody& b) const {
    const PairAlgorithm* const found = fallback_for(settings_, a, b);
    if (found == nullptr) return kNone;
    return found == settings_.fallback_algorithm ? kFallback : kSolidFallback;
}

/// A one-sided algorithm may leave a pair undecided. An algorithm for closed bodies may find out only while
/// preparing a body that it does not accept it. Exact answers then need a second algorithm.
PassRunner::Choice PassRunner::choose_second_algorithm(Choice first, const PairBody& a,
                                                       const PairBody& b) const {
    if (first != kChosen || exactness() != Exactness::exact) return kNone;
    const PairAlgorithm& chosen = *settings_.pair_algorithm;
    const bool may_decline = chosen.needs == Needs::closed && chosen.prepare != nullptr;
    return chosen.bias != Bias::none || may_decline ? choose_fallback(a, b) : kNone;
}

void PassRunner::prepare_body(std::uint32_t slot, Choice choice) {
    BodyRecord& body = bodies_[slot];
    const PairAlgorithm& user = *algorithm(choice);
    if (body.is_prepared[choice] || !user.prepare) return;
    body.prepared[choice] =
        body.own ? user.prepare(*body.shape, *body.own) : prepared_store_.get(user, body.shape);
    body.is_prepared[choice] = true;
    if (choice == kChosen) placed_[slot].prepared = body.prepared[choice].get();
}

void PassRunner::assign_cache_pool(PairState& state, const PairAlgorithm& owner, const Shape& a,
                                   const Shape& b) {
    if (!owner.cache_bytes || state.pool_owner == &owner) return;
    const std::size_t bytes = owner.cache_bytes(a, b);
    state.pool = bytes > 0 ? std::make_unique<std::byte[]>(bytes) : nullptr;
    state.pool_owner = &owner;
    state.cache.set_pool({state.pool.get(), bytes});
}

void PassRunner::reset_workers() {
    for (const auto& worker : workers_) {
        worker->contacts.clear();
        worker->hits.clear();
        worker->impacts.clear();
        worker->motion_hits.clear();
        worker->iterations = worker->undecided = worker->fell_back = worker->quick_steps = 0;
        worker->hardest = 0;
        std::fill(std::begin(worker->rung), std::end(worker->rung), 0u);
        std::fill(std::begin(worker->counters), std::end(worker->counters), 0u);
        worker->parameters_of = kNone;
        worker->query.exactness = exactness();
        worker->query.scratch = &worker->scratch;
        worker->query.stop = StopToken(stop_);
    }
}

void PassRunner::run_tests() {
    if (boxes_only())
        workers_.front()->contacts.emplace_back();  // shared by all tests: the contact point is unknown
    if (executor_->worker_count() > 1) {
        plan_shared_tests();
        run_jobs();
        merge_shared_tests();
    } else {
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            prefetch_test(i + kTestsAhead);
            if (waiting_test(i).choice != kNone) run_test(waiting_test(i), *workers_[0], 0);
        }
    }
    sum_worker_counts();
    update_hardest_pair();
}

/// In a large world a quick test waits for its data longer than it computes.
void PassRunner::prefetch_test(std::size_t index) const {
    if (index >= waiting_.size()) return;
    const Test& test = waiting_test(index);
    pairs_.prefetch_cache(test.state);
    prefetch(&placed_[first_slot(test.key)]);
    prefetch(&placed_[second_slot(test.key)]);
}

void PassRunner::set_bodies(const Test& test, Worker& worker) const {
    worker.query.a = placed_[first_slot(test.key)];
    worker.query.b = placed_[second_slot(test.key)];
    // Not from the slots: they depend on timing.
    worker.query.seed = mix64(settings_.seed ^ pair_hash(test.key));
}

void PassRunner::run_test(Test& test, Worker& worker, unsigned worker_index) {
    if (test.choice == kContinuous) return run_continuous_test(test, worker, worker_index);
    set_bodies(test, worker);
    const std::size_t first_hit = worker.hits.size();
    PairState& state = pairs_.state(test.state);
    const PairResult result = run_choice(test, test.choice, test.wants, worker, state.cache);
    // A loop over all counters would be one vector, which waits for the newest of them.
    test.work = step_count(result, algorithm(test.choice)->counters.size());
    if (test.choice == kChosen) update_worker_hardest(test, result, worker);
    store_result(test, result, first_hit, worker_index);
}

PairResult PassRunner::run_second_choice(const Test& test, Worker& worker) {
    const bool solid = settings_.pair_algorithm->meaning == Meaning::solid;
    const Wants wants = solid ? test.wants | kWantSolid : test.wants;
    return run_choice(test, test.second, wants, worker, pairs_.state(test.state).cache);
}

/// Stores the result of the first algorithm and runs the second if necessary. The worker's query must be set
/// to this test; the worker's hits from `first_hit` on belong to it.
void PassRunner::store_result(Test& test, const PairResult& first, std::size_t first_hit,
                              std::uint32_t worker_index) {
    Worker& worker = *workers_[worker_index];
    if (test.choice == kChosen) {
        // Not all, as in run_test().
        const std::size_t count = settings_.pair_algorithm->counters.size();
        for (std::size_t i = 0; i < count; ++i) worker.counters[i] += first.counters[i];
    }
    if (first.verdict != Verdict::undecided || test.second == kNone)
        return store_answer(test, first, first_hit, worker_index);
    worker.fell_back += test.choice == kChosen;  // the others count in any case
    store_answer(test, run_second_choice(test, worker), first_hit, worker_index);
}

void PassRunner::store_answer(Test& test, const PairResult& result, std::size_t first_hit,
                              std::uint32_t worker_index) {
    Worker& worker = *workers_[worker_index];
    test.verdict = result.verdict;
    worker.fell_back += test.choice != kChosen;
    worker.undecided += result.verdict == Verdict::undecided;
    if (result.rung >= 1 && result.rung <= 3) ++worker.rung[result.rung - 1];
    if (result.verdict != Verdict::colliding) return;
    test.worker = worker_index;
    test.contact = static_cast<std::uint32_t>(worker.contacts.size());
    worker.contacts.push_back({result.certificate, static_cast<std::uint32_t>(first_hit),
                               static_cast<std::uint32_t>(worker.hits.size() - first_hit)});
}

PairResult PassRunner::run_choice(const Test& test, Choice choice, Wants wants, Worker& worker,
                                  PairCache& cache) {
    PairQuery& query = worker.query;
    if (choice != kChosen) {
        query.a.prepared = bodies_[first_slot(test.key)].prepared[choice].get();
        query.b.prepared = bodies_[second_slot(test.key)].prepared[choice].get();
    }
    if (worker.parameters_of != choice) {
        worker.parameters_of = choice;
        query.parameters = parameters_[choice];
    }
    const PairResult result = run_algorithm(*algorithm(choice), worker, cache, wants);
    worker.iterations += result.iterations;
    return result;
}

void PassRunner::update_worker_hardest(const Test& test, const PairResult& result, Worker& worker) {
    const bool first = worker.hardest == result.iterations && test.key < worker.hardest_key;
    if (worker.hardest >= result.iterations && !first) return;
    if (!is_convex(worker.query.a) || !is_convex(worker.query.b)) return;
    worker.hardest = result.iterations;
    worker.hardest_key = test.key;
}

/// Repeats the query with a larger buffer while the hits do not fit; appends them to the worker's hits.
PairResult PassRunner::run_algorithm(const PairAlgorithm& pair_algorithm, Worker& worker, PairCache& cache,
                                     Wants wants) {
    worker.query.wants = settings_.solid ? wants | kWantSolid : wants;
    worker.query.hits = nullptr;
    if (!(wants & kWantAllHits)) return run_query(pair_algorithm, worker.query, cache);
    for (;;) {
        HitSink sink(worker.hit_buffer);
        worker.query.hits = &sink;
        const PairResult result = run_query(pair_algorithm, worker.query, cache);
        if (result.status == QueryStatus::hits_full && worker.hit_buffer.size() < kMaxHits) {
            worker.hit_buffer.resize(2 * worker.hit_buffer.size());
            continue;
        }
        if (result.verdict == Verdict::colliding)
            worker.hits.insert(worker.hits.end(), sink.hits().begin(), sink.hits().end());
        return result;
    }
}

void PassRunner::sum_worker_counts() {
    for (const auto& worker : workers_) {
        stats_.iterations += worker->iterations;
        stats_.undecided += worker->undecided;
        stats_.fell_back += worker->fell_back;
        for (std::size_t i = 0; i < 3; ++i) stats_.rung[i] += worker->rung[i];
        for (std::size_t i = 0; i < kMaxCounters; ++i) stats_.algorithm_counters[i] += worker->counters[i];
    }
}

/// Ties go to the lowest key: the result must not depend on which worker tested which pair.
void PassRunner::update_hardest_pair() {
    const Worker* best = nullptr;
    for (const auto& worker : workers_) {
        if (worker->hardest <= hardest_.iterations) continue;
        const bool better = !best || worker->hardest > best->hardest ||
                            (worker->hardest == best->hardest && worker->hardest_key < best->hardest_key);
        if (better) best = worker.get();
    }
    if (!best) return;
    const std::uint32_t a = first_slot(best->hardest_key), b = second_slot(best->hardest_key);
    hardest_ = {best->hardest,    stats_.frame,     settings_.pair_algorithm,   settings_.pair_parameters,
                bodies_[a].shape, bodies_[b].shape, placed_[a].world_from_body, placed_[b].world_from_body,
                bodies_[a].data,  bodies_[b].data};
    hardest_changed_ = true;
}

}  // namespace claybox::collision
