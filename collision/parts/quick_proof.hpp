#pragma once
// Proofs about two hulls with support tables in float, a few instructions each: what most queries end with.
// Both hold for any finite matrices, sheared, mirrored, flat, tiny or huge ones; outside of the range that a
// derivation assumes nothing is proven. What is not proven here is left to collision/exact.
//
// uf = 2^-24 is half a unit of float's last place. V and W are the largest coordinates of A's and B's
// vertices in their own frames, M and N the linear parts of their matrices, |n| <= 1 in every coordinate.

#include "collision/exact/solid.hpp"
#include "collision/parts/support_table.hpp"

#include <limits>

namespace claybox::collision {

class QuickProof {
  public:
    static constexpr bool kBounds = true;
    QuickProof(const SupportTable& a, const Matrix34f& world_from_a, const SupportTable& b,
               const Matrix34f& world_from_b)
        : a_(a, world_from_a), b_(b, world_from_b) {
        const auto lasts = [](const Float4* row) {
            const Float4 xy = __builtin_shufflevector(row[0], row[1], 3, 7, 3, 7);
            return __builtin_shufflevector(xy, row[2], 0, 1, 7, 7);
        };
        apart_ = lasts(b_.rows()) - lasts(a_.rows());
        apart_ = apart_ * Float4{1, 1, 1, 0};
        size_ = sum4(a_.spread() + b_.spread() + abs4(apart_));
        const bool in_range = size_ >= 0x1p-60f && size_ <= 0x1p120f;
        least_gap_ = in_range ? 0x1p-20f * size_ : std::numeric_limits<float>::infinity();
    }

    /// What a search along a direction found. `gap` is how far apart the bodies are along it, rounded.
    struct Step {
        SupportTable::Found a, b;
        float gap;
    };
    /// No coordinate of n, which points from A to B, may be larger than 1.
    [[gnu::always_inline]] Step search(Float4 n) const {
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
        return s.gap > least_gap_ && a_.certain(s.a.certainty) && b_.certain(s.b.certainty);
    }

    /// The axis that separates best two ellipsoids of the bodies' extents, where their reaches along it are
    /// equal: with their matrices E and F, (E + F)^-1 (b - a). Proves nothing. Large numbers overflow, flat
    /// bodies may give none.
    Float4 guess() const {
        const auto next = [](Float4 v) { return lanes4<1, 2, 0, 3>(v); };
        const auto last = [](Float4 v) { return lanes4<2, 0, 1, 3>(v); };
        Float4 diagonal{}, others{}, apart = apart_;  // others: yz, zx, xy
        const auto add = [&](const PlacedTable& body, float side) {
            const Points4 column = transpose4(body.rows()[0], body.rows()[1], body.rows()[2], Float4{});
            const Float4 squares = body.table().squared_extents(),
                         middle = body.table().middle() * splat4(side);
            const auto add_column = [&](Float4 c, Float4 square, Float4 at) {
                const Float4 weighed = c * square;
                diagonal = diagonal + weighed * c;
                others = others + next(weighed) * last(c);
                apart = apart + c * at;
            };
            add_column(column.x, lanes4<0, 0, 0, 0>(squares), lanes4<0, 0, 0, 0>(middle));
            add_column(column.y, lanes4<1, 1, 1, 1>(squares), lanes4<1, 1, 1, 1>(middle));
            add_column(column.z, lanes4<2, 2, 2, 2>(squares), lanes4<2, 2, 2, 2>(middle));
        };
        add(a_, -1);
        add(b_, 1);
        const Float4 a = next(diagonal) * last(diagonal) - others * others;
        const Float4 b = next(others) * last(others) - diagonal * others;
        return a * apart + last(b) * next(apart) + next(b) * last(apart);
    }

    /// How far apart the bodies are at least along an axis, and vertices that are nearly the furthest.
    struct Bound {
        const OuterCells::Cell *a, *b;
        float gap;
        bool proven;
    };
    /// Of a term of a lane five roundings, of the directions 3.1 uf as above, of `apart` one: together below
    /// 10 uf size_ again. No vertex reaches further than the cells' points, whose coordinates size_ has in
    /// it. No coordinate of n may be larger than 1.
    [[gnu::always_inline]] Bound bound(Float4 n) const {
        const Float4 in_a = a_.turned(n), in_b = b_.turned(n);
        const OuterCells::Found a = a_.table().outer(in_a), b = b_.table().outer(-in_b);
        const Float4 sum = n * apart_ - in_a * load4(a.cell->point) + in_b * load4(b.cell->point);
        const float gap = sum[0] + sum[1] + sum[2];
        const Int4 certain = a_.certain4(a.size) & b_.certain4(b.size);
        return {a.cell, b.cell, gap, gap > least_gap_ && bits4(certain) == 15};
    }

    /// The point a - b of the difference, rounded.
    Float4 vertex_a(std::uint32_t v) const { return a_.table().vertex(v); }
    Float4 vertex_b(std::uint32_t v) const { return b_.table().vertex(v); }
    /// Both are scanned, so that a search is as cheap as a bound.
    bool scans() const { return a_.table().resolution() == 0 && b_.table().resolution() == 0; }
    /// Of what a search has found, x, y, z in its hull's frame.
    Float4 position_a(const Step& s) const { return load4(s.a.at); }
    Float4 position_b(const Step& s) const { return load4(s.b.at); }
    /// What the bounds are parts of: how far coordinates of both bodies reach, summed.
    float size() const { return size_; }
    const ConvexHull& hull_a() const { return a_.table().hull(); }
    const ConvexHull& hull_b() const { return b_.table().hull(); }

    /// a - b in the world's directions of four pairs, one a lane.
    Points4 differences(const VertexPair (&pairs)[4]) const;
    /// True only when the origin is proven to lie inside the simplex of differences, which were computed here
    /// or as WorldDifference does.
    bool proves_collision(const Points4& points) const;

  private:
    PlacedTable a_, b_;
    Float4 apart_;     ///< of the origins, from A to B
    float size_;       ///< S_A + S_B + D above
    float least_gap_;  ///< that proves a separation
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

inline Points4 QuickProof::differences(const VertexPair (&pairs)[4]) const {
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
    return {coordinate(0, apart_[0]), coordinate(1, apart_[1]), coordinate(2, apart_[2])};
}

}  // namespace claybox::collision
