#include "collision/exact/contained.hpp"

#include "collision/exact/edge_triangle.hpp"
#include "collision/exact/number.hpp"

#include <limits>

namespace claybox::collision {

namespace {

using Vec3i = Vec3<Integer>;

/// The ray direction d[0] + e d[1] + e^2 d[2] for an infinitesimal e. The three vectors must be a basis.
using Directions = std::array<Vec3i, 3>;

/// The largest exponent e for which the point's coordinates are multiples of 2^e.
int grid_of(const ExactPoint& point) {
    int out = kNoExponent;
    for (std::size_t k = 0; k < 3; ++k) out = std::min(out, grid_exponent(point.coordinates[k]));
    if (point.world_from_local == nullptr) return out;
    const MatrixGrid m = grid_of(*point.world_from_local);
    return std::min(m.translation, m.linear + out);
}

int grid_of(const Matrix34f& matrix, const Vec3f (&points)[3]) {
    int out = kNoExponent;
    for (const Vec3f& p : points)
        for (std::size_t k = 0; k < 3; ++k) out = std::min(out, grid_exponent(p[k]));
    const MatrixGrid m = grid_of(matrix);
    return std::min(m.translation, m.linear + out);
}

Vec3i exact_coordinates(const ExactPoint& point, int grid) {
    if (point.world_from_local != nullptr)
        return exact_point(*point.world_from_local, cast<float>(point.coordinates), grid);
    return {exact_number(point.coordinates.x, grid), exact_number(point.coordinates.y, grid),
            exact_number(point.coordinates.z, grid)};
}

bool is_zero(const Vec3i& v) {
    return v.x.is_zero() && v.y.is_zero() && v.z.is_zero();
}

bool between(const Vec3i& a, const Vec3i& b) {
    return is_zero(cross(a, b)) && dot(a, b).sign() <= 0;
}

/// Whether a closed triangle contains the origin, which lies in its plane.
bool contains_origin(const Vec3i& a, const Vec3i& b, const Vec3i& c) {
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

/// The ray from the origin against a triangle. If the triangle's plane contains the origin, the moved ray
/// does not cross the triangle. Otherwise no side's line passes through the origin, so no side_of is zero.
/// The sides sum to dot(normal, direction).
Crossing crossing_of(const Directions& d, const Vec3i& a, const Vec3i& b, const Vec3i& c) {
    const int height = dot(cross(b - a, c - a), a).sign();
    if (height == 0) return contains_origin(a, b, c) ? Crossing::on_surface : Crossing::none;
    const int ab = side_of(d, a, b);
    if (ab != side_of(d, b, c) || ab != side_of(d, c, a)) return Crossing::none;
    return height == ab ? Crossing::one : Crossing::none;
}

/// A basis whose first vector is `first`.
Directions directions_from(const Vec3i& first) {
    Directions out;
    out[0] = first;
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (abs(first[k]) > abs(first[longest])) longest = k;
    for (std::size_t i = 1; i < 3; ++i) out[i][(longest + i) % 3] = 1;
    return out;
}

Crossing exact_crossing(const Geometry& g, const Matrix34f& world_from_local, const ExactPoint& point,
                        const Directions& d, const Triangle& t) {
    const Vec3f corners[3] = {g.positions[t.vertices[0]], g.positions[t.vertices[1]],
                              g.positions[t.vertices[2]]};
    int grid = std::min(grid_of(point), grid_of(world_from_local, corners));
    if (grid > 1000) grid = 0;  // all zero
    const Vec3i from = exact_coordinates(point, grid);
    const auto at = [&](int i) { return exact_point(world_from_local, corners[i], grid) - from; };
    return crossing_of(d, at(0), at(1), at(2));
}

float round_down(double x) {
    constexpr double kMax = std::numeric_limits<float>::max();
    if (!(x >= -kMax)) return -HUGE_VALF;
    const auto f = static_cast<float>(std::min(x, kMax));
    return static_cast<double>(f) > x ? std::nextafter(f, -HUGE_VALF) : f;
}

}  // namespace

// The corners are taken relative to q. Projected along the ray, the orientations (turns) of the three sides
// show whether the ray's line passes through the triangle. The determinant of the corners shows the side of
// the plane that contains q.
//
// Bound. Let m be the largest component and u = 2^-53. Each component has an error of at most d = error + u
// m. A turn, the difference of two products, has an error of at most 4 m d + 2 d^2 + 4 u m^2. The bound of
// the determinant is edge_triangle_bounds: its d is 2 error + u L, the error of one subtraction of two
// points.
Crossing filter_crossing(const AxisRay& ray, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
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

/// A box that contains the ray from every possible position of its start, which is uncertain by `error`. The
/// ray can cross only polygons whose boxes overlap it.
Aabb box_ahead(const AxisRay& ray, const Vec3d& error) {
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        out.min[k] = k == ray.axis && ray.backward ? -HUGE_VALF : round_down(ray.q[k] - error[k]);
        out.max[k] = k == ray.axis && !ray.backward ? HUGE_VALF : -round_down(-ray.q[k] - error[k]);
    }
    return out;
}

/// Chooses the axis and direction with the shortest distance out of the box.
void choose_ray(AxisRay& ray, const Aabb& box) {
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < 3; ++k)
        for (const bool backward : {false, true}) {
            const double distance = backward ? ray.q[k] - static_cast<double>(box.min[k])
                                             : static_cast<double>(box.max[k]) - ray.q[k];
            if (!(distance < least)) continue;
            least = distance;
            ray.axis = k;
            ray.backward = backward;
        }
}

/// Counts crossings modulo 2.
struct Parity {
    const Geometry* geometry;
    const Matrix34f* world_from_local;
    const ExactPoint* point;
    Directions directions;
    const AxisRay* ray = nullptr;  ///< null: use exact arithmetic only
    PointLocation out;

    /// Returns false if the point is on the surface; then the answer is final.
    bool add(const Triangle& t) {
        const auto& p = geometry->positions;
        Crossing c = Crossing::unknown;
        if (ray != nullptr) c = filter_crossing(*ray, p[t.vertices[0]], p[t.vertices[1]], p[t.vertices[2]]);
        if (c == Crossing::unknown) {
            ++out.exact;
            c = exact_crossing(*geometry, *world_from_local, *point, directions, t);
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

// Computes the rounded inverse N of the linear part L, and a bound of the residual R = N L - 1 that includes
// the rounding of its own computation.
SolidLocator::SolidLocator(const Geometry& geometry, const Matrix34f& world_from_local)
    : geometry_(&geometry), world_from_local_(&world_from_local) {
    const Matrix34d m = to_double(world_from_local);
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    const Vec3d columns[3] = {x, y, z}, yz = cross(y, z);
    const double s = 1 / dot(x, yz);
    inverse_[0] = yz * s;
    inverse_[1] = cross(z, x) * s;
    inverse_[2] = cross(x, y) * s;
    invertible_ = true;
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t j = 0; j < 3; ++j) {
            double product = j == k ? -1 : 0, size = 1;
            for (std::size_t r = 0; r < 3; ++r) {
                product += inverse_[k][r] * columns[j][r];
                size += std::abs(inverse_[k][r] * columns[j][r]);
            }
            residual_[k][j] = std::abs(product) + size * 0x1p-50;
        }
        invertible_ =
            invertible_ && is_finite(inverse_[k]) && residual_[k].x + residual_[k].y + residual_[k].z <= 0.5;
    }
}

// Let y be the point relative to the mesh's origin, known as y' with an error of at most e, and L x = y. Then
// x = N y - R x. So |x| is at most twice the largest component of N y, and the error of N y' is at most |N| e
// plus its own roundings plus |R| |x|.
SolidLocator::LocalPoint SolidLocator::to_local(const ExactPoint& point) const {
    const Vec3f origin = world_from_local_->translation();
    Vec3d y = point.coordinates - cast<double>(origin);
    double error = kRound * std::max({std::abs(y.x), std::abs(y.y), std::abs(y.z)});
    if (point.world_from_local != nullptr) {
        const WorkFrame frame(*point.world_from_local, origin, reach_of(point.coordinates));
        y = transform_point(frame.work_from_local, cast<float>(point.coordinates));
        error = frame.error;
    }
    return apply_inverse(y, error);
}

SolidLocator::LocalPoint SolidLocator::direction_to_local(const Vec3d& direction_w) const {
    return apply_inverse(direction_w, 0);
}

SolidLocator::LocalPoint SolidLocator::apply_inverse(const Vec3d& y, double error) const {
    LocalPoint out;
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

// For a linear part without a good inverse. Returns false only if the bounding box of the transformed box
// proves that the point is outside. The error bound is WorkFrame's, as the sums are the same.
bool SolidLocator::may_contain(const ExactPoint& point) const {
    const Vec3f origin = world_from_local_->translation();
    const Aabb& box = geometry_->box;
    Vec3f reach;
    for (std::size_t k = 0; k < 3; ++k) reach[k] = std::max(std::abs(box.min[k]), std::abs(box.max[k]));
    const WorkFrame mesh(*world_from_local_, origin, reach);
    Vec3d y = point.coordinates - cast<double>(origin);
    double error = kRound * std::max({std::abs(y.x), std::abs(y.y), std::abs(y.z)});
    if (point.world_from_local != nullptr) {
        const WorkFrame frame(*point.world_from_local, origin, reach_of(point.coordinates));
        y = transform_point(frame.work_from_local, cast<float>(point.coordinates));
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

PointLocation SolidLocator::locate(const ExactPoint& point) const {
    Parity parity{geometry_, world_from_local_, &point, {}, nullptr, {}};
    if (!invertible_) {
        parity.out.direction_w = {1, 0, 0};
        if (!may_contain(point)) return parity.out;
        parity.directions = directions_from(exact_direction(parity.out.direction_w));
        parity.add_all();
        return parity.out;
    }
    const LocalPoint near = to_local(point);
    AxisRay ray{near.q, std::max({near.error.x, near.error.y, near.error.z})};
    choose_ray(ray, geometry_->box);
    const Matrix34f& m = *world_from_local_;
    const auto axis = static_cast<int>(ray.axis);
    parity.out.direction_w =
        cast<double>(Vec3f{m(0, axis), m(1, axis), m(2, axis)}) * (ray.backward ? -1.0 : 1.0);
    Aabb at = box_ahead(ray, near.error);
    at.min[ray.axis] = round_down(near.q[ray.axis] - near.error[ray.axis]);
    at.max[ray.axis] = -round_down(-near.q[ray.axis] - near.error[ray.axis]);
    if (!overlap(at, geometry_->box)) return parity.out;
    parity.directions = directions_from(exact_direction(parity.out.direction_w));
    parity.ray = &ray;
    parity.add_in(box_ahead(ray, near.error));
    return parity.out;
}

bool contains(const Geometry& container, const Matrix34f& world_from_container, const ExactPoint& point,
              const Vec3d& direction_w) {
    Parity parity{&container, &world_from_container,
                  &point,     directions_from(exact_direction(direction_w)),
                  nullptr,    {}};
    parity.add_all();
    return parity.out.inside;
}

}  // namespace claybox::collision
