// Distance, closest points and margin of meshes, for every algorithm for arbitrary polygons that offers them.

#include "tests/pairwise/counting_new.hpp"
#include "tests/pairwise/truth_pairs.hpp"

#include <cmath>
#include <cstdio>

namespace claybox::test {
namespace {

std::vector<const PairAlgorithm*> rows() {
    std::vector<const PairAlgorithm*> out;
    for (const PairAlgorithm* a : pair_algorithms())
        if (a->meaning == Meaning::surface && (a->gives & kWantDistance) != 0) out.push_back(a);
    return out;
}

class MeshMeasure : public testing::TestWithParam<const PairAlgorithm*> {};
INSTANTIATE_TEST_SUITE_P(all, MeshMeasure, testing::ValuesIn(rows()),
                         [](const auto& row) { return std::string(row.param->id); });

PairResult query_with(const PairAlgorithm& algorithm, const Pair& p, float margin, Wants wants) {
    PreparedPair prepared = prepare(algorithm, p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    q.wants = wants;
    q.margin = margin;
    return run_query(algorithm, q, cache);
}

TEST(MeshMeasure, the_default_for_meshes_offers_the_distance) {
    ASSERT_FALSE(rows().empty());
    EXPECT_STREQ(rows()[0]->id, "mesh_bvh");
}

TEST_P(MeshMeasure, distance_matches_the_truth_within_a_millionth) {
    std::uint32_t queried = 0;
    double worst = 0;
    for (const TruthPair& t : mesh_truth()) {
        if (!t.surface.has_value() || *t.surface) continue;
        for (const bool swap : {false, true}) {
            const PairResult r = query_pair(*GetParam(), swap ? swapped(t.pair) : t.pair, kWantDistance);
            ASSERT_EQ(r.verdict, Verdict::separated) << t.id;
            EXPECT_NEAR(r.distance, t.distance, 1e-6 * t.distance) << t.id;
            // Points are doubles in the world frame, so their difference cannot show a gap far below their
            // size.
            EXPECT_NEAR(length(r.closest_b_w - r.closest_a_w), t.distance,
                        1e-6 * t.distance + 1e-15 * t.coordinates)
                << t.id;
            worst = std::max(worst, std::abs(r.distance - t.distance) / t.distance);
            ++queried;
        }
    }
    EXPECT_GE(queried, 2 * 190u);
    std::printf("%u distances, worst relative error %.2g\n", queried, worst);
}

TEST_P(MeshMeasure, bodies_within_the_margin_collide) {
    std::uint32_t number = 0;
    for (const TruthPair& t : mesh_truth()) {
        if (!t.surface.has_value() || *t.surface || ++number % 4 != 0) continue;
        const auto under = static_cast<float>(t.distance * 0.9999),
                   above = static_cast<float>(t.distance * 1.0001);
        for (const Wants wants : {kWantVerdict, kWantDistance}) {
            const PairResult apart = query_with(*GetParam(), t.pair, under, wants);
            EXPECT_EQ(apart.verdict, Verdict::separated) << t.id;
            if (wants == kWantDistance) {
                EXPECT_NEAR(apart.distance, t.distance, 1e-6 * t.distance) << t.id;
            }
            const PairResult near = query_with(*GetParam(), t.pair, above, wants);
            EXPECT_EQ(near.verdict, Verdict::colliding) << t.id;
            EXPECT_EQ(near.certificate.kind, CertificateKind::none);
        }
    }
}

TEST_P(MeshMeasure, a_warm_cache_gives_the_same_distance_without_allocation) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 2000, 1, 1).value();
    const ShapePtr flake = make_primitive_shape(Primitive::tetra_flake, 1000, 1, 1).value();
    Pair p{torus, flake, {}, {}};
    PreparedPair prepared = prepare(*GetParam(), p);
    Scratch scratch;
    PairCache warm;
    warm.set_pool(prepared.pool);
    std::size_t allocated = 0;
    for (int frame = 0; frame < 40; ++frame) {
        const double turn = 0.02 * frame;
        p.world_from_b = to_matrix({axis_angle({0, 1, 0}, turn), {2.1 + 0.2 * std::cos(turn), 0.1, turn}});
        PairQuery q = query_of(*GetParam(), p, prepared, scratch);
        q.wants = kWantDistance;
        const std::size_t before = allocations_of_this_thread();
        const PairResult r = run_query(*GetParam(), q, warm);
        if (frame > 0) allocated += allocations_of_this_thread() - before;
        ASSERT_EQ(r.verdict, Verdict::separated);
        EXPECT_EQ(r.distance, query_pair(*GetParam(), p, kWantDistance).distance) << frame;
    }
    EXPECT_EQ(allocated, 0u);
}

TEST_P(MeshMeasure, distance_follows_a_deformation) {
    const ShapePtr ball = make_primitive_shape(Primitive::uv_sphere, 800, 1, 1).value();
    const Pair p{ball, ball, {}, to_matrix({{}, {3, 0, 0}})};
    const PairAlgorithm& algorithm = *GetParam();
    Geometry dented = ball->geometry();
    auto prepared_a = algorithm.prepare(*ball, dented);
    const PreparedPair prepared = prepare(algorithm, p);
    std::vector<VertexChange> changes;
    for (std::uint32_t v = 0; v < dented.positions.size(); ++v)
        if (dented.positions[v].x > 0.8f) changes.push_back({v, dented.positions[v] + Vec3f{0.5f, 0, 0}});
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(dented, changes, touched));
    prepared_a = algorithm.update(std::move(prepared_a), dented, touched);
    Scratch scratch;
    PairCache cache;
    std::vector<std::byte> pool = prepared.pool;
    cache.set_pool(pool);
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    q.a.geometry = &dented;
    q.a.prepared = prepared_a.get();
    q.wants = kWantDistance;
    const PairResult r = run_query(algorithm, q, cache);
    float right = -2, left = 2;
    for (const Vec3f& v : dented.positions) right = std::max(right, v.x);
    for (const Vec3f& v : ball->geometry().positions) left = std::min(left, v.x);
    EXPECT_NEAR(r.distance, 3.0 + static_cast<double>(left) - static_cast<double>(right), 0.02);
    EXPECT_LT(r.distance, 0.6);
}

}  // namespace
}  // namespace claybox::test
