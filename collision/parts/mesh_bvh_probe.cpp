#include "collision/parts/mesh_bvh_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::collision {

namespace {

/// 64 units of float rounding: see the proof in the header.
constexpr double kSlack = 0x1p-18;
/// Matrices further from a multiple of a rotation than this are asked about their boxes only.
constexpr double kRigid = 0x1p-19;
/// Trees whose relation is less certain than this part of their size are not worth walking.
constexpr double kLargestOff = 0x1p-8;
/// Beyond this size, in the frame of X, squares would leave float.
constexpr double kFar = 0x1p50;

/// The inverse of the linear part, as good as double makes it; not finite when it has none.
std::array<Vec3d, 3> rough_inverse(const Matrix34f& m) {
    const Vec3d x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)}, z{m(0, 2), m(1, 2), m(2, 2)};
    const Vec3d yz = cross(y, z);
    const double s = 1 / dot(x, yz);
    return {yz * s, cross(z, x) * s, cross(x, y) * s};
}

Vec3d reach_of(const Geometry& geometry) {
    Vec3d out;
    for (std::size_t k = 0; k < 3; ++k)
        out[k] = std::max(std::abs(geometry.box.min[k]), std::abs(geometry.box.max[k]));
    return out;
}

float rounded_up(double x) {
    return static_cast<float>(x) * (1 + 0x1p-20f) + 0x1p-126f;
}

/// How far M is from a multiple of a rotation; s^2 is the mean of its columns' squares.
void measure_turn(BvhRelation& out) {
    const auto& m = out.x_from_y.m;
    Vec3d column[3];
    for (std::size_t k = 0; k < 3; ++k) column[k] = {m[k], m[4 + k], m[8 + k]};
    const double square =
        (dot(column[0], column[0]) + dot(column[1], column[1]) + dot(column[2], column[2])) / 3;
    double delta = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            delta = std::max(delta, std::abs(dot(column[i], column[j]) - (i == j ? square : 0)));
    out.rigid = square > 0 && delta <= kRigid * square;
    out.stretch = out.rigid ? std::sqrt(square) : 1;
    out.slack = rounded_up(kSlack + (out.rigid ? 4 * delta / square : 0));
}

}  // namespace

// The image of y: N (L_Y y + t_Y - t_X). All products and sums are of double; eight roundings of the sum of
// all magnitudes are more than there are. N L_X - I is computed with three roundings an element and enlarged
// by eight.
bool relate(const PlacedBvh& x, const PlacedBvh& y, BvhRelation& out) {
    const auto inverse = rough_inverse(*x.world_from_body);
    const auto &lx = x.world_from_body->m, &ly = y.world_from_body->m;
    const Vec3d reach_x = reach_of(*x.geometry), reach_y = reach_of(*y.geometry);
    const double to_tree = std::ldexp(1.0, -x.tree->exponent()),
                 from_tree = std::ldexp(1.0, y.tree->exponent());
    double off = 0, largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3d& n = inverse[k];
        double sum = 0, sizes = 0, defect = 0;
        for (std::size_t r = 0; r < 3; ++r) {
            const double d = static_cast<double>(ly[4 * r + 3]) - static_cast<double>(lx[4 * r + 3]);
            double size = std::abs(d);
            for (std::size_t j = 0; j < 3; ++j)
                size += std::abs(static_cast<double>(ly[4 * r + j])) * reach_y[j];
            sum += n[r] * d;
            sizes += std::abs(n[r]) * size;
        }
        for (std::size_t j = 0; j < 3; ++j) {
            double element = 0, product = 0, size = 1;
            for (std::size_t r = 0; r < 3; ++r) {
                element += n[r] * static_cast<double>(ly[4 * r + j]);
                const double term = n[r] * static_cast<double>(lx[4 * r + j]);
                product += term;
                size += std::abs(term);
            }
            out.x_from_y.m[4 * k + j] = element * to_tree * from_tree;
            defect += (std::abs(product - (j == k ? 1 : 0)) + size * 0x1p-50) * reach_x[j];
        }
        out.x_from_y.m[4 * k + 3] = sum * to_tree;
        off = std::max(off, (defect + sizes * 0x1p-50) * to_tree);
        largest = std::max(largest, reach_x[k] * to_tree);
    }
    // A tree that a deformation made much larger or smaller than its frame is no use either.
    if (!(off <= kLargestOff * largest) || !(largest > 0x1p-10 && largest < 0x1p10)) return false;
    for (const double m : out.x_from_y.m)
        if (!(std::abs(m) < 0x1p200)) return false;
    out.off = off * (1 + 0x1p-40);
    measure_turn(out);
    out.least = rounded_up(0x1p-21 * largest + 2 * out.off);
    for (std::size_t i = 0; i < 9; ++i) {
        const double m = out.x_from_y.m[4 * (i / 3) + i % 3] / out.stretch;
        const double near = std::clamp(m, -kFar, kFar);
        out.turn[i] = splat4(static_cast<float>(near));
        out.size[i] = splat4(rounded_up(std::abs(near)));
    }
    return true;
}

BvhProbe::BvhProbe(const BvhRelation& relation, const BvhVolume& y) {
    const auto& m = relation.x_from_y;
    const Vec3d c = transform_point(m, cast<double>(y.centre));
    const double s = relation.stretch;
    double far = std::max({std::abs(c.x), std::abs(c.y), std::abs(c.z)}), size = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        double along = 0;
        for (std::size_t j = 0; j < 3; ++j)
            along += std::abs(m.m[4 * k + j]) * static_cast<double>(y.half[j]);
        size = std::max(size, along);
        box[k] = splat4(rounded_up(std::min(along, kFar)));
    }
    if (far > kFar || size > kFar) {
        // Everything of X is within 2^13 of its origin.
        reach = far > 4 * size + 0x1p20 ? Reach::nothing : Reach::everything;
        return;
    }
    cx = splat4(static_cast<float>(c.x)), cy = splat4(static_cast<float>(c.y)),
    cz = splat4(static_cast<float>(c.z));
    if (!relation.rigid) {
        slack = splat4(relation.least + rounded_up(static_cast<double>(relation.slack) * size));
        return;
    }
    const Vec3d n = transform_vector(m, cast<double>(y.normal)) / s;
    nx = splat4(static_cast<float>(n.x)), ny = splat4(static_cast<float>(n.y)),
    nz = splat4(static_cast<float>(n.z));
    const double r = s * static_cast<double>(y.radius), t = s * static_cast<double>(y.thickness);
    radius = splat4(rounded_up(r));
    thickness = splat4(rounded_up(t));
    ball = splat4(rounded_up(std::sqrt(r * r + t * t)));
    slack = splat4(relation.least + rounded_up(static_cast<double>(relation.slack) * (r + t)));
    for (std::size_t k = 0; k < 3; ++k) half[k] = splat4(rounded_up(s * static_cast<double>(y.half[k])));
}

namespace {

Float4 load(const float (&lanes)[4]) {
    return load4(lanes);
}

}  // namespace

// One kernel: all of it shares the differences of the centres.
unsigned may_meet(const BvhRelation& relation, const BvhProbe& y, const BvhNode& x) {
    Int4 child;
    __builtin_memcpy(&child, x.child, sizeof child);
    const Int4 none{-1, -1, -1, -1};
    if (y.reach != BvhProbe::Reach::normal)
        return y.reach == BvhProbe::Reach::nothing ? 0 : bits4(child != none);
    const Float4 dx = load(x.cx) - y.cx, dy = load(x.cy) - y.cy, dz = load(x.cz) - y.cz;
    const Float4 ex = load(x.ex), ey = load(x.ey), ez = load(x.ez);
    const Float4 ax = abs4(dx), ay = abs4(dy), az = abs4(dz);
    const Float4 k = splat4(relation.slack);
    if (!relation.rigid) {
        const Float4 slack = y.slack + k * (ax + ay + az + ex + ey + ez);
        const Int4 apart =
            (ax > ex + y.box[0] + slack) | (ay > ey + y.box[1] + slack) | (az > ez + y.box[2] + slack);
        return bits4(~apart & (child != none));
    }
    const Float4 r = load(x.radius), t = load(x.thickness);
    const Float4 slack = y.slack + k * (ax + ay + az + (r + t));
    Int4 apart = (ax > ex + y.box[0] + slack) | (ay > ey + y.box[1] + slack) | (az > ez + y.box[2] + slack);
    const Float4 nx = load(x.nx), ny = load(x.ny), nz = load(x.nz);
    const Float4 wx = ny * y.nz - nz * y.ny, wy = nz * y.nx - nx * y.nz, wz = nx * y.ny - ny * y.nx;
    const Float4 sine = sqrt4(wx * wx + wy * wy + wz * wz);
    const Float4 cosine = abs4(nx * y.nx + ny * y.ny + nz * y.nz);
    const Float4 along = abs4(nx * dx + ny * dy + nz * dz);
    const Float4 along_y = abs4(y.nx * dx + y.ny * dy + y.nz * dz);
    apart |= along > t + y.thickness * cosine + y.radius * sine + slack;
    apart |= along_y > y.thickness + t * cosine + r * sine + slack;
    apart |= sqrt4(dx * dx + dy * dy + dz * dz) > sqrt4(r * r + t * t) + y.ball + slack;
    unsigned left = bits4(~apart & (child != none));
    if (left == 0) return 0;
    const auto& m = relation.turn;
    const auto& a = relation.size;
    apart = abs4(m[0] * dx + m[3] * dy + m[6] * dz) > y.half[0] + a[0] * ex + a[3] * ey + a[6] * ez + slack;
    apart |= abs4(m[1] * dx + m[4] * dy + m[7] * dz) > y.half[1] + a[1] * ex + a[4] * ey + a[7] * ez + slack;
    apart |= abs4(m[2] * dx + m[5] * dy + m[8] * dz) > y.half[2] + a[2] * ex + a[5] * ey + a[8] * ez + slack;
    return left & bits4(~apart);
}

}  // namespace claybox::collision
