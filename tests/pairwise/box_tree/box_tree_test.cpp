// The box-tree algorithm in every variant, compared with edges against polygons without pre-checks.

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/mesh/hit_receiver.hpp"
#include "collision/pairwise/registry.hpp"
#include "tests/pairwise/box_tree/trace_boxes.hpp"
#include "tests/pairwise/pairs.hpp"

#include <algorithm>
#include <set>

namespace claybox::test {
namespace {

struct Setting {
    const char* id;
    double value;
};

struct Answer {
    PairResult result;
    std::vector<Hit> hits;
};

Answer query_with(const char* id, const Pair& p, std::initializer_list<Setting> settings,
                  Wants wants = kWantAllHits, Trace* trace = nullptr) {
    const PairAlgorithm& algorithm = *find_pair_algorithm(id);
    const PreparedPair prepared = prepare(algorithm, p);
    Scratch scratch;
    PairCache cache;
    std::vector<Hit> storage(20000);
    HitSink sink{storage};
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    if (std::string(id) == "box_tree") {  // deep trees with few items per leaf: the most error-prone case
        q.parameters[find_parameter(algorithm.parameters, "min")] = 2;
        q.parameters[find_parameter(algorithm.parameters, "lambda")] = 0.8;
    }
    for (const Setting& s : settings) {
        const std::size_t i = find_parameter(algorithm.parameters, s.id);
        EXPECT_LT(i, algorithm.parameters.size()) << s.id;
        q.parameters[i] = s.value;
    }
    q.wants = wants;
    q.hits = &sink;
    Answer out;
    out.result = run_query(algorithm, q, cache, trace);
    EXPECT_EQ(out.result.status, QueryStatus::done);
    out.hits.assign(sink.hits().begin(), sink.hits().end());
    return out;
}

std::uint32_t counter(const Answer& answer, const char* name) {
    const auto names = find_pair_algorithm("box_tree")->counters;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (std::string(names[i]) == name) return answer.result.counters[i];
    ADD_FAILURE() << name;
    return 0;
}

/// The hits in the common order, without duplicates.
std::vector<Hit> in_order(std::vector<Hit> hits) {
    std::sort(hits.begin(), hits.end(), comes_before);
    return hits;
}

/// Non-convex meshes near contact; every fourth matrix is sheared and mirrored.
std::vector<Pair> mesh_pairs(std::size_t count, std::uint64_t seed, std::uint32_t polygons = 150) {
    std::vector<ShapePtr> shapes;
    for (const Primitive primitive : {Primitive::torus, Primitive::tetra_flake, Primitive::hyperboloid,
                                      Primitive::uv_sphere, Primitive::cylinder})
        shapes.push_back(make_primitive_shape(primitive, polygons, 1, 3).value());
    Random random(seed);
    std::vector<Pair> out;
    for (std::size_t i = 0; i < count; ++i) {
        Pair p = random_pair(shapes, random, 3, 0.3, 2);
        if (i % 4 == 3)
            for (std::size_t r = 0; r < 3; ++r) {
                p.world_from_b.m[4 * r] *= -0.5f;
                p.world_from_b.m[4 * r + 1] += 0.3f * p.world_from_b.m[4 * r + 2];
            }
        out.push_back(p);
    }
    return out;
}

constexpr double kNone = 3;  // value of edge_polygon's pre-checks

/// A pair with a long traversal.
Pair colliding_pair(std::uint64_t seed) {
    Pair p = mesh_pairs(1, seed)[0];
    p.world_from_b.m[3] = p.world_from_a.m[3] + 0.3f;
    p.world_from_b.m[7] = p.world_from_a.m[7];
    p.world_from_b.m[11] = p.world_from_a.m[11];
    return p;
}

Answer plain(const Pair& p) {
    return query_with("edge_polygon", p, {{"prechecks", kNone}});
}

void expect_same_hits(const Pair& p, const std::vector<Hit>& expected,
                      std::initializer_list<Setting> settings) {
    const Answer answer = query_with("box_tree", p, settings);
    EXPECT_EQ(answer.hits.size(), expected.size());
    for (std::size_t i = 0; i < std::min(expected.size(), answer.hits.size()); ++i) {
        const Hit &x = answer.hits[i], &y = expected[i];
        ASSERT_EQ(x, y) << "edge " << x.edge << ", " << y.edge << " polygon " << x.polygon << ", "
                        << y.polygon << " triangle " << x.triangle << ", " << y.triangle << " at "
                        << x.point_w.x << ", " << y.point_w.x;
    }
    EXPECT_EQ(answer.result.verdict, expected.empty() ? Verdict::separated : Verdict::colliding);
}

TEST(BoxTreeQuery, Z_3_6_1_trav_visits_every_pair_of_leaves_with_an_intersection) {
    std::size_t colliding = 0, hits = 0;
    for (const Pair& p : mesh_pairs(60, 1)) {
        const std::vector<Hit> expected = in_order(plain(p).hits);
        expect_same_hits(p, expected, {});
        colliding += expected.empty() ? 0 : 1;
        hits += expected.size();
    }
    EXPECT_GT(colliding, 20u);
    EXPECT_LT(colliding, 55u);
    EXPECT_GT(hits, 500u);
}

TEST(BoxTreeQuery, Z_3_6_4_comb_and_two_every_kind_of_tree_finds_the_same_hits) {
    for (const Pair& p : mesh_pairs(24, 2)) {
        const std::vector<Hit> expected = in_order(plain(p).hits);
        for (const double trees : {0.0, 1.0, 2.0})
            for (const double boxes : {0.0, 1.0})
                expect_same_hits(p, expected, {{"trees", trees}, {"boxes", boxes}});
    }
    // The trees differ, so the traversals differ.
    const Pair p = colliding_pair(2);
    std::set<std::uint32_t> walks;
    for (const double trees : {0.0, 1.0, 2.0})
        walks.insert(counter(query_with("box_tree", p, {{"trees", trees}}), "box tests"));
    EXPECT_EQ(walks.size(), 3u);
}

/// Convex bodies of every kind: at random, upright on a grid of an eighth so that faces and edges touch,
/// mirrored, sheared, flat, and one next to a non-convex body.
std::vector<Pair> convex_pairs(std::size_t count, std::uint64_t seed) {
    std::vector<Pair> out = random_pairs(count, seed);
    Random random(seed);
    const ShapePtr cube = make_primitive_shape(Primitive::box, 6, 1, 1).value();
    const ShapePtr fine = make_primitive_shape(Primitive::box, 150, 1, 1).value();
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 150, 1, 3).value();
    for (std::size_t i = 0; i < out.size(); ++i) {
        Pair& p = out[i];
        const auto in_eighths = [&] { return 0.125f * static_cast<float>(random.below(17)) - 1.0f; };
        switch (i % 6) {
            case 0:  // in multiples of an eighth of the cube's size
                p = {random.below(2) == 0 ? cube : fine, random.below(2) == 0 ? cube : fine, {}, {}};
                for (std::size_t r = 0; r < 3; ++r)
                    p.world_from_b.m[4 * r + 3] = 2 * cube->geometry().box.max.x * in_eighths();
                break;
            case 1:
                for (std::size_t r = 0; r < 3; ++r) p.world_from_b.m[4 * r] *= -1;
                break;
            case 2:
                for (std::size_t r = 0; r < 3; ++r)
                    p.world_from_a.m[4 * r + 1] += 0.4f * p.world_from_a.m[4 * r + 2];
                break;
            case 3:
                for (std::size_t r = 0; r < 3; ++r) p.world_from_b.m[4 * r + 2] = 0;
                break;
            case 4:
                p.a = torus;
                break;
            default:  // the same body in the same pose: every edge runs along polygons
                p.b = p.a = random.below(2) == 0 ? p.a : cube;
                p.world_from_b = p.world_from_a;
                break;
        }
    }
    return out;
}

TEST(BoxTreeQuery, Z_3_6_4_comb_convex_leaves_clip_edges_without_losing_hits) {
    std::uint64_t clipped = 0, plain_tests = 0, hits = 0, colliding = 0, separated = 0;
    std::size_t number = 0;
    for (const Pair& p : convex_pairs(120, 13)) {
        const std::vector<Hit> expected = in_order(plain(p).hits);
        const Answer with = query_with("box_tree", p, {{"convex_leaves", 1}}),
                     without = query_with("box_tree", p, {{"convex_leaves", 0}});
        EXPECT_EQ(with.hits, expected);
        EXPECT_EQ(without.hits, expected);
        EXPECT_EQ(counter(with, "leaf pairs"), counter(without, "leaf pairs"));
        EXPECT_LE(counter(with, "edge tests"), counter(without, "edge tests"));
        if (number++ % 6 != 5) {  // in the same pose everything must be tested
            clipped += counter(with, "edge tests");
            plain_tests += counter(without, "edge tests");
        }
        hits += expected.size();
        (expected.empty() ? separated : colliding) += 1;
        const Answer first = query_with("box_tree", p, {{"min", 40}}, kWantVerdict);
        EXPECT_EQ(first.result.verdict, expected.empty() ? Verdict::separated : Verdict::colliding);
    }
    EXPECT_LT(clipped, plain_tests * 2 / 3);
    EXPECT_GT(hits, 1000u);
    EXPECT_GT(colliding, 30u);
    EXPECT_GT(separated, 30u);
}

TEST(BoxTreeQuery, Z_3_6_4_comb_convex_leaves_are_off_for_deformed_bodies) {
    // A dent: points in front of the planes of its sides are no longer outside the body.
    const PairAlgorithm& algorithm = *find_pair_algorithm("box_tree");
    const ShapePtr ball = make_primitive_shape(Primitive::uv_sphere, 300, 1, 3).value();
    const ShapePtr small = make_primitive_shape(Primitive::uv_sphere, 60, 0.4f, 3).value();
    ASSERT_TRUE(ball->classification().convex);
    Geometry dented = ball->geometry();
    std::vector<VertexChange> changes;
    for (std::uint32_t v = 0; v < dented.positions.size(); ++v)
        if (dented.positions[v].x > 0.8f)
            changes.push_back({v, dented.positions[v] * (0.2f / dented.positions[v].x)});
    ASSERT_GT(changes.size(), 2u);
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(dented, changes, touched).ok());
    const auto own = algorithm.prepare(*small, small->geometry());
    const auto moved = algorithm.update(algorithm.prepare(*ball, ball->geometry()), dented, touched);
    const PairAlgorithm& judge = *find_pair_algorithm("edge_polygon");
    const auto tables = judge.update(judge.prepare(*ball, ball->geometry()), dented, touched);
    const auto others = judge.prepare(*small, small->geometry());
    int colliding = 0;
    for (int i = 0; i <= 20; ++i) {
        std::vector<Hit> hits[2];
        for (const std::size_t k : {0u, 1u}) {
            const PairAlgorithm& queried = k == 0 ? judge : algorithm;
            Scratch scratch;
            PairQuery q = make_pair_query(*ball, {}, *small,
                                          to_matrix(Pose{{}, {0.5 + 0.05 * i, 0.02, 0.01}}), scratch);
            q.parameters = default_values(queried.parameters);
            q.a.geometry = &dented;
            q.a.prepared = k == 0 ? tables.get() : moved.get();
            q.b.prepared = k == 0 ? others.get() : own.get();
            std::vector<Hit> storage(20000);
            HitSink sink{storage};
            q.wants = kWantAllHits;
            q.hits = &sink;
            PairCache cache;
            run_query(queried, q, cache);
            hits[k] = in_order({sink.hits().begin(), sink.hits().end()});
        }
        EXPECT_EQ(hits[0], hits[1]) << i;
        colliding += hits[0].empty() ? 0 : 1;
    }
    EXPECT_GT(colliding, 2);
    EXPECT_LT(colliding, 19);
}

TEST(BoxTreeQuery, Z_3_6_4_mid_and_Z_3_6_3_empty_and_precision_keep_all_hits) {
    std::uint32_t early = 0;
    for (const Pair& p : mesh_pairs(20, 3)) {
        const std::vector<Hit> expected = in_order(plain(p).hits);
        for (const double cuts : {0.0, 1.0})
            for (const double empty : {0.0, 1.0})
                for (const double precision : {0.0, 1.0}) {
                    expect_same_hits(p, expected,
                                     {{"cuts", cuts}, {"empty_leaves", empty}, {"precision", precision}});
                    early += counter(query_with("box_tree", p, {{"cuts", cuts}, {"empty_leaves", empty}}),
                                     "empty parts");
                }
    }
    EXPECT_GT(early, 0u);  // the traversal ended at empty parts
    // The cuts differ, so the traversals differ.
    const Pair p = colliding_pair(3);
    EXPECT_NE(counter(query_with("box_tree", p, {{"cuts", 0}}), "box tests"),
              counter(query_with("box_tree", p, {{"cuts", 1}}), "box tests"));
}

TEST(BoxTreeQuery, Z_3_6_4_aabb_on_the_fly_finds_the_same_hits_with_looser_boxes) {
    std::uint64_t own = 0, aligned = 0;
    for (const Pair& p : mesh_pairs(30, 4)) {
        const std::vector<Hit> expected = in_order(plain(p).hits);
        expect_same_hits(p, expected, {{"boxes", 1}});
        own += counter(query_with("box_tree", p, {{"boxes", 0}}), "leaf pairs");
        aligned += counter(query_with("box_tree", p, {{"boxes", 1}}), "leaf pairs");
    }
    EXPECT_LT(own, aligned);
}

TEST(BoxTreeQuery, Z_3_6_4_collect_phase_drops_polygons_but_no_hits) {
    std::uint64_t kept[3] = {0, 0, 0};
    for (const Pair& p : mesh_pairs(30, 5)) {
        const std::vector<Hit> expected = in_order(plain(p).hits);
        for (const std::size_t collect : {0u, 1u, 2u}) {
            const Setting setting{"collect", static_cast<double>(collect)};
            expect_same_hits(p, expected, {setting});
            kept[collect] += counter(query_with("box_tree", p, {setting}), "polygons collected");
        }
    }
    EXPECT_LT(kept[0], kept[1]);  // the leaf's box keeps fewer than the object's
    EXPECT_LT(kept[1], kept[2]);  // and the object's fewer than no collect phase
}

TEST(BoxTreeQuery, Z_3_6_4_outside_flags_off_gives_the_same_traversal) {
    for (const Pair& p : mesh_pairs(30, 6)) {
        const Answer on = query_with("box_tree", p, {{"outside_flags", 1}}),
                     off = query_with("box_tree", p, {{"outside_flags", 0}});
        EXPECT_EQ(on.hits, off.hits);
        EXPECT_EQ(on.result.counters, off.result.counters);
    }
}

TEST(BoxTreeQuery, Z_3_6_4_two_passes_find_edges_of_either_body) {
    // A thin spike through the middle of a plate: no edge of the plate intersects the spike.
    PolygonList spike, plate;
    spike.positions = {{-0.1f, 0.0f, -0.1f}, {0.1f, 0.0f, -0.1f}, {0, 0, 0.1f}, {0, 2, 0}};
    for (const std::array<std::uint32_t, 3>& f :
         {std::array<std::uint32_t, 3>{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}})
        spike.add_polygon(f);
    plate.positions = {{-5, 1, -5}, {5, 1, -5}, {5, 1, 5}, {-5, 1, 5}};
    plate.add_polygon(std::array<std::uint32_t, 4>{0, 1, 2, 3});
    const Pair p{Shape::from_polygons(spike).value(), Shape::from_polygons(plate).value(), {}, {}};
    for (const double trees : {0.0, 1.0, 2.0}) {
        const Answer one = query_with("box_tree", p, {{"trees", trees}}),
                     other = query_with("box_tree", swapped(p), {{"trees", trees}});
        ASSERT_EQ(one.hits.size(), 3u);
        ASSERT_EQ(other.hits.size(), 3u);
        for (const Hit& hit : one.hits) EXPECT_FALSE(hit.edge_of_b);
        for (const Hit& hit : other.hits) EXPECT_TRUE(hit.edge_of_b);
    }
}

/// Rigid, so that boxes have right angles.
Pair without_shear(Pair p) {
    p.world_from_b = to_matrix(Pose{{}, cast<double>(p.world_from_b.translation())});
    return p;
}

/// Along the world axes: B's boxes if only A is rotated.
bool is_upright(const TraceItem& box) {
    return std::abs(box.along[0].y) + std::abs(box.along[0].z) < 1e-6 * length(box.along[0]);
}

TEST(BoxTreeQuery, Z_3_6_1_callback_of_tracing_marks_the_boxes_that_contain_hits) {
    std::size_t overlapping = 0, missed = 0;
    for (const Pair& given : mesh_pairs(12, 7)) {
        TraceRecord trace;
        const Answer answer = query_with("box_tree", without_shear(given), {}, kWantAllHits, &trace);
        std::vector<TraceItem> overlapping_boxes;
        std::vector<Vec3d> meetings;
        for (const TraceItem& item : trace.items()) {
            missed += is(item, "leaf box") ? 1 : 0;
            if (is(item, "overlapping leaf box")) overlapping_boxes.push_back(item);
            if (item.kind == TraceItem::Kind::point) meetings.push_back(item.p);
        }
        overlapping += overlapping_boxes.size();
        EXPECT_EQ(meetings.size(), answer.hits.size());
        for (const Vec3d& point : meetings)
            for (const bool of_b : {false, true})
                EXPECT_TRUE(std::any_of(overlapping_boxes.begin(), overlapping_boxes.end(),
                                        [&](const TraceItem& box) {
                                            return is_upright(box) == of_b && contains(box, point, 1e-4);
                                        }))
                    << of_b;
    }
    EXPECT_GT(overlapping, 100u);
    EXPECT_GT(missed, overlapping);
}

/// Whether two rectangular boxes are further apart than `slack` along one of the 15 axes.
bool are_apart(const TraceItem& x, const TraceItem& y, double slack) {
    std::vector<Vec3d> axes;
    for (const Vec3d& u : x.along) axes.push_back(u);
    for (const Vec3d& v : y.along) axes.push_back(v);
    for (const Vec3d& u : x.along)
        for (const Vec3d& v : y.along) axes.push_back(cross(u, v));
    const auto centre = [](const TraceItem& b) { return b.p + 0.5 * (b.along[0] + b.along[1] + b.along[2]); };
    const auto reach = [](const TraceItem& b, const Vec3d& n) {
        return 0.5 *
               (std::abs(dot(b.along[0], n)) + std::abs(dot(b.along[1], n)) + std::abs(dot(b.along[2], n)));
    };
    for (const Vec3d& axis : axes) {
        if (length(axis) < 1e-9) continue;
        const Vec3d n = normalized(axis);
        if (std::abs(dot(centre(x) - centre(y), n)) > reach(x, n) + reach(y, n) + slack) return true;
    }
    return false;
}

TEST(BoxTreeQuery, Z_3_6_4_vis_trace_reports_overlapping_boxes_level_by_level) {
    std::size_t levels = 0, overlapping = 0, alone = 0, skipped = 0;
    for (const Pair& given : mesh_pairs(12, 9)) {
        TraceRecord trace;
        query_with("box_tree", without_shear(given), {}, kWantVerdict, &trace);
        std::vector<TraceItem> before;
        for (std::size_t step = 0; step < trace.steps(); ++step) {
            std::vector<TraceItem> now;
            for (const TraceItem& item : trace.step(step)) {
                const bool overlaps = is(item, "overlapping box");
                if (!overlaps && !is(item, "separate box")) continue;
                const Vec3d middle = item.p + 0.5 * (item.along[0] + item.along[1] + item.along[2]);
                EXPECT_TRUE(step == 0 ||
                            std::any_of(before.begin(), before.end(),
                                        [&](const TraceItem& box) { return contains(box, middle, 1e-6); }))
                    << "only overlapping boxes are cut";
                skipped += overlaps ? 0 : 1;
                if (overlaps) now.push_back(item);
            }
            levels += now.empty() ? 0 : 1;
            for (const TraceItem& x : now) {
                ++overlapping;
                alone += std::none_of(now.begin(), now.end(),
                                      [&](const TraceItem& y) { return &x != &y && !are_apart(x, y, 1e-3); })
                             ? 1
                             : 0;
            }
            if (!now.empty()) before = std::move(now);
        }
    }
    EXPECT_GT(levels, 60u);
    EXPECT_GT(overlapping, 500u);
    EXPECT_EQ(alone, 0u) << "a box reported as overlapping overlaps another";
    EXPECT_GT(skipped, overlapping / 4);
}

TEST(BoxTreeQuery, Z_3_6_prof_the_plain_algorithm_compares_boxes_of_all_pairs_and_the_tree_does_not) {
    // The work that grows with the product of both bodies: comparisons of edges with polygons and their
    // boxes.
    const auto plain_work = [](std::uint32_t polygons) {
        std::uint64_t work = 0;
        for (const Pair& p : mesh_pairs(6, 8, polygons)) {
            const Answer answer = query_with("edge_polygon", p, {{"prechecks", kNone}}, kWantVerdict);
            work += answer.result.verdict == Verdict::separated ? answer.result.iterations : 0;
        }
        return static_cast<double>(work);
    };
    const auto tree_work = [](std::uint32_t polygons) {
        std::uint64_t work = 0;
        for (const Pair& p : mesh_pairs(6, 8, polygons)) {
            const Answer answer = query_with("box_tree", p, {}, kWantVerdict);
            if (answer.result.verdict == Verdict::separated)
                work += counter(answer, "box tests") + counter(answer, "edge tests");
        }
        return static_cast<double>(work);
    };
    EXPECT_GT(plain_work(800), 8 * plain_work(200));
    EXPECT_LT(tree_work(800), 8 * tree_work(200) + 1000);
    EXPECT_LT(tree_work(800), plain_work(800) / 50);
}

TEST(BoxTreeQuery, very_different_scales_and_singular_matrices_lose_no_hit) {
    Random random(9);
    std::size_t colliding = 0;
    for (Pair& p : mesh_pairs(60, 10, 60)) {
        const auto scale = [&](Matrix34f& m, float by) {
            for (std::size_t i = 0; i < 12; ++i) m.m[i] *= by;
        };
        switch (random.below(4)) {
            case 0:
                scale(p.world_from_a, 0x1p40f);
                scale(p.world_from_b, 0x1p40f);
                break;
            case 1:
                scale(p.world_from_a, 0x1p-50f);
                scale(p.world_from_b, 0x1p-50f);
                break;
            case 2:  // B is flat
                for (std::size_t r = 0; r < 3; ++r) p.world_from_b.m[4 * r + 1] = 0;
                break;
            default:  // B is tiny compared with A
                for (std::size_t r = 0; r < 3; ++r)
                    for (std::size_t k = 0; k < 3; ++k) p.world_from_b.m[4 * r + k] *= 1e-5f;
                p.world_from_b.m[3] = p.world_from_a.m[3] + p.world_from_a.m[0];
        }
        const std::vector<Hit> expected = in_order(plain(p).hits);
        colliding += expected.empty() ? 0 : 1;
        for (const double boxes : {0.0, 1.0})
            for (const double precision : {0.0, 1.0})
                expect_same_hits(p, expected, {{"boxes", boxes}, {"precision", precision}});
    }
    EXPECT_GT(colliding, 10u);
}

TEST(BoxTreeQuery, a_full_sink_is_reported_and_an_exactly_sized_sink_is_enough) {
    const PairAlgorithm& algorithm = *find_pair_algorithm("box_tree");
    for (const Pair& p : mesh_pairs(10, 11)) {
        const std::size_t count = plain(p).hits.size();
        if (count < 2) continue;
        const PreparedPair prepared = prepare(algorithm, p);
        for (const std::size_t size : {count, count - 1}) {
            Scratch scratch;
            PairCache cache;
            std::vector<Hit> storage(size);
            HitSink sink{storage};
            PairQuery q = query_of(algorithm, p, prepared, scratch);
            q.wants = kWantAllHits;
            q.hits = &sink;
            const PairResult r = run_query(algorithm, q, cache);
            EXPECT_EQ(r.status, size == count ? QueryStatus::done : QueryStatus::hits_full);
            EXPECT_EQ(r.verdict, Verdict::colliding);
            EXPECT_EQ(sink.hits().size(), size);
        }
    }
}

TEST(BoxTreeQuery, results_follow_a_deformation) {
    const PairAlgorithm& algorithm = *find_pair_algorithm("box_tree");
    const ShapePtr torus = make_primitive_shape(Primitive::torus, 300, 1, 3).value();
    Geometry moved = torus->geometry();
    std::shared_ptr<const Prepared> prepared = algorithm.prepare(*torus, torus->geometry()), still = prepared;
    Scratch scratch;
    PairQuery q = make_pair_query(*torus, {}, *torus, to_matrix(Pose{{}, {0, 2.2, 0}}), scratch);
    q.parameters = default_values(algorithm.parameters);
    q.a.geometry = &moved;
    q.a.prepared = prepared.get();
    q.b.prepared = still.get();
    PairCache cache;
    EXPECT_EQ(run_query(algorithm, q, cache).verdict, Verdict::separated);
    std::vector<VertexChange> changes;  // a horn that touches the other body
    for (std::uint32_t v = 0; v < 3; ++v) changes.push_back({v, moved.positions[v] + Vec3f{0, 2.2f, 0}});
    std::vector<std::uint32_t> touched;
    ASSERT_TRUE(deform(moved, changes, touched).ok());
    prepared = algorithm.update(prepared, moved, touched);
    q.a.prepared = prepared.get();
    EXPECT_EQ(run_query(algorithm, q, cache).verdict, Verdict::colliding);
}

TEST(BoxTreeQuery, trees_of_other_options_are_kept_for_the_next_query) {
    const PairAlgorithm& algorithm = *find_pair_algorithm("box_tree");
    const Pair p = mesh_pairs(1, 12)[0];
    const PreparedPair prepared = prepare(algorithm, p);
    const std::size_t before = prepared.a->memory_bytes();
    Scratch scratch;
    PairQuery q = query_of(algorithm, p, prepared, scratch);
    std::size_t after = 0;
    for (int depth = 3; depth < 9; ++depth) {
        q.parameters[find_parameter(algorithm.parameters, "d_max")] = depth;
        PairCache cache;
        run_query(algorithm, q, cache);
        after = prepared.a->memory_bytes();
        EXPECT_GT(after, before);
    }
    EXPECT_LT(after, 4 * before);  // only the two most recent ones
}

}  // namespace
}  // namespace claybox::test
