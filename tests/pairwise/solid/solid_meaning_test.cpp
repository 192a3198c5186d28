// kWantSolid: every algorithm that decides surfaces then answers about solids, by testing containment.

#include "collision/exact/contained.hpp"
#include "tests/pairwise/counting_new.hpp"
#include "tests/pairwise/truth_pairs.hpp"

#include <cstdio>

namespace claybox::test {
namespace {

std::vector<const PairAlgorithm*> surface_algorithms() {
    std::vector<const PairAlgorithm*> out;
    for (const PairAlgorithm* algorithm : pair_algorithms())
        if (algorithm->meaning == Meaning::surface && algorithm->exact) out.push_back(algorithm);
    return out;
}

class SolidMeaning : public testing::TestWithParam<const PairAlgorithm*> {
  protected:
    const PairAlgorithm& algorithm() const { return *GetParam(); }
    PairResult solid(const Pair& p) {
        prepared_ = prepare(algorithm(), p);
        query_ = query_of(algorithm(), p, prepared_, scratch_);
        query_.wants = kWantSolid;
        PairCache cache;
        cache.set_pool(prepared_.pool);
        return run_query(algorithm(), query_, cache);
    }
    /// Queries the pair and checks the certificate.
    Verdict checked(const Pair& p) {
        const PairResult r = solid(p);
        EXPECT_EQ(r.status, QueryStatus::done);
        EXPECT_EQ(r.meaning, Meaning::solid);
        EXPECT_TRUE(certify(query_, r));
        PairResult other = r;
        other.verdict = r.verdict == Verdict::colliding ? Verdict::separated : Verdict::colliding;
        EXPECT_FALSE(certify(query_, other));
        return r.verdict;
    }

    Scratch scratch_;
    PreparedPair prepared_;
    PairQuery query_;
};

INSTANTIATE_TEST_SUITE_P(all, SolidMeaning, testing::ValuesIn(surface_algorithms()),
                         [](const auto& row) { return std::string(row.param->id); });

TEST_P(SolidMeaning, agrees_with_the_ground_truth_of_solids_in_both_orders) {
    int inside = 0, queried = 0;
    for (const TruthPair& t : mesh_truth()) {
        if (!applies(algorithm(), t.pair)) continue;
        const Verdict want = *t.solid ? Verdict::colliding : Verdict::separated;
        EXPECT_EQ(checked(t.pair), want) << t.id << " " << t.kind;
        EXPECT_EQ(checked(swapped(t.pair)), want) << t.id << " " << t.kind;
        inside += *t.solid && !*t.surface ? 1 : 0;
        ++queried;
    }
    EXPECT_GE(inside, 15) << "pairs that only the containment test finds";
    EXPECT_GT(queried, 400);
}

TEST_P(SolidMeaning, agrees_with_the_ground_truth_of_convex_solids) {
    int inside = 0, queried = 0;
    for (const TruthPair& t : convex_truth()) {
        const Pair& p = t.pair;
        if (p.a->topology().polygon_count() + p.b->topology().polygon_count() > 1000) continue;  // run time
        const PairResult r = solid(p);
        EXPECT_EQ(r.verdict, *t.solid ? Verdict::colliding : Verdict::separated) << t.id << " " << t.kind;
        inside += r.certificate.kind == CertificateKind::contained ? 1 : 0;
        ++queried;
    }
    EXPECT_GT(inside, 50);
    EXPECT_GT(queried, 2500);
}

/// Several boxes as one mesh.
ShapePtr boxes(const std::vector<std::pair<Vec3f, float>>& all) {
    PolygonList list;
    for (const auto& [centre, half] : all) {
        const auto base = static_cast<std::uint32_t>(list.positions.size());
        for (int i = 0; i < 8; ++i)
            list.positions.push_back(centre +
                                     Vec3f{i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
        for (const std::array<std::uint32_t, 4>& loop : std::array<std::array<std::uint32_t, 4>, 6>{
                 {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}}) {
            std::array<std::uint32_t, 4> at{};
            for (std::size_t k = 0; k < 4; ++k) at[k] = base + loop[k];
            list.add_polygon(at);
        }
    }
    return Shape::from_polygons(list).value();
}

TEST_P(SolidMeaning, one_component_inside_collides_and_a_cavity_is_outside) {
    const ShapePtr far_and_near = boxes({{Vec3f{9, 0, 0}, 0.5f}, {Vec3f{0, 0, 0}, 0.5f}});
    const ShapePtr hollow = boxes({{Vec3f{}, 4.0f}, {Vec3f{}, 2.0f}}), full = boxes({{Vec3f{}, 4.0f}});
    EXPECT_EQ(checked({far_and_near, full, {}, {}}), Verdict::colliding);
    EXPECT_EQ(checked({full, far_and_near, {}, {}}), Verdict::colliding);
    EXPECT_EQ(checked({far_and_near, hollow, {}, {}}), Verdict::separated);
    Matrix34f in_the_wall;
    in_the_wall.m[3] = 3;
    EXPECT_EQ(checked({far_and_near, hollow, in_the_wall, {}}), Verdict::colliding);
}

TEST_P(SolidMeaning, open_mesh_has_no_inside_but_may_be_inside_a_closed_one) {
    PolygonList list;
    list.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    list.add_polygon(std::array<std::uint32_t, 3>{0, 1, 2});
    const ShapePtr sheet = Shape::from_polygons(list).value(), full = boxes({{Vec3f{}, 4.0f}});
    EXPECT_EQ(checked({sheet, full, {}, {}}), Verdict::colliding);
    PolygonList lidless = make_primitive(Primitive::box, 6, 0);
    lidless.indices.resize(lidless.begin[lidless.begin.size() - 2]);
    lidless.begin.pop_back();
    const ShapePtr open = Shape::from_polygons(lidless).value(), small = boxes({{Vec3f{}, 0.05f}});
    ASSERT_FALSE(has_inside(open->classification()));
    EXPECT_EQ(checked({small, open, {}, {}}), Verdict::separated);
}

TEST_P(SolidMeaning, without_the_request_a_body_inside_another_is_separated) {
    const Pair p{boxes({{Vec3f{}, 1.0f}}), boxes({{Vec3f{}, 4.0f}}), {}, {}};
    const PairResult r = query_pair(algorithm(), p);
    EXPECT_EQ(r.verdict, Verdict::separated);
    EXPECT_EQ(r.meaning, Meaning::surface);
}

TEST_P(SolidMeaning, parts_of_a_split_query_together_find_the_collision) {
    const Pair p{boxes({{Vec3f{}, 1.0f}}), boxes({{Vec3f{}, 4.0f}}), {}, {}};
    solid(p);
    query_.part_count = 3;
    int colliding = 0;
    for (query_.part = 0; query_.part < 3; ++query_.part) {
        PairCache cache;
        cache.set_pool(prepared_.pool);
        const PairResult r = run_query(algorithm(), query_, cache);
        EXPECT_EQ(r.meaning, Meaning::solid);
        colliding += r.verdict == Verdict::colliding ? 1 : 0;
    }
    EXPECT_EQ(colliding, 1);
}

TEST_P(SolidMeaning, containment_in_a_large_mesh_allocates_nothing) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 100000, 1.0f, 1).value();
    Pair p{boxes({{Vec3f{}, 0.01f}}), torus, {}, {}};
    p.world_from_a.m[3] = 0.7f;  // inside the tube
    p.world_from_b = to_matrix(Pose{axis_angle({0.3, 0.8, 0.52}, 0.001), {}});
    const PairResult first = solid(p);
    PairCache cache;
    cache.set_pool(prepared_.pool);
    run_query(algorithm(), query_, cache);
    const std::size_t before = allocations_of_this_thread();
    const PairResult r = run_query(algorithm(), query_, cache);
    EXPECT_EQ(allocations_of_this_thread(), before);
    EXPECT_EQ(r.verdict, first.verdict);
    std::printf("inside the tube: %d\n", r.verdict == Verdict::colliding ? 1 : 0);
    EXPECT_EQ(r.certificate.kind, CertificateKind::contained);
}

}  // namespace
}  // namespace claybox::test
