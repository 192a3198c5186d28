#include "collision/pairwise/linear_programming/body_half_spaces.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// A matrix flattens a body if its determinant is below this fraction of the product of its columns' lengths.
constexpr double kFlattened = 0x1p-40;

Vec3d unit(const Vec3d& v) {
    const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    return largest > 0 ? normalized(v / largest) : Vec3d{};
}

/// The area-weighted normal. All corners contribute, so no particular three need to be well placed.
Vec3d face_normal(const ConvexHull& hull, std::size_t face) {
    const auto loop = hull.faces.polygon(face);
    const Vec3d base = cast<double>(hull.vertex(loop[0]));
    Vec3d out;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        out +=
            cross(cast<double>(hull.vertex(loop[i])) - base, cast<double>(hull.vertex(loop[i + 1])) - base);
    return unit(out);
}

void add_pair(std::vector<HullHalfSpace>& out, const Vec3d& normal, std::uint32_t above,
              std::uint32_t below) {
    out.push_back({normal, above});
    out.push_back({-normal, below});
}

/// Adds two pairs of half-spaces perpendicular to `along`.
void add_around(std::vector<HullHalfSpace>& out, const Vec3d& along) {
    const Vec3d off = std::abs(along.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d across = unit(cross(along, off));
    add_pair(out, across, 0, 0);
    add_pair(out, unit(cross(along, across)), 0, 0);
}

/// The transposed inverse times the determinant. Transforms normals correctly for any matrix.
Vec3d cofactor_times(const Matrix34d& m, const Vec3d& n) {
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    return n.x * cross(y, z) + n.y * cross(z, x) + n.z * cross(x, y);
}

double determinant(const Matrix34d& m, double& columns) {
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    columns = length(x) * length(y) * length(z);
    return dot(x, cross(y, z));
}

double largest_from(const Vec3d& centre, const Matrix34d& m, const Aabb& box) {
    double out = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3f p{(corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                      (corner & 4) != 0 ? box.max.z : box.min.z};
        const Vec3d d = transform_point(m, p) - centre;
        out = std::max({out, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    }
    return out;
}

}  // namespace

std::size_t half_space_count(const ConvexHull& hull) {
    if (hull.dimension == 3) return hull.faces.polygon_count();
    return hull.dimension == 2 ? 2 + hull.faces.polygon(0).size() : 6;
}

std::vector<HullHalfSpace> half_spaces_of(const ConvexHull& hull) {
    std::vector<HullHalfSpace> out;
    out.reserve(half_space_count(hull));
    if (hull.dimension == 3) {
        for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f)
            out.push_back({face_normal(hull, f), hull.faces.polygon(f)[0]});
    } else if (hull.dimension == 2) {
        const Vec3d n = face_normal(hull, 0);
        add_pair(out, n, 0, 0);
        const auto loop = hull.faces.polygon(0);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Vec3d edge =
                cast<double>(hull.vertex(loop[(i + 1) % loop.size()])) - cast<double>(hull.vertex(loop[i]));
            out.push_back({unit(cross(unit(edge), n)), loop[i]});
        }
    } else if (hull.dimension == 1) {
        const Vec3d along = unit(cast<double>(hull.vertex(1)) - cast<double>(hull.vertex(0)));
        add_pair(out, along, 1, 0);
        add_around(out, along);
    } else {
        add_pair(out, {1, 0, 0}, 0, 0);
        add_around(out, {1, 0, 0});
    }
    return out;
}

BodySystem::BodySystem(const SystemBody& a, const SystemBody& b, const Difference<double>& difference,
                       std::span<HalfSpace<3>> storage)
    : rows_(storage), a_{&a, &difference.about_a_from_a, 0}, b_{&b, &difference.about_a_from_b, 0} {
    centre_ = 0.5 * transform_point(*a_.matrix, a.hull->interior) +
              0.5 * transform_point(*b_.matrix, b.hull->interior);
    const double largest =
        std::max(largest_from(centre_, *a_.matrix, *a.box), largest_from(centre_, *b_.matrix, *b.box));
    unit_ = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) + 1) : 1.0;
    b_.first_row = add(a_);
    rows_ = rows_.first(add(b_));
}

/// Appends the body's half-spaces; returns the total number of rows.
std::size_t BodySystem::add(const Side& side) {
    double columns = 0;
    const double volume = determinant(*side.matrix, columns);
    complete_ = complete_ && std::abs(volume) > kFlattened * columns;
    std::size_t count = side.first_row;
    for (const HullHalfSpace& h : side.body->half_spaces) {
        const Vec3d n = unit(volume < 0 ? -cofactor_times(*side.matrix, h.normal)
                                        : cofactor_times(*side.matrix, h.normal));
        rows_[count++] = {{n.x, n.y, n.z}, dot(n, at(side, h.vertex))};
    }
    return count;
}

double BodySystem::slack(const Coordinates<3>& x) const {
    double out = 1;
    for (const HalfSpace<3>& row : rows_) out = std::min(out, -row.excess(x));
    return out;
}

Vec3d BodySystem::axis(std::span<const FarkasTerm> terms) const {
    Vec3d of_b;
    for (const FarkasTerm& term : terms)
        if (term.row >= b_.first_row && term.row < rows_.size()) {
            const Coordinates<3>& n = rows_[term.row].n;
            of_b += term.multiplier * Vec3d{n[0], n[1], n[2]};
        }
    return -unit(of_b);
}

std::uint32_t BodySystem::vertex_of(std::span<const FarkasTerm> terms, bool of_a) const {
    for (const FarkasTerm& term : terms) {
        if (of_a && term.row < b_.first_row) return a_.body->half_spaces[term.row].vertex;
        if (!of_a && term.row >= b_.first_row && term.row < rows_.size())
            return b_.body->half_spaces[term.row - b_.first_row].vertex;
    }
    return 0;
}

double BodySystem::offset(std::size_t row) const {
    const Coordinates<3>& n = rows_[row].n;
    return rows_[row].d * unit_ + dot(Vec3d{n[0], n[1], n[2]}, centre_);
}

FourPairs BodySystem::pairs_around(const Coordinates<3>& x) const {
    WeightedVertex of_a[4], of_b[4];
    const std::size_t count_a = combination(a_, x, of_a), count_b = combination(b_, x, of_b);
    return couple({of_a, count_a}, {of_b, count_b});
}

/// x as a combination of vertices. In a solid hull: its first vertex, and the face where the ray from it
/// through x leaves the hull.
std::size_t BodySystem::combination(const Side& side, const Coordinates<3>& x,
                                    std::span<WeightedVertex> out) const {
    const ConvexHull& hull = *side.body->hull;
    const Vec3d p{x[0], x[1], x[2]}, first = at(side, 0);
    out[0] = {0, 1, first};
    if (hull.dimension == 0) return 1;
    if (hull.dimension == 1) {
        const Vec3d last = at(side, 1), along = last - first;
        const double part = std::clamp(dot(p - first, along) / length_squared(along), 0.0, 1.0);
        out[0].weight = 1 - part;
        out[1] = {1, part, last};
        return part == part ? 2 : 1;
    }
    if (hull.dimension == 2) return combination_in_face(side, 0, p, 1, out);
    std::size_t exit = 0;
    double furthest = 0;  // the ray's parameter at the exit is 1 / furthest
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const HalfSpace<3>& row = rows_[side.first_row + f];
        const Vec3d n{row.n[0], row.n[1], row.n[2]};
        const double slack = row.d - dot(n, first), approach = dot(n, p - first);
        if (!(slack > kSatisfied) || !(approach > furthest * slack)) continue;
        furthest = approach / slack;
        exit = f;
    }
    if (!(furthest > 0)) return 1;  // x is the first vertex
    const double of_face = std::min(furthest, 1.0);
    out[0].weight = 1 - of_face;
    return 1 + combination_in_face(side, exit, first + (p - first) / furthest, of_face, out.subspan(1));
}

/// A point of a face as a combination of the corners of one triangle of its fan, the one that contains the
/// point best.
std::size_t BodySystem::combination_in_face(const Side& side, std::size_t face, const Vec3d& x, double weight,
                                            std::span<WeightedVertex> out) const {
    const auto loop = side.body->hull->faces.polygon(face);
    const Vec3d base = at(side, loop[0]);
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
        const Vec3d second = at(side, loop[i]), third = at(side, loop[i + 1]);
        const Vec3d n = cross(second - base, third - base);
        const double area = dot(n, n);
        const double of_third = dot(n, cross(second - base, x - base)) / area;
        const double of_second = dot(n, cross(x - base, third - base)) / area;
        const double least = std::min({of_second, of_third, 1 - of_second - of_third});
        if (!(least > best)) continue;
        best = least;
        out[0] = {loop[0], std::max(0.0, 1 - of_second - of_third) * weight, base};
        out[1] = {loop[i], std::max(0.0, of_second) * weight, second};
        out[2] = {loop[i + 1], std::max(0.0, of_third) * weight, third};
    }
    return std::isfinite(best) ? 3 : 0;
}

}  // namespace claybox::collision
