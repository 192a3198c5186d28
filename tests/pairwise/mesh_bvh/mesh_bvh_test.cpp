// mesh_bvh, compared with the plain test of all edges and polygons, on pairs of every kind.

#include "tests/pairwise/pairs.hpp"

#include <cmath>

namespace claybox::test {
namespace {

const PairAlgorithm& ours() {
    return *find_pair_algorithm("mesh_bvh");
}
const PairAlgorithm& plain() {
    return *find_pair_algorithm("edge_polygon");
}

struct Answer {
    PairResult result;
    std::vector<Hit> hits;
};

Answer answer(const PairAlgorithm& algorithm, const Pair& p, Wants wants) {
    PreparedPair prepared = prepare(algorithm, p);
    Scratch scratch;
    PairCache cache;
    cache.set_pool(prepared.pool);
    std::vector<Hit> storage(1 << 16);
    HitSink sink(storage);
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    q.wants = wants;
    q.hits = &sink;
    Answer out{run_query(algorithm, q, cache), {}};
    out.hits.assign(sink.hits().begin(), sink.hits().end());
    return out;
}

std::vector<ShapePtr> meshes() {
    std::vector<ShapePtr> out;
    for (const auto& [kind, target_count] : {std::pair{Primitive::torus, 200u},
                                             {Primitive::torus, 900u},
                                             {Primitive::tetra_flake, 300u},
                                             {Primitive::uv_sphere, 150u},
                                             {Primitive::cylinder, 60u},
                                             {Primitive::hyperboloid, 200u}})
        out.push_back(make_primitive_shape(kind, target_count, 1, 3).value());
    Random random(17);
    PolygonList soup;  // open, self-intersecting, with polygons without area
    for (int i = 0; i < 60; ++i) {
        std::uint32_t loop[4];
        const Vec3f middle = cast<float>(0.6 * random.unit_vector());
        for (std::uint32_t& v : loop) {
            v = static_cast<std::uint32_t>(soup.positions.size());
            soup.positions.push_back(middle + cast<float>(0.3 * random.unit_vector()));
        }
        if (i % 7 == 0) soup.positions[loop[2]] = soup.positions[loop[1]];
        soup.add_polygon(loop);
    }
    out.push_back(Shape::from_polygons(soup).value());
    return out;
}

/// Multiplies the linear part by a matrix of one of several kinds.
Matrix34f bent_matrix(Matrix34f m, int kind, Random& random) {
    float k[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (kind == 1) k[1] = 0.7f, k[5] = -0.4f;                          // sheared
    if (kind == 2) k[0] = -1;                                          // mirrored
    if (kind == 3) k[0] = k[4] = k[8] = 0.25f;                         // small
    if (kind == 4) k[8] = 0;                                           // flat
    if (kind == 5) k[8] = 1e-6f;                                       // nearly flat
    if (kind == 6) k[4] = static_cast<float>(random.uniform(0.2, 3));  // stretched
    Matrix34f out = m;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
            out.m[4 * r + c] = m.m[4 * r] * k[c] + m.m[4 * r + 1] * k[3 + c] + m.m[4 * r + 2] * k[6 + c];
    return out;
}

std::vector<Pair> mesh_pairs(std::size_t count, std::uint64_t seed) {
    const std::vector<ShapePtr> shapes = meshes();
    Random random(seed);
    std::vector<Pair> out;
    for (std::size_t i = 0; i < count; ++i) {
        const Pose a = random_pose(random, 3);
        Pose b = random_pose(random, random.uniform(0.2, 1.9));
        b.translation += a.translation;
        out.push_back({shapes[random.below(shapes.size())], shapes[random.below(shapes.size())],
                       bent_matrix(to_matrix(a), static_cast<int>(random.below(14)), random),
                       bent_matrix(to_matrix(b), static_cast<int>(random.below(14)), random)});
    }
    return out;
}

TEST(MeshBvhQuery, all_hits_match_all_edges_against_all_polygons) {
    std::size_t colliding = 0, hits = 0;
    for (const Pair& p : mesh_pairs(250, 21)) {
        const Answer expected = answer(plain(), p, kWantAllHits), got = answer(ours(), p, kWantAllHits);
        ASSERT_EQ(got.result.verdict, expected.result.verdict);
        ASSERT_EQ(got.hits, expected.hits);
        EXPECT_EQ(answer(ours(), p, kWantVerdict).result.verdict, expected.result.verdict);
        colliding += got.result.verdict == Verdict::colliding ? 1 : 0;
        hits += got.hits.size();
    }
    EXPECT_GT(colliding, 80u);
    EXPECT_LT(colliding, 220u);
    EXPECT_GT(hits, 3000u);
}

TEST(MeshBvhQuery, scaling_by_powers_of_two_keeps_the_hits) {
    for (const Pair& p : mesh_pairs(40, 22))
        for (const int power : {-55, -20, 17, 50}) {
            Pair scaled = p;
            for (Matrix34f* m : {&scaled.world_from_a, &scaled.world_from_b})
                for (float& v : m->m) v = std::ldexp(v, power);
            EXPECT_EQ(answer(ours(), scaled, kWantVerdict).result.verdict,
                      answer(ours(), p, kWantVerdict).result.verdict);
        }
}

TEST(MeshBvhQuery, a_tiny_body_next_to_a_huge_one_is_found) {
    const ShapePtr speck = make_primitive_shape(Primitive::tetrahedron, 4, 1, 1).value();
    const ShapePtr giant = make_primitive_shape(Primitive::torus, 900, 1, 1).value();
    Random random(5);
    for (int i = 0; i < 60; ++i) {
        const float size = std::ldexp(1.0f, -static_cast<int>(random.below(40)));
        const Vec3f at = giant->geometry().positions[random.below(giant->geometry().positions.size())];
        Pair p{speck, giant, {}, {}};
        p.world_from_a = to_matrix({axis_angle(random.unit_vector(), 1), {}});
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) p.world_from_a.m[4 * r + c] *= size;
            p.world_from_a.m[4 * r + 3] = at[r] + static_cast<float>(random.uniform(-1, 1)) * size;
        }
        const Verdict expected = answer(plain(), p, kWantVerdict).result.verdict;
        EXPECT_EQ(answer(ours(), p, kWantVerdict).result.verdict, expected);
        EXPECT_EQ(answer(ours(), swapped(p), kWantVerdict).result.verdict, expected);
    }
}

TEST(MeshBvhQuery, bodies_that_touch_in_one_point_or_along_faces_collide) {
    const ShapePtr box = make_primitive_shape(Primitive::box, 600, 1, 1).value();
    const Aabb bounds = box->geometry().box;
    for (int axis = 1; axis < 8; ++axis) {
        Pair p{box, box, {}, {}};
        for (std::size_t k = 0; k < 3; ++k)
            if (axis >> k & 1) p.world_from_b.m[4 * k + 3] = bounds.max[k] - bounds.min[k];
        EXPECT_EQ(answer(ours(), p, kWantVerdict).result.verdict, Verdict::colliding);
        for (std::size_t k = 0; k < 3; ++k)
            if (axis >> k & 1)
                p.world_from_b.m[4 * k + 3] = std::nextafter(p.world_from_b.m[4 * k + 3], 9.0f);
        EXPECT_EQ(answer(ours(), p, kWantVerdict).result.verdict,
                  answer(plain(), p, kWantVerdict).result.verdict);
    }
}

TEST(MeshBvhQuery, hits_follow_deformations) {
    const ShapePtr clay = make_primitive_shape(Primitive::uv_sphere, 2000, 1, 3).value();
    const ShapePtr finger = make_primitive_shape(Primitive::cylinder, 60, 0.2f, 3).value();
    Geometry geometry = clay->geometry();
    std::shared_ptr<const Prepared> tree = ours().prepare(*clay, geometry);
    const std::shared_ptr<const Prepared> other = ours().prepare(*finger, finger->geometry());
    Random random(9);
    Scratch scratch;
    PairCache cache;
    std::vector<std::uint32_t> touched;
    std::size_t colliding = 0;
    for (int frame = 0; frame < 60; ++frame) {
        const Vec3f middle = cast<float>(random.unit_vector());
        std::vector<VertexChange> changes;
        for (std::uint32_t v = 0; v < geometry.positions.size(); ++v)
            if (length(geometry.positions[v] - middle) < 0.3f)
                changes.push_back({v, geometry.positions[v] * static_cast<float>(random.uniform(0.7, 1.2))});
        ASSERT_TRUE(deform(geometry, changes, touched).ok());
        tree = ours().update(std::move(tree), geometry, touched);
        PairQuery q = make_pair_query(
            *clay, {}, *finger,
            to_matrix({axis_angle(random.unit_vector(), 1), random.uniform(0.9, 1.7) * cast<double>(middle)}),
            scratch);
        q.a.geometry = &geometry;
        q.a.prepared = tree.get();
        q.b.prepared = other.get();
        q.parameters = default_values(ours().parameters);
        const PairResult got = run_query(ours(), q, cache);
        EXPECT_EQ(got.counters[5], 0u) << "the tree was not used";
        q.a.prepared = q.b.prepared = nullptr;  // prepared by another algorithm
        q.parameters = default_values(plain().parameters);
        PairCache cold;
        EXPECT_EQ(got.verdict, run_query(plain(), q, cold).verdict);
        EXPECT_TRUE(certify(q, got));
        colliding += got.verdict == Verdict::colliding ? 1 : 0;
    }
    EXPECT_GT(colliding, 10u);
    EXPECT_LT(colliding, 50u);
}

TEST(MeshBvhQuery, a_query_starts_where_the_last_one_ended) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 4000, 1, 3).value();
    Pair p{torus, torus, {}, {}};
    const PreparedPair prepared = prepare(ours(), p);
    Scratch scratch;
    PairCache cache;
    std::uint32_t steps = 0, steps_without = 0;
    for (int frame = 0; frame < 50; ++frame) {
        p.world_from_b = to_matrix({axis_angle({0, 0, 1}, 1 + 0.001 * frame), {0.7, 0.001 * frame, 0.1}});
        PairQuery q = query_of(ours(), p, prepared, scratch);
        const PairResult warm = run_query(ours(), q, cache);
        q.parameters[0] = 0;
        PairCache cold;
        const PairResult plain_walk = run_query(ours(), q, cold);
        ASSERT_EQ(warm.verdict, Verdict::colliding);
        EXPECT_EQ(plain_walk.verdict, Verdict::colliding);
        steps += warm.counters[0];
        steps_without += plain_walk.counters[0];
    }
    EXPECT_LT(3 * steps, steps_without);
}

TEST(MeshBvhQuery, a_tree_of_other_vertices_is_not_used) {
    const ShapePtr ball = make_primitive_shape(Primitive::uv_sphere, 500, 1, 3).value();
    Geometry shrunk = ball->geometry();
    std::vector<VertexChange> changes;
    for (std::uint32_t v = 0; v < shrunk.positions.size(); ++v)
        changes.push_back({v, 0.5f * shrunk.positions[v]});
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(shrunk, changes, touched).ok());
    Pair p{ball, ball, {}, {}};
    p.world_from_b.m[3] = 1.6f;
    const PreparedPair prepared = prepare(ours(), p);
    Scratch scratch;
    PairQuery q = query_of(ours(), p, prepared, scratch);
    PairCache cache;
    EXPECT_EQ(run_query(ours(), q, cache).verdict, Verdict::colliding);
    q.b.geometry = &shrunk;
    EXPECT_EQ(run_query(ours(), q, cache).verdict, Verdict::separated);
}

// The content is the same again, but the tree is not, since parts of it were rebuilt. A memory of the old
// tree must not be used.
TEST(MeshBvhQuery, a_mesh_restored_to_its_old_shape_may_have_another_tree) {
    const ShapePtr clay = make_primitive_shape(Primitive::uv_sphere, 4000, 1, 5).value();
    const ShapePtr finger = make_primitive_shape(Primitive::torus, 900, 0.3f, 5).value();
    Geometry geometry = clay->geometry();
    const std::vector<Vec3f> rest = geometry.positions;
    std::shared_ptr<const Prepared> tree = ours().prepare(*clay, geometry);
    const std::shared_ptr<const Prepared> other = ours().prepare(*finger, finger->geometry());
    std::vector<std::uint32_t> touched;
    const auto twist = [&](float turn) {
        std::vector<VertexChange> changes;
        for (std::uint32_t v = 0; v < rest.size(); ++v) {
            const Vec3f p = rest[v];
            const float c = std::cos(turn * p.z), s = std::sin(turn * p.z);
            changes.push_back({v, turn == 0 ? p : Vec3f{c * p.x - s * p.y, s * p.x + c * p.y, p.z}});
        }
        ASSERT_TRUE(deform(geometry, changes, touched).ok());
        tree = ours().update(std::move(tree), geometry, touched);
    };
    struct TestPair {
        Matrix34f world_from_finger;
        PairCache cache;
        std::unique_ptr<std::byte[]> storage;
    };
    Random random(5);
    std::vector<TestPair> pairs(60);
    const std::size_t bytes = ours().cache_bytes(*clay, *finger);
    for (TestPair& queried : pairs) {
        queried.world_from_finger = to_matrix({random_rotation(random, 0, 3), random.vector(1.1, 1.5)});
        queried.storage = std::make_unique<std::byte[]>(bytes);
        queried.cache.set_pool({queried.storage.get(), bytes});
    }
    Scratch scratch;
    std::size_t colliding = 0;
    const auto query_all = [&] {
        for (TestPair& queried : pairs) {
            queried.world_from_finger.m[3] += 1e-4f;
            PairQuery q = make_pair_query(*clay, {}, *finger, {}, scratch);
            q.b.world_from_body = queried.world_from_finger;
            q.a.geometry = &geometry;
            q.a.prepared = tree.get();
            q.b.prepared = other.get();
            q.parameters = default_values(ours().parameters);
            const PairResult got = run_query(ours(), q, queried.cache);
            q.parameters[0] = 0;
            PairCache cold;
            EXPECT_EQ(got.verdict, run_query(ours(), q, cold).verdict);
            EXPECT_TRUE(certify(q, got));
            colliding += got.verdict == Verdict::colliding ? 1 : 0;
        }
    };
    for (int round = 0; round < 5; ++round) {
        for (int time = 0; time < 4; ++time) query_all();
        for (int frame = 1; frame <= 40; ++frame) twist(0.15f * static_cast<float>(frame));
        for (int frame = 39; frame >= 0; --frame) twist(0.15f * static_cast<float>(frame));
        ASSERT_EQ(geometry.content, clay->geometry().content);
    }
    EXPECT_GT(colliding, 100u);
    EXPECT_LT(colliding, 1100u);
}

// Small trees: leaves are reached before there are enough pairs for all parts.
TEST(MeshBvhQuery, parts_together_find_the_hits_of_the_whole) {
    std::vector<ShapePtr> shapes;
    for (const auto& [kind, target_count] : {std::pair{Primitive::torus, 80u},
                                             {Primitive::tetra_flake, 60u},
                                             {Primitive::ellipsoid_hull, 100u},
                                             {Primitive::ellipsoid_hull, 30u}})
        shapes.push_back(make_primitive_shape(kind, target_count, 0.5f, 3).value());
    Random random(7);
    std::vector<Hit> storage(1 << 14);
    std::size_t colliding = 0;
    for (int i = 0; i < 4000; ++i) {
        Pose b = random_pose(random, random.uniform(0.05, 0.9));
        const Pair p{shapes[random.below(4)], shapes[random.below(4)], {}, to_matrix(b)};
        const PreparedPair prepared = prepare(ours(), p);
        Scratch scratch;
        const auto hits_of = [&](std::uint32_t part, std::uint32_t parts, auto& out) {
            HitSink sink(storage);
            PairCache cache;
            PairQuery q = query_of(ours(), p, prepared, scratch);
            q.wants = kWantAllHits;
            q.hits = &sink;
            q.part = part;
            q.part_count = parts;
            const PairResult result = run_query(ours(), q, cache);
            EXPECT_EQ(result.verdict == Verdict::colliding, !sink.hits().empty());
            for (const Hit& h : sink.hits()) out.emplace_back(h.edge_of_b, h.edge, h.polygon);
        };
        for (const std::uint32_t parts : {2u, 4u, 32u}) {
            std::vector<std::tuple<bool, std::uint32_t, std::uint32_t>> whole, together;
            hits_of(0, 1, whole);
            for (std::uint32_t part = 0; part < parts; ++part) hits_of(part, parts, together);
            std::sort(whole.begin(), whole.end());
            std::sort(together.begin(), together.end());
            ASSERT_EQ(together, whole) << "pair " << i << " in " << parts << " parts";
            colliding += whole.empty() ? 0 : 1;
        }
    }
    EXPECT_GT(colliding, 3000u);
}

/// A pair that is queried repeatedly, with memory and without.
class Stream {
  public:
    Stream(const ShapePtr& a, const ShapePtr& b) : pair_{a, b, {}, {}}, prepared_(prepare(ours(), pair_)) {
        cache_.set_pool(prepared_.pool);
    }
    /// Whether both agree; counts the answers.
    bool agree(const Matrix34f& world_from_a, const Matrix34f& world_from_b) {
        pair_.world_from_a = world_from_a;
        pair_.world_from_b = world_from_b;
        const PairResult with = query_pair(1, cache_);
        PairCache none;
        const PairResult without = query_pair(0, none);
        queried += 1;
        colliding += with.verdict == Verdict::colliding ? 1 : 0;
        at_once += with.iterations == 0 && with.counters[1] == 0 ? 1 : 0;
        steps += with.iterations;
        steps_without += without.iterations;
        EXPECT_TRUE(certify(query(), with));
        return with.verdict == without.verdict;
    }

    std::size_t queried = 0, colliding = 0, at_once = 0, steps = 0, steps_without = 0;

  private:
    PairQuery query() { return query_of(ours(), pair_, prepared_, scratch_); }
    PairResult query_pair(double memory, PairCache& cache) {
        PairQuery q = query();
        q.parameters[0] = memory;
        return run_query(ours(), q, cache);
    }

    Pair pair_;
    PreparedPair prepared_;
    Scratch scratch_;
    PairCache cache_;
};

/// Moves the bodies of a pair past each other, a little every frame and a lot now and then.
void drift(const Pair& start, double step, std::size_t frames, Random& random, Stream& stream) {
    Matrix34f a = start.world_from_a, b = start.world_from_b;
    const Vec3d along = step * random.unit_vector();
    const Matrix34d turn = to_double(to_matrix({axis_angle(random.unit_vector(), step), along}));
    for (std::size_t frame = 0; frame < frames; ++frame) {
        for (Matrix34f* m : {&a, &b}) {
            if (m == &b && frame % 3 == 0) continue;  // sometimes only one body moves
            const Matrix34f before = *m;
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 4; ++c) {
                    double sum = m == &a && c == 3 ? turn(r, 3) : 0;
                    for (int k = 0; k < 3; ++k)
                        sum += (m == &a ? turn(r, k) : turn(k, r)) * static_cast<double>(before(k, c));
                    m->m[static_cast<std::size_t>(4 * r + c)] = static_cast<float>(sum);
                }
        }
        if (frame % 41 == 40)
            for (std::size_t r = 0; r < 3; ++r)
                b.m[4 * r + 3] += 0.2f * static_cast<float>(random.uniform(-1, 1));
        ASSERT_TRUE(stream.agree(a, b)) << "frame " << frame;
    }
}

TEST(MeshBvhMemory, keeps_the_verdict_for_small_and_large_motion) {
    Random random(31);
    std::size_t queried = 0, colliding = 0, at_once = 0;
    for (const Pair& p : mesh_pairs(60, 33)) {
        Stream stream(p.a, p.b);
        drift(p, std::ldexp(1.0, -static_cast<int>(random.below(12)) - 2), 80, random, stream);
        queried += stream.queried;
        colliding += stream.colliding;
        at_once += stream.at_once;
    }
    EXPECT_GT(colliding, queried / 5);
    EXPECT_LT(colliding, 4 * queried / 5);
    EXPECT_GT(at_once, queried / 3);
}

/// Two tori: linked and 0.1 from touching if `linked`, else side by side and 0.001 apart.
Pair tori(std::uint32_t polygons, bool linked) {
    const ShapePtr torus = make_primitive_shape(Primitive::torus, polygons, 1, 3).value();
    Pair p{torus, torus, {}, {}};
    const Aabb& box = torus->geometry().box;
    p.world_from_b = to_matrix({axis_angle({1, 0, 0}, linked ? 1.5707963 : 0),
                                {linked ? 0.7 : static_cast<double>(box.max.x - box.min.x) + 0.001, 0, 0}});
    return p;
}

TEST(MeshBvhMemory, a_front_answers_without_a_traversal_until_the_bodies_have_moved_enough) {
    for (const bool linked : {false, true}) {
        const Pair p = tori(4000, linked);
        Stream stream(p.a, p.b);
        Random random(3);
        Matrix34f b = p.world_from_b;
        for (int frame = 0; frame < 300; ++frame) {
            for (std::size_t r = 1; r < 3; ++r)  // across the gap
                b.m[4 * r + 3] += 0.0004f * static_cast<float>(random.uniform(-1, 1));
            ASSERT_TRUE(stream.agree(p.world_from_a, b));
        }
        EXPECT_EQ(stream.colliding, 0u);
        EXPECT_LT(3 * stream.steps, stream.steps_without) << "linked " << linked;
        EXPECT_GT(stream.at_once, linked ? 200u : 0u);
    }
}

TEST(MeshBvhMemory, a_front_detects_bodies_that_creep_until_they_touch) {
    for (const bool linked : {false, true})
        for (const float speed : {0x1p-9f, 0x1p-12f}) {
            const Pair p = tori(900, linked);
            Stream stream(p.a, p.b);
            Matrix34f b = p.world_from_b;
            while (stream.colliding == 0 && stream.queried < 4000) {
                b.m[3] -= speed;
                ASSERT_TRUE(stream.agree(p.world_from_a, b)) << "after " << stream.queried;
            }
            EXPECT_EQ(stream.colliding, 1u);
        }
}

TEST(MeshBvhMemory, caches_that_share_storage_do_no_harm) {
    const Pair large = tori(4000, true);
    Pair small = large;  // specks in the same poses
    small.a = small.b = make_primitive_shape(Primitive::uv_sphere, 60, 0.01f, 1).value();
    PreparedPair prepared = prepare(ours(), large), prepared_small = prepare(ours(), small);
    Scratch scratch;
    PairCache first;
    first.set_pool(prepared.pool);
    const auto verdict = [&](const Pair& p, PreparedPair& of, double moved, PairCache& cache) {
        Pair q = p;
        q.world_from_b.m[3] += static_cast<float>(moved);
        return run_query(ours(), query_of(ours(), q, of, scratch), cache).verdict;
    };
    for (int i = 0; i < 10; ++i) {
        for (int k = 0; k < 3; ++k) EXPECT_EQ(verdict(large, prepared, 0, first), Verdict::separated);
        PairCache copy = first;  // the other shapes clear its memory but not the storage
        for (int k = 0; k < 3; ++k) EXPECT_EQ(verdict(small, prepared_small, 0.4, copy), Verdict::separated);
        EXPECT_EQ(verdict(large, prepared, 0.4, first), Verdict::colliding);
    }
}

}  // namespace
}  // namespace claybox::test
