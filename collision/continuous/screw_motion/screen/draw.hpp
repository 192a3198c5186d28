#pragma once
// Step 3 of section 9: projects edges to curves and draws them as runs of pixels.

#include "collision/continuous/screw_motion/screen/screen_types.hpp"

namespace claybox::collision {

/// The settings must keep h within this many columns.
inline constexpr double kMaxColumns = 1e8;

/// Largest deviation of a drawn polyline from the exact curve, in pixels.
inline constexpr double kCurveDeviation = 0.125;

/// Memory of the drawing, reused between queries.
struct DrawMemory {
    std::vector<ScreenPoint> line;  ///< the polyline of one part of an edge, in pixels
};

/// Receives the polyline of each drawn edge; for the picture of a screen and for tests.
class CurveSink {
  public:
    virtual ~CurveSink() = default;
    /// From `from` to `to`, points of the exact curve of side.edges[edge].
    virtual void piece(std::uint32_t edge, const ScreenPoint& from, const ScreenPoint& to) = 0;
};

/// Marks the vertices of non-virtual edges as active, projects them, and bounds r. Needs side.edges.
void project_vertices(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side);

/// Fills side.runs, and the times of side.edges. An edge is halved until its polyline deviates from the exact
/// curve by at most kCurveDeviation pixels in r and h and by the time resolution in t, estimated at the
/// middle of each part. Rows outside settings.r_low .. r_high are left out. A is drawn wider by
/// settings.margin.
void draw_edges(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side, DrawMemory& memory,
                CurveSink* sink);

/// Fills side.vertices with the places of the active vertices that may be on the screen, those of A
/// doppelled.
void list_vertices(const ScrewPiece& piece, const ScreenSettings& settings, SideScreen& side);

/// Fills the pixels of side.vertices, those of A widened by the margin.
void draw_vertices(const ScreenSettings& settings, SideScreen& side);

/// The projection of a point in F with azimuth `shift` added, in double.
ScreenPoint project_point(const ScrewPiece& piece, const Vec3d& p, double shift);

/// The largest error of r and h, in metres, and of t, by the approximations of the projection.
struct ProjectionError {
    double place = 0, time = 0;
};
ProjectionError projection_error(const ScrewPiece& piece, bool single, double reach);

}  // namespace claybox::collision
