#pragma once
// Contestants that track moving boxes and find all overlapping pairs.

#include "collision/core/ids.hpp"
#include "collision/geometry/bounds/bounds.hpp"

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
    /// Adds all bodies. Not timed.
    virtual void insert(std::span<const collision::Aabb> boxes) = 0;
    /// Receives the moved bodies (each once) and the boxes of all bodies, which stay valid during the frame,
    /// and converts them to its own format. Not timed: a world would store that format.
    virtual void load(std::span<const std::uint32_t> moved, std::span<const collision::Aabb> boxes) = 0;
    /// Updates the structure.
    virtual void update() = 0;
    /// All pairs of overlapping boxes, also those of bodies at rest, each once, in any order.
    virtual std::span<const collision::PairKey> find() = 0;
};

struct BroadEntry {
    std::string id;     ///< for the command line and for names of measurements
    std::string title;  ///< for tables
    bool ours = false;
    std::uint32_t max_bodies = 0xffffffffu;  ///< limit of the contestant, or of a run of minutes
    std::function<std::unique_ptr<BroadContestant>()> make;
};

/// All broad phases of Claybox, in the order of the registry.
std::vector<BroadEntry> our_broad_entries();

}  // namespace claybox::bench
