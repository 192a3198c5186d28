#pragma once
// Plays the rows of `claybox bench parallel`.

#include "bench/experiments/module/parallel_rows.hpp"

#include <memory>

namespace claybox::bench {

/// Sums over the passes of a block.
struct Sums {
    double seconds = 0, narrow = 0, estimate = 0, stopping = 0;
    std::uint64_t passes = 0, tests = 0, colliding = 0, shared = 0, parts = 0, raced = 0, gap = 0, point = 0;

    void add(const collision::PassStats& s);
};

/// Plays a row with one configuration.
class RowPlayer {
  public:
    virtual ~RowPlayer() = default;
    /// Plays a block of frames.
    virtual Sums play(std::size_t frames) = 0;
    /// State hash of everything played so far.
    virtual std::uint64_t hash() const = 0;
};

/// Plays the row `jojo`: a tree of groups without a world, only the computation of matrices and boxes.
std::unique_ptr<RowPlayer> make_jojo_player(const ParallelConfig& config, std::uint64_t seed);

}  // namespace claybox::bench
