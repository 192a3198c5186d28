// Polygons: normals, planarity, convexity, keyholes, and the classes of surfaces.

#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/polygons/polygon_plane.hpp"
#include "collision/geometry/polygons/star_kernel.hpp"
#include "collision/geometry/polygons/triangulate.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "tests/geometry/lists.hpp"
#include "tests/support/rational.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace claybox::collision {
namespace {

using namespace test;
using Indices = std::vector<std::uint32_t>;

Indices loop_of(std::size_t n) {
    Indices loop(n);
    std::iota(loop.begin(), loop.end(), 0u);
    return loop;
}

Indices reversed(Indices loop) {
    std::reverse(loop.begin(), loop.end());
    return loop;
}

// The sums as printed in the thesis.
Vec3d printed_normal(const std::vector<Vec3f>& p) {
    Vec3d n;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d a = cast<double>(p[i]), b = cast<double>(p[(i + 1) % p.size()]);
        n += 0.5 * Vec3d{(b.y - a.y) * (a.z + b.z), (b.x - a.x) * (a.z + b.z), (b.x - a.x) * (a.y + b.y)};
    }
    return n;
}

TEST(PolygonPlane, Z_3_2_newell_normal_is_the_area_vector_for_every_axis_order_and_direction) {
    // A concave polygon exactly in the plane x + 2y + 4z = 7: its coordinates are dyadic.
    const Vec3d origin{1, 1, 1}, u{2, -1, 0}, v{0, -2, 1};
    const double outline[6][2] = {{0, 0}, {4, 0}, {4, 2}, {1, 1}, {2, 4}, {0, 4}};
    double area = 0;  // in units of u x v, by the shoelace formula
    for (int i = 0; i < 6; ++i) {
        const auto &a = outline[i], &b = outline[(i + 1) % 6];
        area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    const std::size_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (const auto& order : orders) {
        std::vector<Vec3f> p;
        Vec3d mean;
        for (const auto& uv : outline) {
            const Vec3d q = origin + uv[0] * u + uv[1] * v;
            p.push_back(cast<float>(Vec3d{q[order[0]], q[order[1]], q[order[2]]}));
            mean += cast<double>(p.back());
        }
        const Vec3d up{u[order[0]], u[order[1]], u[order[2]]}, vp{v[order[0]], v[order[1]], v[order[2]]};
        const Vec3d expected = area * cross(up, vp);
        const PolygonPlane plane = best_fit_plane(p, loop_of(6));
        EXPECT_EQ(plane.area, expected);
        EXPECT_EQ(best_fit_plane(p, reversed(loop_of(6))).area, -expected);
        EXPECT_NEAR(length(plane.point - mean / 6.0), 0, 1e-15);  // the divisor is the number of corners
        EXPECT_LT(bend_of(p, loop_of(6)), 1e-15);
        // The printed sums have two wrong signs: the result is not even parallel to the normal.
        EXPECT_GT(length(cross(printed_normal(p), expected)), 1.0);
    }
}

// The height above `at`, along n, at which the line through `at` intersects the triangles.
double height_of_triangles(const std::vector<Vec3f>& p, const Indices& cut, const Vec3d& at, const Vec3d& n) {
    for (std::size_t i = 0; i < cut.size(); i += 3) {
        const Vec3d a = cast<double>(p[cut[i]]), b = cast<double>(p[cut[i + 1]]),
                    c = cast<double>(p[cut[i + 2]]);
        const Vec3d m = cross(b - a, c - a);
        const double x = dot(m, a - at) / dot(m, n);
        const Vec3d q = at + x * n;
        if (dot(cross(b - a, q - a), m) >= -1e-12 && dot(cross(c - b, q - b), m) >= -1e-12 &&
            dot(cross(a - c, q - c), m) >= -1e-12)
            return x;
    }
    ADD_FAILURE() << "outside all triangles";
    return 0;
}

TEST(PolygonPlane, Z_3_2_nonplanar_best_fit_plane_stays_within_the_bend_of_the_exact_surface) {
    Random random(5);
    for (int round = 0; round < 150; ++round) {
        std::vector<Vec3f> p{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        const double size = round % 2 == 0 ? 0.3 : 0.01;
        for (Vec3f& v : p) v.z = static_cast<float>(random.uniform(-size, size));
        const auto m = build_polyhedron(list_of(p, {loop_of(4)}));
        ASSERT_TRUE(m);
        Indices cut;
        for (const Triangle& t : m.value().topology->triangles)
            cut.insert(cut.end(), t.vertices, t.vertices + 3);
        ASSERT_EQ(cut.size(), 6u);
        const PolygonPlane plane = best_fit_plane(p, loop_of(4));
        const double bend = bend_of(p, loop_of(4));
        const Vec3d n = normalized(plane.area);
        for (int k = 0; k < 20; ++k) {
            // A point of the plane above the interior of the quadrangle.
            const double s = random.uniform(0.2, 0.8), t = random.uniform(0.2, 0.8);
            Vec3d at{s, t, 0};
            at += n * dot(n, plane.point - at);
            if (at.x < 0.1 || at.x > 0.9 || at.y < 0.1 || at.y > 0.9) continue;
            EXPECT_LE(std::fabs(height_of_triangles(p, cut, at, n)), bend * (1 + 1e-9) + 1e-12);
        }
    }
}

TEST(PolygonPlane, Z_4_2_2_flat_compares_the_bend_with_a_tolerance_unlike_the_exact_decision) {
    std::vector<Vec3f> p{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.01f}, {0, 1, 0}};
    EXPECT_NEAR(bend_of(p, loop_of(4)), 0.0025, 1e-5);
    EXPECT_FALSE(is_flat(p, loop_of(4), 1e-3));
    EXPECT_TRUE(is_flat(p, loop_of(4), 1e-2));
    const Classification bent = classify(built(list_of(p, {loop_of(4)})));
    EXPECT_FALSE(bent.planar_polygons);
    EXPECT_NEAR(bent.largest_bend, 0.0025, 1e-5);
    ASSERT_EQ(bent.defects.size(), 5u);
    EXPECT_EQ(bent.defects.back().kind, DefectKind::bent_polygon);
    EXPECT_EQ(describe_suspects(bent.defects.back()), "polygon 0");
    p[2].z = 0x1p-149f;  // too small for any tolerance; the exact decision sees it
    EXPECT_TRUE(is_flat(p, loop_of(4), 1e-30));
    EXPECT_FALSE(classify(built(list_of(p, {loop_of(4)}))).planar_polygons);
    p[2].z = 0;
    EXPECT_TRUE(classify(built(list_of(p, {loop_of(4)}))).planar_polygons);
}

// The number of direction changes of one coordinate along the loop. A convex polygon has two per coordinate.
int extrema(const std::vector<Vec3f>& p, const Indices& loop, std::size_t axis) {
    int changes = 0, last = 0;
    for (std::size_t k = 0; k < 2 * loop.size(); ++k) {
        const float step = p[loop[(k + 1) % loop.size()]][axis] - p[loop[k % loop.size()]][axis];
        const int direction = step > 0 ? 1 : step < 0 ? -1 : 0;
        if (direction == 0) continue;
        if (k >= loop.size() && last != 0 && direction != last) ++changes;
        last = direction;
    }
    return changes;
}

TEST(Outline, Z_4_2_2_convpoly_needs_both_extrema_and_turns) {
    // Two extrema in x and in y, but a reflex corner (FIX-32).
    const std::vector<Vec3f> l{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    EXPECT_EQ(extrema(l, loop_of(6), 0), 2);
    EXPECT_EQ(extrema(l, loop_of(6), 1), 2);
    EXPECT_FALSE(outline_kind(l, loop_of(6)).convex);
    // All turns are to the left, but the outline goes around twice: the extrema reveal it.
    std::vector<Vec3f> star;
    for (int i = 0; i < 5; ++i) {
        const SinCos a = sin_cos(0.1 + 4 * kPi * i / 5);
        star.push_back(cast<float>(Vec3d{a.cos, a.sin, 0}));
    }
    EXPECT_EQ(extrema(star, loop_of(5), 0), 4);
    EXPECT_FALSE(outline_kind(star, loop_of(5)).convex);
    // Convex in both directions and every axis order, including straight corners. Not convex without area.
    const std::vector<Vec3f> square{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    for (std::size_t turn = 0; turn < 3; ++turn) {
        std::vector<Vec3f> p;
        for (const Vec3f& q : square) p.push_back({q[turn], q[(turn + 1) % 3], q[(turn + 2) % 3]});
        EXPECT_TRUE(outline_kind(p, loop_of(5)).convex);
        EXPECT_TRUE(outline_kind(p, reversed(loop_of(5))).convex);
    }
    const std::vector<Vec3f> flat{{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}};
    EXPECT_FALSE(outline_kind(flat, loop_of(4)).convex);
    const Classification c = classify(built(l_shape()));
    EXPECT_FALSE(c.convex_polygons);
    EXPECT_FALSE(c.convex);
    EXPECT_TRUE(c.closed && c.planar_polygons);
}

TEST(PolygonPlane, Z_4_2_2_conv_dihedral_angles_cover_the_full_circle) {
    // The edge is along x at the origin. Polygon 1 is in the plane z = 0 to the left; polygon 2 is at `angle`
    // to it.
    const Vec3d along{1, 0, 0}, n1{0, 0, 1};
    for (int degrees = 1; degrees < 360; ++degrees) {
        const double angle = kPi * degrees / 180;
        // The solid fills the angle from polygon 1 (towards +y) down to polygon 2.
        const SinCos a = sin_cos(angle);
        const Vec3d into2{0, a.cos, -a.sin};          // in polygon 2, away from the edge
        const Vec3d n2 = cross(-1.0 * along, into2);  // the edge direction is clockwise in polygon 2
        EXPECT_NEAR(dihedral_angle(along, n1, n2), angle, 1e-12) << degrees;
        EXPECT_NEAR(dihedral_angle(3.0 * along, 2.0 * n1, 5.0 * n2), angle, 1e-12) << degrees;
        // FIX-33: with the unit normal of the bisecting plane, n . n1 = -cos(angle / 2).
        if (degrees != 180) {
            const Vec3d n = normalized(cross(along, n1 + n2));
            EXPECT_NEAR(dot(n, n1), -sin_cos(angle / 2).cos, 1e-9) << degrees;
            EXPECT_NEAR(dot(n, n2), sin_cos(angle / 2).cos, 1e-9) << degrees;
        }
    }
}

TEST(Convexity, Z_4_2_2_conv_classifies_all_forms_of_schoenhardts_prism) {
    // With three bent quadrangles all its dihedral angles are convex, but the prism must not count as convex.
    const PolygonList prism = twisted_prism(PrismSides::quadrangles);
    const Polyhedron m = built(prism);
    const Classification quads = classify(m);
    EXPECT_TRUE(quads.closed && quads.manifold && quads.oriented && quads.genus == 0);
    EXPECT_FALSE(quads.planar_polygons);
    EXPECT_FALSE(quads.convex);
    int bent = 0;
    for (const Defect& d : quads.defects) bent += d.kind == DefectKind::bent_polygon ? 1 : 0;
    EXPECT_EQ(bent, 3);
    for (std::uint32_t h = 0; h < m.topology->half_edge_count(); ++h) {
        const Topology& t = *m.topology;
        const Vec3d along = cast<double>(m.positions[t.origin[t.next(h)]] - m.positions[t.origin[h]]);
        EXPECT_LT(dihedral_angle(along, best_fit_plane(m.positions, t.loop(t.polygon_of[h])).area,
                                 best_fit_plane(m.positions, t.loop(t.polygon_of[t.twin[h]])).area),
                  kPi);
    }
    // Schoenhardt's polyhedron has reflex edges. With the other diagonals it is a convex body of eight
    // triangles.
    const Classification valleys = classify(built(twisted_prism(PrismSides::valleys)));
    EXPECT_TRUE(valleys.planar_polygons && valleys.convex_polygons && valleys.genus == 0);
    EXPECT_FALSE(valleys.convex);
    EXPECT_TRUE(classify(built(twisted_prism(PrismSides::ridges))).convex);
    // Rounding bends the quadrangles of a sphere, but it stays convex.
    const Classification ball = classify(built(make_primitive(Primitive::uv_sphere, 200, 1)));
    EXPECT_FALSE(ball.planar_polygons);
    EXPECT_TRUE(ball.convex);
}

TEST(Convexity, Z_4_2_2_conv_needs_one_shell_of_genus_zero) {
    // Two cubes side by side pass every local test (FIX-34).
    PolygonList two = list_of(kCubeCorners, kCubeFaces);
    for (const Vec3f& p : kCubeCorners) two.positions.push_back(p + Vec3f{3, 0, 0});
    for (const auto& face : kCubeFaces) {
        Indices moved = face;
        for (std::uint32_t& v : moved) v += 8;
        two.add_polygon(moved);
    }
    const Classification c = classify(built(two));
    EXPECT_EQ(c.components, 2u);
    EXPECT_TRUE(c.closed && c.manifold && c.oriented);
    EXPECT_FALSE(c.convex);
    EXPECT_TRUE(classify(built(list_of(kCubeCorners, kCubeFaces))).convex);
}

/// A star with six spikes: a cube with a pyramid of height `h` on each side.
PolygonList spiked_cube(float h) {
    PolygonList out;
    out.positions = kCubeCorners;
    for (const auto& face : kCubeFaces) {
        Vec3f middle;
        for (const std::uint32_t v : face) middle += kCubeCorners[v] * 0.25f;
        const Vec3f tip = middle + (middle - Vec3f{0.5f, 0.5f, 0.5f}) * (2 * h);
        const auto apex = static_cast<std::uint32_t>(out.positions.size());
        out.positions.push_back(tip);
        for (std::size_t k = 0; k < 4; ++k) out.add_polygon(Indices{face[k], face[(k + 1) % 4], apex});
    }
    return out;
}

struct Kind {
    bool closed, convex_polygons, star, convex;
    friend bool operator==(const Kind&, const Kind&) = default;
};

Kind kind_of(const PolygonList& list) {
    const Polyhedron m = built(list);
    const Classification c = classify(m);
    return {c.closed && c.manifold && c.oriented, c.convex_polygons, is_star_shaped(m, c), c.convex};
}

TEST(SurfaceClasses, Z_1_2_class_each_class_contains_its_example) {
    const PolygonList soup =
        list_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}, {6, 5, 5}, {5, 6, 5}, {5, 5, 6}},
                {{0, 1, 2}, {3, 4, 5}, {3, 5, 6}});
    EXPECT_EQ(kind_of(soup), (Kind{false, true, false, false}));
    // A U-shaped column: closed, with non-convex polygons; no point sees both arms.
    const float x[] = {0, 5, 5, 4, 4, 1, 1, 0}, y[] = {0, 0, 5, 5, 1, 1, 5, 5};
    PolygonList u;
    for (const float z : {0.0f, 1.0f}) {
        for (int i = 0; i < 8; ++i) u.positions.push_back({x[i], y[i], z});
    }
    u.add_polygon(reversed(loop_of(8)));
    u.add_polygon(Indices{8, 9, 10, 11, 12, 13, 14, 15});
    for (std::uint32_t i = 0; i < 8; ++i) u.add_polygon(Indices{i, (i + 1) % 8, 8 + (i + 1) % 8, 8 + i});
    EXPECT_EQ(kind_of(u), (Kind{true, false, false, false}));
    EXPECT_EQ(kind_of(make_primitive(Primitive::torus, 200, 1)), (Kind{true, true, false, false}));
    EXPECT_EQ(kind_of(spiked_cube(2)), (Kind{true, true, true, false}));
    EXPECT_EQ(kind_of(l_shape()), (Kind{true, false, true, false}));
    EXPECT_EQ(kind_of(list_of(kCubeCorners, kCubeFaces)), (Kind{true, true, true, true}));
}

TEST(SurfaceClasses, Z_1_2_class_star_shapes_are_decided_exactly) {
    // A Z-shaped column. The kernel is in the plane between its two bars, so it has no interior.
    const auto z_column = [](float left, float right) {
        // The lower bar goes from x = 0 to `right`, the upper bar above it from `left` to 4. Both have
        // height 1.
        const Vec3f outline[] = {{0, 0, 0}, {right, 0, 0}, {right, 1, 0}, {4, 1, 0},
                                 {4, 2, 0}, {left, 2, 0},  {left, 1, 0},  {0, 1, 0}};
        PolygonList out;
        for (const float z : {0.0f, 1.0f}) {
            for (const Vec3f& p : outline) out.positions.push_back({p.x, p.y, z});
        }
        out.add_polygon(reversed(loop_of(8)));
        out.add_polygon(Indices{8, 9, 10, 11, 12, 13, 14, 15});
        for (std::uint32_t i = 0; i < 8; ++i)
            out.add_polygon(Indices{i, (i + 1) % 8, 8 + (i + 1) % 8, 8 + i});
        const Polyhedron m = built(out);
        return is_star_shaped(m, classify(m));
    };
    EXPECT_TRUE(z_column(1, 3));
    EXPECT_TRUE(z_column(1, std::nextafter(1.0f, 2.0f)));
    EXPECT_FALSE(z_column(3, 1));
}

// Random star-shaped bodies, and bodies with displaced vertices that need not be star-shaped.
TEST(SurfaceClasses, Z_1_2_class_kernels_agree_with_a_search_in_rationals) {
    Random random(11);
    int stars = 0, others = 0;
    for (int round = 0; round < 150; ++round) {
        PolygonList list = make_primitive(Primitive::uv_sphere, 10, 1);
        for (Vec3f& p : list.positions) {
            p = p * static_cast<float>(random.uniform(0.3, 1));
            if (round % 2 == 1) p += cast<float>(random.unit_vector() * 0.8);
        }
        // Use triangles, so that the planes are those of the polygons.
        const Polyhedron once = built(list);
        PolygonList cut;
        cut.positions = once.positions;
        for (const Triangle& t : once.topology->triangles) cut.add_polygon(t.vertices);
        const Polyhedron m = built(cut);
        const Classification c = classify(m);
        ASSERT_TRUE(c.genus.has_value());
        // Independent reference: by Helly's theorem the kernel is empty if and only if some four or fewer of
        // its half-spaces are contradictory. In the dual, dot(n, x) <= d has no solution if some combination
        // of four with weights w >= 0 has sum w n = 0 and sum w d < 0.
        std::vector<Vec3r> n;
        std::vector<Rational> d;
        for (const Triangle& t : m.topology->triangles) {
            const Vec3r a = exact(m.positions[t.vertices[0]]);
            n.push_back(cross(exact(m.positions[t.vertices[1]]) - a, exact(m.positions[t.vertices[2]]) - a));
            d.push_back(dot(n.back(), a));
        }
        bool contradictory = false;
        for (std::size_t i = 0; i < n.size() && !contradictory; ++i) {
            for (std::size_t j = i + 1; j < n.size() && !contradictory; ++j) {
                for (std::size_t k = j + 1; k < n.size() && !contradictory; ++k) {
                    const Rational det = dot(n[i], cross(n[j], n[k]));
                    if (det == 0) continue;
                    for (std::size_t l = k + 1; l < n.size() && !contradictory; ++l) {
                        // -n[l] as a combination of the other three, by Cramer's rule.
                        const Rational wi = -dot(n[l], cross(n[j], n[k])) / det,
                                       wj = -dot(n[i], cross(n[l], n[k])) / det,
                                       wk = -dot(n[i], cross(n[j], n[l])) / det;
                        contradictory =
                            wi >= 0 && wj >= 0 && wk >= 0 && wi * d[i] + wj * d[j] + wk * d[k] + d[l] < 0;
                    }
                }
            }
        }
        EXPECT_EQ(is_star_shaped(m, c), !contradictory) << round;
        ++(contradictory ? others : stars);
    }
    EXPECT_GT(stars, 10);
    EXPECT_GT(others, 10);
}

TEST(Keyhole, outlines_are_split_for_any_first_corner) {
    // A square with two square holes, connected by two bridges in a row.
    const std::vector<Vec3f> p{{0, 0, 0}, {9, 0, 0}, {9, 5, 0}, {0, 5, 0}, {1, 1, 0}, {1, 4, 0},
                               {4, 4, 0}, {4, 1, 0}, {5, 1, 0}, {5, 4, 0}, {8, 4, 0}, {8, 1, 0}};
    Indices loop{0, 4, 5, 6, 7, 8, 9, 10, 11, 8, 7, 4, 0, 1, 2, 3};
    for (std::size_t start = 0; start < loop.size(); ++start) {
        std::rotate(loop.begin(), loop.begin() + 1, loop.end());
        for (const bool flip : {false, true}) {
            const Polyhedron m = built(list_of(p, {flip ? reversed(loop) : loop}));
            const auto outlines = m.topology->outlines_of(0);
            ASSERT_EQ(outlines.size(), 3u);
            std::vector<std::set<std::uint32_t>> sets;
            for (const Outline& outline : outlines) {
                const auto vertices = m.topology->loop(outline);
                sets.push_back({vertices.begin(), vertices.end()});
                EXPECT_EQ(vertices.size(), 4u);
            }
            EXPECT_FALSE(outlines[0].hole);
            EXPECT_TRUE(outlines[1].hole && outlines[2].hole);
            // Vertex numbers are those of the list, as nothing was merged.
            EXPECT_EQ(sets[0], (std::set<std::uint32_t>{0, 1, 2, 3}));
            EXPECT_EQ(sets[1].size() + sets[2].size(), 8u);
            EXPECT_EQ(classify(m).keyhole_polygons, 1u);
        }
    }
}

TEST(Keyhole, touching_holes_are_holes_and_lobes_are_not) {
    const std::vector<Vec3f> p{{0, 0, 0}, {4, 0, 0}, {4, 4, 0},   {0, 4, 0},
                               {1, 3, 0}, {3, 3, 0}, {-2, -1, 0}, {-1, -2, 0}};
    const Polyhedron hole = built(list_of(p, {{0, 4, 5, 0, 1, 2, 3}}));
    ASSERT_EQ(hole.topology->outlines_of(0).size(), 2u);
    EXPECT_TRUE(hole.topology->outlines_of(0)[1].hole);
    const Polyhedron lobe = built(list_of(p, {{0, 6, 7, 0, 1, 2, 3}}));
    ASSERT_EQ(lobe.topology->outlines_of(0).size(), 2u);
    EXPECT_FALSE(lobe.topology->outlines_of(0)[1].hole);
    EXPECT_EQ(classify(lobe).keyhole_polygons, 0u);
    // A spike leaves one loop. Simple polygons have no outlines.
    EXPECT_TRUE(built(list_of(p, {{0, 1, 2, 5, 2, 3}})).topology->outlines_of(0).empty());
    EXPECT_TRUE(built(list_of(p, {{0, 1, 2, 3}})).topology->outlines.empty());
}

}  // namespace
}  // namespace claybox::collision
