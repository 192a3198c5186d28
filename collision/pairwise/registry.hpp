#pragma once

#include "collision/pairwise/query.hpp"

#include <string_view>

namespace claybox::collision {

/// What shapes an algorithm accepts.
enum class Needs : unsigned char { any_polygons, closed, convex };
const char* to_string(Needs needs);

/// To which side a one-sided algorithm may err.
enum class Bias : unsigned char { none, separated, colliding };

/// A pair algorithm as plain data. Everything the panels, the command line, tests, benches and documentation
/// know about an algorithm stands here.
struct PairAlgorithm {
    const char* id;
    const char* title;
    const char* source;   ///< paper and section
    const char* summary;  ///< one sentence for a tooltip
    Needs needs = Needs::any_polygons;
    Wants gives = kWantVerdict;  ///< bits beside the verdict
    Meaning meaning = Meaning::solid;
    bool exact = true;
    Bias bias = Bias::none;
    bool splittable = false;  ///< understands part k of m
    std::span<const Parameter> parameters = {};
    std::span<const char* const> counters = {};  ///< names of PairResult::counters

    /// Makes what the algorithm needs of one shape; null when nothing is needed. May be slow; thread-safe.
    std::shared_ptr<const Prepared> (*prepare)(const Shape& shape, const Geometry& geometry) = nullptr;
    /// Follows a deformation: a new or the same object that fits `geometry`; `touched` polygons changed.
    std::shared_ptr<const Prepared> (*update)(std::shared_ptr<const Prepared> prepared,
                                              const Geometry& geometry,
                                              std::span<const std::uint32_t> touched) = nullptr;
    /// Whether the pair is in the domain beyond `needs`; null means always.
    bool (*fits)(const Shape& a, const Shape& b) = nullptr;
    /// Bytes of pool memory that a pair's cache needs beside the fixed block; null means none.
    std::size_t (*cache_bytes)(const Shape& a, const Shape& b) = nullptr;
    /// Re-entrant; allocates nothing on rungs 1 and 2; never throws, hangs or returns NaN.
    void (*query)(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) = nullptr;
    /// Whether `query` cannot do without what `prepare` makes; otherwise it is only faster with it.
    bool needs_prepared = false;
};

/// All pair algorithms, in the order of list.def.
std::span<const PairAlgorithm* const> pair_algorithms();
/// Null when there is none of that id.
const PairAlgorithm* find_pair_algorithm(std::string_view id);

/// Whether `algorithm` can answer about these two bodies as they are (deformed bodies count as not convex).
bool applicable(const PairAlgorithm& algorithm, const PairBody& a, const PairBody& b);

/// Runs one query with `meaning`, domain check and hit sink handling around the algorithm's own function.
/// What the algorithm needs prepared and a body lacks is made for this query alone, which allocates and may
/// be slow: whoever asks often prepares once. `needs_prepared` tells.
PairResult run_query(const PairAlgorithm& algorithm, const PairQuery& query, PairCache& cache,
                     Trace* trace = nullptr);

/// Checks a result's certificate again in exact arithmetic. True when it proves the verdict; a surface
/// separation has no certificate of fixed size and is recomputed.
bool certify(const PairQuery& query, const PairResult& result);

}  // namespace claybox::collision
