#include "app/potter/cut/hollow.hpp"

#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::app {

using collision::Error;
using collision::Result;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kLeastRadius = 0.004;  // of the opening, metres
constexpr double kLeastOpening = 0.45;  // of the opening, as a share of the widest inside radius

/// Radii on a grid of heights and angles.
struct RadiusGrid {
    int rows = 0, columns = 0;
    double step = 0;  ///< distance of rows, metres; row 0 is at height 0
    std::vector<double> radius;

    double& at(int row, int column) { return radius[index(row, column)]; }
    double at(int row, int column) const { return radius[index(row, column)]; }
    double height(int row) const { return step * row; }
    double angle(int column) const { return 2 * collision::kPi * column / columns; }
    Vec3d point(int row, int column) const {
        const collision::SinCos a = collision::sin_cos(angle(column));
        return {a.cos * at(row, column), height(row), a.sin * at(row, column)};
    }

  private:
    std::size_t index(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
               static_cast<std::size_t>((column % columns + columns) % columns);
    }
};

/// Adds the segment of one slice: the outermost radius in each direction that it crosses.
void add_segment(RadiusGrid& grid, int row, const Vec3d& p, const Vec3d& q) {
    const double a = collision::arc_tangent(p.z, p.x), turn = p.x * q.z - p.z * q.x;
    double way = collision::arc_tangent(q.z, q.x) - a;
    if (way > collision::kPi) way -= 2 * collision::kPi;
    if (way < -collision::kPi) way += 2 * collision::kPi;
    const double low = std::min(a, a + way), high = std::max(a, a + way);
    const double per_column = 2 * collision::kPi / grid.columns;
    for (int c = static_cast<int>(std::ceil(low / per_column)); c * per_column <= high; ++c) {
        const collision::SinCos d = collision::sin_cos(c * per_column);
        // The point of the segment on the ray: cross(ray, p + s (q - p)) = 0.
        const double cp = d.cos * p.z - d.sin * p.x, cq = d.cos * q.z - d.sin * q.x;
        const double s = cp == cq ? 0.5 : std::clamp(cp / (cp - cq), 0.0, 1.0);
        const Vec3d at = p + (q - p) * s;
        double& radius = grid.at(row, c);
        radius = std::max(radius, std::abs(turn) > 0 ? length(Vec3d{at.x, 0, at.z}) : 0.0);
    }
}

/// The outermost surface around the axis, by slices.
RadiusGrid outside_of(const ClayMesh& mesh, double high, double step, int columns) {
    RadiusGrid grid;
    grid.columns = columns;
    grid.rows = std::max(2, static_cast<int>(high / step) + 1);
    grid.step = step;
    grid.radius.assign(static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(columns), 0);
    for (const auto& t : mesh.triangles) {
        Vec3d c[3];
        for (std::size_t i = 0; i < 3; ++i) c[i] = collision::cast<double>(mesh.positions[t[i]]);
        std::sort(c, c + 3, [](const Vec3d& p, const Vec3d& q) { return p.y < q.y; });
        const int first = std::max(0, static_cast<int>(std::ceil(c[0].y / grid.step)));
        for (int row = first; row < grid.rows && grid.height(row) <= c[2].y; ++row) {
            const double y = grid.height(row);
            const auto on = [&](const Vec3d& p, const Vec3d& q) {
                return q.y > p.y ? p + (q - p) * ((y - p.y) / (q.y - p.y)) : p;
            };
            add_segment(grid, row, on(c[0], c[2]), y < c[1].y ? on(c[0], c[1]) : on(c[1], c[2]));
        }
    }
    return grid;
}

/// Erodes by a ball of radius `wall`: no point of the result is closer to the outside.
RadiusGrid eroded(const RadiusGrid& outside, double wall) {
    RadiusGrid out = outside;
    const int up = static_cast<int>(std::ceil(wall / outside.step));
    for (int row = 0; row < outside.rows; ++row) {
        for (int column = 0; column < outside.columns; ++column) {
            double least = std::numeric_limits<double>::infinity();
            for (int i = std::max(0, row - up); i <= std::min(outside.rows - 1, row + up); ++i) {
                const double dy = (i - row) * outside.step;
                if (std::abs(dy) >= wall) continue;
                const double arc =
                    2 * collision::kPi * std::max(outside.at(i, column), 1e-6) / outside.columns;
                const int side = std::min(static_cast<int>(std::ceil(wall / arc)), outside.columns / 4);
                for (int k = -side; k <= side; ++k) {
                    const double square = wall * wall - dy * dy - arc * arc * k * k;
                    if (square > 0) least = std::min(least, outside.at(i, column + k) - std::sqrt(square));
                }
            }
            out.at(row, column) = least;
        }
    }
    return out;
}

double least_in_row(const RadiusGrid& grid, int row) {
    double least = std::numeric_limits<double>::infinity();
    for (int c = 0; c < grid.columns; ++c) least = std::min(least, grid.at(row, c));
    return least;
}

/// The highest row at which the inside is wide enough for an opening; -1 if there is none.
int opening_row(const RadiusGrid& inside, int floor) {
    double widest = 0;
    for (int row = floor; row < inside.rows; ++row) widest = std::max(widest, least_in_row(inside, row));
    for (int row = inside.rows - 1; row > floor; --row)
        if (least_in_row(inside, row) > std::max(kLeastRadius, kLeastOpening * widest)) return row;
    return -1;
}

/// Opens the two uppermost rows wider: a lip instead of a sharp edge, which would look torn.
void add_lip(RadiusGrid& inside, const RadiusGrid& outside, int floor, int top) {
    constexpr double kShares[] = {0.4, 0.1};  // of the width of the rim, from row `top` down
    for (int c = 0; c < inside.columns; ++c) {
        const double rim = outside.at(top, c) - inside.at(top, c);
        for (int i = 0; i < 2 && top - i > floor; ++i)
            inside.at(top - i, c) =
                std::min(inside.at(top - i, c) + kShares[i] * rim,
                         std::max(inside.at(top - i, c), outside.at(top - i, c) - 0.4 * rim));
    }
}

/// Adds the inside from row `floor` to row `top`; returns its upper ring, clockwise around +Y as a hole must
/// be.
VertexLoop add_inside(ClayMesh& mesh, const RadiusGrid& inside, int floor, int top) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto columns = static_cast<std::uint32_t>(inside.columns);
    const auto id = [&](int row, std::uint32_t c) {
        return first + static_cast<std::uint32_t>(row - floor) * columns + c % columns;
    };
    for (int row = floor; row <= top; ++row)
        for (int c = 0; c < inside.columns; ++c)
            mesh.positions.push_back(collision::cast<float>(inside.point(row, c)));
    const auto centre = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back({0, static_cast<float>(inside.height(floor)), 0});
    mesh.mask.resize(mesh.positions.size());
    for (std::uint32_t c = 0; c < columns; ++c) {
        // Angles grow from +X to +Z, clockwise seen from above.
        mesh.triangles.push_back({centre, id(floor, c + 1), id(floor, c)});
        for (int row = floor; row < top; ++row) {
            mesh.triangles.push_back({id(row, c), id(row, c + 1), id(row + 1, c + 1)});
            mesh.triangles.push_back({id(row, c), id(row + 1, c + 1), id(row + 1, c)});
        }
    }
    VertexLoop ring;
    for (std::uint32_t c = 0; c < columns; ++c) ring.push_back(id(top, c));
    return ring;
}

}  // namespace

Result<ClayMesh> hollow(const ClayMesh& mesh, const HollowSize& size, std::vector<std::uint32_t>& rim) {
    double high = 0, widest = 0;
    for (const Vec3f& p : mesh.positions) {
        high = std::max(high, static_cast<double>(p.y));
        widest = std::max(widest, length(Vec3d{static_cast<double>(p.x), 0, static_cast<double>(p.z)}));
    }
    const Error too_small{"The clay is too small for a wall of " +
                              std::to_string(std::lround(size.wall * 1e3)) + " mm and a floor of " +
                              std::to_string(std::lround(size.floor * 1e3)) + " mm",
                          {},
                          0};
    if (high < size.floor + size.wall + size.spacing) return too_small;
    const int columns = std::clamp(static_cast<int>(2 * collision::kPi * widest / size.spacing), 16, 512);
    // The floor is a row.
    const int floor = std::max(1, static_cast<int>(std::lround(size.floor / size.spacing)));
    const RadiusGrid outside = outside_of(mesh, high, size.floor / floor, columns);
    RadiusGrid inside = eroded(outside, size.wall);
    const int top = opening_row(inside, floor);
    if (top < 1) return too_small;
    for (int row = floor; row <= top; ++row)
        if (!(least_in_row(inside, row) > kLeastRadius)) return too_small;
    add_lip(inside, outside, floor, top);
    CutPart part = cut_part(mesh, {{0, 1, 0}, inside.height(top)}, false);
    if (part.loops.size() != 1) return Error{"The clay is hollow already, or has several tops", {}, 0};
    rim.clear();
    for (const std::uint32_t v : part.loops[0]) rim.push_back(v);
    const auto first = static_cast<std::uint32_t>(part.mesh.positions.size());
    part.loops.push_back(add_inside(part.mesh, inside, floor, top));
    for (std::uint32_t v = first; v < part.mesh.positions.size(); ++v) rim.push_back(v);
    add_cap(part.mesh, std::move(part.loops), {0, 1, 0});
    return std::move(part.mesh);
}

}  // namespace claybox::app
