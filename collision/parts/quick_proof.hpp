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
        const Float4 ta{world_from_a.m[3], world_from_a.m[7], world_from_a.m[11], 0},
            tb{world_from_b.m[3], world_from_b.m[7], world_from_b.m[11], 0};
        apart_ = tb - ta;
        size_ = sum4(a_.spread() + b_.spread() + abs4(apart_));
    }

    /// What a search along a direction found. `gap` is how far apart the bodies are along it, rounded.
    struct Step {
        SupportTable::Found a, b;
        float gap;
    };
    /// No coordinate of n, which points from A to B, may be larger than 1.
    Step search(Float4 n) const {
        Step s{a_.search(n), b_.search(-n), 0};
        s.gap = dot4(n, apart_) - s.a.height - s.b.height;
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
    Float4 vertex_a(std::uint32_t v) const { return a_.table().vertex(v); }
    Float4 vertex_b(std::uint32_t v) const { return b_.table().vertex(v); }
    /// Of what a search has found, x, y, z in its hull's frame.
    Float4 position_a(const Step& s) const { return load4(s.a.at); }
    Float4 position_b(const Step& s) const { return load4(s.b.at); }
    /// What the bounds are parts of: how far coordinates of both bodies reach, summed.
    float size() const { return size_; }
    const ConvexHull& hull_a() const { return a_.table().hull(); }
    const ConvexHull& hull_b() const { return b_.table().hull(); }

    /// True only when the origin is proven to lie inside the simplex of the pairs' differences.
    bool proves_collision(const VertexPair (&pairs)[4]) const;
    /// The same when the differences were computed as WorldDifference does.
    bool proves_collision(const Points4& points) const;

  private:
    PlacedTable a_, b_;
    Float4 apart_;  ///< of the origins, from A to B
    float size_;    ///< S_A + S_B + D below
};

/// Points of the difference A - B in the world's directions, the last lane 0.
class WorldDifference {
  public:
    WorldDifference(const Matrix34f& world_from_a, const Matrix34f& world_from_b)
        : a_(columns(world_from_a)),
          b_(columns(world_from_b)),
          apart_{world_from_b.m[3] - world_from_a.m[3], world_from_b.m[7] - world_from_a.m[7],
                 world_from_b.m[11] - world_from_a.m[11], 0} {}

    /// Of a vertex of each, in its hull's frame.
    Float4 operator()(Float4 a, Float4 b) const { return turned(a_, a) - turned(b_, b) - apart_; }

  private:
    static Points4 columns(const Matrix34f& m) {
        return transpose4(load4(&m.m[0]), load4(&m.m[4]), load4(&m.m[8]), Float4{});
    }
    static Float4 turned(const Points4& m, Float4 p) {
        return m.x * lanes4<0, 0, 0, 0>(p) + m.y * lanes4<1, 1, 1, 1>(p) + m.z * lanes4<2, 2, 2, 2>(p);
    }

    Points4 a_, b_;
    Float4 apart_;
};

// Coordinate r of a difference sums three terms of A, three of B and one of `apart`, each after at most five
// roundings: off by e = 8 uf T at most, T being at least the sum of the terms' magnitudes for every r. size_
// is such a T: it sums all rows. With G = P + e, P the largest coordinate found, each of the six products of
// a determinant moves by 3 e G^2 at most, and evaluation adds five roundings each, 30 uf P^3: together 144 uf
// T G^2 + 30 uf G^3 <= 175 uf T G^2, because P <= T (1 + 8 uf). 192 leaves room for the bound's own rounding,
// and 2^-80 for what underflow takes away: with T from 2^-30 to 2^30, less than 2^-52 uf of a coordinate's 3
// uf T to spare, and 2^-110 of a determinant.
inline bool QuickProof::proves_collision(const Points4& p) const {
    const float coarse = 8 * 0x1p-24f * size_;
    const float grown = largest4(max4(max4(abs4(p.x), abs4(p.y)), abs4(p.z)))[0] + coarse;
    const Float4 limit = splat4(192 * 0x1p-24f * size_ * grown * grown + 0x1p-80f);
    const Float4 volume = volumes4(p);
    return (bits4(volume > limit) == 15 || bits4(volume < -limit) == 15) && size_ >= 0x1p-30f &&
           size_ <= 0x1p30f;
}

inline bool QuickProof::proves_collision(const VertexPair (&pairs)[4]) const {
    const Points4 a =
        transpose4(vertex_a(pairs[0].a), vertex_a(pairs[1].a), vertex_a(pairs[2].a), vertex_a(pairs[3].a));
    const Points4 b =
        transpose4(vertex_b(pairs[0].b), vertex_b(pairs[1].b), vertex_b(pairs[2].b), vertex_b(pairs[3].b));
    const auto coordinate = [&](int r, float apart) {
        const Float4 m = a_.rows()[r], n = b_.rows()[r];
        const Float4 in_a = splat4(m[0]) * a.x + splat4(m[1]) * a.y + splat4(m[2]) * a.z;
        const Float4 in_b = splat4(n[0]) * b.x + splat4(n[1]) * b.y + splat4(n[2]) * b.z;
        return in_a - in_b - splat4(apart);
    };
    return proves_collision(
        Points4{coordinate(0, apart_[0]), coordinate(1, apart_[1]), coordinate(2, apart_[2])});
}

}  // namespace claybox::collision
