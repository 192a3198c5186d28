#include "app/potter/shapes/lathe.hpp"

#include "collision/core/assert.hpp"
#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::app {

using collision::PolygonList;
using collision::Vec3d;
using collision::Vec3f;

namespace {

/// Adds the ring of one profile point. Returns the index of its first vertex.
std::uint32_t add_ring(PolygonList& mesh, const ProfilePoint& p, int sides) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const int count = p.r == 0 ? 1 : sides;
    for (int s = 0; s < count; ++s) {
        const collision::SinCos turn = collision::sin_cos(2 * collision::kPi * s / sides);
        mesh.positions.push_back(collision::cast<float>(Vec3d{p.r * turn.cos, p.y, -p.r * turn.sin}));
    }
    return first;
}

}  // namespace

PolygonList lathe(std::span<const ProfilePoint> profile, int sides) {
    CLAYBOX_ASSERT(profile.size() >= 2 && sides >= 3);
    PolygonList mesh;
    std::uint32_t below = add_ring(mesh, profile[0], sides);
    for (std::size_t i = 1; i < profile.size(); ++i) {
        const std::uint32_t above = add_ring(mesh, profile[i], sides);
        const bool point_below = profile[i - 1].r == 0, point_above = profile[i].r == 0;
        for (int k = 0; k < sides && !(point_below && point_above); ++k) {
            const auto s = static_cast<std::uint32_t>(k), t = static_cast<std::uint32_t>((k + 1) % sides);
            if (point_below) {
                const std::uint32_t loop[3] = {below, above + t, above + s};
                mesh.add_polygon(loop);
            } else if (point_above) {
                const std::uint32_t loop[3] = {below + s, below + t, above};
                mesh.add_polygon(loop);
            } else {
                const std::uint32_t loop[4] = {below + s, below + t, above + t, above + s};
                mesh.add_polygon(loop);
            }
        }
        below = above;
    }
    return mesh;
}

PolygonList rounded_disc(double radius, double thickness, double bevel, int steps, int sides) {
    std::vector<ProfilePoint> profile{{0, -thickness}, {radius, -thickness}};
    for (int i = 0; i <= steps; ++i) {
        const auto [s, c] = collision::sin_cos(0.5 * collision::kPi * i / steps);
        profile.push_back({radius - bevel * (1 - c), -bevel * (1 - s)});
    }
    profile.push_back({0, 0});
    return lathe(profile, sides);
}

std::vector<ProfilePoint> resample(std::span<const ProfilePoint> profile, int count) {
    CLAYBOX_ASSERT(profile.size() >= 2 && count >= 1);
    std::vector<double> along{0};
    for (std::size_t i = 1; i < profile.size(); ++i) {
        along.push_back(along.back() + distance(profile[i - 1], profile[i]));
    }
    std::vector<ProfilePoint> out{profile.front()};
    std::size_t k = 1;
    for (int i = 1; i < count; ++i) {
        const double s = along.back() * i / count;
        while (k + 1 < along.size() && along[k] < s) ++k;
        const double span = along[k] - along[k - 1];
        const double t = span > 0 ? (s - along[k - 1]) / span : 0;
        out.push_back({profile[k - 1].r + t * (profile[k].r - profile[k - 1].r),
                       profile[k - 1].y + t * (profile[k].y - profile[k - 1].y)});
    }
    out.push_back(profile.back());
    return out;
}

double enclosed_volume(const collision::Topology& topology, std::span<const Vec3f> positions) {
    // Relative to the first vertex instead of the origin: bodies far away lose no digits.
    if (positions.empty()) return 0;
    const Vec3d origin = collision::cast<double>(positions[0]);
    double six = 0;
    for (const collision::Triangle& t : topology.triangles) {
        const Vec3d a = collision::cast<double>(positions[t.vertices[0]]) - origin;
        const Vec3d b = collision::cast<double>(positions[t.vertices[1]]) - origin;
        const Vec3d c = collision::cast<double>(positions[t.vertices[2]]) - origin;
        six += dot(a, cross(b, c));
    }
    return six / 6;
}

}  // namespace claybox::app
