// Convex decompositions: exact where coordinates are exact, within the tolerance elsewhere, proven bounds
// everywhere.

#include "collision/pairwise/decomposition/convex_decomposition.hpp"

#include "bench/streams/voxel_solids.hpp"
#include "collision/core/random.hpp"
#include "collision/exact/contained.hpp"
#include "collision/geometry/predicates.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/support/obj_text.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace claybox::test {
namespace {

using namespace claybox::streams;

using namespace claybox::collision;

ConvexDecomposition decomposed(const ShapePtr& shape, const DecompositionRules& rules = {}) {
    return decompose(shape->geometry(), shape->classification(), rules);
}

/// Whether a point is inside a solid hull, decided exactly.
bool contains(const Shape& part, const Vec3d& p) {
    const ConvexHull& hull = *part.hull();
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const auto at = [&](std::size_t i) { return cast<double>(hull.vertex(loop[i])); };
        if (orient3d(at(0), at(1), at(2), p) > 0) return false;
    }
    return hull.dimension == 3;
}

double volume_of(const Shape& shape) {
    double out = 0;
    const Vec3d origin = cast<double>(shape.geometry().box.centre());
    for (const Triangle& t : shape.topology().triangles) {
        const auto at = [&](int i) {
            return cast<double>(shape.geometry().positions[t.vertices[i]]) - origin;
        };
        out += dot(at(0), cross(at(1), at(2))) / 6;
    }
    return out;
}

double volume_of(const ConvexDecomposition& d) {
    double out = 0;
    for (const ConvexPart& part : d.parts) out += part.volume;
    return out;
}

struct Samples {
    std::uint32_t inside = 0, uncovered = 0, beyond = 0, far_beyond = 0, wrong_inner = 0, in_inner = 0;
};

/// Random points of the mesh's box, tested against the mesh with an exact ray and against all hulls.
/// `far_beyond` counts points of outer hulls that are outside the solid by more than `tolerance`.
Samples sample(const Shape& mesh, const ConvexDecomposition& d, std::uint32_t count, double tolerance) {
    Samples out;
    Random random(5);
    const Aabb& box = mesh.geometry().box;
    const Matrix34f identity{};
    const SolidLocator locator(mesh.geometry(), identity);
    for (std::uint32_t i = 0; i < count; ++i) {
        Vec3d p;
        for (std::size_t k = 0; k < 3; ++k) p[k] = random.uniform(box.min[k], box.max[k]);
        const bool inside = locator.locate({nullptr, p}).inside;
        bool covered = false, in_inner = false;
        for (const ConvexPart& part : d.parts) {
            covered = covered || contains(*part.outer, p);
            for (const ShapePtr& inner : part.inner) in_inner = in_inner || contains(*inner, p);
        }
        out.inside += inside;
        out.in_inner += in_inner;
        out.uncovered += inside && !covered;
        out.wrong_inner += in_inner && !inside;
        out.beyond += covered && !inside;
        if (!covered || inside) continue;
        bool near = false;
        for (int n = 0; n < 26 && !near; ++n)
            near = locator.locate({nullptr, p + tolerance * random.unit_vector()}).inside;
        out.far_beyond += !near;
    }
    return out;
}

struct Case {
    const char* name;
    std::set<Voxel> voxels;
    std::size_t max_parts;
};

std::vector<Case> voxel_cases() {
    return {{"l_shape", l_shape(), 2},
            {"chair", chair(), 6},
            {"u_shape", u_shape(), 3},
            {"ring", ring(), 4},
            {"hollow_cube", hollow_cube(), 6},
            {"nested", hollow_cube() + block({-3, -3, -3}, {7, 7, 7}) - block({-2, -2, -2}, {6, 6, 6}), 12},
            {"two", block({0, 0, 0}, {1, 1, 1}) + block({3, 0, 0}, {4, 2, 1}), 2}};
}

TEST(ConvexDecomposition, Z_3_7_2_decomp_voxel_solids_become_few_exact_parts) {
    for (const Case& c : voxel_cases()) {
        const ShapePtr shape = voxel_shape(c.voxels, c.name);
        const ConvexDecomposition d = decomposed(shape);
        ASSERT_EQ(d.refusal, DecompositionRefusal::none) << c.name;
        EXPECT_LE(d.parts.size(), c.max_parts) << c.name;
        for (const ConvexPart& part : d.parts) {
            EXPECT_TRUE(part.exact) << c.name;
            EXPECT_EQ(part.inner.size(), 1u);
        }
        EXPECT_NEAR(volume_of(d), static_cast<double>(c.voxels.size()), 1e-12) << c.name;
        const Samples s = sample(*shape, d, 2000, 0);
        EXPECT_GT(s.inside, 100u);
        EXPECT_EQ(s.uncovered, 0u) << c.name;
        EXPECT_EQ(s.beyond, 0u) << c.name;
        EXPECT_EQ(s.in_inner, s.inside) << c.name;
    }
}

TEST(ConvexDecomposition, exact_parts_have_disjoint_insides) {
    const PairAlgorithm& gjk = *find_pair_algorithm("gjk");
    Scratch scratch;
    for (const Case& c : voxel_cases()) {
        const ConvexDecomposition d = decomposed(voxel_shape(c.voxels));
        for (std::size_t i = 0; i < d.parts.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                PairQuery q = make_pair_query(*d.parts[i].outer, {}, *d.parts[k].outer, {}, scratch);
                q.parameters = default_values(gjk.parameters);
                q.wants = kWantDepth;
                PairCache cache;
                const PairResult r = run_query(gjk, q, cache);
                EXPECT_TRUE(r.verdict == Verdict::separated || r.depth < 1e-12) << c.name;
            }
    }
}

TEST(ConvexDecomposition, merging_reduces_the_parts_of_the_same_solid) {
    DecompositionRules apart;
    apart.merge = false;
    const ShapePtr shape = make_primitive_shape(Primitive::torus, 200, 1, 1).value();
    const ConvexDecomposition cells = decomposed(shape, apart), parts = decomposed(shape);
    EXPECT_EQ(cells.parts.size(), cells.cells);
    EXPECT_LT(parts.parts.size(), cells.parts.size());
    EXPECT_NEAR(volume_of(parts), volume_of(cells), 1e-5 * volume_of(cells));
}

TEST(ConvexDecomposition, is_independent_of_scale_and_polygon_orientation) {
    for (const Case& c : voxel_cases()) {
        const std::size_t parts = decomposed(voxel_shape(c.voxels)).parts.size();
        for (const int exponent : {-70, 40}) {
            PolygonList scaled = surface_of(c.voxels);
            for (Vec3f& p : scaled.positions) p = p * std::ldexp(1.0f, exponent);
            const auto shape = Shape::from_polygons(scaled);
            ASSERT_TRUE(shape.ok());
            EXPECT_EQ(decomposed(shape.value()).parts.size(), parts) << c.name << " " << exponent;
        }
        for (const std::size_t every : {1, 3}) {  // inside out, and every third polygon
            PolygonList list = surface_of(c.voxels);
            for (std::size_t p = 0; p < list.polygon_count(); p += every)
                std::reverse(list.indices.begin() + list.begin[p], list.indices.begin() + list.begin[p + 1]);
            const auto shape = Shape::from_polygons(list);
            ASSERT_TRUE(shape.ok());
            const ConvexDecomposition d = decomposed(shape.value());
            EXPECT_EQ(d.parts.size(), parts) << c.name << " every " << every;
            EXPECT_NEAR(volume_of(d), static_cast<double>(c.voxels.size()), 1e-12);
        }
    }
}

ShapePtr moved_together(const std::set<Voxel>& a, const std::set<Voxel>& b, const Vec3f& shift) {
    PolygonList list = surface_of(a);
    const PolygonList other = surface_of(b);
    for (std::size_t p = 0; p < other.polygon_count(); ++p) {
        std::vector<std::uint32_t> loop;
        for (const std::uint32_t v : other.polygon(p)) {
            loop.push_back(static_cast<std::uint32_t>(list.positions.size()));
            list.positions.push_back(other.positions[v] + shift);
        }
        list.add_polygon(loop);
    }
    const auto shape = Shape::from_polygons(list);
    EXPECT_TRUE(shape.ok());
    return shape.value();
}

TEST(ConvexDecomposition, meshes_that_bound_no_solid_are_refused) {
    const std::set<Voxel> cube = block({0, 0, 0}, {1, 1, 1});
    EXPECT_EQ(decomposed(moved_together(cube, cube, {0.5f, 0.25f, 0.125f})).refusal,
              DecompositionRefusal::cuts_itself);
    EXPECT_EQ(decomposed(moved_together(cube, cube, {0.5f, 0, 0})).refusal, DecompositionRefusal::cuts_itself)
        << "sides in one plane overlap";
    EXPECT_EQ(decomposed(moved_together(cube, cube, {1.5f, 0, 0})).refusal, DecompositionRefusal::none);
    PolygonList open = surface_of(cube);
    open.begin.pop_back();
    open.indices.resize(open.begin.back());
    EXPECT_EQ(decomposed(Shape::from_polygons(open).value()).refusal, DecompositionRefusal::not_closed);
    PolygonList flat;  // a square seen from both sides
    flat.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    flat.add_polygon(std::array<std::uint32_t, 4>{0, 1, 2, 3});
    flat.add_polygon(std::array<std::uint32_t, 4>{3, 2, 1, 0});
    EXPECT_NE(decomposed(Shape::from_polygons(flat).value()).refusal, DecompositionRefusal::none);
    DecompositionRules few;
    few.max_parts = 2;
    EXPECT_EQ(decomposed(voxel_shape(chair()), few).refusal, DecompositionRefusal::too_large);
}

TEST(ConvexDecomposition, rounded_meshes_are_decomposed_within_the_tolerance_with_proven_bounds) {
    for (const auto& [primitive, target_count, most] :
         {std::tuple{Primitive::torus, 200u, 60u}, std::tuple{Primitive::hyperboloid, 120u, 200u},
          std::tuple{Primitive::tetra_flake, 200u, 70u}}) {
        const ShapePtr shape = make_primitive_shape(primitive, target_count, 1.5f, 1).value();
        const ConvexDecomposition d = decomposed(shape);
        ASSERT_EQ(d.refusal, DecompositionRefusal::none) << info(primitive).id;
        EXPECT_LE(d.parts.size(), most) << info(primitive).id;
        EXPECT_NEAR(volume_of(d), volume_of(*shape), 2e-5 * volume_of(*shape)) << info(primitive).id;
        const Samples s = sample(*shape, d, 4000, 1e-5);
        EXPECT_GT(s.inside, 100u);
        EXPECT_EQ(s.uncovered, 0u) << info(primitive).id;
        EXPECT_EQ(s.wrong_inner, 0u) << info(primitive).id;
        EXPECT_EQ(s.far_beyond, 0u) << info(primitive).id;
        EXPECT_GT(s.in_inner, s.inside * 9 / 10) << info(primitive).id << ": inner hulls are useful";
        std::printf("%s: %zu triangles, %u notches, %u cells, %zu parts\n", info(primitive).id,
                    shape->topology().triangles.size(), d.notches, d.cells, d.parts.size());
    }
}

TEST(ConvexDecomposition, decomposes_the_meshes_of_the_ground_truth) {
    // The largest number of parts measured.
    const std::map<std::string, std::size_t> meshes{
        {"cube", 1},        {"lshape", 2},       {"lshape_ngon", 2}, {"ushape", 3},
        {"square_ring", 4}, {"hollow_cube", 6},  {"gear", 21},       {"torus", 24},
        {"torus_thin", 32}, {"tetraflake3", 64}, {"bowl", 150},      {"dirty_flipped_ball", 1}};
    for (const auto& [name, most] : meshes) {
        const auto shape = Shape::from_polygons(read_obj(truth_dir() / "meshes" / (name + ".obj")), name);
        ASSERT_TRUE(shape.ok()) << name;
        const ConvexDecomposition d = decomposed(shape.value());
        ASSERT_EQ(d.refusal, DecompositionRefusal::none) << name;
        EXPECT_LE(d.parts.size(), most) << name;
        const Samples s = sample(*shape.value(), d, 500, 1e-5);
        EXPECT_EQ(s.uncovered + s.wrong_inner + s.far_beyond, 0u) << name;
        if (shape.value()->classification().oriented) {
            EXPECT_NEAR(volume_of(d), volume_of(*shape.value()), 2e-5 * volume_of(d)) << name;
        }
        std::printf("%s: %u notches, %u cells, %zu parts\n", name.c_str(), d.notches, d.cells,
                    d.parts.size());
    }
}

}  // namespace
}  // namespace claybox::test
