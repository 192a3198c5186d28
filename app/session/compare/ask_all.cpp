#include "app/session/compare/ask_all.hpp"

#include "engine/files/paths.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {

using collision::PairCache;
using collision::PairQuery;
using collision::Verdict;

namespace {

constexpr std::size_t kSamples = 5;
constexpr double kSampleSeconds = 10e-6;   // shorter runs are repeated within a sample
constexpr double kMeasuredSeconds = 2e-3;  // of all samples together
constexpr std::size_t kMaxRunsPerSample = 100;

/// The median time of a run in nanoseconds. `first` is the time of a run before, seconds; a slow one is not
/// repeated.
template <class Run>
double median_ns(const Run& run, double first, bool one_per_sample) {
    const auto fits = static_cast<std::size_t>(kMeasuredSeconds / std::max(first, 1e-9));
    const std::size_t samples = std::min(kSamples, fits);
    if (samples == 0) return first * 1e9;
    const std::size_t runs =
        one_per_sample ? 1
                       : std::clamp(static_cast<std::size_t>(kSampleSeconds / std::max(first, 1e-9)),
                                    std::size_t{1}, kMaxRunsPerSample);
    std::array<double, kSamples> times{};
    for (std::size_t i = 0; i < samples; ++i) {
        double seconds = 0;
        if (one_per_sample) {
            seconds = run();
        } else {
            const double start = engine::now_seconds();
            for (std::size_t k = 0; k < runs; ++k) run();
            seconds = engine::now_seconds() - start;
        }
        times[i] = seconds / static_cast<double>(runs);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(samples / 2);
    std::nth_element(times.begin(), middle, times.begin() + static_cast<std::ptrdiff_t>(samples));
    return *middle * 1e9;
}

const char* sentence_of(Standing standing, const collision::PairAlgorithm& algorithm) {
    switch (standing) {
        case Standing::agrees:
            return "";
        case Standing::disagrees:
            return "Differs from exact arithmetic.";
        case Standing::approximate:
            return algorithm.bias == collision::Bias::none
                       ? "Approximate: this answer differs from exact arithmetic."
                       : "One-sided: it errs to the side that it may err to.";
        case Standing::undecided:
            if (algorithm.exact) return "The float answer decides nothing, and there is no proof.";
            return algorithm.bias == collision::Bias::separated ? "One-sided: it proves collisions only."
                                                                : "One-sided: it proves separations only.";
        case Standing::unchecked:
            return "Exact arithmetic has no verdict about such bodies.";
        case Standing::no_answer:
            return "Gives no answer.";
    }
    return "";
}

}  // namespace

namespace {

/// Hulls and parts of finer bodies take seconds to prepare, and the window would wait.
bool has_fine_body(const PairSubject& subject) {
    constexpr std::size_t kMaxVertices = 4000;
    return std::max(subject.a->geometry().positions.size(), subject.b->geometry().positions.size()) >
           kMaxVertices;
}

}  // namespace

bool is_slow_to_prepare(const collision::PairAlgorithm& algorithm, const PairSubject& subject) {
    return algorithm.needs_prepared && algorithm.needs != collision::Needs::any_polygons &&
           has_fine_body(subject);
}

const char* needs_sentence(collision::Needs needs) {
    switch (needs) {
        case collision::Needs::convex:
            return "Needs convex bodies, of a size that it supports.";
        case collision::Needs::closed:
            return "Needs closed meshes, of a size that it supports.";
        case collision::Needs::any_polygons:
            return "Does not accept these bodies.";
    }
    return "";
}

PairQuery query_for(const collision::PairAlgorithm& algorithm, const PairSubject& subject,
                    const collision::WorldSettings& settings, PreparedShapes& prepared,
                    collision::Scratch& scratch) {
    PairQuery query = query_of(subject, scratch);
    query.exactness = settings.exactness;
    query.seed = settings.seed;
    query.parameters = settings.pair_algorithm == &algorithm
                           ? settings.pair_parameters
                           : collision::default_values(algorithm.parameters);
    if (settings.solid) query.wants |= collision::kWantSolid;
    if (!collision::applicable(algorithm, query.a, query.b)) return query;
    if (algorithm.needs != collision::Needs::any_polygons && has_fine_body(subject)) return query;
    query.a.prepared = prepared.find(subject.a, algorithm.prepare);
    query.b.prepared = prepared.find(subject.b, algorithm.prepare);
    return query;
}

collision::ContinuousQuery motion_query_for(const collision::ContinuousAlgorithm& algorithm,
                                            const PairSubject& subject,
                                            const collision::WorldSettings& settings,
                                            PreparedShapes& prepared, collision::Scratch& scratch) {
    collision::ContinuousQuery query = motion_query_of(subject, scratch);
    query.tolerance = settings.continuous_tolerance;
    query.pair.exactness = settings.exactness;
    query.pair.seed = settings.seed;
    query.pair.parameters = settings.continuous_algorithm == &algorithm
                                ? settings.continuous_parameters
                                : collision::default_values(algorithm.parameters);
    if (!collision::applicable(algorithm, query)) return query;
    query.pair.a.prepared = prepared.find(subject.a, algorithm.prepare);
    query.pair.b.prepared = prepared.find(subject.b, algorithm.prepare);
    return query;
}

void AskAll::use(std::span<const collision::PairAlgorithm* const> pairs,
                 std::span<const collision::ContinuousAlgorithm* const> continuous) {
    clear();
    pairs_ = pairs;
    continuous_ = continuous;
}

void AskAll::clear() {
    *this = [&] {
        AskAll fresh;
        fresh.pairs_ = pairs_;
        fresh.continuous_ = continuous_;
        return fresh;
    }();
}

void AskAll::start(const PairSubject& subject, const AskOptions& options) {
    const bool same = subject.a == working_.a && subject.b == working_.b;
    if (!same) {
        prepared_.clear();
        took_.clear();
        rows_.clear();  // rows of other bodies would mislead
    }
    took_.resize(pairs_.size() + continuous_.size(), 0);
    working_ = subject;
    options_ = options;
    collected_.clear();
    next_ = 0;
    knows_truth_ = false;
    running_ = subject.complete();
}

bool AskAll::advance(double seconds) {
    if (!running_) return false;
    const double start = engine::now_seconds();
    if (!knows_truth_) {
        working_truth_ = find_truth(working_, scratch_);
        motion_truth_ =
            working_.moves() ? find_motion_truth(working_, scratch_) : collision::Verdict::undecided;
        knows_truth_ = true;
    }
    while (next_ < total()) {
        ask_next();
        if (next_ < total() && engine::now_seconds() - start >= seconds) return false;
    }
    complete();
    return true;
}

void AskAll::ask_next() {
    const std::size_t i = next_++;
    const bool pair = i < pairs_.size();
    AlgorithmAnswer answer;
    if (options_.slowest > 0 && took_[i] > options_.slowest) {
        answer.id = pair ? pairs_[i]->id : continuous_[i - pairs_.size()]->id;
        answer.title = pair ? pairs_[i]->title : continuous_[i - pairs_.size()]->title;
        answer.along_motion = !pair;
        answer.why = "Too slow to ask in every frame; \"Ask all\" asks it.";
    } else {
        const double start = engine::now_seconds();
        answer = pair ? ask(*pairs_[i]) : ask(*continuous_[i - pairs_.size()]);
        took_[i] = engine::now_seconds() - start;
    }
    collected_.push_back(answer);
}

void AskAll::complete() {
    rows_.swap(collected_);
    subject_ = working_;
    truth_ = working_truth_;
    running_ = false;
}

AlgorithmAnswer AskAll::ask(const collision::PairAlgorithm& algorithm) {
    AlgorithmAnswer out;
    out.id = algorithm.id;
    out.title = algorithm.title;
    out.exact = algorithm.exact;
    PairQuery query = query_for(algorithm, working_, options_.settings, prepared_, scratch_);
    if (!collision::applicable(algorithm, query.a, query.b)) {
        out.why = needs_sentence(algorithm.needs);
        return out;
    }
    if (is_slow_to_prepare(algorithm, working_)) {
        out.why = "Not asked: preparing data for so many vertices takes seconds.";
        return out;
    }
    const std::size_t pool =
        algorithm.cache_bytes == nullptr ? 0 : algorithm.cache_bytes(*working_.a, *working_.b);
    collision::PairResult result;
    const auto run = [&] {
        pool_.assign(pool, std::byte{0});  // not timed: a cache allocates it once
        PairCache cache;
        cache.set_pool(pool_);
        const double start = engine::now_seconds();
        result = collision::run_query(algorithm, query, cache);
        return engine::now_seconds() - start;
    };
    const double first = run();
    if (result.status != collision::QueryStatus::done) {
        out.why = "Gives no answer.";
        return out;
    }
    out.ns = options_.quick ? 1e9 * std::min(first, run()) : median_ns(run, first, pool > 0);
    out.verdict = result.verdict;
    out.meaning = result.meaning;
    out.iterations = result.iterations;
    const Promised promised{algorithm.exact, algorithm.bias, query.exactness == collision::Exactness::fast};
    out.standing = standing_of(result.verdict, working_truth_.of(result.meaning), promised);
    out.why = sentence_of(out.standing, algorithm);
    if (options_.quick) return out;
    query.wants |= algorithm.gives & (collision::kWantDistance | collision::kWantDepth);
    if ((algorithm.gives & (collision::kWantDistance | collision::kWantDepth)) != 0) {
        run();
        if (result.verdict == Verdict::separated && (algorithm.gives & collision::kWantDistance) != 0 &&
            std::isfinite(result.distance))
            out.distance = result.distance;
        if (result.verdict == Verdict::colliding && (algorithm.gives & collision::kWantDepth) != 0 &&
            std::isfinite(result.depth))
            out.depth = result.depth;
        const Standing measured = standing_of(result.verdict, working_truth_.of(result.meaning), promised);
        if (measured == Standing::disagrees) out.standing = measured;
    }
    out.why = sentence_of(out.standing, algorithm);
    return out;
}

AlgorithmAnswer AskAll::ask(const collision::ContinuousAlgorithm& algorithm) {
    AlgorithmAnswer out;
    out.id = algorithm.id;
    out.title = algorithm.title;
    out.along_motion = true;
    const collision::ContinuousQuery query =
        motion_query_for(algorithm, working_, options_.settings, prepared_, scratch_);
    if (!collision::applicable(algorithm, query)) {
        out.why = "Does not accept these bodies or motions.";
        return out;
    }
    collision::ContinuousResult result;
    const auto run = [&] {
        PairCache cache;
        const double start = engine::now_seconds();
        result = collision::run_continuous(algorithm, query, cache);
        return engine::now_seconds() - start;
    };
    const double first = run();
    if (result.status != collision::QueryStatus::done) {
        out.why = "Gives no answer.";
        return out;
    }
    out.ns = median_ns(run, first, false);
    const collision::Promise promise = collision::promise_for(algorithm, query);
    out.exact = promise == collision::Promise::exact;
    out.verdict = result.verdict;
    out.meaning = result.meaning;
    out.iterations = result.iterations;
    if (result.verdict == Verdict::colliding && algorithm.gives_time) out.time_of_impact = result.time_high;
    // Within the tolerance: no contact is missed, but one may be reported that is not there.
    const collision::Bias bias =
        promise == collision::Promise::tolerance ? collision::Bias::colliding : algorithm.bias;
    out.standing = standing_of(result.verdict, motion_truth_, {out.exact, bias, false});
    out.why = out.standing == Standing::disagrees     ? "Differs from exact arithmetic."
              : out.standing == Standing::unchecked   ? "Exact arithmetic decides straight motions only."
              : out.standing == Standing::approximate ? "Within the tolerance, or approximate."
              : out.standing == Standing::undecided   ? "Leaves this motion undecided, as it may."
                                                      : "";
    return out;
}

std::size_t AskAll::count(Standing standing) const {
    return static_cast<std::size_t>(std::count_if(
        rows_.begin(), rows_.end(), [&](const AlgorithmAnswer& row) { return row.standing == standing; }));
}

std::size_t AskAll::disagreements() const {
    return count(Standing::disagrees);
}

}  // namespace claybox::app
