#pragma once
// Point-in-polygon tests in the plane of a polygon: those of Zachmann's thesis, 3.2.2 and 3.3, on rounded
// numbers. Not exact: a point within rounding of the boundary may be assigned to either side. For proofs use
// exact/edge_triangle.hpp.
//
// The plane is a coordinate plane: the coordinate of the normal's largest component is dropped by choosing
// two indices, without copying. Loops are counter-clockwise there. If polygons partition the plane, the tests
// that count crossings (one_shot, fibonacci, box_tree, which agree to the last bit) assign every point to
// exactly one polygon. The others (angle_sum, wedge) assign boundary points to both sides or to none.

#include "collision/core/elementary.hpp"
#include "collision/core/vec.hpp"
#include "collision/geometry/shape.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace claybox::collision {

struct FlatAxes {
    unsigned char u = 0, v = 1;
};

/// The two axes that remain if the largest component of `n` is dropped, in the order that keeps a loop
/// counter-clockwise about `n`.
template <class T>
FlatAxes flat_axes(const Vec3<T>& n) {
    const auto size = [](const T& c) { return c < T(0) ? -c : c; };
    const unsigned char k = size(n.x) >= size(n.y) && size(n.x) >= size(n.z) ? 0
                            : size(n.y) >= size(n.z)                         ? 1
                                                                             : 2;
    const auto u = static_cast<unsigned char>((k + 1) % 3), v = static_cast<unsigned char>((k + 2) % 3);
    return n[k] < T(0) ? FlatAxes{v, u} : FlatAxes{u, v};
}

/// A polygon of a mesh, projected to a coordinate plane.
template <class T>
struct FlatLoop {
    const Vec3<T>* positions;
    std::span<const std::uint32_t> loop;
    FlatAxes axes;

    std::size_t size() const { return loop.size(); }
    const T& x(std::size_t i) const { return positions[loop[i]][axes.u]; }
    const T& y(std::size_t i) const { return positions[loop[i]][axes.v]; }
};

/// Records no statistics at no cost. PolygonCounts records them (thesis, 7.3.2: counters in inner loops cost
/// up to 17 %).
struct NoCounts {
    void decided(int) const {}
    void step() const {}
};
struct PolygonCounts {
    std::array<std::uint64_t, 7> by_check{};  ///< the six pre-checks of one_shot, then the division
    std::uint64_t steps = 0;                  ///< of searches; nodes of trees
    void decided(int check) { ++by_check[static_cast<std::size_t>(check)]; }
    void step() { ++steps; }
};

/// Whether the edge from (x0, y0) to (x1, y1), relative to the query point, crosses the ray along +x. The
/// point counts as moved infinitesimally up, and to the right of whatever it lies on: with <= and > there are
/// no special cases. The result is the same for both directions of an edge, including rounding.
template <class T, class Counts>
bool crosses_ray(const T& x0, const T& y0, const T& x1, const T& y1, Counts& counts) {
    const T zero(0);
    // If the deciding check is not counted, compare heights first: most edges agree there, and a branch
    // predictor learns that.
    if constexpr (std::is_empty_v<Counts>) {
        if ((y0 > zero) == (y1 > zero)) return false;
    }
    const auto decide = [&](int check, bool crosses) {
        counts.decided(check);
        return crosses;
    };
    if (x0 <= zero && x1 <= zero) return decide(0, false);
    if (y0 > zero && y1 > zero) return decide(1, false);
    if (y0 <= zero && y1 <= zero) return decide(2, false);
    if (x0 > zero && x1 > zero) return decide(3, true);
    if (y0 >= x0 && y1 >= x1) return decide(4, false);
    if (-y0 >= x0 && -y1 >= x1) return decide(5, false);
    const T crossing = x0 * y1 - x1 * y0;  // t = crossing / (y1 - y0) > 0, without the division
    return decide(6, y1 > y0 ? crossing > zero : crossing < zero);
}

/// Edge i of the loop, from vertex i to the next.
template <class T, class Loop, class Counts>
bool edge_crosses_ray(const Loop& loop, std::size_t i, const T& x, const T& y, Counts& counts) {
    const std::size_t j = i + 1 < loop.size() ? i + 1 : 0;
    return crosses_ray<T>(T(loop.x(i)) - x, T(loop.y(i)) - y, T(loop.x(j)) - x, T(loop.y(j)) - y, counts);
}

/// Parity of the edges that a ray crosses (3.2.2, "one-shot"). Any polygon, including holes joined by
/// bridges.
template <class T, class Loop, class Counts>
bool one_shot(const Loop& loop, const T& x, const T& y, Counts& counts) {
    bool inside = false;
    const std::size_t n = loop.size();
    T x0 = T(loop.x(n - 1)) - x, y0 = T(loop.y(n - 1)) - y;
    for (std::size_t i = 0; i < n; ++i) {
        const T x1 = T(loop.x(i)) - x, y1 = T(loop.y(i)) - y;
        inside ^= crosses_ray(x0, y0, x1, y1, counts);
        x0 = x1;
        y0 = y1;
    }
    return inside;
}

/// arccos of a number in [0, 0.7072] from a table with linear interpolation; error at most 2e-6.
double table_arccos(double cosine);

/// The angle between two directions, positive to the left, with a table for the arc cosine. Where the slope
/// of arccos is unbounded, the other side of the triangle is looked up instead.
template <class T>
double signed_angle(const T& x0, const T& y0, const T& x1, const T& y1) {
    constexpr double kPi = 3.14159265358979323846;
    const auto d = static_cast<double>(x0 * x1 + y0 * y1), c = static_cast<double>(x0 * y1 - x1 * y0);
    const double size = hypotenuse(d, c);
    if (size == 0) return 0;
    const double a = std::abs(d) / size, b = std::abs(c) / size;
    const double sharp = a <= b ? table_arccos(a) : kPi / 2 - table_arccos(b);
    const double angle = d < 0 ? kPi - sharp : sharp;
    return c < 0 ? -angle : angle;
}

/// Sum of the angles under which the edges are seen. Corrected (FIX-17): the printed arc cosine has no sign,
/// so the sum outside is not 0. With signs it is a multiple of the full turn, for any polygon.
template <class T, class Loop, class Counts>
bool angle_sum(const Loop& loop, const T& x, const T& y, Counts& counts) {
    double sum = 0;
    const std::size_t n = loop.size();
    T x0 = T(loop.x(n - 1)) - x, y0 = T(loop.y(n - 1)) - y;
    for (std::size_t i = 0; i < n; ++i) {
        const T x1 = T(loop.x(i)) - x, y1 = T(loop.y(i)) - y;
        sum += signed_angle(x0, y0, x1, y1);
        counts.step();
        x0 = x1;
        y0 = y1;
    }
    return std::abs(sum) > 3.14159265358979323846;
}

/// Twice the area of (a, b, c).
template <class T>
T turn(const T& ax, const T& ay, const T& bx, const T& by, const T& cx, const T& cy) {
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/// Whether every vertex is further around the centre than the one before, in one turn overall.
template <class T, class Loop>
bool is_star_about(const Loop& loop, const T& cx, const T& cy) {
    const std::size_t n = loop.size();
    int upward = 0;  // edges that cross the ray from the centre along +x
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t j = i + 1 < n ? i + 1 : 0;
        const T xi(loop.x(i)), yi(loop.y(i)), xj(loop.x(j)), yj(loop.y(j));
        if (!(turn<T>(cx, cy, xi, yi, xj, yj) > T(0))) return false;
        upward += yi <= cy && yj > cy ? 1 : 0;
    }
    return upward == 1;
}

/// Whether every corner turns left and the loop makes one turn.
template <class T, class Loop>
bool is_convex_loop(const Loop& loop) {
    const std::size_t n = loop.size();
    int turns_down = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t j = (i + 1) % n, k = (i + 2) % n;
        const T xi(loop.x(i)), yi(loop.y(i)), xj(loop.x(j)), yj(loop.y(j)), xk(loop.x(k)), yk(loop.y(k));
        if (!(turn<T>(xi, yi, xj, yj, xk, yk) > T(0))) return false;
        turns_down += yj > yi && yk <= yj ? 1 : 0;
    }
    return turns_down == 1;
}

/// Binary search for the wedge between the centre and two neighbouring vertices that contains the point
/// (3.3); then one edge decides. For polygons that are star-shaped about the centre, which includes convex
/// ones. Corrected (FIX-18): the printed normal points outward, so inside is <= 0.
template <class T, class Loop, class Counts>
bool wedge_search(const Loop& loop, const T& cx, const T& cy, const T& x, const T& y, Counts& counts) {
    const T ax = T(loop.x(0)) - cx, ay = T(loop.y(0)) - cy;
    const auto second_half = [&](const T& wx, const T& wy) {
        const T side = ax * wy - ay * wx;
        return side < T(0) || (side == T(0) && ax * wx + ay * wy < T(0));
    };
    const T qx = x - cx, qy = y - cy;
    const bool q_half = second_half(qx, qy);
    std::size_t low = 0, high = loop.size();  // angle of vertex low <= angle of the point < angle of high
    while (high - low > 1) {
        counts.step();
        const std::size_t k = low + (high - low) / 2;
        const T wx = T(loop.x(k)) - cx, wy = T(loop.y(k)) - cy;
        const bool k_half = second_half(wx, wy);
        const bool beyond = k_half != q_half ? k_half : qx * wy - qy * wx > T(0);
        (beyond ? high : low) = k;
    }
    const std::size_t next = high < loop.size() ? high : 0;
    const T nx = T(loop.y(next)) - T(loop.y(low)), ny = T(loop.x(low)) - T(loop.x(next));
    return nx * (x - T(loop.x(low))) + ny * (y - T(loop.y(low))) <= T(0);
}

/// The first vertex of the one edge between vertices `i` and `j` (indices continue beyond the last vertex)
/// that crosses the height y. One of the two vertices is above it, the other is not.
template <class T, class Loop, class Counts>
std::size_t crossing_edge(const Loop& loop, std::size_t i, std::size_t j, const T& y, Counts& counts) {
    const std::size_t n = loop.size();
    const bool above = T(loop.y(i % n)) > y;
    while (j - i > 1) {
        counts.step();
        const std::size_t k = i + (j - i) / 2;
        ((T(loop.y(k % n)) > y) == above ? i : j) = k;
    }
    return i % n;
}

/// A vertex on the other side of the height y than vertex 0, or 0 if there is none: searches for the minimum
/// (maximum) height in a sequence that falls once and rises once. Corrected (FIX-19): if the middle is lower
/// than both ends, the slope there decides on which side the minimum is.
template <class T, class Loop, class Counts>
std::size_t other_side(const Loop& loop, const T& y, Counts& counts) {
    const bool above = T(loop.y(0)) > y;
    const auto other = [&](std::size_t k) { return (T(loop.y(k)) > y) != above; };
    const auto less = [&](std::size_t a, std::size_t b) {
        return above ? loop.y(a) < loop.y(b) : loop.y(b) < loop.y(a);
    };
    std::size_t i = 0, j = loop.size() - 1;  // i is not further from y than j; either may be the larger index
    if (other(j)) return j;
    if (less(j, i)) std::swap(i, j);
    while ((i < j ? j - i : i - j) > 1) {
        counts.step();
        const std::size_t k = std::min(i, j) + (i < j ? j - i : i - j) / 2;
        if (other(k)) return k;
        if (less(i, k)) {  // the minimum is not beyond k
            j = k;
            continue;
        }
        std::size_t next = k;  // skips equal heights, where the slope is zero
        do next = j > k ? next + 1 : next - 1;
        while (next != j && !less(next, k) && !less(k, next));
        if (other(next)) return next;
        if (!less(next, k)) j = i;
        i = k;
    }
    return 0;
}

/// Finds the two edges at the height of the point by search, then applies one_shot to these two. Convex
/// polygons only. No precomputation.
template <class T, class Loop, class Counts>
bool fibonacci(const Loop& loop, const T& x, const T& y, Counts& counts) {
    const std::size_t k = other_side(loop, y, counts);
    if (k == 0) return false;
    const std::size_t rising = crossing_edge(loop, 0, k, y, counts);
    const std::size_t falling = crossing_edge(loop, k, loop.size(), y, counts);
    return edge_crosses_ray(loop, rising, x, y, counts) != edge_crosses_ray(loop, falling, x, y, counts);
}

template <class T>
struct FlatBox {
    T min_x, max_x, min_y, max_y;
};

inline constexpr std::size_t kLeafEdges = 4;  ///< of a box tree over the edges of a polygon

/// Boxes of a binary tree over runs of edges. Node 1 is the root, the children of k are 2k and 2k + 1; node 0
/// is unused. The last runs may be empty (they have no box).
template <class T, class Loop>
std::vector<FlatBox<T>> edge_boxes(const Loop& loop) {
    const std::size_t n = loop.size(), leaves = std::bit_ceil((n + kLeafEdges - 1) / kLeafEdges);
    std::vector<FlatBox<T>> out(2 * leaves);
    const auto join = [](const FlatBox<T>& a, const FlatBox<T>& b) {
        return FlatBox<T>{std::min(a.min_x, b.min_x), std::max(a.max_x, b.max_x), std::min(a.min_y, b.min_y),
                          std::max(a.max_y, b.max_y)};
    };
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        // An empty run uses the last vertex, which its parent's box contains anyway.
        const std::size_t first = std::min(leaf * kLeafEdges, n), last = std::min(first + kLeafEdges, n);
        FlatBox<T> box{loop.x(first % n), loop.x(first % n), loop.y(first % n), loop.y(first % n)};
        for (std::size_t i = first + 1; i <= last; ++i)
            box = join(box, {loop.x(i % n), loop.x(i % n), loop.y(i % n), loop.y(i % n)});
        out[leaves + leaf] = box;
    }
    for (std::size_t k = leaves; --k > 0;) out[k] = join(out[2 * k], out[2 * k + 1]);
    return out;
}

/// one_shot with the pre-checks applied to whole runs of edges. A run to the left, above or below is skipped;
/// a run to the right counts by its two ends alone.
template <class T, class B, class Loop, class Counts>
class BoxTreeTest {
  public:
    BoxTreeTest(const Loop& loop, std::span<const FlatBox<B>> boxes, const T& x, const T& y, Counts& counts)
        : loop_(loop), boxes_(boxes), x_(x), y_(y), counts_(counts) {}

    bool inside() const { return parity(1, 0, boxes_.size() / 2); }

  private:
    bool parity(std::size_t node, std::size_t first_leaf, std::size_t leaves) const {
        const std::size_t n = loop_.size(), first = first_leaf * kLeafEdges;
        const std::size_t last = std::min(first + leaves * kLeafEdges, n);
        if (first >= last) return false;
        counts_.step();
        const FlatBox<B>& box = boxes_[node];
        if (T(box.max_x) <= x_ || T(box.min_y) > y_ || T(box.max_y) <= y_) return false;
        if (T(box.min_x) > x_) return (T(loop_.y(first)) > y_) != (T(loop_.y(last % n)) > y_);
        if (leaves > 1)
            return parity(2 * node, first_leaf, leaves / 2) !=
                   parity(2 * node + 1, first_leaf + leaves / 2, leaves / 2);
        bool odd = false;
        for (std::size_t i = first; i < last; ++i) odd ^= edge_crosses_ray(loop_, i, x_, y_, counts_);
        return odd;
    }

    const Loop& loop_;
    std::span<const FlatBox<B>> boxes_;
    const T &x_, &y_;
    Counts& counts_;
};

template <class T, class B, class Loop, class Counts>
bool box_tree(const Loop& loop, std::span<const FlatBox<B>> boxes, const T& x, const T& y, Counts& counts) {
    return BoxTreeTest<T, B, Loop, Counts>(loop, boxes, x, y, counts).inside();
}

/// Where the edge from u with direction w crosses the plane through p with normal n: at parameter b / a, if
/// it does (thesis, 7.3.3: signs first, the division only for crossing edges). Corrected (FIX-39): the
/// printed quotient is inverted. Edges parallel to the plane do not cross it.
template <class T>
struct PlaneCrossing {
    bool crosses = false;
    T a{}, b{};
};
template <class T>
PlaneCrossing<T> plane_crossing(const Vec3<T>& n, const Vec3<T>& p, const Vec3<T>& u, const Vec3<T>& w) {
    const T zero(0), a = dot(w, n);
    if (a == zero) return {};
    const T b = dot(n, p - u);
    if (a < zero ? b > zero || b < a : b < zero || b > a) return {};
    return {true, a, b};
}

/// Which test to use. `triangles` is not from the thesis: it is the exact predicate on the fixed
/// triangulation.
enum class PointInPolygon : unsigned char { triangles, one_shot, angle_sum, wedge, fibonacci, box_tree };

/// Prepared data for wedge and box_tree on polygons with many vertices. For small polygons it is computed on
/// the fly.
class PolygonTables {
  public:
    static constexpr std::size_t kManyVertices = 16;

    struct Entry {
        std::uint32_t polygon = 0, first_box = 0, box_count = 0;
        bool convex = false, star = false;
        Vec3d centre;  ///< mean of the vertices, in the body's own frame
    };

    explicit PolygonTables(const Geometry& geometry, std::size_t min_vertices = kManyVertices);
    /// Null if the polygon has few vertices.
    const Entry* find(std::uint32_t polygon) const;
    std::span<const FlatBox<float>> boxes(const Entry& entry) const {
        return std::span(boxes_).subspan(entry.first_box, entry.box_count);
    }
    std::size_t memory_bytes() const;

  private:
    std::vector<Entry> entries_;  ///< sorted by polygon
    std::vector<FlatBox<float>> boxes_;
};

/// Point-in-polygon test for one geometry. If a method does not support a polygon (wedge and fibonacci on a
/// non-convex one, box_tree without tables), one_shot answers.
struct PolygonTest {
    const Geometry* geometry = nullptr;
    const PolygonTables* tables = nullptr;  ///< may be null
    bool convex = false;                    ///< all polygons are convex
    PointInPolygon method = PointInPolygon::one_shot;
    PolygonCounts* counts = nullptr;  ///< statistics; may be null

    /// `p`: in the body's own frame, in the plane of the polygon.
    bool inside(std::uint32_t polygon, const Vec3d& p) const;
};

}  // namespace claybox::collision
