#pragma once
// Plays a recorded stream to a pair algorithm as the module does: one cache per pair, shapes prepared once.

#include "bench/streams/query_stream.hpp"
#include "collision/pairwise/registry.hpp"

namespace claybox::streams {

struct PlaySettings {
    collision::Exactness exactness = collision::Exactness::exact;
    collision::Wants wants = collision::kWantVerdict;
    bool warm = true;  ///< false: every query starts from an empty cache
    collision::ParameterValues parameters;
};

struct PlayCounts {
    std::uint64_t queries = 0, colliding = 0, undecided = 0, iterations = 0;
    std::uint64_t rung[4] = {};  ///< queries that ended on rungs 1 to 3
};

class StreamPlayer {
  public:
    /// Both must outlive the player. The algorithm must be applicable to the stream's shapes.
    StreamPlayer(const QueryStream& stream, const collision::PairAlgorithm& algorithm);

    /// Runs every query once, in order. The caches keep their contents for the next call.
    PlayCounts play(const PlaySettings& settings);
    /// Runs query `i` alone.
    collision::PairResult run_one(std::size_t i, const PlaySettings& settings);
    void clear_caches();

  private:
    void set_up(const PlaySettings& settings);
    collision::PairResult run_one(std::size_t i, bool warm);

    const QueryStream& stream_;
    const collision::PairAlgorithm& algorithm_;
    std::vector<std::shared_ptr<const collision::Prepared>> prepared_;  ///< one per body
    std::vector<collision::PairCache> caches_;
    std::vector<std::vector<std::byte>> pools_;  ///< one per pair; empty if the algorithm needs none
    collision::Scratch scratch_;
    collision::PairQuery query_;  ///< reused for all queries, as by a worker of the module
};

}  // namespace claybox::streams
