#pragma once
// Seidel's linear program: the kernel of `seidel`.
// Source: Seidel, Small-dimensional linear programming and convex hulls made easy, 1991, in the form of
// Chong's notes on convexity-based methods.

#include "collision/parts/linear_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::collision {

/// What a run did.
struct SeidelCounts {
    std::uint64_t checks = 0;      ///< half-spaces looked at, on all levels
    std::uint32_t recursions = 0;  ///< programs in one dimension less, on all levels
};

template <std::size_t D>
struct SeidelAnswer {
    bool feasible = false;
    bool bounded = true;  ///< feasible: the optimum does not lie on the box, so it is one without the box
    Coordinates<D> x{};   ///< the optimum
    /// Not feasible: at most D + 1 half-spaces that contradict each other.
    std::array<FarkasTerm, D + 1> conflict{};
    std::size_t conflict_count = 0;

    void add(std::uint32_t row, double multiplier) { conflict[conflict_count++] = {row, multiplier}; }
};

/// Rows of all levels below D that a program of `rows` half-spaces needs room for, in bytes.
template <std::size_t D>
constexpr std::size_t seidel_room(std::size_t rows) {
    if constexpr (D == 1)
        return 0;
    else
        return (rows + 2) * sizeof(HalfSpace<D - 1>) + seidel_room<D - 1>(rows + 2);
}

namespace seidel_detail {

/// The half-space without coordinate k, on the plane of `on`, where on.n[k] is not zero.
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

/// Two bounds of one coordinate as half-spaces.
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
        if (std::abs(n) < kNoNormal) {
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
    // The two half-spaces at once violated by this much at the point between them.
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

/// Maximises objective . x over the half-spaces, in their order, which should be random, and the box
/// |x_k| <= box: a program without it may have no optimum. Each half-space that the optimum so far violates
/// holds the next optimum on its plane, so that a program of one dimension less finds it; with a random order
/// that is seldom. `each(row, x)` is told every new optimum of the full dimension. Expected O(D! rows);
/// `room` is seidel_room() bytes, aligned for doubles. Always ends.
template <std::size_t D, class Each>
SeidelAnswer<D> solve_seidel(std::span<const HalfSpace<D>> rows, const Coordinates<D>& objective, double box,
                             std::span<std::byte> room, SeidelCounts& counts, const Each& each);

namespace seidel_detail {

/// A contradiction on the plane of rows[at], without coordinate k, as one of the level above.
template <std::size_t D>
void lift_conflict(std::span<const HalfSpace<D>> rows, std::size_t at, std::size_t k,
                   const SeidelAnswer<D - 1>& sub, SeidelAnswer<D>& out) {
    const auto above = static_cast<std::uint32_t>(rows.size()), below = static_cast<std::uint32_t>(at + 2);
    double of_plane = 0;  // the plane's own half-space makes up for coordinate k
    for (std::size_t c = 0; c < sub.conflict_count; ++c) {
        const FarkasTerm& term = sub.conflict[c];
        std::uint32_t row = term.row;
        double n_k = 0;
        if (row < at) {
            n_k = rows[row].n[k];
        } else if (row < below) {
            n_k = row == at ? 1 : -1;
            row = above + 2 * static_cast<std::uint32_t>(k) + (row == at ? 0 : 1);
        } else {  // the box of a coordinate below: the same coordinate, counted above
            const std::uint32_t side = (row - below) % 2, coordinate = (row - below) / 2;
            row = above + 2 * (coordinate + (coordinate >= k ? 1 : 0)) + side;
        }
        out.add(row, term.multiplier);
        of_plane -= term.multiplier * n_k / rows[at].n[k];
    }
    out.add(static_cast<std::uint32_t>(at), std::max(of_plane, 0.0));  // negative by rounding only
}

/// The program on the plane of rows[at], and its answer in terms of the level above.
template <std::size_t D>
SeidelAnswer<D> solve_on_plane(std::span<const HalfSpace<D>> rows, std::size_t at,
                               const Coordinates<D>& objective, double box, std::span<std::byte> room,
                               SeidelCounts& counts) {
    const HalfSpace<D>& on = rows[at];
    const std::size_t k = largest_coordinate(on.n);
    auto* first = reinterpret_cast<HalfSpace<D - 1>*>(room.data());
    const std::span<HalfSpace<D - 1>> lower(first, at + 2);
    for (std::size_t i = 0; i < at; ++i) lower[i] = project(rows[i], on, k);
    lower[at] = project(bound<D>(k, true, box), on, k);
    lower[at + 1] = project(bound<D>(k, false, box), on, k);
    const Coordinates<D - 1> lower_objective = project(HalfSpace<D>{objective, 0}, on, k).n;
    ++counts.recursions;
    const auto nothing = [](std::size_t, const auto&) {};
    const auto sub = solve_seidel<D - 1>(std::span<const HalfSpace<D - 1>>(lower), lower_objective, box,
                                         room.subspan(lower.size_bytes()), counts, nothing);
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
                             std::span<std::byte> room, SeidelCounts& counts, const Each& each) {
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
            if (std::abs(rows[at].n[k]) < kNoNormal) {
                if (rows[at].d >= -kSatisfied) continue;
                best.feasible = false;
                best.add(static_cast<std::uint32_t>(at), 1);
                return best;
            }
            best = seidel_detail::solve_on_plane(rows, at, objective, box, room, counts);
            if (!best.feasible) return best;
            each(at, best.x);
        }
        for (const double x : best.x) best.bounded = best.bounded && std::abs(x) < box - kSatisfied;
        return best;
    }
}

}  // namespace claybox::collision
