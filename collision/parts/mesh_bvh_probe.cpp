#include "collision/parts/mesh_bvh_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::collision {

namespace {

/// A tree that is this much larger than the other, or as far away, is not worth walking; beyond it, products
/// would leave float.
constexpr double kMostElement = 0x1p60;
/// 32 units of double rounding: see relate().
constexpr double kRoundings = 0x1p-48;
/// 64 units of float rounding: see the proof in the header.
constexpr double kSlack = 0x1p-18;
/// Matrices further from a multiple of a rotation than this are asked about their boxes only.
constexpr double kRigid = 0x1p-19;
/// Trees whose relation is less certain than this part of their size are not worth walking.
constexpr double kLargestOff = 0x1p-8;

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
    out.slack = splat4(rounded_up(kSlack + (out.rigid ? 4 * delta / square : 0)));
}

void fill_rows(BvhRelation& out) {
    double row = 0;
    for (std::size_t k = 0; k < 9; k += 3)
        row = std::max(row, std::abs(out.x_from_y.m[k / 3 * 4]) + std::abs(out.x_from_y.m[k / 3 * 4 + 1]) +
                                std::abs(out.x_from_y.m[k / 3 * 4 + 2]));
    out.row_sum = rounded_up(row);
    for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t i = 0; i < 3; ++i) {
            const double m = out.x_from_y.m[4 * i + j] / out.stretch;
            out.turn_column[j][i] = static_cast<float>(m);
            out.size_column[j][i] = rounded_up(std::abs(m));
            out.turn[i][j] = splat4(out.turn_column[j][i]);
            out.size[i][j] = splat4(out.size_column[j][i]);
        }
    }
}

/// One coordinate k of N (L_Y y + t_Y - t_X) in the frames of the trees. Returns what it may be off by, in
/// the local frame of X, for points within the reaches.
double image_row(const Vec3d& n, std::size_t k, const PlacedBvh& x, const PlacedBvh& y, const Vec3d& reach_x,
                 const Vec3d& reach_y, double (&row)[4]) {
    const auto &lx = x.world_from_body->m, &ly = y.world_from_body->m;
    double sizes = 0, defect = 0;
    row[3] = 0;
    for (std::size_t r = 0; r < 3; ++r) {
        const double d = static_cast<double>(ly[4 * r + 3]) - static_cast<double>(lx[4 * r + 3]);
        double size = std::abs(d);
        for (std::size_t j = 0; j < 3; ++j) size += std::abs(static_cast<double>(ly[4 * r + j])) * reach_y[j];
        row[3] += n[r] * d;
        sizes += std::abs(n[r]) * size;
    }
    for (std::size_t j = 0; j < 3; ++j) {
        double product = 0, size = 1;
        row[j] = 0;
        for (std::size_t r = 0; r < 3; ++r) {
            row[j] += n[r] * static_cast<double>(ly[4 * r + j]);
            const double term = n[r] * static_cast<double>(lx[4 * r + j]);
            product += term;
            size += std::abs(term);
        }
        defect += (std::abs(product - (j == k ? 1 : 0)) + size * kRoundings) * reach_x[j];
    }
    return defect + sizes * kRoundings;
}

}  // namespace

// All products and sums are of double. A coordinate of the image of a point, computed from the rounded
// matrix, has eleven roundings of the sum of all magnitudes; volumes' centres may lie outside the reach, by
// less than its double. N L_X - I has four an element. kRoundings is 32.
bool relate(const PlacedBvh& x, const PlacedBvh& y, BvhRelation& out) {
    const auto inverse = rough_inverse(*x.world_from_body);
    const Vec3d reach_x = reach_of(*x.geometry), reach_y = reach_of(*y.geometry);
    const double to_tree = std::ldexp(1.0, -x.tree->exponent()),
                 from_tree = std::ldexp(1.0, y.tree->exponent());
    double off = 0, largest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        double row[4];
        const double error = image_row(inverse[k], k, x, y, reach_x, reach_y, row);
        for (std::size_t j = 0; j < 3; ++j) out.x_from_y.m[4 * k + j] = row[j] * to_tree * from_tree;
        out.x_from_y.m[4 * k + 3] = row[3] * to_tree;
        off = std::max(off, error * to_tree);
        if (!(error < HUGE_VAL)) return false;
        largest = std::max(largest, reach_x[k] * to_tree);
    }
    // A tree that a deformation made much larger or smaller than its frame is no use either.
    if (!(off <= kLargestOff * largest) || !(largest > 0x1p-10 && largest < 0x1p10)) return false;
    for (const double m : out.x_from_y.m)
        if (!(std::abs(m) < kMostElement)) return false;
    out.off = off * (1 + 0x1p-40);
    measure_turn(out);
    out.least = splat4(rounded_up(0x1p-21 * largest + 2 * out.off));
    out.length = rounded_up(out.stretch);
    fill_rows(out);
    return true;
}

}  // namespace claybox::collision
