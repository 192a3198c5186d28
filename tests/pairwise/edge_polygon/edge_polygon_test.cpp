#include "collision/core/random.hpp"
#include "collision/exact/edge_triangle.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/pairwise/counting_new.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <tuple>

namespace claybox::collision {
namespace {

const PairAlgorithm& algorithm() {
    return *find_pair_algorithm("edge_polygon");
}

ShapePtr shape_of(const PolygonList& polygons) {
    auto made = Shape::from_polygons(polygons);
    EXPECT_TRUE(made.ok());
    return made.ok() ? made.value() : nullptr;
}

ShapePtr one_polygon(std::initializer_list<Vec3f> points) {
    PolygonList list;
    list.positions = points;
    std::vector<std::uint32_t> loop(points.size());
    for (std::uint32_t i = 0; i < loop.size(); ++i) loop[i] = i;
    list.add_polygon(loop);
    return shape_of(list);
}

Matrix34f shifted(float x, float y, float z) {
    Matrix34f m;
    m.m[3] = x;
    m.m[7] = y;
    m.m[11] = z;
    return m;
}

struct QueryFixture {
    const Shape& a;
    const Shape& b;
    Matrix34f world_from_a, world_from_b;
    std::vector<Hit> storage = std::vector<Hit>(20000);
    Scratch scratch{};
    PairQuery query = make_pair_query(a, world_from_a, b, world_from_b, scratch);
    HitSink sink{storage};

    PairResult run(double prechecks = 0) {
        query.parameters = default_values(algorithm().parameters);
        query.parameters[0] = prechecks;
        query.hits = &sink;
        PairCache cache;
        return run_query(algorithm(), query, cache);
    }
    std::vector<Hit> all_hits(double prechecks = 0) {
        query.wants = kWantAllHits;
        EXPECT_EQ(run(prechecks).status, QueryStatus::done);
        std::vector<Hit> out(sink.hits().begin(), sink.hits().end());
        const auto key = [](const Hit& h) { return std::tuple(h.edge_of_b, h.edge, h.polygon, h.triangle); };
        std::sort(out.begin(), out.end(), [&](const Hit& x, const Hit& y) { return key(x) < key(y); });
        return out;
    }
};

bool collide(const Shape& a, const Shape& b, const Matrix34f& ma = {}, const Matrix34f& mb = {}) {
    QueryFixture fixture{a, b, ma, mb};
    const PairResult r = fixture.run();
    EXPECT_TRUE(certify(fixture.query, r));
    EXPECT_NE(r.verdict, Verdict::undecided);
    return r.verdict == Verdict::colliding;
}

/// Tests all sides of all triangles of one body against all triangles of the other, in exact arithmetic only.
bool reference(const Shape& a, const Matrix34f& ma, const Shape& b, const Matrix34f& mb) {
    const auto one_way = [](const Shape& s, const Matrix34f& ms, const Shape& t, const Matrix34f& mt) {
        const auto &ps = s.geometry().positions, &pt = t.geometry().positions;
        for (const Triangle& u : s.topology().triangles)
            for (const Triangle& v : t.topology().triangles)
                for (int k = 0; k < 3; ++k)
                    if (intersect_exact({&ms, ps[u.vertices[k]], ps[u.vertices[(k + 1) % 3]]},
                                        {&mt, pt[v.vertices[0]], pt[v.vertices[1]], pt[v.vertices[2]]})
                            .hit)
                        return true;
        return false;
    };
    return one_way(a, ma, b, mb) || one_way(b, mb, a, ma);
}

TEST(EdgePolygon, a_needle_through_a_face_is_found_in_both_orders) {
    const ShapePtr cube = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    const ShapePtr needle = one_polygon({{0, -3, 0}, {0.01f, -3, 0}, {0, 3, 0}});
    EXPECT_TRUE(collide(*cube, *needle));
    EXPECT_TRUE(collide(*needle, *cube));
    EXPECT_FALSE(collide(*needle, *cube, shifted(5, 0, 0)));
}

TEST(EdgePolygon, a_body_inside_another_does_not_intersect_its_surface) {
    const ShapePtr cube = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    Matrix34f small;
    for (std::size_t i : {0u, 5u, 10u}) small.m[i] = 0.5f;
    EXPECT_FALSE(collide(*cube, *cube, {}, small));
    EXPECT_TRUE(collide(*cube, *cube));
}

TEST(EdgePolygon, one_unit_in_the_last_place_decides) {
    const ShapePtr low = one_polygon({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}});
    const ShapePtr tip = one_polygon({{1, 1, 1}, {2, 1, 2}, {1, 2, 2}});
    EXPECT_TRUE(collide(*low, *tip, shifted(0, 0, 1)));
    EXPECT_FALSE(collide(*low, *tip, shifted(0, 0, std::nextafter(1.0f, 0.0f))));
    EXPECT_TRUE(collide(*low, *low, {}, shifted(4, 4, 0)));
    EXPECT_FALSE(collide(*low, *low, {}, shifted(std::nextafter(4.0f, 5.0f), 0, 0)));
}

/// A quadrangle folded along its fixed diagonal. The diagonal runs along x or y at height 0; the other
/// corners are at height `fold`. The orientation decides which diagonal the library uses, so both are tried.
ShapePtr roof(bool along_x, float fold) {
    const Vec3f ridge0 = along_x ? Vec3f{-1, 0, 0} : Vec3f{0, -1, 0}, ridge1 = -ridge0;
    const Vec3f side0 = along_x ? Vec3f{0, -1, fold} : Vec3f{1, 0, fold}, side1{-side0.x, -side0.y, fold};
    for (const bool reversed : {false, true}) {
        const ShapePtr out = reversed ? one_polygon({ridge0, side1, ridge1, side0})
                                      : one_polygon({ridge0, side0, ridge1, side1});
        int on_ridge = 0;
        for (const Triangle& t : out->topology().triangles)
            for (const std::uint32_t v : t.vertices) on_ridge += out->geometry().positions[v].z == 0 ? 1 : 0;
        if (on_ridge == 4) return out;
    }
    return nullptr;
}

TEST(EdgePolygon, bent_polygons_that_intersect_only_in_diagonals_collide) {
    const ShapePtr down = roof(true, -1), up = roof(false, 1);
    ASSERT_TRUE(down != nullptr && up != nullptr);
    EXPECT_TRUE(collide(*down, *up, {}, shifted(0, 0, -0.125f)));
    EXPECT_TRUE(collide(*up, *down, shifted(0, 0, -0.125f)));
    EXPECT_TRUE(collide(*up, *down));
    EXPECT_FALSE(collide(*up, *down, shifted(0, 0, 0x1p-149f)));
    QueryFixture fixture{*down, *up, {}, shifted(0, 0, -0.125f)};
    for (const Hit& h : fixture.all_hits()) EXPECT_EQ(h.edge, kNoIndex);
}

/// Small random sets of lattice triangles and bent quadrangles, many of them touching, flat, repeated or
/// without area.
PolygonList soup(Random& random, std::uint64_t size) {
    PolygonList list;
    const std::uint64_t polygons = 1 + random.below(3);
    for (std::uint64_t i = 0; i < polygons; ++i) {
        std::vector<std::uint32_t> loop(3 + random.below(3));
        for (std::uint32_t& v : loop) {
            v = static_cast<std::uint32_t>(list.positions.size());
            list.positions.push_back({static_cast<float>(random.below(size)),
                                      static_cast<float>(random.below(size)),
                                      static_cast<float>(random.below(size))});
        }
        list.add_polygon(loop);
        if (random.below(4) == 0) list.add_polygon(loop);
    }
    return list;
}

TEST(EdgePolygon, lattice_triangles_agree_with_exact_arithmetic) {
    Random random(17);
    int colliding = 0;
    constexpr int kPairs = 1500;
    for (int round = 0; round < kPairs; ++round) {
        const ShapePtr a = shape_of(soup(random, 4)), b = shape_of(soup(random, 4));
        const auto offset = [&] { return static_cast<float>(random.below(5)) - 2; };
        const float z = offset(), y = offset(), x = offset();
        const Matrix34f shift = shifted(x, y, z);
        const bool want = reference(*a, {}, *b, shift);
        EXPECT_EQ(collide(*a, *b, {}, shift), want) << round;
        EXPECT_EQ(collide(*b, *a, shift, {}), want) << round;
        Matrix34f turned, turned_shift;  // rows x -> y -> z -> x, times -8: exact
        for (std::size_t i = 0; i < 12; ++i) {
            turned.m[i] = -8 * Matrix34f{}.m[(i + 4) % 12];
            turned_shift.m[i] = -8 * shift.m[(i + 4) % 12];
        }
        EXPECT_EQ(collide(*a, *b, turned, turned_shift), want) << round;
        colliding += want;
    }
    EXPECT_GT(colliding, kPairs * 3 / 10);
    EXPECT_LT(colliding, kPairs * 7 / 10);
}

struct Tori {
    ShapePtr torus = make_primitive_shape(Primitive::torus, 300, 1, 1).value();
    Matrix34f moved = to_matrix({axis_angle(normalized(Vec3d{1, 0.1, 0}), 1.6), {1.2, 0.02, 0.01}});
};

TEST(EdgePolygon, prechecks_keep_all_hits) {
    const Tori t;
    QueryFixture fixture{*t.torus, *t.torus, {}, t.moved};
    const auto want = fixture.all_hits(3);
    EXPECT_GT(want.size(), 20u);
    EXPECT_EQ(fixture.all_hits(2), want);
    EXPECT_EQ(fixture.all_hits(1), want);
    EXPECT_EQ(fixture.all_hits(0), want);
    EXPECT_TRUE(std::adjacent_find(want.begin(), want.end(), [](const Hit& x, const Hit& y) {
                    return x.edge != kNoIndex && x.edge == y.edge && x.polygon == y.polygon &&
                           x.edge_of_b == y.edge_of_b;
                }) == want.end());
}

TEST(EdgePolygon, hits_are_reproducible_and_symmetric) {
    const Tori t;
    QueryFixture fixture{*t.torus, *t.torus, {}, t.moved}, swapped{*t.torus, *t.torus, t.moved, {}};
    const auto want = fixture.all_hits();
    EXPECT_EQ(fixture.all_hits(), want);
    const auto other = swapped.all_hits();
    ASSERT_EQ(other.size(), want.size());
    for (const Hit& h : want)
        EXPECT_TRUE(std::any_of(other.begin(), other.end(), [&](const Hit& o) {
            return o.edge_of_b != h.edge_of_b && o.edge == h.edge && o.polygon == h.polygon;
        }));
}

TEST(EdgePolygon, parts_together_find_every_hit_once) {
    const Tori t;
    QueryFixture fixture{*t.torus, *t.torus, {}, t.moved};
    const auto want = fixture.all_hits();
    for (const std::uint32_t parts : {2u, 3u, 7u}) {
        std::vector<Hit> joined;
        for (std::uint32_t k = 0; k < parts; ++k) {
            QueryFixture part{*t.torus, *t.torus, {}, t.moved};
            part.query.part = k;
            part.query.part_count = parts;
            const auto hits = part.all_hits();
            joined.insert(joined.end(), hits.begin(), hits.end());
        }
        EXPECT_EQ(joined.size(), want.size());
        for (const Hit& h : want) EXPECT_EQ(std::count(joined.begin(), joined.end(), h), 1);
    }
}

TEST(EdgePolygon, a_full_sink_is_reported_and_the_verdict_stays) {
    const Tori t;
    QueryFixture fixture{*t.torus, *t.torus, {}, t.moved};
    fixture.storage.resize(5);
    fixture.sink = HitSink(fixture.storage);
    fixture.query.wants = kWantAllHits;
    const PairResult r = fixture.run();
    EXPECT_EQ(r.status, QueryStatus::hits_full);
    EXPECT_EQ(r.verdict, Verdict::colliding);
    EXPECT_EQ(fixture.sink.hits().size(), 5u);
    EXPECT_TRUE(certify(fixture.query, r));
}

TEST(EdgePolygon, repeated_queries_do_not_allocate) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 600, 1.0f, 1).value();
    std::vector<Hit> storage(std::size_t{1} << 18);
    HitSink sink(storage);
    Scratch scratch(0);  // minimal: grows when the first query needs it
    PairCache cache;
    Matrix34f moved;
    std::size_t allocations = 0, hits = 0, exact = 0;
    for (int frame = 0; frame < 121; ++frame) {
        // Starts in the same pose, where everything touches itself, then moves outward and back; the first
        // query is the largest.
        moved.m[3] = static_cast<float>(60 - std::abs(frame - 60)) * 0.04f;
        PairQuery query = make_pair_query(*torus, {}, *torus, moved, scratch);
        query.parameters = default_values(algorithm().parameters);
        query.wants = kWantAllHits;
        query.hits = &sink;
        const std::size_t before = test::allocations_of_this_thread();
        const PairResult r = run_query(algorithm(), query, cache);
        if (frame > 0) allocations += test::allocations_of_this_thread() - before;
        ASSERT_EQ(r.status, QueryStatus::done);
        hits += sink.hits().size();
        exact += r.rung == 3 ? 1 : 0;
    }
    EXPECT_EQ(allocations, 0u);
    EXPECT_GT(hits, 1000u);
    EXPECT_GT(exact, 0u);
}

TEST(EdgePolygon, a_stop_request_ends_the_query_without_a_verdict) {
    const Tori t;
    StopSource source;
    source.request_stop();
    QueryFixture fixture{*t.torus, *t.torus, {}, t.moved};
    fixture.query.stop = StopToken(source);
    const PairResult r = fixture.run();
    EXPECT_EQ(r.status, QueryStatus::stopped);
    EXPECT_EQ(r.verdict, Verdict::undecided);
}

TEST(EdgePolygon, a_deformed_body_is_tested_in_its_current_shape) {
    const ShapePtr low = one_polygon({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}});
    const ShapePtr high = one_polygon({{1, 1, 1}, {2, 1, 2}, {1, 2, 2}});
    Geometry dented = high->geometry();
    std::uint32_t tip = 0;
    while (dented.positions[tip].z != 1) ++tip;
    std::vector<std::uint32_t> touched;
    const VertexChange change{tip, {1, 1, -1}};
    ASSERT_TRUE(deform(dented, {&change, 1}, touched).ok());
    QueryFixture fixture{*low, *high, {}, {}};
    EXPECT_EQ(fixture.run().verdict, Verdict::separated);
    fixture.query.b.geometry = &dented;
    const PairResult r = fixture.run();
    EXPECT_EQ(r.verdict, Verdict::colliding);
    EXPECT_TRUE(certify(fixture.query, r));
}

TEST(EdgePolygon, a_singular_matrix_is_answered) {
    const ShapePtr cube = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    Matrix34f flat;
    flat.m[5] = 0;
    Matrix34f point;
    for (std::size_t i : {0u, 5u, 10u}) point.m[i] = 0;
    EXPECT_TRUE(collide(*cube, *cube, {}, flat));
    EXPECT_FALSE(collide(*cube, *cube, {}, point));
    for (std::size_t i : {3u, 7u, 11u}) point.m[i] = cube->geometry().box.max[(i - 3) / 4];
    EXPECT_TRUE(collide(*cube, *cube, {}, point));
    EXPECT_TRUE(collide(*cube, *cube, point, point));
}

TEST(Certify, rejects_invalid_certificates) {
    const Tori t;
    QueryFixture fixture{*t.torus, *t.torus, {}, t.moved};
    const PairResult right = fixture.run();
    ASSERT_TRUE(certify(fixture.query, right));
    PairResult wrong = right;
    wrong.certificate.triangle = right.certificate.triangle == 0 ? 100 : 0;
    EXPECT_FALSE(certify(fixture.query, wrong));
    wrong = right;
    wrong.certificate.pairs[0][1] = 0xfffffff0u;
    EXPECT_FALSE(certify(fixture.query, wrong));
    wrong = right;
    wrong.verdict = Verdict::separated;
    wrong.certificate = {};
    EXPECT_FALSE(certify(fixture.query, wrong));
    wrong.verdict = Verdict::undecided;
    EXPECT_FALSE(certify(fixture.query, wrong));
}

TEST(Certify, containment_is_verified_by_crossing_parity) {
    const ShapePtr ball = make_primitive_shape(Primitive::uv_sphere, 200, 1, 1).value();
    Matrix34f small;
    for (std::size_t i : {0u, 5u, 10u}) small.m[i] = 0.25f;
    QueryFixture fixture{*ball, *ball, {}, small};
    PairResult r;
    r.meaning = Meaning::solid;
    r.verdict = Verdict::colliding;
    r.certificate.kind = CertificateKind::contained;
    r.certificate.edge_of_b = true;
    r.certificate.support_a = r.certificate.support_b = 1;
    r.certificate.axis_w = {0.3, 0.5, 0.7};
    EXPECT_TRUE(certify(fixture.query, r));
    r.certificate.edge_of_b = false;  // A is not inside B
    EXPECT_FALSE(certify(fixture.query, r));
    fixture.query.b.world_from_body.m[3] = 5;
    r.certificate.edge_of_b = true;
    EXPECT_FALSE(certify(fixture.query, r));
}

}  // namespace
}  // namespace claybox::collision
