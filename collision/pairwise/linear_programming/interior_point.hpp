#pragma once
// The linear program of IVRI-CD and its primal-dual affine scaling: the kernel of `interior_point`.
// Source: A Linear Programming Solution for Exact Collision Detection, sections 3 and 4, equations (5) to
// (16) and (21) to (33). Corrected: the sums of (2) and (3) run to n1 and n2; (16) has a minus sign; (23)
// skips the last slack, and pi is scaled down where that slack would vanish; (28) to (30) are the negatives
// of Newton's direction, and (29) has A transposed; the step factors, not printed in the paper, keep all
// variables positive and reduce the potential of Tanabe and Todd.

#include "collision/core/elementary.hpp"
#include "collision/core/vec.hpp"
#include "collision/pairwise/linear_programming/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace claybox::collision {

struct IpRules {
    double epsilon = 1e-6;      ///< step 5: a collision if m w is less, in units of the program
    double slack_factor = 1.5;  ///< of (22)
    double min_slack = 0.1;     ///< the small positive number of (22)
    double step_ratio = 0.99;   ///< fraction of the distance to the boundary that a step may use
    bool reduce_potential = true;
    bool early_stop = true;  ///< stop at pi4 + pi5 > 0 (section 3.2) instead of at the optimum
    std::uint32_t iteration_limit = 100;
};

enum class IpEnd : unsigned char {
    colliding,   ///< m w < epsilon
    separated,   ///< pi4 + pi5 > 0
    unfinished,  ///< the limit was reached, or rounding left no step
};

/// min m w, A gamma = b, gamma >= 0 with its dual max pi4 + pi5, A^T pi + s = c, s >= 0. Columns of A: the
/// vertices of the first body (v, 1, 0), those of the second (-w, 0, 1), and the artificial one (u, 0, 0). b
/// = (0, 0, 0, 1, 1), c = (0, ..., 0, m).
template <class T>
struct IpProgram {
    std::size_t of_a = 0, of_b = 0;  ///< columns of each body
    /// The first three rows of A; per column the primal variable, the slack and their directions. Each has
    /// size() + 1 elements; the artificial column is last.
    std::span<T> x, y, z, gamma, s, d_gamma, d_s;
    T pi[5] = {};
    T d_pi[5] = {};
    T m = 0;
    std::uint32_t iterations = 0, halvings = 0, skipped = 0;
    std::optional<double> potential;  ///< of the current weights and slacks, if a step has computed it

    static constexpr std::size_t kArrays = 7;
    /// Elements of all arrays for `columns` vertices.
    static std::size_t element_count(std::size_t columns) { return kArrays * (columns + 1); }
    void set_storage(std::span<T> storage, std::size_t a, std::size_t b) {
        of_a = a;
        of_b = b;
        std::span<T>* const arrays[kArrays] = {&x, &y, &z, &gamma, &s, &d_gamma, &d_s};
        for (std::size_t i = 0; i < kArrays; ++i) *arrays[i] = storage.subspan(i * (size() + 1), size() + 1);
    }
    std::size_t size() const { return of_a + of_b; }

    void set_a(std::size_t i, const Vec3<T>& v) { set(i, v); }
    void set_b(std::size_t i, const Vec3<T>& w) { set(of_a + i, -w); }
    void set(std::size_t j, const Vec3<T>& column) {
        x[j] = column.x;
        y[j] = column.y;
        z[j] = column.z;
    }
    Vec3<T> column(std::size_t j) const { return {x[j], y[j], z[j]}; }
    Vec3<T> u() const { return column(size()); }
    Vec3<T> normal() const { return {pi[0], pi[1], pi[2]}; }
    T w() const { return gamma[size()]; }
    T primal() const { return m * w(); }
    T dual() const { return pi[3] + pi[4]; }

    /// The largest absolute value of A gamma - b.
    T primal_residual() const;
    /// The largest absolute value of A^T pi + s - c.
    T dual_residual() const;
    /// gamma^T s, equal to primal() - dual().
    T gap() const;
};

/// Equations (4), (7) and (13) to (15); (19) and (20) after the first frame. Normalises the weights in
/// `gamma`, mixes them with equal ones so that all are positive, and sets u, w and m to satisfy (8b) to (8d):
/// u points from the weighted point of the first body to that of the second. With equal weights these points
/// are the means of (4). False if m = 0: the points coincide, and the bodies collide.
template <class T>
bool start_primal(IpProgram<T>& p, T equal_part);
/// Equal weights, for start_primal.
template <class T>
void equal_weights(IpProgram<T>& p) {
    std::fill(p.gamma.begin(), p.gamma.end(), T(1));
}
/// (16) with the sign that makes it feasible: pi4 = pi5 = -eta, where eta is the largest coordinate.
template <class T>
void start_dual(IpProgram<T>& p);
/// (21) to (24): makes the dual variables of the last frame feasible again.
template <class T>
void update_dual(IpProgram<T>& p, const T (&pi)[5], const IpRules& rules);

namespace ip_detail {

/// out[j] = -(A^T pi)_j for all columns.
template <class T>
void minus_transposed(const IpProgram<T>& p, const T (&pi)[5], std::span<T> out) {
    const std::size_t n = p.size();
    for (std::size_t j = 0; j <= n; ++j) out[j] = -(p.x[j] * pi[0] + p.y[j] * pi[1] + p.z[j] * pi[2]);
    for (std::size_t j = 0; j < p.of_a; ++j) out[j] -= pi[3];
    for (std::size_t j = p.of_a; j < n; ++j) out[j] -= pi[4];
}

/// M = A D A^T with D = S^-1 X (27).
template <class T>
void scaled_square(const IpProgram<T>& p, T (&m)[5][5]) {
    T sum[2][4] = {};
    for (std::size_t j = 0; j <= p.size(); ++j) {
        const T d = p.gamma[j] / p.s[j];
        const T dx = d * p.x[j], dy = d * p.y[j], dz = d * p.z[j];
        m[0][0] += dx * p.x[j];
        m[1][0] += dx * p.y[j];
        m[1][1] += dy * p.y[j];
        m[2][0] += dx * p.z[j];
        m[2][1] += dy * p.z[j];
        m[2][2] += dz * p.z[j];
        if (j == p.size()) break;
        T(&body)[4] = sum[j < p.of_a ? 0 : 1];
        body[0] += dx;
        body[1] += dy;
        body[2] += dz;
        body[3] += d;
    }
    for (std::size_t body = 0; body < 2; ++body) {
        for (std::size_t c = 0; c < 3; ++c) m[3 + body][c] = sum[body][c];
        m[3 + body][3 + body] = sum[body][3];
    }
}

/// The residual A gamma - b after a full step. Returns its largest absolute value.
template <class T>
T residual_after_step(const IpProgram<T>& p, T (&out)[5]) {
    const T wanted[5] = {0, 0, 0, -1, -1};
    std::copy(wanted, wanted + 5, out);
    for (std::size_t j = 0; j <= p.size(); ++j) {
        const T gamma = p.gamma[j] - p.d_gamma[j];
        out[0] += p.x[j] * gamma;
        out[1] += p.y[j] * gamma;
        out[2] += p.z[j] * gamma;
        if (j < p.size()) out[j < p.of_a ? 3 : 4] += gamma;
    }
    T largest = 0;
    for (const T value : out) largest = std::max(largest, std::abs(value));
    return largest;
}

/// Adds d_pi to the direction, and by (29) and (30) the matching parts of d_s and d_gamma. The increment of
/// d_s is rounded separately: near the end, slacks are far smaller than the terms that form them, and D
/// amplifies their rounding.
template <class T>
void add_direction(IpProgram<T>& p, const T (&d_pi)[5]) {
    const std::size_t n = p.size();
    for (std::size_t r = 0; r < 5; ++r) p.d_pi[r] += d_pi[r];
    for (std::size_t j = 0; j <= n; ++j) {
        T d_s = -(p.x[j] * d_pi[0] + p.y[j] * d_pi[1] + p.z[j] * d_pi[2]);
        if (j < n) d_s -= d_pi[j < p.of_a ? 3 : 4];
        p.d_s[j] += d_s;
        p.d_gamma[j] -= p.gamma[j] / p.s[j] * d_s;
    }
}

/// (28) to (30) in the paper's signs: the direction is subtracted. One step of iterative refinement removes
/// the residual that rounding leaves in the equations.
template <class T>
void direction(IpProgram<T>& p) {
    constexpr T kRefined = std::numeric_limits<T>::epsilon() * T(1024);
    T m[5][5] = {};
    scaled_square(p, m);
    const Cholesky<T, 5> factor(m);
    p.skipped += factor.skipped > 0 ? 1 : 0;
    std::fill(p.d_pi, p.d_pi + 5, T(0));
    std::fill(p.d_s.begin(), p.d_s.end(), T(0));
    std::copy(p.gamma.begin(), p.gamma.end(), p.d_gamma.begin());
    T x[5] = {0, 0, 0, -1, -1};
    for (int pass = 0; pass < 2; ++pass) {
        factor.solve(x);
        add_direction(p, x);
        if (pass == 1 || !(residual_after_step(p, x) > kRefined)) return;
    }
}

/// The largest step, at most 1, that uses at most `ratio` of the distance to the boundary.
template <class T>
T step_factor(std::span<const T> value, std::span<const T> direction, T ratio) {
    T most = 0;
    for (std::size_t j = 0; j < value.size(); ++j) most = std::max(most, direction[j] / value[j]);
    return most > ratio ? ratio / most : T(1);
}

/// q ln(gamma^T s) - sum ln(gamma_i s_i) after a step; infinite if a variable is not positive. q is
/// kGapWeight times the number of variables: with the usual n + sqrt(n), most steps would be halved several
/// times, and a program started from the last frame needs three times the iterations (measured). One
/// logarithm serves for the whole sum: products of eight stay far inside the range of double, and their
/// exponents are added apart.
template <class T>
double potential(const IpProgram<T>& p, T f_gamma, T f_s) {
    constexpr double kGapWeight = 4;
    constexpr std::size_t kAtOnce = 8;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double gap = 0, product = 1;
    int twos = 0;
    const std::size_t n = p.size() + 1;
    for (std::size_t j = 0; j < n; ++j) {
        const double g = static_cast<double>(p.gamma[j] - f_gamma * p.d_gamma[j]);
        const double s = static_cast<double>(p.s[j] - f_s * p.d_s[j]);
        if (!(g > 0) || !(s > 0)) return kInfinite;
        gap += g * s;
        product *= g * s;
        if (j % kAtOnce != kAtOnce - 1) continue;
        const Binary parts = binary(product);
        product = parts.m;
        twos += parts.twos;
    }
    const auto count = static_cast<double>(n);
    return kGapWeight * count * logarithm(gap) - (logarithm(product) + twos * kLog2);
}

/// Halves the steps until the potential decreases. If unequal steps do not help, tries equal ones: along them
/// the slope of the potential is n - q. False if even the shortest step does not help, because of rounding.
template <class T>
bool reduce(IpProgram<T>& p, T& f_gamma, T& f_s) {
    constexpr int kUnequal = 3, kMaxHalvings = 40;
    const double before = p.potential ? *p.potential : potential(p, T(0), T(0));
    for (int i = 0; i < kMaxHalvings; ++i) {
        const double after = potential(p, f_gamma, f_s);
        if (after < before) {
            p.potential = after;
            return true;
        }
        ++p.halvings;
        if (i + 1 == kUnequal) f_gamma = f_s = std::min(f_gamma, f_s);
        f_gamma /= 2;
        f_s /= 2;
    }
    return false;
}

/// Steps 1 to 4 of section 4.3. False if rounding leaves no step.
template <class T>
bool iterate(IpProgram<T>& p, const IpRules& rules) {
    direction(p);
    const T ratio = static_cast<T>(rules.step_ratio);
    T f_gamma = step_factor<T>(p.gamma, p.d_gamma, ratio);
    T f_s = step_factor<T>(p.s, p.d_s, ratio);
    if (!(f_gamma > 0) || !(f_s > 0)) return false;  // also for NaN
    if (rules.reduce_potential && !reduce(p, f_gamma, f_s)) return false;
    for (std::size_t j = 0; j <= p.size(); ++j) {
        p.gamma[j] -= f_gamma * p.d_gamma[j];
        p.s[j] -= f_s * p.d_s[j];
    }
    for (std::size_t r = 0; r < 5; ++r) p.pi[r] -= f_s * p.d_pi[r];
    ++p.iterations;
    return std::isfinite(p.primal()) && std::isfinite(p.dual());
}

}  // namespace ip_detail

template <class T>
bool start_primal(IpProgram<T>& p, T equal_part) {
    const std::size_t n = p.size();
    const auto body = [&](std::size_t begin, std::size_t end) {
        T total = 0;
        for (std::size_t j = begin; j < end; ++j) total += p.gamma[j];
        const bool usable = total > 0 && std::isfinite(total);
        const T equal = T(1) / static_cast<T>(end - begin),
                kept = usable ? (T(1) - equal_part) / total : T(0);
        for (std::size_t j = begin; j < end; ++j)
            p.gamma[j] = kept * (usable ? p.gamma[j] : T(0)) + (usable ? equal_part : T(1)) * equal;
    };
    body(0, p.of_a);
    body(p.of_a, n);
    Vec3<T> sum;
    for (std::size_t j = 0; j < n; ++j) sum += p.gamma[j] * p.column(j);
    p.set(n, -sum);
    p.gamma[n] = 1;
    p.potential.reset();
    p.m = std::max({std::abs(sum.x), std::abs(sum.y), std::abs(sum.z)});
    return p.m > 0;
}

template <class T>
void start_dual(IpProgram<T>& p) {
    T eta = 0;
    for (std::size_t j = 0; j < p.size(); ++j)
        eta = std::max({eta, std::abs(p.x[j]), std::abs(p.y[j]), std::abs(p.z[j])});
    if (!(eta > 0)) eta = 1;
    p.pi[0] = p.pi[1] = p.pi[2] = 0;
    p.pi[3] = p.pi[4] = -eta;
    std::fill(p.s.begin(), p.s.end(), eta);
    p.s[p.size()] = p.m;
}

template <class T>
void update_dual(IpProgram<T>& p, const T (&pi)[5], const IpRules& rules) {
    constexpr T kMaxShareOfLast = T(0.9);  // limit of u n / m; the rest keeps the last slack positive
    const std::size_t n = p.size();
    const T un = p.x[n] * pi[0] + p.y[n] * pi[1] + p.z[n] * pi[2];
    const T scale = un > kMaxShareOfLast * p.m ? kMaxShareOfLast * p.m / un : T(1);
    for (std::size_t r = 0; r < 5; ++r) p.pi[r] = scale * pi[r];
    ip_detail::minus_transposed(p, p.pi, p.s);
    const T least = *std::min_element(p.s.begin(), p.s.begin() + static_cast<std::ptrdiff_t>(n));
    const T raise = std::max(static_cast<T>(-rules.slack_factor) * least, static_cast<T>(rules.min_slack));
    for (std::size_t j = 0; j < n; ++j) p.s[j] += raise;
    p.s[n] += p.m;
    p.pi[3] -= raise;
    p.pi[4] -= raise;
}

/// Section 4.3 from a started program until step 5 ends it. Calls `each` before the first and after every
/// iteration.
template <class T, class Each>
IpEnd solve(IpProgram<T>& p, const IpRules& rules, const Each& each) {
    each(p);
    const std::uint32_t end = p.iterations + rules.iteration_limit;
    for (;;) {
        if (p.primal() < static_cast<T>(rules.epsilon)) return IpEnd::colliding;
        const bool optimal = p.primal() - p.dual() < static_cast<T>(rules.epsilon);
        if (p.dual() > 0 && (rules.early_stop || optimal)) return IpEnd::separated;
        if (p.iterations == end || !ip_detail::iterate(p, rules)) return IpEnd::unfinished;
        each(p);
    }
}

template <class T>
T IpProgram<T>::primal_residual() const {
    T sum[5] = {0, 0, 0, -1, -1};
    for (std::size_t j = 0; j <= size(); ++j) {
        sum[0] += x[j] * gamma[j];
        sum[1] += y[j] * gamma[j];
        sum[2] += z[j] * gamma[j];
        if (j < size()) sum[j < of_a ? 3 : 4] += gamma[j];
    }
    T out = 0;
    for (const T value : sum) out = std::max(out, std::abs(value));
    return out;
}

template <class T>
T IpProgram<T>::dual_residual() const {
    T out = 0;
    for (std::size_t j = 0; j <= size(); ++j) {
        T sum = x[j] * pi[0] + y[j] * pi[1] + z[j] * pi[2] + s[j];
        sum += j == size() ? -m : j < of_a ? pi[3] : pi[4];
        out = std::max(out, std::abs(sum));
    }
    return out;
}

template <class T>
T IpProgram<T>::gap() const {
    T out = 0;
    for (std::size_t j = 0; j <= size(); ++j) out += gamma[j] * s[j];
    return out;
}

}  // namespace claybox::collision
