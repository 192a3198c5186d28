#pragma once
// A lump of clay that a hand dents: positions over a fixed topology. Touches push the polygons that the
// collision module reports; undo works per stroke.

#include "app/potter/clay_surface.hpp"

#include <array>
#include <vector>

namespace claybox::app {

/// Reach of a push, and share of the penetration that it removes per frame.
struct ClayBrush {
    double radius = 0.03;    ///< metres; nothing beyond it moves
    double strength = 0.55;  ///< share of the penetration, 0 .. 1
};

/// One hand part in the clay, clay frame: the axis of its capsule, and the hits that the module reported.
struct ClayTouch {
    collision::Vec3d from, to;
    double radius = 0;
    std::span<const std::uint32_t> polygons;       ///< clay polygons that the part touches
    std::span<const collision::Vec3d> hit_points;  ///< intersections of edges and polygons
    std::uint32_t part = 0;  ///< number of the part, < kClayParts; the clay remembers a direction for each
    bool fresh = false;      ///< the part did not touch in the last frame
};
inline constexpr std::size_t kClayParts = 32;

/// Thread contract: one thread. Every push is a composition of smooth one-to-one maps of space: a bump along
/// slowly varying directions with a slope below one. Walls therefore bend and never pass through each other.
class Clay {
  public:
    explicit Clay(collision::ShapePtr start);

    /// Pushes the touched polygons in along their normals, and the clay around them along the mean of the
    /// nearby normals. Starts a new stroke when the last push was more than a few frames ago. Returns the
    /// moved vertices; valid until the next change of the clay.
    std::span<const collision::VertexChange> push(std::span<const ClayTouch> touches, const ClayBrush& brush,
                                                  std::uint64_t frame);
    /// Undoes the newest stroke, bit for bit. Empty if there is none.
    std::span<const collision::VertexChange> undo();
    /// Restores the start shape. This is a stroke too, so undo() brings the work back.
    std::span<const collision::VertexChange> reset();

    /// The push of one touch, clay frame.
    struct Push {
        collision::Vec3f centre, along;
        float amount = 0;        ///< metres
        std::uint32_t part = 0;  ///< of the touch
    };
    /// Strongest push of the last frame with a push.
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
    /// The reported polygons in one small region of space: their centre and the sum of their inward normals.
    struct Contact {
        collision::Vec3f centre, inward;  ///< length of inward: twice the area
        float area = 0;
        std::array<int, 3> place{};
    };
    bool collect_contacts(const ClayTouch& touch, double radius);
    double depth_of(const ClayTouch& touch, const collision::Vec3d& centre) const;
    bool plan(const ClayTouch& touch, const ClayBrush& brush, Push& push);
    void apply(const Push& push, float radius);
    collision::Vec3f shift_at(const collision::Vec3f& p, float inverse_square) const;
    void open_stroke();
    void move(std::uint32_t vertex, const collision::Vec3f& to);
    std::span<const collision::VertexChange> collect();

    ClaySurface surface_;
    std::array<collision::Vec3d, kClayParts> direction_{};  ///< push direction of each part while it touches
    std::vector<Stroke> strokes_;
    std::vector<std::uint32_t> stroke_of_vertex_;  ///< last stroke that saved the vertex
    std::uint32_t stroke_number_ = 0;
    bool stroke_open_ = false;
    Push last_;
    std::uint64_t last_frame_ = 0;
    std::vector<Contact> contacts_;      ///< of the current touch
    std::vector<std::uint32_t> facing_;  ///< polygons of the current touch that face the finger
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint8_t> is_changed_;
    std::vector<collision::VertexChange> changes_;
};

}  // namespace claybox::app
