#include "app/potter/cut/cap.hpp"

#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <gtest/gtest.h>

#include <set>

namespace claybox::app {
namespace {

using collision::Vec3d;
using collision::Vec3f;

/// A ring around a place on the x axis, seen from above counter-clockwise, or clockwise for a hole. With much
/// noise it crosses itself.
VertexLoop add_ring(ClayMesh& mesh, collision::Random& random, double x, double radius, double noise,
                    int corners, bool hole) {
    VertexLoop out;
    for (int i = 0; i < corners; ++i) {
        const double turn = (i + noise * random.uniform(-1, 1)) / corners * (hole ? 1 : -1);
        const collision::SinCos at = collision::sin_cos(2 * collision::kPi * turn);
        const double r = radius * (1 + 0.3 * noise * random.uniform(-1, 1));
        out.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(collision::cast<float>(Vec3d{x + r * at.cos, 0, r * at.sin}));
        mesh.mask.push_back(0);
    }
    return out;
}

/// Whether the cap closes the clay below it: with the clay beside the loops, every edge has one triangle in
/// each direction.
bool closes(const ClayMesh& mesh, const std::vector<VertexLoop>& loops) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    bool once = true;
    const auto use = [&](std::uint32_t a, std::uint32_t b) {
        once = once && a != b && edges.emplace(a, b).second;
    };
    for (const VertexLoop& loop : loops)
        for (std::size_t i = 0; i < loop.size(); ++i) use(loop[(i + 1) % loop.size()], loop[i]);
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) use(t[k], t[(k + 1) % 3]);
    for (const auto& [a, b] : edges) once = once && edges.contains({b, a});
    return once;
}

double area_of(const ClayMesh& mesh) {
    double twice = 0;
    for (const auto& t : mesh.triangles)
        twice += static_cast<double>(
            cross(mesh.positions[t[1]] - mesh.positions[t[0]], mesh.positions[t[2]] - mesh.positions[t[0]])
                .y);
    return twice / 2;
}

TEST(Cap, a_ring_with_a_hole_is_filled_without_new_vertices) {
    collision::Random random(1);
    ClayMesh mesh;
    const std::vector<VertexLoop> loops{add_ring(mesh, random, 0, 1, 0, 200, false),
                                        add_ring(mesh, random, 0.1, 0.6, 0, 100, true),
                                        add_ring(mesh, random, -0.7, 0.2, 0, 50, true)};
    add_cap(mesh, loops, {0, 1, 0});
    EXPECT_EQ(mesh.positions.size(), 350u);
    EXPECT_TRUE(closes(mesh, loops));
    EXPECT_NEAR(area_of(mesh), collision::kPi * (1 - 0.36 - 0.04), 0.01);
}

TEST(Cap, loops_that_cross_themselves_and_each_other_are_closed) {
    std::size_t apart = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        collision::Random random(seed);
        ClayMesh mesh;
        const double noise = random.uniform(0, 3);
        std::vector<VertexLoop> loops{add_ring(mesh, random, 0, 1, noise, 40, false)};
        const int holes = static_cast<int>(random.uniform(0, 4));
        for (int h = 0; h < holes; ++h)
            loops.push_back(
                add_ring(mesh, random, random.uniform(-0.4, 0.4), random.uniform(0.2, 0.9), noise, 30, true));
        const std::size_t vertices = mesh.positions.size();
        add_cap(mesh, loops, {0, 1, 0});
        ASSERT_TRUE(closes(mesh, loops)) << "seed " << seed;
        ASSERT_EQ(mesh.mask.size(), mesh.positions.size());
        apart += mesh.positions.size() > vertices;
    }
    EXPECT_GT(apart, 100u) << "the loops cross so rarely that the test proves little";
}

}  // namespace
}  // namespace claybox::app
