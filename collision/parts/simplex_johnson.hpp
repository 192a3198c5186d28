#pragma once
// Johnson's sub-algorithm: the point of a simplex nearest to the origin by looking at all its subsets.
//
// Source: Gilbert, Johnson, Keerthi 1988, appendix; Chong's notes on convexity-based methods, Johnson's
// algorithm. A subset's affine hull has one point nearest to the origin, whose weights are determinants that
// grow by one row from subset to larger subset. The subset is the answer when all its own weights are
// positive and no further point would get a positive one. Four points have 15 subsets: 4 vertices, 6 edges, 4
// faces and the inside.
//
// Rounding can make every subset fail. Then the backup procedure takes, of all subsets with positive weights,
// the one whose point is nearest. A single point always has one, so there is always an answer.

#include "collision/parts/simplex.hpp"

#include <cmath>

namespace claybox::collision {

namespace johnson_detail {

/// Subsets as bit masks, smaller ones first.
inline constexpr unsigned kSubsets[15] = {1, 2, 4, 8, 3, 5, 9, 6, 10, 12, 7, 11, 13, 14, 15};

template <class T>
struct Determinants {
    T dots[4][4];         ///< of the points with each other
    T delta[16][4] = {};  ///< of each subset, for each of its points; zero elsewhere
    int count;

    /// The points are scaled by a power of two first, so that sixfold products neither overflow nor vanish.
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

    /// The determinants of the subset with one point more, for each point that it lacks:
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

/// The subset with its weights as a simplex of its own; its nearest point.
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

/// As reduce_to_nearest. `used_backup` tells whether rounding rejected every subset.
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
        // All four positive and yet rejected cannot be: there is nothing to add to them.
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
