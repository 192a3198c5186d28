#pragma once
// A simplex of the difference of two hulls in float, for boolean walks that are proven afterwards: what
// counts is speed. A wrong step costs time, never a wrong answer. parts/simplex.hpp is the careful one, in
// any type.

#include "collision/exact/solid.hpp"
#include "collision/simd/float4.hpp"

namespace claybox::collision {

/// Up to four points; the last lane of each is 0.
class FloatSimplex {
  public:
    int count() const { return count_; }
    Float4 point(int i) const { return load4(at_[i]); }
    Points4 points() const { return transpose4(point(0), point(1), point(2), point(3)); }
    const VertexPair (&pairs() const)[4] { return pair_; }

    bool holds(const VertexPair& p) const {
        bool found = false;
        for (int i = 0; i < count_; ++i) found |= pair_[i].a == p.a && pair_[i].b == p.b;
        return found;
    }
    void add(Float4 point, const VertexPair& pair) {
        store4(at_[count_], point);
        pair_[count_++] = pair;
    }

    struct Nearest {
        Float4 towards;     ///< some multiple of the way from the origin to the nearest point
        float norm = 0;     ///< the squared length of that way
        unsigned kept = 0;  ///< bit i: point i is a corner of the face that the nearest point lies on
    };
    /// Leaves the corners of the face nearest to the origin; all four when they surround it.
    Nearest reduce() {
        const Nearest best = count_ == 4   ? of_tetrahedron()
                             : count_ == 3 ? of_triangle(0, 1, 2)
                             : count_ == 2 ? of_segment(0, 1)
                                           : of_point(0);
        int kept = 0;
        for (int i = 0; i < count_; ++i) {
            store4(at_[kept], point(i));
            pair_[kept] = pair_[i];
            kept += static_cast<int>(best.kept >> i & 1u);
        }
        count_ = kept;
        return best;
    }

  private:
    static Nearest found(Float4 at, unsigned kept) { return {at, dot4(at, at), kept}; }
    Nearest of_point(int i) const { return found(point(i), 1u << i); }

    Nearest of_segment(int i, int j) const {
        const Float4 a = point(i), ab = point(j) - a;
        const float along = -dot4(a, ab), whole = dot4(ab, ab);
        if (!(along > 0)) return of_point(i);
        if (!(along < whole)) return of_point(j);
        return found(a + splat4(along / whole) * ab, 1u << i | 1u << j);
    }

    /// By the regions of the triangle's plane (Ericson, Real-time collision detection, 5.1.5). Lanes 0 to 2
    /// are the corners.
    Nearest of_triangle(int i, int j, int k) const {
        const Float4 a = point(i), ab = point(j) - a, ac = point(k) - a;
        const Points4 p = transpose4(a, point(j), point(k), a);
        const auto from_corners = [&](Float4 v) {
            return -(p.x * lanes4<0, 0, 0, 0>(v) + p.y * lanes4<1, 1, 1, 1>(v) + p.z * lanes4<2, 2, 2, 2>(v));
        };
        const Float4 along_ab = from_corners(ab), along_ac = from_corners(ac);
        const Float4 over = cross4(along_ab, along_ac);  // weights of the corners
        if ((bits4(over > Float4{}) & 7u) == 7u) [[likely]] {
            const Float4 n = cross4(ab, ac);
            const float height = dot4(n, a);
            return {height > 0 ? n : -n, height * height / dot4(n, n), 1u << i | 1u << j | 1u << k};
        }
        return of_border(i, j, k, along_ab, along_ac, over);
    }

    Nearest of_border(int i, int j, int k, Float4 along_ab, Float4 along_ac, Float4 over) const {
        if (along_ab[0] <= 0 && along_ac[0] <= 0) return of_point(i);
        if (along_ab[1] >= 0 && along_ac[1] <= along_ab[1]) return of_point(j);
        if (along_ac[2] >= 0 && along_ab[2] <= along_ac[2]) return of_point(k);
        if (over[2] <= 0 && along_ab[0] >= 0 && along_ab[1] <= 0) return of_segment(i, j);
        if (over[1] <= 0 && along_ac[0] >= 0 && along_ac[2] <= 0) return of_segment(i, k);
        return of_segment(j, k);
    }

    /// Only faces that the origin is outside of hold the nearest point; mostly that is one.
    Nearest of_tetrahedron() const {
        const Float4 volumes = volumes4(points());
        unsigned outside = signs4(sum4(volumes) < 0 ? -volumes : volumes);
        if (outside == 0) return {Float4{}, 0, 15};
        Nearest best;
        for (; outside != 0; outside &= outside - 1) {
            static constexpr int kFace[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
            const int(&f)[3] = kFace[__builtin_ctz(outside)];
            const Nearest here = of_triangle(f[0], f[1], f[2]);
            if (best.kept == 0 || here.norm < best.norm) best = here;
        }
        return best;
    }

    alignas(16) float at_[4][4] = {};
    VertexPair pair_[4];
    int count_ = 0;
};

}  // namespace claybox::collision
