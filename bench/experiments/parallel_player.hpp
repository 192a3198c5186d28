#pragma once
// Who plays the rows of `claybox bench parallel`, and what is added up.

#include "bench/experiments/parallel_rows.hpp"

#include <memory>

namespace claybox::bench {

/// What is added up over the passes of a block.
struct Sums {
    double seconds = 0, narrow = 0, estimate = 0, listening = 0;
    std::uint64_t passes = 0, tests = 0, colliding = 0, shared = 0, parts = 0, raced = 0, gap = 0, point = 0;

    void add(const collision::PassStats& s);
};

/// One way of a row.
class RowPlayer {
  public:
    virtual ~RowPlayer() = default;
    virtual Sums play(std::size_t frames) = 0;
    /// Of all that was played so far.
    virtual std::uint64_t hash() const = 0;
};

/// Plays the tree of groups of the row `jojo`: no world, only the stage that makes matrices and boxes.
std::unique_ptr<RowPlayer> make_jojo_player(const ParallelWay& way, std::uint64_t seed);

}  // namespace claybox::bench
