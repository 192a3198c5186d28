#include "collision/pairwise/bvh/bvh_probe.hpp"

#include "collision/simd/double4.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::collision {

namespace {

/// Beyond this ratio of tree sizes or distances, products would overflow float, and walking the trees is
/// pointless.
constexpr double kMaxElement = 0x1p60;
/// 32 units of double rounding: see relate().
constexpr double kRoundings = 0x1p-48;
/// 64 units of float rounding: see the proof in the header.
constexpr double kSlack = 0x1p-18;
/// Matrices further from a multiple of a rotation use the tests of boxes only.
constexpr double kRigid = 0x1p-19;
/// Trees are not walked if the error of their relation exceeds this fraction of their size.
constexpr double kMaxOff = 0x1p-8;

/// The inverse of the linear part in double precision; not finite if there is none.
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

/// Distance of M from a multiple of a rotation; s^2 is the mean of the squared columns.
void measure_turn(const Double4 (&column)[4], BvhRelation& out) {
    const double xx = sum4(column[0] * column[0]), yy = sum4(column[1] * column[1]),
                 zz = sum4(column[2] * column[2]), xy = sum4(column[0] * column[1]),
                 yz = sum4(column[1] * column[2]), zx = sum4(column[2] * column[0]);
    const double square = (xx + yy + zz) / 3;
    const double delta = std::max({std::abs(xx - square), std::abs(yy - square), std::abs(zz - square),
                                   std::abs(xy), std::abs(yz), std::abs(zx)});
    out.rigid = square > 0 && delta <= kRigid * square;
    out.stretch = out.rigid ? std::sqrt(square) : 1;
    out.slack = splat4(rounded_up(kSlack + (out.rigid ? 4 * delta / square : 0)));
}

/// Added for elements that underflow. Large enough to keep its products with sizes out of the denormal range,
/// which is slow.
constexpr Float4 kMinSize{0x1p-60f, 0x1p-60f, 0x1p-60f, 0};

void fill_columns(const Double4 (&column)[4], BvhRelation& out) {
    const Double4 sum = abs4(column[0]) + abs4(column[1]) + abs4(column[2]);
    out.row_sum = rounded_up(std::max({sum[0], sum[1], sum[2]}));
    const double per_stretch = 1 / out.stretch;
    for (std::size_t j = 0; j < 3; ++j) {
        const Double4 unit = per_stretch * column[j];
        const Float4 turn{static_cast<float>(unit[0]), static_cast<float>(unit[1]),
                          static_cast<float>(unit[2]), 0};
        out.turn_column[j] = turn;
        out.size_column[j] = abs4(turn) * splat4(1 + 0x1p-20f) + kMinSize;
        out.turn[0][j] = shuffle4<0, 0, 0, 0>(turn), out.turn[1][j] = shuffle4<1, 1, 1, 1>(turn),
        out.turn[2][j] = shuffle4<2, 2, 2, 2>(turn);
        out.size[0][j] = shuffle4<0, 0, 0, 0>(out.size_column[j]),
        out.size[1][j] = shuffle4<1, 1, 1, 1>(out.size_column[j]),
        out.size[2][j] = shuffle4<2, 2, 2, 2>(out.size_column[j]);
    }
}

/// False if an element is too large.
bool store_columns(const Double4 (&column)[4], Matrix34d& out) {
    double largest = 0;
    for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 3; ++k) {
            out.m[4 * k + j] = column[j][k];
            largest = std::max(largest, std::abs(column[j][k]));
        }
    return largest < kMaxElement;
}

/// N times a column vector; N's magnitudes times the column's magnitudes.
struct Products {
    const Double4 (&n)[3];

    Double4 of(double x, double y, double z) const { return x * n[0] + y * n[1] + z * n[2]; }
    Double4 sizes(double x, double y, double z) const {
        return std::abs(x) * abs4(n[0]) + std::abs(y) * abs4(n[1]) + std::abs(z) * abs4(n[2]);
    }
};

}  // namespace

// All products and sums are in double. A coordinate of the image of a point, computed from the rounded
// matrix, has eleven roundings of the sum of all magnitudes. Centres of volumes may lie outside the reach, by
// less than its double. An element of N L_X - I has four roundings. kRoundings is 32. Lanes are coordinates
// of X.
bool relate(const PlacedBvh& x, const PlacedBvh& y, BvhRelation& out) {
    const auto inverse = rough_inverse(*x.world_from_body);
    Double4 n[3];
    for (std::size_t r = 0; r < 3; ++r) n[r] = Double4{{inverse[0][r], inverse[1][r]}, {inverse[2][r], 0}};
    const Products product{n};
    const auto &lx = x.world_from_body->m, &ly = y.world_from_body->m;
    const auto at = [](const auto& m, std::size_t i) { return static_cast<double>(m[i]); };
    const Vec3d reach_x = reach_of(*x.geometry), reach_y = reach_of(*y.geometry);
    const double to_tree = static_cast<double>(x.tree->scale()),
                 turned = to_tree / static_cast<double>(y.tree->scale());  // powers of two
    const double d[3] = {at(ly, 3) - at(lx, 3), at(ly, 7) - at(lx, 7), at(ly, 11) - at(lx, 11)};
    Double4 column[4], error = product.sizes(d[0], d[1], d[2]), defect;
    for (std::size_t j = 0; j < 3; ++j) {
        column[j] = turned * product.of(at(ly, j), at(ly, 4 + j), at(ly, 8 + j));
        error = error + reach_y[j] * product.sizes(at(ly, j), at(ly, 4 + j), at(ly, 8 + j));
        const Double4 unit{{j == 0 ? 1.0 : 0.0, j == 1 ? 1.0 : 0.0}, {j == 2 ? 1.0 : 0.0, 0}};
        const Double4 size = product.sizes(at(lx, j), at(lx, 4 + j), at(lx, 8 + j));
        defect = defect + reach_x[j] * (abs4(product.of(at(lx, j), at(lx, 4 + j), at(lx, 8 + j)) - unit) +
                                        kRoundings * (size + Double4{{1, 1}, {1, 1}}));
    }
    column[3] = to_tree * product.of(d[0], d[1], d[2]);
    error = to_tree * (defect + kRoundings * error);
    const double off = std::max({error[0], error[1], error[2]});
    const double largest = to_tree * std::max({reach_x.x, reach_x.y, reach_x.z});
    // A tree that a deformation made much larger or smaller than its frame is unusable too.
    if (!(error[0] + error[1] + error[2] < HUGE_VAL) || !(off <= kMaxOff * largest) ||
        !(largest > 0x1p-10 && largest < 0x1p10))
        return false;
    if (!store_columns(column, out.x_from_y)) return false;
    out.inverse = inverse;
    out.off = off * (1 + 0x1p-40);
    measure_turn(column, out);
    out.absolute_slack = splat4(rounded_up(0x1p-21 * largest + 2 * out.off));
    out.length = rounded_up(out.stretch);
    fill_columns(column, out);
    return true;
}

// |N|^2 is the largest eigenvalue of N N^T, which is at most the largest row sum of magnitudes. The final
// factor covers a dozen roundings of double and the conversion to float.
float world_per_unit(const BvhRelation& x_from_y, const PlacedBvh& x) {
    const auto& n = x_from_y.inverse;
    double square = 0;
    for (const Vec3d& row : n)
        square =
            std::max(square, std::abs(dot(row, n[0])) + std::abs(dot(row, n[1])) + std::abs(dot(row, n[2])));
    const double out = (1 - 0x1p-20) / (std::sqrt(square) * static_cast<double>(x.tree->scale()));
    return out > 0x1p-100 && out < 0x1p100 ? static_cast<float>(out) : 0.0f;
}

}  // namespace claybox::collision
