#pragma once
// Fourier-Motzkin elimination: the kernel of `fourier_motzkin`.
// Source: Chong's notes on convexity-based methods: variables are eliminated one by one. With one variable
// left, the system is consistent if its largest lower bound is at most the smallest upper bound.

#include "collision/pairwise/linear_programming/linear_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

/// A half-space with its origin: `of_first` times row `first` of the previous level plus 1 - of_first times
/// row `second`.
template <std::size_t D>
struct EliminatedRow {
    HalfSpace<D> half_space;
    std::uint32_t first = 0, second = 0;
    double of_first = 1;
};

/// Whether both rows together stem from four given rows. After the second elimination such a row follows from
/// others (Kohler, Projections of convex polyhedral sets, 1967): it stems from more than one row per
/// eliminated variable plus one.
template <std::size_t D>
bool follows_from_others(const EliminatedRow<D>& a, const EliminatedRow<D>& b) {
    return a.first != a.second && b.first != b.second && a.first != b.first && a.first != b.second &&
           a.second != b.first && a.second != b.second;
}

struct EliminationCounts {
    std::uint64_t combined = 0;  ///< pairs of rows combined in all eliminations
    std::uint64_t largest = 0;   ///< rows of the largest derived system
};

template <std::size_t D>
struct EliminationAnswer {
    bool feasible = false;
    Coordinates<D> x{};  ///< if feasible: the middle of each variable's remaining interval
    /// If not feasible: half-spaces that contradict each other. A row may occur more than once.
    static constexpr std::size_t kMaxTerms = std::size_t{1} << D;
    std::array<FarkasTerm, kMaxTerms> conflict{};
    std::size_t conflict_count = 0;
};

/// Upper bound of the rows after the first elimination.
constexpr std::size_t eliminated_rows(std::size_t rows) {
    return std::max(rows, rows * rows / 4 + 1);
}

namespace elimination_detail {

/// The convex combination of two rows that cancels coordinate k. Requires a.n[k] > 0 > b.n[k].
template <std::size_t D>
EliminatedRow<D> combine(const HalfSpace<D>& a, const HalfSpace<D>& b, std::size_t k, std::uint32_t first,
                         std::uint32_t second) {
    const double of_a = -b.n[k] / (a.n[k] - b.n[k]), of_b = 1 - of_a;
    EliminatedRow<D> out{{}, first, second, of_a};
    for (std::size_t i = 0; i < D; ++i) out.half_space.n[i] = of_a * a.n[i] + of_b * b.n[i];
    out.half_space.n[k] = 0;
    out.half_space.d = of_a * a.d + of_b * b.d;
    return out;
}

/// The number of rows after eliminating coordinate k.
template <std::size_t D>
std::size_t rows_without(std::span<const EliminatedRow<D>> rows, std::size_t k) {
    std::size_t up = 0, down = 0;
    for (const EliminatedRow<D>& row : rows) {
        up += row.half_space.n[k] > kMinNormal ? 1 : 0;
        down += row.half_space.n[k] < -kMinNormal ? 1 : 0;
    }
    return up * down + (rows.size() - up - down);
}

/// Passes every row of the system without coordinate k to `take`. `drop` selects pairs that need not be
/// combined.
template <std::size_t D, class Drop, class Take>
void eliminate(std::span<const EliminatedRow<D>> rows, std::size_t k, EliminationCounts& counts,
               const Drop& drop, const Take& take) {
    const auto m = static_cast<std::uint32_t>(rows.size());
    for (std::uint32_t i = 0; i < m; ++i) {
        const HalfSpace<D>& a = rows[i].half_space;
        if (std::abs(a.n[k]) <= kMinNormal) take(EliminatedRow<D>{a, i, i, 1});
        if (!(a.n[k] > kMinNormal)) continue;
        for (std::uint32_t j = 0; j < m; ++j) {
            if (!(rows[j].half_space.n[k] < -kMinNormal) || drop(rows[i], rows[j])) continue;
            ++counts.combined;
            take(combine(a, rows[j].half_space, k, i, j));
        }
    }
}

/// The bounds of the last variable, with the row of each.
template <std::size_t D>
struct Interval {
    std::size_t variable = 0;
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    EliminatedRow<D> low_row, high_row, impossible;
    bool contradiction = false;  ///< `impossible` reads 0 <= negative

    void take(const EliminatedRow<D>& row) {
        const double n = row.half_space.n[variable], d = row.half_space.d;
        if (std::abs(n) <= kMinNormal) {
            if (d >= -kSatisfied || contradiction) return;
            contradiction = true;
            impossible = row;
        } else if (n > 0 && d / n < high) {
            high = d / n;
            high_row = row;
        } else if (n < 0 && d / n > low) {
            low = d / n;
            low_row = row;
        }
    }
    /// Checks the convex combination of the two bounds that cancels the variable: the largest lower bound is
    /// at most the smallest upper bound.
    bool consistent() const {
        if (contradiction) return false;
        if (!std::isfinite(low) || !std::isfinite(high)) return true;
        const double up = high_row.half_space.n[variable], down = -low_row.half_space.n[variable];
        return (down * high_row.half_space.d + up * low_row.half_space.d) / (up + down) >= -kSatisfied;
    }
    double middle() const {
        if (std::isfinite(low) && std::isfinite(high)) return low + (high - low) / 2;
        return std::isfinite(low) ? low + 1 : std::isfinite(high) ? high - 1 : 0;
    }
};

}  // namespace elimination_detail

/// Decides whether the half-spaces have a common point. `storage` needs row_capacity() rows: the given rows
/// and, in three dimensions, the rows of the first elimination. The rows of the last elimination (about
/// rows^4 / 64 in three dimensions) only bound one variable and are not stored. Always terminates.
template <std::size_t D>
class Elimination {
    static_assert(D == 2 || D == 3);

  public:
    using Row = EliminatedRow<D>;
    static std::size_t row_capacity(std::size_t rows) { return rows + (D == 3 ? eliminated_rows(rows) : 0); }

    Elimination(std::span<const HalfSpace<D>> rows, std::span<Row> storage, bool drop_redundant,
                EliminationCounts& counts)
        : counts_(counts),
          drop_redundant_(drop_redundant),
          given_(storage.first(rows.size())),
          derived_(storage.subspan(rows.size())) {
        for (std::uint32_t i = 0; i < rows.size(); ++i) given_[i] = {rows[i], i, i, 1};
        counts_.largest = rows.size();
    }
    /// The rows after the first elimination, for a trace; valid after run().
    std::span<const Row> derived() const { return second_; }
    /// The unknown that run() eliminated first.
    std::size_t eliminated() const { return eliminated_; }
    EliminationAnswer<D> run() {
        std::size_t remaining[D];
        for (std::size_t i = 0; i < D; ++i) remaining[i] = i;
        std::span<const Row> rows = given_;
        if constexpr (D == 3) {
            choose_cheapest(rows, remaining, 3);
            std::size_t count = 0;
            elimination_detail::eliminate<D>(
                rows, remaining[2], counts_, [](const Row&, const Row&) { return false; },
                [&](const Row& row) { derived_[count++] = row; });
            second_ = derived_.first(count);
            eliminated_ = remaining[2];
            counts_.largest = std::max<std::uint64_t>(counts_.largest, count);
            rows = second_;
        }
        choose_cheapest(rows, remaining, 2);
        return finish(rows, remaining);
    }

  private:
    /// Moves the variable whose elimination leaves the fewest rows to the end of the first `count`.
    static void choose_cheapest(std::span<const Row> rows, std::size_t (&remaining)[D], std::size_t count) {
        std::size_t best = 0, least = std::numeric_limits<std::size_t>::max();
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t made = elimination_detail::rows_without<D>(rows, remaining[i]);
            if (made >= least) continue;
            least = made;
            best = i;
        }
        std::swap(remaining[best], remaining[count - 1]);
    }
    EliminationAnswer<D> finish(std::span<const Row> rows, const std::size_t (&remaining)[D]) {
        elimination_detail::Interval<D> interval;
        interval.variable = remaining[0];
        std::uint64_t made = 0;
        const auto drop = [&](const Row& a, const Row& b) {
            return drop_redundant_ && D == 3 && follows_from_others(a, b);
        };
        elimination_detail::eliminate<D>(rows, remaining[1], counts_, drop, [&](const Row& row) {
            interval.take(row);
            ++made;
        });
        counts_.largest = std::max(counts_.largest, made);
        if (!interval.consistent()) return contradiction(interval, rows);
        EliminationAnswer<D> out;
        out.feasible = true;
        out.x[remaining[0]] = interval.middle();
        out.x[remaining[1]] = middle_of(rows, remaining[1], out.x);
        if constexpr (D == 3) out.x[remaining[2]] = middle_of(given_, remaining[2], out.x);
        return out;
    }
    /// The middle of the interval that the rows leave for one variable after substituting those already set.
    static double middle_of(std::span<const Row> rows, std::size_t k, const Coordinates<D>& x) {
        elimination_detail::Interval<D> interval;
        interval.variable = k;
        for (const Row& row : rows) {
            const double n = row.half_space.n[k];
            if (std::abs(n) <= kMinNormal) continue;
            Row put_in = row;
            put_in.half_space.d = n * x[k] - row.half_space.excess(x);
            interval.take(put_in);
        }
        return interval.middle();
    }
    /// Farkas: traces the rows that read 0 <= negative back to the given rows.
    EliminationAnswer<D> contradiction(const elimination_detail::Interval<D>& interval,
                                       std::span<const Row> rows) const {
        EliminationAnswer<D> out;
        if (interval.contradiction) {
            trace_back(interval.impossible, 1, rows, out);
            return out;
        }
        const double up = interval.high_row.half_space.n[interval.variable];
        const double down = -interval.low_row.half_space.n[interval.variable];
        trace_back(interval.high_row, down / (up + down), rows, out);
        trace_back(interval.low_row, up / (up + down), rows, out);
        return out;
    }
    /// `row` was derived from `rows`, which are the given rows or were derived from them.
    void trace_back(const Row& row, double multiplier, std::span<const Row> rows,
                    EliminationAnswer<D>& out) const {
        const auto parent = [&](std::uint32_t index, double share) {
            if (!(share > 0)) return;
            if (rows.data() == given_.data())
                out.conflict[out.conflict_count++] = {index, share};
            else
                trace_back(rows[index], share, given_, out);
        };
        parent(row.first, multiplier * row.of_first);
        if (row.second != row.first) parent(row.second, multiplier * (1 - row.of_first));
    }

    EliminationCounts& counts_;
    bool drop_redundant_;
    std::span<Row> given_, derived_;
    std::span<const Row> second_;
    std::size_t eliminated_ = 0;
};

}  // namespace claybox::collision
