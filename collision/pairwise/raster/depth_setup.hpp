#pragma once
// Converts bodies in the world to integer triangles for a raster device: view, clipping, rounding.

#include "collision/geometry/shape.hpp"
#include "collision/pairwise/raster/raster_device.hpp"
#include "collision/pairwise/support/box_clip.hpp"

#include <array>

namespace claybox::collision {

/// A body as drawn. A convex, undeformed body is drawn by the outward faces of its hull, any other by its
/// triangles.
struct DrawnBody {
    const Geometry* geometry = nullptr;
    const ConvexHull* hull = nullptr;  ///< null unless convex and undeformed
    const Matrix34f* world_from_body = nullptr;
};

/// A world box around the body, rounded to double; tight for small bodies.
Box3d drawn_box(const DrawnBody& body);

/// The orthogonal view of one picture. Its sides are those of the common box of both bodies. Its height
/// covers both bodies completely, so nothing is clipped in depth.
struct PictureView {
    int axis = 2;    ///< world axis of the depths; the sides are axis + 1 and axis + 2
    int size = 4;    ///< pixels per side
    Vec3d origin_w;  ///< origin of pixel coordinates and depth
    Vec3d scale;     ///< pixels per metre along both sides, depth steps per metre
    Vec3d pixel;     ///< metres of a pixel along both sides, of a depth step
    Box3d common;    ///< in the world frame

    std::size_t side(int i) const { return static_cast<std::size_t>((axis + 1 + i) % 3); }
    /// The world point at pixel coordinates and a depth.
    Vec3d point_w(double x, double y, double depth) const;
};

/// False if the boxes do not overlap. `axis` is 0 to 2, or -1 for the thinnest side of the common box:
/// contacts are usually flattest along it.
bool make_view(const Box3d& a, const Box3d& b, int axis, int size, PictureView& view);

enum class DrawnFaces : unsigned char { all, front, back };  ///< front faces look towards smaller depths

/// Draws the visible faces of one body; returns the number of triangles sent to the device.
std::uint32_t draw_body(const DrawnBody& body, const PictureView& view, DrawnFaces faces,
                        const RasterPass& pass, RasterDevice& device);

/// Collects triangles in pixels and depth steps; public for tests. Clips a triangle at the picture's sides,
/// rounds it to 1/16 of a pixel and appends it if it covers a pixel's centre. `flipped` swaps front and back
/// faces.
class TriangleBlock {
  public:
    TriangleBlock(int size, DrawnFaces faces, bool flipped, const RasterPass& pass, RasterDevice& device);
    void add(const Vec3d& a, const Vec3d& b, const Vec3d& c);
    void flush();
    std::uint32_t drawn() const { return drawn_; }

  private:
    void add_clipped(const Vec3d& a, const Vec3d& b, const Vec3d& c);
    void emit(const Vec3d& a, const Vec3d& b, const Vec3d& c);

    static constexpr std::size_t kBlock = 64;  // triangles per call of the device: 5 kB
    std::array<RasterTriangle, kBlock> block_;
    std::size_t count_ = 0;
    std::uint32_t drawn_ = 0;
    double size_;
    DrawnFaces faces_;
    bool flipped_;
    RasterPass pass_;
    RasterDevice& device_;
};

}  // namespace claybox::collision
