#pragma once
// All contestants on one recorded stream, in turn.

#include "bench/contestants/contestant.hpp"

#include <array>
#include <map>

namespace claybox::bench {

/// Effort of a row.
struct Effort {
    std::uint32_t most_repeats = 15, fewest_repeats = 5;
    /// Seconds that one contestant may take of a row, roughly; a slow one answers a shorter stream.
    double seconds = 0.5;
    std::uint64_t seed = 1;
};

/// How many queries took how many iterations.
using Histogram = std::map<std::uint32_t, std::uint64_t>;

struct PlayResult {
    const Entry* entry = nullptr;  ///< of those that were given to measure
    bool fits = true;
    double prepare_us = 0;  ///< per shape
    /// ns per query, the median of the repeats, by kind and of all; 0 where there was no query.
    std::array<double, streams::kQueryKinds> ns{};
    double all_ns = 0;
    std::uint32_t repeats = 0;
    std::array<std::uint64_t, streams::kQueryKinds> timed{};  ///< queries of one repeat
    /// Over all queries that were asked, first frame included.
    std::uint64_t asked = 0, wrong = 0, undecided = 0;
    std::array<std::uint64_t, 4> rung{};
    std::array<Histogram, 2> iterations;  ///< of separated pairs, of colliding ones
};

struct StreamResult {
    std::uint64_t queries = 0;
    std::array<std::uint64_t, streams::kQueryKinds> kinds{};
    std::uint64_t fresh = 0;  ///< after the first frame
    std::vector<PlayResult> results;
};

/// Measures the entries on the stream.
StreamResult measure(const streams::JudgedStream& stream, const std::vector<Entry>& entries,
                     const Effort& effort);

/// Null when the contestant is not among them, or does not fit.
const PlayResult* find_result(const StreamResult& row, std::string_view id);
/// Of those that do all of their work in the time that is taken; null when there is none.
const PlayResult* fastest_library(const StreamResult& row, bool our_support);

double now_ns();
/// Rearranges; not for none.
double median(std::vector<float>& values);

}  // namespace claybox::bench
