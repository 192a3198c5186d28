#pragma once
// The collision screen drawn by a raster device, for example a graphics card: the last idea of section 10.

#include "collision/continuous/screw_motion/screen/screen_types.hpp"
#include "collision/pairwise/raster/raster_device.hpp"

namespace claybox::collision {

struct RasterScreen {
    bool drawn = false;  ///< false: the device failed, or the piece wraps around the axis
    bool near = false;   ///< some pixel has a surface of B before one of A
    double tau = 1;      ///< least time between them, in durations of the piece
    int pixels = 0;      ///< that both bodies cover
};

/// Draws the faces of both bodies with their times as depths. On each pixel, B's last surface reaches A's
/// first one after the difference of their times. The least difference estimates the time of the first
/// contact of convex bodies that are apart at the start of the piece. An estimate only: places between
/// pixel centres are not seen, and faces are drawn with straight edges. Sides need points and a mesh.
/// `size`: pixels per side, a multiple of 4, at most kMaxRasterPixels.
RasterScreen draw_on_device(const ScrewPiece& piece, const SideScreen& a, const SideScreen& b, int size,
                            RasterDevice& device);

}  // namespace claybox::collision
