#pragma once
// How thick the clay is at a point of its surface.

#include "app/potter/walls/ray_grid.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <array>

namespace claybox::app {

/// Thicker walls count as this; metres.
inline constexpr float kFarWall = 0.020f;
/// Nothing further from the point than this changes the measure; metres.
inline constexpr double kWallReach = static_cast<double>(kFarWall);

/// Measures with a few rays. `way_out(from, along, reach, start)` is RayGrid::way_out().
///
/// A ray along the inward normal measures a wall if it leaves through a side that faces the other way. Where
/// the sides close in to an edge, this length goes to zero at the edge, so the walls are measured a little
/// further inside. Where no such side follows, the point may lie on the lip of a wall: then the normal points
/// along the wall, and rays across, from a point below the surface, measure it.
template <class WayOutOf>
class WallMeasure {
  public:
    /// `vertex` lies at `at`; its polygons do not count for the ray that starts there.
    WallMeasure(const collision::Vec3d& at, const collision::Vec3d& normal, std::uint32_t vertex,
                const WayOutOf& way_out)
        : at_(at), normal_(normal), vertex_(vertex), way_out_(way_out) {}

    /// Metres, at most kFarWall.
    double thickness() {
        const WayOut through = ray(at_, -normal_, kWallReach, vertex_);
        const double found =
            are_opposite(normal_, through.outward) ? between(through) : lip(through.distance);
        return std::min(kWallReach, found);
    }
    std::size_t rays() const { return rays_; }

  private:
    static bool are_opposite(const collision::Vec3d& a, const collision::Vec3d& b) {
        return dot(a, b) < -0.5;
    }

    WayOut ray(const collision::Vec3d& from, const collision::Vec3d& along, double reach,
               std::uint32_t start = collision::kNoIndex) {
        ++rays_;
        return way_out_(from, along, reach, start);
    }

    /// The wall between the point and the side that the first ray has left through.
    double between(const WayOut& through) {
        constexpr double kStraight = 0.35, kClosing = 0.6;  // length of the sum of both normals
        constexpr double kInside = 0.002, kThick = 0.65 * kWallReach, kAcross = 0.55 * kWallReach;
        const collision::Vec3d lean = normal_ + through.outward;  // points to where the sides meet
        const double size = length(lean);
        // Thin places are few, so even sides that close in slowly are worth more rays there.
        const double thin = size > 0.05 ? std::clamp(2 - through.distance / 0.001, 0.0, 1.0) : 0;
        const double share =
            std::max(thin, std::clamp((size - kStraight) / (kClosing - kStraight), 0.0, 1.0));
        if (share <= 0 || through.distance >= kThick) return through.distance;
        const collision::Vec3d middle = at_ - 0.5 * through.distance * normal_, inward = -(1 / size) * lean;
        const double room = ray(middle, inward, kInside).distance;
        const collision::Vec3d inside = middle + 0.9 * room * inward;
        const collision::Vec3d across = normalized(through.outward - normal_, through.outward);
        const double wall = ray(inside, across, kAcross).distance + ray(inside, -across, kAcross).distance;
        return through.distance + share * (wall - through.distance);
    }

    /// The wall that ends at the point; kFarWall if the point is on no lip.
    double lip(double room) {
        constexpr double kAcross = 0.75 * kWallReach;
        constexpr int kDirections = 6;  // 30 degrees apart: the shortest is at most 4 % too long
        const collision::Vec3d from = at_ - std::min(0.5 * room, 0.5 * kWallReach) * normal_;
        const collision::Vec3d other =
            std::abs(normal_.x) < 0.6 ? collision::Vec3d{1, 0, 0} : collision::Vec3d{0, 1, 0};
        const collision::Vec3d u = normalized(cross(normal_, other), other), v = cross(normal_, u);
        // Two directions at right angles meet any wall that is not too thick.
        const std::array<WayOut, 2> first{ray(from, u, kAcross), ray(from, v, kAcross)};
        if (!first[0].is_found() && !first[1].is_found()) return kWallReach;
        double best = kWallReach;
        for (int k = 0; k < kDirections; ++k) {
            const collision::SinCos turn = collision::sin_cos(collision::kPi * k / kDirections);
            const collision::Vec3d along = turn.cos * u + turn.sin * v;
            const bool known = 2 * k % kDirections == 0;
            const WayOut there =
                known ? first[static_cast<std::size_t>(2 * k / kDirections)] : ray(from, along, kAcross);
            if (!there.is_found()) continue;
            const WayOut back = ray(from, -along, kAcross);
            if (back.is_found() && are_opposite(there.outward, back.outward))
                best = std::min(best, there.distance + back.distance);
        }
        return best;
    }

    collision::Vec3d at_, normal_;
    std::uint32_t vertex_;
    const WayOutOf& way_out_;
    std::size_t rays_ = 0;
};

}  // namespace claybox::app
