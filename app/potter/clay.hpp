#pragma once
// A lump of clay that a hand dents: positions over a fixed topology, pushed polygon by polygon as the
// collision module reports them, with undo per stroke.

#include "collision/geometry/shape.hpp"

#include <array>
#include <vector>

namespace claybox::app {

/// How far a push reaches and how much of the penetration it answers in one frame.
struct ClayBrush {
    double radius = 0.03;    ///< metres; beyond it nothing moves
    double strength = 0.55;  ///< share of the penetration, 0 .. 1
};

/// One part of a hand in the clay, all in the clay's frame: its capsule's axis, and what the module reported.
struct ClayTouch {
    collision::Vec3d from, to;
    double radius = 0;
    std::span<const std::uint32_t> polygons;       ///< of the clay, that the part meets
    std::span<const collision::Vec3d> hit_points;  ///< where edges and polygons meet
    std::uint32_t part = 0;  ///< which part, so that its direction is remembered; < kClayParts
    bool fresh = false;      ///< the part did not touch in the frame before
};
inline constexpr std::size_t kClayParts = 32;

struct ClayMeasures {
    double volume = 0;                         ///< cubic metres, exactly summed from the mesh
    double height = 0, widest = 0, mouth = 0;  ///< metres; mouth is the width at the rim
    std::uint32_t polygons_moved = 0;          ///< that differ from the start shape
};

/// Thread contract: one thread. Every push is a composition of smooth one-to-one maps of space (a bump along
/// one direction whose slope stays below one), so walls bend and do not pass through each other.
class Clay {
  public:
    explicit Clay(collision::ShapePtr start);

    /// Pushes the touched places along their inward normals. Opens a new stroke when the last push is more
    /// than a few frames ago. Returns what moved, valid until the next call that changes the clay.
    std::span<const collision::VertexChange> push(std::span<const ClayTouch> touches, const ClayBrush& brush,
                                                  std::uint64_t frame);
    /// Takes back the newest stroke bit for bit; empty when there is none.
    std::span<const collision::VertexChange> undo();
    /// Back to the start shape; a stroke of its own, so that undo brings the work back.
    std::span<const collision::VertexChange> reset();

    /// A place, a direction and a way to go, in the clay's frame: what one touch does.
    struct Push {
        collision::Vec3f centre, along;
        float amount = 0;
    };
    const Push& last_push() const { return last_; }

    const collision::ShapePtr& start() const { return start_; }
    const collision::Topology& topology() const { return start_->topology(); }
    const std::vector<collision::Vec3f>& positions() const { return positions_; }
    const std::vector<collision::Vec3f>& start_positions() const { return start_->geometry().positions; }
    std::uint64_t version() const { return version_; }
    std::size_t stroke_count() const { return strokes_.size(); }
    ClayMeasures measure() const;

  private:
    struct Moved {
        std::uint32_t vertex;
        collision::Vec3f before;
    };
    struct Stroke {
        std::vector<Moved> moved;
    };
    bool plan(const ClayTouch& touch, const ClayBrush& brush, Push& push);
    void apply(const Push& push, float radius);
    void open_stroke();
    void remember(std::uint32_t vertex);
    std::span<const collision::VertexChange> collect();

    collision::ShapePtr start_;
    std::vector<collision::Vec3f> positions_;
    std::array<collision::Vec3d, kClayParts> direction_{};  ///< of each part's push while it stays in touch
    std::vector<Stroke> strokes_;
    std::vector<std::uint32_t> stroke_of_vertex_;  ///< number of the stroke that last remembered the vertex
    std::uint32_t stroke_number_ = 0;
    bool stroke_open_ = false;
    Push last_;
    std::uint64_t last_frame_ = 0, version_ = 1;
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint8_t> is_changed_;
    std::vector<collision::VertexChange> changes_;
};

}  // namespace claybox::app
