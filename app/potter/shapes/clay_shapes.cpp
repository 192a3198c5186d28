#include "app/potter/shapes/clay_shapes.hpp"

#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace claybox::app {

namespace {

using collision::kPi;

/// Bit-identical on every machine, unlike the C library.
double sine(double a) {
    return collision::sin_cos(a).sin;
}
double cosine(double a) {
    return collision::sin_cos(a).cos;
}

/// A thrown piece, in millimetres. The walls get thinner towards the rim.
struct Thrown {
    double height, foot_wall, rim_wall, floor;
    std::span<const ProfilePoint> outer;  ///< r in mm, y as a share of the height
};

constexpr ProfilePoint kPotOuter[] = {{61, 0}, {74, 0.14}, {88, 0.44}, {80, 0.74}, {70.5, 0.93}, {70, 1}};
constexpr ProfilePoint kBowlOuter[] = {{42, 0}, {66, 0.25}, {88, 0.60}, {98, 0.88}, {101, 1}};
constexpr ProfilePoint kVaseOuter[] = {{48, 0}, {70, 0.20}, {78, 0.42}, {48, 0.72}, {34, 0.88}, {42, 1}};
constexpr Thrown kPot{162, 11.5, 7, 12, kPotOuter};
constexpr Thrown kBowl{92, 11, 6.5, 11, kBowlOuter};
constexpr Thrown kVase{210, 11, 6.5, 13, kVaseOuter};

/// Radius of the smooth curve through the points, at share `t` of the height (non-uniform Catmull-Rom,
/// Hermite form).
double radius_at(std::span<const ProfilePoint> points, double t) {
    std::size_t k = 1;
    while (k + 1 < points.size() && points[k].y < t) ++k;
    const auto slope = [&](std::size_t i) {
        const std::size_t a = i == 0 ? 0 : i - 1, b = std::min(i + 1, points.size() - 1);
        return (points[b].r - points[a].r) / (points[b].y - points[a].y);
    };
    const ProfilePoint &p = points[k - 1], &q = points[k];
    const double h = q.y - p.y, u = std::clamp((t - p.y) / h, 0.0, 1.0), v = 1 - u;
    return p.r * (1 + 2 * u) * v * v + q.r * (1 + 2 * v) * u * u +
           h * u * v * (slope(k - 1) * v - slope(k) * u);
}

std::vector<ProfilePoint> thrown_profile(const Thrown& piece) {
    constexpr int kRows = 96;
    constexpr double kFootRound = 3;  // millimetres of bevel where the foot meets the bat
    std::vector<ProfilePoint> out{{0, 0}};
    const double lip = piece.rim_wall / 2, top = piece.height - lip;
    for (int i = 0; i <= 6; ++i) {
        const double a = kPi / 2 * i / 6;
        out.push_back({piece.outer[0].r - kFootRound * (1 - sine(a)), kFootRound * (1 - cosine(a))});
    }
    for (int i = 1; i <= kRows; ++i) {
        const double y = kFootRound + (top - kFootRound) * i / kRows;
        out.push_back({radius_at(piece.outer, y / piece.height), y});
    }
    const double rim = out.back().r - lip;
    for (int i = 1; i <= 10; ++i) {
        const double a = kPi * i / 11;
        out.push_back({rim + lip * cosine(a), top + lip * sine(a)});
    }
    constexpr double kFillet = 10;
    for (int i = 0; i <= kRows; ++i) {
        const double y = top - (top - piece.floor - kFillet) * i / kRows;
        const double share = y / piece.height;
        const double wall = piece.foot_wall + (piece.rim_wall - piece.foot_wall) * share;
        out.push_back({radius_at(piece.outer, share) - wall, y});
    }
    const double corner = out.back().r - kFillet;
    for (int i = 1; i <= 8; ++i) {
        const double a = kPi / 2 * i / 8;
        out.push_back({corner + kFillet * cosine(a), piece.floor + kFillet * (1 - sine(a))});
    }
    out.push_back({0, piece.floor});
    for (ProfilePoint& p : out) p = {p.r * 1e-3, p.y * 1e-3};
    return out;
}

std::vector<ProfilePoint> sphere_profile(double radius) {
    std::vector<ProfilePoint> out;
    for (int i = 0; i <= 64; ++i) {
        const double a = kPi * i / 64;
        out.push_back({i == 0 || i == 64 ? 0 : radius * sine(a), radius * (1 - cosine(a))});
    }
    return out;
}

/// One sheet, r^2 = waist^2 + (end^2 - waist^2) t^2 with t from -1 at the bottom to 1 at the top.
std::vector<ProfilePoint> hyperboloid_profile(double waist, double end, double height) {
    constexpr int kRows = 64;
    std::vector<ProfilePoint> out{{0, 0}};
    for (int i = 0; i <= kRows; ++i) {
        const double t = 2.0 * i / kRows - 1;
        out.push_back({std::sqrt(waist * waist + (end * end - waist * waist) * t * t), height * i / kRows});
    }
    out.push_back({0, height});
    return out;
}

/// Radial offset of the throwing marks at an angle and height, metres. Two helical grooves of 10.5 turns
/// each, with slightly varying pitch and depth, finer lines between them, and a slightly oval body. The
/// grooves fade at foot and lip.
double thrown_offset(double angle, double y, double height) {
    constexpr double kTurns = 10.5, kStarts = 2, kGroove = 0.82e-3, kOval = 0.9e-3;
    const double t = y / height;
    const auto ramp = [](double x) { return x <= 0 ? 0.0 : x >= 1 ? 1.0 : x * x * (3 - 2 * x); };
    const double fade = ramp((t - 0.03) / 0.10) * ramp((0.97 - t) / 0.07);
    const double wander =
        0.016 * sine(7.3 * t + 0.9) + 0.0075 * sine(19 * t + 0.4 * sine(angle)) + 0.0035 * sine(43 * t + 2);
    const double phase = kStarts * 2 * kPi * kTurns * (t + wander) + angle;
    const double depth = kGroove * (0.62 + 0.26 * sine(11 * t + angle) + 0.12 * sine(31 * t + 2 * angle + 1));
    // Rounded valleys with narrower ridges between them.
    const double groove = sine(phase) - 0.22 * cosine(2 * phase);
    return fade * (depth * groove + 0.05e-3 * sine(3.1 * phase + 4 * sine(13 * t))) +
           kOval * ramp(t) * cosine(2 * angle);
}

void throw_marks(collision::PolygonList& mesh, double height) {
    constexpr double kRimWave = 1.2e-3;
    for (collision::Vec3f& p : mesh.positions) {
        const auto x = static_cast<double>(p.x), y = static_cast<double>(p.y), z = static_cast<double>(p.z);
        const double r = std::sqrt(x * x + z * z);
        if (r < 1e-9) continue;
        const double angle = collision::arc_tangent(-z, x), scale = 1 + thrown_offset(angle, y, height) / r;
        const double near_rim = std::clamp((y / height - 0.8) / 0.2, 0.0, 1.0);
        const double wave = kRimWave * near_rim * near_rim * sine(3 * angle + 0.7);
        p = collision::cast<float>(collision::Vec3d{x * scale, y + wave, z * scale});
    }
}

/// `rows` + 1 points along the profile: dense on the outside and the lip, sparser inside, sparsest on the
/// floor and the underside.
std::vector<ProfilePoint> fine_outside(std::span<const ProfilePoint> profile, int rows) {
    const auto lip = std::max_element(profile.begin(), profile.end(),
                                      [](const ProfilePoint& a, const ProfilePoint& b) { return a.y < b.y; });
    std::vector<double> wanted{0};
    for (std::size_t i = 1; i < profile.size(); ++i) {
        const ProfilePoint &p = profile[i - 1], &q = profile[i];
        const bool flat = std::abs(q.y - p.y) < 0.2 * std::abs(q.r - p.r);
        const bool outside = profile.begin() + static_cast<std::ptrdiff_t>(i) <= lip + 6;
        const double density = flat && p.y < 0.2 * lip->y ? 0.3 : outside ? 1.0 : 0.6;
        wanted.push_back(wanted.back() + density * distance(p, q));
    }
    std::vector<ProfilePoint> out{profile.front()};
    std::size_t k = 1;
    for (int i = 1; i < rows; ++i) {
        const double s = wanted.back() * i / rows;
        while (k + 1 < wanted.size() && wanted[k] < s) ++k;
        const double t = (s - wanted[k - 1]) / (wanted[k] - wanted[k - 1]);
        const ProfilePoint &p = profile[k - 1], &q = profile[k];
        out.push_back({p.r + t * (q.r - p.r), p.y + t * (q.y - p.y)});
    }
    out.push_back(profile.back());
    return out;
}

bool is_thrown(ClayShape shape) {
    return shape == ClayShape::pot || shape == ClayShape::bowl || shape == ClayShape::vase;
}

collision::PolygonList body_of_revolution(ClayShape shape, std::uint32_t polygons) {
    const std::vector<ProfilePoint> profile = clay_profile(shape);
    const bool thrown = is_thrown(shape);
    double along = 0, widest = 0, height = 0;
    for (std::size_t i = 1; i < profile.size(); ++i) {
        along += distance(profile[i - 1], profile[i]);
        widest = std::max(widest, profile[i].r);
        height = std::max(height, profile[i].y);
    }
    // Polygons are square at 0.8 of the widest radius. Grooves run around the axis, so thrown pieces have
    // twice the resolution along the profile.
    const double around = 2 * kPi * widest * 0.8 * (thrown ? 0.5 : 1);
    const int sides =
        std::max(thrown ? 8 : 3, static_cast<int>(std::lround(std::sqrt(polygons * around / along))));
    const int rows =
        std::max(thrown ? 6 : 3, static_cast<int>(std::lround(static_cast<double>(polygons) / sides)));
    collision::PolygonList mesh =
        lathe(thrown ? fine_outside(profile, rows) : resample(profile, rows), sides);
    if (thrown) throw_marks(mesh, height);
    return mesh;
}

/// A generated shape that lies on the bat. `radius` of the ball around it, metres.
collision::PolygonList generated_body(collision::Primitive primitive, std::uint32_t polygons, float radius) {
    collision::PolygonList mesh = collision::make_primitive(primitive, polygons, 1);
    float low = 0;
    for (collision::Vec3f& p : mesh.positions) {
        p = p * radius;
        low = std::min(low, p.y);
    }
    for (collision::Vec3f& p : mesh.positions) p.y -= low;
    return mesh;
}

/// Place of a point of the unit sphere on the lump, metres: a ball that its weight has flattened.
collision::Vec3f on_lump(const collision::Vec3d& s) {
    constexpr double kWide = 0.062, kMiddle = 0.040, kHigh = 0.050;
    const double bulge = 1 + 0.10 * (1 - s.y * s.y) - 0.06 * s.y;
    return collision::cast<float>(
        collision::Vec3d{kWide * bulge * s.x, std::max(0.0, kMiddle + kHigh * s.y), kWide * bulge * s.z});
}

/// A cube of `n` x `n` quadrangles a side, blown up: its polygons are nearly square everywhere.
collision::PolygonList lump_body(std::uint32_t polygons) {
    const int n = std::max(2, static_cast<int>(std::lround(std::sqrt(polygons / 6.0))));
    collision::PolygonList out;
    std::map<std::array<int, 3>, std::uint32_t> known;
    const auto vertex = [&](const std::array<int, 3>& at) {
        const auto [it, is_new] = known.try_emplace(at, static_cast<std::uint32_t>(out.positions.size()));
        if (is_new) {
            collision::Vec3d p;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const collision::SinCos turn = collision::sin_cos(kPi / 4 * (2.0 * at[axis] / n - 1));
                p[axis] = turn.sin / turn.cos;  // equal angles instead of equal lengths
            }
            out.positions.push_back(on_lump(normalized(p)));
        }
        return it->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const int side : {0, n}) {
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) {
                    const auto at = [&](int u, int v) {
                        std::array<int, 3> place{};
                        place[axis] = side;
                        place[(axis + 1) % 3] = u;
                        place[(axis + 2) % 3] = v;
                        return vertex(place);
                    };
                    std::array<std::uint32_t, 4> loop{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)};
                    if (side == 0) std::swap(loop[1], loop[3]);
                    out.add_polygon(loop);
                }
            }
        }
    }
    return out;
}

/// Splits each quadrangle along its shorter diagonal, and larger polygons into fans.
collision::PolygonList triangulated(const collision::PolygonList& mesh) {
    collision::PolygonList out;
    out.positions = mesh.positions;
    for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
        const auto loop = mesh.polygon(p);
        const auto corner = [&](std::size_t i) { return mesh.positions[loop[i % loop.size()]]; };
        const bool turn = loop.size() == 4 && length(corner(1) - corner(3)) < length(corner(0) - corner(2));
        const std::size_t first = turn ? 1 : 0;
        for (std::size_t i = 1; i + 1 < loop.size(); ++i)
            out.add_polygon(std::array{loop[first], loop[(first + i) % loop.size()],
                                       loop[(first + i + 1) % loop.size()]});
    }
    return out;
}

collision::PolygonList body(ClayShape shape, std::uint32_t polygons) {
    switch (shape) {
        case ClayShape::torus:
            return generated_body(collision::Primitive::torus, polygons, 0.09f);
        case ClayShape::tetra_flake:
            return generated_body(collision::Primitive::tetra_flake, polygons, 0.11f);
        case ClayShape::lump:
            return lump_body(polygons);
        default:
            return body_of_revolution(shape, is_thrown(shape) ? std::max(polygons, 500u) : polygons);
    }
}

}  // namespace

std::vector<ProfilePoint> clay_profile(ClayShape shape) {
    switch (shape) {
        case ClayShape::pot:
            return thrown_profile(kPot);
        case ClayShape::bowl:
            return thrown_profile(kBowl);
        case ClayShape::vase:
            return thrown_profile(kVase);
        case ClayShape::cylinder:
            return {{0, 0}, {0.06, 0}, {0.06, 0.15}, {0, 0.15}};
        case ClayShape::hyperboloid:
            return hyperboloid_profile(0.030, 0.065, 0.16);
        default:
            return sphere_profile(0.075);
    }
}

collision::PolygonList make_clay(ClayShape shape, std::uint32_t polygons, ClayFaces faces) {
    if (faces == ClayFaces::quadrangles || shape == ClayShape::tetra_flake) return body(shape, polygons);
    return triangulated(body(shape, std::max(10u, polygons / 2)));
}

}  // namespace claybox::app
