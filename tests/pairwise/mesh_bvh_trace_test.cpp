// What mesh_bvh tells of its walk: the boxes met level by level.

#include "collision/geometry/primitives.hpp"
#include "tests/pairwise/pairs.hpp"
#include "tests/pairwise/told_boxes.hpp"

#include <algorithm>

namespace claybox::test {
namespace {

const PairAlgorithm& ours() {
    return *find_pair_algorithm("mesh_bvh");
}

struct Answer {
    PairResult result;
    std::vector<Hit> hits;
};

Answer ask_all(const Pair& p, Trace* trace) {
    const PreparedPair prepared = prepare(ours(), p);
    Scratch scratch;
    PairCache cache;
    std::vector<Hit> room(1 << 14);
    HitSink sink(room);
    PairQuery q = query_of(ours(), p, prepared, scratch);
    q.wants = kWantAllHits;
    q.hits = &sink;
    Answer out{run_query(ours(), q, cache, trace), {}};
    out.hits.assign(sink.hits().begin(), sink.hits().end());
    return out;
}

std::vector<Pair> pairs() {
    std::vector<ShapePtr> shapes;
    for (const Primitive kind : {Primitive::torus, Primitive::tetra_flake, Primitive::uv_sphere})
        shapes.push_back(make_primitive_shape(kind, 300, 1, 3).value());
    Random random(11);
    std::vector<Pair> out;
    for (int i = 0; i < 24; ++i) out.push_back(random_pair(shapes, random, 3, 0.3, 1.9));
    return out;
}

std::vector<TraceItem> boxes(std::span<const TraceItem> items, const char* label) {
    std::vector<TraceItem> out;
    std::copy_if(items.begin(), items.end(), std::back_inserter(out),
                 [&](const TraceItem& item) { return is(item, label); });
    return out;
}

TEST(MeshBvhTrace, every_hit_lies_in_a_leaf_of_both_trees_that_is_told_as_met) {
    std::size_t hits = 0, leaves = 0, tested = 0;
    for (const Pair& p : pairs()) {
        TraceRecord told;
        const Answer traced = ask_all(p, &told), plain = ask_all(p, nullptr);
        EXPECT_EQ(traced.hits, plain.hits);
        EXPECT_EQ(traced.result.counters, plain.result.counters) << "the trace is not counted";
        const std::vector<TraceItem> met = boxes(told.items(), "met leaf box");
        for (const Hit& hit : traced.hits) {
            const auto holds = [&](const TraceItem& box) {
                return contains(box, cast<double>(hit.point_w), 1e-5);
            };
            EXPECT_GE(std::count_if(met.begin(), met.end(), holds), 2);
        }
        hits += traced.hits.size();
        for (const TraceItem& item : told.items())
            if (is(item, "leaf pairs that meet")) leaves += static_cast<std::size_t>(item.number);
        tested += traced.result.counters[1];
    }
    EXPECT_GT(hits, 500u);
    EXPECT_GT(leaves, tested / 2) << "about as many as the search itself counts";
    EXPECT_LT(leaves, 2 * tested);
}

TEST(MeshBvhTrace, a_level_has_the_parts_of_the_boxes_that_the_level_above_met) {
    std::size_t levels = 0, met = 0, passed_over = 0;
    for (const Pair& p : pairs()) {
        TraceRecord told;
        ask_all(p, &told);
        std::vector<TraceItem> above;
        for (std::size_t step = 0; step < told.steps(); ++step) {
            std::vector<TraceItem> now = boxes(told.step(step), "met box");
            std::vector<TraceItem> missed = boxes(told.step(step), "box passed over");
            if (now.empty() && missed.empty()) continue;  // leaves, hits
            ++levels;
            met += now.size();
            passed_over += missed.size();
            for (const auto* part : {&now, &missed})
                for (const TraceItem& item : *part) {
                    const Vec3d middle = item.p + 0.5 * (item.along[0] + item.along[1] + item.along[2]);
                    EXPECT_TRUE(above.empty() ||
                                std::any_of(above.begin(), above.end(), [&](const TraceItem& box) {
                                    return contains(box, middle, 1e-5);
                                }));
                }
            above = std::move(now);
        }
    }
    EXPECT_GT(levels, 150u);
    EXPECT_GT(met, 2000u);
    EXPECT_GT(passed_over, met / 4);
}

TEST(MeshBvhTrace, ends_before_it_drowns_the_picture_and_tells_nothing_of_trees_that_cannot_be_walked) {
    const ShapePtr fine = make_primitive_shape(Primitive::torus, 20000, 1, 3).value();
    TraceRecord told;
    const Pair same{fine, fine, to_matrix(Pose{}), to_matrix(Pose{})};
    const PreparedPair prepared = prepare(ours(), same);
    Scratch scratch;
    PairCache cache;
    PairQuery q = query_of(ours(), same, prepared, scratch);
    EXPECT_EQ(run_query(ours(), q, cache, &told).verdict, Verdict::colliding);
    EXPECT_GT(told.items().size(), 100u);
    EXPECT_LT(told.items().size(), 100000u);
    told.clear();
    q.b.world_from_body = Matrix34f{};
    for (float& m : q.b.world_from_body.m) m = 0;
    run_query(ours(), q, cache, &told);
    EXPECT_TRUE(boxes(told.items(), "met box").empty());
}

}  // namespace
}  // namespace claybox::test
