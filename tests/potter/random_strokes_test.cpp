// Random strokes with every effect, symmetry and detail: the clay stays closed, manifold and free of slivers.
// CLAYBOX_STROKES=100000 runs the long version.

#include "app/potter/detail/merge.hpp"
#include "app/potter/detail/refine.hpp"
#include "app/potter/files/watertight.hpp"
#include "collision/core/random.hpp"
#include "tests/potter/meshes.hpp"
#include "tests/potter/probe.hpp"
#include "tests/support/environment.hpp"

#include <gtest/gtest.h>

namespace claybox::app {
namespace {

constexpr DetailSettings kDetail{true, 0.006, 6000};

int strokes() {
    return static_cast<int>(test::number_from("CLAYBOX_STROKES", 150));
}

ClayMesh mesh_of(const Clay& clay) {
    return clay_mesh(clay.topology(), clay.positions(), clay.mask());
}

std::size_t slivers(const ClayMesh& mesh) {
    std::vector<std::uint32_t> corners;
    add_slivers(mesh, corners);
    return corners.size() / 3;
}

/// As a potter would: a small lump gets more clay, a large one less. A grab is not among what adds clay: the
/// finger goes into the clay, and the clay with it.
ClayEffect random_effect(collision::Random& random, double volume) {
    // The cuts and the facets have tests of their own.
    constexpr ClayEffect kMore[] = {ClayEffect::inflate, ClayEffect::add, ClayEffect::smooth},
                         kLess[] = {ClayEffect::push, ClayEffect::deflate, ClayEffect::carve,
                                    ClayEffect::smooth},
                         kAny[] = {ClayEffect::push,    ClayEffect::grab,   ClayEffect::inflate,
                                   ClayEffect::deflate, ClayEffect::smooth, ClayEffect::flatten,
                                   ClayEffect::pinch,   ClayEffect::crease, ClayEffect::add,
                                   ClayEffect::carve};
    const auto one_of = [&](std::span<const ClayEffect> effects) {
        return effects[random.bits() % effects.size()];
    };
    return volume < 0.6 ? one_of(kMore) : volume > 1.5 ? one_of(kLess) : one_of(kAny);
}

/// `volume` of the clay as a share of the start.
ClayBrush random_brush(collision::Random& random, double volume) {
    ClayBrush brush;
    brush.effect = random_effect(random, volume);
    brush.radius = random.uniform(0.012, 0.05);
    brush.strength = random.uniform(0.1, 1);
    brush.falloff = static_cast<Falloff>(random.bits() % 4);
    brush.symmetry.radial = random.bits() % 4 == 0 ? 5 : 1;
    brush.symmetry.mirror_x = random.bits() % 4 == 0;
    return brush;
}

/// One stroke: a finger goes a few millimetres into the clay at a vertex and out again.
std::uint64_t random_stroke(Clay& clay, collision::Random& random, const ClayBrush& brush, std::uint32_t v,
                            std::uint64_t frame) {
    const Vec3d at = collision::cast<double>(clay.positions()[v]),
                out = collision::cast<double>(clay.surface().normals()[v]);
    const Vec3d way = random.unit_vector() * 0.001;
    for (int i = 0; i < 8; ++i) {
        const Vec3d tip = at + out * (0.006 - 0.0012 * i) + way * static_cast<double>(i);
        ClayProbe finger = probe(clay, tip + out * 0.03, tip, 0.008);
        finger.touch.fresh = i == 0;
        finger.touch.motion = way - out * 0.0012;
        clay.push({&finger.touch, 1}, brush, ++frame);
        clay.update(frame);
    }
    for (int i = 0; i < 30; ++i) clay.update(++frame);
    return frame;
}

/// Triangles that face against the clay around all of their corners: places where the surface folds over.
std::size_t folded(const ClayMesh& mesh, const std::vector<Vec3f>& normals) {
    return static_cast<std::size_t>(
        std::count_if(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& t) {
            const Vec3f area = cross(mesh.positions[t[1]] - mesh.positions[t[0]],
                                     mesh.positions[t[2]] - mesh.positions[t[0]]);
            return std::all_of(t.begin(), t.end(),
                               [&](std::uint32_t v) { return dot(area, normals[v]) < 0; });
        }));
}

struct Findings {
    double least_angle = 60;
    std::size_t folded_before = 0, folded_after = 0;  ///< triangles before and after remeshing, all checks
    std::size_t slivers = 0;                          ///< triangles below 10 degrees after remeshing
    std::size_t merged = 0;  ///< checks in which the clay passed through itself, so that remeshing merged it
};

/// Every edge has one polygon on each side.
void expect_closed(const Clay& clay, int strokes) {
    const Watertight found = check_watertight(clay.topology(), clay.positions());
    ASSERT_TRUE(found.closed()) << describe(found) << " after " << strokes << " strokes";
}

/// Remeshes all of the clay and checks it in full.
void check(Clay& clay, std::uint64_t& frame, Findings& out) {
    out.folded_before += folded(mesh_of(clay), clay.surface().normals());
    out.merged += passes_through_itself(mesh_of(clay), static_cast<float>(kDetail.edge));
    clay.remesh(frame);
    for (int k = 0; k < 40; ++k) clay.update(++frame);
    const ClayMesh mesh = mesh_of(clay);
    for (const Vec3f& p : mesh.positions)
        ASSERT_TRUE(collision::is_finite(p) && p.y >= 0 && length(p) < 1) << p.x << ' ' << p.y << ' ' << p.z;
    const auto polyhedron = collision::build_polyhedron(polygon_list(mesh));
    ASSERT_TRUE(polyhedron.ok());
    const collision::Classification c = collision::classify(polyhedron.value());
    ASSERT_TRUE(c.closed && c.manifold && c.oriented && c.vertex_fans_ok)
        << c.boundary_edges << " open edges";
    ASSERT_EQ(c.vertices, mesh.positions.size());
    ASSERT_LE(mesh.triangles.size(), kDetail.budget);
    ASSERT_GT(volume_of(mesh), 1e-6);
    out.least_angle = std::min(out.least_angle, smallest_angle(mesh));
    out.slivers += slivers(mesh);
    out.folded_after += folded(mesh, clay.surface().normals());
}

TEST(RandomStrokes, clay_stays_closed_without_slivers_and_undo_of_everything_restores_it) {
    Clay clay(clay_shape(ClayShape::lump, 1500));
    clay.use_detail(kDetail);
    const auto start = clay.positions();
    const double volume = clay.measure().volume;
    collision::Random random(2024);
    std::uint64_t frame = 0;
    const int count = strokes();
    Findings found;
    for (int i = 1; i <= count; ++i) {
        const auto v = static_cast<std::uint32_t>(random.bits() % clay.positions().size());
        frame = random_stroke(clay, random, random_brush(random, clay.measure().volume / volume), v, frame);
        if (i % 10 == 0) expect_closed(clay, i);
        ASSERT_FALSE(HasFailure());
        if (i % 50 != 0) continue;
        check(clay, frame, found);
        ASSERT_FALSE(HasFailure()) << i << " strokes";
        if (count > 1000 && i % 1000 == 0) {
            std::printf("%d strokes: %zu triangles, %.0f cm3, smallest angle %.1f degrees\n", i,
                        clay.topology().triangles.size(), clay.measure().volume * 1e6, found.least_angle);
            std::fflush(stdout);
        }
    }
    RecordProperty("least_angle", std::to_string(found.least_angle));
    RecordProperty("folded_before", std::to_string(found.folded_before));
    RecordProperty("folded_after", std::to_string(found.folded_after));
    RecordProperty("merged", std::to_string(found.merged));
    std::printf(
        "%d strokes: smallest angle %.1f degrees; %zu folded triangles before remeshing, %zu after; the clay "
        "passed through itself in %zu of %d checks\n",
        count, found.least_angle, found.folded_before, found.folded_after, found.merged, count / 50);
    EXPECT_GT(found.least_angle, 10);
    EXPECT_EQ(found.slivers, 0u);
    EXPECT_EQ(found.folded_after, 0u);
    if (count > 1000) return;  // the budget of the history forgets the oldest strokes
    while (!undo(clay).empty()) {
    }
    EXPECT_EQ(clay.positions(), start);
}

/// A vertex near the highest one.
std::uint32_t rim_vertex(const Clay& clay, collision::Random& random, double below) {
    float top = 0;
    for (const Vec3f& p : clay.positions()) top = std::max(top, p.y);
    std::vector<std::uint32_t> rim;
    for (std::uint32_t v = 0; v < clay.positions().size(); ++v)
        if (clay.positions()[v].y > top - static_cast<float>(below)) rim.push_back(v);
    return rim[random.bits() % rim.size()];
}

/// Shapes the rim of a hollow pot, trims it, shapes it again, and so on.
TEST(RandomTrims, a_pot_is_closed_before_and_after_every_cut) {
    const int pots = std::max(1, strokes() / 50);
    for (int pot = 0; pot < pots; ++pot) {
        collision::Random random(static_cast<std::uint64_t>(pot) + 7);
        Clay clay(clay_shape(ClayShape::lump, 1500));
        clay.use_detail(kDetail);
        std::uint64_t frame = 0;
        const auto wait = [&] {
            for (int k = 0; k < 40; ++k) clay.update(++frame);
        };
        clay.make_hollow({0.008, 0.01}, frame);
        wait();
        for (int cut = 0; cut < 4; ++cut) {
            constexpr ClayEffect kRaise[] = {ClayEffect::add, ClayEffect::inflate, ClayEffect::add,
                                             ClayEffect::push, ClayEffect::crease};
            for (int i = 0; i < 12; ++i) {
                ClayBrush brush;
                brush.effect = i < 10 ? kRaise[random.bits() % 5] : ClayEffect::smooth;
                brush.radius = random.uniform(0.008, 0.02);
                brush.strength = random.uniform(0.5, 1);
                frame = random_stroke(clay, random, brush, rim_vertex(clay, random, 0.01), frame);
            }
            expect_closed(clay, 12 * (cut + 1));
            ASSERT_FALSE(HasFailure()) << "before cut " << cut << " of pot " << pot;
            float top = 0;
            for (const Vec3f& p : clay.positions()) top = std::max(top, p.y);
            const double height = static_cast<double>(top) - random.uniform(0.001, 0.008);
            clay.cut_along({{0, 1, 0}, height}, CutKeep::below, frame);
            wait();
            expect_closed(clay, 12 * (cut + 1));
            ASSERT_FALSE(HasFailure()) << "after cut " << cut << " of pot " << pot;
        }
    }
}

}  // namespace
}  // namespace claybox::app
