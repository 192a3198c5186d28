#pragma once
// Collision detection with a depth picture. Source: Zachmann, thesis, 3.7.1.

#include "collision/pairwise/raster/depth_setup.hpp"

#include <span>

namespace claybox::collision {

enum class DepthBufferVariant : unsigned char { two_valued, five_pass, layers };

/// The evaluation of a finished picture.
struct DepthFinding {
    std::uint32_t shared = 0;     ///< pixels that show both bodies
    std::uint32_t colliding = 0;  ///< pixels in which they collide
    std::uint32_t full = 0;       ///< pixels with all layers in use: farther surfaces may be lost
    /// The pixel with the longest common depth range, and that range in depth steps.
    std::uint32_t deepest_pixel = 0;
    std::int32_t stretch_begin = 0, stretch_end = -1;
    /// How far B must move towards larger and towards smaller depths, in depth steps, until no pixel
    /// collides.
    std::int32_t distance_up = 0, distance_down = 0;
    /// The thesis' measure: the largest distance from a surface of one body inside the other to either side
    /// of the other.
    std::int32_t thesis_depth = 0;
};

/// Receives the pixels in which the bodies collide, with the common depth range; for a trace.
struct PixelListener {
    virtual ~PixelListener() = default;
    virtual void pixel(std::uint32_t index, std::int32_t begin, std::int32_t end) = 0;
};

/// One pass over the faces of one body.
struct DepthPass {
    DrawnFaces faces;
    RasterPass raster;
};

/// The passes of a variant, in order.
std::span<const DepthPass> passes_of(DepthBufferVariant variant);
/// The five passes as printed in the thesis. They report false positives: in pixels that show B alone, and in
/// pixels where B is in front of A.
std::span<const DepthPass> printed_passes();

RasterKind kind_of(DepthBufferVariant variant);

/// Reads a finished picture; `listener` may be null.
DepthFinding read_picture(DepthBufferVariant variant, const RasterFrame& frame,
                          std::span<const std::int32_t> words, PixelListener* listener);

}  // namespace claybox::collision
