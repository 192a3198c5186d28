#pragma once
// Measures contestants on one recorded stream.

#include "bench/contestants/contestant.hpp"

#include <array>
#include <map>

namespace claybox::bench {

/// How much a row is measured.
struct Effort {
    std::uint32_t max_repeats = 15, min_repeats = 5;
    /// Approximate seconds per contestant and row; a slow contestant answers only the beginning of the
    /// stream.
    double seconds = 0.5;
    std::uint64_t seed = 1;
};

/// Number of queries by number of iterations.
using Histogram = std::map<std::uint32_t, std::uint64_t>;

struct PlayResult {
    const Entry* entry = nullptr;  ///< one of the entries given to measure()
    bool fits = true;
    double prepare_us = 0;  ///< per shape
    /// ns per query, median of the repeats, by kind and in total; 0 without queries.
    std::array<double, streams::kQueryKinds> ns{};
    double all_ns = 0;
    double spread = 0;  ///< of the repeats' times for all queries: see spread_of()
    std::uint32_t repeats = 0;
    std::array<std::uint64_t, streams::kQueryKinds> timed{};  ///< queries per repeat
    /// Counts over all answered queries, including the first frame.
    std::uint64_t answered = 0, wrong = 0, undecided = 0;
    std::array<std::uint64_t, 4> rung{};
    std::array<Histogram, 2> iterations;  ///< [0] separated pairs, [1] colliding pairs
};

struct StreamResult {
    std::uint64_t queries = 0;
    std::array<std::uint64_t, streams::kQueryKinds> kinds{};
    std::uint64_t fresh = 0;  ///< queries of new pairs, after the first frame
    std::vector<PlayResult> results;
};

/// Plays the stream to all entries in turn and compares their answers with the exact ones.
StreamResult measure(const streams::JudgedStream& stream, const std::vector<Entry>& entries,
                     const Effort& effort);

/// Null if the row has no times of this contestant.
const PlayResult* find_result(const StreamResult& row, std::string_view id);
/// The fastest library with or without our support search, among those whose time includes all of their work.
/// Null if there is none.
const PlayResult* fastest_library(const StreamResult& row, bool our_support);

double now_ns();
/// Median of at least one value; the upper one of two. Reorders `values`.
double median(std::vector<float>& values);
double median(std::vector<double> values);
/// Interquartile range divided by the median; 0 without values.
double spread_of(std::vector<double> values);

}  // namespace claybox::bench
