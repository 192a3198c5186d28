// How the tests of a pass are shared among workers: docs/parallel.md.
#include "collision/module/pass.hpp"
#include "collision/pairwise/hit_receiver.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

const PairAlgorithm& point_search() {
    static const PairAlgorithm& algorithm = *find_pair_algorithm("random_points");
    return algorithm;
}

/// A clock for what happens once a part of a shared pair.
std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// What a pair may cost that has not been tested yet: for the order of tests only.
std::uint32_t expected_work(const PairBody& a, const PairBody& b) {
    return a.geometry->topology->polygon_count() + b.geometry->topology->polygon_count();
}

}  // namespace

void Pass::share_tests() {
    work_.clear();
    for (const Test& test : tests_) {
        const PairBody &a = placed_[first_slot(test.key)], &b = placed_[second_slot(test.key)];
        work_.push_back(test.choice == kNone ? 0 : test.work != 0 ? test.work : expected_work(a, b));
    }
    const bool exact = exactness() == Exactness::exact;
    shared_.choose_teams(work_, settings_.share_from, executor_->worker_count(),
                         has(settings_.parallel, ParallelMode::pairs), [&](std::uint32_t i) {
                             const Test& test = tests_[i];
                             return exact && test.choice != kNone && test.work != 0 &&
                                    (part_count(test) > 1 || races_gap(test) || races_point(test));
                         });
    for (std::uint32_t team = 0; team < shared_.team_count(); ++team) add_parts(team);
    shared_.make_jobs();
}

/// One-sided algorithms end at different points when they are split; a second one then decides what is left.
std::uint32_t Pass::part_count(const Test& test) const {
    const PairAlgorithm& asked = *algorithm(test.choice);
    const bool certain = (asked.exact && asked.bias == Bias::none) || test.second != kNone;
    if (!asked.splittable || !certain) return 1;
    // As many of A's edges as of B's. More would balance better, but each part repeats what comes before
    // edges are tested.
    if (has(settings_.parallel, ParallelMode::fine)) return (executor_->worker_count() + 1) / 2 * 2;
    return has(settings_.parallel, ParallelMode::halves) ? 2 : 1;
}

bool Pass::races_gap(const Test& test) const {
    const PairAlgorithm& asked = *algorithm(test.choice);
    return has(settings_.parallel, ParallelMode::dual | ParallelMode::three) && asked.exact &&
           asked.bias == Bias::none;
}

/// A point inside both answers questions about solids only, and gives no hits.
bool Pass::races_point(const Test& test) const {
    if (!has(settings_.parallel, ParallelMode::three) || !races_gap(test)) return false;
    const bool solid = settings_.solid || (test.wants & kWantSolid) != 0 ||
                       algorithm(test.choice)->meaning == Meaning::solid;
    return solid && (test.wants & kWantAllHits) == 0 &&
           applicable(point_search(), placed_[first_slot(test.key)], placed_[second_slot(test.key)]);
}

/// Searches that race come first: with two workers the algorithm then has to wait for the shorter one of two.
void Pass::add_parts(std::uint32_t team) {
    const Test& test = tests_[shared_.team(team).test];
    const bool gap = races_gap(test), point = races_point(test);
    PairState& state = pairs_.state(test.state);
    if ((gap || point) && state.race == nullptr) state.race = std::make_unique<RaceMemory>();
    TeamPart part;
    part.team = team;
    part.racer = Racer::gap;
    if (gap) shared_.add_part(part);
    part.racer = Racer::point;
    if (point) shared_.add_part(part);
    part.racer = Racer::chosen;
    part.part_count = part_count(test);
    for (part.part = 0; part.part < part.part_count; ++part.part) shared_.add_part(part);
}

void Pass::run_jobs() {
    const auto jobs = shared_.jobs();
    const bool pairs = has(settings_.parallel, ParallelMode::pairs);
    const std::size_t shared = pairs ? jobs.size() : shared_.parts().size();
    const auto run = [&](std::size_t begin, std::size_t end, unsigned worker) {
        for (std::size_t i = begin; i < end; ++i) run_job(jobs[i], worker);
    };
    executor_->parallel_for(shared, 1, run, shared_.jobs_in_turn());
    for (const Job& job : jobs.subspan(shared)) run_job(job, 0);
}

void Pass::run_job(const Job& job, unsigned worker) {
    if (job.kind == Job::Kind::part) return run_part(shared_.parts()[job.begin], worker);
    for (std::uint32_t i = job.begin; i < job.end; ++i) {
        if (tests_[i].choice == kNone || (job.kind == Job::Kind::range && shared_.is_apart(i))) continue;
        run_test(tests_[i], *workers_[worker], worker);
    }
}

void Pass::run_part(TeamPart& part, unsigned worker_index) {
    Worker& worker = *workers_[worker_index];
    Team& team = shared_.team(part.team);
    part.worker = worker_index;
    part.result.status = QueryStatus::stopped;
    if (team.decided.stop_requested()) return;
    const Test& test = tests_[team.test];
    set_bodies(test, worker);
    worker.query.stop = StopToken(team.decided, stop_);
    if (part.racer == Racer::gap) {
        const PairBody &a = worker.query.a, &b = worker.query.b;
        const GapResult gap = search_gap({a.geometry, &a.world_from_body}, {b.geometry, &b.world_from_body},
                                         worker.query.stop, pairs_.state(test.state).race->gap);
        if (gap.found) team.decide(Racer::gap, now_ns());
    } else if (part.racer == Racer::point) {
        search_common_point(test, part, worker);
        if (part.result.verdict == Verdict::colliding) team.decide(Racer::point, now_ns());
    } else {
        run_chosen_part(team, part, worker);
    }
    worker.query.stop = StopToken(stop_);
    part.ended_ns = now_ns();
}

/// The first part has what the pair remembers; the others begin with nothing.
void Pass::run_chosen_part(Team& team, TeamPart& part, Worker& worker) {
    const Test& test = tests_[team.test];
    const std::size_t first_hit = worker.hits.size();
    worker.query.part = part.part;
    worker.query.part_count = part.part_count;
    worker.part_cache.clear();
    PairCache& cache = part.part == 0 ? pairs_.state(test.state).cache : worker.part_cache;
    part.result = ask_choice(test, test.choice, test.wants, worker, cache);
    worker.query.part = 0;
    worker.query.part_count = 1;
    part.first_hit = static_cast<std::uint32_t>(first_hit);
    part.hit_count = static_cast<std::uint32_t>(worker.hits.size() - first_hit);
    const bool all_hits = (test.wants & kWantAllHits) != 0;
    if (part.result.verdict == Verdict::undecided) return;
    const bool last = team.chosen_left.fetch_sub(1, std::memory_order_relaxed) == 1;
    if (last || (part.result.verdict == Verdict::colliding && !all_hits))
        team.decide(Racer::chosen, now_ns());
}

void Pass::search_common_point(const Test& test, TeamPart& part, Worker& worker) {
    PairQuery query = worker.query;
    query.wants = kWantVerdict;
    query.hits = nullptr;
    query.a.prepared = query.b.prepared = nullptr;
    query.parameters = default_values(point_search().parameters);
    part.result = run_query(point_search(), query, pairs_.state(test.state).race->point);
}

void Pass::join_teams() {
    stats_.shared_pairs = shared_.team_count();
    for (std::size_t i = 0; i < shared_.team_count(); ++i) {
        Team& team = shared_.team(i);
        Test& test = tests_[team.test];
        stats_.shared_parts += team.part_count;
        if (shared_.parts_of(team).front().racer != Racer::chosen) {
            stats_.first_was_chosen += team.was_first(Racer::chosen);
            stats_.first_was_gap += team.was_first(Racer::gap);
            stats_.first_was_point += team.was_first(Racer::point);
        }
        stats_.seconds_to_listen += seconds_to_listen(team);
        const PairResult result = join_results(team);
        const std::size_t first_hit = workers_[0]->hits.size();
        join_hits(team);
        set_bodies(test, *workers_[0]);
        take_result(test, result, first_hit, 0);
    }
}

double Pass::seconds_to_listen(const Team& team) {
    std::int64_t last = team.decided_ns.load(std::memory_order_relaxed);
    const std::int64_t first = last;
    for (const TeamPart& part : shared_.parts_of(team)) last = std::max(last, part.ended_ns);
    return first == 0 ? 0 : 1e-9 * static_cast<double>(last - first);
}

/// Colliding where one part is, as the first of these tells; separated where all are or there is a gap.
PairResult Pass::join_results(const Team& team) {
    PairResult out;
    out.verdict = Verdict::separated;
    out.rung = 1;
    bool complete = true, met = false;
    for (const TeamPart& part : shared_.parts_of(team)) {
        const PairResult& r = part.result;
        if (part.racer == Racer::gap || (part.racer == Racer::point && r.verdict != Verdict::colliding))
            continue;
        if (r.verdict == Verdict::colliding && !met) {
            met = true;
            out.verdict = r.verdict;
            out.certificate = r.certificate;
        }
        out.rung = std::max(out.rung, r.rung);
        if (part.racer != Racer::chosen) continue;
        complete = complete && r.verdict != Verdict::undecided;
        out.iterations += r.iterations;
        for (std::size_t i = 0; i < kMaxCounters; ++i) out.counters[i] += r.counters[i];
    }
    if (team.was_first(Racer::gap)) out.rung = std::max<std::uint8_t>(out.rung, 2);
    if (!complete && !met && !team.was_first(Racer::gap)) out.verdict = Verdict::undecided;
    if (complete) tests_[team.test].work = steps_of(out);
    return out;
}

/// All hits of the parts, as the first worker's, in the order that a query gives them in, each once.
void Pass::join_hits(const Team& team) {
    std::vector<Hit>& all = workers_[0]->hits;
    const std::size_t first = all.size();
    for (const TeamPart& part : shared_.parts_of(team)) {
        // By index: the worker may be the first itself.
        const std::vector<Hit>& from = workers_[part.worker]->hits;
        for (std::uint32_t i = 0; i < part.hit_count; ++i) all.push_back(Hit(from[part.first_hit + i]));
    }
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, all.end(), collision::comes_before);
    all.erase(std::unique(begin, all.end()), all.end());
}

}  // namespace claybox::collision
