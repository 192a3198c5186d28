#include "collision/exact/contained.hpp"

#include "collision/exact/edge_triangle.hpp"
#include "collision/exact/number.hpp"

#include <limits>

namespace claybox::collision {

namespace {

using Vec3i = Vec3<Integer>;

/// A ray along d[0] + e d[1] + e^2 d[2] for an infinitesimal e. The three must be a basis.
using Directions = std::array<Vec3i, 3>;

/// The exponent of a grid that holds the place.
int grid_of(const ExactPlace& place) {
    int out = kNoExponent;
    for (std::size_t k = 0; k < 3; ++k) out = std::min(out, grid_exponent(place.point[k]));
    if (place.world_from_local == nullptr) return out;
    const MatrixGrid m = grid_of(*place.world_from_local);
    return std::min(m.translation, m.linear + out);
}

int grid_of(const Matrix34f& matrix, const Vec3f (&points)[3]) {
    int out = kNoExponent;
    for (const Vec3f& p : points)
        for (std::size_t k = 0; k < 3; ++k) out = std::min(out, grid_exponent(p[k]));
    const MatrixGrid m = grid_of(matrix);
    return std::min(m.translation, m.linear + out);
}

Vec3i exact_place(const ExactPlace& place, int grid) {
    if (place.world_from_local != nullptr)
        return exact_point(*place.world_from_local, cast<float>(place.point), grid);
    return {exact_number(place.point.x, grid), exact_number(place.point.y, grid),
            exact_number(place.point.z, grid)};
}

bool is_zero(const Vec3i& v) {
    return v.x.is_zero() && v.y.is_zero() && v.z.is_zero();
}

bool between(const Vec3i& a, const Vec3i& b) {
    return is_zero(cross(a, b)) && dot(a, b).sign() <= 0;
}

/// Whether the origin, in one plane with a closed triangle, lies in it.
bool holds_origin(const Vec3i& a, const Vec3i& b, const Vec3i& c) {
    const Vec3i n = cross(b - a, c - a);
    if (is_zero(n)) return between(a, b) || between(b, c) || between(c, a);
    return dot(n, cross(a, b)).sign() >= 0 && dot(n, cross(b, c)).sign() >= 0 &&
           dot(n, cross(c, a)).sign() >= 0;
}

int side_of(const Directions& d, const Vec3i& a, const Vec3i& b) {
    const Vec3i normal = cross(a, b);
    int sign = 0;
    for (std::size_t i = 0; i < 3 && sign == 0; ++i) sign = dot(d[i], normal).sign();
    return sign;
}

/// The ray from the origin against a triangle. A triangle whose plane holds the origin is not crossed by the
/// moved ray; of any other no side's line runs through the origin, so that every side_of is certain. The
/// sides' sum is dot(normal, direction).
Crossing cross_ray(const Directions& d, const Vec3i& a, const Vec3i& b, const Vec3i& c) {
    const int height = dot(cross(b - a, c - a), a).sign();
    if (height == 0) return holds_origin(a, b, c) ? Crossing::on_surface : Crossing::none;
    const int ab = side_of(d, a, b);
    if (ab != side_of(d, b, c) || ab != side_of(d, c, a)) return Crossing::none;
    return height == ab ? Crossing::one : Crossing::none;
}

/// A basis that begins with `first`.
Directions directions_from(const Vec3i& first) {
    Directions out;
    out[0] = first;
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (abs(first[k]) > abs(first[longest])) longest = k;
    for (std::size_t i = 1; i < 3; ++i) out[i][(longest + i) % 3] = 1;
    return out;
}

Crossing cross_exactly(const Geometry& g, const Matrix34f& world_from_local, const ExactPlace& place,
                       const Directions& d, const Triangle& t) {
    const Vec3f corners[3] = {g.positions[t.vertices[0]], g.positions[t.vertices[1]],
                              g.positions[t.vertices[2]]};
    int grid = std::min(grid_of(place), grid_of(world_from_local, corners));
    if (grid > 1000) grid = 0;  // all zero
    const Vec3i from = exact_place(place, grid);
    const auto at = [&](int i) { return exact_point(world_from_local, corners[i], grid) - from; };
    return cross_ray(d, at(0), at(1), at(2));
}

float below(double x) {
    constexpr double kMax = std::numeric_limits<float>::max();
    if (!(x >= -kMax)) return -HUGE_VALF;
    const auto f = static_cast<float>(std::min(x, kMax));
    return static_cast<double>(f) > x ? std::nextafter(f, -HUGE_VALF) : f;
}

}  // namespace

// With the corners relative to q: the sides' turns in the plane across the ray tell whether its line passes
// through the triangle, the determinant of the corners on which side of the plane q is. Let m be the largest
// component. Each is off by d = error + u m, a turn (two products, their difference) by 4 m d + 2 d^2 + 4 u
// m^2 (u = 2^-53); the determinant's bound is that of edge_triangle_bounds, which adds to twice its `error`
// what one subtraction rounds.
Crossing cross_near(const AxisRay& ray, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    const Vec3d corner[3] = {cast<double>(a) - ray.q, cast<double>(b) - ray.q, cast<double>(c) - ray.q};
    const std::size_t x = (ray.axis + 1) % 3, y = (ray.axis + 2) % 3;
    double m = 0;
    for (const Vec3d& p : corner) m = std::max({m, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    const double d = ray.error + kRound * m;
    const double bound = (4 * m * d + 2 * d * d + 4 * kRound * m * m) * (1 + 0x1p-40) + kUnderflow;
    int plus = 0, minus = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d &u = corner[i], &v = corner[(i + 1) % 3];
        const double turn = u[x] * v[y] - u[y] * v[x];
        plus += turn > bound ? 1 : 0;
        minus += turn < -bound ? 1 : 0;
    }
    if (plus > 0 && minus > 0) return Crossing::none;
    if (plus < 3 && minus < 3) return Crossing::unknown;
    const double height = dot(cross(corner[0], corner[1]), corner[2]);
    if (!(std::abs(height) > edge_triangle_bounds(m, ray.error).volume)) return Crossing::unknown;
    return (height > 0) == ((plus == 3) != ray.backward) ? Crossing::one : Crossing::none;
}

namespace {

/// What polygons must meet for the ray to cross them: all that lies ahead of the point, which is off by
/// `error`.
Aabb box_ahead(const AxisRay& ray, const Vec3d& error) {
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        out.min[k] = k == ray.axis && ray.backward ? -HUGE_VALF : below(ray.q[k] - error[k]);
        out.max[k] = k == ray.axis && !ray.backward ? HUGE_VALF : -below(-ray.q[k] - error[k]);
    }
    return out;
}

/// Along the axis and sense with the shortest way out of the box.
void choose_way(AxisRay& ray, const Aabb& box) {
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < 3; ++k)
        for (const bool backward : {false, true}) {
            const double way = backward ? ray.q[k] - static_cast<double>(box.min[k])
                                        : static_cast<double>(box.max[k]) - ray.q[k];
            if (!(way < least)) continue;
            least = way;
            ray.axis = k;
            ray.backward = backward;
        }
}

/// Sums up crossings.
struct Parity {
    const Geometry* geometry;
    const Matrix34f* world_from_local;
    const ExactPlace* place;
    Directions directions;
    const AxisRay* ray = nullptr;  ///< null: exact arithmetic only
    Located out;

    /// False when the point is on the surface, which ends it.
    bool add(const Triangle& t) {
        const auto& p = geometry->positions;
        Crossing c = Crossing::unknown;
        if (ray != nullptr) c = cross_near(*ray, p[t.vertices[0]], p[t.vertices[1]], p[t.vertices[2]]);
        if (c == Crossing::unknown) {
            ++out.exact;
            c = cross_exactly(*geometry, *world_from_local, *place, directions, t);
        }
        if (c == Crossing::on_surface) out.inside = true;
        if (c == Crossing::one) out.inside = !out.inside;
        return c != Crossing::on_surface;
    }
    void add_all() {
        for (const Triangle& t : geometry->topology->triangles)
            if (!add(t)) return;
    }
    void add_in(const Aabb& ahead) {
        const Geometry& g = *geometry;
        const std::uint32_t count = g.topology->polygon_count();
        for (std::uint32_t run = 0; run < g.run_boxes.size(); ++run) {
            if (!overlap(g.run_boxes[run], ahead)) continue;
            const std::uint32_t end = std::min((run + 1) * kBoxRun, count);
            for (std::uint32_t p = run * kBoxRun; p < end; ++p) {
                if (!overlap(g.polygon_boxes[p], ahead)) continue;
                for (const Triangle& t : g.topology->triangles_of(p))
                    if (!add(t)) return;
            }
        }
    }
};

Vec3f reach_of(const Vec3d& p) {
    return cast<float>(Vec3d{std::abs(p.x), std::abs(p.y), std::abs(p.z)});
}

}  // namespace

// The residual R = N L - 1 of the inexact inverse N, with what its own computation rounds.
SolidLocator::SolidLocator(const Geometry& geometry, const Matrix34f& world_from_local)
    : geometry_(&geometry), world_from_local_(&world_from_local) {
    const Matrix34d m = to_double(world_from_local);
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    const Vec3d columns[3] = {x, y, z}, yz = cross(y, z);
    const double s = 1 / dot(x, yz);
    inverse_[0] = yz * s;
    inverse_[1] = cross(z, x) * s;
    inverse_[2] = cross(x, y) * s;
    tame_ = true;
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 3; ++j) {
            double product = j == k ? -1 : 0, size = 1;
            for (std::size_t r = 0; r < 3; ++r) {
                product += inverse_[k][r] * columns[j][r];
                size += std::abs(inverse_[k][r] * columns[j][r]);
            }
            residual_[k][j] = std::abs(product) + size * 0x1p-50;
        }
        tame_ = tame_ && is_finite(inverse_[k]) && residual_[k].x + residual_[k].y + residual_[k].z <= 0.5;
    }
}

// With y the place relative to the mesh's origin, known as y' up to e, and L x = y: x = N y - R x. So |x| is
// at most twice the largest component of N y, and N y' is off by |N| e, its own roundings and |R| |x|.
SolidLocator::Near SolidLocator::in_local(const ExactPlace& place) const {
    const Vec3f origin = world_from_local_->translation();
    Vec3d y = place.point - cast<double>(origin);
    double error = kRound * std::max({std::abs(y.x), std::abs(y.y), std::abs(y.z)});
    if (place.world_from_local != nullptr) {
        const WorkFrame frame(*place.world_from_local, origin, reach_of(place.point));
        y = transform_point(frame.work_from_local, cast<float>(place.point));
        error = frame.error;
    }
    return undone(y, error);
}

SolidLocator::Near SolidLocator::direction_in_local(const Vec3d& direction_w) const {
    return undone(direction_w, 0);
}

SolidLocator::Near SolidLocator::undone(const Vec3d& y, double error) const {
    Near out;
    double largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        double size = 0, weight = 0;
        for (std::size_t r = 0; r < 3; ++r) {
            size += std::abs(inverse_[k][r] * y[r]);
            weight += std::abs(inverse_[k][r]);
        }
        out.q[k] = dot(inverse_[k], y);
        out.error[k] = (weight * error + size * 0x1p-50) * (1 + 0x1p-40) + kUnderflow;
        largest = std::max(largest, std::abs(out.q[k]) + out.error[k]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d& r = residual_[k];
        out.error[k] = (out.error[k] + (r.x + r.y + r.z) * 2 * largest) * (1 + 0x1p-40);
    }
    return out;
}

// For a linear part without a good inverse: whether the box of the transformed box holds the place, where
// double can tell. The bounds are those of WorkFrame: its sums are the same.
bool SolidLocator::may_hold(const ExactPlace& place) const {
    const Vec3f origin = world_from_local_->translation();
    const Aabb& box = geometry_->box;
    Vec3f reach;
    for (std::size_t k = 0; k < 3; ++k) reach[k] = std::max(std::abs(box.min[k]), std::abs(box.max[k]));
    const WorkFrame mesh(*world_from_local_, origin, reach);
    Vec3d y = place.point - cast<double>(origin);
    double error = kRound * std::max({std::abs(y.x), std::abs(y.y), std::abs(y.z)});
    if (place.world_from_local != nullptr) {
        const WorkFrame frame(*place.world_from_local, origin, reach_of(place.point));
        y = transform_point(frame.work_from_local, cast<float>(place.point));
        error = frame.error;
    }
    const double slack = (error + mesh.error) * (1 + 0x1p-40);
    for (std::size_t r = 0; r < 3; ++r) {
        double low = 0, high = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double entry = mesh.work_from_local.m[4 * r + k];
            low += std::min(entry * static_cast<double>(box.min[k]), entry * static_cast<double>(box.max[k]));
            high +=
                std::max(entry * static_cast<double>(box.min[k]), entry * static_cast<double>(box.max[k]));
        }
        if (y[r] + slack < low || y[r] - slack > high) return false;
    }
    return true;
}

Located SolidLocator::locate(const ExactPlace& place) const {
    Parity parity{geometry_, world_from_local_, &place, {}, nullptr, {}};
    if (!tame_) {
        parity.out.direction_w = {1, 0, 0};
        if (!may_hold(place)) return parity.out;
        parity.directions = directions_from(exact_direction(parity.out.direction_w));
        parity.add_all();
        return parity.out;
    }
    const Near near = in_local(place);
    AxisRay ray{near.q, std::max({near.error.x, near.error.y, near.error.z})};
    choose_way(ray, geometry_->box);
    const Matrix34f& m = *world_from_local_;
    const auto axis = static_cast<int>(ray.axis);
    parity.out.direction_w =
        cast<double>(Vec3f{m(0, axis), m(1, axis), m(2, axis)}) * (ray.backward ? -1.0 : 1.0);
    Aabb at = box_ahead(ray, near.error);
    at.min[ray.axis] = below(near.q[ray.axis] - near.error[ray.axis]);
    at.max[ray.axis] = -below(-near.q[ray.axis] - near.error[ray.axis]);
    if (!overlap(at, geometry_->box)) return parity.out;
    parity.directions = directions_from(exact_direction(parity.out.direction_w));
    parity.ray = &ray;
    parity.add_in(box_ahead(ray, near.error));
    return parity.out;
}

bool contains(const Geometry& container, const Matrix34f& world_from_container, const ExactPlace& place,
              const Vec3d& direction_w) {
    Parity parity{&container, &world_from_container,
                  &place,     directions_from(exact_direction(direction_w)),
                  nullptr,    {}};
    parity.add_all();
    return parity.out.inside;
}

}  // namespace claybox::collision
