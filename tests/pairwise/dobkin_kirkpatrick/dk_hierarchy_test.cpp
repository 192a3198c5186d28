// The hierarchy of a hull compared with its definition, and its searches compared with a scan of all
// vertices.

#include "collision/pairwise/dobkin_kirkpatrick/dk_hierarchy.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/predicates.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace claybox::collision {
namespace {

struct NamedHull {
    std::string name;
    ConvexHull hull;
};

ConvexHull hull_of(const std::vector<Vec3f>& points) {
    auto hull = convex_hull(points);
    EXPECT_TRUE(hull.ok());
    return std::move(hull).value();
}

ConvexHull sampled(Primitive primitive, std::uint32_t vertices) {
    return hull_of(make_primitive(primitive, vertices, 7).positions);
}

/// Two apexes above and below a ring. Without the apexes the rest is flat.
ConvexHull bipyramid(int corners) {
    std::vector<Vec3f> points{{0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < corners; ++i) {
        const double turn = 6.283185307179586 * i / corners;
        points.push_back({static_cast<float>(std::cos(turn)), static_cast<float>(std::sin(turn)), 0.0f});
    }
    return hull_of(points);
}

std::vector<NamedHull> hulls() {
    std::vector<NamedHull> out;
    for (int kind = 0; kind < kPrimitiveCount; ++kind) {
        const auto primitive = static_cast<Primitive>(kind);
        if (!info(primitive).convex) continue;
        for (const std::uint32_t target_count : {20u, 100u, 600u})
            out.push_back({info(primitive).id, sampled(primitive, target_count)});
    }
    for (const int corners : {3, 5, 8, 9, 40}) out.push_back({"bipyramid", bipyramid(corners)});
    std::vector<Vec3f> disc;
    for (int i = 0; i < 40; ++i)
        disc.push_back(
            {static_cast<float>(std::cos(i * 0.157)), static_cast<float>(std::sin(i * 0.157)), 2.0f});
    out.push_back({"disc", hull_of(disc)});
    out.push_back({"triangle", hull_of({{0, 0, 0}, {1, 0, 0.5f}, {0, 1, 0.25f}})});
    out.push_back({"segment", hull_of({{0, 0, 0}, {1, 2, 3}, {2, 4, 6}})});
    out.push_back({"point", hull_of({{1, 2, 3}, {1, 2, 3}})});
    return out;
}

std::string label(const NamedHull& h) {
    return h.name + " of " + std::to_string(h.hull.vertex_count);
}

/// The hull of one level, recomputed from its vertices in the order of ranks.
ConvexHull level_hull(const DkHierarchy& h, std::uint32_t level) {
    std::vector<Vec3f> points;
    for (std::uint32_t r = 0; r < h.level_size(level); ++r) points.push_back(h.position(r));
    return hull_of(points);
}

bool in_or_on(const ConvexHull& hull, const Vec3f& p) {
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        if (orient3d(hull.vertex(loop[0]), hull.vertex(loop[1]), hull.vertex(loop[2]), p) > 0) return false;
    }
    return true;
}

/// Checks (i) to (iv) of the papers' definition on every level.
void expect_hierarchy(const ConvexHull& hull, const DkHierarchy& h, std::uint32_t degree_limit) {
    ASSERT_EQ(h.level_size(0), hull.vertex_count);  // (i) the first level is the hull
    const std::uint32_t last = h.level_count() - 1;
    ASSERT_EQ(h.level_size(last), static_cast<std::uint32_t>(hull.dimension) + 1);  // the last a simplex,
    ASSERT_EQ(level_hull(h, last).dimension, hull.dimension);                       // not flat
    std::vector<char> seen(hull.vertex_count, 0);
    for (std::uint32_t r = 0; r < hull.vertex_count; ++r) {
        ASSERT_EQ(seen[h.vertex(r)]++, 0);
        ASSERT_EQ(h.position(r), hull.vertex(h.vertex(r)));
    }
    for (std::uint32_t level = 0; level < last; ++level) {
        const ConvexHull fine = level_hull(h, level), coarse = level_hull(h, level + 1);
        const std::uint32_t kept =
            // (iii) by the ranks: the vertices of the coarse level belong to the fine one
            h.level_size(level + 1);
        ASSERT_LT(kept, h.level_size(level));
        ASSERT_EQ(fine.vertex_count, h.level_size(level));
        for (std::uint32_t r = 0; r < kept && hull.dimension == 3; ++r)
            ASSERT_TRUE(in_or_on(fine, coarse.vertex(r)));  // (ii) nested
        for (std::uint32_t r = kept; r < fine.vertex_count; ++r) {
            const std::uint32_t degree = fine.neighbour_begin[r + 1] - fine.neighbour_begin[r];
            ASSERT_LE(degree, degree_limit);
            std::vector<std::uint32_t> ring(h.ring(r).begin(), h.ring(r).end());
            std::sort(ring.begin(), ring.end());
            ASSERT_TRUE(std::equal(ring.begin(), ring.end(),
                                   fine.neighbours.begin() + fine.neighbour_begin[r],
                                   fine.neighbours.begin() + fine.neighbour_begin[r + 1]));
            for (const std::uint32_t neighbour : ring) ASSERT_LT(neighbour, kept);  // (iv) independent
            ASSERT_EQ(h.top_level(r), level);
        }
    }
}

TEST(DkHierarchy, CN_dk_build_removes_independent_vertices_of_at_most_eight_neighbours_down_to_a_simplex) {
    EXPECT_EQ(kDkDegreeLimit, 8u);
    for (const NamedHull& h : hulls()) {
        SCOPED_TRACE(label(h));
        expect_hierarchy(h.hull, DkHierarchy(h.hull), kDkDegreeLimit);
    }
}

TEST(DkHierarchy, CN_dk_build_respects_other_degree_limits) {
    for (const std::uint32_t limit : {6u, 16u}) {
        for (const NamedHull& h : hulls()) {
            SCOPED_TRACE(label(h));
            expect_hierarchy(h.hull, DkHierarchy(h.hull, limit), limit);
        }
    }
}

TEST(DkHierarchy, CW_5_hier_has_logarithmic_height_and_linear_size) {
    for (const Primitive primitive :
         {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull}) {
        for (const std::uint32_t n : {20u, 100u, 500u, 2000u}) {
            const ConvexHull hull = sampled(primitive, n);
            const DkHierarchy h(hull);
            if (n <= 100) expect_hierarchy(hull, h, kDkDegreeLimit);
            std::uint64_t sum = 0, rings = 0;
            for (std::uint32_t l = 0; l < h.level_count(); ++l) sum += h.level_size(l);
            for (std::uint32_t r = 0; r < hull.vertex_count; ++r) rings += h.ring(r).size();
            const double bits = std::log2(double(hull.vertex_count) / 4.0);
            std::printf(
                "%s n=%u: h=%u, h/log2(n/4)=%.2f, vertices on all levels %.2f n, %.1f bytes a vertex\n",
                info(primitive).id, hull.vertex_count, h.level_count(), h.level_count() / bits,
                double(sum) / hull.vertex_count, double(h.memory_bytes()) / hull.vertex_count);
            // Each level removes about a quarter of the vertices: log2(4/3) = 0.415 bits.
            EXPECT_LE(h.level_count(), 3.2 * bits + 3);
            EXPECT_LE(sum, 5u * hull.vertex_count);
            EXPECT_LE(rings, 8u * hull.vertex_count);
        }
    }
}

double reach(const ConvexHull& hull, const Vec3d& d, std::uint32_t v) {
    return dot(d, cast<double>(hull.vertex(v)));
}

double farthest(const ConvexHull& hull, const Vec3d& d) {
    double best = reach(hull, d, 0);
    for (std::uint32_t v = 1; v < hull.vertex_count; ++v) best = std::max(best, reach(hull, d, v));
    return best;
}

/// Includes directions along axes, where whole faces tie.
Vec3d direction(Random& random, int i) {
    if (i % 3 != 0) return random.unit_vector();
    return {double(int(random.below(3)) - 1), double(int(random.below(3)) - 1), 1};
}

TEST(DkHierarchy, CN_dk_extreme_descent_finds_the_extreme_vertex_of_all) {
    Random random(41);
    for (const NamedHull& h : hulls()) {
        SCOPED_TRACE(label(h));
        const DkHierarchy hierarchy(h.hull);
        for (int i = 0; i < 300; ++i) {
            const Vec3d d = direction(random, i);
            const double best = farthest(h.hull, d);
            EXPECT_NEAR(reach(h.hull, d, hierarchy.vertex(hierarchy.descend(d).rank)), best, 1e-14);
            EXPECT_NEAR(reach(h.hull, d, dk_support(hierarchy, h.hull, d)), best, 1e-14);
            // In float, sums for vertices of size up to 4 are correct to a few units of 2^-22.
            const Vec3f f = cast<float>(d);
            EXPECT_NEAR(reach(h.hull, cast<double>(f), dk_support(hierarchy, h.hull, f)),
                        farthest(h.hull, cast<double>(f)), 4e-6);
        }
    }
}

TEST(DkHierarchy, CW_5_hiersearch_keeps_the_vertex_or_moves_to_one_neighbour_on_every_level) {
    Random random(42);
    for (const NamedHull& h : hulls()) {
        SCOPED_TRACE(label(h));
        const DkHierarchy hierarchy(h.hull);
        for (int i = 0; i < 30; ++i) {
            const Vec3d d = direction(random, i);
            std::uint32_t level = hierarchy.level_count() - 1;
            std::uint32_t at = hierarchy.descend(d, level).rank;
            while (level-- > 0) {
                const std::uint32_t next = hierarchy.refine(at, d, level).rank;
                const auto ring = hierarchy.ring(next);
                EXPECT_TRUE(next == at || std::count(ring.begin(), ring.end(), at) == 1);
                at = next;
                double best = -1e9;
                for (std::uint32_t r = 0; r < hierarchy.level_size(level); ++r)
                    best = std::max(best, dot(d, cast<double>(hierarchy.position(r))));
                EXPECT_NEAR(dot(d, cast<double>(hierarchy.position(at))), best, 1e-14);
            }
            EXPECT_EQ(hierarchy.descend(d).rank, at);
        }
    }
}

TEST(DkHierarchy, CW_5_hiersearch_cold_search_visits_logarithmically_many_vertices) {
    Random random(43);
    for (const Primitive primitive :
         {Primitive::ellipsoid_hull, Primitive::rod_hull, Primitive::plate_hull}) {
        for (const std::uint32_t n : {100u, 500u, 2000u}) {
            const ConvexHull hull = sampled(primitive, n);
            const DkHierarchy h(hull);
            double visited = 0;
            constexpr int kSearches = 1000;
            for (int i = 0; i < kSearches; ++i) visited += h.descend(random.unit_vector()).visited;
            visited /= kSearches;
            const double bits = std::log2(double(n));
            std::printf("%s n=%u: %.1f vertices visited, %.1f log2(n)\n", info(primitive).id, n, visited,
                        visited / bits);
            EXPECT_LE(visited, 5 * bits);
        }
    }
}

TEST(DkHierarchy, searches_return_a_vertex_for_directions_that_overflow) {
    const float inf = std::numeric_limits<float>::infinity();
    for (const NamedHull& h : hulls()) {
        const DkHierarchy hierarchy(h.hull);
        for (const Vec3f& d : {Vec3f{inf, -inf, 0}, Vec3f{NAN, NAN, NAN}, Vec3f{0, 0, 0}})
            EXPECT_LT(dk_support(hierarchy, h.hull, d), h.hull.vertex_count);
    }
}

/// The distance from a triangle, by trying its inside, its edges and its corners.
double triangle_distance(const Vec3d& s, const Vec3d (&t)[3]) {
    double best = 1e300;
    for (int i = 0; i < 3; ++i) {
        const Vec3d along = t[(i + 1) % 3] - t[i];
        const double at = std::clamp(dot(s - t[i], along) / length_squared(along), 0.0, 1.0);
        best = std::min(best, length(s - (t[i] + at * along)));
    }
    const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
    const Vec3d foot = s - n * (dot(n, s - t[0]) / length_squared(n));
    bool inside = true;
    for (int i = 0; i < 3; ++i) inside = inside && dot(cross(t[(i + 1) % 3] - t[i], foot - t[i]), n) >= 0;
    return inside ? std::min(best, length(s - foot)) : best;
}

/// For a solid: the minimum over all faces, cut into triangles; zero inside.
double distance_over_faces(const ConvexHull& hull, const Vec3d& s) {
    double best = 1e300;
    bool outside = false;
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
            const Vec3d t[3] = {cast<double>(hull.vertex(loop[0])), cast<double>(hull.vertex(loop[k])),
                                cast<double>(hull.vertex(loop[k + 1]))};
            best = std::min(best, triangle_distance(s, t));
            outside = outside || dot(cross(t[1] - t[0], t[2] - t[0]), s - t[0]) > 0;
        }
    }
    return outside ? best : 0;
}

TEST(DkHierarchy, CN_dk_closest_point_is_the_nearest_of_all_faces) {
    Random random(44);
    for (const NamedHull& h : hulls()) {
        if (h.hull.dimension < 3 || h.hull.vertex_count > 200) continue;
        SCOPED_TRACE(label(h));
        const DkHierarchy hierarchy(h.hull);
        int inside = 0;
        for (int i = 0; i < 100; ++i) {
            const Vec3d s = random.vector(0.0, 2.5);
            const DkClosest found = dk_closest_point(hierarchy, s);
            const double right = distance_over_faces(h.hull, s);
            EXPECT_EQ(found.contained, right == 0);
            EXPECT_NEAR(length(found.point - s), right, 1e-12);
            inside += found.contained ? 1 : 0;
        }
        if (h.hull.vertex_count > 90 && h.name != "rod_hull" && h.name != "plate_hull") {
            EXPECT_GT(inside, 5);
        }
    }
}

}  // namespace
}  // namespace claybox::collision
