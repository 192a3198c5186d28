// The support table compared with a scan of all vertices, on every kind of hull; and, in rational arithmetic,
// that a height called certain bounds the support function for any finite matrix.

#include "collision/pairwise/support/support_table.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace claybox::collision {
namespace {

using test::Rational;
using test::Vec3r;

struct NamedHull {
    std::string name;
    ConvexHull hull;
};

ConvexHull hull_of(const std::vector<Vec3f>& points) {
    auto hull = convex_hull(points);
    EXPECT_TRUE(hull.ok());
    return std::move(hull).value();
}

std::vector<Vec3f> scaled(std::vector<Vec3f> points, const Vec3f& by, const Vec3f& shift) {
    for (Vec3f& p : points) p = Vec3f{p.x * by.x, p.y * by.y, p.z * by.z} + shift;
    return points;
}

/// Round, flat, thin, far from its own origin, with faces of many corners, of every dimension and size.
std::vector<NamedHull> hulls() {
    std::vector<NamedHull> out;
    for (int kind = 0; kind < kPrimitiveCount; ++kind) {
        const auto primitive = static_cast<Primitive>(kind);
        if (!info(primitive).convex) continue;
        for (const std::uint32_t target_count : {20u, 100u, 600u}) {
            const PolygonList polygons = make_primitive(primitive, target_count, 7);
            out.push_back({info(primitive).id, hull_of(polygons.positions)});
        }
    }
    const std::vector<Vec3f> ball = make_primitive(Primitive::ellipsoid_hull, 80, 5).positions;
    out.push_back({"needle", hull_of(scaled(ball, {1e-3f, 1, 1e-3f}, {}))});
    out.push_back({"foil", hull_of(scaled(ball, {1, 1e-4f, 1}, {}))});
    out.push_back({"far from its origin", hull_of(scaled(ball, {1, 1, 1}, {300, -20, 1000}))});
    out.push_back({"tiny", hull_of(scaled(ball, {0x1p-50f, 0x1p-50f, 0x1p-50f}, {}))});
    out.push_back({"huge", hull_of(scaled(ball, {0x1p58f, 0x1p58f, 0x1p58f}, {}))});
    std::vector<Vec3f> disc, prism;
    for (int i = 0; i < 400; ++i) {
        const auto x = static_cast<float>(std::cos(i * 0.015708)),
                   y = static_cast<float>(std::sin(i * 0.015708));
        if (i % 8 == 0) disc.push_back({x, y, 2.0f});
        prism.push_back({x, y, 0});
        prism.push_back({x, y, 1});
    }
    out.push_back({"disc", hull_of(disc)});
    out.push_back({"prism", hull_of(prism)});
    out.push_back({"triangle", hull_of({{0, 0, 0}, {1, 0, 0.5f}, {0, 1, 0.25f}})});
    out.push_back({"segment", hull_of({{0, 0, 0}, {1, 2, 3}, {2, 4, 6}})});
    out.push_back({"point", hull_of({{1, 2, 3}, {1, 2, 3}})});
    return out;
}

double reach(const ConvexHull& hull, const Vec3d& d, std::uint32_t v) {
    return dot(d, cast<double>(hull.vertex(v)));
}

/// Arbitrary directions; along axes and diagonals, where whole faces tie and cells meet; close to those; and
/// with a small component.
Vec3f direction(Random& random, int i) {
    Vec3d d = random.unit_vector();
    const auto grid = [&] { return double(int(random.below(3))) - 1; };
    if (i % 4 == 0) d = {grid(), grid(), 1};
    if (i % 4 == 1) d = Vec3d{grid(), 1, grid()} + 1e-6 * d;
    if (i % 4 == 2) d[random.below(3)] *= 1e-3;
    return cast<float>(d);
}

TEST(SupportTable, finds_the_same_support_as_a_scan_of_all_vertices) {
    Random random(41);
    int exactly = 0, queried = 0;
    for (const NamedHull& h : hulls()) {
        SCOPED_TRACE(h.name + " of " + std::to_string(h.hull.vertex_count));
        SupportTable table;
        ASSERT_TRUE(table.make(h.hull));
        for (int i = 0; i < 3000; ++i, ++queried) {
            const Vec3f f = direction(random, i);
            const SupportTable::Found found = table.search(Float4{f.x, f.y, f.z, 0});
            ASSERT_LT(found.vertex, h.hull.vertex_count);
            const Float4 position = load4(found.at);
            EXPECT_EQ((Vec3f{position[0], position[1], position[2]}), h.hull.vertex(found.vertex));
            const Vec3d d = cast<double>(f);
            double best = reach(h.hull, d, 0), size = 0;
            for (std::uint32_t v = 0; v < h.hull.vertex_count; ++v) {
                best = std::max(best, reach(h.hull, d, v));
                const Vec3f p = h.hull.vertex(v);
                size = std::max(size, std::abs(d.x * p.x) + std::abs(d.y * p.y) + std::abs(d.z * p.z));
            }
            const double rounding = 0x1p-22 * size;
            EXPECT_GE(reach(h.hull, d, found.vertex), best - rounding);
            EXPECT_NEAR(static_cast<double>(found.height), best, rounding);
            exactly += reach(h.hull, d, found.vertex) == best ? 1 : 0;
        }
    }
    EXPECT_GT(queried, 100000);
    EXPECT_GT(exactly, queried * 99 / 100);
}

TEST(SupportTable, spreads_rods_and_plates_over_cells_as_well_as_ellipsoids) {
    for (const Primitive primitive :
         {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull}) {
        const ConvexHull hull = hull_of(make_primitive(primitive, 2000, 3).positions);
        SupportTable table;
        ASSERT_TRUE(table.make(hull));
        const std::size_t looked_up = std::size_t{6} * table.resolution() * table.resolution();
        const std::size_t longer = table.overfull_cells();
        EXPECT_LT(longer * 100, looked_up * 15) << info(primitive).id;  // measured: 8 %
        EXPECT_LT(table.memory_bytes(), hull.vertex_count * std::size_t{64} + 70000);
    }
}

TEST(SupportTable, invalid_directions_still_return_a_vertex) {
    const float inf = std::numeric_limits<float>::infinity();
    for (const NamedHull& h : hulls()) {
        SupportTable table;
        ASSERT_TRUE(table.make(h.hull));
        for (const Float4 d : {Float4{0, 0, 0, 0}, Float4{inf, -inf, 0, 0}, Float4{NAN, NAN, NAN, 0},
                               Float4{0x1p-149f, 0, 0, 0}, Float4{0x1p127f, 0x1p127f, 0x1p127f, 0}})
            EXPECT_LT(table.search(d).vertex, h.hull.vertex_count);
    }
}

TEST(SupportTable, rejects_hulls_outside_its_range) {
    const std::vector<Vec3f> ball = make_primitive(Primitive::ellipsoid_hull, 30, 5).positions;
    EXPECT_FALSE(SupportTable().make(hull_of(scaled(ball, {0x1p-90f, 0x1p-90f, 0x1p-90f}, {}))));
    EXPECT_FALSE(SupportTable().make(ConvexHull{}));
    ConvexHull large;
    large.vertex_count = 65536;
    EXPECT_FALSE(SupportTable().make(large));
}

/// Rigid, scaled, sheared, mirrored, flat, and of any magnitude.
Matrix34f any_matrix(Random& random, int kind) {
    Matrix34f m = to_matrix({random_rotation(random, 0, 3), random.unit_vector()});
    if (kind == 0) return m;
    const double low = kind == 1 ? -2 : kind == 2 ? -30 : kind == 3 ? -149 : 30;
    const double high = kind == 1 ? 2 : kind == 2 ? 30 : kind == 3 ? 59 : 59;
    for (float& e : m.m) {
        const double v = std::exp2(random.uniform(low, high));
        e = static_cast<float>(random.below(2) == 0 ? v : -v);
        if (random.below(10) == 0) e = 0;
    }
    return m;
}

/// The result of a search or a bound in the frame of a hull.
struct HeightResult {
    float height;
    bool certain;
};

/// Heights called certain must bound the heights of all vertices in rational arithmetic. `least_worst`:
/// minimum for the worst case found; near 0 the test would show nothing.
void check_heights(std::uint64_t seed, double least_worst,
                   const std::function<HeightResult(const PlacedTable&, Float4)>& evaluate) {
    Random random(seed);
    const std::vector<NamedHull> all = hulls();
    std::vector<SupportTable> tables(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_TRUE(tables[i].make(all[i].hull));
    int certain = 0, queried = 0, beyond = 0;
    double worst = -1e9;
    for (int round = 0; round < 1500; ++round) {
        const std::size_t i = random.below(all.size());
        const ConvexHull& hull = all[i].hull;
        if (hull.vertex_count > 150) continue;  // rational arithmetic is slow
        const Matrix34f m = any_matrix(random, round % 5);
        Vec3f n = direction(random, round / 5);
        const float size = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z), 1.0f});
        n = n / size;
        const PlacedTable placed(tables[i], m);
        const HeightResult found = evaluate(placed, Float4{n.x, n.y, n.z, 0});
        ++queried;
        if (!found.certain) continue;
        ++certain;
        Vec3r g;
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t r = 0; r < 3; ++r) g[k] += Rational(m.m[4 * r + k]) * Rational(n[r]);
        Rational most = dot(g, test::exact(hull.vertex(0)));
        for (std::uint32_t v = 1; v < hull.vertex_count; ++v)
            most = std::max(most, Rational(dot(g, test::exact(hull.vertex(v)))));
        // The bound derived in quick_proof.hpp: 7 uf S, plus underflow.
        const double bound =
            7 * 0x1p-24 * static_cast<double>(sum4(placed.spread())) * (1 + 0x1p-20) + 0x1p-86;
        const double missed =
            static_cast<double>(Rational((most - Rational(found.height)) / Rational(bound)));
        beyond += missed > 1 ? 1 : 0;
        worst = std::max(worst, missed);
    }
    EXPECT_EQ(beyond, 0);
    EXPECT_GT(worst, least_worst);
    EXPECT_GT(certain * 10, queried * 4);
    EXPECT_LT(certain, queried);
    std::printf("%d of %d certain, at worst %.3f of the bound\n", certain, queried, worst);
}

TEST(SupportTable, certain_height_bounds_all_vertices_under_any_matrix) {
    check_heights(42, 0.02, [](const PlacedTable& placed, Float4 n) {
        const SupportTable::Found found = placed.search(n);
        return HeightResult{found.height, placed.certain(found.certainty)};
    });
}

TEST(SupportTable, cell_point_bounds_all_vertices_under_any_matrix) {
    check_heights(43, -10, [](const PlacedTable& placed, Float4 n) {
        const Float4 d = placed.turned(n);
        const OuterCells::Found found = placed.table().outer(d);
        return HeightResult{dot4(d, load4(found.cell->point)), placed.certain(found.size)};
    });
}

Vec3d magnitudes(const Vec3d& v) {
    return max(v, -v);
}

TEST(OuterCells, bound_every_vertex_tightly) {
    constexpr int kAsked = 1000;
    Random random(44);
    for (const NamedHull& h : hulls()) {
        SCOPED_TRACE(h.name + " of " + std::to_string(h.hull.vertex_count));
        SupportTable table;
        ASSERT_TRUE(table.make(h.hull));
        double surplus = 0;
        Vec3d extent;
        for (std::uint32_t v = 0; v < h.hull.vertex_count; ++v)
            extent = max(extent, magnitudes(cast<double>(h.hull.vertex(v) - h.hull.vertex(0))));
        for (int i = 0; i < kAsked; ++i) {
            const Vec3f f = direction(random, i);
            const OuterCells::Cell& cell = *table.outer(Float4{f.x, f.y, f.z, 0}).cell;
            ASSERT_LT(cell.vertex(), h.hull.vertex_count);
            EXPECT_EQ((Vec3f{cell.at[0], cell.at[1], cell.at[2]}), h.hull.vertex(cell.vertex()));
            const Vec3d d = cast<double>(f);
            double best = reach(h.hull, d, 0);
            for (std::uint32_t v = 1; v < h.hull.vertex_count; ++v)
                best = std::max(best, reach(h.hull, d, v));
            const Vec3d point{cell.point[0], cell.point[1], cell.point[2]};
            // A cell of a triangle with eight rows is 18 degrees wide in its middle. Flat hulls only have
            // rounding errors.
            const double width = dot(magnitudes(d), extent),
                         rounding = 1e-3 * dot(magnitudes(d), magnitudes(point));
            EXPECT_GE(dot(d, point), best - 1e-12 * std::abs(best));
            EXPECT_LE(dot(d, point), best + 0.2 * width + rounding);
            EXPECT_GE(reach(h.hull, d, cell.vertex()), best - 0.8 * width - rounding);
            surplus += width > 0.1 * length(d) * length(extent) ? (dot(d, point) - best) / width : 0;
        }
        EXPECT_LT(surplus / kAsked, 0.06);
    }
}

TEST(OuterCells, invalid_directions_still_find_a_cell) {
    const float inf = std::numeric_limits<float>::infinity();
    for (const NamedHull& h : hulls()) {
        SupportTable table;
        ASSERT_TRUE(table.make(h.hull));
        for (const Float4 d :
             {Float4{0, 0, 0, 0}, Float4{inf, -inf, 0, 0}, Float4{NAN, NAN, NAN, 0}, Float4{inf, inf, inf, 0},
              Float4{-0x1p-149f, 0, 0, 0}, Float4{0x1p127f, -0x1p127f, 0x1p127f, 0}})
            EXPECT_LT(table.outer(d).cell->vertex(), h.hull.vertex_count);
    }
}

}  // namespace
}  // namespace claybox::collision
