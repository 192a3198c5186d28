// Random strokes with every effect, symmetry and detail: the clay stays closed, manifold and free of slivers.
// CLAYBOX_STROKES=100000 runs the long version.

#include "collision/core/random.hpp"
#include "tests/potter/meshes.hpp"
#include "tests/potter/probe.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace claybox::app {
namespace {

constexpr DetailSettings kDetail{true, 0.006, 6000};

int strokes() {
    const char* text = std::getenv("CLAYBOX_STROKES");
    return text ? std::atoi(text) : 150;
}

ClayBrush random_brush(collision::Random& random) {
    // The cuts and the facets have tests of their own.
    constexpr ClayEffect kEffects[] = {
        ClayEffect::push,    ClayEffect::grab,  ClayEffect::inflate, ClayEffect::deflate, ClayEffect::smooth,
        ClayEffect::flatten, ClayEffect::pinch, ClayEffect::crease,  ClayEffect::add,     ClayEffect::carve};
    ClayBrush brush;
    brush.effect = kEffects[random.bits() % std::size(kEffects)];
    brush.radius = random.uniform(0.012, 0.05);
    brush.strength = random.uniform(0.1, 1);
    brush.falloff = static_cast<Falloff>(random.bits() % 4);
    brush.symmetry.radial = random.bits() % 4 == 0 ? 5 : 1;
    brush.symmetry.mirror_x = random.bits() % 4 == 0;
    return brush;
}

/// One stroke: a finger goes a few millimetres into the clay somewhere and out again.
std::uint64_t random_stroke(Clay& clay, collision::Random& random, std::uint64_t frame) {
    const ClayBrush brush = random_brush(random);
    const auto v = static_cast<std::uint32_t>(random.bits() % clay.positions().size());
    const Vec3d at = collision::cast<double>(clay.positions()[v]),
                out = collision::cast<double>(clay.surface().normals()[v]);
    const Vec3d way = random.unit_vector() * 0.001;
    for (int i = 0; i < 8; ++i) {
        const Vec3d tip = at + out * (0.006 - 0.0012 * i) + way * static_cast<double>(i);
        Probe finger = probe(clay, tip + out * 0.03, tip, 0.008);
        finger.touch.fresh = i == 0;
        finger.touch.motion = way - out * 0.0012;
        clay.push({&finger.touch, 1}, brush, ++frame);
        clay.update(frame);
    }
    for (int i = 0; i < 30; ++i) clay.update(++frame);
    return frame;
}

TEST(RandomStrokes, clay_stays_closed_without_slivers_and_undo_of_everything_restores_it) {
    Clay clay(clay_shape(ClayShape::lump, 1500));
    clay.use_detail(kDetail);
    const auto start = clay.positions();
    collision::Random random(2024);
    std::uint64_t frame = 0;
    const int count = strokes();
    double least_angle = 60;
    std::size_t folded = 0;
    for (int i = 1; i <= count; ++i) {
        frame = random_stroke(clay, random, frame);
        if (i % 50 != 0) continue;
        clay.remesh(frame);
        for (int k = 0; k < 40; ++k) clay.update(++frame);
        const ClayMesh mesh = clay_mesh(clay.topology(), clay.positions(), clay.mask());
        for (const Vec3f& p : mesh.positions)
            ASSERT_TRUE(collision::is_finite(p) && p.y >= 0 && length(p) < 1)
                << i << ": " << p.x << ' ' << p.y << ' ' << p.z;
        const auto polyhedron = collision::build_polyhedron(polygon_list(mesh));
        ASSERT_TRUE(polyhedron.ok());
        const collision::Classification c = collision::classify(polyhedron.value());
        ASSERT_TRUE(c.closed && c.manifold && c.oriented) << i << ": " << c.boundary_edges << " open edges";
        ASSERT_LE(mesh.triangles.size(), kDetail.budget) << i;
        least_angle = std::min(least_angle, smallest_angle(mesh));
        for (const auto& t : mesh.triangles) {
            const Vec3f normal = cross(mesh.positions[t[1]] - mesh.positions[t[0]],
                                       mesh.positions[t[2]] - mesh.positions[t[0]]);
            const auto& n = clay.surface().normals();
            folded += dot(normal, n[t[0]]) < 0 && dot(normal, n[t[1]]) < 0 && dot(normal, n[t[2]]) < 0;
        }
    }
    RecordProperty("least_angle", std::to_string(least_angle));
    RecordProperty("folded", std::to_string(folded));
    std::printf("%d strokes: smallest angle %.1f degrees, %zu folded triangles\n", count, least_angle,
                folded);
    EXPECT_GT(least_angle, 10);
    if (count > 1000) return;  // the budget of the history forgets the oldest strokes
    while (!clay.undo().empty()) {
    }
    EXPECT_EQ(clay.positions(), start);
}

}  // namespace
}  // namespace claybox::app
