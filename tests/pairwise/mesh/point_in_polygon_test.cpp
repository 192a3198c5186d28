#include "collision/pairwise/mesh/point_in_polygon.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

namespace claybox::collision {
namespace {

/// A loop in a plane, with its own scalar type.
template <class T>
struct Points {
    std::vector<T> xs, ys;
    std::size_t size() const { return xs.size(); }
    const T& x(std::size_t i) const { return xs[i]; }
    const T& y(std::size_t i) const { return ys[i]; }
    void add(T x, T y) {
        xs.push_back(x);
        ys.push_back(y);
    }
};
using Loop = Points<double>;
using Lattice = Points<std::int64_t>;

constexpr double kTurn = 6.283185307179586;

/// Vertices at random angles, counter-clockwise, at radius 1 or between `least` and 1.
Loop star(Random& random, std::size_t n, double min_radius) {
    std::vector<double> angles(n);
    for (double& a : angles) a = random.uniform(0, kTurn);
    std::sort(angles.begin(), angles.end());
    Loop out;
    for (const double a : angles) {
        const double r = random.uniform(min_radius, 1);
        out.add(r * std::cos(a), r * std::sin(a));
    }
    return out;
}

template <class T>
bool shot(const Points<T>& loop, T x, T y) {
    NoCounts none;
    return one_shot(loop, x, y, none);
}

/// Whether the point is within 1e-9 of an edge, where rounding decides.
bool is_near_boundary(const Loop& loop, double x, double y) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const std::size_t j = (i + 1) % loop.size();
        const double ex = loop.x(j) - loop.x(i), ey = loop.y(j) - loop.y(i);
        const double t =
            std::clamp(((x - loop.x(i)) * ex + (y - loop.y(i)) * ey) / (ex * ex + ey * ey), 0.0, 1.0);
        if (std::hypot(loop.x(i) + t * ex - x, loop.y(i) + t * ey - y) < 1e-9) return true;
    }
    return false;
}

TEST(PointInPolygon, Z_3_2_2_proj_drops_the_largest_coordinate_without_copying) {
    Random random(3);
    for (int round = 0; round < 600; ++round) {
        // Nearly perpendicular to two of the planes: there the polygon would be almost a line.
        Vec3d n;
        const auto axis = static_cast<std::size_t>(round % 3);
        for (std::size_t k = 0; k < 3; ++k) n[k] = random.uniform(-1, 1) * (round % 2 == 0 ? 1e-6 : 1.0);
        n[axis] = round % 4 < 2 ? 1 : -1;
        n = normalized(n);
        const Vec3d e1 = normalized(cross(n, std::abs(n.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
        const Vec3d e2 = cross(n, e1);
        const Loop flat = star(random, 9, 0.3);
        std::vector<Vec3d> positions;
        std::vector<std::uint32_t> indices;
        for (std::size_t i = 0; i < flat.size(); ++i) {
            positions.push_back(e1 * flat.x(i) + e2 * flat.y(i) + Vec3d{1, 2, 3});
            indices.push_back(static_cast<std::uint32_t>(i));
        }
        const FlatLoop<double> loop{positions.data(), indices, flat_axes(n)};
        EXPECT_EQ(3u - loop.axes.u - loop.axes.v, axis);
        EXPECT_EQ(&loop.x(4), &positions[4][loop.axes.u]);
        double area = 0;
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const std::size_t j = (i + 1) % loop.size();
            area += loop.x(i) * loop.y(j) - loop.x(j) * loop.y(i);
        }
        EXPECT_GT(area, 0.0);
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        if (is_near_boundary(flat, x, y)) continue;
        const Vec3d p = e1 * x + e2 * y + Vec3d{1, 2, 3};
        NoCounts none;
        EXPECT_EQ(one_shot(loop, p[loop.axes.u], p[loop.axes.v], none), shot(flat, x, y)) << round;
    }
}

TEST(PointInPolygon, Z_3_2_2_angle_sums_are_signed_and_come_from_a_table) {
    for (int i = 0; i <= 7071; ++i) EXPECT_NEAR(table_arccos(i * 1e-4), std::acos(i * 1e-4), 2e-6);
    // A square seen from outside: the printed sum without signs is 1.855 instead of 0.
    Loop square;
    for (const auto& [x, y] : {std::pair{1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}}) square.add(x, y);
    NoCounts none;
    EXPECT_FALSE(angle_sum(square, 3.0, 0.0, none));
    EXPECT_TRUE(angle_sum(square, 0.9, 0.9, none));
    Random random(4);
    int inside = 0;
    for (int round = 0; round < 4000; ++round) {
        const Loop loop = star(random, 3 + random.below(round % 50 == 0 ? 5000 : 20), 0.2);
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        if (is_near_boundary(loop, x, y)) continue;
        EXPECT_EQ(angle_sum(loop, x, y, none), shot(loop, x, y)) << round;
        inside += shot(loop, x, y) ? 1 : 0;
    }
    EXPECT_GT(inside, 500);
}

/// Parity by exact division-free comparison of every edge, without pre-checks. Uses the convention of the
/// thesis: the point is moved infinitesimally up and to the right.
bool reference(const Lattice& loop, std::int64_t x, std::int64_t y) {
    bool odd = false;
    for (std::size_t i = 0; i < loop.size(); ++i) {
        const std::size_t j = (i + 1) % loop.size();
        if ((loop.y(i) > y) == (loop.y(j) > y)) continue;
        const bool up = loop.y(j) > loop.y(i);
        const std::size_t low = up ? i : j, high = up ? j : i;
        // The edge at height y is right of x.
        odd ^= (loop.x(low) - x) * (loop.y(high) - loop.y(low)) +
                   (loop.x(high) - loop.x(low)) * (y - loop.y(low)) >
               0;
    }
    return odd;
}

TEST(PointInPolygon, Z_3_2_2_oneshot_rays_through_vertices_and_along_edges_need_no_special_case) {
    Random random(5);
    int inside = 0;
    for (int round = 0; round < 4000; ++round) {
        Lattice loop;  // any loop, self-intersecting, with repeated points: parity is defined for all
        const std::size_t n = 3 + random.below(8);
        for (std::size_t i = 0; i < n; ++i) {
            const auto y = static_cast<std::int64_t>(random.below(7)),
                       x = static_cast<std::int64_t>(random.below(7));
            loop.add(x, y);
        }
        for (std::int64_t y = -1; y <= 7; ++y)
            for (std::int64_t x = -1; x <= 7; ++x) {
                ASSERT_EQ(shot(loop, x, y), reference(loop, x, y)) << round << " at " << x << ", " << y;
                inside += shot(loop, x, y) ? 1 : 0;
            }
    }
    EXPECT_GT(inside, 10000);
}

TEST(PointInPolygon, Z_3_2_2_oneshot_each_of_the_six_checks_decides_its_cases) {
    const auto decided = [](double x0, double y0, double x1, double y1) {
        PolygonCounts counts;
        const bool crosses = crosses_ray(x0, y0, x1, y1, counts);
        for (int i = 0; i < 7; ++i)
            if (counts.by_check[static_cast<std::size_t>(i)] == 1) return std::pair(i, crosses);
        return std::pair(-1, crosses);
    };
    EXPECT_EQ(decided(-1, 1, 0, -1), std::pair(0, false));
    EXPECT_EQ(decided(-1, 1, 1, 2), std::pair(1, false));
    EXPECT_EQ(decided(-1, -1, 1, 0), std::pair(2, false));
    EXPECT_EQ(decided(1, -1, 2, 1), std::pair(3, true));
    EXPECT_EQ(decided(-3, -2, 1, 2), std::pair(4, false));
    EXPECT_EQ(decided(1, -2, -3, 2), std::pair(5, false));
    EXPECT_EQ(decided(-1, -1, 3, 1), std::pair(6, true));
    EXPECT_EQ(decided(1, 3, -3, -1), std::pair(4, false));
    EXPECT_EQ(decided(2, 1, -3, -1.2), std::pair(6, false));  // to the left of the point
    EXPECT_EQ(decided(-3, -1.2, 2, 1), std::pair(6, false));  // the same in the other direction
}

/// Quadrangles of a grid whose inner vertices are moved by less than half a cell.
std::vector<Lattice> partition(Random& random, std::int64_t cells, std::int64_t cell) {
    const auto at = [&](std::int64_t i, std::int64_t j) {
        return static_cast<std::size_t>(j * (cells + 1) + i);
    };
    Lattice grid;
    for (std::int64_t j = 0; j <= cells; ++j)
        for (std::int64_t i = 0; i <= cells; ++i) {
            const bool inner = i > 0 && j > 0 && i < cells && j < cells;
            const auto moved = [&] {
                return inner ? static_cast<std::int64_t>(random.below(3)) - 1 : std::int64_t{0};
            };
            const std::int64_t dx = moved(), dy = moved();
            grid.add(i * cell + dx, j * cell + dy);
        }
    std::vector<Lattice> out;
    for (std::int64_t j = 0; j < cells; ++j)
        for (std::int64_t i = 0; i < cells; ++i) {
            Lattice quad;
            for (const std::size_t v : {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)})
                quad.add(grid.x(v), grid.y(v));
            out.push_back(quad);
        }
    return out;
}

TEST(PointInPolygon, Z_3_2_2_oneshot_a_point_of_a_partitioned_plane_is_in_exactly_one_cell) {
    Random random(6);
    for (int round = 0; round < 20; ++round) {
        const auto cells = partition(random, 6, 4);
        // Also with rounded numbers: thirds of the lattice.
        std::vector<Loop> rounded;
        for (const Lattice& c : cells) {
            Loop loop;
            for (std::size_t i = 0; i < c.size(); ++i)
                loop.add(static_cast<double>(c.x(i)) / 3, static_cast<double>(c.y(i)) / 3);
            rounded.push_back(loop);
        }
        for (std::int64_t y = 0; y < 24; ++y)  // the upper and right border belong to the outside
            for (std::int64_t x = 0; x < 24; ++x) {
                const auto contains = [&](const Lattice& c) { return shot(c, x, y); };
                const auto holds_rounded = [&](const Loop& c) {
                    return shot(c, static_cast<double>(x) / 3, static_cast<double>(y) / 3);
                };
                EXPECT_EQ(std::count_if(cells.begin(), cells.end(), contains), 1);
                EXPECT_EQ(std::count_if(rounded.begin(), rounded.end(), holds_rounded), 1);
            }
    }
}

TEST(PointInPolygon, Z_3_2_2_oneshot_holes_joined_by_a_bridge_are_holes) {
    Lattice keyhole;  // a square of 10 with a hole from 3 to 7, joined by a bridge that is passed twice
    for (const auto& [x, y] :
         {std::pair{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}, {3, 3}, {3, 7}, {7, 7}, {7, 3}, {3, 3}})
        keyhole.add(x, y);
    for (std::int64_t y = 0; y < 10; ++y)
        for (std::int64_t x = 0; x < 10; ++x)
            EXPECT_EQ(shot(keyhole, x, y), !(x >= 3 && x < 7 && y >= 3 && y < 7)) << x << ", " << y;
    NoCounts none;
    EXPECT_FALSE(angle_sum(keyhole, std::int64_t{5}, std::int64_t{5}, none));
    EXPECT_TRUE(angle_sum(keyhole, std::int64_t{1}, std::int64_t{5}, none));
}

TEST(PointInPolygon, Z_3_2_2_boxtree_visits_few_edges_and_agrees_with_one_shot) {
    Random random(7);
    int inside = 0;
    for (const std::size_t n : {3u, 4u, 5u, 9u, 17u, 100u, 4096u}) {
        const Loop loop = star(random, n, 0.9);
        const auto boxes = edge_boxes<double>(loop);
        PolygonCounts counts;
        constexpr int kQueries = 2000;
        for (int i = 0; i < kQueries; ++i) {
            // Also at the heights of vertices, and at vertices.
            const std::size_t v = random.below(n);
            const double x = i % 3 == 0 ? loop.x(v) : random.uniform(-1, 1);
            const double y = i % 5 < 2 ? loop.y(v) : random.uniform(-1, 1);
            const bool want = shot(loop, x, y);
            ASSERT_EQ(box_tree(loop, std::span<const FlatBox<double>>(boxes), x, y, counts), want);
            inside += want ? 1 : 0;
        }
        if (n < 4096) continue;
        std::uint64_t edges = 0;
        for (const std::uint64_t c : counts.by_check) edges += c;
        EXPECT_LT(edges, 20u * kQueries);
        EXPECT_LT(counts.steps, 60u * kQueries);
    }
    EXPECT_GT(inside, 3000);
}

/// A convex polygon of about `n` vertices with lattice coordinates, many of equal height.
Lattice lattice_convex(Random& random, std::int64_t n) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sides;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto dx = static_cast<std::int64_t>(random.below(13)) - 6;
        const auto dy = static_cast<std::int64_t>(random.below(13)) - 6;
        if (dx == 0 && dy == 0) continue;
        sides.emplace_back(dx, dy);
        sides.emplace_back(-dx, -dy);  // closes the loop
    }
    const auto half = [](const auto& d) { return d.second > 0 || (d.second == 0 && d.first > 0) ? 0 : 1; };
    std::sort(sides.begin(), sides.end(), [&](const auto& p, const auto& q) {
        return half(p) != half(q) ? half(p) < half(q) : p.first * q.second - p.second * q.first > 0;
    });
    Lattice out;
    std::int64_t x = 0, y = 0;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const auto& [dx, dy] = sides[i];
        const auto& [bx, by] = sides[(i + sides.size() - 1) % sides.size()];
        if (bx * dy - by * dx != 0) out.add(x, y);  // no three collinear points
        x += dx;
        y += dy;
    }
    Lattice turned;
    const std::size_t first = random.below(out.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        turned.add(out.x((first + i) % out.size()), out.y((first + i) % out.size()));
    return turned;
}

TEST(PointInPolygon, Z_3_3_wedge_equals_one_shot_on_convex_and_star_shaped_polygons) {
    Random random(8);
    int inside = 0, queried = 0;
    for (int round = 0; round < 300; ++round) {
        const std::size_t n = 3 + random.below(60);
        const Loop loop = star(random, n, round % 2 == 0 ? 1.0 : 0.3);
        double cx = 0, cy = 0;
        for (std::size_t i = 0; i < n; ++i) {
            cx += loop.x(i) / static_cast<double>(n);
            cy += loop.y(i) / static_cast<double>(n);
        }
        EXPECT_TRUE(round % 2 != 0 || is_star_about(loop, cx, cy)) << "a convex polygon is star-shaped";
        if (!is_star_about(loop, cx, cy)) continue;
        for (int i = 0; i < 100; ++i) {
            const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
            if (is_near_boundary(loop, x, y)) continue;
            PolygonCounts counts;
            ASSERT_EQ(wedge_search(loop, cx, cy, x, y, counts), shot(loop, x, y));
            EXPECT_LE(counts.steps, static_cast<std::uint64_t>(std::bit_width(n)));
            inside += shot(loop, x, y) ? 1 : 0;
            ++queried;
        }
    }
    EXPECT_GT(queried, 10000);
    EXPECT_GT(inside, queried / 5);
}

TEST(PointInPolygon, Z_3_3_wedge_detects_polygons_that_are_not_star_shaped) {
    Loop hook;
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {4.0, 0.0}, {4.0, 4.0}, {3.0, 1.0}}) hook.add(x, y);
    EXPECT_FALSE(is_star_about(hook, 0.5, 0.1) && !is_star_about(hook, 3.5, 0.5));
    EXPECT_TRUE(is_star_about(hook, 3.5, 0.5));
    EXPECT_FALSE(is_star_about(hook, 3.0, 3.0));
    EXPECT_FALSE(is_convex_loop<double>(hook));
    Loop twice;  // a pentagram has winding number 2
    for (int i = 0; i < 5; ++i) twice.add(std::cos(i * kTurn * 2 / 5), std::sin(i * kTurn * 2 / 5));
    EXPECT_FALSE(is_star_about(twice, 0.0, 0.0));
    EXPECT_FALSE(is_convex_loop<double>(twice));
}

TEST(PointInPolygon, Z_3_3_fib_equals_one_shot_at_every_boundary_point) {
    Random random(9);
    std::uint64_t queried = 0, inside = 0;
    for (int round = 0; round < 400; ++round) {
        const Lattice loop = lattice_convex(random, 2 + static_cast<std::int64_t>(random.below(30)));
        if (loop.size() < 3) continue;
        ASSERT_TRUE(is_convex_loop<std::int64_t>(loop));
        const auto [low_x, high_x] = std::minmax_element(loop.xs.begin(), loop.xs.end());
        const auto [low_y, high_y] = std::minmax_element(loop.ys.begin(), loop.ys.end());
        for (int i = 0; i < 60; ++i) {
            const auto in = [&](std::int64_t low, std::int64_t high) {
                return low - 1 +
                       static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 3)));
            };
            const std::size_t v = random.below(loop.size());
            const std::int64_t x = i % 4 == 0 ? loop.x(v) : in(*low_x, *high_x);
            const std::int64_t y = i % 4 < 2 ? loop.y(v) : in(*low_y, *high_y);
            PolygonCounts counts;
            const bool want = shot(loop, x, y);
            ASSERT_EQ(fibonacci(loop, x, y, counts), want) << round << ": " << x << ", " << y;
            ++queried;
            inside += want ? 1 : 0;
        }
    }
    EXPECT_GT(inside, queried / 4);
}

TEST(PointInPolygon, Z_3_3_fib_skips_collinear_vertices) {
    // A box with vertices along its sides, starting at each of them: runs of equal heights above and below,
    // some of more than half of all vertices.
    for (const std::array<std::int64_t, 3>& n : std::array<std::array<std::int64_t, 3>, 5>{
             {{12, 12, 6}, {24, 1, 2}, {1, 24, 2}, {24, 2, 1}, {1, 1, 24}}}) {
        Lattice box;
        for (std::int64_t i = 0; i < n[0]; ++i) box.add(24 / n[0] * i, 0);
        for (std::int64_t i = 0; i < n[2]; ++i) box.add(24, 24 / n[2] * i);
        for (std::int64_t i = 0; i < n[1]; ++i) box.add(24 - 24 / n[1] * i, 24);
        for (std::int64_t i = 0; i < n[2]; ++i) box.add(0, 24 - 24 / n[2] * i);
        for (std::size_t first = 0; first < box.size(); ++first) {
            Lattice loop;
            for (std::size_t i = 0; i < box.size(); ++i)
                loop.add(box.x((first + i) % box.size()), box.y((first + i) % box.size()));
            for (std::int64_t x = -1; x <= 25; ++x)
                for (const std::int64_t y : {-1, 0, 1, 5, 12, 23, 24, 25}) {
                    PolygonCounts counts;
                    ASSERT_EQ(fibonacci(loop, x, y, counts), shot(loop, x, y))
                        << first << ": " << x << ", " << y;
                }
        }
    }
}

TEST(PointInPolygon, Z_3_3_fib_needs_a_logarithmic_number_of_steps) {
    Random random(10);
    for (const std::size_t n : {100u, 10000u}) {
        const Loop loop = star(random, n, 1.0);
        for (int i = 0; i < 1000; ++i) {
            const double x = random.uniform(-1.2, 1.2), y = random.uniform(-1.2, 1.2);
            PolygonCounts counts;
            ASSERT_EQ(fibonacci(loop, x, y, counts), shot(loop, x, y));
            EXPECT_LE(counts.steps, static_cast<std::uint64_t>(3 * std::bit_width(n) + 3));
        }
    }
}

TEST(PointInPolygon, Z_7_3_3_lazy_signs_alone_decide_whether_an_edge_crosses_a_plane) {
    // In integers, where a division would be visible.
    using V = Vec3<std::int64_t>;
    Random random(11);
    const auto vector = [&] {
        const auto c = [&] { return static_cast<std::int64_t>(random.below(15)) - 7; };
        const std::int64_t x = c(), y = c(), z = c();
        return V{x, y, z};
    };
    int crossing = 0;
    for (int round = 0; round < 20000; ++round) {
        const V n = vector(), p = vector(), u = vector(), v = vector();
        const PlaneCrossing<std::int64_t> at = plane_crossing(n, p, u, v - u);
        const std::int64_t height_u = dot(n, u - p), height_v = dot(n, v - p);
        const bool want = height_u != height_v && height_u * height_v <= 0;
        ASSERT_EQ(at.crosses, want);
        if (!want) continue;
        // u + (b / a) (v - u) is in the plane; with the printed a / b it is not.
        EXPECT_EQ(at.a * height_u + at.b * (height_v - height_u), 0);
        EXPECT_NE(at.a, 0);
        ++crossing;
    }
    EXPECT_GT(crossing, 3000);
}

TEST(PointInPolygon, Z_7_3_2_eff_statistics_are_compiled_in_only_on_request) {
    static_assert(std::is_empty_v<NoCounts>, "a type without statistics has no data");
    static_assert(noexcept(NoCounts{}) && std::is_trivial_v<NoCounts>);
    Random random(12);
    std::uint64_t edges = 0, decided = 0;
    for (int round = 0; round < 500; ++round) {
        const Loop loop = star(random, 3 + random.below(12), 0.4);
        const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
        PolygonCounts counts;
        EXPECT_EQ(one_shot(loop, x, y, counts), shot(loop, x, y));
        edges += loop.size();
        for (const std::uint64_t c : counts.by_check) decided += c;
    }
    EXPECT_EQ(decided, edges);
}

TEST(PolygonTables, Z_3_2_2_boxtree_and_Z_3_3_wedge_and_Z_3_3_fib_answer_when_selected) {
    PolygonList list;
    std::vector<std::uint32_t> disc;
    for (std::uint32_t i = 0; i < 400; ++i) {
        disc.push_back(i);
        list.positions.push_back(
            cast<float>(Vec3d{std::cos(i * kTurn / 400), std::sin(i * kTurn / 400), 0.5}));
    }
    list.add_polygon(disc);
    const ShapePtr shape = Shape::from_polygons(list).value();
    const Geometry& g = shape->geometry();
    const PolygonTables tables(g);
    constexpr std::uint32_t cap = 0;
    const auto loop = g.topology->loop(cap);
    const auto corner = [&](std::size_t i) { return cast<double>(g.positions[loop[i]]); };
    const Vec3d inside = 0.3 * corner(0) + 0.3 * corner(100) + 0.4 * corner(300);
    struct Work {
        PointInPolygon method;
        std::uint64_t least_steps, most_steps, most_edges;
    };
    for (const Work& w : {Work{PointInPolygon::one_shot, 0, 0, loop.size()},
                          {PointInPolygon::angle_sum, loop.size(), loop.size(), 0},
                          {PointInPolygon::wedge, 5, 12, 0},
                          {PointInPolygon::fibonacci, 5, 40, 2},
                          {PointInPolygon::box_tree, 5, 60, 16}}) {
        PolygonCounts counts;
        const PolygonTest test{&g, &tables, true, w.method, &counts};
        EXPECT_TRUE(test.inside(cap, inside));
        std::uint64_t edges = 0;
        for (const std::uint64_t c : counts.by_check) edges += c;
        EXPECT_GE(counts.steps, w.least_steps) << static_cast<int>(w.method);
        EXPECT_LE(counts.steps, w.most_steps) << static_cast<int>(w.method);
        EXPECT_LE(edges, w.most_edges) << static_cast<int>(w.method);
        EXPECT_GT(counts.steps + edges, 0u);
    }
}

TEST(PolygonTables, contain_polygons_with_many_vertices_and_all_methods_agree_on_them) {
    const ShapePtr cylinder = make_primitive_shape(Primitive::cylinder, 82, 1, 1).value();
    const Geometry& g = cylinder->geometry();
    const PolygonTables tables(g);
    std::uint32_t many = 0;
    Random random(13);
    for (std::uint32_t p = 0; p < g.topology->polygon_count(); ++p) {
        const auto loop = g.topology->loop(p);
        EXPECT_EQ(tables.find(p) != nullptr, loop.size() >= PolygonTables::kManyVertices);
        if (const auto* entry = tables.find(p)) {
            ++many;
            EXPECT_TRUE(entry->convex && entry->star);
        }
        const auto corner = [&](std::size_t i) { return cast<double>(g.positions[loop[i % loop.size()]]); };
        for (int i = 0; i < 200; ++i) {
            const std::size_t a = random.below(loop.size()), b = random.below(loop.size());
            const double s = random.uniform(-0.5, 1.5), t = random.uniform(-0.5, 1.5);
            const Vec3d q = corner(a) + (corner(a + 1) - corner(a)) * s + (corner(b) - corner(a)) * t;
            PolygonTest test{&g, &tables, true, PointInPolygon::one_shot, nullptr};
            const bool want = test.inside(p, q);
            for (const PointInPolygon method : {PointInPolygon::angle_sum, PointInPolygon::wedge,
                                                PointInPolygon::fibonacci, PointInPolygon::box_tree}) {
                test.method = method;
                const bool on_boundary = std::abs(t) < 1e-6 || a == b || b == (a + 1) % loop.size();
                if (!on_boundary) {
                    EXPECT_EQ(test.inside(p, q), want) << static_cast<int>(method) << " " << p;
                }
            }
        }
    }
    EXPECT_EQ(many, 2u);
}

}  // namespace
}  // namespace claybox::collision
