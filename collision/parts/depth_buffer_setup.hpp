#pragma once
// From bodies in the world to triangles that a raster device fills: the view, clipping, whole numbers.

#include "collision/geometry/shape.hpp"
#include "collision/parts/box_clip.hpp"
#include "collision/parts/raster_device.hpp"

#include <array>

namespace claybox::collision {

/// A body as it is drawn. A convex one that was not deformed is drawn by the outward faces of its hull,
/// another by its triangles.
struct DrawnBody {
    const Geometry* geometry = nullptr;
    const ConvexHull* hull = nullptr;  ///< null unless convex and not deformed
    const Matrix34f* world_from_body = nullptr;
};

/// A box around the body where it stands, rounded as double arithmetic does; tight for small bodies.
Box3d drawn_box(const DrawnBody& body);

/// The orthogonal view of one picture. Its sides are the common box of both bodies, its height goes from the
/// lowest to the highest point of either, so that nothing is cut off in depth.
struct PictureView {
    int axis = 2;    ///< of the world, along which depths are measured; sides are axis + 1 and axis + 2
    int size = 4;    ///< pixels a side
    Vec3d origin_w;  ///< where pixel coordinates and depth are zero
    Vec3d scale;     ///< pixels a metre along both sides, depth steps a metre
    Vec3d pixel;     ///< metres of a pixel along both sides, of a depth step
    Box3d common;    ///< of the world

    std::size_t side(int i) const { return static_cast<std::size_t>((axis + 1 + i) % 3); }
    /// The point of the world at pixel coordinates and a depth.
    Vec3d point_w(double x, double y, double depth) const;
};

/// False when the boxes do not overlap. `axis` is 0 to 2, or -1 for the thinnest side of the common box,
/// along which contacts are usually flattest.
bool make_view(const Box3d& a, const Box3d& b, int axis, int size, PictureView& view);

enum class DrawnFaces : unsigned char { all, front, back };  ///< front faces look towards small depths

/// Draws the faces of one body that the picture shows; the number of triangles that reached the device.
std::uint32_t draw_body(const DrawnBody& body, const PictureView& view, DrawnFaces faces,
                        const RasterPass& pass, RasterDevice& device);

/// Points in pixels and depth steps; exposed for tests. Cuts the triangle at the picture's sides, rounds to
/// sixteenths of a pixel and appends what covers a pixel's centre. `flipped` turns front faces into back
/// ones.
class TriangleBlock {
  public:
    TriangleBlock(int size, DrawnFaces faces, bool flipped, const RasterPass& pass, RasterDevice& device);
    void add(const Vec3d& a, const Vec3d& b, const Vec3d& c);
    void flush();
    std::uint32_t drawn() const { return drawn_; }

  private:
    void add_clipped(const Vec3d& a, const Vec3d& b, const Vec3d& c);
    void emit(const Vec3d& a, const Vec3d& b, const Vec3d& c);

    static constexpr std::size_t kBlock = 64;  // triangles that go to the device at once: 5 kB
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
