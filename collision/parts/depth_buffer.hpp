#pragma once
// Collision detection with a picture of depths. Source: Zachmann, thesis, 3.7.1.

#include "collision/parts/depth_buffer_setup.hpp"

#include <span>

namespace claybox::collision {

enum class DepthBufferVariant : unsigned char { two_valued, five_pass, layers };

/// What a finished picture says.
struct DepthFinding {
    std::uint32_t shared = 0;     ///< pixels that show both bodies
    std::uint32_t colliding = 0;  ///< pixels in which they meet
    std::uint32_t full = 0;       ///< pixels whose layers are all used: farther ones may be lost
    /// The pixel in which they share the longest stretch, and that stretch in depth steps.
    std::uint32_t deepest_pixel = 0;
    std::int32_t stretch_begin = 0, stretch_end = -1;
    /// How far B must go towards great and towards small depths, in depth steps, until every pixel is free.
    std::int32_t way_up = 0, way_down = 0;
    /// The thesis' measure: of surfaces of one body within the other, the greatest depth difference to either
    /// side of the other.
    std::int32_t thesis_depth = 0;
};

/// One pixel in which the bodies meet, and the stretch that they share; for a trace.
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
/// The five passes as the thesis prints them. They find collisions that are not there: of a pixel that shows
/// B alone, and of one in which B lies before A.
std::span<const DepthPass> printed_passes();

RasterKind kind_of(DepthBufferVariant variant);

/// Reads a finished picture; `listener` may be null.
DepthFinding read_picture(DepthBufferVariant variant, const RasterFrame& frame,
                          std::span<const std::int32_t> words, PixelListener* listener);

}  // namespace claybox::collision
