#include "collision/module/pass.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

/// Pairs that a worker claims at once: queries differ in cost, so few, but more than one cache line of tests.
constexpr std::size_t kTestsPerClaim = 8;
/// A query that wants more room for hits than this gets what fits: far above any pair of real meshes.
constexpr std::size_t kMostHits = std::size_t{1} << 24;

bool is_convex(const PairBody& body) {
    return body.shape->hull() != nullptr && !body.deformed();
}

}  // namespace

void Pass::choose_tests() {
    tests_.clear();
    const auto wanted = [&](PairKey key) -> const Interest* {
        const std::uint32_t a = first_slot(key), b = second_slot(key);
        const Interest& interest = interest_.find(id_of(a), bodies_[a].group, id_of(b), bodies_[b].group);
        if (interest.test) return &interest;
        ++stats_.ignored;
        return nullptr;
    };
    const auto touched = [&](std::uint32_t slot) { return touched_[slot] != 0; };
    pairs_.follow(
        candidates_, wanted, touched, [&](PairKey key, std::uint32_t index, const Interest& interest) {
            const std::uint32_t a = first_slot(key), b = second_slot(key);
            PairState& state = pairs_.state(index);
            state.data = interest.data;
            const Choice choice = choose_algorithm(placed_[a], placed_[b], interest.wants);
            const Choice second = choose_second(choice, placed_[a], placed_[b]);
            if (choice == kNone) ++stats_.not_applicable;
            for (const Choice asked : {choice, second}) {
                if (asked == kNone) continue;
                prepare_body(a, asked);
                prepare_body(b, asked);
            }
            if (choice != kNone) give_pool(state, *algorithm(choice), *placed_[a].shape, *placed_[b].shape);
            tests_.push_back({key, index, choice, second, Verdict::undecided, 0, 0, interest.wants});
        });
    stats_.tests = tests_.size() - stats_.not_applicable;
}

// An interest in all hits is answered by an algorithm that gives them where the chosen one does not.
Pass::Choice Pass::choose_algorithm(const PairBody& a, const PairBody& b, Wants wants) const {
    const PairAlgorithm* const chosen = settings_.pair_algorithm;
    const PairAlgorithm* const fallback = settings_.fallback_algorithm;
    const bool chosen_can = chosen && applicable(*chosen, a, b);
    const bool lacks_hits = (wants & kWantAllHits) && !(chosen && (chosen->gives & kWantAllHits));
    if (chosen_can && !lacks_hits) return kChosen;
    if (!chosen_can) return choose_fallback(a, b);
    const bool gives_hits = fallback && (fallback->gives & kWantAllHits) && applicable(*fallback, a, b);
    return gives_hits ? kFallback : kChosen;
}

Pass::Choice Pass::choose_fallback(const PairBody& a, const PairBody& b) const {
    const PairAlgorithm* const found = fallback_for(settings_, a, b);
    if (found == nullptr) return kNone;
    return found == settings_.fallback_algorithm ? kFallback : kSolidFallback;
}

/// A one-sided algorithm may leave a pair undecided, which is no exact answer; one that prepares closed
/// bodies may find only then that it has no answer about them.
Pass::Choice Pass::choose_second(Choice first, const PairBody& a, const PairBody& b) const {
    if (first != kChosen || settings_.exactness != Exactness::exact) return kNone;
    const PairAlgorithm& chosen = *settings_.pair_algorithm;
    const bool may_decline = chosen.needs == Needs::closed && chosen.prepare != nullptr;
    return chosen.bias != Bias::none || may_decline ? choose_fallback(a, b) : kNone;
}

void Pass::prepare_body(std::uint32_t slot, Choice choice) {
    BodyRecord& body = bodies_[slot];
    const PairAlgorithm& wanted = *algorithm(choice);
    if (body.prepared_made[choice] || !wanted.prepare) return;
    body.prepared[choice] =
        body.own ? wanted.prepare(*body.shape, *body.own) : prepared_store_.get(wanted, body.shape);
    body.prepared_made[choice] = true;
}

void Pass::give_pool(PairState& state, const PairAlgorithm& owner, const Shape& a, const Shape& b) {
    if (!owner.cache_bytes || state.pool_owner == &owner) return;
    const std::size_t bytes = owner.cache_bytes(a, b);
    state.pool = bytes > 0 ? std::make_unique<std::byte[]>(bytes) : nullptr;
    state.pool_owner = &owner;
    state.cache.set_pool({state.pool.get(), bytes});
}

void Pass::ready_workers() {
    for (const auto& worker : workers_) {
        worker->contacts.clear();
        worker->hits.clear();
        worker->iterations = worker->undecided = worker->fell_back = 0;
        worker->hardest = 0;
        std::fill(std::begin(worker->rung), std::end(worker->rung), 0u);
        std::fill(std::begin(worker->counters), std::end(worker->counters), 0u);
        worker->parameters_of = kNone;
        worker->query.exactness = settings_.exactness;
        worker->query.scratch = &worker->scratch;
        worker->query.stop = StopToken(stop_);
    }
}

void Pass::run_tests() {
    ready_workers();
    executor_->parallel_for(tests_.size(), kTestsPerClaim,
                            [&](std::size_t begin, std::size_t end, unsigned worker) {
                                for (std::size_t i = begin; i < end; ++i)
                                    if (tests_[i].choice != kNone)
                                        run_test(tests_[i], *workers_[worker], worker);
                            });
    sum_up_workers();
    keep_hardest();
}

void Pass::run_test(Test& test, Worker& worker, unsigned worker_index) {
    worker.query.a = placed_[first_slot(test.key)];
    worker.query.b = placed_[second_slot(test.key)];
    // Not of the slots: they depend on timing.
    worker.query.seed = mix64(settings_.seed ^ pair_hash(test.key));
    const std::size_t first_hit = worker.hits.size();
    PairResult result = ask_choice(test, test.choice, test.wants, worker);
    if (test.choice == kChosen) {
        for (std::size_t i = 0; i < kMaxCounters; ++i) worker.counters[i] += result.counters[i];
        note_hardest(test, result, worker);
    }
    const bool again = result.verdict == Verdict::undecided && test.second != kNone;
    if (again) {  // what the first did not decide is still the question
        const bool solid = settings_.pair_algorithm->meaning == Meaning::solid;
        result = ask_choice(test, test.second, solid ? test.wants | kWantSolid : test.wants, worker);
    }
    test.verdict = result.verdict;
    worker.fell_back += again || test.choice != kChosen;
    worker.undecided += result.verdict == Verdict::undecided;
    if (result.rung >= 1 && result.rung <= 3) ++worker.rung[result.rung - 1];
    if (result.verdict != Verdict::colliding) return;
    test.worker = worker_index;
    test.contact = static_cast<std::uint32_t>(worker.contacts.size());
    worker.contacts.push_back({result.certificate, static_cast<std::uint32_t>(first_hit),
                               static_cast<std::uint32_t>(worker.hits.size() - first_hit)});
}

PairResult Pass::ask_choice(const Test& test, Choice choice, Wants wants, Worker& worker) {
    PairQuery& query = worker.query;
    query.a.prepared = bodies_[first_slot(test.key)].prepared[choice].get();
    query.b.prepared = bodies_[second_slot(test.key)].prepared[choice].get();
    if (worker.parameters_of != choice) {
        worker.parameters_of = choice;
        query.parameters = parameters_[choice];
    }
    const PairResult result = ask(*algorithm(choice), worker, pairs_.state(test.state), wants);
    worker.iterations += result.iterations;
    return result;
}

void Pass::note_hardest(const Test& test, const PairResult& result, Worker& worker) {
    const bool first = worker.hardest == result.iterations && test.key < worker.hardest_key;
    if (worker.hardest >= result.iterations && !first) return;
    if (!is_convex(worker.query.a) || !is_convex(worker.query.b)) return;
    worker.hardest = result.iterations;
    worker.hardest_key = test.key;
}

/// Asks again with more room while the hits do not fit, and appends them to the worker's.
PairResult Pass::ask(const PairAlgorithm& asked, Worker& worker, PairState& state, Wants wants) {
    worker.query.wants = settings_.solid ? wants | kWantSolid : wants;
    worker.query.hits = nullptr;
    if (!(wants & kWantAllHits)) return run_query(asked, worker.query, state.cache);
    for (;;) {
        HitSink sink(worker.room);
        worker.query.hits = &sink;
        const PairResult result = run_query(asked, worker.query, state.cache);
        if (result.status == QueryStatus::hits_full && worker.room.size() < kMostHits) {
            worker.room.resize(2 * worker.room.size());
            continue;
        }
        if (result.verdict == Verdict::colliding)
            worker.hits.insert(worker.hits.end(), sink.hits().begin(), sink.hits().end());
        return result;
    }
}

void Pass::sum_up_workers() {
    for (const auto& worker : workers_) {
        stats_.iterations += worker->iterations;
        stats_.undecided += worker->undecided;
        stats_.fell_back += worker->fell_back;
        for (std::size_t i = 0; i < 3; ++i) stats_.rung[i] += worker->rung[i];
        for (std::size_t i = 0; i < kMaxCounters; ++i) stats_.algorithm_counters[i] += worker->counters[i];
    }
}

/// Of equals the lowest key, so that it does not depend on who tested what.
void Pass::keep_hardest() {
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
