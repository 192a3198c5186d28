#pragma once
// Plays a recorded stream to a pair algorithm as a world would: a pair that was not asked in the frame before
// starts with an empty cache.

#include "bench/streams/query_stream.hpp"
#include "collision/pairwise/registry.hpp"

#include <functional>
#include <memory>

namespace claybox::bench {

/// An algorithm with settings. Unknown ids or parameters fail an assertion.
struct PairSettings {
    const char* algorithm = "";
    std::vector<std::pair<const char*, double>> parameters = {};
    collision::Exactness exactness = collision::Exactness::exact;
    collision::Wants wants = collision::kWantVerdict;
};

class StreamRun {
  public:
    /// `stream` must outlive the run.
    StreamRun(const streams::QueryStream& stream, const PairSettings& settings);

    /// Asks all queries in order. Calls `each`, unless it is empty.
    void play(const std::function<void(const streams::StreamQuery&, const collision::PairResult&)>& each);
    /// The same without a callback; nanoseconds for all queries.
    double time();
    /// Asks all queries; nanoseconds for those of the blocks, which are ranges of indices in order.
    double time(const std::vector<std::pair<std::size_t, std::size_t>>& blocks);
    /// Asks all queries; calls `before` ahead of each one, untimed. Nanoseconds for the queries.
    double time_each(const std::function<void()>& before);
    /// Index of a counter of the algorithm, by name.
    std::size_t counter(std::string_view name) const;

  private:
    collision::PairResult ask(std::size_t i);

    const streams::QueryStream& stream_;
    const collision::PairAlgorithm& algorithm_;
    std::vector<std::shared_ptr<const collision::Prepared>> prepared_;  ///< one per body
    std::vector<bool> fresh_;                                           ///< per query
    std::vector<std::uint32_t> pair_;                                   ///< per query, index of its cache
    std::vector<collision::PairCache> caches_;
    std::vector<std::vector<std::byte>> pools_;
    collision::Scratch scratch_;
    collision::PairQuery query_;
};

}  // namespace claybox::bench
