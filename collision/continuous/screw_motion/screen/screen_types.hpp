#pragma once
// The data of one collision screen. All points are in the frame F of the piece (see ScrewPiece), metres; B's
// points are those at the start of the piece.

#include "collision/continuous/screw_motion/motion/relative_path.hpp"
#include "collision/continuous/screw_motion/screw_mesh.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace claybox::collision {

/// A point of the collision screen: distance r from the axis and height h along the spiral perpendicular to
/// the flow, metres, and the time t at which the flow brings the screen to the point.
struct ScreenPoint {
    double r = 0, h = 0, t = 0;
};

/// Eq. of section 7, corrected (arc length along the cylinder): projects a point at distance r from the axis,
/// at azimuth phi and height y. At r = 0 without pitch nothing moves, and the time is that of the azimuth.
inline ScreenPoint project_to_screen(double r, double phi, double y, double angle, double pitch) {
    const double turn = r * angle, squared = pitch * pitch + turn * turn;
    if (!(squared > 0)) return {r, y, angle > 0 ? phi / angle : 0};
    return {r, (y * turn - r * phi * pitch) / std::sqrt(squared), (y * pitch + r * phi * turn) / squared};
}

/// A part of an edge that belongs to a face that faces the right way, or a virtual edge that bounds a face.
struct SubEdge {
    Vec3d p, q;
    std::uint32_t edge = kNoIndex;                    ///< of the mesh; kNoIndex: virtual
    std::uint32_t left = kNoIndex, right = kNoIndex;  ///< faces that face the right way
    std::uint32_t first = kNoIndex, last = kNoIndex;  ///< vertices at p and q; kNoIndex where it was cut
    float s0 = 0, s1 = 1;                             ///< its part of the edge
    double shift = 0;                                 ///< added to the azimuth: 2 pi for a doppelled part
    double t_low = 0, t_high = 0;                     ///< of its projection
    double r0 = 0, h0 = 0, r1 = 0, h1 = 0;            ///< ends of its projection, metres
    double t0 = 0, t1 = 0, phi0 = 0, phi1 = 0;        ///< times and azimuths of its ends
    double bend = 1e300;  ///< bound of the distance of its projection from the chord, metres

    bool is_virtual() const { return edge == kNoIndex; }
};

/// One record per edge and row of pixels: all pixels of one r that the edge covers.
struct PixelRun {
    std::int32_t row = 0;
    std::int32_t h_min = 0, h_max = 0;  ///< columns
    std::uint32_t edge = 0;             ///< index into SideScreen::edges
    // If ScreenSettings::times:
    float t_low = 0, t_high = 0;       ///< times inside the row
    bool first = false, last = false;  ///< the edge starts or ends in this row at a vertex
};

/// A vertex on the screen.
struct VertexPixel {
    std::int32_t row = 0, row_end = 0;  ///< first and last row within the margin
    std::int32_t h_min = 0, h_max = 0;  ///< columns within the margin
    std::uint32_t vertex = 0;
    bool wanted = true;  ///< unless selection left it out
    ScreenPoint at;
};

/// Where the projection of a part lies. Without bounds: -1e300 to 1e300; empty: the reverse.
struct ScreenBox {
    double r_low = 1e300, r_high = -1e300, h_low = 1e300, h_high = -1e300, t_low = 1e300, t_high = -1e300;

    void add(const ScreenBox& other) {
        r_low = std::min(r_low, other.r_low), r_high = std::max(r_high, other.r_high);
        h_low = std::min(h_low, other.h_low), h_high = std::max(h_high, other.h_high);
        t_low = std::min(t_low, other.t_low), t_high = std::max(t_high, other.t_high);
    }
};

/// Rows of pixels, from the first to the last; empty if last < first.
struct RowRange {
    std::int32_t first = 0, last = -1;

    void add(const RowRange& other) {
        if (other.last < other.first) return;
        const bool empty = last < first;
        first = empty ? other.first : std::min(first, other.first);
        last = empty ? other.last : std::max(last, other.last);
    }
};

/// One body on the screen.
struct SideScreen {
    const ScrewMesh* mesh = nullptr;
    bool is_b = false;
    std::vector<Vec3d> points;              ///< per vertex
    double largest = 0;                     ///< coordinate of a point
    double stretch = 1;                     ///< a bound of what the placement does to lengths
    double farthest = 0;                    ///< distance of a point from the axis
    std::vector<Vec3d> normals;             ///< per face, unit, outward
    std::vector<unsigned char> near_faces;  ///< per face: 0 if its block cannot touch; empty: all may
    std::vector<SubEdge> edges;
    std::vector<ScreenBox> boxes;       ///< per sub-edge, if outlined
    std::vector<ScreenBox> face_boxes;  ///< per face, of the sub-edges around it
    std::vector<RowRange> rows;         ///< per sub-edge: those to draw; empty: all
    std::vector<PixelRun> runs;
    std::vector<VertexPixel> vertices;
    struct Projected {
        double phi = 0;
        ScreenPoint screen;
    };
    std::vector<Projected> projected;   ///< per vertex, where `active`
    std::vector<unsigned char> active;  ///< per vertex: it is on a face that faces the right way
    std::size_t doppelled = 0, virtual_edges = 0, discarded = 0;  ///< counts
};

/// Settings of one screen.
struct ScreenSettings {
    double pixel = 1;  ///< metres
    double time_resolution = 0.05;
    double margin = 0;        ///< metres: A is drawn wider by this, so that nothing is lost between pixels
    double screen_error = 0;  ///< metres: error of a projected place, and of the piece's screw
    double time_margin = 0;   ///< error of drawn times
    double time_error = 0;    ///< error of projected times
    double r_low = 0, r_high = 0;  ///< rows outside are not drawn
    std::int32_t rows = 0;
    bool wraps = false;   ///< cut and doppel
    bool cull = true;     ///< discard parts that face away
    bool single = false;  ///< project in single precision
    bool times = false;   ///< runs have times and flags of ends
    bool time_sort = false;
    bool hash_pixels = false;
    bool pairs = false;  ///< few pairs of parts are candidates without being drawn
};

}  // namespace claybox::collision
