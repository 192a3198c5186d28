#pragma once
// Whoever follows moving boxes and tells all pairs of them that overlap.

#include "collision/core/ids.hpp"
#include "collision/geometry/bounds.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::bench {

class BroadContestant {
  public:
    virtual ~BroadContestant() = default;
    /// Takes all bodies; not timed.
    virtual void insert(std::span<const collision::Aabb> boxes) = 0;
    /// Who has moved, each once, and the boxes of all, which stay where they are until the frame is over: in
    /// the form that the contestant works with. Not timed: a world has them in that form.
    virtual void load(std::span<const std::uint32_t> moved, std::span<const collision::Aabb> boxes) = 0;
    /// Brings the structure up to date.
    virtual void update() = 0;
    /// All pairs whose boxes overlap, each once, in any order, those of bodies at rest among them.
    virtual std::span<const collision::PairKey> find() = 0;
};

struct BroadEntry {
    std::string id;     ///< word for the command line and for names of measurements
    std::string title;  ///< for people
    bool ours = false;
    std::uint32_t most_bodies = 0xffffffffu;  ///< more would take minutes, or it takes no more
    std::function<std::unique_ptr<BroadContestant>()> make;
};

/// Every broad phase of ours, in the order of the registry.
std::vector<BroadEntry> our_broad_entries();

}  // namespace claybox::bench
