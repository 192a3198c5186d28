// Tests of known pairs that all workers run while they look through the candidates:
// docs/explanation/parallel.md.
#include "collision/module/pass/pass_runner.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

/// Candidates that a worker claims at once: few enough to balance the workers, many enough for the search for
/// their first pair to cost nothing.
std::size_t candidates_per_claim(std::size_t count, unsigned workers) {
    constexpr std::size_t kClaims = 16;  // per worker
    return std::clamp<std::size_t>(count / (kClaims * workers), SharedWork::kTestsPerClaim, 256);
}

}  // namespace

/// Whether the tests of this pass may be quick ones: all pairs are tested whole, at their poses. A test that
/// dominates the pass must begin before all others, so a pass after one with such a test has none.
bool PassRunner::runs_quick_tests() const {
    return executor_->worker_count() > 1 && has(settings_.parallel, ParallelMode::pairs) && !boxes_only() &&
           !sweeps_.active() && settings_.pair_algorithm != nullptr && !shared_.has_dominant_test();
}

void PassRunner::run_quick_tests() {
    quick_.clear();
    if (!runs_quick_tests()) return;
    quick_.resize(candidates_.size());
    quick_tests_.resize(std::max(quick_tests_.size(), candidates_.size()));
    executor_->parallel_for(
        candidates_.size(), candidates_per_claim(candidates_.size(), executor_->worker_count()),
        [this](std::size_t begin, std::size_t end, unsigned worker) { run_quick_tests(begin, end, worker); });
}

void PassRunner::run_quick_tests(std::size_t begin, std::size_t end, unsigned worker) {
    const auto keys = pairs_.keys();
    auto old = static_cast<std::size_t>(std::lower_bound(keys.begin(), keys.end(), candidates_[begin]) -
                                        keys.begin());
    for (std::size_t i = begin; i < end; ++i) {
        if (i + kCandidatesAhead < end) prefetch_bodies(candidates_[i + kCandidatesAhead]);
        const PairKey key = candidates_[i];
        while (old < keys.size() && keys[old] < key) ++old;
        if (old + PairTable::kAhead < keys.size())
            pairs_.prefetch_state(pairs_.index(old + PairTable::kAhead));
        if (old == keys.size() || keys[old] != key) continue;
        Test& test = quick_tests_[i];
        test = {};
        test.key = key;
        test.state = pairs_.index(old);
        if (choose_quick_test(test)) quick_[i] = run_quick_test(test, worker);
    }
}

PassRunner::Quick PassRunner::run_quick_test(Test& test, unsigned worker) {
    run_test(test, *workers_[worker], worker);
    workers_[worker]->quick_steps += test.work;
    PairState& state = pairs_.state(test.state);
    if (state.colliding || test.verdict == Verdict::colliding) return Quick::other;
    state.work = test.work;  // as in report_test(), which does not see this test
    state.along = false;
    return Quick::apart;
}

/// False for a test that must wait: it is long, may need a second algorithm, or has data to prepare. Changes
/// nothing but the test and its pair's state.
bool PassRunner::choose_quick_test(Test& test) {
    const std::uint32_t a = first_slot(test.key), b = second_slot(test.key);
    PairState& state = pairs_.state(test.state);
    if (state.work == 0 || state.work >= std::min(SharedWork::kLargeTestSteps, settings_.share_from))
        return false;
    const Interest* const interest = interest_of(test.key);
    if (interest == nullptr) return false;
    const PairAlgorithm& chosen = *settings_.pair_algorithm;
    test.wants = wants_of(*interest);
    test.choice = choose_algorithm(placed_[a], placed_[b], test.wants);
    if (test.choice != kChosen || choose_second_algorithm(kChosen, placed_[a], placed_[b]) != kNone)
        return false;
    const bool prepared =
        !chosen.prepare || (bodies_[a].is_prepared[kChosen] && bodies_[b].is_prepared[kChosen]);
    if (!prepared || (chosen.cache_bytes && state.pool_owner != &chosen)) return false;
    state.data = interest->data;
    return true;
}

}  // namespace claybox::collision
