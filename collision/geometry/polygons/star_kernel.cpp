#include "collision/geometry/polygons/star_kernel.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/bounds/bounds.hpp"
#include "collision/geometry/hull/convexity.hpp"
#include "collision/geometry/predicates.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace claybox::collision {

namespace {

using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

constexpr std::size_t kMaxVariables = 4;

// The constraint: sum of a[k] x[k] <= b.
template <class T>
struct Row {
    std::array<T, kMaxVariables> a{};
    T b{};
    std::uint32_t triangle = kNoIndex;  // the triangle of this constraint
};

template <class T>
using Point = std::array<T, kMaxVariables>;

template <class T>
T slack(const Row<T>& row, const Point<T>& x, std::size_t variables) {
    T out = row.b;
    for (std::size_t k = 0; k < variables; ++k) out -= row.a[k] * x[k];
    return out;
}

template <class T>
bool is_negative(const T& v) {
    if constexpr (std::is_same_v<T, double>) return v < -1e-13;  // the result is checked exactly later
    return v < 0;
}

// An incremental linear program with bounded variables. If the best point satisfies the next row, it stays
// the best. Otherwise the new best point is on that row, which leaves a program with one variable less.
// Expected linear time for rows in random order. Source: Seidel, Small-dimensional linear programming and
// convex hulls made easy, 1991.
template <class T>
class Program {
  public:
    // `conflicts` receives the triangles whose rows contradict each other, if any.
    Program(Point<T> low, Point<T> high, Point<T> objective, std::size_t variables,
            std::vector<std::uint32_t>& conflicts)
        : low_(std::move(low)),
          high_(std::move(high)),
          objective_(std::move(objective)),
          variables_(variables),
          conflicts_(conflicts) {
        for (std::size_t k = 0; k < variables_; ++k) best_[k] = objective_[k] < 0 ? low_[k] : high_[k];
    }

    // Adds a row. Returns false if no point satisfies all rows so far.
    bool add(Row<T> row) {
        if (is_negative(slack(row, best_, variables_)) && !move_onto(row)) return report_conflict(row);
        rows_.push_back(std::move(row));
        return true;
    }
    const Point<T>& best() const { return best_; }

  private:
    bool report_conflict(const Row<T>& row) {
        if (row.triangle != kNoIndex) conflicts_.push_back(row.triangle);
        return false;
    }

    bool move_onto(const Row<T>& on) {
        std::size_t out = 0;
        for (std::size_t k = 1; k < variables_; ++k) {
            if (size(on.a[k]) > size(on.a[out])) out = k;
        }
        if (on.a[out] == 0) return false;
        if (variables_ == 1) return move_on_line(on);
        // Eliminate variable `out`: x[out] = (b - sum of the rest) / a[out].
        Point<T> low, high, objective;
        for (std::size_t k = 0, j = 0; k < variables_; ++k) {
            if (k == out) continue;
            low[j] = low_[k];
            high[j] = high_[k];
            objective[j++] = objective_[k] - objective_[out] * on.a[k] / on.a[out];
        }
        Program reduced(std::move(low), std::move(high), std::move(objective), variables_ - 1, conflicts_);
        Row<T> bound;
        bound.a[out] = 1;
        bound.b = high_[out];
        if (!reduced.add(eliminate(bound, on, out))) return false;
        bound.a[out] = -1;
        bound.b = -low_[out];
        if (!reduced.add(eliminate(bound, on, out))) return false;
        for (const Row<T>& row : rows_) {
            if (!reduced.add(eliminate(row, on, out))) return false;
        }
        T rest = on.b;
        for (std::size_t k = 0, j = 0; k < variables_; ++k) {
            if (k == out) continue;
            best_[k] = reduced.best()[j++];
            rest -= on.a[k] * best_[k];
        }
        best_[out] = rest / on.a[out];
        return true;
    }

    // One variable: the best point is at the end of the row, if the other rows allow it.
    bool move_on_line(const Row<T>& on) {
        Point<T> x;
        x[0] = on.b / on.a[0];
        if (is_negative(T(high_[0] - x[0])) || is_negative(T(x[0] - low_[0]))) return false;
        for (const Row<T>& row : rows_) {
            if (is_negative(slack(row, x, 1))) return report_conflict(row);
        }
        best_ = x;
        return true;
    }

    Row<T> eliminate(const Row<T>& row, const Row<T>& on, std::size_t out) const {
        const T factor = row.a[out] / on.a[out];
        Row<T> reduced;
        reduced.triangle = row.triangle;
        for (std::size_t k = 0, j = 0; k < variables_; ++k) {
            if (k != out) reduced.a[j++] = row.a[k] - factor * on.a[k];
        }
        reduced.b = row.b - factor * on.b;
        return reduced;
    }

    static T size(const T& v) { return v < 0 ? T(-v) : v; }

    Point<T> low_, high_, objective_, best_;
    std::size_t variables_;
    std::vector<std::uint32_t>& conflicts_;
    std::vector<Row<T>> rows_;
};

class KernelSearch {
  public:
    explicit KernelSearch(const Polyhedron& m) : m_(m), box_(bound(m.positions)) {
        const std::vector<Triangle>& all = m.topology->triangles;
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            const auto& v = all[i].vertices;
            if (!collinear(m.positions[v[0]], m.positions[v[1]], m.positions[v[2]])) order_.push_back(i);
        }
        Random random(1);
        for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random.below(i)]);
    }

    /// A point of the kernel, rounded; empty if the kernel is empty.
    std::optional<Vec3d> run() {
        Vec3d mean;
        for (const Vec3f& p : m_.positions) mean += cast<double>(p);
        mean *= 1.0 / static_cast<double>(m_.positions.size());
        if (sees_all(mean)) return mean;
        if (const auto deepest = deepest_point(); deepest && sees_all(*deepest)) return deepest;
        return exact_point();
    }

  private:
    Vec3f corner(std::uint32_t triangle, std::size_t k) const {
        return m_.positions[m_.topology->triangles[triangle].vertices[k]];
    }

    bool sees_all(const Vec3d& q) const {
        return std::all_of(order_.begin(), order_.end(), [&](std::uint32_t i) {
            return orient3d(cast<double>(corner(i, 0)), cast<double>(corner(i, 1)),
                            cast<double>(corner(i, 2)), q) <= 0;
        });
    }

    // The point farthest behind all planes, in double. The fourth variable is the distance. The surface is
    // scaled to a cube of half-width 1.
    std::optional<Vec3d> deepest_point() {
        const Vec3d centre = cast<double>(box_.centre()), half = cast<double>(box_.half());
        const double scale = std::max({half.x, half.y, half.z});
        Program<double> program({-1, -1, -1, 0}, {1, 1, 1, 2}, {0, 0, 0, 1}, 4, conflicts_);
        for (const std::uint32_t i : order_) {
            const auto at = [&](std::size_t k) { return (cast<double>(corner(i, k)) - centre) / scale; };
            const Vec3d n = normalized(cross(at(1) - at(0), at(2) - at(0)), Vec3d{});
            if (!program.add({{n.x, n.y, n.z, 1}, dot(n, at(0)), i})) return std::nullopt;
        }
        const Point<double>& x = program.best();
        return Vec3d{x[0], x[1], x[2]} * scale + centre;
    }

    std::optional<Vec3d> exact_point() {
        const auto exact = [](const Vec3f& p) {
            return Vec3<Rational>{Rational(p.x), Rational(p.y), Rational(p.z)};
        };
        const auto low = exact(box_.min), high = exact(box_.max);
        // Start with the rows that contradicted each other in double: if they do so exactly, the search ends
        // at once.
        std::vector<std::uint32_t> order = conflicts_;
        order.insert(order.end(), order_.begin(), order_.end());
        Program<Rational> program({low.x, low.y, low.z}, {high.x, high.y, high.z}, {1}, 3, conflicts_);
        for (const std::uint32_t i : order) {
            const auto a = exact(corner(i, 0));
            const auto n = cross(exact(corner(i, 1)) - a, exact(corner(i, 2)) - a);
            if (!program.add({{n.x, n.y, n.z}, dot(n, a), i})) return std::nullopt;
        }
        const Point<Rational>& x = program.best();
        return Vec3d{static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
    }

    const Polyhedron& m_;
    Aabb box_;
    std::vector<std::uint32_t> conflicts_;
    std::vector<std::uint32_t> order_;  // triangles with area, in random order
};

}  // namespace

bool is_star_shaped(const Polyhedron& polyhedron, const Classification& c) {
    if (c.convex) return true;
    if (!c.genus) return false;
    const auto point = KernelSearch(polyhedron).run();
    // A star-shaped surface winds once around its kernel; for a point on the surface the number is smaller.
    return point.has_value() && winding_number(polyhedron, *point) < 1.5;
}

}  // namespace claybox::collision
