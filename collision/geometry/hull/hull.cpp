#include "collision/geometry/hull/hull.hpp"

#include "collision/geometry/hull/hull_check.hpp"
#include "collision/geometry/hull/quickhull.hpp"
#include "collision/geometry/predicates.hpp"
#include "collision/geometry/transform.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

using Points = std::vector<Vec3f>;

bool lexicographic_less(const Vec3f& a, const Vec3f& b) {
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Removes duplicates; keeps the order of first occurrence. -0 becomes 0.
Points unique_points(std::span<const Vec3f> in) {
    Points all(in.begin(), in.end());
    for (Vec3f& p : all) p += Vec3f{};
    std::vector<std::uint32_t> order(all.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return lexicographic_less(all[a], all[b]) || (all[a] == all[b] && a < b);
    });
    std::vector<char> first(all.size(), 1);
    for (std::size_t i = 1; i < order.size(); ++i)
        first[order[i]] = all[order[i]] == all[order[i - 1]] ? 0 : 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (first[i]) all[kept++] = all[i];
    }
    all.resize(kept);
    return all;
}

// The index of the point with the largest `measure`. If that point is not good, the first good point;
// kNoIndex if there is none.
template <class Measure, class IsGood>
std::uint32_t pick(const Points& points, Measure&& measure, IsGood&& is_good) {
    std::uint32_t best = 0;
    double largest = -1;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const double m = measure(cast<double>(points[i]));
        if (m > largest) {
            largest = m;
            best = i;
        }
    }
    if (is_good(points[best])) return best;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (is_good(points[i])) return i;
    }
    return kNoIndex;
}

// Points that span the affine hull of the set: one point, two, three that are not collinear or four that are
// not coplanar. Decided exactly; chosen far apart in double.
struct AffineBasis {
    int dimension = 0;
    std::array<std::uint32_t, 4> points{};
};

AffineBasis find_affine_basis(const Points& points) {
    AffineBasis basis;
    if (points.size() == 1) return basis;
    const auto first = std::min_element(points.begin(), points.end(), lexicographic_less);
    basis.points[0] = static_cast<std::uint32_t>(first - points.begin());
    const Vec3f& a = *first;
    const Vec3d p = cast<double>(a);
    basis.points[1] = pick(
        points, [&](const Vec3d& q) { return length_squared(q - p); },
        [&](const Vec3f& q) { return !(q == a); });
    const Vec3f& b = points[basis.points[1]];
    const Vec3d u = cast<double>(b) - p;
    basis.dimension = 1;
    basis.points[2] = pick(
        points, [&](const Vec3d& q) { return length_squared(cross(u, q - p)); },
        [&](const Vec3f& q) { return !collinear(a, b, q); });
    if (basis.points[2] == kNoIndex) return basis;
    basis.dimension = 2;
    const Vec3f& c = points[basis.points[2]];
    const Vec3d n = cross(u, cast<double>(c) - p);
    basis.points[3] = pick(
        points, [&](const Vec3d& q) { return std::fabs(dot(n, q - p)); },
        [&](const Vec3f& q) { return orient3d(a, b, c, q) != 0; });
    if (basis.points[3] != kNoIndex) basis.dimension = 3;
    return basis;
}

// Faces as loops of point indices, one after the other.
struct Loops {
    std::vector<std::uint32_t> begin{0};
    std::vector<std::uint32_t> points;

    void close() { begin.push_back(static_cast<std::uint32_t>(points.size())); }
};

// Andrew's monotone chain in the plane of two coordinates. Exact. Corners of 180 degrees are dropped.
std::vector<std::uint32_t> flat_outline(const Points& points, const AffineBasis& basis) {
    std::size_t axis = 0;
    const Vec3f &a = points[basis.points[0]], &b = points[basis.points[1]], &c = points[basis.points[2]];
    while (orient_along(axis, a, b, c) == 0) ++axis;
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    std::vector<std::uint32_t> order(points.size()), out;
    for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](std::uint32_t l, std::uint32_t r) {
        const Vec3f &p = points[l], &q = points[r];
        return p[i] != q[i] ? p[i] < q[i] : p[j] < q[j];
    });
    for (int half = 0; half < 2; ++half) {
        const std::size_t keep = out.empty() ? 0 : out.size() - 1;
        if (half == 1) out.pop_back();
        for (const std::uint32_t k : order) {
            while (out.size() >= keep + 2 &&
                   orient_along(axis, points[out[out.size() - 2]], points[out.back()], points[k]) <= 0)
                out.pop_back();
            out.push_back(k);
        }
        std::reverse(order.begin(), order.end());
    }
    out.pop_back();
    return out;
}

std::uint32_t find_root(std::vector<std::uint32_t>& parent, std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// The face (side) of each facet, named by the smallest of the connected coplanar facets.
std::vector<std::uint32_t> merge_coplanar(const Points& points, const std::vector<HullFacet>& facets) {
    std::vector<std::uint32_t> side(facets.size());
    for (std::uint32_t f = 0; f < side.size(); ++f) side[f] = f;
    for (std::uint32_t f = 0; f < facets.size(); ++f) {
        const auto& v = facets[f].vertices;
        for (const std::uint32_t g : facets[f].neighbours) {
            if (g < f) continue;
            bool coplanar = true;
            for (const std::uint32_t w : facets[g].vertices) {
                if (w == v[0] || w == v[1] || w == v[2]) continue;
                coplanar = orient3d(points[v[0]], points[v[1]], points[v[2]], points[w]) == 0;
            }
            if (!coplanar) continue;
            const std::uint32_t a = find_root(side, f), b = find_root(side, g);
            side[std::max(a, b)] = std::min(a, b);
        }
    }
    for (std::uint32_t f = 0; f < side.size(); ++f) side[f] = find_root(side, f);
    return side;
}

// The outlines of the merged faces. A point with fewer than three faces around it is inside a face or an edge
// and is dropped.
Loops face_outlines(const Points& points, const std::vector<HullFacet>& facets) {
    const std::vector<std::uint32_t> side = merge_coplanar(points, facets);
    std::vector<std::uint32_t> sides_around(points.size(), 0), next(points.size(), kNoIndex);
    std::vector<std::uint32_t> begin(facets.size() + 1, 0);
    const auto each_rim = [&](auto&& visit) {
        for (std::uint32_t f = 0; f < facets.size(); ++f) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (side[facets[f].neighbours[k]] != side[f])
                    visit(side[f], facets[f].vertices[k], facets[f].vertices[(k + 1) % 3]);
            }
        }
    };
    each_rim([&](std::uint32_t s, std::uint32_t from, std::uint32_t) {
        ++begin[s + 1];
        ++sides_around[from];
    });
    for (std::size_t s = 0; s < facets.size(); ++s) begin[s + 1] += begin[s];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rim(begin.back());
    std::vector<std::uint32_t> at(begin.begin(), begin.end() - 1);
    each_rim([&](std::uint32_t s, std::uint32_t from, std::uint32_t to) { rim[at[s]++] = {from, to}; });
    Loops out;
    out.begin.reserve(facets.size() + 1);
    out.points.reserve(rim.size());
    for (std::size_t s = 0; s < facets.size(); ++s) {
        if (begin[s] == begin[s + 1]) continue;
        std::uint32_t start = kNoIndex;
        for (std::uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
            next[rim[i].first] = rim[i].second;
            if (sides_around[rim[i].first] >= 3) start = std::min(start, rim[i].first);
        }
        std::uint32_t v = start;
        do {
            if (sides_around[v] >= 3) out.points.push_back(v);
            v = next[v];
        } while (v != start);
        out.close();
    }
    return out;
}

void add_neighbours(ConvexHull& hull) {
    const std::uint32_t n = hull.vertex_count;
    hull.neighbour_begin.assign(n + 1, 0);
    const auto each_edge = [&](auto&& visit) {
        if (hull.dimension == 1) {
            visit(0u, 1u);
            visit(1u, 0u);
        }
        for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
            const auto loop = hull.faces.polygon(f);
            for (std::size_t k = 0; k < loop.size(); ++k) visit(loop[k], loop[(k + 1) % loop.size()]);
        }
    };
    each_edge([&](std::uint32_t from, std::uint32_t) { ++hull.neighbour_begin[from + 1]; });
    for (std::uint32_t v = 0; v < n; ++v) hull.neighbour_begin[v + 1] += hull.neighbour_begin[v];
    hull.neighbours.resize(hull.neighbour_begin.back());
    std::vector<std::uint32_t> at(hull.neighbour_begin.begin(), hull.neighbour_begin.end() - 1);
    each_edge([&](std::uint32_t from, std::uint32_t to) { hull.neighbours[at[from]++] = to; });
    for (std::uint32_t v = 0; v < n; ++v)
        std::sort(hull.neighbours.begin() + hull.neighbour_begin[v],
                  hull.neighbours.begin() + hull.neighbour_begin[v + 1]);
}

// Numbers the used points in input order and fills all arrays.
ConvexHull assemble(const Points& points, int dimension, std::vector<std::uint32_t> used,
                    const Loops& loops) {
    ConvexHull hull;
    hull.dimension = dimension;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::vector<std::uint32_t> index(points.size(), kNoIndex);
    hull.faces.positions.reserve(used.size());
    Vec3d sum;
    for (const std::uint32_t p : used) {
        index[p] = hull.vertex_count++;
        hull.faces.positions.push_back(points[p]);
        sum += cast<double>(points[p]);
    }
    hull.interior = cast<float>(sum / static_cast<double>(hull.vertex_count));
    constexpr std::size_t kPadding = 16;
    const std::size_t padded = (used.size() + kPadding - 1) / kPadding * kPadding;
    for (std::vector<float>* axis : {&hull.x, &hull.y, &hull.z}) axis->reserve(padded);
    for (std::size_t v = 0; v < padded; ++v) {
        const Vec3f& p = hull.faces.positions[v < used.size() ? v : 0];
        hull.x.push_back(p.x);
        hull.y.push_back(p.y);
        hull.z.push_back(p.z);
    }
    hull.faces.begin = loops.begin;
    hull.faces.indices.reserve(loops.points.size());
    for (const std::uint32_t p : loops.points) hull.faces.indices.push_back(index[p]);
    add_neighbours(hull);
    return hull;
}

}  // namespace

Result<ConvexHull> convex_hull(std::span<const Vec3f> points) {
    auto connected = connected_convex_hull(points);
    if (!connected) return connected.error();
    return std::move(connected).value().hull;
}

Result<ConnectedHull> connected_convex_hull(std::span<const Vec3f> input) {
    if (input.empty()) return Error{"a convex hull needs at least one point", {}, 0};
    if (input.size() >= kNoIndex) return Error{"a convex hull accepts at most 2^32 - 2 points", {}, 0};
    for (const Vec3f& p : input) {
        if (!is_finite(p)) return Error{"a point has a coordinate that is not finite", {}, 0};
        const float largest = std::fmax(std::fmax(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z));
        if (static_cast<double>(largest) > kMaxMagnitude)
            return Error{"a point has a coordinate of magnitude above 2^60", {}, 0};
    }
    const Points points = unique_points(input);
    const AffineBasis basis = find_affine_basis(points);
    Loops loops;
    std::vector<std::uint32_t> used;
    if (basis.dimension == 0) used = {0};
    if (basis.dimension == 1) {
        const auto [low, high] = std::minmax_element(points.begin(), points.end(), lexicographic_less);
        used = {static_cast<std::uint32_t>(low - points.begin()),
                static_cast<std::uint32_t>(high - points.begin())};
    }
    if (basis.dimension == 2) {
        used = flat_outline(points, basis);
        loops.points = used;
        loops.close();
        loops.points.insert(loops.points.end(), used.rbegin(), used.rend());
        loops.close();
    }
    if (basis.dimension == 3) {
        loops = face_outlines(points, quickhull(points, basis.points));
        used = loops.points;
    }
    ConnectedHull out{assemble(points, basis.dimension, std::move(used), loops), {}};
    // All proofs about solids rely on the hull, so a defect in the code above must not pass unnoticed.
    if (Status status = check_hull(out.hull, points, out.topology); !status) return status.error();
    return out;
}

}  // namespace claybox::collision
