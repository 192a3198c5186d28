#include "collision/pairwise/support/support.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace claybox::collision {
namespace {

struct SupportHull {
    std::string name;
    ConvexHull hull;
};

ConvexHull support_hull_of(const std::vector<Vec3f>& points) {
    auto hull = convex_hull(points);
    EXPECT_TRUE(hull.ok());
    return std::move(hull).value();
}

/// Every convex primitive in several sizes, and flat hulls of every dimension.
std::vector<SupportHull> support_hulls() {
    std::vector<SupportHull> out;
    for (int kind = 0; kind < kPrimitiveCount; ++kind) {
        const auto primitive = static_cast<Primitive>(kind);
        if (!info(primitive).convex) continue;
        for (const std::uint32_t target_count : {20u, 100u, 600u}) {
            const PolygonList polygons = make_primitive(primitive, target_count, 7);
            out.push_back({info(primitive).id, support_hull_of(polygons.positions)});
        }
    }
    std::vector<Vec3f> disc;
    for (int i = 0; i < 40; ++i)
        disc.push_back(
            {static_cast<float>(std::cos(i * 0.157)), static_cast<float>(std::sin(i * 0.157)), 2.0f});
    out.push_back({"disc", support_hull_of(disc)});
    out.push_back({"triangle", support_hull_of({{0, 0, 0}, {1, 0, 0.5f}, {0, 1, 0.25f}})});
    out.push_back({"segment", support_hull_of({{0, 0, 0}, {1, 2, 3}, {2, 4, 6}})});
    out.push_back({"point", support_hull_of({{1, 2, 3}, {1, 2, 3}})});
    return out;
}

double support_reach(const ConvexHull& hull, const Vec3d& d, std::uint32_t v) {
    return dot(d, cast<double>(hull.vertex(v)));
}

TEST(Support, climbing_and_scanning_reach_equally_far_on_every_kind_of_hull) {
    Random random(31);
    for (const SupportHull& h : support_hulls()) {
        SCOPED_TRACE(h.name + " of " + std::to_string(h.hull.vertex_count));
        std::uint32_t warm = 0;
        for (int i = 0; i < 300; ++i) {
            // Includes directions along axes, where whole faces tie.
            Vec3d d = random.unit_vector();
            if (i % 3 == 0) d = {double(int(random.below(3)) - 1), double(int(random.below(3)) - 1), 1};
            const Vec3f f = cast<float>(d);
            const auto start = static_cast<std::uint32_t>(random.below(h.hull.vertex_count));
            const auto scanned = support_vertex(h.hull, f, 0, SupportMethod::scan);
            const auto climbed = support_vertex(h.hull, f, start, SupportMethod::climb);
            warm = support_vertex(h.hull, f, warm, SupportMethod::automatic);
            ASSERT_LT(std::max({scanned, climbed, warm}), h.hull.vertex_count);
            // Vertices of size up to 4 in float: sums are correct to a few units of 2^-22.
            const double best = support_reach(h.hull, cast<double>(f), scanned);
            EXPECT_NEAR(support_reach(h.hull, cast<double>(f), climbed), best, 4e-6);
            EXPECT_NEAR(support_reach(h.hull, cast<double>(f), warm), best, 4e-6);
        }
    }
}

TEST(Support, climbing_in_double_finds_the_best_vertex) {
    Random random(32);
    for (const SupportHull& h : support_hulls()) {
        SCOPED_TRACE(h.name + " of " + std::to_string(h.hull.vertex_count));
        for (int i = 0; i < 100; ++i) {
            const Vec3d d = random.unit_vector();
            const auto start = static_cast<std::uint32_t>(random.below(h.hull.vertex_count));
            const double found = support_reach(h.hull, d, support_vertex(h.hull, d, start));
            double best = found;
            for (std::uint32_t v = 0; v < h.hull.vertex_count; ++v)
                best = std::max(best, support_reach(h.hull, d, v));
            EXPECT_NEAR(found, best, 1e-14);
        }
    }
}

TEST(Support, directions_that_overflow_still_return_a_vertex) {
    const float inf = std::numeric_limits<float>::infinity();
    for (const SupportHull& h : support_hulls())
        for (const Vec3f& d :
             {Vec3f{inf, -inf, 0}, Vec3f{NAN, NAN, NAN}, Vec3f{0x1p127f, 0x1p127f, 0x1p127f}})
            for (const SupportMethod method : {SupportMethod::scan, SupportMethod::climb})
                EXPECT_LT(support_vertex(h.hull, d, h.hull.vertex_count - 1, method), h.hull.vertex_count);
}

}  // namespace
}  // namespace claybox::collision
