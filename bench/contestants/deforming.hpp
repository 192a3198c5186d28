#pragma once
// Contestants that track a deforming mesh and report which convex parts of a hand collide with its surface.

#include "bench/streams/dent_stream.hpp"

#include <functional>
#include <memory>
#include <string>

namespace claybox::bench {

class DeformingContestant {
  public:
    virtual ~DeformingContestant() = default;
    /// Receives the convex parts, before build().
    virtual void set_parts(std::span<const collision::ShapePtr> parts) = 0;
    /// Builds the structure of the mesh, whose frame is the world frame. Timed.
    virtual void build(const collision::ShapePtr& mesh) = 0;
    /// Converts the frame's changes and poses to its own format. Not timed.
    virtual void load(const streams::DentFrame& frame) = 0;
    /// Moves the vertices and updates the structure. Timed.
    virtual void update() = 0;
    /// One bit per part that collides with the mesh. Timed.
    virtual std::uint32_t query() = 0;
};

struct DeformingEntry {
    std::string id, title;
    bool ours = false;
    std::function<std::unique_ptr<DeformingContestant>()> make;
};

}  // namespace claybox::bench
