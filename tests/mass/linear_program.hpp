#pragma once
// The simplex method for this linear program: minimise the sum of |s| over three coordinates, where
// sum l_i a_i - sum m_j b_j = s, sum l = sum m = 1, and all l and m are >= 0. It has five rows, so the basis
// is a 5 x 5 matrix. The same code runs in double with tolerances and in integers. The integer version is
// fraction-free: it keeps the inverse times the determinant.
//
// Columns 0 .. points - 1 are the points, followed by six slacks +x, -x, +y, -y, +z, -z.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace claybox::test {

template <class T>
class LinearProgram {
  public:
    static constexpr std::size_t kRows = 5;
    static constexpr bool kExact = !std::is_floating_point_v<T>;
    using Basis = std::array<std::uint32_t, kRows>;

    /// `points` holds the points of A, then those of B. It must outlive the program.
    LinearProgram(const std::vector<std::array<T, 3>>& points, std::size_t count_a, double size)
        : points_(points), count_a_(count_a), tolerance_(1e-14 * size) {}

    /// Starts from a basis. Returns false if it is singular or not feasible.
    bool start_at(const Basis& wanted) {
        reset();
        std::array<bool, kRows> taken{};
        for (const std::uint32_t j : wanted) {
            if (j >= columns()) return false;
            const auto d = direction(j);
            std::size_t row = kRows;
            for (std::size_t i = 0; i < kRows; ++i)
                if (!taken[i] && nonzero(d[i]) && (row == kRows || larger(d[i], d[row]))) row = i;
            if (row == kRows) return false;
            taken[row] = true;
            pivot(row, j, d);
        }
        for (const T& x : values())
            if (x < 0) return false;
        return true;
    }

    /// Starts from one point of each body and their difference.
    void start() {
        Basis first{0, static_cast<std::uint32_t>(count_a_), 0, 0, 0};
        for (std::uint32_t k = 0; k < 3; ++k) {
            const bool negative = points_[0][k] < points_[count_a_][k];
            first[2 + k] = static_cast<std::uint32_t>(points_.size()) + 2 * k + (negative ? 0 : 1);
        }
        start_at(first);
    }

    /// Pivots until no column shortens the difference. Returns false if the double version reaches its step
    /// limit.
    bool solve() {
        constexpr std::uint32_t kGreedySteps = 200, kDoubleLimit = 400;
        for (;; ++steps_) {
            if (!kExact && steps_ > kDoubleLimit) return false;
            if (kExact && touching()) return true;
            const std::uint32_t entering = price(steps_ >= kGreedySteps);
            if (entering == columns()) return true;
            const auto d = direction(entering);
            const std::size_t row = leaving(d);
            if (row == kRows) return false;
            pivot(row, entering, d);
        }
    }

    /// Whether the difference is zero at the current basis.
    bool touching() const {
        const auto x = values();
        for (std::size_t i = 0; i < kRows; ++i)
            if (basis_[i] >= points_.size() && nonzero(x[i])) return false;
        return true;
    }

    const Basis& basis() const { return basis_; }
    std::uint32_t steps() const { return steps_; }

    /// The prices of the rows times the determinant. At the optimum, n.a + y[3] <= 0 <= n.b - y[4].
    std::array<T, kRows> prices() const {
        std::array<T, kRows> y{};
        for (std::size_t i = 0; i < kRows; ++i)
            if (basis_[i] >= points_.size())
                for (std::size_t k = 0; k < kRows; ++k) y[k] += inverse_[i][k];
        return y;
    }

  private:
    std::uint32_t columns() const { return static_cast<std::uint32_t>(points_.size()) + 6; }
    static bool larger(const T& a, const T& b) { return (a < 0 ? T(-a) : a) > (b < 0 ? T(-b) : b); }
    static bool nonzero(const T& v) {
        if constexpr (kExact)
            return v != 0;
        else
            return v > 1e-13 || v < -1e-13;
    }

    void reset() {
        steps_ = 0;
        determinant_ = 1;
        for (std::size_t i = 0; i < kRows; ++i)
            for (std::size_t k = 0; k < kRows; ++k) inverse_[i][k] = i == k ? 1 : 0;
        basis_.fill(~0u);
    }

    /// inverse * column j, times the determinant.
    std::array<T, kRows> direction(std::uint32_t j) const {
        std::array<T, kRows> out{};
        if (j >= points_.size()) {
            const std::size_t k = (j - points_.size()) / 2;
            const bool minus = (j - points_.size()) % 2 == 1;
            for (std::size_t i = 0; i < kRows; ++i) out[i] = minus ? T(-inverse_[i][k]) : inverse_[i][k];
            return out;
        }
        const bool of_a = j < count_a_;
        for (std::size_t i = 0; i < kRows; ++i) {
            T sum = 0;
            for (std::size_t k = 0; k < 3; ++k) sum += inverse_[i][k] * points_[j][k];
            out[i] = of_a ? T(sum + inverse_[i][3]) : T(inverse_[i][4] - sum);
        }
        return out;
    }

    /// The values of the basic variables, times the determinant.
    std::array<T, kRows> values() const {
        std::array<T, kRows> out;
        for (std::size_t i = 0; i < kRows; ++i) out[i] = inverse_[i][3] + inverse_[i][4];
        return out;
    }

    /// The column that shortens the difference most per unit. With `first`, the first column that shortens it
    /// (Bland's rule, which cannot cycle).
    std::uint32_t price(bool first) const {
        const auto y = prices();
        std::uint32_t best = columns();
        T largest{};
        if constexpr (!kExact) largest = T(tolerance_);
        const auto offer = [&](std::uint32_t j, const T& gain) {
            if (!(gain > largest)) return false;
            largest = gain;
            best = j;
            return first;
        };
        for (std::uint32_t j = 0; j < points_.size(); ++j) {
            const auto& p = points_[j];
            const T along = y[0] * p[0] + y[1] * p[1] + y[2] * p[2];
            if (offer(j, j < count_a_ ? T(along + y[3]) : T(y[4] - along))) return best;
        }
        for (std::uint32_t k = 0; k < 3; ++k) {
            const auto slack = static_cast<std::uint32_t>(points_.size()) + 2 * k;
            if (offer(slack, T(y[k] - determinant_)) || offer(slack + 1, T(-y[k] - determinant_)))
                return best;
        }
        return best;
    }

    std::size_t leaving(const std::array<T, kRows>& d) const {
        const auto x = values();
        std::size_t row = kRows;
        for (std::size_t i = 0; i < kRows; ++i) {
            if (!(d[i] > 0) || !nonzero(d[i])) continue;
            if (row == kRows) {
                row = i;
                continue;
            }
            const T here = x[i] * d[row], there = x[row] * d[i];
            if (here < there || (here == there && basis_[i] < basis_[row])) row = i;
        }
        return row;
    }

    /// Moves column j into `row`. In integers all entries are minors of the basis, so the division is exact.
    void pivot(std::size_t row, std::uint32_t j, const std::array<T, kRows>& d) {
        basis_[row] = j;
        if constexpr (kExact) {
            for (std::size_t i = 0; i < kRows; ++i) {
                if (i == row) continue;
                for (std::size_t k = 0; k < kRows; ++k)
                    inverse_[i][k] = (d[row] * inverse_[i][k] - d[i] * inverse_[row][k]) / determinant_;
            }
            determinant_ = d[row];
            if (determinant_ > 0) return;
            determinant_ = -determinant_;
            for (auto& line : inverse_)
                for (T& e : line) e = -e;
        } else {
            for (T& e : inverse_[row]) e /= d[row];
            for (std::size_t i = 0; i < kRows; ++i)
                for (std::size_t k = 0; k < kRows && i != row; ++k) inverse_[i][k] -= d[i] * inverse_[row][k];
        }
    }

    const std::vector<std::array<T, 3>>& points_;
    std::size_t count_a_;
    double tolerance_;
    std::array<std::array<T, kRows>, kRows> inverse_;  ///< inverse times the determinant, which is positive
    T determinant_{1};
    Basis basis_{};
    std::uint32_t steps_ = 0;
};

}  // namespace claybox::test
