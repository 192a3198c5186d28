#pragma once
// Small symmetric systems by the outer-product form of the Cholesky factorisation.
// Source: Golub, Van Loan, Matrix Computations, 1989, section 4.2.

#include <cmath>
#include <cstddef>
#include <limits>

namespace claybox::collision {

/// L with L L^T = M for a symmetric positive semidefinite M of N rows. A row whose pivot is only rounding (M
/// is rank-deficient there) is skipped: its unknown is set to zero. That solves every system that has a
/// solution.
template <class T, std::size_t N>
struct Cholesky {
    T l[N][N] = {};
    T inverse_pivot[N] = {};  ///< zero for skipped rows
    std::size_t skipped = 0;

    /// A pivot below this fraction of its diagonal element is only rounding.
    static constexpr T kMinPivot = std::numeric_limits<T>::epsilon() * T(1024);

    explicit Cholesky(const T (&m)[N][N]) {
        for (std::size_t r = 0; r < N; ++r)
            for (std::size_t c = 0; c <= r; ++c) l[r][c] = m[r][c];
        for (std::size_t k = 0; k < N; ++k) {
            if (!(l[k][k] > kMinPivot * m[k][k])) {
                ++skipped;
                for (std::size_t r = k; r < N; ++r) l[r][k] = 0;
                continue;
            }
            const T root = std::sqrt(l[k][k]);
            inverse_pivot[k] = T(1) / root;
            l[k][k] = root;
            for (std::size_t r = k + 1; r < N; ++r) l[r][k] *= inverse_pivot[k];
            for (std::size_t c = k + 1; c < N; ++c)
                for (std::size_t r = c; r < N; ++r) l[r][c] -= l[r][k] * l[c][k];
        }
    }
    /// Replaces the right side by the solution.
    void solve(T (&x)[N]) const {
        for (std::size_t r = 0; r < N; ++r) {
            for (std::size_t c = 0; c < r; ++c) x[r] -= l[r][c] * x[c];
            x[r] *= inverse_pivot[r];
        }
        for (std::size_t r = N; r-- > 0;) {
            for (std::size_t below = r + 1; below < N; ++below) x[r] -= l[below][r] * x[below];
            x[r] *= inverse_pivot[r];
        }
    }
};

}  // namespace claybox::collision
