#include "collision/continuous/query.hpp"

#include "collision/core/trig.hpp"
#include "collision/geometry/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// The rotation of a screw motion at t, as a matrix.
std::array<Vec3d, 3> rotation_rows(const Motion& motion, double t) {
    const SinCos half = sin_cos(motion.angle * t / 2);
    const double s = 2 * half.sin * half.cos, k = 2 * half.sin * half.sin;  // 1 - cos without cancellation
    const double c = 1 - k;
    const Vec3d& u = motion.axis_w;
    return {Vec3d{c + k * u.x * u.x, k * u.x * u.y - s * u.z, k * u.x * u.z + s * u.y},
            Vec3d{k * u.y * u.x + s * u.z, c + k * u.y * u.y, k * u.y * u.z - s * u.x},
            Vec3d{k * u.z * u.x - s * u.y, k * u.z * u.y + s * u.x, c + k * u.z * u.z}};
}

Vec3d moved(const std::array<Vec3d, 3>& rows, const Motion& motion, const Vec3d& x, double t) {
    const Vec3d r = x - motion.point_w;
    return motion.point_w + Vec3d{dot(rows[0], r), dot(rows[1], r), dot(rows[2], r)} + t * motion.travel_w;
}

}  // namespace

const char* to_string(FeatureKind kind) {
    switch (kind) {
        case FeatureKind::none:
            return "none";
        case FeatureKind::vertex:
            return "vertex";
        case FeatureKind::edge:
            return "edge";
        case FeatureKind::face:
            return "face";
    }
    return "";
}

Motion Motion::linear(const Vec3f& end_w) {
    Motion out;
    out.kind = Kind::linear;
    out.end_w = end_w;
    return out;
}

Motion Motion::along(const Screw& screw) {
    Motion out;
    out.kind = Kind::screw;
    out.point_w = screw.point;
    out.axis_w = screw.axis;
    out.angle = screw.angle;
    out.travel_w = screw.pitch * screw.axis;
    return out;
}

Motion motion_between(const Pose& from, const Pose& to) {
    if (from == to) return {};
    if (from.rotation == to.rotation) return Motion::linear(cast<float>(to.translation));
    return Motion::along(screw_between(from, to));
}

Vec3d displacement(const Matrix34f& world_from_body, const Motion& motion) {
    if (motion.kind == Motion::Kind::screw) return motion.travel_w;
    if (motion.kind == Motion::Kind::fixed) return {};
    return cast<double>(motion.end_w) - cast<double>(world_from_body.translation());
}

Matrix34d placement_at(const Matrix34f& world_from_body, const Motion& motion, double t) {
    Matrix34d out = to_double(world_from_body);
    if (t == 0 || motion.kind == Motion::Kind::fixed) return out;
    if (motion.kind == Motion::Kind::linear) {
        const Vec3d shift = t * displacement(world_from_body, motion);
        for (std::size_t k = 0; k < 3; ++k) out.m[4 * k + 3] += shift[k];
        return out;
    }
    const auto rows = rotation_rows(motion, t);
    const Matrix34d start = out;
    for (std::size_t column = 0; column < 3; ++column) {
        const Vec3d c{start.m[column], start.m[4 + column], start.m[8 + column]};
        for (std::size_t k = 0; k < 3; ++k) out.m[4 * k + column] = dot(rows[k], c);
    }
    const Vec3d place = moved(rows, motion, start.translation(), t);
    for (std::size_t k = 0; k < 3; ++k) out.m[4 * k + 3] = place[k];
    return out;
}

Aabb swept_box(const Aabb& local, const Matrix34f& world_from_body, const Motion& motion, double from,
               double to) {
    const Vec3d centre = 0.5 * (cast<double>(local.min) + cast<double>(local.max));
    const Vec3d half = 0.5 * (cast<double>(local.max) - cast<double>(local.min));
    const auto box_at = [&](double t, Vec3d& low, Vec3d& high) {
        const Matrix34d m = placement_at(world_from_body, motion, t);
        const Vec3d c = transform_point(m, centre);
        for (std::size_t k = 0; k < 3; ++k) {
            const double reach = std::abs(m.m[4 * k]) * half.x + std::abs(m.m[4 * k + 1]) * half.y +
                                 std::abs(m.m[4 * k + 2]) * half.z;
            low[k] = c[k] - reach;
            high[k] = c[k] + reach;
        }
    };
    Vec3d low, high, end_low, end_high;
    box_at(from, low, high);
    double slack = 0;
    if (motion.kind != Motion::Kind::fixed && to > from) {
        // A turn by `angle` on a circle of radius r leaves the chord by at most r (1 - cos(angle / 2)).
        const bool turns = motion.kind == Motion::Kind::screw;
        const double turn = turns ? std::abs(motion.angle) * (to - from) : 0;
        constexpr double kStep = 0.5;
        const int steps = turns ? std::clamp(static_cast<int>(std::ceil(turn / kStep)), 1, 64) : 1;
        for (int i = 1; i <= steps; ++i) {
            box_at(from + (to - from) * i / steps, end_low, end_high);
            low = min(low, end_low);
            high = max(high, end_high);
        }
        if (turns) {
            const Vec3d arm = transform_point(to_double(world_from_body), centre) - motion.point_w;
            const Matrix34d m = to_double(world_from_body);
            double reach = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d column{m.m[k], m.m[4 + k], m.m[8 + k]};
                reach += length(column) * half[k];
            }
            const double radius = length(cross(motion.axis_w, arm)) + reach;
            const double s = sin_cos(std::min(turn / steps, 3.0) / 4).sin;
            slack = turn / steps >= 3 ? 2 * radius : radius * 2 * s * s;
        }
    }
    // All of the above has fewer than 64 roundings relative to these magnitudes.
    double size = length(cast<double>(world_from_body.translation())) + length(motion.travel_w) +
                  2 * length(motion.point_w);
    if (motion.kind == Motion::Kind::linear) size += length(cast<double>(motion.end_w));
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d column{world_from_body.m[k], world_from_body.m[4 + k], world_from_body.m[8 + k]};
        size += length(column) * (std::abs(centre[k]) + half[k]);
    }
    const double error = 0x1p-46 * size;
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        out.min[k] = round_down(low[k] - slack - error);
        out.max[k] = round_up(high[k] + slack + error);
    }
    return out;
}

Status check(const Motion& motion) {
    const auto good = [](const auto& v) {
        for (std::size_t k = 0; k < 3; ++k)
            if (!(std::abs(static_cast<double>(v[k])) <= kMaxMagnitude)) return false;
        return true;
    };
    if (motion.kind == Motion::Kind::linear && !good(motion.end_w))
        return Error{"the end of a linear motion is not a number of magnitude up to 2^60", {}, 0};
    if (motion.kind != Motion::Kind::screw) return Done{};
    if (!good(motion.point_w) || !good(motion.travel_w) || !(std::abs(motion.angle) <= 0x1p20))
        return Error{
            "a screw motion has a number that is not finite or too large, expected up to 2^60, and up "
            "to 2^20 radians",
            {},
            0};
    if (!good(motion.axis_w) || !(std::abs(length(motion.axis_w) - 1) <= 1e-6))
        return Error{"the axis of a screw motion does not have length 1", {}, 0};
    return Done{};
}

ContinuousQuery make_continuous_query(const Shape& a, const Matrix34f& world_from_a, const Motion& motion_a,
                                      const Shape& b, const Matrix34f& world_from_b, const Motion& motion_b,
                                      Scratch& scratch) {
    return {make_pair_query(a, world_from_a, b, world_from_b, scratch), motion_a, motion_b};
}

}  // namespace claybox::collision
