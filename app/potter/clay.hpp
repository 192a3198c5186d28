#pragma once
// A lump of clay that a hand dents: positions over a fixed topology. Touches push the polygons that the
// collision module reports; undo works per stroke.

#include "app/potter/angle_limit.hpp"
#include "app/potter/clay_surface.hpp"
#include "app/potter/stroke_history.hpp"

#include <array>
#include <optional>
#include <vector>

namespace claybox::app {

/// What a touch does to the clay. The last one is the method of the thesis.
enum class ClayEffect : unsigned char {
    push,     ///< clay yields out of the finger, and the clay around it along the mean of the nearby normals
    drag,     ///< clay moves with the contact point of the finger (thesis, 8.1, other methods)
    inflate,  ///< this one and the next four: see effects.hpp
    deflate,
    smooth,
    flatten,
    pinch,
    facets,  ///< each touched polygon moves by a fixed step against its normal; angles stay limited (8.1)
};
inline constexpr const char* kClayEffectIds[] = {"push",   "drag",    "inflate", "deflate",
                                                 "smooth", "flatten", "pinch",   "facets"};

struct ClayBrush {
    double radius = 0.03;  ///< metres; nothing beyond it moves, except with `facets` and `keep_volume`
    double strength =
        0.55;  ///< share of the penetration that a frame removes, 0 .. 1; `facets`: of kFacetStep
    ClayEffect effect = ClayEffect::push;
    bool keep_volume = false;  ///< the clay around a push swells by what the push displaces
};
inline constexpr double kFacetStep = 0.002;  ///< metres per frame at full strength

/// One hand part in the clay, clay frame: the axis of its capsule, and the hits that the module reported.
struct ClayTouch {
    collision::Vec3d from, to;
    double radius = 0;
    std::span<const std::uint32_t> polygons;       ///< clay polygons that the part touches
    std::span<const collision::Vec3d> hit_points;  ///< intersections of edges and polygons
    collision::Vec3d motion;  ///< path of the contact point since the last frame, for ClayEffect::drag
    std::uint32_t part = 0;   ///< number of the part, < kClayParts; the clay remembers a direction for each
    bool fresh = false;       ///< the part did not touch in the last frame
};
inline constexpr std::size_t kClayParts = 32;

/// Thread contract: one thread. Every push by `push` or `drag` is a composition of smooth one-to-one maps
/// of space: a bump along slowly varying directions with a slope below one. Walls therefore bend and never
/// pass through each other.
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
    /// Brings back what undo() took, bit for bit, until a new stroke starts. Empty if there is nothing.
    std::span<const collision::VertexChange> redo();
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
    std::size_t stroke_count() const { return strokes_.undo_count(); }
    std::size_t redo_count() const { return strokes_.redo_count(); }
    ClayMeasures measure() const { return surface_.measure(); }
    /// Dihedral angles after pushes by `facets`.
    const AngleLimit& angles() const { return angles_; }

  private:
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
    bool push_one(const ClayTouch& touch, const ClayBrush& brush, Push& push);
    bool push_out(const ClayTouch& touch, const ClayBrush& brush, Push& push);
    void use_effect(const ClayTouch& touch, const ClayBrush& brush, Push& push);
    bool push_drag(const ClayTouch& touch, const ClayBrush& brush, Push& push);
    bool push_facets(std::span<const ClayTouch> touches, const ClayBrush& brush, Push& push);
    collision::Vec3d contact_of(const ClayTouch& touch) const;
    void swell(double volume, double radius);
    void continue_stroke();
    collision::Vec3f shift_at(const collision::Vec3f& p, float inverse_square) const;
    void open_stroke();
    void move(std::uint32_t vertex, const collision::Vec3f& to);
    std::span<const collision::VertexChange> collect();
    std::span<const collision::VertexChange> restore(std::span<const collision::VertexChange> stroke);

    ClaySurface surface_;
    AngleLimit angles_;
    std::optional<double> kept_volume_;                     ///< volume that `keep_volume` restores
    std::array<collision::Vec3d, kClayParts> direction_{};  ///< push direction of each part while it touches
    StrokeHistory strokes_;
    bool stroke_open_ = false;
    bool has_stroke_ = false;  ///< a stroke is open for the current push
    std::uint64_t frame_ = 0;  ///< of the current push
    Push last_;
    std::uint64_t last_frame_ = 0;
    std::vector<Contact> contacts_;      ///< of the current touch
    std::vector<std::uint32_t> facing_;  ///< polygons of the current touch that face the finger
    std::vector<std::uint32_t> changed_;
    std::vector<std::uint8_t> is_changed_;
    std::vector<collision::VertexChange> changes_;
};

}  // namespace claybox::app
