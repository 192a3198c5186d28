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
//   along d: |d| > sqrt(r^2 + t^2) + sqrt(r'^2 + t'^2);
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
    double off = 0;           ///< what the image of a point may be off by, by axis
    double stretch = 1;       ///< s, when rigid
    bool rigid = false;       ///< a rotation, perhaps with a reflection, times s
    float slack = 0;          ///< of |d|, r and t
    float least = 0;          ///< of everything
    Float4 turn[9], size[9];  ///< M / s or M, row by row, and its magnitudes, rounded up
};

/// False where nothing is proven well enough to be of use.
bool relate(const PlacedBvh& x, const PlacedBvh& y, BvhRelation& out);

/// One volume of Y in the frame of X.
struct BvhProbe {
    Float4 cx, cy, cz, nx, ny, nz, radius, thickness, ball, slack;
    Float4 box[3];   ///< what its box reaches along the axes of X
    Float4 half[3];  ///< half the size of its box along its own axes
    enum class Reach : unsigned char { normal, everything, nothing } reach = Reach::normal;

    BvhProbe(const BvhRelation& relation, const BvhVolume& y);
};

/// Bit i: the probe's volume may meet child i of the node.
unsigned may_meet(const BvhRelation& relation, const BvhProbe& y, const BvhNode& x);

}  // namespace claybox::collision
