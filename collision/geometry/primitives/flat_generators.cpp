#include "collision/core/random.hpp"
#include "collision/geometry/hull/hull.hpp"
#include "collision/geometry/primitives/generators.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision::generators {

namespace {

// The largest number not above v with `bits` binary digits. Its products with integers of 24 - bits binary
// digits are exact floats.
double few_bits(double v, int bits) {
    int exponent = 0;
    const double fraction = std::frexp(v, &exponent);
    return std::ldexp(std::floor(std::ldexp(fraction, bits)), exponent - bits);
}

constexpr Vec3d kCorners[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
// Corners of the four sides, counter-clockwise seen from outside.
constexpr std::size_t kSides[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};

struct BoxCounts {
    std::uint32_t n[3] = {1, 1, 1};
};

// The numbers of cells a, b, c along the axes for which 2 (ab + bc + ca) is nearest to the target; the most
// even ones at ties.
BoxCounts nearest_box(std::uint32_t target_count) {
    const double even = std::sqrt(target_count / 6.0);
    const auto low = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(even / 1.5));
    const auto high = static_cast<std::uint32_t>(even * 1.5) + 1;
    BoxCounts best;
    double best_error = HUGE_VAL, best_spread = HUGE_VAL;
    for (std::uint32_t a = low; a <= high; ++a) {
        for (std::uint32_t b = a; b <= high; ++b) {
            const double exact = (0.5 * target_count - static_cast<double>(a) * b) / (a + b);
            const auto c = static_cast<std::uint32_t>(std::fmax(b, std::nearbyint(exact)));
            const double error = std::fabs(
                2.0 * (static_cast<double>(a) * b + static_cast<double>(c) * (a + b)) - target_count);
            const double spread = c - a;
            if (error < best_error || (error == best_error && spread < best_spread)) {
                best = {{a, b, c}};
                best_error = error;
                best_spread = spread;
            }
        }
    }
    return best;
}

}  // namespace

PolygonList box(std::uint32_t target_count, double radius) {
    const BoxCounts counts = nearest_box(target_count);
    const double half = radius * kFit / std::sqrt(3.0);
    PolygonList out;
    const auto at = [&](std::size_t axis, std::uint32_t i) {
        return static_cast<float>(half * (2.0 * i / counts.n[axis] - 1.0));
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (const bool upper : {false, true}) {
            const auto first = static_cast<std::uint32_t>(out.positions.size());
            const std::uint32_t nu = counts.n[u], nv = counts.n[v];
            for (std::uint32_t j = 0; j <= nv; ++j) {
                for (std::uint32_t i = 0; i <= nu; ++i) {
                    Vec3f p;
                    p[axis] = at(axis, upper ? counts.n[axis] : 0);
                    p[u] = at(u, i);
                    p[v] = at(v, j);
                    out.positions.push_back(p);
                }
            }
            for (std::uint32_t j = 0; j < nv; ++j) {
                for (std::uint32_t i = 0; i < nu; ++i) {
                    const std::uint32_t a = first + j * (nu + 1) + i, b = a + nu + 1;
                    const std::uint32_t up[4] = {a, a + 1, b + 1, b}, down[4] = {a, b, b + 1, a + 1};
                    out.add_polygon(upper ? up : down);
                }
            }
        }
    }
    merge_equal_positions(out);
    return out;
}

// Cuts each side into k^2 triangles.
PolygonList tetrahedron(std::uint32_t target_count, double radius) {
    auto k = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::sqrt(target_count / 4.0)));
    if (4.0 * (k + 1) * (k + 1) - target_count < target_count - 4.0 * k * k) ++k;
    // k is at most 500 and has nine binary digits; twelve more fit.
    const double unit = few_bits(radius / (std::sqrt(3.0) * k), 12);
    PolygonList out;
    for (const auto& side : kSides) {
        const auto first = static_cast<std::uint32_t>(out.positions.size());
        const Vec3d &a = kCorners[side[0]], &b = kCorners[side[1]], &c = kCorners[side[2]];
        // Row j has k + 1 - j points.
        const auto index = [&](std::uint32_t i, std::uint32_t j) {
            return first + j * (k + 1) - j * (j - 1) / 2 + i;
        };
        for (std::uint32_t j = 0; j <= k; ++j) {
            for (std::uint32_t i = 0; i + j <= k; ++i) {
                const Vec3d p = static_cast<double>(k - i - j) * a + static_cast<double>(i) * b +
                                static_cast<double>(j) * c;
                out.positions.push_back(cast<float>(unit * p));
            }
        }
        for (std::uint32_t j = 0; j < k; ++j) {
            for (std::uint32_t i = 0; i + j < k; ++i) {
                const std::uint32_t up[3] = {index(i, j), index(i + 1, j), index(i, j + 1)};
                out.add_polygon(up);
                if (i + j + 1 >= k) continue;
                const std::uint32_t down[3] = {index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)};
                out.add_polygon(down);
            }
        }
    }
    merge_equal_positions(out);
    return out;
}

// Tetrahedra that touch at corners. Each step replaces one of the largest tetrahedra by four half-size copies
// at its corners, which adds three. So every count 4 + 12 j is reachable (the thesis has flakes of 52
// polygons, j = 4).
PolygonList tetra_flake(std::uint32_t target_count, double radius) {
    struct Part {
        Vec3d centre;
        double size;
    };
    const auto replaced = static_cast<std::uint32_t>(std::floor((target_count - 4) / 12.0 + 0.5));
    std::vector<Part> parts{{{}, few_bits(radius / std::sqrt(3.0), 12)}};
    for (std::uint32_t i = 0; i < replaced; ++i) {
        const Part part = parts[i];
        for (const Vec3d& corner : kCorners)
            parts.push_back({part.centre + (0.5 * part.size) * corner, 0.5 * part.size});
    }
    PolygonList out;
    for (std::size_t i = replaced; i < parts.size(); ++i) {
        const auto first = static_cast<std::uint32_t>(out.positions.size());
        for (const Vec3d& corner : kCorners)
            out.positions.push_back(cast<float>(parts[i].centre + parts[i].size * corner));
        for (const auto& side : kSides) {
            std::uint32_t loop[3];
            for (std::size_t k = 0; k < 3; ++k) loop[k] = first + static_cast<std::uint32_t>(side[k]);
            out.add_polygon(loop);
        }
    }
    merge_equal_positions(out);
    return out;
}

PolygonList hull_of_samples(std::uint32_t target_count, double radius, const Vec3d& half_axes,
                            std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3f> points;
    PolygonList best;
    const auto distance = [&](const PolygonList& list) {
        return std::fabs(static_cast<double>(list.positions.size()) - target_count);
    };
    // Rounding moves a few samples inside the hull, so more samples are drawn until the count is reached. A
    // new sample adds at most one vertex, so the count never exceeds the target. Large hulls may miss it: a
    // rod with float coordinates cannot have a million corners, and each round takes seconds.
    const int rounds = target_count <= 20000 ? 200 : 3;
    for (int round = 0; round < rounds; ++round) {
        const auto missing = target_count - static_cast<std::uint32_t>(points.size());
        for (std::uint32_t i = 0; i < missing; ++i) {
            const Vec3d d = random.unit_vector() * (radius * kFit);
            points.push_back(cast<float>(Vec3d{d.x * half_axes.x, d.y * half_axes.y, d.z * half_axes.z}));
        }
        auto hull = convex_hull(points);
        if (!hull) break;
        points = hull.value().faces.positions;
        if (round == 0 || distance(hull.value().faces) < distance(best)) best = std::move(hull.value().faces);
        if (points.size() >= target_count) break;
    }
    return best;
}

}  // namespace claybox::collision::generators
