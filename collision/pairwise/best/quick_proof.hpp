#pragma once
// Proofs in float about two hulls with support tables, a few instructions each. Most queries end with one.
// Both proofs hold for any finite matrices: sheared, mirrored, flat, tiny or huge. Outside the range that a
// derivation assumes, nothing is proved; collision/exact decides then.
//
// Notation: uf = 2^-24 is half a unit in the last place of float. V and W are the largest coordinates of A's
// and B's vertices in their own frames, M and N the linear parts of their matrices. |n| <= 1 in every
// coordinate.

#include "collision/exact/solid.hpp"
#include "collision/pairwise/support/support_table.hpp"

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
        min_gap_ = in_range ? 0x1p-20f * size_ : std::numeric_limits<float>::infinity();
    }

    /// The result of a search along a direction. `gap` is the distance of the bodies along it, rounded.
    struct Step {
        SupportTable::Found a, b;
        float gap;
    };
    /// n points from A to B. Requires |n| <= 1 in every coordinate.
    [[gnu::always_inline]] Step search(Float4 n) const {
        Step s{a_.search(n), b_.search(-n), 0};
        s.gap = dot4(n, apart_) - s.a.height - s.b.height;
        return s;
    }

    // Error bound of the gap. With g* = M^T n exact and s_k = sum_r |M_rk|, each coordinate of the rotated
    // direction g has three products and two sums: |g - g*|_k <= 3.1 uf s_k. The vertex v* furthest along g*
    // is in the cell that the search used (certain(); TableBuilder), so the height found is at least
    // fl(g.v*). That differs from g*.v* by 3.1 uf sum s_k V_k because of g and by 3.1 uf sum |g_k| V_k
    // because of its own rounding: below 7 uf S, with S = sum_k s_k V_k. A therefore reaches no further along
    // n than the height found plus 7 uf S_A; the same holds for B. n.apart, with three roundings per term, is
    // off by 4.1 uf D, where D is the sum of apart's coordinates. The last two differences add 2.1 uf (S_A +
    // S_B + D). The sum is below 10 uf size_. 16 covers the rounding of size_ itself, and underflow: no
    // product loses more than 2^-150, so for |V| <= 2^60 underflow costs less than 2^-85, which is below 6 uf
    // size_ for size_ >= 2^-60. Up to 2^120 nothing overflows.
    /// True only if all of A is proved to be before all of B along the direction of this step.
    bool proves_separation(const Step& s) const {
        return s.gap > min_gap_ && a_.certain(s.a.certainty) && b_.certain(s.b.certainty);
    }

    /// The axis that best separates two ellipsoids of the bodies' extents, where their extents along it are
    /// equal: (E + F)^-1 (b - a) with their matrices E and F. Proves nothing. Large numbers overflow; flat
    /// bodies may yield no axis.
    Float4 guess() const {
        const auto next = [](Float4 v) { return shuffle4<1, 2, 0, 3>(v); };
        const auto last = [](Float4 v) { return shuffle4<2, 0, 1, 3>(v); };
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
            add_column(column.x, shuffle4<0, 0, 0, 0>(squares), shuffle4<0, 0, 0, 0>(middle));
            add_column(column.y, shuffle4<1, 1, 1, 1>(squares), shuffle4<1, 1, 1, 1>(middle));
            add_column(column.z, shuffle4<2, 2, 2, 2>(squares), shuffle4<2, 2, 2, 2>(middle));
        };
        add(a_, -1);
        add(b_, 1);
        const Float4 a = next(diagonal) * last(diagonal) - others * others;
        const Float4 b = next(others) * last(others) - diagonal * others;
        return a * apart + last(b) * next(apart) + next(b) * last(apart);
    }

    /// A lower bound of the bodies' distance along an axis, and vertices that are almost the furthest.
    struct Bound {
        const OuterCells::Cell *a, *b;
        float gap;
        bool proven;
    };
    /// Error bound: each lane's terms have five roundings, the directions 3.1 uf as above, `apart` one:
    /// together again below 10 uf size_. No vertex is further than the cells' points, whose coordinates are
    /// part of size_. Requires |n| <= 1 in every coordinate.
    [[gnu::always_inline]] Bound bound(Float4 n) const {
        const Float4 in_a = a_.turned(n), in_b = b_.turned(n);
        const OuterCells::Found a = a_.table().outer(in_a), b = b_.table().outer(-in_b);
        const Float4 sum = n * apart_ - in_a * load4(a.cell->point) + in_b * load4(b.cell->point);
        const float gap = sum[0] + sum[1] + sum[2];
        const Int4 certain = a_.certain4(a.size) & b_.certain4(b.size);
        return {a.cell, b.cell, gap, gap > min_gap_ && mask_bits4(certain) == 15};
    }

    /// x, y, z of a vertex in its hull's frame.
    Float4 vertex_a(std::uint32_t v) const { return a_.table().vertex(v); }
    Float4 vertex_b(std::uint32_t v) const { return b_.table().vertex(v); }
    /// Whether both hulls are scanned. A search then costs no more than a bound.
    bool scans() const { return a_.table().resolution() == 0 && b_.table().resolution() == 0; }
    /// x, y, z of the vertex found by a search, in its hull's frame.
    Float4 position_a(const Step& s) const { return load4(s.a.at); }
    Float4 position_b(const Step& s) const { return load4(s.b.at); }
    /// The quantity to which the bounds are relative: the sum of both bodies' largest coordinates.
    float size() const { return size_; }
    const ConvexHull& hull_a() const { return a_.table().hull(); }
    const ConvexHull& hull_b() const { return b_.table().hull(); }

    /// a - b of four pairs in world directions, one pair per lane.
    Points4 differences(const VertexPair (&pairs)[4]) const;
    /// True only if the origin is proved to be inside the simplex of the differences. They must come from
    /// differences() or WorldDifference.
    bool proves_collision(const Points4& points) const;

  private:
    PlacedTable a_, b_;
    Float4 apart_;   ///< vector from A's origin to B's
    float size_;     ///< S_A + S_B + D above
    float min_gap_;  ///< smallest gap that proves a separation
};

/// Points of the difference A - B in world directions; the last lane is 0.
class WorldDifference {
  public:
    WorldDifference(const Matrix34f& world_from_a, const Matrix34f& world_from_b)
        : a_(columns(world_from_a)),
          b_(columns(world_from_b)),
          apart_{world_from_b.m[3] - world_from_a.m[3], world_from_b.m[7] - world_from_a.m[7],
                 world_from_b.m[11] - world_from_a.m[11], 0} {}

    /// `a` and `b`: a vertex of each hull, in the hull's frame.
    Float4 operator()(Float4 a, Float4 b) const { return turned(a_, a) - turned(b_, b) - apart_; }

  private:
    static Points4 columns(const Matrix34f& m) {
        return transpose4(load4(&m.m[0]), load4(&m.m[4]), load4(&m.m[8]), Float4{});
    }
    static Float4 turned(const Points4& m, Float4 p) {
        return m.x * shuffle4<0, 0, 0, 0>(p) + m.y * shuffle4<1, 1, 1, 1>(p) + m.z * shuffle4<2, 2, 2, 2>(p);
    }

    Points4 a_, b_;
    Float4 apart_;
};

// Error bound. Coordinate r of a difference sums three terms of A, three of B and one of `apart`, each after
// at most five roundings. It is off by at most e = 8 uf T, where T is at least the sum of the terms'
// magnitudes for every r; size_ is such a T, because it sums all rows. With G = P + e, P the largest
// coordinate found, each of the six products of a determinant changes by at most 3 e G^2, and the evaluation
// adds five roundings each, 30 uf P^3. Together: 144 uf T G^2 + 30 uf G^3 <= 175 uf T G^2, because P <= T (1
// + 8 uf). 192 covers the bound's own rounding and 2^-80 covers underflow: for T from 2^-30 to 2^30 underflow
// costs less than 2^-52 uf of a coordinate's spare 3 uf T, and 2^-110 of a determinant.
inline bool QuickProof::proves_collision(const Points4& p) const {
    const float coarse = 8 * 0x1p-24f * size_;
    const float grown = largest4(max4(max4(abs4(p.x), abs4(p.y)), abs4(p.z)))[0] + coarse;
    const Float4 limit = splat4(192 * 0x1p-24f * size_ * grown * grown + 0x1p-80f);
    const Float4 volume = volumes4(p);
    return (mask_bits4(volume > limit) == 15 || mask_bits4(volume < -limit) == 15) && size_ >= 0x1p-30f &&
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
