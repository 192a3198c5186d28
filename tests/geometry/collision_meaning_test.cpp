// The definition of collision for each class of input (docs/explanation/geometry.md), and the edge-polygon
// hits that prove it, compared with an independent oracle in rationals.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/geometry/lists.hpp"
#include "tests/support/obj_text.hpp"
#include "tests/support/rational.hpp"
#include "tests/support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace claybox::collision {
namespace {

using namespace test;

ShapePtr shape_of(const PolygonList& list) {
    auto shape = Shape::from_polygons(list);
    EXPECT_TRUE(shape.ok());
    return shape.ok() ? shape.value() : nullptr;
}

Matrix34f shifted(float x, float y, float z) {
    Matrix34f m;
    m.m[3] = x;
    m.m[7] = y;
    m.m[11] = z;
    return m;
}

struct Answer {
    PairResult result;
    std::vector<Hit> hits;
    bool certified = false;
};

Answer query_pair(const char* algorithm, const Shape& a, const Matrix34f& ma, const Shape& b,
                  const Matrix34f& mb, Wants wants = kWantVerdict) {
    Scratch scratch;
    std::vector<Hit> storage(100000);
    HitSink sink(storage);
    PairQuery query = make_pair_query(a, ma, b, mb, scratch);
    const PairAlgorithm& found = *find_pair_algorithm(algorithm);
    query.parameters = default_values(found.parameters);
    query.wants = wants;
    if ((wants & kWantAllHits) != 0) query.hits = &sink;
    PairCache cache;
    Answer out;
    out.result = run_query(found, query, cache);
    out.certified = certify(query, out.result);
    out.hits.assign(sink.hits().begin(), sink.hits().end());
    return out;
}

Vec3r world(const Matrix34f& m, const Vec3f& p) {
    const auto row = [&](std::size_t r) {
        return Rational(m.m[4 * r]) * Rational(p.x) + Rational(m.m[4 * r + 1]) * Rational(p.y) +
               Rational(m.m[4 * r + 2]) * Rational(p.z) + Rational(m.m[4 * r + 3]);
    };
    return {row(0), row(1), row(2)};
}

// The oracle. A closed segment intersects a closed triangle with area if its line crosses the plane inside
// the three sides. A segment in the plane intersects it if an end is inside or if the segment crosses a side.
bool inside(const Vec3r& q, const Vec3r* t, const Vec3r& n) {
    for (int k = 0; k < 3; ++k) {
        if (dot(cross(t[(k + 1) % 3] - t[k], q - t[k]), n) < 0) return false;
    }
    return true;
}

bool intersects(const Vec3r& p, const Vec3r& q, const Vec3r* t) {
    const Vec3r n = cross(t[1] - t[0], t[2] - t[0]);
    const Rational hp = dot(n, p - t[0]), hq = dot(n, q - t[0]);
    if (hp.sign() * hq.sign() > 0) return false;
    if (hp != hq) return inside(p + (q - p) * Rational(hp / (hp - hq)), t, n);
    if (inside(p, t, n) || inside(q, t, n)) return true;
    for (int k = 0; k < 3; ++k) {
        const Vec3r &a = t[k], &b = t[(k + 1) % 3];
        const auto turn = [&](const Vec3r& u, const Vec3r& v, const Vec3r& w) {
            return dot(cross(v - u, w - u), n).sign();
        };
        const int pa = turn(p, q, a), pb = turn(p, q, b), ap = turn(a, b, p), aq = turn(a, b, q);
        // Collinear with the side: the side's corner is between the ends, or an end was inside already.
        const bool in_line = pa == 0 && pb == 0;
        if (in_line ? dot(p - a, q - a) <= 0 : pa * pb <= 0 && ap * aq <= 0) return true;
    }
    return false;
}

using Witness = std::tuple<bool, std::uint32_t, std::uint32_t>;  // edge of B?, edge, polygon

// All intersections of edges of `e` with polygons of `f`, by the oracle.
void add_witnesses(const Shape& e, const Matrix34f& me, const Shape& f, const Matrix34f& mf, bool edge_of_b,
                   std::set<Witness>& out) {
    const Topology &te = e.topology(), &tf = f.topology();
    std::vector<Vec3r> pe, pf;
    for (const Vec3f& p : e.geometry().positions) pe.push_back(world(me, p));
    for (const Vec3f& p : f.geometry().positions) pf.push_back(world(mf, p));
    for (std::uint32_t i = 0; i < te.edges.size(); ++i) {
        const auto [u, v] = te.edges[i].vertices;
        for (const Triangle& t : tf.triangles) {
            const Vec3r corners[3] = {pf[t.vertices[0]], pf[t.vertices[1]], pf[t.vertices[2]]};
            if (intersects(pe[u], pe[v], corners)) out.insert({edge_of_b, i, t.polygon});
        }
    }
}

TEST(CollisionMeaning, Z_1_2_req_edge_polygon_hits_are_exactly_those_of_the_oracle) {
    Random random(5);
    const PolygonList lists[] = {l_shape(), make_primitive(Primitive::torus, 40, 1),
                                 make_primitive(Primitive::tetra_flake, 16, 1),
                                 list_of(kCubeCorners, kCubeFaces)};
    int colliding = 0, separated = 0;
    std::size_t hits = 0;
    for (int round = 0; round < 40; ++round) {
        const ShapePtr a = shape_of(lists[random.below(4)]), b = shape_of(lists[random.below(4)]);
        const Quat turn = random_rotation(random, 0, 3);
        const double distance = random.uniform(0, 2.5);
        Matrix34f ma, mb = to_matrix({turn, random.unit_vector() * distance});
        if (round % 4 == 0)
            mb = shifted(static_cast<float>(random.below(3)), 1, 0);  // touching or nearly touching
        std::set<Witness> expected;
        add_witnesses(*a, ma, *b, mb, false, expected);
        add_witnesses(*b, mb, *a, ma, true, expected);
        const Answer answer = query_pair("edge_polygon", *a, ma, *b, mb, kWantAllHits);
        EXPECT_EQ(answer.result.verdict == Verdict::colliding, !expected.empty());
        EXPECT_TRUE(answer.certified);
        std::set<Witness> found;
        for (const Hit& h : answer.hits) {
            const Shape &with_edge = h.edge_of_b ? *b : *a, &with_polygon = h.edge_of_b ? *a : *b;
            if (h.edge == kNoIndex) continue;  // a diagonal of a bent polygon
            EXPECT_TRUE(expected.count({h.edge_of_b, h.edge, h.polygon}))
                << "this edge does not intersect this polygon";
            EXPECT_EQ(with_polygon.topology().triangles.at(h.triangle).polygon, h.polygon);
            EXPECT_LT(h.edge, with_edge.topology().edges.size());
            found.insert({h.edge_of_b, h.edge, h.polygon});
        }
        EXPECT_EQ(found, expected) << round;
        hits += found.size();
        if (answer.result.verdict == Verdict::colliding) {
            const Certificate& c = answer.result.certificate;
            ASSERT_EQ(c.kind, CertificateKind::edge_triangle);
            EXPECT_TRUE(c.edge == kNoIndex || expected.count({c.edge_of_b, c.edge, c.polygon}));
        }
        ++(expected.empty() ? separated : colliding);
    }
    EXPECT_GT(colliding, 10);
    EXPECT_GT(separated, 5);
    EXPECT_GT(hits, 300u);
}

// Any polygons collide if an edge of one intersects a polygon of the other. There are no further
// requirements.
TEST(CollisionMeaning, Z_3_2_soup_polygon_soups_with_gaps_overlaps_and_holes_collide_like_other_meshes) {
    const auto triangle = shape_of(list_of({{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, {{0, 1, 2}}));
    const auto needle = shape_of(list_of({{0.5f, 0.5f, -1}, {0.5f, 0.5f, 1}, {0.6f, 0.5f, 1}}, {{0, 1, 2}}));
    const auto hits = [](const Shape& a, const Shape& b, const Matrix34f& m = {}) {
        return query_pair("edge_polygon", a, {}, b, m).result.verdict == Verdict::colliding;
    };
    EXPECT_TRUE(hits(*triangle, *needle));
    EXPECT_TRUE(hits(*needle, *triangle));
    EXPECT_FALSE(hits(*triangle, *needle, shifted(5, 0, 0)));
    // A soup: a floating triangle, a duplicate triangle, two that overlap in their plane, and a gap.
    const auto soup = shape_of(list_of(
        {{0, 0, 5}, {1, 0, 5}, {0, 1, 5}, {0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 0, 0}, {3, 0, 0}, {1, 2, 0}},
        {{0, 1, 2}, {3, 4, 5}, {3, 4, 5}, {6, 7, 8}}));
    EXPECT_TRUE(hits(*soup, *needle));
    EXPECT_FALSE(hits(*soup, *needle, shifted(0, 0, 2.5f)));  // in the gap
    EXPECT_TRUE(hits(*soup, *needle, shifted(-0.25f, -0.25f, 5)));
    // Through the hole of a keyhole polygon, and through the area around the hole.
    const auto plate = shape_of(list_of(
        {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}, {-2, -2, 0}, {-2, 2, 0}, {2, 2, 0}, {2, -2, 0}},
        {{0, 4, 5, 6, 7, 4, 0, 1, 2, 3}}));
    EXPECT_FALSE(hits(*plate, *needle));
    EXPECT_TRUE(hits(*plate, *needle, shifted(2.5f, 0, 0)));
    EXPECT_TRUE(hits(*plate, *needle, shifted(1.5f, 0, 0)));  // on the rim
}

// The surface of a bent polygon is its fixed triangulation, in any placement.
TEST(CollisionMeaning, Z_3_2_nonplanar_quadrangles_collide_as_their_fixed_triangles) {
    Random random(9);
    int hits = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<Vec3f> p{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
        for (Vec3f& v : p) v.z = static_cast<float>(random.uniform(-0.2, 0.2));
        const auto quad = shape_of(list_of(p, {{0, 1, 2, 3}}));
        Loops cut;
        for (const Triangle& t : quad->topology().triangles)
            cut.push_back({t.vertices[0], t.vertices[1], t.vertices[2]});
        const auto triangles = shape_of(list_of(p, cut));
        // A needle whose tip is near the quadrangle, in front of it or behind it.
        const auto x = static_cast<float>(random.uniform(0.1, 0.9)),
                   y = static_cast<float>(random.uniform(0.1, 0.9)),
                   z = static_cast<float>(random.uniform(-0.1, 0.1));
        const auto needle = shape_of(list_of({{x, y, z}, {x, y, 2}, {x + 0.01f, y, 2}}, {{0, 1, 2}}));
        const Verdict one = query_pair("edge_polygon", *quad, {}, *needle, {}).result.verdict;
        EXPECT_EQ(one, query_pair("edge_polygon", *triangles, {}, *needle, {}).result.verdict);
        hits += one == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(hits, 60);
    EXPECT_LT(hits, 140);
}

struct Cubes {
    ShapePtr cube = shape_of(list_of(kCubeCorners, kCubeFaces));
    PairResult solid(const Matrix34f& m, Wants wants = kWantVerdict) const {
        const Answer answer = query_pair("gjk", *cube, {}, *cube, m, wants);
        EXPECT_TRUE(answer.certified);
        return answer.result;
    }
    bool surface(const Matrix34f& m) const {
        return query_pair("edge_polygon", *cube, {}, *cube, m).result.verdict == Verdict::colliding;
    }
};

// FIX-15: "d(P, Q) > 0" and "a plane lies between" mean that the bodies do not collide, and one edge
// suffices.
TEST(CollisionMeaning, Z_3_1_def_holds_for_each_class_and_the_printed_formulas_do_not) {
    const Cubes c;
    Matrix34f contained = shifted(0.25f, 0.25f, 0.25f);
    for (const std::size_t i : {0u, 5u, 10u}) contained.m[i] = 0.5f;
    // Closed: a common point of the solids. Any polygons: a common point of the surfaces.
    EXPECT_EQ(c.solid(contained).verdict, Verdict::colliding);
    EXPECT_FALSE(c.surface(contained));
    // The distance is positive if and only if they are apart.
    const PairResult apart = c.solid(shifted(3, 0, 0), kWantDistance | kWantAxis);
    EXPECT_EQ(apart.verdict, Verdict::separated);
    EXPECT_NEAR(apart.distance, 2, 1e-12);
    // Convex: a plane lies strictly between them if and only if they are apart.
    ASSERT_EQ(apart.certificate.kind, CertificateKind::separating_axis);
    Rational low(1), high(-1);
    bool first = true;
    for (const Vec3f& corner : kCubeCorners) {
        const Rational a = dot(exact(apart.certificate.axis_w), exact(corner)),
                       b = dot(exact(apart.certificate.axis_w), world(shifted(3, 0, 0), corner));
        low = first || a > low ? a : low;
        high = first || b < high ? b : high;
        first = false;
    }
    EXPECT_LT(low, high);
    EXPECT_NE(c.solid(shifted(0.5f, 0, 0), kWantAxis).certificate.kind, CertificateKind::separating_axis);
    // Not every edge of a colliding pair intersects the other body; one suffices.
    const Answer corner =
        query_pair("edge_polygon", *c.cube, {}, *c.cube, shifted(0.9f, 0.9f, 0.9f), kWantAllHits);
    std::set<std::uint32_t> edges;
    for (const Hit& h : corner.hits) {
        if (!h.edge_of_b) edges.insert(h.edge);
    }
    EXPECT_FALSE(edges.empty());
    EXPECT_LT(edges.size(), c.cube->topology().edges.size());
}

// Contact: the bodies touch, and an arbitrarily small motion apart ends it. Proper: their interiors
// intersect. Both count as colliding. A contact is incoming if the motion makes it proper, outgoing if the
// motion ends it.
TEST(CollisionMeaning, Z_3_1_def_distinguishes_contact_and_proper_incoming_and_outgoing) {
    const Cubes c;
    const float less = std::nextafter(1.0f, 0.0f), more = std::nextafter(1.0f, 2.0f);
    const Matrix34f placements[] = {shifted(1, 0, 0), shifted(1, 0.5f, 0.5f), shifted(1, 1, 0),
                                    shifted(1, 1, 1)};
    for (const Matrix34f& contact : placements) {
        Matrix34f in = contact, out = contact;
        in.m[3] = less;
        out.m[3] = more;
        for (const Matrix34f& m : {contact, in}) {
            EXPECT_EQ(c.solid(m).verdict, Verdict::colliding);
            EXPECT_TRUE(c.surface(m));
        }
        EXPECT_EQ(c.solid(out).verdict, Verdict::separated);
        EXPECT_FALSE(c.surface(out));
    }
    // Sliding is neither: the bodies are still in contact after the step.
    EXPECT_EQ(c.solid(shifted(1, 0.25f, 0)).verdict, Verdict::colliding);
    EXPECT_EQ(c.solid(shifted(more, 0.25f, 0)).verdict, Verdict::separated);
}

}  // namespace
}  // namespace claybox::collision
