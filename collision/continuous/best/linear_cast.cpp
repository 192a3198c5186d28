// Idea: project the difference C along the ray. A triangle of C whose projection contains the origin is a
// portal. The first portal is found in the projection: a triangle of a point in the middle of C and two
// support points, whose outer edge moves outward until the origin is inside. Then the lowest point of C along
// the portal's normal replaces a corner until no point is lower: the ray enters C through that portal. Every
// support point also bounds C by a plane; if the ray does not pass that plane, the bodies miss each other.
// The exact version of this search is collision/exact/swept_impact.cpp. Compare Snethen's Minkowski portal
// refinement, 2008, which searches along a ray from the inside of C for a discrete test.

#include "collision/continuous/best/linear_cast.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kLimit = 96;
/// Heights closer than this fraction of the sizes are equal up to rounding in double.
constexpr double kEqual = 0x1p-46;
/// The same for support vertices found in float.
constexpr double kFloatEqual = 0x1p-20;
/// Above the length of a direction from with_size_one().
constexpr double kLongest = 3.5;

double det(const Vec3d& u, const Vec3d& v, const Vec3d& w) {
    return dot(u, cross(v, w));
}

class Cast {
  public:
    Cast(const LinearPair& pair, std::uint32_t& iterations, Trace* trace)
        : pair_(pair),
          ray_(pair.ray()),
          equal_(kEqual * kLongest * pair.size()),
          iterations_(iterations),
          trace_(trace) {}

    CastClaim run(const VertexPair* portal) {
        if (dot(ray_, ray_) == 0) return {};
        if (portal != nullptr && resume(portal)) return refine();
        if (!find_portal()) return claim_;
        return refine();
    }

  private:
    /// The lowest point along n, a direction of size one. True if its plane shows that the bodies miss each
    /// other; then claim_ says so.
    bool search(const Vec3d& n, CastPoint& out) {
        ++iterations_;
        out = pair_.lowest(n, last_);
        last_ = out.pair;
        const double height = dot(n, out.c);
        if (trace_ != nullptr) {
            trace_->begin_iteration(static_cast<int>(iterations_));
            trace_->value("gap along the axis (m)", height / length(n));
            trace_search(n, out.c);
        }
        // The support vertex may be off by rounding in float; the proof finds the exact one.
        if (height > equal_ && height - dot(n, ray_) > equal_) {
            claim_ = CastClaim::miss(-n, out.pair);
            return true;
        }
        return false;
    }
    /// The search in the difference at t = 0. If the portal is complete, the time of its plane on the ray is
    /// the time so far.
    void trace_search(const Vec3d& n, const Vec3d& lowest) const {
        if (corner_[2].c != Vec3d{}) {
            const double along = dot(n, ray_), time = dot(n, corner_[0].c) / along;
            if (along > 0 && time >= 0 && time <= 1) trace_->value("time", time);
        }
        trace_->space(TraceSpace::difference);
        trace_->segment({}, ray_, "relative motion");
        if (corner_[2].c != Vec3d{}) trace_->triangle(corner_[0].c, corner_[1].c, corner_[2].c, "portal");
        trace_->plane(n, dot(n, lowest), lowest, "supporting plane");
        trace_->point(lowest, "support");
        trace_->space(TraceSpace::world);
    }
    /// The side of p relative to the line from the middle to the origin, seen along the ray.
    double side(const Vec3d& p) const { return det(ray_, middle_, p); }

    bool resume(const VertexPair* portal) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (portal[i].a >= pair_.a().hull->vertex_count || portal[i].b >= pair_.b().hull->vertex_count)
                return false;
            corner_[i] = pair_.make_point(portal[i]);
        }
        last_ = corner_[0].pair;
        const double s[3] = {det(ray_, corner_[0].c, corner_[1].c), det(ray_, corner_[1].c, corner_[2].c),
                             det(ray_, corner_[2].c, corner_[0].c)};
        if (s[0] > 0 && s[1] > 0 && s[2] > 0) return true;
        if (!(s[0] < 0 && s[1] < 0 && s[2] < 0)) return false;
        std::swap(corner_[1], corner_[2]);
        return true;
    }

    /// False if claim_ is the answer: a miss, or unknown.
    bool find_portal() {
        middle_ = pair_.middle();
        const Vec3d line = cross(middle_, ray_);  // perpendicular to the line from the middle to the origin
        Vec3d inward = cross(ray_, line);         // middle_ without its part along the ray, times |ray|^2
        if (!(length_squared(line) > 0x1p-80 * length_squared(middle_) * length_squared(ray_))) {
            const std::size_t least =
                std::abs(ray_.x) <= std::abs(ray_.y) && std::abs(ray_.x) <= std::abs(ray_.z) ? 0
                : std::abs(ray_.y) <= std::abs(ray_.z)                                       ? 1
                                                                                             : 2;
            Vec3d unit;
            unit[least] = 1;
            inward = cross(ray_, unit);
            middle_ = middle_ + inward * (0x1p-30 * pair_.size() / length(inward));
        }
        CastPoint x, y;
        if (search(with_size_one(inward), x)) return false;
        const Vec3d across = with_size_one(cross(middle_, ray_));
        const bool is_left = side(x.c) >= 0;
        if (search(is_left ? -across : across, y)) return false;
        if (!is_left) std::swap(x, y);
        for (double turn = det(ray_, x.c, y.c); !(turn >= 0); turn = det(ray_, x.c, y.c)) {
            if (iterations_ > kLimit) return false;
            CastPoint beyond;
            const Vec3d edge = with_size_one(cross(ray_, y.c - x.c));
            if (search(edge, beyond)) return false;
            // No farther point: the origin is outside, up to rounding.
            if (!(dot(edge, beyond.c) < dot(edge, x.c) - equal_)) return false;
            (side(beyond.c) > 0 ? x : y) = beyond;
        }
        corner_[0] = {middle_, {kNoIndex, kNoIndex}};
        corner_[1] = x;
        corner_[2] = y;
        return true;
    }

    CastClaim refine() {
        bool in_double = false;
        for (;;) {
            const Vec3d n = with_size_one(cross(corner_[1].c - corner_[0].c, corner_[2].c - corner_[0].c));
            const double along = dot(n, ray_);
            if (!(along > 0) || iterations_ > kLimit) return give_up();
            CastPoint below;
            if (search(n, below)) return claim_;
            const double level = dot(n, corner_[0].c);
            double gain = level - dot(n, below.c);
            if (!(gain > (in_double ? equal_ : equal_ * (kFloatEqual / kEqual)))) {
                below = pair_.lowest_in_double(n, below.pair);
                gain = level - dot(n, below.c);
                in_double = true;
            }
            if (!(gain > equal_)) return converged(n, level / along);
            replace(below);
        }
    }

    /// Puts the point in place of the corner whose removal keeps the origin inside.
    void replace(const CastPoint& p) {
        const Vec3d across = cross(ray_, p.c);
        const double s[3] = {dot(across, corner_[0].c), dot(across, corner_[1].c), dot(across, corner_[2].c)};
        if (s[1] >= 0 && s[2] <= 0)
            corner_[0] = p;
        else if (s[0] <= 0 && s[2] >= 0)
            corner_[1] = p;
        else
            corner_[2] = p;
    }

    CastClaim give_up() {
        claim_ = {};
        return claim_;
    }

    CastClaim converged(const Vec3d& n, double time) {
        if (!(time > 0)) return give_up();  // at the start, or behind it
        claim_ = {};
        claim_.kind = CastClaim::Kind::hit;
        claim_.axis_w = -n;
        claim_.time = time;
        for (const CastPoint& corner : corner_)
            if (corner.pair.a != kNoIndex) claim_.pairs[claim_.count++] = corner.pair;
        if (claim_.count != 3) claim_.kind = CastClaim::Kind::unknown;
        return claim_;
    }

    const LinearPair& pair_;
    const Vec3d ray_;
    const double equal_;  ///< heights along a direction of size one that are closer are equal up to rounding
    std::uint32_t& iterations_;
    Trace* trace_;
    Vec3d middle_;
    CastPoint corner_[3];
    VertexPair last_;
    CastClaim claim_;
};

}  // namespace

CastClaim cast_linear(const LinearPair& pair, const VertexPair* portal, std::uint32_t& iterations,
                      Trace* trace) {
    return Cast(pair, iterations, trace).run(portal);
}

}  // namespace claybox::collision
