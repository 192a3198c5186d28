#pragma once

#include "collision/core/vec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// What a polygon's outline is in its own plane (of a bent one: dropped along the main axis of its Newell
/// normal).
struct OutlineKind {
    std::size_t axis = 2;  ///< the coordinate to drop
    int orientation = 0;   ///< 1: counter-clockwise seen against `axis`, -1: clockwise, 0: no area
    bool convex = false;   ///< simple and without a reflex corner; corners of 180 degrees are allowed
};

/// Decided exactly, in time linear in the number of corners.
OutlineKind outline_kind(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// The sign of the area that a loop encloses after dropping coordinate `axis`: 1 counter-clockwise. Exact.
int area_sign(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop, std::size_t axis);

/// Cuts polygons into n-2 triangles, always the same for the same input, by exact decisions. Convex outlines
/// are fans, others have their ears clipped; zero-width bridges (keyholes) are understood. Self-crossing,
/// bent and degenerate polygons give n-2 triangles too. A bent quadrangle with convex outline is cut so that
/// it bulges to the side of its normal: then rounding cannot dent a convex solid. Keeps its memory from call
/// to call.
class Triangulator {
  public:
    Triangulator();
    ~Triangulator();
    Triangulator(const Triangulator&) = delete;
    Triangulator& operator=(const Triangulator&) = delete;

    /// Appends 3(n-2) vertex indices, in the loop's direction. n >= 3.
    void triangulate(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop,
                     std::vector<std::uint32_t>& out);

  private:
    class Clipper;
    std::unique_ptr<Clipper> clipper_;
};

}  // namespace claybox::collision
