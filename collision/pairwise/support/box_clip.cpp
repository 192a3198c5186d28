#include "collision/pairwise/support/box_clip.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kPadding = 16;
/// Clipping a convex polygon by one plane adds at most one corner; the box has six planes.
constexpr std::size_t kExtraCorners = 6;

/// A polygon that is being clipped by the six planes.
struct Loop {
    std::span<Vec3d> corners;
    std::size_t count = 0;
    void add(const Vec3d& p) {
        if (count < corners.size()) corners[count++] = p;
    }
};

/// Keeps the part where sign * coordinate <= sign * limit (Sutherland and Hodgman). Points and segments
/// (loops of one and two corners) need no special case.
void clip(const Loop& in, std::size_t axis, double sign, double limit, Loop& out) {
    out.count = 0;
    for (std::size_t i = 0; i < in.count; ++i) {
        const Vec3d &p = in.corners[i], &q = in.corners[i + 1 < in.count ? i + 1 : 0];
        const double before = sign * (limit - p[axis]), after = sign * (limit - q[axis]);
        if (before >= 0) out.add(p);
        if ((before > 0 && after < 0) || (before < 0 && after > 0)) {
            Vec3d cut = p + (before / (before - after)) * (q - p);
            cut[axis] = limit;
            out.add(cut);
        }
    }
}

/// Array sizes: corners of one loop, points of the result.
struct ClipSize {
    std::size_t loop, points;
};

ClipSize clip_size(const ConvexHull& hull) {
    std::size_t longest = 2, total = 8 + 2 + kExtraCorners;
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const std::size_t corners = hull.faces.polygon(f).size() + kExtraCorners;
        longest = std::max(longest, corners);
        total += corners;
    }
    return {longest + kExtraCorners, (total + kPadding - 1) / kPadding * kPadding};
}

class Clipper {
  public:
    Clipper(const ConvexHull& hull, const Matrix34d& frame_from_hull, const Box3d& box, Scratch& scratch);
    bool has_storage() const { return has_storage_; }
    ClippedHull run();

  private:
    void clip_face(std::span<const std::uint32_t> loop);
    void mark_outside_corners(const Vec3d& normal, const Vec3d& on_face);
    void add(const Vec3d& p);
    Vec3d corner(unsigned k) const;

    const ConvexHull& hull_;
    const Matrix34d& frame_from_hull_;
    const Box3d& box_;
    Vec3d interior_;
    Loop loops_[2];
    ClippedHull out_;
    std::array<bool, 8> outside_{};
    bool has_storage_ = false;
};

Clipper::Clipper(const ConvexHull& hull, const Matrix34d& frame_from_hull, const Box3d& box, Scratch& scratch)
    : hull_(hull),
      frame_from_hull_(frame_from_hull),
      box_(box),
      interior_(transform_point(frame_from_hull, hull.interior)) {
    const ClipSize size = clip_size(hull);
    for (Loop& loop : loops_) loop.corners = scratch.take<Vec3d>(size.loop);
    for (std::span<float>* part : {&out_.x, &out_.y, &out_.z}) *part = scratch.take<float>(size.points);
    has_storage_ = !out_.z.empty() && !loops_[1].corners.empty();
}

Vec3d Clipper::corner(unsigned k) const {
    return {(k & 1) != 0 ? box_.max.x : box_.min.x, (k & 2) != 0 ? box_.max.y : box_.min.y,
            (k & 4) != 0 ? box_.max.z : box_.min.z};
}

void Clipper::add(const Vec3d& p) {
    if (out_.count == out_.x.size()) return;
    out_.x[out_.count] = static_cast<float>(p.x);
    out_.y[out_.count] = static_cast<float>(p.y);
    out_.z[out_.count++] = static_cast<float>(p.z);
}

/// Marks the box corners outside this face. The side of the interior point defines the inside, because a
/// mirroring matrix reverses the faces.
void Clipper::mark_outside_corners(const Vec3d& normal, const Vec3d& on_face) {
    const double in = dot(normal, interior_ - on_face);
    for (unsigned k = 0; k < 8; ++k)
        if (!(dot(normal, corner(k) - on_face) * in > 0)) outside_[k] = true;
}

void Clipper::clip_face(std::span<const std::uint32_t> loop) {
    Loop* now = &loops_[0];
    Loop* next = &loops_[1];
    now->count = 0;
    for (const std::uint32_t v : loop) now->add(transform_point(frame_from_hull_, hull_.vertex(v)));
    Vec3d normal;
    for (std::size_t i = 1; i + 1 < now->count; ++i)
        normal += cross(now->corners[i] - now->corners[0], now->corners[i + 1] - now->corners[0]);
    mark_outside_corners(normal, now->corners[0]);
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const double sign : {1.0, -1.0}) {
            clip(*now, axis, sign, sign > 0 ? box_.max[axis] : box_.min[axis], *next);
            std::swap(now, next);
        }
    for (std::size_t i = 0; i < now->count; ++i) add(now->corners[i]);
}

ClippedHull Clipper::run() {
    for (std::size_t f = 0; f < hull_.faces.polygon_count(); ++f) clip_face(hull_.faces.polygon(f));
    if (hull_.dimension < 2) {
        const std::uint32_t all[] = {0, 1};
        clip_face({all, hull_.vertex_count < 2 ? std::size_t{1} : std::size_t{2}});
    }
    for (unsigned k = 0; k < 8 && hull_.dimension == 3; ++k)
        if (!outside_[k]) add(corner(k));
    for (std::size_t i = out_.count; out_.count > 0 && i % kPadding != 0; ++i) {
        out_.x[i] = out_.x[0];
        out_.y[i] = out_.y[0];
        out_.z[i] = out_.z[0];
    }
    return out_;
}

}  // namespace

Box3d box_of(const ConvexHull& hull, const Matrix34d& frame_from_hull) {
    const Vec3d first = transform_point(frame_from_hull, hull.vertex(0));
    Box3d out{first, first};
    for (std::uint32_t v = 1; v < hull.vertex_count; ++v) {
        const Vec3d p = transform_point(frame_from_hull, hull.vertex(v));
        out.min = min(out.min, p);
        out.max = max(out.max, p);
    }
    return out;
}

std::size_t clip_bytes(const ConvexHull& hull) {
    const ClipSize size = clip_size(hull);
    return 2 * size.loop * sizeof(Vec3d) + 3 * size.points * sizeof(float) + 64;
}

ClippedHull clip_to_box(const ConvexHull& hull, const Matrix34d& frame_from_hull, const Box3d& box,
                        Scratch& scratch) {
    if (box.empty()) return {};
    Clipper clipper(hull, frame_from_hull, box, scratch);
    return clipper.has_storage() ? clipper.run() : ClippedHull{};
}

}  // namespace claybox::collision
