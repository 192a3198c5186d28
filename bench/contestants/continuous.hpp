#pragma once
// Contestants of the comparison of continuous collision: first contact of two moving bodies.

#include "collision/continuous/registry.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::bench {

/// One query of a row. Body A does not move.
struct MovingQuery {
    std::uint32_t shape_a = 0, shape_b = 0;  ///< indices of the row's shapes
    collision::Matrix34f world_from_a, world_from_b;
    collision::Motion motion_b;             ///< linear, or a screw
    collision::Matrix34f world_from_b_end;  ///< at t = 1, for contestants that take two placements
    bool hit = false;                       ///< the referee's answer
    double time = 1;                        ///< of the first contact, within 1e-6
};

struct MovingAnswer {
    bool hit = false;
    double time = 1;
};

class ContinuousContestant {
  public:
    virtual ~ContinuousContestant() = default;
    /// Prepares all shapes. False if they are outside the contestant's domain.
    virtual bool prepare(std::span<const collision::ShapePtr> shapes) = 0;
    /// Receives the queries and converts their poses and motions to its own format. Not timed. False if they
    /// are outside its domain.
    virtual bool load(std::span<const MovingQuery> queries) = 0;
    /// Answers one loaded query, without memory of others. Timed.
    virtual MovingAnswer answer(std::size_t query) = 0;
};

struct ContinuousEntry {
    std::string id, title;
    bool ours = false;
    std::function<std::unique_ptr<ContinuousContestant>()> make;
};

/// All continuous algorithms of Claybox; one with the parameter `pixels` at its three resolutions.
std::vector<ContinuousEntry> our_continuous_entries();

}  // namespace claybox::bench
