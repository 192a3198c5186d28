// The pre-checks of edges against polygons, level by level, the two one-sided algorithms, and the point
// tests.

#include "collision/pairwise/mesh/point_in_polygon.hpp"
#include "tests/pairwise/pairs.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

namespace claybox::test {
namespace {

enum Level : int { face_collect, face_box, object_box, no_checks };
enum Counter : std::size_t { kEdges, kPolygons, kBoxes, kTests, kExact, kVertices, kWrong };

const PairAlgorithm& row(const char* id) {
    return *find_pair_algorithm(id);
}

struct Answer {
    PairResult result;
    std::vector<Hit> hits;
    std::uint32_t count(Counter c) const { return result.counters[c]; }
};

/// All hits at one pre-check level of the exact algorithm, sorted.
Answer query_level(const Pair& p, Level level) {
    const PairAlgorithm& a = row("edge_polygon");
    const PreparedPair prepared = prepare(a, p);
    Scratch scratch;
    PairCache cache;
    std::vector<Hit> storage(20000);
    HitSink sink(storage);
    PairQuery q = query_of(a, p, prepared, scratch);
    q.parameters[0] = level;
    q.wants = kWantAllHits;
    q.hits = &sink;
    Answer out{run_query(a, q, cache), {}};
    out.hits.assign(sink.hits().begin(), sink.hits().end());
    return out;
}

ShapePtr primitive(Primitive kind, std::uint32_t target_count, float radius = 1) {
    return make_primitive_shape(kind, target_count, radius, 1).value();
}

Matrix34f shifted(float x, float y, float z) {
    Matrix34f m;
    m.m[3] = x;
    m.m[7] = y;
    m.m[11] = z;
    return m;
}

/// Two tori near contact, randomly rotated, half of them colliding.
Pair tori(Random& random) {
    static const ShapePtr torus = primitive(Primitive::torus, 300);
    Pair p{torus, torus, to_matrix(random_pose(random, 3)), {}};
    Pose b = random_pose(random, random.uniform(0.7, 1.8));
    b.translation += cast<double>(p.world_from_a.translation());
    p.world_from_b = to_matrix(b);
    return p;
}

/// A closed needle, six times as long as the cube that it penetrates.
ShapePtr needle() {
    PolygonList list;
    list.positions = {{-0.01f, -3, 0}, {0.01f, -3, 0}, {0, -3, 0.01f}, {0.001f, 3, 0.002f}};
    for (const auto& t : {std::array{0u, 1u, 2u}, {0u, 3u, 1u}, {1u, 3u, 2u}, {2u, 3u, 0u}})
        list.add_polygon(t);
    return Shape::from_polygons(list).value();
}

TEST(EdgePolygonLevels, Z_3_2_arb_edges_of_one_are_not_enough_in_either_order) {
    const ShapePtr cube = primitive(Primitive::box, 6), thin = needle();
    const Answer first = query_level({cube, thin, {}, {}}, face_collect);
    const Answer second = query_level({thin, cube, {}, {}}, face_collect);
    EXPECT_EQ(first.result.verdict, Verdict::colliding);
    EXPECT_EQ(second.result.verdict, Verdict::colliding);
    EXPECT_EQ(first.hits.size(), 6u);
    for (const Hit& h : first.hits) EXPECT_TRUE(h.edge_of_b);
    for (const Hit& h : second.hits) EXPECT_FALSE(h.edge_of_b);
}

/// The boxes of a body and its polygons in the world, in double, and the boxes that they overlap.
struct PlacedBoxes {
    struct Box {
        Vec3d min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        void add(const Vec3d& p) {
            min = collision::min(min, p);
            max = collision::max(max, p);
        }
        bool overlaps(const Box& o) const {
            bool out = true;
            for (std::size_t k = 0; k < 3; ++k) out = out && min[k] <= o.max[k] && o.min[k] <= max[k];
            return out;
        }
    };
    PlacedBoxes(const ShapePtr& s, const Matrix34f& matrix) : shape(s), m(to_double(matrix)) {
        const Aabb& box = shape->geometry().box;
        for (int i = 0; i < 8; ++i)
            all.add(transform_point(
                m, cast<double>(Vec3f{i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                                      i & 4 ? box.max.z : box.min.z})));
    }
    Vec3d at(std::uint32_t v) const {
        return transform_point(m, cast<double>(shape->geometry().positions[v]));
    }
    /// The polygons whose box overlaps the other box, and the box around them.
    std::size_t polygons_meeting(const Box& other, Box& around) const {
        std::size_t count = 0;
        for (std::uint32_t p = 0; p < shape->topology().polygon_count(); ++p) {
            Box own;
            for (const std::uint32_t v : shape->topology().loop(p)) own.add(at(v));
            if (!own.overlaps(other)) continue;
            ++count;
            around.add(own.min);
            around.add(own.max);
        }
        return count;
    }
    std::size_t edges_reaching(const Box& other) const {
        std::size_t count = 0;
        for (const Edge& e : shape->topology().edges) {
            Box own;
            for (const std::uint32_t v : e.vertices) own.add(at(v));
            count += own.overlaps(other) ? 1 : 0;
        }
        return count;
    }
    ShapePtr shape;
    Matrix34d m;
    Box all;
};

TEST(EdgePolygonLevels, Z_3_2_pre_face_collects_polygons_in_the_other_box_without_losing_hits) {
    Random random(1);
    std::size_t hits = 0;
    for (int round = 0; round < 40; ++round) {
        const Pair p = tori(random);
        const Answer with = query_level(p, face_collect), without = query_level(p, face_box);
        EXPECT_EQ(with.result.verdict, without.result.verdict);
        EXPECT_EQ(with.hits, without.hits);
        hits += with.hits.size();
    }
    EXPECT_GT(hits, 200u);
    // A box inside one corner of another, of 600 polygons each. Collecting with the box of the polygon's own
    // body (as printed; FIX-16) would keep all of them.
    const ShapePtr box = primitive(Primitive::box, 600);
    const float side = 2 * box->geometry().box.max.x;
    const Answer corner =
        query_level({box, box, {}, shifted(0.9f * side, 0.9f * side, 0.9f * side)}, face_collect);
    EXPECT_GT(corner.count(kPolygons), 0u);
    EXPECT_LT(corner.count(kPolygons), 120u);
    // Rotated bodies: collects polygons of B by their world boxes, then those of A by the box of the
    // collected polygons of B.
    for (int round = 0; round < 30; ++round) {
        const Pair p = tori(random);
        const PlacedBoxes a(p.a, p.world_from_a), b(p.b, p.world_from_b);
        PlacedBoxes::Box of_b, of_a;
        std::size_t want = b.polygons_meeting(a.all, of_b);
        const PlacedBoxes::Box left{max(of_b.min, a.all.min), min(of_b.max, a.all.max)};
        if (want > 0) want += a.polygons_meeting(left, of_a);
        // Boxes in the body frame have already removed some of these.
        const std::uint32_t collected = query_level(p, face_collect).count(kPolygons);
        EXPECT_LE(collected, want + 1);
        EXPECT_GE(collected, want * 3 / 4);
    }
}

/// Edges and inner diagonals: the corners of these quadrangles are rounded out of their planes.
std::size_t sides(const ShapePtr& s) {
    EXPECT_FALSE(s->classification().planar_polygons);
    return s->topology().edges.size() + s->topology().triangles.size() - s->topology().polygon_count();
}

TEST(EdgePolygonLevels, Z_3_2_pre_edge_obj_skips_edges_beyond_the_other_box) {
    Random random(2);
    std::uint64_t with_check = 0, without_check = 0;
    for (int round = 0; round < 12; ++round) {
        const Pair p = tori(random);
        const Answer with = query_level(p, object_box), without = query_level(p, no_checks);
        EXPECT_EQ(with.hits, without.hits);
        EXPECT_EQ(with.result.verdict, without.result.verdict);
        EXPECT_EQ(without.count(kEdges), sides(p.a) + sides(p.b));
        with_check += with.count(kEdges);
        without_check += without.count(kEdges);
    }
    EXPECT_LT(with_check, without_check * 3 / 4);
    // Counts triangles, so that there are no diagonals: edges that are beyond no side of the other's box.
    const ShapePtr flake = primitive(Primitive::tetra_flake, 256);
    for (int round = 0; round < 12; ++round) {
        Pair p = tori(random);
        p.a = p.b = flake;
        const PlacedBoxes a(p.a, p.world_from_a), b(p.b, p.world_from_b);
        const double want = static_cast<double>(a.edges_reaching(b.all) + b.edges_reaching(a.all));
        EXPECT_NEAR(query_level(p, object_box).count(kEdges), want, 1);
    }
}

TEST(EdgePolygonLevels, Z_3_2_pre_edge_face_is_the_largest_gain) {
    Random random(3);
    std::uint64_t with_check = 0, without_check = 0, boxes = 0;
    for (int round = 0; round < 12; ++round) {
        const Pair p = tori(random);
        const Answer with = query_level(p, face_box), without = query_level(p, object_box);
        EXPECT_EQ(with.hits, without.hits);
        EXPECT_EQ(with.count(kEdges), without.count(kEdges));
        with_check += with.count(kTests);
        without_check += without.count(kTests);
        boxes += with.count(kBoxes);
    }
    EXPECT_EQ(boxes, without_check) << "each skipped test costs one comparison of boxes";
    EXPECT_LT(10 * with_check, without_check);
}

TEST(EdgePolygonLevels, Z_3_2_none_no_polygon_in_the_box_ends_the_query) {
    // In the hole of the ring: the boxes overlap, but no polygon is in the ball's box.
    const ShapePtr ring = primitive(Primitive::torus, 300),
                   ball = primitive(Primitive::uv_sphere, 200, 0.15f);
    for (const Pair& p : {Pair{ball, ring, {}, {}}, Pair{ring, ball, {}, {}}}) {
        const Answer collected = query_level(p, face_collect), checked = query_level(p, face_box);
        EXPECT_EQ(collected.result.verdict, Verdict::separated);
        EXPECT_EQ(collected.count(kEdges), 0u);
        EXPECT_EQ(collected.count(kBoxes), 0u);
        EXPECT_GT(checked.count(kEdges), 0u);
        EXPECT_EQ(checked.result.verdict, Verdict::separated);
    }
    // No polygon of B: nothing of A is collected any longer.
    EXPECT_EQ(query_level({ball, ring, {}, {}}, face_collect).count(kPolygons), 0u);
}

std::size_t corners(const Pair& p) {
    return p.a->topology().origin.size() + p.b->topology().origin.size();
}

TEST(EdgePolygonLevels, Z_3_2_lazybox_boxes_and_planes_are_computed_on_demand_and_once) {
    Random random(4);
    for (int frame = 0; frame < 20; ++frame) {  // moving, far away: no vertex is transformed
        Pair p = tori(random);
        p.world_from_b.m[3] += 5;
        for (const Level level : {face_collect, face_box, object_box})
            EXPECT_EQ(query_level(p, level).count(kVertices), 0u);
    }
    // Boxes of bodies overlap, those of edges and polygons do not: computes each box once, no plane, no
    // triangle.
    const ShapePtr ring = primitive(Primitive::torus, 300), ball = primitive(Primitive::uv_sphere, 200, 0.3f);
    const Pair p{ring, ball, {}, {}};
    const std::size_t ends = 2 * (sides(ring) + sides(ball));
    const Answer apart = query_level(p, face_box);
    EXPECT_EQ(apart.count(kTests), 0u);
    EXPECT_LE(apart.count(kVertices), ends + corners(p));
    EXPECT_GT(apart.count(kBoxes), apart.count(kEdges) * 100);
    // An edge that no polygon passes needs no polygon box: for two cubes corner by corner one level
    // transforms only the ends of edges.
    const ShapePtr cube = primitive(Primitive::box, 6);
    const float side = 2 * cube->geometry().box.max.x;
    const Pair touching{cube, cube, {}, shifted(side, side, side)};
    EXPECT_EQ(query_level(touching, face_box).result.verdict, Verdict::colliding);
    EXPECT_LT(query_level(touching, face_box).count(kVertices),
              query_level(touching, no_checks).count(kVertices));
    // Planes: edges intersect a large polygon repeatedly, and it is transformed only for the first one.
    const Answer every = query_level(p, no_checks);
    const std::size_t all_tests =
        sides(ring) * ball->topology().polygon_count() + sides(ball) * ring->topology().polygon_count();
    EXPECT_EQ(every.count(kTests), all_tests);
    EXPECT_LT(every.count(kVertices), 2 * all_tests)
        << "separate tests would transform three or four vertices each";
}

/// Pairs of every kind near contact, with the exact answer.
template <class F>
void for_near_pairs(const PairAlgorithm& a, std::uint64_t seed, F&& f) {
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        const Pair p = tori(random);
        f(p, query_pair(row("edge_polygon"), p).verdict);
    }
    for (const Pair& p : random_pairs(300, seed))
        if (applies(a, p)) f(p, query_pair(row("edge_polygon"), p).verdict);
}

Verdict query_fast(const PairAlgorithm& a, const Pair& p) {
    const PreparedPair prepared = prepare(a, p);
    Scratch scratch;
    PairCache cache;
    PairQuery q = query_of(a, p, prepared, scratch);
    q.exactness = Exactness::fast;
    return run_query(a, q, cache).verdict;
}

TEST(EdgePolygonLevels, Z_3_2_1_precheckonly_never_reports_colliding_bodies_as_separated) {
    const PairAlgorithm& boxes = row("edge_polygon_boxes");
    EXPECT_EQ(boxes.bias, Bias::colliding);
    int apart = 0, assumed = 0, truly_apart = 0;
    for_near_pairs(boxes, 5, [&](const Pair& p, Verdict exact) {
        const Verdict verdict = query_pair(boxes, p).verdict;
        EXPECT_NE(verdict, Verdict::colliding) << "it cannot know";
        EXPECT_EQ(query_fast(boxes, p), verdict == Verdict::separated ? verdict : Verdict::colliding);
        if (verdict == Verdict::separated) {
            EXPECT_EQ(exact, Verdict::separated);
            ++apart;
        }
        truly_apart += exact == Verdict::separated ? 1 : 0;
        assumed += exact == Verdict::separated && verdict == Verdict::undecided ? 1 : 0;
    });
    EXPECT_GT(apart, truly_apart / 2);
    EXPECT_GT(assumed, 0) << "the omitted final test is what decides";
}

TEST(EdgePolygonLevels, Z_3_2_1_relaxed_never_invents_a_collision_and_misses_a_needle_in_a_cube) {
    const PairAlgorithm& relaxed = row("edge_polygon_relaxed");
    EXPECT_EQ(relaxed.bias, Bias::separated);
    EXPECT_EQ(relaxed.needs, Needs::closed);
    int found = 0, colliding = 0;
    for_near_pairs(relaxed, 6, [&](const Pair& p, Verdict exact) {
        const Verdict verdict = query_pair(relaxed, p).verdict;
        EXPECT_NE(verdict, Verdict::separated) << "it cannot know";
        if (verdict == Verdict::colliding) {
            EXPECT_EQ(exact, Verdict::colliding);
            ++found;
        }
        colliding += exact == Verdict::colliding ? 1 : 0;
    });
    EXPECT_GT(found, colliding / 2);
    const Pair through{primitive(Primitive::box, 6), needle(), {}, {}};
    EXPECT_EQ(query_pair(row("edge_polygon"), through).verdict, Verdict::colliding);
    EXPECT_EQ(query_pair(relaxed, through).verdict, Verdict::undecided);
    EXPECT_EQ(query_fast(relaxed, through), Verdict::separated);
    EXPECT_EQ(query_pair(relaxed, swapped(through)).verdict, Verdict::undecided);
}

/// The polygons with a corner in the box, and the box around them.
std::size_t incident(const Geometry& g, const Vec3f& shift, const Aabb& box, Aabb& around) {
    std::size_t count = 0;
    for (std::uint32_t p = 0; p < g.topology->polygon_count(); ++p) {
        bool any = false;
        Aabb own;
        for (const std::uint32_t v : g.topology->loop(p)) {
            const Vec3f x = g.positions[v] + shift;
            any |= overlap(Aabb{x, x}, box);
            own.add(x);
        }
        if (!any) continue;
        ++count;
        around.add(own);
    }
    return count;
}

TEST(EdgePolygonLevels, Z_3_2_1_relaxed_collects_the_polygons_around_every_vertex_in_the_box) {
    const ShapePtr ring = primitive(Primitive::torus, 300), ball = primitive(Primitive::uv_sphere, 200, 0.7f);
    const PairAlgorithm& relaxed = row("edge_polygon_relaxed");
    Random random(9);
    std::size_t some = 0;
    for (int round = 0; round < 30; ++round) {
        const Vec3f shift{0.137f * static_cast<float>(random.below(11)) - 0.71f, 0.31f, 0.173f};
        const Pair p{ball, ring, {}, shifted(shift.x, shift.y, shift.z)};
        Aabb around_b, around_a;
        std::size_t want = incident(ring->geometry(), shift, ball->geometry().box, around_b);
        const Aabb common_box{max(around_b.min, ball->geometry().box.min),
                              min(around_b.max, ball->geometry().box.max)};
        if (want > 0) want += incident(ball->geometry(), {}, common_box, around_a);
        const PairResult r = query_pair(relaxed, p);
        if (r.verdict == Verdict::colliding) {  // both were collected before the first edge was tested
            EXPECT_EQ(r.counters[kPolygons], want) << shift.x;
            ++some;
        }
    }
    EXPECT_GT(some, 5u);
}

TEST(EdgePolygonLevels, Z_3_2_1_relaxed_misses_few_collisions_with_a_dense_pot) {
    const ShapePtr pot = primitive(Primitive::torus, 10000),
                   finger = primitive(Primitive::uv_sphere, 200, 0.1f);
    Random random(7);
    int found = 0, colliding = 0;
    for (int round = 0; round < 60; ++round) {
        const Pose at{axis_angle(random.unit_vector(), 1), random.vector(0.5, 1.1)};
        const Pair p{pot, finger, {}, to_matrix(at)};
        const bool hit = query_pair(row("edge_polygon"), p).verdict == Verdict::colliding;
        colliding += hit ? 1 : 0;
        found += query_pair(row("edge_polygon_relaxed"), p).verdict == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(colliding, 15);
    EXPECT_GE(found * 20, colliding * 19);
}

TEST(EdgePolygonLevels, algorithms_without_parts_answer_completely_in_part_zero) {
    Random random(10);
    for (int round = 0; round < 40; ++round) {
        const Pair p = tori(random);
        for (const char* id : {"edge_polygon_boxes", "edge_polygon_relaxed"}) {
            const PairAlgorithm& a = row(id);
            ASSERT_FALSE(a.splittable);
            const PreparedPair prepared = prepare(a, p);
            Scratch scratch;
            PairCache cache;
            PairQuery q = query_of(a, p, prepared, scratch);
            const PairResult whole = run_query(a, q, cache);
            q.part_count = 3;
            const PairResult first = run_query(a, q, cache);
            EXPECT_EQ(first.verdict, whole.verdict) << id;
            EXPECT_EQ(first.counters, whole.counters) << id;
        }
    }
}

TEST(EdgePolygonPointTests, all_methods_agree_when_exact_and_nearly_agree_when_fast) {
    // Cylinders with caps of 16 corners and more against polygons of a sphere.
    const ShapePtr tin = primitive(Primitive::cylinder, 26),
                   ball = primitive(Primitive::uv_sphere, 120, 0.5f);
    const PairAlgorithm& a = row("edge_polygon");
    Random random(8);
    std::uint32_t wrong_fast = 0, colliding = 0, wrong_words = 0, queried = 0;
    for (int round = 0; round < 150; ++round) {
        Pair p{tin, ball, to_matrix(random_pose(random, 2)), {}};
        Pose b = random_pose(random, random.uniform(0.3, 1.6));
        b.translation += cast<double>(p.world_from_a.translation());
        p.world_from_b = to_matrix(b);
        const Verdict exact = query_pair(a, p).verdict;
        colliding += exact == Verdict::colliding ? 1 : 0;
        const PreparedPair prepared = prepare(a, p);
        for (int method = 1; method <= 5; ++method) {
            Scratch scratch;
            PairCache cache;
            PairQuery q = query_of(a, p, prepared, scratch);
            q.parameters[1] = method;
            const PairResult r = run_query(a, q, cache);
            EXPECT_EQ(r.verdict, exact) << method;
            EXPECT_TRUE(certify(q, r));
            wrong_words += r.counters[kWrong];
            q.exactness = Exactness::fast;
            const PairResult fast = run_query(a, q, cache);
            EXPECT_EQ(fast.rung, 1);
            wrong_fast += fast.verdict != exact ? 1 : 0;
            ++queried;
        }
    }
    EXPECT_GT(colliding, 30u);
    EXPECT_LT(colliding, 120u);
    EXPECT_LE(wrong_fast * 50, queried);
    EXPECT_LE(wrong_words * 50, queried);
}

TEST(EdgePolygonPointTests, a_deformed_cap_uses_the_tables_of_its_new_shape) {
    const ShapePtr tin = primitive(Primitive::cylinder, 82);
    std::uint32_t cap = 0;
    while (tin->topology().loop(cap).size() < PolygonTables::kManyVertices) ++cap;
    const PairAlgorithm& a = row("edge_polygon");
    auto before = a.prepare(*tin, tin->geometry());
    Geometry dented = tin->geometry();
    std::vector<std::uint32_t> touched;
    const std::uint32_t corner = tin->topology().loop(cap)[0];
    const VertexChange change{corner, dented.positions[corner] * 0.5f};
    ASSERT_TRUE(deform(dented, {&change, 1}, touched).ok());
    EXPECT_EQ(a.update(before, dented, {}), before) << "nothing in the tables changed";
    const auto after = a.update(before, dented, touched);
    EXPECT_NE(after, before) << "a cap lost a corner";
}

/// docs/explanation/mesh.md lists every reviewed method with its decision, one row each. Every name in it
/// exists.
TEST(Background, Z_2_bg_every_reviewed_method_has_a_decision_that_names_what_exists) {
    std::ifstream in(std::string(CLAYBOX_SOURCE_DIR) + "/docs/explanation/mesh.md");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t begin = text.find("Z-2-bg");
    ASSERT_NE(begin, std::string::npos);
    std::istringstream lines(text.substr(begin));
    int rows = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#")) break;
        if (!line.starts_with("| ") || line.starts_with("| method |")) continue;
        ++rows;
        const std::size_t last = line.rfind('|', line.size() - 2);
        const std::string where = line.substr(last);
        for (std::size_t at = where.find('`'); at != std::string::npos;) {
            const std::size_t end = where.find('`', at + 1);
            ASSERT_NE(end, std::string::npos) << line;
            const std::string id = where.substr(at + 1, end - at - 1);
            const bool file = std::ifstream(std::string(CLAYBOX_SOURCE_DIR "/collision/") + id).good();
            EXPECT_TRUE(file || find_pair_algorithm(id) != nullptr)
                << id << " in docs/explanation/mesh.md is neither a pair algorithm nor a file of collision/";
            at = where.find('`', end + 1);
        }
    }
    EXPECT_EQ(rows, 14);
}

}  // namespace
}  // namespace claybox::test
