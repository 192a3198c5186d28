#pragma once
// Plays a recorded stream to a pair algorithm as the module would: a cache per pair, shapes prepared once.

#include "bench/streams/query_stream.hpp"
#include "collision/pairwise/registry.hpp"

namespace claybox::streams {

struct PlaySettings {
    collision::Exactness exactness = collision::Exactness::exact;
    collision::Wants wants = collision::kWantVerdict;
    bool warm = true;  ///< else every query starts from an empty cache
    collision::ParameterValues parameters;
};

struct PlayTally {
    std::uint64_t queries = 0, colliding = 0, undecided = 0, iterations = 0;
    std::uint64_t rung[4] = {};  ///< queries that ended on rungs 1 to 3
};

class StreamPlayer {
  public:
    /// Borrows both. The algorithm must be applicable to the stream's shapes.
    StreamPlayer(const QueryStream& stream, const collision::PairAlgorithm& algorithm);

    /// Asks every query once, in order. What the caches hold stays for the next time.
    PlayTally play(const PlaySettings& settings);
    /// Asks query `i` alone.
    collision::PairResult ask(std::size_t i, const PlaySettings& settings);
    void clear_caches();

  private:
    void set_up(const PlaySettings& settings);
    collision::PairResult ask(std::size_t i, bool warm);

    const QueryStream& stream_;
    const collision::PairAlgorithm& algorithm_;
    std::vector<std::shared_ptr<const collision::Prepared>> prepared_;  ///< of each body
    std::vector<collision::PairCache> caches_;
    std::vector<std::vector<std::byte>> pools_;  ///< by pair; empty when the algorithm needs none
    collision::Scratch scratch_;
    collision::PairQuery query_;  ///< what stays from query to query, as a worker of the module keeps it
};

}  // namespace claybox::streams
