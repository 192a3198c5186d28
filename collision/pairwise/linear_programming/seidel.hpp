#pragma once
// Seidel's linear program: the kernel of `seidel`.
// Source: Seidel, Small-dimensional linear programming and convex hulls made easy, 1991, in the form of
// Chong's notes on convexity-based methods.

#include "collision/pairwise/linear_programming/linear_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

/// Counters of a run.
struct SeidelCounts {
    std::uint64_t checks = 0;      ///< half-spaces checked, on all levels
    std::uint32_t recursions = 0;  ///< programs of one dimension less, on all levels
};

template <std::size_t D>
struct SeidelAnswer {
    bool feasible = false;
    /// if feasible: the optimum is not on the box, so it is also the optimum without the box
    bool bounded = true;
    Coordinates<D> x{};  ///< the optimum
    /// If not feasible: at most D + 1 half-spaces that contradict each other.
    std::array<FarkasTerm, D + 1> conflict{};
    std::size_t conflict_count = 0;

    void add(std::uint32_t row, double multiplier) { conflict[conflict_count++] = {row, multiplier}; }
};

/// Bytes for the rows of all levels below D of a program with `rows` half-spaces.
template <std::size_t D>
constexpr std::size_t seidel_bytes(std::size_t rows) {
    if constexpr (D == 1)
        return 0;
    else
        return (rows + 2) * sizeof(HalfSpace<D - 1>) + seidel_bytes<D - 1>(rows + 2);
}

namespace seidel_detail {

/// The half-space restricted to the plane of `on`, without coordinate k. Requires on.n[k] != 0.
template <std::size_t D>
HalfSpace<D - 1> project(const HalfSpace<D>& row, const HalfSpace<D>& on, std::size_t k) {
    const double factor = row.n[k] / on.n[k];
    HalfSpace<D - 1> out;
    for (std::size_t i = 0, to = 0; i < D; ++i)
        if (i != k) out.n[to++] = row.n[i] - factor * on.n[i];
    out.d = row.d - factor * on.d;
    return out;
}

template <std::size_t D>
std::size_t largest_coordinate(const Coordinates<D>& n) {
    std::size_t out = 0;
    for (std::size_t i = 1; i < D; ++i)
        if (std::abs(n[i]) > std::abs(n[out])) out = i;
    return out;
}

/// The upper or lower bound of one coordinate as a half-space.
template <std::size_t D>
HalfSpace<D> bound(std::size_t coordinate, bool upper, double box) {
    HalfSpace<D> out;
    out.n[coordinate] = upper ? 1 : -1;
    out.d = box;
    return out;
}

inline SeidelAnswer<1> solve_line(std::span<const HalfSpace<1>> rows, double objective, double box,
                                  SeidelCounts& counts) {
    SeidelAnswer<1> out;
    const auto m = static_cast<std::uint32_t>(rows.size());
    double low = -box, high = box;
    std::uint32_t low_row = m + 1, high_row = m;
    for (std::uint32_t i = 0; i < m; ++i) {
        ++counts.checks;
        const double n = rows[i].n[0], d = rows[i].d;
        if (std::abs(n) < kMinNormal) {
            if (d >= -kSatisfied) continue;
            out.add(i, 1);
            return out;
        }
        const double at = d / n;
        if (n > 0 && at < high) {
            high = at;
            high_row = i;
        } else if (n < 0 && at > low) {
            low = at;
            low_row = i;
        }
    }
    const double high_n = high_row < m ? rows[high_row].n[0] : 1,
                 low_n = low_row < m ? -rows[low_row].n[0] : 1;
    // The violation of both half-spaces at the point between them.
    if ((low - high) * high_n * low_n / (high_n + low_n) > kSatisfied) {
        out.add(high_row, 1 / high_n);
        out.add(low_row, 1 / low_n);
        return out;
    }
    out.feasible = true;
    out.x[0] = low > high ? low + (high - low) / 2 : objective >= 0 ? high : low;
    return out;
}

}  // namespace seidel_detail

/// Maximises objective . x over the half-spaces and the box |x_k| <= box (without it there may be no
/// optimum). The rows are processed in order, which should be random. If a half-space does not contain the
/// optimum so far, the next optimum is on its plane, and a program of one dimension less finds it; with a
/// random order that is rare. Calls `each(row, x)` for every new optimum of the full dimension. Expected O(D!
/// rows). `storage` is seidel_bytes() bytes, aligned for doubles. Always terminates.
template <std::size_t D, class Each>
SeidelAnswer<D> solve_seidel(std::span<const HalfSpace<D>> rows, const Coordinates<D>& objective, double box,
                             std::span<std::byte> storage, SeidelCounts& counts, const Each& each);

namespace seidel_detail {

/// Converts a contradiction on the plane of rows[at], without coordinate k, to one of the level above.
template <std::size_t D>
void lift_conflict(std::span<const HalfSpace<D>> rows, std::size_t at, std::size_t k,
                   const SeidelAnswer<D - 1>& sub, SeidelAnswer<D>& out) {
    const auto above = static_cast<std::uint32_t>(rows.size()), below = static_cast<std::uint32_t>(at + 2);
    double of_plane = 0;  // multiplier of the plane's half-space, cancels coordinate k
    for (std::size_t c = 0; c < sub.conflict_count; ++c) {
        const FarkasTerm& term = sub.conflict[c];
        std::uint32_t row = term.row;
        double n_k = 0;
        if (row < at) {
            n_k = rows[row].n[k];
        } else if (row < below) {
            n_k = row == at ? 1 : -1;
            row = above + 2 * static_cast<std::uint32_t>(k) + (row == at ? 0 : 1);
        } else {  // a bound of a lower coordinate: the same coordinate, in the numbering above
            const std::uint32_t side = (row - below) % 2, coordinate = (row - below) / 2;
            row = above + 2 * (coordinate + (coordinate >= k ? 1 : 0)) + side;
        }
        out.add(row, term.multiplier);
        of_plane -= term.multiplier * n_k / rows[at].n[k];
    }
    out.add(static_cast<std::uint32_t>(at), std::max(of_plane, 0.0));  // negative only by rounding
}

/// Solves the program on the plane of rows[at]. The answer is in terms of the level above.
template <std::size_t D>
SeidelAnswer<D> solve_on_plane(std::span<const HalfSpace<D>> rows, std::size_t at,
                               const Coordinates<D>& objective, double box, std::span<std::byte> storage,
                               SeidelCounts& counts) {
    const HalfSpace<D>& on = rows[at];
    const std::size_t k = largest_coordinate(on.n);
    auto* first = reinterpret_cast<HalfSpace<D - 1>*>(storage.data());
    const std::span<HalfSpace<D - 1>> lower(first, at + 2);
    for (std::size_t i = 0; i < at; ++i) lower[i] = project(rows[i], on, k);
    lower[at] = project(bound<D>(k, true, box), on, k);
    lower[at + 1] = project(bound<D>(k, false, box), on, k);
    const Coordinates<D - 1> lower_objective = project(HalfSpace<D>{objective, 0}, on, k).n;
    ++counts.recursions;
    const auto nothing = [](std::size_t, const auto&) {};
    const auto sub = solve_seidel<D - 1>(std::span<const HalfSpace<D - 1>>(lower), lower_objective, box,
                                         storage.subspan(lower.size_bytes()), counts, nothing);
    SeidelAnswer<D> out;
    out.feasible = sub.feasible;
    if (sub.feasible) {
        double left = on.d;
        for (std::size_t i = 0, from = 0; i < D; ++i)
            if (i != k) left -= on.n[i] * (out.x[i] = sub.x[from++]);
        out.x[k] = left / on.n[k];
        return out;
    }
    lift_conflict(rows, at, k, sub, out);
    return out;
}

}  // namespace seidel_detail

template <std::size_t D, class Each>
SeidelAnswer<D> solve_seidel(std::span<const HalfSpace<D>> rows, const Coordinates<D>& objective, double box,
                             std::span<std::byte> storage, SeidelCounts& counts, const Each& each) {
    if constexpr (D == 1) {
        return seidel_detail::solve_line(rows, objective[0], box, counts);
    } else {
        SeidelAnswer<D> best;
        best.feasible = true;
        for (std::size_t i = 0; i < D; ++i) best.x[i] = objective[i] >= 0 ? box : -box;
        each(rows.size(), best.x);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            ++counts.checks;
            if (!(rows[at].excess(best.x) > kSatisfied)) continue;
            const std::size_t k = seidel_detail::largest_coordinate(rows[at].n);
            if (std::abs(rows[at].n[k]) < kMinNormal) {
                if (rows[at].d >= -kSatisfied) continue;
                best.feasible = false;
                best.add(static_cast<std::uint32_t>(at), 1);
                return best;
            }
            best = seidel_detail::solve_on_plane(rows, at, objective, box, storage, counts);
            if (!best.feasible) return best;
            each(at, best.x);
        }
        for (const double x : best.x) best.bounded = best.bounded && std::abs(x) < box - kSatisfied;
        return best;
    }
}

}  // namespace claybox::collision
