// World queries: exact, and independent of broad phase and mode.
#include "collision/exact/contained.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/bvh/ray_shape.hpp"
#include "tests/module/support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace claybox::collision {
namespace {

using test::add;
using test::at;
using test::cube;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec3d random_point(Random& random, double extent) {
    return {random.uniform(-extent, extent), random.uniform(-extent, extent),
            random.uniform(-extent, extent)};
}

/// Shapes of all classes: convex, closed, open, flat, a segment, a point.
const std::vector<ShapePtr>& query_shapes() {
    static const std::vector<ShapePtr> all = [] {
        std::vector<ShapePtr> out;
        for (const Primitive p : {Primitive::box, Primitive::ellipsoid_hull, Primitive::torus,
                                  Primitive::tetra_flake, Primitive::uv_sphere})
            out.push_back(make_primitive_shape(p, p == Primitive::box ? 6 : 90, 0.8f, 2).value());
        PolygonList open = make_primitive(Primitive::uv_sphere, 60, 1);
        PolygonList half;
        half.positions = open.positions;
        for (std::size_t i = 0; i < open.polygon_count() / 2; ++i) half.add_polygon(open.polygon(i));
        out.push_back(Shape::from_polygons(half).value());
        out.push_back(Shape::from_hull(std::vector<Vec3f>{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}).value());
        out.push_back(Shape::from_hull(std::vector<Vec3f>{{-1, 0, 0}, {1, 0.5f, 0}}).value());
        out.push_back(Shape::from_hull(std::vector<Vec3f>{{0.25f, 0, 0}}).value());
        return out;
    }();
    return all;
}

/// A body as the test knows it.
struct KnownBody {
    BodyId id;
    unsigned group = 0;
    ShapePtr shape;
    Matrix34f matrix;
    std::shared_ptr<Geometry> own;  ///< of a deformed body

    const Geometry& geometry() const { return own ? *own : shape->geometry(); }
};

struct Crowd {
    std::unique_ptr<World> world;
    std::vector<KnownBody> bodies;

    explicit Crowd(const WorldSettings& settings, int count = 60, double extent = 4) {
        world = std::make_unique<World>(settings);
        Random random(31);
        for (int i = 0; i < count; ++i) {
            KnownBody body;
            body.shape = query_shapes()[random.below(query_shapes().size())];
            body.group = static_cast<unsigned>(random.below(3));
            const bool deformable = random.below(5) == 0;
            const Pose pose{random_rotation(random, 0, 3), random_point(random, extent)};
            body.id = world
                          ->add_body({.shape = body.shape,
                                      .pose = pose,
                                      .group = body.group,
                                      .deformable = deformable,
                                      .data = 1000 + static_cast<std::uint64_t>(i)})
                          .value();
            body.matrix = to_matrix(checked(pose).value());
            if (deformable) dent(body, random);
            bodies.push_back(body);
        }
        step();
        for (KnownBody& body : bodies) {  // a second frame: structures must be updated
            if (random.below(3) != 0) continue;
            const Pose pose{axis_angle(random.unit_vector(), 1), random_point(random, extent)};
            EXPECT_TRUE(world->move(body.id, pose).ok());
            body.matrix = to_matrix(checked(pose).value());
        }
        for (int i = 0; i < count / 10; ++i) {
            const std::size_t gone = random.below(bodies.size());
            EXPECT_TRUE(world->remove_body(bodies[gone].id).ok());
            bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(gone));
        }
        step();
    }
    void dent(KnownBody& body, Random& random) {
        body.own = std::make_shared<Geometry>(body.shape->geometry());
        std::vector<VertexChange> changes;
        for (std::uint32_t v = 0; v < body.own->positions.size(); v += 5)
            changes.push_back({v, cast<float>(random.vector(0.5, 1.2))});
        std::vector<std::uint32_t> touched;
        EXPECT_TRUE(deform(*body.own, changes, touched).ok());
        EXPECT_TRUE(world->deform(body.id, changes).ok());
    }
    void step() {
        world->publish(++frame);
        world->check();
        world->wait_idle();
    }
    /// Submits queries and returns the answers of the next pass.
    EventBatch answers(const std::vector<WorldQuery>& queries) {
        EventBatch batch;
        world->poll_events(batch);
        for (const WorldQuery& query : queries) EXPECT_TRUE(world->submit_query(query).ok());
        step();
        world->poll_events(batch);
        return batch;
    }
    std::uint64_t frame = 0;
};

bool accepts(const QueryFilter& f, const KnownBody& body) {
    return (f.groups >> body.group & 1u) != 0 && body.id != f.excluded;
}

RayBody ray_body(const KnownBody& body) {
    return {&body.geometry(), &body.matrix, nullptr};
}

PairResult test_pair(const ShapePtr& shape, const Matrix34f& matrix, const KnownBody& body, Wants wants) {
    Scratch scratch;
    PairQuery query = make_pair_query(*shape, matrix, *body.shape, body.matrix, scratch);
    query.b.geometry = &body.geometry();
    query.wants = wants | kWantSolid;
    const PairAlgorithm& best = *find_pair_algorithm("best");
    const PairAlgorithm& algorithm =
        applicable(best, query.a, query.b) ? best : *find_pair_algorithm("mesh_bvh");
    query.parameters = default_values(algorithm.parameters);
    const auto a = algorithm.prepare(*shape, shape->geometry()),
               b = algorithm.prepare(*body.shape, body.geometry());
    query.a.prepared = a.get();
    query.b.prepared = b.get();
    PairCache cache;
    return run_query(algorithm, query, cache);
}

std::vector<WorldQuery> queries_of(const Crowd& crowd, std::uint64_t seed, int count) {
    Random random(seed);
    std::vector<WorldQuery> out;
    const auto filter = [&] {
        QueryFilter f;
        if (random.below(3) == 0) f.groups = 1 + random.below(7);
        if (random.below(3) == 0) f.excluded = crowd.bodies[random.below(crowd.bodies.size())].id;
        return f;
    };
    for (int i = 0; i < count; ++i) {
        const KnownBody& body = crowd.bodies[random.below(crowd.bodies.size())];
        const Vec3d vertex =
            transform_point(to_double(body.matrix),
                            body.geometry().positions[random.below(body.geometry().positions.size())]);
        const Vec3d from = random_point(random, 8),
                    to = random.below(2) == 0 ? vertex : random_point(random, 4);
        for (const auto want : {RayQuery::Want::first, RayQuery::Want::any, RayQuery::Want::all})
            out.push_back({RayQuery{{from, to - from},
                                    want,
                                    random.below(2) == 0 ? kInfinity : random.uniform(0, 1.5),
                                    random.below(2) == 0},
                           filter()});
        out.push_back({PointQuery{random.below(3) == 0 ? vertex : random_point(random, 4)}, filter()});
        Aabb box;
        box.add(cast<float>(to));
        box.add(cast<float>(random.below(4) == 0 ? to : to + random_point(random, 1.5)));
        out.push_back({BoxQuery{box}, filter()});
        const Pose pose{axis_angle(random.unit_vector(), 2), random_point(random, 5)};
        out.push_back({ShapeQuery{query_shapes()[random.below(query_shapes().size())], pose}, filter()});
        out.push_back(
            {ClosestQuery{
                 random.below(2) == 0 ? nullptr : query_shapes()[random.below(query_shapes().size())],
                 Pose{{}, random_point(random, random.below(3) == 0 ? 500 : 5)},
                 random.below(2) == 0 ? kInfinity : random.uniform(0, 2)},
             filter()});
    }
    return out;
}

// Expected answers, computed from all bodies one by one.

std::vector<QueryHit> expected(const RayQuery& q, const QueryFilter& f, const Crowd& crowd) {
    std::vector<std::pair<const KnownBody*, SurfaceHit>> all;
    for (const KnownBody& body : crowd.bodies) {
        if (!accepts(f, body)) continue;
        SurfaceHit hit;
        RayCounts counts;
        const bool starts = q.from_inside && has_inside(body.shape->classification()) &&
                            SolidLocator(body.geometry(), body.matrix).locate({nullptr, q.ray.origin}).inside;
        if (starts || find_surface_hit(q.ray, ray_body(body), q.reach, RayWant::first, hit, counts))
            all.push_back({&body, starts ? SurfaceHit{} : hit});
    }
    std::vector<QueryHit> out;
    if (q.want == RayQuery::Want::any) return std::vector<QueryHit>(all.empty() ? 0 : 1);
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
        const bool zero_a = a.second.t == 0 && a.second.t_error == 0;
        const bool zero_b = b.second.t == 0 && b.second.t_error == 0;
        int sign = zero_a || zero_b
                       ? int(zero_b) - int(zero_a)
                       : compare_hits(q.ray, ray_body(*a.first), a.second, ray_body(*b.first), b.second);
        return sign < 0 || (sign == 0 && a.first->id.slot < b.first->id.slot);
    });
    if (q.want == RayQuery::Want::first && all.size() > 1) all.resize(1);
    for (const auto& [body, hit] : all) {
        out.emplace_back();
        out.back().body = body->id;
        out.back().t = hit.t;
        out.back().t_error = hit.t_error;
        out.back().triangle = hit.triangle;
    }
    return out;
}

template <class Holds>
std::vector<QueryHit> by_slot(const QueryFilter& f, const Crowd& crowd, Holds&& holds) {
    std::vector<QueryHit> out;
    for (const KnownBody& body : crowd.bodies)
        if (accepts(f, body) && holds(body)) {
            out.emplace_back();
            out.back().body = body.id;
        }
    std::sort(out.begin(), out.end(),
              [](const QueryHit& a, const QueryHit& b) { return a.body.slot < b.body.slot; });
    return out;
}

std::vector<QueryHit> expected(const PointQuery& q, const QueryFilter& f, const Crowd& crowd) {
    return by_slot(f, crowd, [&](const KnownBody& body) {
        SurfaceHit hit;
        RayCounts counts;
        return (has_inside(body.shape->classification()) &&
                contains(body.geometry(), body.matrix, {nullptr, q.point_w}, {0.3, 1, 0.2})) ||
               find_surface_hit({q.point_w, {0, 1, 0}}, ray_body(body), 0, RayWant::any, hit, counts);
    });
}

std::vector<QueryHit> expected(const ShapeQuery& q, const QueryFilter& f, const Crowd& crowd) {
    const Matrix34f matrix = to_matrix(checked(q.pose).value());
    return by_slot(f, crowd, [&](const KnownBody& body) {
        return test_pair(q.shape, matrix, body, kWantVerdict).verdict == Verdict::colliding;
    });
}

/// Twelve triangles, possibly without area: accepted by every algorithm.
ShapePtr box_of_triangles(const Aabb& box) {
    PolygonList list;
    for (int i = 0; i < 8; ++i)
        list.positions.push_back(
            {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z});
    for (const auto& q : std::array<std::array<std::uint32_t, 4>, 6>{
             {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}}) {
        list.add_polygon(std::array<std::uint32_t, 3>{q[0], q[1], q[2]});
        list.add_polygon(std::array<std::uint32_t, 3>{q[0], q[2], q[3]});
    }
    return Shape::from_polygons(list).value();
}

std::vector<QueryHit> expected(const BoxQuery& q, const QueryFilter& f, const Crowd& crowd) {
    const ShapePtr box = box_of_triangles(q.box_w);
    return by_slot(f, crowd, [&](const KnownBody& body) {
        const bool convex = body.shape->hull() && !body.own && !box->hull();
        if (!convex) return test_pair(box, Matrix34f{}, body, kWantVerdict).verdict == Verdict::colliding;
        std::vector<Vec3f> corners = box->geometry().positions;  // a box without a volume
        return test_pair(Shape::from_hull(corners).value(), Matrix34f{}, body, kWantVerdict).verdict ==
               Verdict::colliding;
    });
}

std::vector<QueryHit> expected(const ClosestQuery& q, const QueryFilter& f, const Crowd& crowd) {
    static const ShapePtr tiny = [] {
        PolygonList list;
        list.positions = {{0, 0, 0}};
        list.add_polygon(std::array<std::uint32_t, 3>{0, 0, 0});
        return Shape::from_polygons(list).value();
    }();
    static const ShapePtr point = Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}}).value();
    std::vector<QueryHit> out;
    for (const KnownBody& body : crowd.bodies) {
        if (!accepts(f, body)) continue;
        const bool convex = body.shape->hull() && !body.own;
        const PairResult r = test_pair(q.shape  ? q.shape
                                       : convex ? point
                                                : tiny,
                                       to_matrix(q.pose), body, kWantDistance);
        const double distance = r.verdict == Verdict::separated ? r.distance : 0;
        if (distance > q.reach) continue;
        if (!out.empty() &&
            (distance > out[0].distance || (distance == out[0].distance && body.id.slot > out[0].body.slot)))
            continue;
        out.resize(1);
        out[0].body = body.id;
        out[0].distance = distance;
    }
    return out;
}

void expect_correct(const Crowd& crowd, const WorldQuery& query, std::span<const QueryHit> found) {
    const auto reference =
        std::visit([&](const auto& spec) { return expected(spec, query.filter, crowd); }, query.spec);
    ASSERT_EQ(found.size(), reference.size()) << "kind " << query.spec.index();
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].body, reference[i].body) << "kind " << query.spec.index();
        EXPECT_EQ(found[i].t, reference[i].t);
        EXPECT_EQ(found[i].t_error, reference[i].t_error);
        EXPECT_EQ(found[i].triangle, reference[i].triangle);
        EXPECT_NEAR(found[i].distance, reference[i].distance, 1e-6);
    }
}

TEST(WorldQueries, answers_equal_a_test_of_all_bodies_one_by_one) {
    Crowd crowd(default_settings());
    const auto queries = queries_of(crowd, 1, 40);
    std::map<std::size_t, std::size_t> hits;
    std::vector<QueryHit> out;
    for (const WorldQuery& query : queries) {
        ASSERT_TRUE(crowd.world->query_now(query, out).ok());
        expect_correct(crowd, query, out);
        hits[query.spec.index()] += out.size();
    }
    for (std::size_t kind = 0; kind < 5; ++kind) EXPECT_GT(hits[kind], 5u) << kind;
}

TEST(WorldQueries, answers_do_not_depend_on_broad_phase_or_mode) {
    std::vector<QueryHit> reference;
    std::vector<std::uint32_t> counts;
    for (const BroadPhaseDescriptor* broad_phase : broad_phases())
        for (const bool concurrent : {false, true}) {
            WorldSettings settings = default_settings();
            settings.broad_phase = broad_phase;
            settings.broad_parameters = default_values(broad_phase->parameters);
            settings.concurrent = concurrent;
            settings.queue_events = !concurrent;  // answers arrive nevertheless
            Crowd crowd(settings);
            const auto queries = queries_of(crowd, 2, 20);
            const EventBatch batch = crowd.answers(queries);
            ASSERT_EQ(batch.answers.size(), queries.size()) << broad_phase->id;
            std::vector<std::uint32_t> here;
            for (std::size_t i = 0; i < queries.size(); ++i) {
                EXPECT_EQ(batch.answers[i].ticket, i + 1);
                EXPECT_EQ(batch.answers[i].frame, crowd.frame);
                EXPECT_EQ(batch.answers[i].first_hit,
                          i == 0 ? 0 : batch.answers[i - 1].first_hit + batch.answers[i - 1].hit_count);
                here.push_back(batch.answers[i].hit_count);
            }
            if (reference.empty()) {
                reference = batch.answer_hits;
                counts = here;
            }
            EXPECT_EQ(counts, here) << broad_phase->id;
            EXPECT_TRUE(reference == batch.answer_hits)
                << broad_phase->id << (concurrent ? " concurrent" : "");
        }
    EXPECT_GT(reference.size(), 50u);
}

TEST(WorldQueries, query_belongs_to_the_frame_that_publish_ends) {
    World world;
    const BodyId body = add(world, at(5));
    const RayQuery ray{{{0, 0, 0}, {1, 0, 0}}};
    const auto first = world.submit_query({ray, {}});
    ASSERT_TRUE(first.ok());
    world.publish(7);
    ASSERT_TRUE(world.move(body, at(9)).ok());
    const auto second = world.submit_query({ray, {}});
    world.check();
    EventBatch batch;
    world.poll_events(batch);
    ASSERT_EQ(batch.answers.size(), 1u);
    EXPECT_EQ(batch.answers[0].ticket, first.value());
    EXPECT_EQ(batch.answers[0].frame, 7u);
    EXPECT_EQ(batch.answer_hits.at(0).t, 4.0);
    EXPECT_EQ(batch.answer_hits.at(0).body, body);
    EXPECT_EQ(batch.answer_hits.at(0).normal_w, (Vec3d{-1, 0, 0}));
    EXPECT_EQ(batch.answer_hits.at(0).point_w, (Vec3d{4, 0, 0}));
    world.publish(8);
    world.check();
    world.poll_events(batch);
    ASSERT_EQ(batch.answers.size(), 1u);
    EXPECT_EQ(batch.answers[0].ticket, second.value());
    EXPECT_EQ(batch.answer_hits.at(0).t, 8.0);
}

TEST(WorldQueries, lowest_slot_comes_first_at_equal_places_and_one_ulp_decides) {
    World world;
    const BodyId first = add(world, at(5)), second = add(world, at(5, 0.5));
    world.publish(1);
    world.check();
    std::vector<QueryHit> out;
    RayQuery ray{{{-1, 0.25, 0}, {1, 0, 0}}, RayQuery::Want::all};
    ASSERT_TRUE(world.query_now({ray, {}}, out).ok());
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out[0].body, first);
    ASSERT_TRUE(world.move(second, at(static_cast<double>(std::nextafter(5.0f, 0.0f)), 0.5)).ok());
    world.publish(2);
    world.check();
    ASSERT_TRUE(world.query_now({ray, {}}, out).ok());
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out[0].body, second);
    ray.want = RayQuery::Want::first;
    ray.reach = 5;  // touches exactly at the end
    ASSERT_TRUE(world.query_now({ray, {0xffffu, second}}, out).ok());
    ASSERT_EQ(out.size(), 1u);
    ray.reach = std::nextafter(5.0, 0.0);
    ASSERT_TRUE(world.query_now({ray, {0xffffu, second}}, out).ok());
    EXPECT_TRUE(out.empty());
}

TEST(WorldQueries, rays_from_inside_hit_the_surface_or_the_solid_as_requested) {
    World world;
    const BodyId body = add(world, at(0));
    world.publish(1);
    world.check();
    std::vector<QueryHit> out;
    RayQuery ray{{{0.5, 0, 0}, {0, 2, 0}}};
    ASSERT_TRUE(world.query_now({ray, {}}, out).ok());
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].t, 0.5);
    ray.from_inside = true;
    ASSERT_TRUE(world.query_now({ray, {}}, out).ok());
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].t, 0.0);
    EXPECT_EQ(out[0].body, body);
    EXPECT_EQ(out[0].triangle, kNoIndex);
}

TEST(WorldQueries, immediate_queries_work_in_callbacks_and_outside_concurrent_mode) {
    for (const bool concurrent : {false, true}) {
        WorldSettings settings = default_settings();
        settings.concurrent = concurrent;
        World world(settings);
        add(world, at(0));
        add(world, at(1));
        const BodyId far = add(world, at(20));
        std::vector<QueryHit> found;
        Status status = Done{};
        world.set_callback([&](const Event&, std::span<const Hit>, CallbackContext& context) {
            status = context.query_now({RayQuery{{{10, 0, 0}, {1, 0, 0}}}, {}}, found);
        });
        world.publish(1);
        world.check();
        world.wait_idle();
        EXPECT_TRUE(status.ok());
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(found[0].body, far);
        EXPECT_EQ(found[0].t, 9.0);
        std::vector<QueryHit> out;
        EXPECT_EQ(world.query_now({PointQuery{{20, 0, 0}}, {}}, out).ok(), !concurrent);
        EXPECT_EQ(out.size(), concurrent ? 0u : 1u);
    }
}

TEST(WorldQueries, invalid_queries_are_errors_and_an_empty_world_has_no_hits) {
    World world;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<WorldQuery> invalid{
        {RayQuery{{{0, 0, 0}, {0, 0, 0}}}, {}},
        {RayQuery{{{0, 0, nan}, {1, 0, 0}}}, {}},
        {RayQuery{{{0, 0, 0}, {1, 0, 0}}, RayQuery::Want::first, -1}, {}},
        {RayQuery{{{0, 0, 0}, {1, 0, 0}}, RayQuery::Want::first, nan}, {}},
        {PointQuery{{nan, 0, 0}}, {}},
        {PointQuery{{1e30, 0, 0}}, {}},
        {BoxQuery{}, {}},
        {BoxQuery{{{0, 0, 0}, {1, HUGE_VALF, 1}}}, {}},
        {ShapeQuery{}, {}},
        {ShapeQuery{cube(), {{0, 0, 0, 0}, {}}}, {}},
        {ClosestQuery{nullptr, at(nan), 1}, {}},
        {ClosestQuery{nullptr, at(0), -1}, {}},
    };
    std::vector<QueryHit> out{QueryHit{}};
    for (const WorldQuery& query : invalid) {
        EXPECT_FALSE(world.submit_query(query).ok());
        EXPECT_FALSE(world.query_now(query, out).ok());
        EXPECT_TRUE(out.empty());
    }
    EXPECT_EQ(world.submit_query({BoxQuery{}, {}}).error().text(), "query: the box is empty");
    ASSERT_TRUE(world.query_now({ClosestQuery{nullptr, at(0), kInfinity}, {}}, out).ok());
    EXPECT_TRUE(out.empty());
    const BodyId body = add(world, at(3));
    world.publish(1);
    world.check();
    ASSERT_TRUE(world.query_now({ClosestQuery{nullptr, at(0), kInfinity}, {}}, out).ok());
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].body, body);
    EXPECT_NEAR(out[0].distance, 2, 1e-12);
    EXPECT_NEAR(length(out[0].point_w - Vec3d{2, 0, 0}), 0, 1e-12);
    ASSERT_TRUE(world.remove_body(body).ok());
    world.publish(2);
    world.check();
    ASSERT_TRUE(world.query_now({ClosestQuery{nullptr, at(0), kInfinity}, {}}, out).ok());
    EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace claybox::collision
