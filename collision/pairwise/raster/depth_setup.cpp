#include "collision/pairwise/raster/depth_setup.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace claybox::collision {

namespace {

/// Corners are rounded to 1/16 of a pixel. With 1024 pixels per side, edge functions stay below 2^30.
constexpr int kSubpixelBits = 4;
constexpr std::int32_t kSubpixels = 1 << kSubpixelBits;
/// Bodies with more polygons than this are bounded by the boxes of their runs instead of their vertices.
constexpr std::uint32_t kTightBoxPolygons = 4096;
/// Distance of real depths from both ends of the depth range, so that rounding keeps them inside.
constexpr double kDepthGuard = 1;

struct Corner {
    std::int32_t x, y;
    double z;
};

/// Orientation of three corners: positive for counter-clockwise. At most 2^29.
std::int32_t turn(const Corner& a, const Corner& b, const Corner& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The first pixel whose centre is not left of `low`, and the last whose centre is not right of `high`.
std::int32_t first_pixel(std::int32_t low) {
    return (low + kSubpixels / 2 - 1) >> kSubpixelBits;
}
std::int32_t last_pixel(std::int32_t high) {
    return (high - kSubpixels / 2) >> kSubpixelBits;
}

/// Sets the edge function from a to b of a counter-clockwise triangle. A centre exactly on the edge belongs
/// to the side where it would be after an infinitesimal move towards larger x, and a much smaller one towards
/// larger y. It thus belongs to exactly one of two neighbours.
void set_edge(RasterTriangle& t, int k, const Corner& a, const Corner& b) {
    const std::int32_t dx = b.x - a.x, dy = b.y - a.y;
    const std::int32_t x = t.x0 * kSubpixels + kSubpixels / 2, y = t.y0 * kSubpixels + kSubpixels / 2;
    const bool owns = dy < 0 || (dy == 0 && dx > 0);
    t.edge[k] = dx * (y - a.y) - dy * (x - a.x) - (owns ? 0 : 1);
    t.edge_x[k] = -dy * kSubpixels;
    t.edge_y[k] = dx * kSubpixels;
}

std::uint32_t wrapped(double v) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::llround(v)));
}

/// Sets the plane through the corners. The steps of a nearly degenerate triangle may overflow; the sums
/// modulo 2^32 are still right at its pixels.
void set_depth(RasterTriangle& t, const Corner& a, const Corner& b, const Corner& c, std::int32_t area) {
    constexpr double kOne = 1 << kDepthFractionBits;
    const double za = a.z * kOne, zb = b.z * kOne, zc = c.z * kOne;
    const double by = b.y - a.y, cy = c.y - a.y, bx = b.x - a.x, cx = c.x - a.x;
    const double dx = ((zb - za) * cy - (zc - za) * by) / area;
    const double dy = ((zc - za) * bx - (zb - za) * cx) / area;
    const double x = t.x0 * kSubpixels + kSubpixels / 2 - a.x, y = t.y0 * kSubpixels + kSubpixels / 2 - a.y;
    t.depth = wrapped(za + dx * x + dy * y);
    t.depth_x = wrapped(dx * kSubpixels);
    t.depth_y = wrapped(dy * kSubpixels);
    t.min_depth = static_cast<std::int32_t>(std::min({za, zb, zc}));
    t.max_depth = static_cast<std::int32_t>(std::max({za, zb, zc}));
}

/// A polygon while it is clipped at four sides. A convex polygon gains at most one corner per side. One bent
/// by rounding could gain half as many as it has: 3, 4, 6, 9, 13.
struct CutPolygon {
    std::array<Vec3d, 13> corner;
    std::size_t count = 0;
};

/// The intersection of the edge with x or y = at. Identical for both directions of the edge, so that
/// neighbours stay connected.
Vec3d cut(const Vec3d& p, const Vec3d& q, std::size_t k, double at) {
    const bool swap = q[k] < p[k];
    const Vec3d &low = swap ? q : p, &high = swap ? p : q;
    const double t = std::clamp((at - low[k]) / (high[k] - low[k]), 0.0, 1.0);
    Vec3d out = low + t * (high - low);
    out[k] = at;
    return out;
}

/// Keeps the part on the inner side of k = at.
void cut_side(CutPolygon& polygon, std::size_t k, double at, bool keep_above) {
    const CutPolygon from = polygon;
    polygon.count = 0;
    const auto inside = [&](const Vec3d& p) { return keep_above ? p[k] >= at : p[k] <= at; };
    for (std::size_t i = 0; i < from.count; ++i) {
        const Vec3d &p = from.corner[i], &q = from.corner[(i + 1) % from.count];
        if (inside(p)) polygon.corner[polygon.count++] = p;
        if (inside(p) != inside(q)) polygon.corner[polygon.count++] = cut(p, q, k, at);
    }
}

/// Body to world and world to picture, in one matrix.
Matrix34d picture_from_body(const Matrix34f& world_from_body, const PictureView& view) {
    Matrix34d out;
    const std::size_t rows[3] = {view.side(0), view.side(1), static_cast<std::size_t>(view.axis)};
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c)
            out.m[4 * r + c] = view.scale[r] * static_cast<double>(world_from_body.m[4 * rows[r] + c]);
        out.m[4 * r + 3] = view.scale[r] *
                           (static_cast<double>(world_from_body.m[4 * rows[r] + 3]) - view.origin_w[rows[r]]);
    }
    return out;
}

bool mirrored(const Matrix34f& m) {
    const auto row = [&](std::size_t r) {
        return Vec3d{static_cast<double>(m.m[4 * r]), static_cast<double>(m.m[4 * r + 1]),
                     static_cast<double>(m.m[4 * r + 2])};
    };
    return dot(row(0), cross(row(1), row(2))) < 0;
}

void add_hull(const ConvexHull& hull, const Matrix34d& m, TriangleBlock& block) {
    const PolygonList& faces = hull.faces;
    for (std::size_t f = 0; f < faces.polygon_count(); ++f) {
        const auto loop = faces.polygon(f);
        const Vec3d first = transform_point(m, hull.vertex(loop[0]));
        Vec3d before = transform_point(m, hull.vertex(loop[1]));
        for (std::size_t i = 2; i < loop.size(); ++i) {
            const Vec3d now = transform_point(m, hull.vertex(loop[i]));
            block.add(first, before, now);
            before = now;
        }
    }
}

/// Skips runs of polygons whose box is beside the picture. Runs above or below it count.
void add_triangles(const DrawnBody& body, const PictureView& view, const Matrix34d& m, TriangleBlock& block) {
    const Topology& t = *body.geometry->topology;
    const auto& positions = body.geometry->positions;
    for (std::size_t run = 0; run < body.geometry->run_boxes.size(); ++run) {
        const Aabb box = transform_aabb(*body.world_from_body, body.geometry->run_boxes[run]);
        bool beside = false;
        for (const int i : {0, 1}) {
            const std::size_t k = view.side(i);
            beside = beside || static_cast<double>(box.max[k]) < view.common.min[k] ||
                     static_cast<double>(box.min[k]) > view.common.max[k];
        }
        if (beside) continue;
        const auto first = static_cast<std::uint32_t>(run) * kBoxRun;
        const std::uint32_t last = std::min(t.polygon_count(), first + kBoxRun);
        for (std::uint32_t i = t.triangle_begin[first]; i < t.triangle_begin[last]; ++i) {
            const std::uint32_t* v = t.triangles[i].vertices;
            block.add(transform_point(m, positions[v[0]]), transform_point(m, positions[v[1]]),
                      transform_point(m, positions[v[2]]));
        }
    }
}

}  // namespace

Box3d drawn_box(const DrawnBody& body) {
    const Matrix34d world_from_body = to_double(*body.world_from_body);
    if (body.hull != nullptr) return box_of(*body.hull, world_from_body);
    constexpr double kHuge = std::numeric_limits<double>::max();
    Box3d box{{kHuge, kHuge, kHuge}, {-kHuge, -kHuge, -kHuge}};
    const auto add = [&](const Vec3d& p) {
        box.min = min(box.min, p);
        box.max = max(box.max, p);
    };
    if (body.geometry->topology->polygon_count() <= kTightBoxPolygons) {
        for (const Vec3f& p : body.geometry->positions) add(transform_point(world_from_body, p));
        return box;
    }
    for (const Aabb& run : body.geometry->run_boxes) {
        const Aabb moved = transform_aabb(*body.world_from_body, run);
        add(cast<double>(moved.min));
        add(cast<double>(moved.max));
    }
    return box;
}

Vec3d PictureView::point_w(double x, double y, double depth) const {
    Vec3d out;
    const Vec3d at{x, y, depth};
    const std::size_t k[3] = {side(0), side(1), static_cast<std::size_t>(axis)};
    for (std::size_t i = 0; i < 3; ++i) out[k[i]] = origin_w[k[i]] + pixel[i] * at[i];
    return out;
}

bool make_view(const Box3d& a, const Box3d& b, int axis, int size, PictureView& view) {
    view.size = size;
    view.common = {max(a.min, b.min), min(a.max, b.max)};
    const Vec3d extent = view.common.max - view.common.min;
    if (!(extent.x >= 0 && extent.y >= 0 && extent.z >= 0)) return false;
    view.axis = axis;
    if (axis < 0)
        view.axis = extent.x < extent.y ? (extent.x < extent.z ? 0 : 2) : extent.y < extent.z ? 1 : 2;
    const auto up = static_cast<std::size_t>(view.axis);
    const double low = std::min(a.min[up], b.min[up]), high = std::max(a.max[up], b.max[up]);
    const auto ratio = [](double of, double by) { return by > 0 ? of / by : 0.0; };
    for (const int i : {0, 1}) {
        const auto k = static_cast<std::size_t>(i);
        const double length = extent[view.side(i)];
        view.scale[k] = ratio(size, length);
        view.pixel[k] = length / size;
        view.origin_w[view.side(i)] = view.common.min[view.side(i)];
    }
    const double steps = kNoDepth - 1 - 2 * kDepthGuard;
    view.scale.z = ratio(steps, high - low);
    view.pixel.z = (high - low) / steps;
    view.origin_w[up] = low - kDepthGuard * view.pixel.z;
    return true;
}

TriangleBlock::TriangleBlock(int size, DrawnFaces faces, bool flipped, const RasterPass& pass,
                             RasterDevice& device)
    : size_(size), faces_(faces), flipped_(flipped), pass_(pass), device_(device) {}

void TriangleBlock::add(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const double left = std::min({a.x, b.x, c.x}), right = std::max({a.x, b.x, c.x});
    const double low = std::min({a.y, b.y, c.y}), high = std::max({a.y, b.y, c.y});
    if (!(left <= size_ && right >= 0 && low <= size_ && high >= 0)) return;
    if (left >= 0 && right <= size_ && low >= 0 && high <= size_) return emit(a, b, c);
    add_clipped(a, b, c);
}

void TriangleBlock::add_clipped(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    CutPolygon polygon{{a, b, c}, 3};
    for (const std::size_t k : {0u, 1u}) {
        cut_side(polygon, k, 0, true);
        cut_side(polygon, k, size_, false);
    }
    for (std::size_t i = 2; i < polygon.count; ++i)
        emit(polygon.corner[0], polygon.corner[i - 1], polygon.corner[i]);
}

void TriangleBlock::emit(const Vec3d& pa, const Vec3d& pb, const Vec3d& pc) {
    const auto corner = [](const Vec3d& p) {
        return Corner{static_cast<std::int32_t>(std::lrint(p.x * kSubpixels)),
                      static_cast<std::int32_t>(std::lrint(p.y * kSubpixels)),
                      std::clamp(p.z, 0.0, kNoDepth - 1.0)};
    };
    const Corner a = corner(pa);
    Corner b = corner(pb), c = corner(pc);
    RasterTriangle t{};
    t.x0 = first_pixel(std::min({a.x, b.x, c.x}));
    t.x1 = last_pixel(std::max({a.x, b.x, c.x}));
    t.y0 = first_pixel(std::min({a.y, b.y, c.y}));
    t.y1 = last_pixel(std::max({a.y, b.y, c.y}));
    if (t.x0 > t.x1 || t.y0 > t.y1) return;
    std::int32_t area = turn(a, b, c);
    if (area == 0) return;
    // Depth grows away from the viewer: an outward face that is counter-clockwise here faces larger depths.
    const bool front = (area < 0) != flipped_;
    if (faces_ != DrawnFaces::all && front != (faces_ == DrawnFaces::front)) return;
    if (area < 0) {
        std::swap(b, c);
        area = -area;
    }
    set_edge(t, 0, a, b);
    set_edge(t, 1, b, c);
    set_edge(t, 2, c, a);
    set_depth(t, a, b, c, area);
    block_[count_++] = t;
    ++drawn_;
    if (count_ == kBlock) flush();
}

void TriangleBlock::flush() {
    if (count_ > 0) device_.draw(pass_, {block_.data(), count_});
    count_ = 0;
}

std::uint32_t draw_body(const DrawnBody& body, const PictureView& view, DrawnFaces faces,
                        const RasterPass& pass, RasterDevice& device) {
    TriangleBlock block(view.size, faces, mirrored(*body.world_from_body), pass, device);
    const Matrix34d m = picture_from_body(*body.world_from_body, view);
    if (body.hull != nullptr)
        add_hull(*body.hull, m, block);
    else
        add_triangles(body, view, m, block);
    block.flush();
    return block.drawn();
}

}  // namespace claybox::collision
