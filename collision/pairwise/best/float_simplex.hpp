#pragma once
// A simplex of the difference of two hulls in float, for boolean walks whose result is proved afterwards.
// Optimised for speed: a wrong step costs time, never a wrong answer. The careful version for any type is
// simplex.hpp.

#include "collision/exact/solid.hpp"
#include "collision/simd/float4.hpp"

namespace claybox::collision {

/// Up to four points; the last lane of each is 0. facing() is the fast step from four points to the next
/// direction; reduce() handles every case.
class FloatSimplex {
  public:
    int count() const { return count_; }
    Float4 point(int i) const { return load4(at_[i]); }
    Points4 points() const { return transpose4(point(0), point(1), point(2), point(3)); }
    const VertexPair (&pairs() const)[4] { return pair_; }

    bool contains(const VertexPair& p) const {
        const auto same = [&](int i) { return pair_[i].a == p.a && pair_[i].b == p.b; };
        return (int{same(0)} | int{same(1)} | int{same(2)} | int{same(3)}) != 0;
    }
    void add(Float4 point, const VertexPair& pair) {
        store4(at_[count_], point);
        pair_[count_++] = pair;
    }
    /// Replaces corner i of four.
    void replace(int i, Float4 point, const VertexPair& pair) {
        store4(at_[i], point);
        pair_[i] = pair;
    }
    /// Sets all four points.
    void set(const Points4& p, const VertexPair (&pairs)[4]) {
        for (int i = 0; i < 4; ++i) replace(i, Float4{p.x[i], p.y[i], p.z[i], 0}, pairs[i]);
        count_ = 4;
    }

    /// The position of the origin relative to four points.
    struct Facing {
        bool surrounded = false;
        /// the face opposite to this corner contains the nearest point in its inside; -1 if no face does
        int opposite = -1;
        Float4 outward{};  ///< normal of that face, towards the origin
    };
    /// Processes all four faces at once, one per lane: lane i is the face without corner i.
    Facing facing() const {
        const Points4 p = points();
        const auto turn = [](const Points4& v) {
            return Points4{shuffle4<1, 2, 3, 0>(v.x), shuffle4<1, 2, 3, 0>(v.y), shuffle4<1, 2, 3, 0>(v.z)};
        };
        const auto cross = [](const Points4& v, const Points4& w) {
            return Points4{v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x};
        };
        const auto dot = [](const Points4& v, const Points4& w) { return v.x * w.x + v.y * w.y + v.z * w.z; };
        const auto minus = [](const Points4& v, const Points4& w) {
            return Points4{v.x - w.x, v.y - w.y, v.z - w.z};
        };
        const Points4 a = turn(p), b = turn(a), c = turn(b);
        const Points4 bc = cross(b, c);
        const Float4 height = dot(a, bc);  // above the origin, times twice the face's area
        const Float4 volume = height * Float4{1, -1, 1, -1};
        const float sum = sum4(volume);
        const unsigned outside = sign_bits4(sum < 0 ? -volume : volume);
        Facing out;
        if (outside == 0) {
            out.surrounded = true;
            return out;
        }
        const Points4 normal = cross(minus(b, a), minus(c, a));
        const Float4 side = min4(min4(dot(normal, bc), dot(normal, cross(a, b))), dot(normal, cross(c, a)));
        const unsigned faces = outside & mask_bits4(side > Float4{});
        if (faces == 0) return out;
        const int i = __builtin_ctz(faces);
        const Int4 flip = ~Int4(height) & Int4{INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
        alignas(16) float n[3][4];
        store4(n[0], Float4(Int4(normal.x) ^ flip));
        store4(n[1], Float4(Int4(normal.y) ^ flip));
        store4(n[2], Float4(Int4(normal.z) ^ flip));
        out.opposite = i;
        out.outward = Float4{n[0][i], n[1][i], n[2][i], 0};
        return out;
    }

    struct Nearest {
        Float4 towards;     ///< a multiple of the vector from the origin to the nearest point
        float norm = 0;     ///< squared distance of the nearest point
        unsigned kept = 0;  ///< bit i: point i is a corner of the face that contains the nearest point
    };
    /// Keeps the corners of the face nearest to the origin; all four if they surround the origin.
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
        for (int i = kept; i < 4; ++i) pair_[i] = {kNoIndex, kNoIndex};
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
            return -(p.x * shuffle4<0, 0, 0, 0>(v) + p.y * shuffle4<1, 1, 1, 1>(v) +
                     p.z * shuffle4<2, 2, 2, 2>(v));
        };
        const Float4 along_ab = from_corners(ab), along_ac = from_corners(ac);
        const Float4 over = cross4(along_ab, along_ac);  // weights of the corners
        if ((mask_bits4(over > Float4{}) & 7u) == 7u) [[likely]] {
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

    /// Searches only the faces with the origin on their outer side; usually that is one.
    Nearest of_tetrahedron() const {
        const Float4 volumes = volumes4(points());
        unsigned outside = sign_bits4(sum4(volumes) < 0 ? -volumes : volumes);
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
    VertexPair pair_[4] = {
        {kNoIndex, kNoIndex}, {kNoIndex, kNoIndex}, {kNoIndex, kNoIndex}, {kNoIndex, kNoIndex}};
    int count_ = 0;
};

}  // namespace claybox::collision
