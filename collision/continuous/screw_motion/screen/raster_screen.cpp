#include "collision/continuous/screw_motion/screen/raster_screen.hpp"

#include "collision/continuous/screw_motion/screen/draw.hpp"
#include "collision/pairwise/raster/depth_setup.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

struct Bounds {
    ScreenPoint low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    void add(const ScreenPoint& p) {
        low = {std::min(low.r, p.r), std::min(low.h, p.h), std::min(low.t, p.t)};
        high = {std::max(high.r, p.r), std::max(high.h, p.h), std::max(high.t, p.t)};
    }
};

Bounds bounds_of(const ScrewPiece& piece, const SideScreen& side) {
    Bounds out;
    for (const Vec3d& p : side.points) out.add(project_point(piece, p, 0));
    return out;
}

}  // namespace

RasterScreen draw_on_device(const ScrewPiece& piece, const SideScreen& a, const SideScreen& b, int size,
                            RasterDevice& device) {
    RasterScreen out;
    const RasterFrame frame{RasterKind::two_valued, size, 1};
    if (piece.wraps || !device.begin(frame)) return out;
    const Bounds of_a = bounds_of(piece, a), of_b = bounds_of(piece, b);
    const double r = std::max(of_a.low.r, of_b.low.r), h = std::max(of_a.low.h, of_b.low.h);
    const double wide = std::min(of_a.high.r, of_b.high.r) - r, high = std::min(of_a.high.h, of_b.high.h) - h;
    const double t = std::min(of_a.low.t, of_b.low.t), span = std::max(of_a.high.t, of_b.high.t) - t;
    out.drawn = true;
    if (!(wide > 0) || !(high > 0) || !(span > 0)) return out;  // apart on the screen
    const double steps = kNoDepth - 2;
    const auto pixel = [&](const Vec3d& p) {
        const ScreenPoint s = project_point(piece, p, 0);
        return Vec3d{(s.r - r) / wide * size, (s.h - h) / high * size, (s.t - t) / span * steps};
    };
    for (const SideScreen* side : {&a, &b}) {
        TriangleBlock block(size, DrawnFaces::all, false, {side->is_b ? 1 : 0, RasterRule::nearer}, device);
        for (std::uint32_t f = 0; f < side->mesh->face_count(); ++f) {
            const auto loop = side->mesh->loop(f);
            for (std::size_t i = 1; i + 1 < loop.size(); ++i)
                block.add(pixel(side->points[loop[0]]), pixel(side->points[loop[i]]),
                          pixel(side->points[loop[i + 1]]));
        }
        block.flush();
    }
    const auto words = device.finish();
    out.drawn = words.size() == frame.words();
    if (!out.drawn) return out;
    const std::int32_t *first_a = words.data(), *last_b = words.data() + 3 * frame.pixels();
    for (std::size_t i = 0; i < frame.pixels(); ++i) {
        if (first_a[i] == kNoDepth || last_b[i] < 0) continue;
        ++out.pixels;
        const double tau = (first_a[i] - last_b[i]) / steps * span;
        if (tau < 0 || tau > 1) continue;
        out.near = true;
        out.tau = std::min(out.tau, tau);
    }
    return out;
}

}  // namespace claybox::collision
