#include "collision/pairwise/contacts.hpp"

#include "tests/pairwise/counting_new.hpp"
#include "tests/pairwise/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace claybox::test {
namespace {

ShapePtr primitive(Primitive kind, std::uint32_t target_count, float radius) {
    return make_primitive_shape(kind, target_count, radius, 7).value();
}

/// A box with square faces as polygons: `half` extents around the origin.
ShapePtr box(float x, float y, float z) {
    PolygonList mesh;
    for (int i = 0; i < 8; ++i)
        mesh.positions.push_back({(i & 1) != 0 ? x : -x, (i & 2) != 0 ? y : -y, (i & 4) != 0 ? z : -z});
    const std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& f : faces) mesh.add_polygon(f);
    return Shape::from_polygons(mesh).value();
}

Matrix34f at(float x, float y, float z) {
    Matrix34f m;
    m.m[3] = x;
    m.m[7] = y;
    m.m[11] = z;
    return m;
}

/// Queries all hits and computes the contacts.
struct Result {
    std::vector<Hit> hits;
    std::vector<Contact> contacts;
    std::vector<std::uint32_t> contact_of_hit;
};

Result contacts_of(const Pair& p) {
    static Scratch scratch;
    const PairAlgorithm& algorithm = *find_pair_algorithm("edge_polygon");
    const PreparedPair prepared = prepare(algorithm, p);
    std::vector<Hit> storage(100000);
    HitSink sink{storage};
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    q.wants = kWantAllHits;
    q.hits = &sink;
    PairCache cache;
    EXPECT_EQ(run_query(algorithm, q, cache).status, QueryStatus::done);
    Result out;
    out.hits.assign(sink.hits().begin(), sink.hits().end());
    out.contacts.resize(out.hits.size());
    out.contact_of_hit.resize(out.hits.size());
    out.contacts.resize(find_contacts(q, sink.hits(), out.contacts, out.contact_of_hit));
    EXPECT_EQ(scratch.used(), 0u);
    return out;
}

void expect_near(const Vec3d& got, const Vec3d& want, double tolerance) {
    EXPECT_LE(length(got - want), tolerance) << got.x << " " << got.y << " " << got.z;
}

TEST(Contacts, box_slightly_inside_a_larger_one) {
    const ShapePtr table = box(2, 0.5f, 2), cube = box(0.5f, 0.5f, 0.5f);
    const Result result = contacts_of({table, cube, {}, at(0.25f, 0.9375f, 0)});
    ASSERT_EQ(result.contacts.size(), 1u);
    const Contact& c = result.contacts[0];
    expect_near(c.normal_w, {0, 1, 0}, 1e-12);
    expect_near(c.point_w, {0.25, 0.5, 0}, 1e-6);
    EXPECT_NEAR(c.depth, 0.0625, 1e-6);
    EXPECT_EQ(c.hit_count, result.hits.size());
    ASSERT_EQ(c.point_count, 4u);
    double area = 0;
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(c.points_w[i].y, 0.5, 1e-6);
    const auto corner = [&](std::size_t i) { return cast<double>(c.points_w[i]); };
    area = 0.5 * length(cross(corner(1) - corner(0), corner(2) - corner(0))) +
           0.5 * length(cross(corner(1) - corner(0), corner(3) - corner(0)));
    EXPECT_NEAR(area, 1, 1e-6) << "the four corners of the cube's base";
    // The top of the table and one of the four sides of the cube.
    EXPECT_EQ(polygon_normal(table->geometry(), c.polygon_a), (Vec3f{0, 1, 0}));
    EXPECT_EQ(polygon_normal(cube->geometry(), c.polygon_b).y, 0);
}

TEST(Contacts, touching_faces_have_their_normal_and_zero_depth) {
    const ShapePtr table = box(2, 0.5f, 2), cube = box(0.5f, 0.5f, 0.5f);
    const Result result = contacts_of({table, cube, {}, at(0.25f, 1, 0)});
    ASSERT_EQ(result.contacts.size(), 1u);
    expect_near(result.contacts[0].normal_w, {0, 1, 0}, 1e-12);
    EXPECT_NEAR(result.contacts[0].depth, 0, 1e-12);
}

TEST(Contacts, touching_edges_have_zero_depth_however_the_faces_are_cut_into_triangles) {
    const ShapePtr cube = box(0.5f, 0.5f, 0.5f);
    PolygonList cut;
    cut.positions = cube->geometry().positions;
    for (const Triangle& t : cube->topology().triangles) cut.add_polygon(t.vertices);
    const ShapePtr triangles = Shape::from_polygons(cut).value();
    for (const ShapePtr& a : {cube, triangles}) {
        for (const ShapePtr& b : {cube, triangles}) {
            for (const Matrix34f& place : {at(1, 1, 0), at(1, 1, 0.25f), at(1, 1, 1), at(1, 1, 1.5f)}) {
                for (const Contact& c : contacts_of({a, b, {}, place}).contacts) EXPECT_EQ(c.depth, 0);
            }
        }
    }
}

TEST(Contacts, a_rod_that_passes_through_cuts_nothing_off_and_has_zero_depth) {
    const Result result = contacts_of({box(1, 1, 1), box(3, 0.25f, 0.25f), {}, {}});
    ASSERT_EQ(result.contacts.size(), 2u);
    for (const Contact& c : result.contacts) EXPECT_NEAR(c.depth, 0, 1e-12);
}

TEST(Contacts, after_a_move_by_the_depth_a_plane_across_the_normal_separates) {
    const ShapePtr cube = box(0.5f, 0.5f, 0.5f);
    for (const Matrix34f& place : {at(0.9f, 0.1f, 0.05f), at(0.99f, 0.2f, 0.1f), at(0.5f, 0.5f, 0.75f)}) {
        const Result result = contacts_of({cube, cube, {}, place});
        ASSERT_EQ(result.contacts.size(), 1u);
        const Vec3d move = (result.contacts[0].depth + 1e-5) * result.contacts[0].normal_w;
        Matrix34f after = place;
        for (std::size_t row = 0; row < 3; ++row) after.m[4 * row + 3] += static_cast<float>(move[row]);
        EXPECT_TRUE(contacts_of({cube, cube, {}, after}).hits.empty());
    }
}

TEST(Contacts, vertex_on_a_face_has_the_normal_of_the_face) {
    const ShapePtr table = box(2, 0.5f, 2), thorn = primitive(Primitive::tetrahedron, 4, 1);
    std::uint32_t lowest = 0;
    const auto& points = thorn->geometry().positions;
    for (std::uint32_t v = 1; v < points.size(); ++v)
        if (points[v].y < points[lowest].y) lowest = v;
    // If a face lies flat, several vertices are lowest: then the face touches, with the same normal.
    const Result result = contacts_of({table, thorn, {}, at(0, 0.5f - points[lowest].y, 0)});
    ASSERT_EQ(result.contacts.size(), 1u);
    expect_near(result.contacts[0].normal_w, {0, 1, 0}, 1e-12);
}

TEST(Contacts, two_legs_make_two_contacts) {
    PolygonList u;  // a beam on two legs: its outline in x and y
    const Vec3f outline[] = {{-2, 0, 0}, {-1, 0, 0}, {-1, 1, 0}, {1, 1, 0},
                             {1, 0, 0},  {2, 0, 0},  {2, 2, 0},  {-2, 2, 0}};
    for (const float z : {0.5f, -0.5f})
        for (const Vec3f& p : outline) u.positions.push_back({p.x, p.y, z});
    u.add_polygon(std::array<std::uint32_t, 8>{0, 1, 2, 3, 4, 5, 6, 7});
    u.add_polygon(std::array<std::uint32_t, 8>{15, 14, 13, 12, 11, 10, 9, 8});
    for (std::uint32_t i = 0; i < 8; ++i)
        u.add_polygon(std::array<std::uint32_t, 4>{i, i + 8, (i + 1) % 8 + 8, (i + 1) % 8});
    const ShapePtr bench = Shape::from_polygons(u).value();
    const Result result = contacts_of({box(4, 0.5f, 4), bench, {}, at(0, 0.4375f, 0)});
    ASSERT_EQ(result.contacts.size(), 2u);
    double x = 0;
    for (const Contact& c : result.contacts) {
        expect_near(c.normal_w, {0, 1, 0}, 1e-12);
        EXPECT_NEAR(std::abs(c.point_w.x), 1.5, 1e-6);
        EXPECT_NEAR(c.depth, 0.0625, 1e-6);
        x += c.point_w.x;
    }
    EXPECT_NEAR(x, 0, 1e-6);
    for (std::size_t h = 0; h < result.hits.size(); ++h)
        EXPECT_GT(result.hits[h].point_w.x * result.contacts[result.contact_of_hit[h]].point_w.x, 0);
}

TEST(Contacts, contact_of_two_balls_lies_between_them) {
    const ShapePtr ball = primitive(Primitive::uv_sphere, 2000, 1);
    Random random(5);
    for (int i = 0; i < 20; ++i) {
        const Vec3d direction = random.unit_vector();
        const double apart = random.uniform(1.5, 1.95);
        const Pose pose{random_rotation(random, 0, 3), apart * direction};
        const Result result = contacts_of({ball, ball, {}, to_matrix(pose)});
        ASSERT_EQ(result.contacts.size(), 1u);
        expect_near(result.contacts[0].normal_w, direction, 0.02);
        expect_near(result.contacts[0].point_w, 0.5 * apart * direction, 0.02);
        EXPECT_NEAR(result.contacts[0].depth, 2 - apart, 0.02);
    }
}

std::vector<ShapePtr> meshes() {
    return {primitive(Primitive::torus, 800, 1),       primitive(Primitive::tetra_flake, 500, 1),
            primitive(Primitive::hyperboloid, 300, 1), primitive(Primitive::uv_sphere, 300, 0.4f),
            primitive(Primitive::cylinder, 60, 0.7f),  box(0.6f, 0.5f, 0.4f)};
}

std::vector<Pair> mesh_pairs(std::size_t count, std::uint64_t seed) {
    const std::vector<ShapePtr> shapes = meshes();
    Random random(seed);
    std::vector<Pair> out;
    while (out.size() < count) {
        const Pose a = random_pose(random, 3);
        Pose b = random_pose(random, random.uniform(0.2, 1.6));
        b.translation += a.translation;
        const Pair p{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], to_matrix(a),
                     to_matrix(b)};
        if (query_pair(*find_pair_algorithm("edge_polygon"), p).verdict == Verdict::colliding)
            out.push_back(p);
    }
    return out;
}

TEST(Contacts, every_hit_has_a_contact_and_all_values_are_finite) {
    std::size_t several = 0;
    for (const Pair& p : mesh_pairs(60, 11)) {
        const Result result = contacts_of(p);
        ASSERT_FALSE(result.contacts.empty());
        std::vector<std::uint32_t> count(result.contacts.size());
        for (const std::uint32_t c : result.contact_of_hit) ++count.at(c);
        for (std::size_t i = 0; i < result.contacts.size(); ++i) {
            const Contact& c = result.contacts[i];
            EXPECT_EQ(c.hit_count, count[i]);
            EXPECT_TRUE(is_finite(c.point_w) && std::isfinite(c.depth) && c.depth >= 0);
            EXPECT_NEAR(length(c.normal_w), 1, 1e-12);
            EXPECT_GE(c.point_count, 1u);
            EXPECT_LT(c.polygon_a, p.a->topology().polygon_count());
            EXPECT_LT(c.polygon_b, p.b->topology().polygon_count());
        }
        several += result.contacts.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(several, 5u);
}

TEST(Contacts, swapping_the_bodies_reverses_the_normal) {
    for (const Pair& p : mesh_pairs(40, 12)) {
        const Result result = contacts_of(p), back = contacts_of(swapped(p));
        ASSERT_EQ(result.contacts.size(), back.contacts.size());
        for (const Contact& c : result.contacts) {
            const auto same = std::find_if(back.contacts.begin(), back.contacts.end(), [&](const Contact& o) {
                return o.hit_count == c.hit_count && length(o.point_w - c.point_w) < 1e-4;
            });
            ASSERT_NE(same, back.contacts.end());
            expect_near(same->normal_w, -c.normal_w, 1e-3);
            EXPECT_NEAR(same->depth, c.depth, 1e-3);
        }
    }
}

/// How far the hits of a contact and the inner vertices of one convex body extend along a direction.
double brute_extent(const Pair& p, bool of_b, std::span<const Hit> hits, const Vec3d& along) {
    const Shape &body = of_b ? *p.b : *p.a, &other = of_b ? *p.a : *p.b;
    const Matrix34d world = to_double(of_b ? p.world_from_b : p.world_from_a),
                    other_world = to_double(of_b ? p.world_from_a : p.world_from_b);
    double out = -HUGE_VAL;
    for (const Hit& h : hits) out = std::max(out, dot(along, cast<double>(h.point_w)));
    for (const Vec3f& position : body.geometry().positions) {
        const Vec3d v = transform_point(world, position);
        bool inside = true;
        for (std::uint32_t f = 0; inside && f < other.topology().polygon_count(); ++f) {
            const Vec3d on =
                transform_point(other_world, other.geometry().positions[other.topology().loop(f)[0]]);
            inside = dot(transform_vector(other_world, polygon_normal(other.geometry(), f)), v - on) < 0;
        }
        if (inside) out = std::max(out, dot(along, v));
    }
    return out;
}

TEST(Contacts, depth_of_convex_bodies_matches_the_parts_cut_off_and_the_normal_separates) {
    const std::vector<ShapePtr> shapes{primitive(Primitive::uv_sphere, 300, 0.7f), box(0.6f, 0.5f, 0.4f),
                                       primitive(Primitive::cylinder, 60, 0.7f),
                                       primitive(Primitive::cone, 40, 0.8f)};
    Random random(13);
    int queried = 0, out = 0;
    while (queried < 200) {
        const Pose a = random_pose(random, 3);
        Pose b = random_pose(random, random.uniform(0.3, 1.4));
        b.translation += a.translation;
        Pair p{shapes[random.below(shapes.size())], shapes[random.below(shapes.size())], to_matrix(a),
               to_matrix(b)};
        const Result result = contacts_of(p);
        if (result.contacts.size() != 1) continue;  // apart, or one penetrates through the other
        ++queried;
        const Contact& c = result.contacts[0];
        const double want =
            brute_extent(p, false, result.hits, c.normal_w) + brute_extent(p, true, result.hits, -c.normal_w);
        EXPECT_NEAR(c.depth, want, 1e-5) << queried;
        const Vec3d direction = (c.depth + 1e-5) * c.normal_w;
        for (std::size_t k = 0; k < 3; ++k) p.world_from_b.m[4 * k + 3] += static_cast<float>(direction[k]);
        out += query_pair(*find_pair_algorithm("gjk"), p).verdict == Verdict::separated ? 1 : 0;
    }
    EXPECT_GT(out, 180) << "other places of the bodies may still collide";
}

TEST(Contacts, normals_of_a_mirrored_body_point_outward) {
    const ShapePtr cube = box(0.5f, 0.5f, 0.5f);
    Matrix34f mirrored = at(0.25f, 0.9375f, 0);
    mirrored.m[0] = -1;
    const Result result = contacts_of({box(2, 0.5f, 2), cube, {}, mirrored});
    ASSERT_EQ(result.contacts.size(), 1u);
    expect_near(result.contacts[0].normal_w, {0, 1, 0}, 1e-12);
    EXPECT_NEAR(result.contacts[0].depth, 0.0625, 1e-6);
}

TEST(Contacts, contacts_of_broken_surfaces_are_finite) {
    Random random(14);
    for (int round = 0; round < 60; ++round) {
        PolygonList soup;
        for (int i = 0; i < 30; ++i)
            soup.positions.push_back({static_cast<float>(random.below(5)),
                                      static_cast<float>(random.below(5)),
                                      static_cast<float>(random.below(5))});
        for (int i = 0; i < 20; ++i) {
            std::vector<std::uint32_t> loop(3 + random.below(3));
            for (std::uint32_t& v : loop) v = static_cast<std::uint32_t>(random.below(30));
            soup.add_polygon(loop);
        }
        const auto shape = Shape::from_polygons(soup);
        if (!shape.ok()) continue;
        Matrix34f flat = at(1, 1, 1);
        if (round % 3 == 0) flat.m[5] = 0;
        const float scale = std::ldexp(1.0f, round % 2 == 0 ? 40 : -40);
        for (float& x : flat.m) x *= scale;
        Matrix34f other;
        for (float& x : other.m) x *= scale;
        const Result result = contacts_of({shape.value(), shape.value(), other, flat});
        for (const Contact& c : result.contacts) {
            EXPECT_TRUE(is_finite(c.point_w) && std::isfinite(c.depth));
            EXPECT_NEAR(length(c.normal_w), 1, 1e-12);
        }
    }
}

TEST(Contacts, repeated_queries_do_not_allocate) {
    const Pair p = mesh_pairs(1, 15)[0];
    const PairAlgorithm& algorithm = *find_pair_algorithm("edge_polygon");
    Scratch scratch;
    std::vector<Hit> storage(100000);
    HitSink sink{storage};
    PairQuery q = make_pair_query(*p.a, p.world_from_a, *p.b, p.world_from_b, scratch);
    q.parameters = default_values(algorithm.parameters);
    q.wants = kWantAllHits;
    q.hits = &sink;
    PairCache cache;
    run_query(algorithm, q, cache);
    std::vector<Contact> out(100);
    find_contacts(q, sink.hits(), out);
    const std::size_t before = allocations_of_this_thread();
    for (int i = 0; i < 5; ++i) find_contacts(q, sink.hits(), out);
    EXPECT_EQ(allocations_of_this_thread(), before);
}

}  // namespace
}  // namespace claybox::test
