// Monte-Carlo for closed bodies: no false positive, fewer misses with more points, a miss rate that matches
// the volumes, and vertices in random order.

#include "collision/core/random.hpp"
#include "tests/pairwise/truth_pairs.hpp"

#include <cmath>
#include <cstdio>

namespace claybox::test {
namespace {

enum Parameters : std::size_t { kPoints, kVertices, kVertexLimit, kKeepPoint };
enum Counters : std::size_t { kPointsTested, kVerticesTested, kDismissed, kByVertex = 6, kByPoint = 7 };
constexpr double kNone = 0, kRandomOrder = 1, kListed = 2;

const PairAlgorithm& random_points() {
    return *find_pair_algorithm("random_points");
}

struct Result {
    PairResult result;
    bool certified = false;
};

Result query_points(const Pair& p, double points, double vertices, std::uint64_t seed,
                    Exactness exactness = Exactness::exact) {
    static Scratch scratch;
    const PreparedPair prepared;
    PairQuery q = query_of(random_points(), p, prepared, scratch);
    q.parameters[kPoints] = points;
    q.parameters[kVertices] = vertices;
    q.parameters[kVertexLimit] = 1e6;
    q.seed = seed;
    q.exactness = exactness;
    PairCache cache;
    Result out;
    out.result = run_query(random_points(), q, cache);
    out.certified = certify(q, out.result);
    return out;
}

/// Closed meshes, most of them non-convex, that overlap or nearly do.
std::vector<Pair> mesh_pairs(std::size_t count, std::uint64_t seed, double reach) {
    std::vector<ShapePtr> shapes;
    for (const auto& [kind, target_count] :
         {std::pair{Primitive::torus, 200u}, std::pair{Primitive::tetra_flake, 200u},
          std::pair{Primitive::hyperboloid, 100u}, std::pair{Primitive::uv_sphere, 100u},
          std::pair{Primitive::box, 6u}})
        shapes.push_back(make_primitive_shape(kind, target_count, 1.0f, 3).value());
    Random random(seed);
    std::vector<Pair> out;
    for (std::size_t i = 0; i < count; ++i) {
        const Pose a = random_pose(random, 3.0);
        Pose b = random_pose(random, random.uniform(0.2, reach));
        b.translation += a.translation;
        out.push_back({shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], to_matrix(a),
                       to_matrix(b)});
    }
    return out;
}

bool collide(const Pair& p) {
    return query_pair(*find_pair_algorithm("edge_polygon"), p, kWantSolid).verdict == Verdict::colliding;
}

TEST(RandomPoints, Z_3_5_rand_has_no_false_positive_and_proves_every_collision) {
    int found = 0, missed = 0, apart = 0;
    const auto expect = [&](const Pair& p, bool truth, const std::string& name) {
        for (const double vertices : {kNone, kRandomOrder}) {
            const auto [r, certified] = query_points(p, 100, vertices, 5);
            if (r.verdict != Verdict::undecided) {
                EXPECT_EQ(r.verdict == Verdict::colliding, truth) << name;
                EXPECT_TRUE(certified) << name;
            }
            found += r.verdict == Verdict::colliding ? 1 : 0;
            apart += r.verdict == Verdict::separated ? 1 : 0;
            missed += truth && r.verdict == Verdict::undecided ? 1 : 0;
        }
    };
    for (const TruthPair& t : mesh_truth())
        if (applies(random_points(), t.pair)) expect(t.pair, *t.solid, t.id);
    for (const Pair& p : mesh_pairs(150, 1, 2.0)) expect(p, collide(p), "random pair");
    std::printf("%d found, %d missed, %d apart by their boxes\n", found, missed, apart);
    EXPECT_GT(found, 200);
    EXPECT_GT(apart, 5);
}

TEST(RandomPoints, Z_3_5_rand_more_points_miss_fewer_collisions) {
    std::vector<Pair> colliding;
    for (const Pair& p : mesh_pairs(250, 2, 1.8))
        if (collide(p)) colliding.push_back(p);
    ASSERT_GT(colliding.size(), 100u);
    std::vector<std::size_t> missed;
    for (const double points : {1.0, 10.0, 100.0, 1000.0}) {
        missed.push_back(0);
        for (std::size_t i = 0; i < colliding.size(); ++i)
            missed.back() +=
                query_points(colliding[i], points, kNone, i).result.verdict != Verdict::colliding ? 1 : 0;
    }
    std::printf("of %zu missed: %zu with 1 point, %zu with 10, %zu with 100, %zu with 1000\n",
                colliding.size(), missed[0], missed[1], missed[2], missed[3]);
    for (std::size_t i = 1; i < missed.size(); ++i) EXPECT_LT(missed[i], missed[i - 1]);
    EXPECT_GT(missed[0], colliding.size() / 2);
    EXPECT_LT(missed[3], colliding.size() / 4);
}

TEST(RandomPoints, Z_3_5_rand_is_biased_to_separated_and_reports_that_only_when_fast) {
    const Pair p = mesh_pairs(1, 3, 0.5)[0];
    ASSERT_TRUE(collide(p));
    EXPECT_EQ(random_points().bias, Bias::separated);
    EXPECT_EQ(query_points(p, 0, kNone, 1).result.verdict, Verdict::undecided);
    const PairResult fast = query_points(p, 0, kNone, 1, Exactness::fast).result;
    EXPECT_EQ(fast.verdict, Verdict::separated);
    EXPECT_EQ(fast.rung, 1);
}

/// Two cubes rotated by 45 degrees about z, the second moved along x by `shift`. Their sections are squares
/// of half-diagonal 1. They share a square whose side is shorter by shift / sqrt(2), in a box of (2 - shift)
/// by 2: the ratio is (2 - shift) / 4.
Pair turned_cubes(double shift) {
    PolygonList list;  // the diamond is modelled directly, so that its corners are floats
    const Vec3f corner[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    for (const float z : {-1.0f, 1.0f})
        for (const Vec3f& c : corner) list.positions.push_back({c.x, c.y, z});
    list.add_polygon(std::array<std::uint32_t, 4>{3, 2, 1, 0});
    list.add_polygon(std::array<std::uint32_t, 4>{4, 5, 6, 7});
    for (std::uint32_t i = 0; i < 4; ++i)
        list.add_polygon(std::array<std::uint32_t, 4>{i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i});
    const ShapePtr shape = Shape::from_polygons(list).value();
    Pair p{shape, shape, {}, {}};
    p.world_from_b.m[3] = static_cast<float>(shift);
    return p;
}

TEST(RandomPoints, Z_3_5_error_miss_rate_is_one_minus_the_volume_ratio_to_the_power_of_points) {
    constexpr int kRuns = 10000;
    for (const auto& [shift, points] : {std::pair{0.0, 1}, std::pair{0.0, 4}, std::pair{1.0, 1},
                                        std::pair{1.0, 5}, std::pair{1.75, 10}, std::pair{1.75, 40}}) {
        const Pair p = turned_cubes(shift);
        int missed = 0;
        for (int seed = 0; seed < kRuns; ++seed)
            missed += query_points(p, points, kNone, static_cast<std::uint64_t>(seed)).result.verdict !=
                              Verdict::colliding
                          ? 1
                          : 0;
        const double expected = std::pow(1 - (2 - shift) / 4, points);
        const double deviation = std::sqrt(expected * (1 - expected) / kRuns);
        const double measured = static_cast<double>(missed) / kRuns;
        std::printf("shift %.2f, %d points: %.4f missed, %.4f expected\n", shift, points, measured, expected);
        EXPECT_NEAR(measured, expected, 4 * deviation + 1e-3);
    }
}

/// Total number of vertices tested until one is found inside.
std::uint64_t vertices_until_found(const std::vector<Pair>& pairs, double order, std::uint64_t seed,
                                   std::size_t& found) {
    std::uint64_t sum = 0;
    for (const Pair& p : pairs) {
        const PairResult r = query_points(p, 0, order, seed).result;
        if (r.verdict != Verdict::colliding) continue;
        EXPECT_EQ(r.counters[kByVertex], 1u);
        EXPECT_EQ(r.certificate.kind, CertificateKind::contained);
        sum += r.counters[kVerticesTested];
        ++found;
    }
    return sum;
}

TEST(RandomPoints, Z_3_5_vert_random_order_finds_an_inner_vertex_earlier_than_listed_order) {
    // A small sphere that overlaps a large one from one side; its vertices are listed from pole to pole.
    const ShapePtr large = make_primitive_shape(Primitive::uv_sphere, 1000, 1.0f, 1).value();
    Random random(9);
    std::vector<Pair> pairs;
    for (int i = 0; i < 60; ++i) {
        const Pose a = random_pose(random, 2.0);
        Pose b = random_pose(random, 1.5);
        b.translation += a.translation;
        pairs.push_back({large, large, to_matrix(a), to_matrix(b)});
    }
    std::size_t found_random = 0, found_listed = 0, found_other = 0;
    const std::uint64_t random_order = vertices_until_found(pairs, kRandomOrder, 1, found_random);
    const std::uint64_t listed = vertices_until_found(pairs, kListed, 1, found_listed);
    const std::uint64_t other = vertices_until_found(pairs, kRandomOrder, 2, found_other);
    std::printf("vertices until found: %.1f in random order, %.1f as listed\n",
                static_cast<double>(random_order) / static_cast<double>(found_random),
                static_cast<double>(listed) / static_cast<double>(found_listed));
    EXPECT_EQ(found_random, found_listed) << "the same set of vertices: a permutation";
    EXPECT_GT(found_random, 50u);
    EXPECT_LT(2 * random_order, listed);
    EXPECT_NE(random_order, other) << "seeded";
    std::size_t again = 0;
    EXPECT_EQ(vertices_until_found(pairs, kRandomOrder, 1, again), random_order) << "and repeatable";
}

/// Many small tetrahedra along x, and a box that contains one corner of one of them.
Pair one_inner_vertex_among_many() {
    PolygonList many, box;
    constexpr int kCount = 100;
    for (int i = 0; i < kCount; ++i) {
        const auto first = static_cast<std::uint32_t>(many.positions.size());
        const auto x = static_cast<float>(i);
        for (const Vec3f& v : {Vec3f{x, 0, 0}, {x + 0.5f, 0, 0}, {x, 0.5f, 0}, {x, 0, 0.5f}})
            many.positions.push_back(v);
        for (const auto& t : {std::array{0u, 2u, 1u}, {0u, 1u, 3u}, {1u, 2u, 3u}, {2u, 0u, 3u}})
            many.add_polygon(std::array{first + t[0], first + t[1], first + t[2]});
    }
    for (int i = 0; i < 8; ++i)
        box.positions.push_back(
            {37 + (i & 1 ? 0.01f : -0.01f), i & 2 ? 0.01f : -0.01f, i & 4 ? 0.6f : 0.495f});
    for (const std::array<std::uint32_t, 4>& q : std::array<std::array<std::uint32_t, 4>, 6>{
             {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}})
        box.add_polygon(q);
    return {Shape::from_polygons(many).value(), Shape::from_polygons(box).value(), {}, {}};
}

TEST(RandomPoints, Z_3_5_vert_every_vertex_of_both_bodies_is_tested) {
    const Pair p = one_inner_vertex_among_many();
    std::uint64_t sum = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        for (const Pair& pair : {p, swapped(p)}) {
            const PairResult r = query_points(pair, 0, kRandomOrder, seed).result;
            ASSERT_EQ(r.verdict, Verdict::colliding) << seed;
            EXPECT_EQ(r.counters[kByVertex], 1u);
            sum += r.counters[kVerticesTested];
        }
    EXPECT_NEAR(static_cast<double>(sum) / 80, 208, 60) << "half of 400, and 8 of the box";
}

TEST(RandomPoints, Z_3_5_1_pip_a_point_with_a_singular_ray_is_discarded_and_replaced) {
    // Every point drawn in a box without height lies in the plane of a face: all rays are singular.
    Pair p = turned_cubes(0);
    p.world_from_b.m[11] = 2;  // the top of one is the bottom of the other
    const PairResult r = query_points(p, 20, kNone, 1).result;
    EXPECT_EQ(r.verdict, Verdict::undecided);
    EXPECT_GT(r.counters[kDismissed], 20u);
    EXPECT_EQ(r.counters[kPointsTested], 20u);
    EXPECT_EQ(r.iterations, r.counters[kDismissed] + (20 - r.counters[kDismissed] / 8));
    // A body without volume has singular rays only, and none is counted.
    Pair flat = turned_cubes(0);
    flat.world_from_b.m[10] = 0;
    const PairResult f = query_points(flat, 20, kRandomOrder, 1).result;
    EXPECT_EQ(f.verdict, Verdict::undecided);
    EXPECT_EQ(f.counters[kByPoint] + f.counters[kByVertex], 0u);
}

TEST(RandomPoints, the_last_common_point_is_tested_first) {
    Pair p = turned_cubes(1.5);
    Scratch scratch;
    PairQuery q = query_of(random_points(), p, {}, scratch);
    q.parameters[kVertices] = kNone;
    PairCache cache;
    ASSERT_EQ(run_query(random_points(), q, cache).verdict, Verdict::colliding);
    q.parameters[kPoints] = 0;
    for (float shift = 0; shift < 0.01f; shift += 0.001f) {  // both move, the second slightly faster
        q.a.world_from_body.m[7] += 0.5f;
        q.b.world_from_body.m[7] += 0.5f + 0x1p-12f;
        const PairResult r = run_query(random_points(), q, cache);
        ASSERT_EQ(r.verdict, Verdict::colliding);
        EXPECT_EQ(r.iterations, 1u);
        EXPECT_TRUE(certify(q, r));
    }
}

}  // namespace
}  // namespace claybox::test
