// Seidel's linear program.
//
// Source: Chong's notes on convexity-based methods, linear programming; Seidel, Small-dimensional linear
// programming and convex hulls made easy, 1991.
//
// Idea: a convex body is the intersection of the half-spaces of its faces, so two bodies collide when the
// half-spaces of both can be satisfied together. Take them in random order and keep the optimum of a linear
// function. When the next half-space holds the optimum, nothing changes; when not, the new optimum lies on
// its plane and a program of one dimension less finds it; when that has no solution, the bodies are
// separated, and the at most four half-spaces that contradict each other give the axis (Farkas).
//
// Preconditions: both shapes convex, of any dimension: flat ones are described by more half-spaces. A box of
// a few times the bodies' size keeps every program bounded. Exact: a contradiction's axis, or four vertex
// pairs around the middle of four optima, goes up the ladder; where a matrix flattens a body, its half-spaces
// do not describe it and the ladder decides. Complexity: expected O(half-spaces). Caches nothing of its own.

#include "collision/parts/seidel.hpp"

#include "collision/core/random.hpp"
#include "collision/pairwise/half_space_claims.hpp"
#include "collision/parts/query_room.hpp"

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

/// Four directions of which no plane holds more than two: the middle of the four optima lies inside the
/// common part of the bodies wherever that has an inside.
constexpr double kThird = 0.57735026918962576;
constexpr Coordinates<3> kObjectives[4] = {{kThird, kThird, kThird},
                                           {kThird, -kThird, -kThird},
                                           {-kThird, kThird, -kThird},
                                           {-kThird, -kThird, kThird}};

/// Rows in random order; `row_of` tells which they were.
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
    Programs(const PairQuery& q, QueryRoom& room, PairResult& result, Trace* trace)
        : query_(q),
          a_(system_body(q.a)),
          b_(system_body(q.b)),
          difference_(difference_of(q)),
          system_(a_, b_, difference_, room.take<HalfSpace<3>>(count(q))),
          rows_(room.take<HalfSpace<3>>(count(q))),
          row_of_(room.take<std::uint32_t>(count(q))),
          below_(std::as_writable_bytes(room.take<double>(seidel_room<3>(count(q)) / sizeof(double)))),
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
        return m * (2 * sizeof(HalfSpace<3>) + sizeof(std::uint32_t)) + seidel_room<3>(m) + kAligned;
    }
    SolidClaim run();

  private:
    SeidelAnswer<3> maximise(const Coordinates<3>& objective);
    SolidClaim apart(SeidelAnswer<3>& answer) const;
    void tell(std::size_t at, const Coordinates<3>& x) const;

    const PairQuery& query_;
    SystemBody a_, b_;
    Difference<double> difference_;
    BodySystem system_;
    std::span<HalfSpace<3>> rows_;  ///< of the system, in the order of the program
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
                               if (trace_ != nullptr) tell(at, x);
                           });
}

void Programs::tell(std::size_t at, const Coordinates<3>& x) const {
    const Vec3d origin_w = cast<double>(query_.a.world_from_body.translation());
    trace_->begin_iteration(static_cast<int>(result_.iterations));
    trace_->point(system_.point(x) + origin_w, "optimum");
    trace_->value("half-spaces so far", static_cast<double>(at == rows_.size() ? 0 : at + 1));
    if (at < rows_.size()) tell_half_space(*trace_, system_, origin_w, row_of_[at], x);
}

SolidClaim Programs::apart(SeidelAnswer<3>& answer) const {
    for (std::size_t i = 0; i < answer.conflict_count; ++i) {
        std::uint32_t& row = answer.conflict[i].row;
        if (row < row_of_.size()) row = row_of_[row];
    }
    return claim_apart(system_, {answer.conflict.data(), answer.conflict_count});
}

SolidClaim Programs::run() {
    SolidClaim claim;
    Coordinates<3> middle{};
    bool feasible = true;
    for (const Coordinates<3>& objective : kObjectives) {
        SeidelAnswer<3> answer = maximise(objective);
        feasible = answer.feasible;
        if (!feasible) {
            claim = apart(answer);
            break;
        }
        for (std::size_t i = 0; i < 3; ++i) middle[i] += answer.x[i] / 4;
    }
    if (feasible) claim = claim_common(system_, middle);
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
            QueryRoom room(*q.scratch, Programs::bytes(q));
            claim = Programs(q, room, result, trace).run();
        }
        ladder.finish(claim);
    }
    write_counters(ladder.counts(), {kDoubleIterations, kExactIterations, kFromCache}, result);
}

constexpr const char* kShuffleChoices[] = {"random", "as_listed"};
constexpr Parameter kParameters[] = {
    {"order", "Order", ParameterKind::choice, 0, 0, 1, "", "Seidel 1991",
     "Random from the query's seed, which makes the expected cost linear, or as the faces are listed.", false,
     kShuffleChoices},
    {"box", "Bounding box", ParameterKind::real, 2, 1, 1e6, "",
     "ours: no program without bounds has an optimum; both bodies lie within 1",
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
        a.summary = "Satisfies the half-spaces of both bodies one by one in random order.";
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
