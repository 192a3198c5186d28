#pragma once
// Turns touches of hand parts into operations on the clay.

#include "app/potter/clay_surface.hpp"
#include "app/potter/cut/plane_cut.hpp"
#include "app/potter/touch/clay_op.hpp"

#include <array>
#include <span>
#include <vector>

namespace claybox::app {

struct ClayBrush {
    double radius = 0.03;  ///< metres; nothing beyond it moves, except with `facets` and `keep_volume`
    double strength =
        0.55;  ///< share of the penetration that a frame removes, 0 .. 1; `facets`: of kFacetStep
    ClayEffect effect = ClayEffect::push;
    bool keep_volume = false;  ///< the clay around a push swells by what the push displaces
    Falloff falloff = Falloff::smooth;
    Symmetry symmetry = {};
    CutKeep cut_keep = CutKeep::larger;  ///< of `cut`
};

inline constexpr std::size_t kClayParts = 32;

/// A face of a convex tool: inside is where dot(normal, p) < offset. Clay frame.
struct ToolPlane {
    collision::Vec3d normal;
    double offset = 0;
};

/// One hand part in the clay, clay frame: the axis of its capsule, and the hits that the module reported.
struct ClayTouch {
    collision::Vec3d from, to;
    double radius = 0;
    std::span<const std::uint32_t> polygons;       ///< clay polygons that the part touches
    std::span<const collision::Vec3d> hit_points;  ///< intersections of edges and polygons
    collision::Vec3d motion;  ///< path of the contact point since the last frame, for ClayEffect::grab
    std::uint32_t part = 0;   ///< number of the part, < kClayParts; the clay remembers a direction for each
    bool fresh = false;       ///< the part did not touch in the last frame
    double pressure = 1;      ///< 0 .. 1, multiplies the strength
    bool held = false;  ///< with ClayEffect::grab: the part holds hit_points[0], and may touch no polygon
    std::optional<double> cut_at = {};  ///< with ClayEffect::trim: height of the cut instead of the contact's
    /// If not empty, the tool is the body inside all planes, around `from`; the capsule bounds it.
    std::span<const ToolPlane> planes = {};
    /// Whether it changes anything.
    bool counts() const { return (!polygons.empty() || held) && part < kClayParts; }
};

/// The shift must have a slope below 1, or the clay would fold. The mean of bumps (1 - t^2)^2 has a slope of
/// at most 3.1 / radius, and its directions turn by at most 1.6 / radius: a shift of kMaxShare times the
/// radius has a slope of 0.57. The hold of the foot has a slope of 125 / metre and adds 0.38 for a shift of
/// kMaxShift.
inline constexpr double kMaxShare = 0.12, kMaxShift = 0.003;  ///< per frame: share of the radius; metres

/// Longest path of a grab in one frame, metres.
double longest_grab(const ClayBrush& brush);

/// Mean of the hit points, or of the touched polygons where there are none.
collision::Vec3d contact_of(const ClaySurface& surface, const ClayTouch& touch);

/// Thread contract: one thread.
class TouchPlanner {
  public:
    /// Appends the operations of one touch, without symmetry; none if it changes nothing. `facets`, `trim`
    /// and `cut` have no operations.
    void plan(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
              std::vector<ClayOp>& out);

  private:
    bool collect_contacts(const ClaySurface& surface, const ClayTouch& touch, double radius);
    double depth_of(const ClaySurface& surface, const ClayTouch& touch, const collision::Vec3d& centre) const;
    void plan_push(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
                   std::vector<ClayOp>& out);
    static void plan_grab(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
                          std::vector<ClayOp>& out);
    void plan_effect(const ClaySurface& surface, const ClayTouch& touch, const ClayBrush& brush,
                     std::vector<ClayOp>& out);

    std::array<collision::Vec3d, kClayParts> direction_{};  ///< push direction of each part while it touches
    std::vector<ClayContact> contacts_;                     ///< of the current touch
    std::vector<std::uint32_t> facing_;                     ///< its polygons that face the finger
};

}  // namespace claybox::app
