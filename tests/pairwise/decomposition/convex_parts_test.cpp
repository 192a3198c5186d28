// Convex parts: the thesis' 3.7.2 on non-convex solids, compared with surface tests and containment.

#include "bench/streams/voxel_solids.hpp"
#include "collision/core/random.hpp"
#include "collision/pairwise/decomposition/convex_decomposition.hpp"
#include "tests/pairwise/pairs.hpp"

#include <cmath>
#include <cstdio>
#include <set>

namespace claybox::test {
namespace {

using namespace claybox::streams;

const PairAlgorithm& parts_algorithm() {
    return *find_pair_algorithm("convex_parts");
}

enum Counter : std::size_t { kPartsA, kPartsB, kBoxTests, kOuterPairs, kInnerPairs, kOpenPairs, kSurfaces };

std::size_t index_of(const char* id) {
    return find_parameter(parts_algorithm().parameters, id);
}

/// The answer of surface tests and containment.
Verdict truth(const Pair& p) {
    return query_pair(*find_pair_algorithm("edge_polygon"), p, kWantSolid).verdict;
}

PairResult query_with(const Pair& p, std::size_t parameter, double value) {
    PreparedPair prepared = prepare(parts_algorithm(), p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    PairQuery q = query_of(parts_algorithm(), p, prepared, scratch);
    q.parameters[parameter] = value;
    return run_query(parts_algorithm(), q, cache);
}

Pair at(const ShapePtr& a, const ShapePtr& b, const Vec3f& shift) {
    Pair p{a, b, {}, {}};
    for (std::size_t k = 0; k < 3; ++k) p.world_from_b.m[4 * k + 3] = shift[k];
    return p;
}

std::vector<ShapePtr> solids() {
    return {voxel_shape(l_shape(), "l_shape"),
            voxel_shape(chair(), "chair"),
            voxel_shape(ring(), "ring"),
            voxel_shape(hollow_cube(), "hollow_cube"),
            make_primitive_shape(Primitive::torus, 128, 2, 1).value(),
            make_primitive_shape(Primitive::tetra_flake, 64, 2, 1).value(),
            make_primitive_shape(Primitive::uv_sphere, 40, 1.5f, 1).value()};
}

/// Pairs of all solids, shifted until they are within about 10^-exponent of first contact.
struct NearPair {
    Pair pair;
    double beyond;  ///< distance beyond first contact, metres
};

std::vector<NearPair> near_pairs(std::size_t count, std::uint64_t seed) {
    const std::vector<ShapePtr> shapes = solids();
    Random random(seed);
    std::vector<NearPair> out;
    while (out.size() < count) {
        Pair p;
        p.a = shapes[random.below(shapes.size())];
        p.b = shapes[random.below(shapes.size())];
        p.world_from_a = to_matrix(random_pose(random, 1));
        p.world_from_b = to_matrix(random_pose(random, 1));
        const Vec3d way = random.unit_vector();
        const auto shifted = [&](double by) {
            Pair q = p;
            for (std::size_t k = 0; k < 3; ++k)
                q.world_from_b.m[4 * k + 3] += static_cast<float>(by * way[k]);
            return q;
        };
        double low = 0, high = 20;
        for (int i = 0; i < 24; ++i) {
            const double middle = 0.5 * (low + high);
            (truth(shifted(middle)) == Verdict::colliding ? low : high) = middle;
        }
        const double beyond = std::pow(10.0, random.uniform(-7, 0)) * (random.below(2) == 0 ? 1 : -1);
        out.push_back({shifted(low + beyond), std::abs(beyond)});
    }
    return out;
}

TEST(ConvexParts, Z_3_7_2_decomp_agrees_with_surfaces_and_containment_near_contact) {
    std::uint32_t colliding = 0, open = 0, clear = 0, open_clear = 0;
    const std::vector<NearPair> pairs = near_pairs(300, 31);
    for (const auto& [p, beyond] : pairs) {
        const Verdict right = truth(p);
        colliding += right == Verdict::colliding ? 1 : 0;
        for (const Pair& way : {p, swapped(p)}) {
            const PairResult r = query_pair(parts_algorithm(), way);
            EXPECT_EQ(r.verdict, right) << p.a->name() << " " << p.b->name();
            EXPECT_EQ(r.status, QueryStatus::done);
            open += r.counters[kOpenPairs] > 0 ? 1 : 0;
            if (beyond < 1e-3) continue;
            ++clear;
            open_clear += r.counters[kOpenPairs] > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(colliding, pairs.size() / 4);
    EXPECT_LT(colliding, pairs.size() * 3 / 4);
    std::printf("%zu pairs, %u colliding; the surfaces decided %u of %zu answers, %u of %u beyond 1 mm\n",
                pairs.size(), colliding, open, 2 * pairs.size(), open_clear, clear);
    EXPECT_LE(open_clear, clear / 50) << "parts decide most pairs, not the surfaces";
}

TEST(ConvexParts, Z_3_7_2_decomp_queries_all_pairs_of_parts_with_overlapping_boxes) {
    const ShapePtr l = voxel_shape(l_shape()), c = voxel_shape(chair());
    const Pair apart = at(l, c, {1.25f, 1.25f, 0.25f});  // a leg of the chair in the corner of the L
    ASSERT_EQ(truth(apart), Verdict::separated);
    const PairResult all = query_with(apart, index_of("box_check"), 0);
    EXPECT_EQ(all.verdict, Verdict::separated);
    EXPECT_EQ(all.counters[kPartsA], 2u);
    EXPECT_EQ(all.counters[kPartsB], 6u);
    EXPECT_EQ(all.counters[kOuterPairs], 2u * 6u) << "all c^2 pairs";
    const PairResult checked = query_with(apart, index_of("box_check"), 1);
    EXPECT_EQ(checked.verdict, Verdict::separated);
    EXPECT_LT(checked.counters[kOuterPairs], 4u);
    EXPECT_EQ(checked.counters[kSurfaces], 0u);
    EXPECT_LT(checked.rung, 3u);
}

/// Number of overlapping boxes of part pairs of upright bodies, and of B's parts whose box overlaps that of
/// A.
std::pair<std::uint32_t, std::uint32_t> overlapping_boxes(const Pair& p) {
    const auto parts = [](const ShapePtr& s) { return decompose(s->geometry(), s->classification()).parts; };
    const auto of_a = parts(p.a), of_b = parts(p.b);
    const auto box = [](const ConvexPart& part, const Matrix34f& m) {
        return transform_aabb(m, part.outer->geometry().box);
    };
    std::uint32_t pairs = 0, beside_a = 0;
    for (const ConvexPart& b : of_b) {
        if (!overlap(box(b, p.world_from_b), transform_aabb(p.world_from_a, p.a->geometry().box))) continue;
        ++beside_a;
        for (const ConvexPart& a : of_a)
            pairs += overlap(box(a, p.world_from_a), box(b, p.world_from_b)) ? 1 : 0;
    }
    return {pairs, beside_a};
}

TEST(ConvexParts, Z_3_7_2_decomp_box_checks_skip_exactly_the_separate_boxes) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 300, 1, 1).value();
    const ShapePtr thin = make_primitive_shape(Primitive::uv_sphere, 40, 0.05f, 1).value();
    const ShapePtr c = voxel_shape(chair()), l = voxel_shape(l_shape());
    int queried = 0;
    for (const Pair& p : {at(torus, torus, {2.05f, 0.1f, 0}), at(l, c, {1.25f, 1.25f, 0.25f}),
                          at(c, l, {-1.25f, -1.25f, -0.25f}), at(torus, thin, {0.02f, 0, 0.01f})}) {
        const PairResult r = query_pair(parts_algorithm(), p);
        if (r.verdict == Verdict::colliding) continue;  // ends early
        ++queried;
        const auto [pairs, beside_a] = overlapping_boxes(p);
        EXPECT_EQ(r.counters[kOuterPairs], pairs);
        EXPECT_EQ(r.counters[kBoxTests], r.counters[kPartsB] + beside_a * r.counters[kPartsA]);
        EXPECT_LT(pairs, r.counters[kPartsA] * r.counters[kPartsB]);
    }
    EXPECT_GE(queried, 3);
}

TEST(ConvexParts, Z_3_7_2_decomp_the_selected_algorithm_answers) {
    // Two convex bodies are one pair of parts; the result equals the algorithm's own, including its steps.
    const Parameter& parameter = parts_algorithm().parameters[index_of("algorithm")];
    std::set<std::uint32_t> steps;
    for (const Pair& p : random_pairs(12, 34)) {
        if (!applies(parts_algorithm(), p)) continue;
        for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
            const PairAlgorithm& convex = *find_pair_algorithm(parameter.choices[i]);
            if (!applies(convex, p)) continue;
            const PairResult r = query_with(p, index_of("algorithm"), static_cast<double>(i));
            if (convex.id != std::string("best")) {
                EXPECT_EQ(r.iterations, query_pair(convex, p).iterations) << convex.id;
            }
            steps.insert(r.iterations);
        }
    }
    EXPECT_GT(steps.size(), 5u);
}

TEST(ConvexParts, Z_3_7_2_decomp_open_cases_are_decided_by_the_surfaces) {
    // The apex of a thin tetrahedron at a random point of a body with dents from rounding, at most a tenth of
    // a micrometre in front of or behind it. Outer hulls cover dents; inner hulls do not reach them.
    PolygonList list;
    list.positions = {{0, 0, 0}, {0.01f, 0, 0.2f}, {-0.01f, 0.01f, 0.2f}, {-0.01f, -0.01f, 0.2f}};
    for (const auto& f : {std::array{0u, 2u, 1u}, {0u, 3u, 2u}, {0u, 1u, 3u}, {1u, 2u, 3u}})
        list.add_polygon(f);
    const ShapePtr thorn = Shape::from_polygons(list).value();
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 300, 1, 1).value();
    const Geometry& g = torus->geometry();
    Random random(35);
    std::uint32_t open = 0, open_colliding = 0;
    for (int i = 0; i < 300; ++i) {
        const Triangle& t = g.topology->triangles[random.below(g.topology->triangles.size())];
        const Vec3d u = cast<double>(g.positions[t.vertices[0]]),
                    v = cast<double>(g.positions[t.vertices[1]]),
                    w = cast<double>(g.positions[t.vertices[2]]);
        const double s = random.uniform(), r = random.uniform(0, 1 - s);
        const Vec3d out = normalized(cross(v - u, w - u));
        const Vec3d at_surface = u + s * (v - u) + r * (w - u) + random.uniform(-1e-7, 1e-7) * out;
        const Vec3d z{0, 0, 1}, turn = cross(z, out);
        Pose pose{axis_angle(normalized(turn), std::atan2(length(turn), dot(z, out))), at_surface};
        const Pair p{torus, thorn, {}, to_matrix(pose)};
        const PairResult answer = query_pair(parts_algorithm(), p);
        EXPECT_EQ(answer.verdict, truth(p)) << i;
        if (answer.counters[kOpenPairs] == 0) continue;
        ++open;
        open_colliding += answer.verdict == Verdict::colliding ? 1 : 0;
        EXPECT_GT(answer.counters[kSurfaces], 0u);
        EXPECT_EQ(answer.rung, 3);
    }
    std::printf("%u left open, %u of them colliding\n", open, open_colliding);
    EXPECT_GT(open_colliding, 0u);
    EXPECT_GT(open, open_colliding);
}

TEST(ConvexParts, every_named_algorithm_decides_the_parts) {
    const Parameter& parameter = parts_algorithm().parameters[index_of("algorithm")];
    std::set<std::string> named(parameter.choices.begin(), parameter.choices.end()), exact;
    for (const PairAlgorithm* a : pair_algorithms())
        if (a->exact && a->needs == Needs::convex) exact.insert(a->id);
    EXPECT_TRUE(std::includes(exact.begin(), exact.end(), named.begin(), named.end()));
    for (const auto& [p, beyond] : near_pairs(25, 32)) {
        const Verdict right = truth(p);
        for (std::size_t i = 0; i < parameter.choices.size(); ++i)
            EXPECT_EQ(query_with(p, index_of("algorithm"), static_cast<double>(i)).verdict, right)
                << parameter.choices[i] << " " << beyond;
    }
}

TEST(ConvexParts, touching_solids_collide_and_solids_one_float_apart_do_not) {
    const ShapePtr l = voxel_shape(l_shape()), u = voxel_shape(u_shape());
    const float above_one = std::nextafter(1.0f, 2.0f), above_three = std::nextafter(3.0f, 4.0f);
    EXPECT_EQ(query_pair(parts_algorithm(), at(l, l, {1, 1, 0})).verdict, Verdict::colliding)
        << "side against side";
    EXPECT_EQ(query_pair(parts_algorithm(), at(l, l, {above_one, above_one, 0})).verdict, Verdict::separated);
    EXPECT_EQ(query_pair(parts_algorithm(), at(l, l, {3, 0, 0})).verdict, Verdict::colliding);
    EXPECT_EQ(query_pair(parts_algorithm(), at(l, l, {above_three, 0, 0})).verdict, Verdict::separated);
    EXPECT_EQ(query_pair(parts_algorithm(), at(u, u, {1, 1, 0})).verdict, Verdict::colliding)
        << "one leg fills the gap";
    EXPECT_EQ(query_pair(parts_algorithm(), at(l, l, {3, 1, 1})).verdict, Verdict::colliding)
        << "corner against corner";
}

TEST(ConvexParts, bodies_in_a_cavity_are_separated_and_bodies_in_the_material_collide) {
    const ShapePtr hollow = voxel_shape(hollow_cube());
    PolygonList list = surface_of(block({0, 0, 0}, {1, 1, 1}));
    for (Vec3f& p : list.positions) p = p * 0.5f;
    const ShapePtr cube = Shape::from_polygons(list).value();
    EXPECT_EQ(query_pair(parts_algorithm(), at(hollow, cube, {1.5f, 1.5f, 1.5f})).verdict,
              Verdict::separated);
    EXPECT_EQ(query_pair(parts_algorithm(), at(hollow, cube, {0.25f, 1.5f, 1.5f})).verdict,
              Verdict::colliding);
    EXPECT_EQ(query_pair(parts_algorithm(), at(hollow, cube, {1, 1.5f, 1.5f})).verdict, Verdict::colliding)
        << "touches";
    const PairResult inside = query_pair(parts_algorithm(), at(cube, hollow, {-0.25f, -1.5f, -1.5f}));
    EXPECT_EQ(inside.verdict, Verdict::colliding);
    EXPECT_EQ(inside.meaning, Meaning::solid);
}

TEST(ConvexParts, flat_mirrored_and_sheared_matrices_are_answered_correctly) {
    Random random(33);
    const std::vector<ShapePtr> shapes = solids();
    for (int i = 0; i < 120; ++i) {
        const ShapePtr b = shapes[random.below(shapes.size())], a = shapes[random.below(shapes.size())];
        Pair p = at(a, b, {});
        for (Matrix34f* m : {&p.world_from_a, &p.world_from_b})
            for (std::size_t k = 0; k < 12; ++k)
                m->m[k] = static_cast<float>(random.uniform(-1, 1)) * (k % 4 == 3 ? 4.0f : 1.0f);
        if (i % 3 == 0)  // onto a plane, or onto a line
            for (std::size_t k = 0; k < (i % 2 == 0 ? 4u : 8u); ++k) p.world_from_b.m[k] = 0;
        EXPECT_EQ(query_pair(parts_algorithm(), p).verdict, truth(p)) << i;
    }
}

TEST(ConvexParts, Z_3_7_2_decomp_requires_closed_undeformed_bodies) {
    PolygonList open = surface_of(l_shape());
    open.begin.pop_back();
    open.indices.resize(open.begin.back());
    const ShapePtr l = voxel_shape(l_shape());
    EXPECT_EQ(query_pair(parts_algorithm(), at(Shape::from_polygons(open).value(), l, {})).status,
              QueryStatus::not_applicable);

    const Pair p = at(l, l, {});
    PreparedPair prepared = prepare(parts_algorithm(), p);
    Geometry changed = l->geometry();
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(changed, std::array<VertexChange, 1>{{{0, {-0.5f, -0.5f, -0.5f}}}}, touched).ok());
    Scratch scratch;
    PairCache cache;
    PairQuery q = query_of(parts_algorithm(), p, prepared, scratch);
    q.b.geometry = &changed;
    EXPECT_EQ(run_query(parts_algorithm(), q, cache).status, QueryStatus::not_applicable);
    const auto refused = parts_algorithm().prepare(*l, changed);
    q.b.prepared = refused.get();
    EXPECT_EQ(run_query(parts_algorithm(), q, cache).status, QueryStatus::not_applicable);
    EXPECT_EQ(run_query(parts_algorithm(), q, cache).verdict, Verdict::undecided);
}

TEST(ConvexParts, parts_are_traced_and_the_last_colliding_pair_is_tested_first) {
    struct Shown final : Trace {
        std::set<std::string> labels;
        int iterations = 0;
        void begin_iteration(int) override { ++iterations; }
        void space(TraceSpace) override {}
        void point(const Vec3d&, const char* label) override { labels.insert(label); }
        void segment(const Vec3d&, const Vec3d&, const char* label) override { labels.insert(label); }
        void plane(const Vec3d&, double, const Vec3d&, const char* label) override { labels.insert(label); }
        void value(const char* label, double) override { labels.insert(label); }
    };
    const ShapePtr c = voxel_shape(chair());
    const Pair p = at(c, c, {0.5f, 0.25f, 0.125f});
    PreparedPair prepared = prepare(parts_algorithm(), p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    const PairQuery q = query_of(parts_algorithm(), p, prepared, scratch);
    Shown shown;
    const PairResult cold = run_query(parts_algorithm(), q, cache, &shown);
    EXPECT_EQ(cold.verdict, Verdict::colliding);
    EXPECT_GT(shown.iterations, 0);
    EXPECT_TRUE(shown.labels.contains("part of A") && shown.labels.contains("part of B"));
    const PairResult warm = run_query(parts_algorithm(), q, cache);
    EXPECT_EQ(warm.counters[kOuterPairs], 1u);
    EXPECT_EQ(warm.counters[kBoxTests], 1u);
    EXPECT_TRUE(certify(q, cold));
    EXPECT_TRUE(certify(q, warm));
}

}  // namespace
}  // namespace claybox::test
