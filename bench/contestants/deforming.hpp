#pragma once
// Whoever follows a mesh that changes and answers which of a hand's convex parts meet its surface.

#include "bench/streams/dent_stream.hpp"

#include <functional>
#include <memory>
#include <string>

namespace claybox::bench {

class DeformingContestant {
  public:
    virtual ~DeformingContestant() = default;
    /// Takes the convex parts, then builds its structure of the mesh in its own frame, which is the world's.
    /// `build` alone is timed.
    virtual void take_parts(std::span<const collision::ShapePtr> parts) = 0;
    virtual void build(const collision::ShapePtr& mesh) = 0;
    /// The frame's changes and poses in its own form; not timed.
    virtual void load(const streams::DentFrame& frame) = 0;
    /// Moves the vertices and brings the structure up to date.
    virtual void update() = 0;
    /// A bit for each part that meets the mesh.
    virtual std::uint32_t query() = 0;
};

struct DeformingEntry {
    std::string id, title;
    bool ours = false;
    std::function<std::unique_ptr<DeformingContestant>()> make;
};

}  // namespace claybox::bench
