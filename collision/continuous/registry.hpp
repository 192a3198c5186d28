#pragma once
/// \file
/// All continuous algorithms, and the calls that run one.

#include "collision/continuous/query.hpp"
#include "collision/pairwise/registry.hpp"

namespace claybox::collision {

/// The kinds of motion of a pair, as a set of bits.
using MotionKinds = std::uint32_t;
/// The body stands still.
inline constexpr MotionKinds kFixedMotion = 1u << static_cast<unsigned>(Motion::Kind::fixed);
/// The body moves straight, without turning.
inline constexpr MotionKinds kLinearMotion = 1u << static_cast<unsigned>(Motion::Kind::linear);
/// The body turns and moves.
inline constexpr MotionKinds kScrewMotion = 1u << static_cast<unsigned>(Motion::Kind::screw);
/// All kinds.
inline constexpr MotionKinds kAnyMotion = kFixedMotion | kLinearMotion | kScrewMotion;

/// What the verdict of a continuous algorithm means.
enum class Promise : unsigned char {
    exact,        ///< the verdict of exact arithmetic; the time is right to rounding
    tolerance,    ///< no contact is missed, and none reported beyond ContinuousQuery::tolerance
    approximate,  ///< may err; `bias` says to which side
};
/// The name of the promise, in lower case.
const char* to_string(Promise promise);

/// A continuous algorithm as plain data: everything that the panels, the command line, tests, benches and
/// documentation know about it.
struct ContinuousAlgorithm {
    const char* id;                                      ///< name on the command line
    const char* title;                                   ///< label in panels, sentence case
    const char* source;                                  ///< paper and section
    const char* summary;                                 ///< one sentence for a tooltip
    Needs needs = Needs::convex;                         ///< the shapes that it accepts
    Meaning meaning = Meaning::solid;                    ///< what its verdicts are about
    MotionKinds motions = kFixedMotion | kLinearMotion;  ///< each body may have any of these
    /// For fixed and linear motion of convex bodies. Other pairs in the domain have `promise_otherwise`.
    Promise promise = Promise::exact;
    Promise promise_otherwise = Promise::tolerance;  ///< see `promise`
    Bias bias = Bias::none;                          ///< of the approximate promise
    bool gives_time = true;                          ///< decides the time of impact
    bool gives_all_hits = false;  ///< fills ContinuousQuery::hits with all contacts, else with the first
    std::span<const Parameter> parameters = {};  ///< its settings; may be empty
    std::span<const char* const> counters = {};  ///< names of ContinuousResult::counters

    /// Creates the data that the algorithm needs for one shape; null if it needs none. May be slow.
    /// Thread-safe. `needs_prepared`: run_continuous prepares for one query if the caller did not.
    std::shared_ptr<const Prepared> (*prepare)(const Shape& shape, const Geometry& geometry) = nullptr;
    /// Follows a deformation, like PairAlgorithm::update.
    std::shared_ptr<const Prepared> (*update)(std::shared_ptr<const Prepared> prepared,
                                              const Geometry& geometry,
                                              std::span<const std::uint32_t> touched) = nullptr;
    /// Whether the pair with its motions is in the domain, in addition to `needs` and `motions`; null means
    /// always.
    bool (*fits)(const ContinuousQuery& query) = nullptr;
    /// Re-entrant. Allocates nothing on rungs 1 and 2. Never throws, hangs or returns NaN.
    void (*query)(const ContinuousQuery& query, PairCache& cache, ContinuousResult& result,
                  Trace* trace) = nullptr;
    /// True if `query` requires prepared data; false if prepared data only makes it faster.
    bool needs_prepared = false;
};

/// All continuous algorithms, in the order of list.def.
std::span<const ContinuousAlgorithm* const> continuous_algorithms();
/// Null if no algorithm has this id.
const ContinuousAlgorithm* find_continuous_algorithm(std::string_view id);

/// Whether `algorithm` accepts these bodies and motions. A deformed body counts as not convex.
bool applicable(const ContinuousAlgorithm& algorithm, const ContinuousQuery& query);

/// The promise of `algorithm` for this query.
Promise promise_for(const ContinuousAlgorithm& algorithm, const ContinuousQuery& query);

/// Runs one query: sets `meaning`, checks the domain, clears the hit sink and calls the algorithm's function.
/// If the algorithm needs prepared data and a body has none, this call prepares it for this query alone,
/// which allocates and may be slow. Callers with many queries prepare once.
ContinuousResult run_continuous(const ContinuousAlgorithm& algorithm, const ContinuousQuery& query,
                                PairCache& cache, Trace* trace = nullptr);

}  // namespace claybox::collision
