// Seidel's linear program.
//
// Source: Chong's notes on convexity-based methods, linear programming; Seidel, Small-dimensional linear
// programming and convex hulls made easy, 1991.
//
// Idea: a convex body is the intersection of the half-spaces of its faces, so two bodies collide if the
// half-spaces of both can be satisfied together. Add them in random order and keep the optimum of a linear
// function. If the next half-space contains the optimum, nothing changes. Otherwise the new optimum is on its
// plane, and a program of one dimension less finds it. If that has no solution, the bodies are separated, and
// at most four contradicting half-spaces give the axis (Farkas).
//
// Preconditions: both shapes convex, of any dimension (flat ones need more half-spaces). A box of a few times
// the bodies' size bounds every program.
// Exactness: the axis of a contradiction, or four vertex pairs around the mean of four optima, goes up the
// ladder. If a matrix flattens a body, its half-spaces do not define it and the ladder decides.
// Complexity: expected O(half-spaces). Caches nothing of its own.

#include "collision/pairwise/linear_programming/seidel.hpp"

#include "collision/core/random.hpp"
#include "collision/pairwise/linear_programming/half_space_claims.hpp"
#include "collision/pairwise/query_buffer.hpp"

#include <utility>

namespace claybox::collision {

const PairAlgorithm& describe_seidel();

namespace {

enum ParameterIndex : std::size_t { kShuffle, kBox };
enum CounterIndex : std::size_t {
    kHalfSpaces,
    kChecks,
    kRecursions,
    kDoubleIterations,
    kExactIterations,
    kFromCache
};

/// Four directions, of which no plane contains more than two. The mean of the four optima is inside the
/// common part of the bodies if that has an inside.
constexpr double kThird = 0.57735026918962576;
constexpr Coordinates<3> kObjectives[4] = {{kThird, kThird, kThird},
                                           {kThird, -kThird, -kThird},
                                           {-kThird, kThird, -kThird},
                                           {-kThird, -kThird, kThird}};

/// Shuffles the rows; `row_of` maps each to its original index.
void shuffle(std::span<HalfSpace<3>> rows, std::span<std::uint32_t> row_of, std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = rows.size(); i > 1; --i) {
        const auto j = static_cast<std::size_t>(random.below(i));
        std::swap(rows[i - 1], rows[j]);
        std::swap(row_of[i - 1], row_of[j]);
    }
}

class Programs {
  public:
    Programs(const PairQuery& q, QueryBuffer& buffer, PairResult& result, Trace* trace)
        : query_(q),
          a_(system_body(q.a)),
          b_(system_body(q.b)),
          difference_(difference_of(q)),
          system_(a_, b_, difference_, buffer.take<HalfSpace<3>>(count(q))),
          rows_(buffer.take<HalfSpace<3>>(count(q))),
          row_of_(buffer.take<std::uint32_t>(count(q))),
          below_(std::as_writable_bytes(buffer.take<double>(seidel_bytes<3>(count(q)) / sizeof(double)))),
          result_(result),
          trace_(trace) {
        std::copy(system_.rows().begin(), system_.rows().end(), rows_.begin());
        for (std::uint32_t i = 0; i < row_of_.size(); ++i) row_of_[i] = i;
        if (q.parameters.integer(kShuffle) == 0) shuffle(rows_, row_of_, q.seed);
    }
    static std::size_t count(const PairQuery& q) {
        return half_space_count(*q.a.shape->hull()) + half_space_count(*q.b.shape->hull());
    }
    static std::size_t bytes(const PairQuery& q) {
        constexpr std::size_t kAligned = 64;  // more than all alignments together
        const std::size_t m = count(q);
        return m * (2 * sizeof(HalfSpace<3>) + sizeof(std::uint32_t)) + seidel_bytes<3>(m) + kAligned;
    }
    SolidClaim run();

  private:
    SeidelAnswer<3> maximise(const Coordinates<3>& objective);
    SolidClaim contradiction(SeidelAnswer<3>& answer) const;
    void trace_optimum(std::size_t at, const Coordinates<3>& x) const;

    const PairQuery& query_;
    SystemBody a_, b_;
    Difference<double> difference_;
    BodySystem system_;
    std::span<HalfSpace<3>> rows_;  ///< the system's rows in the order of the program
    std::span<std::uint32_t> row_of_;
    std::span<std::byte> below_;
    PairResult& result_;
    Trace* trace_;
    SeidelCounts counts_;
};

SeidelAnswer<3> Programs::maximise(const Coordinates<3>& objective) {
    return solve_seidel<3>(std::span<const HalfSpace<3>>(rows_), objective, query_.parameters[kBox], below_,
                           counts_, [this](std::size_t at, const Coordinates<3>& x) {
                               ++result_.iterations;
                               if (trace_ != nullptr) trace_optimum(at, x);
                           });
}

void Programs::trace_optimum(std::size_t at, const Coordinates<3>& x) const {
    const Vec3d origin_w = cast<double>(query_.a.world_from_body.translation());
    trace_->begin_iteration(static_cast<int>(result_.iterations));
    trace_->point(system_.point(x) + origin_w, "optimum");
    trace_->value("half-spaces so far", static_cast<double>(at == rows_.size() ? 0 : at + 1));
    if (at < rows_.size()) trace_half_space(*trace_, system_, origin_w, row_of_[at], x);
}

SolidClaim Programs::contradiction(SeidelAnswer<3>& answer) const {
    for (std::size_t i = 0; i < answer.conflict_count; ++i) {
        std::uint32_t& row = answer.conflict[i].row;
        if (row < row_of_.size()) row = row_of_[row];
    }
    return claim_contradiction(system_, {answer.conflict.data(), answer.conflict_count});
}

SolidClaim Programs::run() {
    SolidClaim claim;
    Coordinates<3> middle{};
    bool feasible = true;
    for (const Coordinates<3>& objective : kObjectives) {
        SeidelAnswer<3> answer = maximise(objective);
        feasible = answer.feasible;
        if (!feasible) {
            claim = contradiction(answer);
            break;
        }
        for (std::size_t i = 0; i < 3; ++i) middle[i] += answer.x[i] / 4;
    }
    if (feasible) claim = claim_common_point(system_, middle);
    result_.counters[kHalfSpaces] = static_cast<std::uint32_t>(rows_.size());
    result_.counters[kChecks] = static_cast<std::uint32_t>(counts_.checks);
    result_.counters[kRecursions] = counts_.recursions;
    return claim;
}

void query_seidel(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory = cache.as<LadderMemory>(&describe_seidel(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory, result, trace);
    if (!ladder.recall()) {
        SolidClaim claim;
        {
            QueryBuffer buffer(*q.scratch, Programs::bytes(q));
            claim = Programs(q, buffer, result, trace).run();
        }
        ladder.finish(claim);
    }
    write_counters(ladder.counts(), {kDoubleIterations, kExactIterations, kFromCache}, result);
}

constexpr const char* kShuffleChoices[] = {"random", "as_listed"};
constexpr Parameter kParameters[] = {
    {"order", "Order", ParameterKind::choice, 0, 0, 1, "", "Seidel 1991",
     "Random from the query's seed, which makes the expected cost linear, or in the order of the faces.",
     false, kShuffleChoices},
    {"box", "Bounding box", ParameterKind::real, 2, 1, 1e6, "",
     "ours: an unbounded program has no optimum; both bodies are within 1",
     "Half the side of the box that bounds every program, in units of the bodies' size.", true},
};
constexpr const char* kCounters[] = {"half-spaces",       "constraint checks", "recursions",
                                     "double iterations", "exact iterations",  "remembered decision"};

}  // namespace

const PairAlgorithm& describe_seidel() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "seidel";
        a.title = "Seidel's linear program";
        a.source = "Chong, notes on convexity-based methods; Seidel 1991";
        a.summary = "Adds the half-spaces of both bodies one by one in random order and keeps an optimum.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_half_spaces;
        a.needs_prepared = true;
        a.query = query_seidel;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
