// Distribution of a pass's tests over the workers: docs/explanation/parallel.md.
#include "collision/module/pass/pass_runner.hpp"
#include "collision/pairwise/mesh/hit_receiver.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

const PairAlgorithm& point_search() {
    static const PairAlgorithm& algorithm = *find_pair_algorithm("random_points");
    return algorithm;
}

/// Read once per part of a shared test.
std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Estimated steps of a pair that has not been tested yet. Only used to order the tests.
std::uint32_t expected_work(const PairBody& a, const PairBody& b) {
    return a.geometry->topology->polygon_count() + b.geometry->topology->polygon_count();
}

}  // namespace

void PassRunner::plan_shared_tests() {
    work_.clear();
    for (const std::uint32_t i : waiting_) {
        const Test& test = tests_[i];
        const PairBody &a = placed_[first_slot(test.key)], &b = placed_[second_slot(test.key)];
        work_.push_back(test.choice == kNone ? 0 : test.work != 0 ? test.work : expected_work(a, b));
    }
    const bool exact = exactness() == Exactness::exact;
    std::uint64_t done_steps = 0;
    for (const auto& worker : workers_) done_steps += worker->quick_steps;
    shared_.choose_shared_tests(
        work_, done_steps, settings_.share_from, executor_->worker_count(),
        has(settings_.parallel, ParallelMode::pairs), [&](std::uint32_t i) {
            const Test& test = waiting_test(i);
            return exact && test.choice < kNone && test.work != 0 &&
                   (part_count(test) > 1 || races_gap_search(test) || races_point_search(test));
        });
    for (std::uint32_t shared_test = 0; shared_test < shared_.shared_test_count(); ++shared_test)
        add_parts(shared_test);
    shared_.build_jobs();
}

/// Splitting a one-sided algorithm changes where it stops: allowed only if a second algorithm decides the
/// rest.
std::uint32_t PassRunner::part_count(const Test& test) const {
    const PairAlgorithm& chosen = *algorithm(test.choice);
    const bool certain = (chosen.exact && chosen.bias == Bias::none) || test.second != kNone;
    if (!chosen.splittable || !certain) return 1;
    // An even number: half for A's edges, half for B's. More parts would balance better, but each part
    // repeats the work before the edge tests.
    if (has(settings_.parallel, ParallelMode::fine)) return (executor_->worker_count() + 1) / 2 * 2;
    return has(settings_.parallel, ParallelMode::halves) ? 2 : 1;
}

bool PassRunner::races_gap_search(const Test& test) const {
    const PairAlgorithm& chosen = *algorithm(test.choice);
    return has(settings_.parallel, ParallelMode::dual | ParallelMode::three) && chosen.exact &&
           chosen.bias == Bias::none;
}

/// A common point only answers queries about solids, and yields no hits.
bool PassRunner::races_point_search(const Test& test) const {
    if (!has(settings_.parallel, ParallelMode::three) || !races_gap_search(test)) return false;
    const bool solid = settings_.solid || (test.wants & kWantSolid) != 0 ||
                       algorithm(test.choice)->meaning == Meaning::solid;
    return solid && (test.wants & kWantAllHits) == 0 &&
           applicable(point_search(), placed_[first_slot(test.key)], placed_[second_slot(test.key)]);
}

/// The searches come first: with two workers the algorithm then starts after the shorter of the two searches.
void PassRunner::add_parts(std::uint32_t shared_test) {
    const Test& test = waiting_test(shared_.shared_test(shared_test).test);
    const bool gap = races_gap_search(test), point = races_point_search(test);
    PairState& state = pairs_.state(test.state);
    if ((gap || point) && state.race == nullptr) state.race = std::make_unique<RaceCaches>();
    TestPart part;
    part.shared_test = shared_test;
    part.racer = Racer::gap;
    if (gap) shared_.add_part(part);
    part.racer = Racer::point;
    if (point) shared_.add_part(part);
    part.racer = Racer::chosen;
    part.part_count = part_count(test);
    for (part.part = 0; part.part < part.part_count; ++part.part) shared_.add_part(part);
}

void PassRunner::run_jobs() {
    const auto jobs = shared_.jobs();
    const bool pairs = has(settings_.parallel, ParallelMode::pairs);
    const std::size_t shared = pairs ? jobs.size() : shared_.parts().size();
    const auto run = [&](std::size_t begin, std::size_t end, unsigned worker) {
        for (std::size_t i = begin; i < end; ++i) run_job(jobs[i], worker);
    };
    executor_->parallel_for(shared, 1, run, shared_.ordered_job_count());
    for (const Job& job : jobs.subspan(shared)) run_job(job, 0);
}

void PassRunner::run_job(const Job& job, unsigned worker) {
    if (job.kind == Job::Kind::part) return run_part(shared_.parts()[job.begin], worker);
    for (std::uint32_t i = job.begin; i < job.end; ++i) {
        prefetch_test(i + kTestsAhead);
        Test& test = waiting_test(i);
        if (test.choice == kNone || (job.kind == Job::Kind::range && shared_.is_separate(i))) continue;
        run_test(test, *workers_[worker], worker);
    }
}

void PassRunner::run_part(TestPart& part, unsigned worker_index) {
    Worker& worker = *workers_[worker_index];
    SharedTest& shared_test = shared_.shared_test(part.shared_test);
    part.worker = worker_index;
    part.result.status = QueryStatus::stopped;
    if (shared_test.decided.stop_requested()) return;
    const Test& test = waiting_test(shared_test.test);
    set_bodies(test, worker);
    worker.query.stop = StopToken(shared_test.decided, stop_);
    if (part.racer == Racer::gap) {
        const PairBody &a = worker.query.a, &b = worker.query.b;
        const GapResult gap = search_gap({a.geometry, &a.world_from_body}, {b.geometry, &b.world_from_body},
                                         worker.query.stop, pairs_.state(test.state).race->gap);
        if (gap.found) shared_test.decide(Racer::gap, now_ns());
    } else if (part.racer == Racer::point) {
        search_common_point(test, part, worker);
        if (part.result.verdict == Verdict::colliding) shared_test.decide(Racer::point, now_ns());
    } else {
        run_algorithm_part(shared_test, part, worker);
    }
    worker.query.stop = StopToken(stop_);
    part.ended_ns = now_ns();
}

/// The first part uses the pair's cache; the others start with an empty one.
void PassRunner::run_algorithm_part(SharedTest& shared_test, TestPart& part, Worker& worker) {
    const Test& test = waiting_test(shared_test.test);
    const std::size_t first_hit = worker.hits.size();
    worker.query.part = part.part;
    worker.query.part_count = part.part_count;
    worker.part_cache.clear();
    PairCache& cache = part.part == 0 ? pairs_.state(test.state).cache : worker.part_cache;
    part.result = run_choice(test, test.choice, test.wants, worker, cache);
    worker.query.part = 0;
    worker.query.part_count = 1;
    part.first_hit = static_cast<std::uint32_t>(first_hit);
    part.hit_count = static_cast<std::uint32_t>(worker.hits.size() - first_hit);
    const bool all_hits = (test.wants & kWantAllHits) != 0;
    if (part.result.verdict == Verdict::undecided) return;
    const bool last = shared_test.algorithm_parts_left.fetch_sub(1, std::memory_order_relaxed) == 1;
    if (last || (part.result.verdict == Verdict::colliding && !all_hits))
        shared_test.decide(Racer::chosen, now_ns());
}

void PassRunner::search_common_point(const Test& test, TestPart& part, Worker& worker) {
    PairQuery query = worker.query;
    query.wants = kWantVerdict;
    query.hits = nullptr;
    query.a.prepared = query.b.prepared = nullptr;
    query.parameters = default_values(point_search().parameters);
    part.result = run_query(point_search(), query, pairs_.state(test.state).race->point);
}

void PassRunner::merge_shared_tests() {
    stats_.shared_pairs = shared_.shared_test_count();
    for (std::size_t i = 0; i < shared_.shared_test_count(); ++i) {
        SharedTest& shared_test = shared_.shared_test(i);
        Test& test = waiting_test(shared_test.test);
        stats_.shared_parts += shared_test.part_count;
        if (shared_.parts_of(shared_test).front().racer != Racer::chosen) {
            stats_.won_by_algorithm += shared_test.won(Racer::chosen);
            stats_.won_by_gap_search += shared_test.won(Racer::gap);
            stats_.won_by_point_search += shared_test.won(Racer::point);
        }
        stats_.seconds_to_stop += seconds_to_stop(shared_test);
        const PairResult result = merge_results(shared_test);
        const std::size_t first_hit = workers_[0]->hits.size();
        merge_hits(shared_test);
        set_bodies(test, *workers_[0]);
        store_result(test, result, first_hit, 0);
    }
}

double PassRunner::seconds_to_stop(const SharedTest& shared_test) {
    std::int64_t last = shared_test.decided_ns.load(std::memory_order_relaxed);
    const std::int64_t first = last;
    for (const TestPart& part : shared_.parts_of(shared_test)) last = std::max(last, part.ended_ns);
    return first == 0 ? 0 : 1e-9 * static_cast<double>(last - first);
}

/// Colliding if one part is (the first such part in order), separated if all are or a gap was found.
PairResult PassRunner::merge_results(const SharedTest& shared_test) {
    PairResult out;
    out.verdict = Verdict::separated;
    out.rung = 1;
    bool complete = true, colliding = false;
    for (const TestPart& part : shared_.parts_of(shared_test)) {
        const PairResult& r = part.result;
        if (part.racer == Racer::gap || (part.racer == Racer::point && r.verdict != Verdict::colliding))
            continue;
        if (r.verdict == Verdict::colliding && !colliding) {
            colliding = true;
            out.verdict = r.verdict;
            out.certificate = r.certificate;
        }
        out.rung = std::max(out.rung, r.rung);
        if (part.racer != Racer::chosen) continue;
        complete = complete && r.verdict != Verdict::undecided;
        out.iterations += r.iterations;
        for (std::size_t i = 0; i < kMaxCounters; ++i) out.counters[i] += r.counters[i];
    }
    if (shared_test.won(Racer::gap)) out.rung = std::max<std::uint8_t>(out.rung, 2);
    if (!complete && !colliding && !shared_test.won(Racer::gap)) out.verdict = Verdict::undecided;
    Test& test = waiting_test(shared_test.test);
    if (complete) test.work = step_count(out, algorithm(test.choice)->counters.size());
    return out;
}

/// Appends the hits of all parts to the first worker's hits, in the order of a whole query, without
/// duplicates.
void PassRunner::merge_hits(const SharedTest& shared_test) {
    std::vector<Hit>& all = workers_[0]->hits;
    const std::size_t first = all.size();
    for (const TestPart& part : shared_.parts_of(shared_test)) {
        // By index: `from` may be `all` itself.
        const std::vector<Hit>& from = workers_[part.worker]->hits;
        for (std::uint32_t i = 0; i < part.hit_count; ++i) all.push_back(Hit(from[part.first_hit + i]));
    }
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, all.end(), collision::comes_before);
    all.erase(std::unique(begin, all.end()), all.end());
}

}  // namespace claybox::collision
