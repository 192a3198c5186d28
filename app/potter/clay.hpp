#pragma once
// A lump of clay that a hand dents: positions over a fixed topology, pushed polygon by polygon as the
// collision module reports them, with undo per stroke.

#include "app/potter/clay_surface.hpp"

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

/// Thread contract: one thread. Every push is a composition of smooth one-to-one maps of space (a bump along
/// slowly turning directions whose slope stays below one), so walls bend and do not pass through each other.
class Clay {
  public:
    explicit Clay(collision::ShapePtr start);

    /// Pushes the touched polygons in along their normals, and the clay around them along the mean of those
    /// near by. Opens a new stroke when the last push is more than a few frames ago. Returns what moved,
    /// valid until the next call that changes the clay.
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
        std::uint32_t part = 0;  ///< of the touch
    };
    /// The strongest one of the last frame that had any.
    const Push& last_push() const { return last_; }

    const ClaySurface& surface() const { return surface_; }
    const collision::ShapePtr& start() const { return surface_.start(); }
    const collision::Topology& topology() const { return surface_.topology(); }
    const std::vector<collision::Vec3f>& positions() const { return surface_.positions(); }
    const std::vector<collision::Vec3f>& start_positions() const { return surface_.start_positions(); }
    std::uint64_t version() const { return surface_.version(); }
    std::size_t stroke_count() const { return strokes_.size(); }
    ClayMeasures measure() const { return surface_.measure(); }

  private:
    struct Moved {
        std::uint32_t vertex;
        collision::Vec3f before;
    };
    struct Stroke {
        std::vector<Moved> moved;
    };
    /// The reported polygons in one small region of space: where they are and where their normals point in.
    struct Contact {
        collision::Vec3f centre, inward;  ///< inward: its length is twice the area
        float area = 0;
        std::array<int, 3> place{};
    };
    bool gather(const ClayTouch& touch, double radius);
    double depth_of(const ClayTouch& touch, const collision::Vec3d& centre) const;
    bool plan(const ClayTouch& touch, const ClayBrush& brush, Push& push);
    void apply(const Push& push, float radius);
    collision::Vec3f shift_at(const collision::Vec3f& p, float inverse_square) const;
    void open_stroke();
    void move(std::uint32_t vertex, const collision::Vec3f& to);
    std::span<const collision::VertexChange> collect();

    ClaySurface surface_;
    std::array<collision::Vec3d, kClayParts> direction_{};  ///< of each part's push while it stays in touch
    std::vector<Stroke> strokes_;
    std::vector<std::uint32_t> stroke_of_vertex_;  ///< number of the stroke that last remembered the vertex
    std::uint32_t stroke_number_ = 0;
    bool stroke_open_ = false;
    Push last_;
    std::uint64_t last_frame_ = 0;
    std::vector<Contact> contacts_;      ///< of the touch at hand
    std::vector<std::uint32_t> facing_;  ///< its polygons that face the finger
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint8_t> is_changed_;
    std::vector<collision::VertexChange> changes_;
};

}  // namespace claybox::app
