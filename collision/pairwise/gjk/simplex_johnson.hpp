#pragma once
// Johnson's sub-algorithm: the point of a simplex nearest to the origin, found by checking all its subsets.
//
// Source: Gilbert, Johnson, Keerthi 1988, appendix; Chong's notes on convexity-based methods, Johnson's
// algorithm. The affine hull of a subset has one point nearest to the origin. Its weights are determinants,
// computed recursively from the subsets with one point less. A subset is the answer if all its own weights
// are positive and no further point would get a positive one. Four points have 15 subsets: 4 vertices, 6
// edges, 4 faces and the inside.
//
// Rounding can make every subset fail. The backup procedure then takes the nearest point among all subsets
// with positive weights. A single point always qualifies, so there is always an answer.

#include "collision/pairwise/gjk/simplex.hpp"

#include <cmath>

namespace claybox::collision {

namespace johnson_detail {

/// Subsets as bit masks, smaller ones first.
inline constexpr unsigned kSubsets[15] = {1, 2, 4, 8, 3, 5, 9, 6, 10, 12, 7, 11, 13, 14, 15};

template <class T>
struct Determinants {
    T dots[4][4];         ///< dot products of all pairs of points
    T delta[16][4] = {};  ///< per subset: the determinant of each of its points; zero elsewhere
    int count;

    /// First scales the points by a power of two, so that products of six factors neither overflow nor
    /// underflow.
    explicit Determinants(const Simplex<T>& s) : count(s.count) {
        T largest = 0;
        for (int i = 0; i < count; ++i) largest = std::max(largest, simplex_detail::largest(s.point[i].w));
        int exponent = 0;
        if (largest <= std::numeric_limits<T>::max()) std::frexp(largest, &exponent);
        Vec3<T> scaled[4];
        for (int i = 0; i < count; ++i) {
            const Vec3<T>& w = s.point[i].w;
            scaled[i] = {std::ldexp(w.x, -exponent), std::ldexp(w.y, -exponent), std::ldexp(w.z, -exponent)};
        }
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) dots[i][j] = dot(scaled[i], scaled[j]);
        for (int i = 0; i < count; ++i) delta[1u << i][i] = 1;
        for (const unsigned subset : kSubsets)
            if (subset < 1u << count) grow(subset);
    }

    /// The determinants of the subset extended by each point that it lacks:
    /// delta_j(X + j) = sum over i in X of delta_i(X) (y_i . y_k - y_i . y_j), k any of X.
    void grow(unsigned subset) {
        int k = 0;
        while ((subset >> k & 1) == 0) ++k;
        for (int j = 0; j < count; ++j) {
            if ((subset >> j & 1) != 0) continue;
            T sum = 0;
            for (int i = 0; i < count; ++i)
                if ((subset >> i & 1) != 0) sum += delta[subset][i] * (dots[i][k] - dots[i][j]);
            delta[subset | 1u << j][j] = sum;
        }
    }

    bool all_positive(unsigned subset) const {
        for (int i = 0; i < count; ++i)
            if ((subset >> i & 1) != 0 && !(delta[subset][i] > 0)) return false;
        return true;
    }
    bool nothing_to_add(unsigned subset) const {
        for (int j = 0; j < count; ++j)
            if ((subset >> j & 1) == 0 && !(delta[subset | 1u << j][j] <= 0)) return false;
        return true;
    }
};

/// Builds the simplex of the subset with its weights. Returns its nearest point.
template <class T>
Vec3<T> take_subset(const Simplex<T>& s, const Determinants<T>& d, unsigned subset, Simplex<T>& out) {
    T sum = 0;
    for (int i = 0; i < s.count; ++i)
        if ((subset >> i & 1) != 0) sum += d.delta[subset][i];
    out.count = 0;
    Vec3<T> nearest;
    for (int i = 0; i < s.count; ++i) {
        if ((subset >> i & 1) == 0) continue;
        out.weight[out.count] = d.delta[subset][i] / sum;
        nearest += out.weight[out.count] * s.point[i].w;
        out.add(s.point[i]);
    }
    return nearest;
}

}  // namespace johnson_detail

/// Like reduce_to_nearest. Sets `used_backup` to whether rounding rejected every subset.
template <class T>
Vec3<T> reduce_by_johnson(Simplex<T>& s, bool* used_backup = nullptr) {
    using namespace johnson_detail;
    const Determinants<T> d(s);
    if (used_backup != nullptr) *used_backup = false;
    Simplex<T> reduced;
    for (const unsigned subset : kSubsets) {
        if (subset >= 1u << s.count || !d.all_positive(subset) || !d.nothing_to_add(subset)) continue;
        const Vec3<T> nearest = take_subset(s, d, subset, reduced);
        s = reduced;
        return subset == 15 ? Vec3<T>{} : nearest;
    }
    if (used_backup != nullptr) *used_backup = true;
    Vec3<T> best;
    Simplex<T> best_simplex;
    for (const unsigned subset : kSubsets) {
        // All four points with positive weights were accepted above: no point is left to add.
        if (subset >= 1u << s.count || !d.all_positive(subset)) continue;
        const Vec3<T> nearest = take_subset(s, d, subset, reduced);
        if (best_simplex.count > 0 && !(length_squared(nearest) < length_squared(best))) continue;
        best = nearest;
        best_simplex = reduced;
    }
    s = best_simplex;
    return best;
}

}  // namespace claybox::collision
