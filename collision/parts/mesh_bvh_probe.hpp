#pragma once
// Whether a volume of one tree may meet the four children of a node of another: axes that prove the contrary.
//
// Let X be the tree whose node is asked about and Y the other. N is what double makes of the inverse of X's
// linear part, whatever its quality, and M x + T the map N (w_Y(y) - t_X) as computed, both in the frames of
// the trees. If a point of the world belongs to both surfaces, at x and at y, then M y + T = x + (N L_X - I)
// x plus roundings of double, so it is within `off` of x, by axis, and `off` is computed with every magnitude
// enlarged: see relate(). No property of N is used but that it is finite. A singular matrix makes `off`
// large: then relate() refuses, and the caller goes another way.
//
// Now in the frame of X, with u = 2^-24. Let c, n, r, t be of a child and c', n', r', t' of the image of Y's
// volume. The image of a disc is a disc where M is a multiple s of a rotation; that M^T M is s^2 I within
// delta s^2 by element makes what a disc reaches along any direction wrong by at most 3 delta (r' + t'). Axes
// are unit vectors within 2^-21. With d = c - c':
//   along n: |n.d| > t + t' |n.n'| + r' |n x n'|;   along n' alike;
//   along the axes of X: |d_k| > e_k + sum |M_kj| e'_j, for any M;   along those of Y alike, for multiples of
//   rotations.
// The components of c' are rounded from double, by u |c'| <= u (|d| + |c|), d by u |d|; n' is off by 7 u; a
// dot product with d adds 3 u |d|, sums of lengths six roundings of their terms. Together less than 30 u
// (|d|_1 + r
// + t + r' + t') + 4 u |c| and what delta and off cost; kSlack is twice that. Half
// sizes of boxes and what they reach are stored larger by 2^-21 at least, which is more than the roundings of
// their sums. Sums that underflow are of no account beside 4 u |c|, as c is at
// most the size of the tree, which is taken as `reach`.

#include "collision/parts/mesh_bvh.hpp"
#include "collision/simd/float4.hpp"

#include <array>

namespace claybox::collision {

/// The tree of one body and where the body is.
struct PlacedBvh {
    const MeshBvh* tree = nullptr;
    const Geometry* geometry = nullptr;
    const Matrix34f* world_from_body = nullptr;
};

/// How tree Y lies in the frame of tree X.
struct BvhRelation {
    Matrix34d x_from_y;
    std::array<Vec3d, 3> inverse;           ///< the rows of N, before it was brought to the tree's scale
    double off = 0;                         ///< what the image of a point may be off by, by axis
    double stretch = 1;                     ///< s, when rigid
    float length = 1;                       ///< s rounded up
    float row_sum = 1;                      ///< the largest sum of the magnitudes of a row of M, rounded up
    bool rigid = false;                     ///< a rotation, perhaps with a reflection, times s
    Float4 slack;                           ///< of |d|, r and t
    Float4 least;                           ///< of everything
    Float4 turn[3][3], size[3][3];          ///< M / s or M, [row][column], and its magnitudes, rounded up
    Float4 turn_column[3], size_column[3];  ///< the same, a column in the first three lanes
};

/// False where nothing is proven well enough to be of use.
bool relate(const PlacedBvh& x, const PlacedBvh& y, BvhRelation& out);

/// Metres of the world, at least, for a unit of the frame of the body's tree; 0 where nothing is proven.
float world_per_unit(const BvhRelation& x_from_y, const PlacedBvh& x);

/// One volume of Y in the frame of X.
struct BvhProbe {
    Float4 cx, cy, cz, nx, ny, nz, radius, thickness, slack;
    Float4 box[3];   ///< what its box reaches along the axes of X
    Float4 half[3];  ///< half the size of its box along its own axes
    enum class Reach : unsigned char { normal, everything, nothing } reach;
};

/// Lengths are made larger by this, which is more than the roundings of the few sums and products behind
/// them.
inline constexpr float kBvhGrow = 1 + 0x1p-20f;

/// Beyond this size, in the frame of X, squares would leave float.
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
    // `size` is of M / s where M is rigid: `half` has s already.
    const Float4 reach = (relation.size_column[0] * lanes4<0, 0, 0, 0>(half) +
                          relation.size_column[1] * lanes4<1, 1, 1, 1>(half) +
                          relation.size_column[2] * lanes4<2, 2, 2, 2>(half)) *
                         grow;
    const Float4 n = relation.turn_column[0] * splat4(y.nx[lane]) +
                     relation.turn_column[1] * splat4(y.ny[lane]) +
                     relation.turn_column[2] * splat4(y.nz[lane]);
    out.box[0] = lanes4<0, 0, 0, 0>(reach), out.box[1] = lanes4<1, 1, 1, 1>(reach),
    out.box[2] = lanes4<2, 2, 2, 2>(reach);
    out.half[0] = lanes4<0, 0, 0, 0>(half), out.half[1] = lanes4<1, 1, 1, 1>(half),
    out.half[2] = lanes4<2, 2, 2, 2>(half);
    out.nx = lanes4<0, 0, 0, 0>(n), out.ny = lanes4<1, 1, 1, 1>(n), out.nz = lanes4<2, 2, 2, 2>(n);
    const Float4 length = splat4(relation.length * kBvhGrow);
    out.radius = splat4(y.radius[lane]) * length, out.thickness = splat4(y.thickness[lane]) * length;
    const Float4 extent = relation.rigid ? lanes4<3, 3, 3, 3>(half) : out.box[0] + out.box[1] + out.box[2];
    out.slack = relation.least + relation.slack * extent;
    const Float4 far = max4(abs4(Float4{px, py, pz, 0}), reach);
    out.reach = BvhProbe::Reach::normal;
    if (bits4(far < splat4(kBvhFar)) != 15) [[unlikely]] {
        // Everything of X is within 2^13 of its origin.
        const Float4 centre = largest4(abs4(Float4{px, py, pz, 0})), size = largest4(reach);
        out.reach =
            centre[0] > 4 * size[0] + 0x1p20f ? BvhProbe::Reach::nothing : BvhProbe::Reach::everything;
    }
    return out;
}

/// How far the probe's volume is from each child of a node, at least; at most 0 where they may meet, and the
/// lower, the deeper.
inline Float4 apart_by(const BvhRelation& relation, const BvhProbe& y, const BvhNode& x) {
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

/// Bit i: the probe's volume may meet child i of the node.
inline unsigned may_meet(const BvhProbe& y, const BvhNode& x, Float4 apart) {
    Int4 child;
    __builtin_memcpy(&child, x.child, sizeof child);
    const unsigned present = bits4(child != Int4{-1, -1, -1, -1});
    if (y.reach != BvhProbe::Reach::normal) [[unlikely]]
        return y.reach == BvhProbe::Reach::nothing ? 0 : present;
    return present & bits4(apart <= splat4(0));
}

}  // namespace claybox::collision
