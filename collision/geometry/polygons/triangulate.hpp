#pragma once

#include "collision/core/vec.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// Properties of a polygon's outline, projected along the main axis of its Newell normal.
struct OutlineKind {
    std::size_t axis = 2;  ///< the coordinate that the projection drops
    int orientation = 0;   ///< 1: counter-clockwise seen against `axis`, -1: clockwise, 0: no area
    bool convex = false;   ///< simple and without reflex corners; corners of 180 degrees are allowed
};

/// Computes the properties exactly. Linear in the number of corners.
OutlineKind outline_kind(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop);

/// The sign of the loop's area after dropping coordinate `axis`: 1 if counter-clockwise. Exact.
int area_sign(std::span<const Vec3f> positions, std::span<const std::uint32_t> loop, std::size_t axis);

/// Cuts polygons into n-2 triangles, by exact decisions; deterministic. Convex outlines become fans; for
/// others it clips ears. Handles zero-width bridges (keyholes). Self-crossing, bent and degenerate polygons
/// give n-2 triangles too. A bent quadrangle with a convex outline is cut so that it bulges towards its
/// normal; then rounding cannot dent a convex solid. Reuses its memory between calls; not thread-safe.
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
