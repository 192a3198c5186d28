#pragma once
// Tests one volume of tree Y against the four children of a node of tree X, with separating axes.
//
// Frames. N is the double approximation of the inverse of X's linear part, of whatever quality. M x + T is
// the computed map N (w_Y(y) - t_X) between the frames of the trees. If a world point belongs to both
// surfaces, at x and at y, then M y + T = x + (N L_X - I) x plus roundings of double. It is therefore within
// `off` of x per axis, where `off` is computed from enlarged magnitudes: see relate(). The only property of N
// used is that it is finite. A singular matrix makes `off` large: relate() then refuses, and the caller uses
// another method.
//
// Proof of the bounds, in the frame of X, with u = 2^-24. Let c, n, r, t be a child's values and c', n', r',
// t' those of the image of Y's volume. The image of a disc is a disc if M is a multiple s of a rotation. If
// M^T M is s^2 I within delta s^2 per element, the extent of a disc along any direction is wrong by at most 3
// delta (r' + t'). Axes are unit vectors within 2^-21. With d = c - c', the volumes are separate if
//   along n: |n.d| > t + t' |n.n'| + r' |n x n'|; along n' correspondingly;
//   along the axes of X: |d_k| > e_k + sum |M_kj| e'_j, for any M; along the axes of Y correspondingly, for
//   multiples of rotations.
// The components of c' are rounded from double, by u |c'| <= u (|d| + |c|), d by u |d|; n' is off by 7 u. A
// dot product with d adds 3 u |d|; sums of lengths add six roundings of their terms. Together this is less
// than 30 u (|d|_1 + r + t + r' + t') + 4 u |c| plus the effect of delta and off; kSlack is twice that.
// Stored half sizes and extents of boxes are enlarged by at least 2^-21, more than the roundings of their
// sums. Sums that underflow are negligible compared to 4 u |c|, because |c| is replaced by the size of the
// tree, which bounds it.

#include "collision/pairwise/bvh/bvh.hpp"
#include "collision/simd/float4.hpp"

#include <array>

namespace claybox::collision {

/// The tree of one body, and the pose of the body.
struct PlacedBvh {
    const MeshBvh* tree = nullptr;
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_body = nullptr;
};

/// The pose of tree Y in the frame of tree X.
struct BvhRelation {
    Matrix34d x_from_y;
    std::array<Vec3d, 3> inverse;           ///< the rows of N, before scaling to the tree
    double off = 0;                         ///< maximum error of the image of a point, per axis
    double stretch = 1;                     ///< s if rigid
    float length = 1;                       ///< s, rounded up
    float row_sum = 1;                      ///< largest sum of the magnitudes of a row of M, rounded up
    bool rigid = false;                     ///< M is s times a rotation, possibly with a reflection
    Float4 slack;                           ///< relative to |d|, r and t
    Float4 absolute_slack;                  ///< absolute part of the slack
    Float4 turn[3][3], size[3][3];          ///< [row][column]: M / s or M; its magnitudes, rounded up
    Float4 turn_column[3], size_column[3];  ///< the same, with a column in the first three lanes
};

/// False if nothing useful can be proven.
bool relate(const PlacedBvh& x, const PlacedBvh& y, BvhRelation& out);

/// Lower bound of the world length, in metres, of one unit in the frame of the body's tree; 0 if nothing is
/// proven.
float world_per_unit(const BvhRelation& x_from_y, const PlacedBvh& x);

/// One volume of Y in the frame of X.
struct BvhProbe {
    Float4 cx, cy, cz, nx, ny, nz, radius, thickness, slack;
    Float4 box[3];   ///< extent of its box along the axes of X
    Float4 half[3];  ///< half the size of its box along its own axes
    enum class Reach : unsigned char { normal, everything, nothing } reach;
};

/// Lengths are enlarged by this factor, which exceeds the roundings of the few sums and products behind them.
inline constexpr float kBvhGrow = 1 + 0x1p-20f;

/// Beyond this size, in the frame of X, squares would overflow float.
inline constexpr float kBvhFar = 0x1p50f;

inline BvhProbe make_probe(const BvhRelation& relation, const BvhNode& y, std::uint32_t lane) {
    BvhProbe out;
    const auto& m = relation.x_from_y.m;
    const double x = static_cast<double>(y.cx[lane]), z = static_cast<double>(y.cz[lane]),
                 c = static_cast<double>(y.cy[lane]);
    const float px = static_cast<float>(m[0] * x + m[1] * c + m[2] * z + m[3]);
    const float py = static_cast<float>(m[4] * x + m[5] * c + m[6] * z + m[7]);
    const float pz = static_cast<float>(m[8] * x + m[9] * c + m[10] * z + m[11]);
    out.cx = splat4(px), out.cy = splat4(py), out.cz = splat4(pz);
    const Float4 grow = splat4(kBvhGrow);
    const Float4 half = Float4{y.ex[lane], y.ey[lane], y.ez[lane], y.radius[lane] + y.thickness[lane]} *
                        (splat4(relation.length) * grow);
    // `size` is of M / s if M is rigid: `half` already contains s.
    const Float4 reach = (relation.size_column[0] * shuffle4<0, 0, 0, 0>(half) +
                          relation.size_column[1] * shuffle4<1, 1, 1, 1>(half) +
                          relation.size_column[2] * shuffle4<2, 2, 2, 2>(half)) *
                         grow;
    const Float4 n = relation.turn_column[0] * splat4(y.nx[lane]) +
                     relation.turn_column[1] * splat4(y.ny[lane]) +
                     relation.turn_column[2] * splat4(y.nz[lane]);
    out.box[0] = shuffle4<0, 0, 0, 0>(reach), out.box[1] = shuffle4<1, 1, 1, 1>(reach),
    out.box[2] = shuffle4<2, 2, 2, 2>(reach);
    out.half[0] = shuffle4<0, 0, 0, 0>(half), out.half[1] = shuffle4<1, 1, 1, 1>(half),
    out.half[2] = shuffle4<2, 2, 2, 2>(half);
    out.nx = shuffle4<0, 0, 0, 0>(n), out.ny = shuffle4<1, 1, 1, 1>(n), out.nz = shuffle4<2, 2, 2, 2>(n);
    const Float4 length = splat4(relation.length * kBvhGrow);
    out.radius = splat4(y.radius[lane]) * length, out.thickness = splat4(y.thickness[lane]) * length;
    const Float4 extent = relation.rigid ? shuffle4<3, 3, 3, 3>(half) : out.box[0] + out.box[1] + out.box[2];
    out.slack = relation.absolute_slack + relation.slack * extent;
    const Float4 far = max4(abs4(Float4{px, py, pz, 0}), reach);
    out.reach = BvhProbe::Reach::normal;
    if (mask_bits4(far < splat4(kBvhFar)) != 15) [[unlikely]] {
        // All of X is within 2^13 of its origin.
        const Float4 centre = largest4(abs4(Float4{px, py, pz, 0})), size = largest4(reach);
        out.reach =
            centre[0] > 4 * size[0] + 0x1p20f ? BvhProbe::Reach::nothing : BvhProbe::Reach::everything;
    }
    return out;
}

/// Lower bound of the gap between the probe's volume and each child of a node. At most 0 if they may overlap;
/// the lower, the deeper.
inline Float4 gap_bounds(const BvhRelation& relation, const BvhProbe& y, const BvhNode& x) {
    const Float4 dx = load4(x.cx) - y.cx, dy = load4(x.cy) - y.cy, dz = load4(x.cz) - y.cz;
    const Float4 ex = load4(x.ex), ey = load4(x.ey), ez = load4(x.ez);
    const Float4 ax = abs4(dx), ay = abs4(dy), az = abs4(dz);
    Float4 out = max4(max4(ax - (ex + y.box[0]), ay - (ey + y.box[1])), az - (ez + y.box[2]));
    if (!relation.rigid) return out - (y.slack + relation.slack * (ax + ay + az + ex + ey + ez));
    const Float4 r = load4(x.radius), t = load4(x.thickness);
    const Float4 nx = load4(x.nx), ny = load4(x.ny), nz = load4(x.nz);
    const Float4 wx = ny * y.nz - nz * y.ny, wy = nz * y.nx - nx * y.nz, wz = nx * y.ny - ny * y.nx;
    const Float4 sine = sqrt4(wx * wx + wy * wy + wz * wz);
    const Float4 cosine = abs4(nx * y.nx + ny * y.ny + nz * y.nz);
    out = max4(out, abs4(nx * dx + ny * dy + nz * dz) - (t + y.thickness * cosine + y.radius * sine));
    out = max4(out, abs4(y.nx * dx + y.ny * dy + y.nz * dz) - (y.thickness + t * cosine + r * sine));
    const auto& m = relation.turn;
    const auto& a = relation.size;
    for (std::size_t k = 0; k < 3; ++k)
        out = max4(out, abs4(m[0][k] * dx + m[1][k] * dy + m[2][k] * dz) -
                            (y.half[k] + a[0][k] * ex + a[1][k] * ey + a[2][k] * ez));
    return out - (y.slack + relation.slack * (ax + ay + az + (r + t)));
}

/// Bit i: the probe's volume may overlap child i of the node.
inline unsigned may_overlap(const BvhProbe& y, const BvhNode& x, Float4 gaps) {
    Int4 child;
    __builtin_memcpy(&child, x.child, sizeof child);
    const unsigned present = mask_bits4(child != Int4{-1, -1, -1, -1});
    if (y.reach != BvhProbe::Reach::normal) [[unlikely]]
        return y.reach == BvhProbe::Reach::nothing ? 0 : present;
    return present & mask_bits4(gaps <= splat4(0));
}

}  // namespace claybox::collision
