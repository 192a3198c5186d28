#pragma once
/// \file
/// All pair algorithms, and the calls that run one.

#include "collision/pairwise/query.hpp"

#include <string_view>

namespace claybox::collision {

/// The shapes that an algorithm accepts.
enum class Needs : unsigned char {
    any_polygons,  ///< every shape, also an open or broken mesh
    closed,        ///< closed and manifold meshes
    convex,        ///< shapes with a hull: see Shape::hull
};
/// The name of the need, in words.
const char* to_string(Needs needs);

/// The side to which a one-sided algorithm may err.
enum class Bias : unsigned char {
    none,       ///< to neither, or to both
    separated,  ///< may call colliding bodies separated
    colliding,  ///< may call separated bodies colliding
};

/// A pair algorithm as plain data: everything that the panels, the command line, tests, benches and
/// documentation know about it.
struct PairAlgorithm {
    const char* id;                              ///< name on the command line
    const char* title;                           ///< label in panels, sentence case
    const char* source;                          ///< paper and section
    const char* summary;                         ///< one sentence for a tooltip
    Needs needs = Needs::any_polygons;           ///< the shapes that it accepts
    Wants gives = kWantVerdict;                  ///< bits in addition to the verdict
    Meaning meaning = Meaning::solid;            ///< what its verdicts are about
    bool exact = true;                           ///< false: may err, see `bias`
    Bias bias = Bias::none;                      ///< of an algorithm that is not exact
    bool splittable = false;                     ///< supports part k of m
    std::span<const Parameter> parameters = {};  ///< its settings; may be empty
    std::span<const char* const> counters = {};  ///< names of PairResult::counters

    /// Creates the data that the algorithm needs for one shape; null if it needs none. May be slow.
    /// Thread-safe.
    std::shared_ptr<const Prepared> (*prepare)(const Shape& shape, const Geometry& geometry) = nullptr;
    /// Follows a deformation. Returns a new or the same object, valid for `geometry`. `touched` lists the
    /// changed polygons.
    std::shared_ptr<const Prepared> (*update)(std::shared_ptr<const Prepared> prepared,
                                              const Geometry& geometry,
                                              std::span<const std::uint32_t> touched) = nullptr;
    /// Whether the pair is in the domain, in addition to `needs`; null means always.
    bool (*fits)(const Shape& a, const Shape& b) = nullptr;
    /// Bytes of pool memory that a pair's cache needs in addition to its fixed block; null means none.
    std::size_t (*cache_bytes)(const Shape& a, const Shape& b) = nullptr;
    /// Re-entrant. Allocates nothing on rungs 1 and 2. Never throws, hangs or returns NaN.
    void (*query)(const PairQuery& query, PairCache& cache, PairResult& result, Trace* trace) = nullptr;
    /// True if `query` requires prepared data; false if prepared data only makes it faster.
    bool needs_prepared = false;
    /// True if preparing pays after many queries only. Who asks once about a shape does not prepare it.
    bool prepares_for_many = false;
};

/// All pair algorithms, in the order of list.def.
std::span<const PairAlgorithm* const> pair_algorithms();
/// Null if no algorithm has this id.
const PairAlgorithm* find_pair_algorithm(std::string_view id);

/// Whether `algorithm` accepts these two bodies in their current state. A deformed body counts as not convex.
bool applicable(const PairAlgorithm& algorithm, const PairBody& a, const PairBody& b);

/// Runs one query: sets `meaning`, checks the domain, handles the hit sink and calls the algorithm's
/// function. If the algorithm needs prepared data and a body has none, this call prepares it for this query
/// alone, which allocates and may be slow. Callers with many queries prepare once.
PairResult run_query(const PairAlgorithm& algorithm, const PairQuery& query, PairCache& cache,
                     Trace* trace = nullptr);

/// Checks a result's certificate again in exact arithmetic. True if it proves the verdict. A surface
/// separation has no certificate of fixed size and is computed again.
bool certify(const PairQuery& query, const PairResult& result);

}  // namespace claybox::collision
