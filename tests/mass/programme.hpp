#pragma once
// The simplex method for: minimise |s| summed over three coordinates, where sum l_i a_i - sum m_j b_j = s,
// sum l = sum m = 1, l and m not negative. Five rows, so that the basis is a 5 x 5 matrix. The same code runs
// in double (with tolerances) and in integers (fraction-free: the inverse is kept times the determinant).
//
// Columns 0 .. points - 1 are the points, then six slacks +x, -x, +y, -y, +z, -z.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace claybox::test {

template <class T>
class Programme {
  public:
    static constexpr std::size_t kRows = 5;
    static constexpr bool kExact = !std::is_floating_point_v<T>;
    using Basis = std::array<std::uint32_t, kRows>;

    /// `points`: coordinates of A's, then B's. Borrowed.
    Programme(const std::vector<std::array<T, 3>>& points, std::size_t count_a, double size)
        : points_(points), count_a_(count_a), tolerance_(1e-14 * size) {}

    /// Starts from a basis; false when it is singular or not feasible.
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

    /// From one point of each and their difference.
    void start() {
        Basis first{0, static_cast<std::uint32_t>(count_a_), 0, 0, 0};
        for (std::uint32_t k = 0; k < 3; ++k) {
            const bool negative = points_[0][k] < points_[count_a_][k];
            first[2 + k] = static_cast<std::uint32_t>(points_.size()) + 2 * k + (negative ? 0 : 1);
        }
        start_at(first);
    }

    /// Until no column shortens the difference any more; false when the double programme gave up.
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

    /// Whether the difference is zero at the basis as it stands.
    bool touching() const {
        const auto x = values();
        for (std::size_t i = 0; i < kRows; ++i)
            if (basis_[i] >= points_.size() && nonzero(x[i])) return false;
        return true;
    }

    const Basis& basis() const { return basis_; }
    std::uint32_t steps() const { return steps_; }

    /// The price of every row times the determinant: n.a + y[3] <= 0 <= n.b - y[4] at the optimum.
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

    /// inverse * column, times the determinant.
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

    /// The basic variables times the determinant.
    std::array<T, kRows> values() const {
        std::array<T, kRows> out;
        for (std::size_t i = 0; i < kRows; ++i) out[i] = inverse_[i][3] + inverse_[i][4];
        return out;
    }

    /// The column that shortens the difference most per unit, or the first that does: Bland's rule, which
    /// cannot cycle.
    std::uint32_t price(bool first) const {
        const auto y = prices();
        std::uint32_t best = columns();
        T most{};
        if constexpr (!kExact) most = T(tolerance_);
        const auto offer = [&](std::uint32_t j, const T& gain) {
            if (!(gain > most)) return false;
            most = gain;
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

    /// Puts column j into `row`. In integers all entries stay minors of the basis, so the division is exact.
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
    std::array<std::array<T, kRows>, kRows> inverse_;  ///< times the determinant, which is positive
    T determinant_{1};
    Basis basis_{};
    std::uint32_t steps_ = 0;
};

}  // namespace claybox::test
