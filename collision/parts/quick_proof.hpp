#pragma once
// Proofs about two hulls with support tables in float, a few instructions each: what most queries end with.
// Both hold for any finite matrices, sheared, mirrored, flat, tiny or huge ones; outside of the range that a
// derivation assumes nothing is proven. What is not proven here is left to collision/exact.
//
// uf = 2^-24 is half a unit of float's last place. V and W are the largest coordinates of A's and B's
// vertices in their own frames, M and N the linear parts of their matrices, |n| <= 1 in every coordinate.

#include "collision/exact/solid.hpp"
#include "collision/parts/support_table.hpp"

#include <algorithm>

namespace claybox::collision {

class QuickProof {
  public:
    QuickProof(const SupportTable& a, const Matrix34f& world_from_a, const SupportTable& b,
               const Matrix34f& world_from_b)
        : a_(a, world_from_a), b_(b, world_from_b) {
        const auto &ta = world_from_a.m, &tb = world_from_b.m;
        apart_ = {tb[3] - ta[3], tb[7] - ta[7], tb[11] - ta[11]};
        const Float4 apart = abs4(Float4{apart_.x, apart_.y, apart_.z, 0});
        size_ = sum4(a_.spread() + b_.spread() + apart);
    }

    /// What a search along a direction found. `gap` is how far apart the bodies are along it, rounded.
    struct Step {
        SupportTable::Found a, b;
        float gap;
    };
    /// No coordinate of n, which points from A to B, may be larger than 1.
    Step search(const Vec3f& n) const {
        Step s{a_.search(n), b_.search(-n), 0};
        s.gap = dot(n, apart_) - s.a.height - s.b.height;
        return s;
    }

    // With g* = M^T n exact and s_k = sum_r |M_rk|, the rotated direction g has three products and two sums a
    // coordinate: |g - g*|_k <= 3.1 uf s_k. The vertex v* that is furthest along g* is in the cell that the
    // search looked at (certain(); TableBuilder), so the height found is at least fl(g.v*), which misses
    // g*.v* by 3.1 uf sum s_k V_k for g and 3.1 uf sum |g_k| V_k for its own rounding: below 7 uf S, with
    // S = sum_k s_k V_k. So A reaches no further along n than the height found plus 7 uf S_A, and B alike.
    // n.apart with its three roundings a term misses by 4.1 uf D, D the sum of apart's coordinates. The two
    // last differences add 2.1 uf (S_A + S_B + D). Together below 10 uf size_; 16 leaves room for the
    // rounding of size_ itself, and for underflow: no product loses more than 2^-150, so that with |V| <=
    // 2^60 everything that underflow can take is below 2^-85, less than 6 uf size_ for size_ >= 2^-60. Up to
    // 2^120 nothing overflows.
    /// True only when all of A is proven to lie before all of B along the direction of this step.
    bool proves_separation(const Step& s) const {
        constexpr float kBound = 0x1p-20f;
        return s.gap > kBound * size_ && size_ >= 0x1p-60f && size_ <= 0x1p120f && a_.certain(s.a) &&
               b_.certain(s.b);
    }

    /// The point a - b of the difference, rounded.
    Vec3f difference(Float4 a, Float4 b) const { return a_.turned(a) - b_.turned(b) - apart_; }
    Vec3f difference(const VertexPair& pair) const {
        return difference(a_.table().vertex(pair.a), b_.table().vertex(pair.b));
    }
    const Vec3f& apart() const { return apart_; }

    bool proves_collision(const VertexPair (&pairs)[4]) const;

  private:
    PlacedTable a_, b_;
    Vec3f apart_;  ///< of the origins, from A to B
    float size_;   ///< S_A + S_B + D below
};

// Coordinate r of a difference sums three terms of A, three of B and one of `apart`, each after at most five
// roundings: off by e = 8 uf T at most, T being at least the sum of the terms' magnitudes for every r. size_
// is such a T: it sums all rows. With G = P + e, P the largest coordinate found, each of the six products of
// a determinant moves by 3 e G^2 at most, and evaluation adds five roundings each, 30 uf P^3: together 144 uf
// T G^2 + 30 uf G^3 <= 175 uf T G^2, because P <= T (1 + 8 uf). 192 leaves room for the bound's own rounding,
// and 2^-80 for what underflow takes away: with T from 2^-30 to 2^30, less than 2^-52 uf of a coordinate's 3
// uf T to spare, and 2^-110 of a determinant.
/// True only when the origin is proven to lie inside the simplex of the pairs' differences.
inline bool QuickProof::proves_collision(const VertexPair (&pairs)[4]) const {
    const auto at = [&](const SupportTable& t, std::uint32_t VertexPair::*side) {
        return transpose4(t.vertex(pairs[0].*side), t.vertex(pairs[1].*side), t.vertex(pairs[2].*side),
                          t.vertex(pairs[3].*side));
    };
    const Points4 pa = at(a_.table(), &VertexPair::a), pb = at(b_.table(), &VertexPair::b);
    const auto coordinate = [&](int r, float apart) {
        const Float4 m = a_.rows()[r], n = b_.rows()[r];
        const Float4 in_a = splat4(m[0]) * pa.x + splat4(m[1]) * pa.y + splat4(m[2]) * pa.z;
        const Float4 in_b = splat4(n[0]) * pb.x + splat4(n[1]) * pb.y + splat4(n[2]) * pb.z;
        return in_a - in_b - splat4(apart);
    };
    const Float4 x = coordinate(0, apart_.x), y = coordinate(1, apart_.y), z = coordinate(2, apart_.z);
    const float coarse = 8 * 0x1p-24f * size_;
    const float grown = largest4(max4(max4(abs4(x), abs4(y)), abs4(z)))[0] + coarse;
    const float bound = 192 * 0x1p-24f * size_ * grown * grown + 0x1p-80f;
    // Lane i: the determinant of the other three; their order alternates in sign.
    const auto turn = [](Float4 v) { return lanes4<1, 2, 3, 0>(v); };
    const Float4 x1 = turn(x), y1 = turn(y), z1 = turn(z), x2 = turn(x1), y2 = turn(y1), z2 = turn(z1),
                 x3 = turn(x2), y3 = turn(y2), z3 = turn(z2);
    const Float4 volume = (x1 * (y2 * z3 - z2 * y3) + y1 * (z2 * x3 - x2 * z3) + z1 * (x2 * y3 - y2 * x3)) *
                          Float4{1, -1, 1, -1};
    const Float4 limit = splat4(bound);
    return (bits4(volume > limit) == 15 || bits4(volume < -limit) == 15) && size_ >= 0x1p-30f &&
           size_ <= 0x1p30f;
}

}  // namespace claybox::collision
