#pragma once
// Four parts of a moving mesh against one part of another, in float: how long are they proven free of
// contact? A part is a volume of a tree or a triangle. Positions are rho, see BodyAt.

#include "collision/continuous/best/moving_body.hpp"
#include "collision/pairwise/bvh/bvh.hpp"
#include "collision/simd/float4.hpp"

namespace claybox::collision {

struct Vec4 {
    Float4 x, y, z;
};
inline Vec4 splat(const Vec3f& v) {
    return {splat4(v.x), splat4(v.y), splat4(v.z)};
}
inline Float4 dot(const Vec4& a, const Vec4& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec4 cross(const Vec4& a, const Vec4& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec4 operator+(const Vec4& a, const Vec4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec4 operator-(const Vec4& a, const Vec4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec4 operator*(const Vec4& a, Float4 s) {
    return {a.x * s, a.y * s, a.z * s};
}

/// Per lane: `yes` where the comparison holds, else `no`.
inline Float4 choose4(Int4 mask, Float4 yes, Float4 no) {
    return Float4(select4(mask, Int4(yes), Int4(no)));
}

/// One body at one time, in float.
struct LaneFrame {
    Vec4 row[3], column[3];  ///< tree coordinates to rho, linear part; the same in all lanes
    Vec4 local_row[3];       ///< body coordinates to rho, linear part
    Vec4 offset;
    Vec4 spin, axis;    ///< zero without a turn
    float bend = 0;     ///< angle^2
    float inverse = 1;  ///< column times this is about the inverse of row
    float stretch = 1;  ///< a bound for the length of a unit vector of the tree
    bool turns = false;
};

/// Four parts of one kind. Unused lanes repeat a used one. The fields of the other kind are not set.
struct PartLanes {
    bool triangles;
    Vec4 centre;        ///< rho
    Vec4 normal_w;      ///< of the disc or triangle, of any length; may be zero
    Float4 radius;      ///< around the centre
    Vec4 corner[3];     ///< of triangles, relative to the centre
    Vec4 half, normal;  ///< of volumes, tree coordinates
    Float4 disc_radius, thickness;

    /// How far the parts extend from their centres along a direction.
    [[gnu::always_inline]] Float4 extent(const LaneFrame& frame, const Vec4& d) const {
        if (triangles) return max4(max4(dot(d, corner[0]), dot(d, corner[1])), dot(d, corner[2]));
        const Vec4 local{dot(frame.column[0], d), dot(frame.column[1], d), dot(frame.column[2], d)};
        const Float4 box = abs4(local.x) * half.x + abs4(local.y) * half.y + abs4(local.z) * half.z;
        const Float4 along = dot(local, normal);
        const Float4 across = max4(dot(local, local) - along * along, Float4{});
        return min4(box, abs4(along) * thickness + sqrt4(across) * disc_radius);
    }
};

/// What does not depend on the parts.
struct LanePair {
    const LaneFrame *lanes, *fixed;
    Vec4 between;         ///< base of the fixed body minus that of the other
    Vec4 drift;           ///< the same of the velocities
    float clearance = 0;  ///< to keep: half of the tolerance, and the rounding of a gap
    float slow = 0;       ///< the rounding of a velocity
};

/// Per lane a time span during which the gap stays positive; 0 if nothing is proven, at most `limit`. Along a
/// direction, the gap after s is at least its value now, plus s times the velocity of the worst points, minus
/// bend s^2 / 2. Directions: the line between points of the boxes that are about nearest to each other, which
/// two steps of alternating projections find; and the normals.
/// Rounding of float: a gap has about thirty roundings of terms below the sizes, a velocity as many of terms
/// below the speeds; LanePair contains both. The last steps are relative and covered by kSafe.
class FreeSpans {
  public:
    FreeSpans(const PartLanes& parts, const PartLanes& other, const LanePair& pair, float limit)
        : parts_(parts), other_(other), pair_(pair), f_(*pair.lanes), g_(*pair.fixed), limit_(splat4(limit)) {
        between_ = other.centre - parts.centre + pair.between;
        if (f_.turns) bend_ = bend_ + splat4(f_.bend) * (from_axis(f_, parts) + parts.radius);
        if (g_.turns) bend_ = bend_ + splat4(g_.bend) * (from_axis(g_, other) + other.radius);
    }

    Float4 run() {
        Vec4 on_parts = nearest(f_, parts_, between_);
        const Vec4 on_other = nearest(g_, other_, on_parts - between_);
        on_parts = nearest(f_, parts_, between_ + on_other);
        offer(between_ + on_other - on_parts);
        if (mask_bits4(best_ >= limit_) == 15) return best_;
        offer(parts_.normal_w);
        offer(other_.normal_w);
        return best_;
    }

  private:
    /// About the point of a volume's box that is nearest to x, both relative to the centre; any direction is
    /// valid, so nothing need be exact.
    static Vec4 nearest(const LaneFrame& frame, const PartLanes& p, const Vec4& x) {
        if (p.triangles) return splat(Vec3f{});
        const auto clamped = [&](std::size_t k, Float4 half) {
            const Float4 along = dot(frame.column[k], x) * splat4(frame.inverse);
            return max4(min4(along, half), -half);
        };
        const Vec4 local{clamped(0, p.half.x), clamped(1, p.half.y), clamped(2, p.half.z)};
        return {dot(frame.row[0], local), dot(frame.row[1], local), dot(frame.row[2], local)};
    }
    static Float4 from_axis(const LaneFrame& frame, const PartLanes& p) {
        const Vec4 arm = cross(frame.axis, p.centre);
        return sqrt4(dot(arm, arm));
    }

    [[gnu::always_inline]] void offer(Vec4 d) {
        constexpr float kSafe = 1 - 0x1p-16f;
        const Float4 tiny = splat4(0x1p-60f), squared = dot(d, d);
        Float4 scale = splat4(1) / max4(sqrt4(squared), tiny);
        scale = choose4(dot(d, between_) < Float4{}, -scale, scale);
        d = d * scale;
        const Float4 gap = dot(d, between_) - parts_.extent(f_, d) - other_.extent(g_, d * splat4(-1)) -
                           splat4(pair_.clearance);
        const Int4 good = Int4(gap > Float4{}) & Int4(squared > tiny * tiny);
        if (mask_bits4(good) == 0) return;
        Float4 slope = dot(d, pair_.drift) - splat4(pair_.slow);
        if (f_.turns) {
            const Vec4 turn = cross(d, f_.spin);
            slope = slope - dot(turn, parts_.centre) - parts_.extent(f_, turn);
        }
        if (g_.turns) {
            const Vec4 turn = cross(g_.spin, d);
            slope = slope - dot(turn, other_.centre) - other_.extent(g_, turn);
        }
        // The first root of gap + slope s - bend s^2 / 2, without cancellation.
        const Float4 root = sqrt4(max4(slope * slope + splat4(2) * bend_ * gap, Float4{}));
        const Int4 closes = slope < Float4{};
        const Float4 above = choose4(closes, splat4(2) * gap, root + slope);
        const Float4 below = choose4(closes, root - slope, bend_);
        const Float4 span = min4(above / max4(below, tiny) * splat4(kSafe), limit_);
        best_ = choose4(good, max4(best_, span), best_);
    }

    const PartLanes &parts_, &other_;
    const LanePair& pair_;
    const LaneFrame &f_, &g_;
    const Float4 limit_;
    Vec4 between_;
    Float4 bend_{}, best_{};
};

inline Float4 free_spans(const PartLanes& parts, const PartLanes& other, const LanePair& pair, float limit) {
    return FreeSpans(parts, other, pair, limit).run();
}

}  // namespace claybox::collision
