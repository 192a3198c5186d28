// Small parts of the module: contact points, prepared data, merging of vertex changes.
#include "collision/module/exchange/moved_list.hpp"
#include "collision/module/pass/contact_point.hpp"
#include "collision/module/state/prepared_store.hpp"
#include "tests/module/support.hpp"

namespace claybox::collision {
namespace {

using namespace test;

PairBody placed(const Pose& pose) {
    return {cube().get(), &cube()->geometry(), nullptr, to_matrix(pose)};
}

std::uint32_t hull_vertex(const Vec3f& p) {
    const ConvexHull& hull = *cube()->hull();
    std::uint32_t v = 0;
    while (!(hull.vertex(v) == p)) ++v;
    return v;
}

TEST(ContactPoint, of_a_surrounded_origin_is_inside_both_bodies) {
    // Cubes that overlap by 0.5 along x.
    const PairBody a = placed(at(0)), b = placed(at(1.5));
    const Aabb box_a = a.geometry->box, box_b{{0.5f, -1, -1}, {2.5f, 1, 1}};
    Certificate certificate;
    certificate.kind = CertificateKind::surrounded_origin;
    certificate.pair_count = 4;
    const Vec3f of_a[] = {{1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}};
    const Vec3f of_b[] = {{-1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, 1, 1}};
    for (int i = 0; i < 4; ++i) {
        certificate.pairs[i][0] = hull_vertex(of_a[i]);
        certificate.pairs[i][1] = hull_vertex(of_b[i]);
    }
    const Vec3f p = contact_point(a, b, certificate, box_a, box_b);
    EXPECT_TRUE(is_finite(p));
    EXPECT_GE(p.x, 0.5f - 1e-5f);
    EXPECT_LE(p.x, 1.0f + 1e-5f);
    EXPECT_LE(std::abs(p.y), 1.0f);
    EXPECT_LE(std::abs(p.z), 1.0f);
}

TEST(ContactPoint, is_finite_for_degenerate_sets_of_pairs) {
    const PairBody a = placed(at(0)), b = placed(at(2));
    Certificate certificate;
    certificate.kind = CertificateKind::surrounded_origin;
    for (std::uint8_t count = 1; count <= 4; ++count) {
        certificate.pair_count = count;
        for (auto& pair : certificate.pairs) {
            pair[0] = hull_vertex({1, 1, 1});
            pair[1] = hull_vertex({-1, 1, 1});
        }
        const Vec3f p = contact_point(a, b, certificate, a.geometry->box, b.geometry->box);
        EXPECT_EQ(p, (Vec3f{1, 1, 1})) << int{count};
    }
}

TEST(ContactPoint, without_a_certificate_is_the_centre_of_the_overlap_of_the_boxes) {
    const PairBody a = placed(at(0)), b = placed(at(1));
    EXPECT_EQ(contact_point(a, b, {}, {{-1, -1, -1}, {1, 1, 1}}, {{0, 0, -1}, {2, 2, 1}}),
              (Vec3f{0.5f, 0.5f, 0}));
}

TEST(PreparedStore, prepares_once_per_shape_and_algorithm_and_removes_data_of_destroyed_shapes) {
    prepare_calls = 0;
    PreparedStore store;
    const auto first = store.get(balls(), cube());
    EXPECT_EQ(store.get(balls(), cube()), first);
    EXPECT_EQ(prepare_calls.load(), 1);
    EXPECT_NE(store.get(other_balls(), cube()), first);
    for (int i = 0; i < 1000; ++i) {
        PolygonList list;
        list.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        list.add_polygon(std::array<std::uint32_t, 3>{0, 1, 2});
        (void)store.get(balls(), Shape::from_polygons(list).value());
    }
    store.forget_dead_shapes();
    EXPECT_EQ(prepare_calls.load(), 1002);  // a reused address does not return old data
    EXPECT_EQ(store.get(balls(), cube()), first);
    EXPECT_LT(store.memory_bytes(balls()), 500u);
    EXPECT_GT(store.memory_bytes(other_balls()), sizeof(BallPrepared));
}

TEST(ChangeMerger, keeps_the_newest_change_of_each_vertex) {
    ChangeMerger merger;
    std::vector<VertexChange> changes{
        {5, {1, 0, 0}}, {2, {2, 0, 0}}, {5, {3, 0, 0}}, {7, {4, 0, 0}}, {2, {5, 0, 0}}};
    merger.keep_newest(changes);
    ASSERT_EQ(changes.size(), 3u);
    EXPECT_EQ(changes[0].vertex, 5u);
    EXPECT_EQ(changes[0].position.x, 3);
    EXPECT_EQ(changes[2].vertex, 2u);
    EXPECT_EQ(changes[2].position.x, 5);
    merger.keep_newest(changes);
    EXPECT_EQ(changes.size(), 3u);
}

}  // namespace
}  // namespace claybox::collision
