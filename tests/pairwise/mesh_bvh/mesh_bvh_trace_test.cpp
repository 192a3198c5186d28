// The trace of mesh_bvh's traversal: overlapping boxes level by level.

#include "collision/geometry/primitives/primitives.hpp"
#include "tests/pairwise/box_tree/trace_boxes.hpp"
#include "tests/pairwise/pairs.hpp"

#include <algorithm>

namespace claybox::test {
namespace {

const PairAlgorithm& traced_algorithm() {
    return *find_pair_algorithm("mesh_bvh");
}

struct TracedAnswer {
    PairResult result;
    std::vector<Hit> hits;
};

TracedAnswer query_all(const Pair& p, Trace* trace) {
    const PreparedPair prepared = prepare(traced_algorithm(), p);
    Scratch scratch;
    PairCache cache;
    std::vector<Hit> storage(1 << 14);
    HitSink sink(storage);
    PairQuery q = query_of(traced_algorithm(), p, prepared, scratch);
    q.wants = kWantAllHits;
    q.hits = &sink;
    TracedAnswer out{run_query(traced_algorithm(), q, cache, trace), {}};
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

TEST(MeshBvhTrace, every_hit_lies_in_reported_leaves_of_both_trees) {
    std::size_t hits = 0, leaves = 0, tested = 0;
    for (const Pair& p : pairs()) {
        TraceRecord trace;
        const TracedAnswer traced = query_all(p, &trace), plain = query_all(p, nullptr);
        EXPECT_EQ(traced.hits, plain.hits);
        EXPECT_EQ(traced.result.counters, plain.result.counters) << "the trace does not change the counters";
        const std::vector<TraceItem> overlapping = boxes(trace.items(), "overlapping leaf box");
        for (const Hit& hit : traced.hits) {
            const auto contains_point = [&](const TraceItem& box) {
                return contains(box, cast<double>(hit.point_w), 1e-5);
            };
            EXPECT_GE(std::count_if(overlapping.begin(), overlapping.end(), contains_point), 2);
        }
        hits += traced.hits.size();
        for (const TraceItem& item : trace.items())
            if (is(item, "overlapping leaf pairs")) leaves += static_cast<std::size_t>(item.number);
        tested += traced.result.counters[1];
    }
    EXPECT_GT(hits, 500u);
    EXPECT_GT(leaves, tested / 2) << "about as many as the search itself";
    EXPECT_LT(leaves, 2 * tested);
}

TEST(MeshBvhTrace, a_level_consists_of_the_children_of_overlapping_boxes_above) {
    std::size_t levels = 0, overlapping = 0, skipped = 0;
    for (const Pair& p : pairs()) {
        TraceRecord trace;
        query_all(p, &trace);
        std::vector<TraceItem> above;
        for (std::size_t step = 0; step < trace.steps(); ++step) {
            std::vector<TraceItem> now = boxes(trace.step(step), "overlapping box");
            std::vector<TraceItem> missed = boxes(trace.step(step), "separate box");
            if (now.empty() && missed.empty()) continue;  // leaves, hits
            ++levels;
            overlapping += now.size();
            skipped += missed.size();
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
    EXPECT_GT(overlapping, 2000u);
    EXPECT_GT(skipped, overlapping / 4);
}

TEST(MeshBvhTrace, large_traversals_end_early_and_unusable_trees_report_nothing) {
    const ShapePtr fine = make_primitive_shape(Primitive::torus, 20000, 1, 3).value();
    TraceRecord trace;
    const Pair same{fine, fine, to_matrix(Pose{}), to_matrix(Pose{})};
    const PreparedPair prepared = prepare(traced_algorithm(), same);
    Scratch scratch;
    PairCache cache;
    PairQuery q = query_of(traced_algorithm(), same, prepared, scratch);
    EXPECT_EQ(run_query(traced_algorithm(), q, cache, &trace).verdict, Verdict::colliding);
    EXPECT_GT(trace.items().size(), 100u);
    EXPECT_LT(trace.items().size(), 100000u);
    trace.clear();
    q.b.world_from_body = Matrix34f{};
    for (float& m : q.b.world_from_body.m) m = 0;
    run_query(traced_algorithm(), q, cache, &trace);
    EXPECT_TRUE(boxes(trace.items(), "overlapping box").empty());
}

}  // namespace
}  // namespace claybox::test
