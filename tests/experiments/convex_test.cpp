// The experiment `convex`: rows, recorded answers, counts, tables. No check depends on times.

#include "bench/experiments/convex/convex_report.hpp"
#include "bench/experiments/shared/choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace claybox::bench {
namespace {

using namespace collision;
using streams::JudgedStream;
using streams::QueryKind;

ConvexEffort small_effort() {
    ConvexEffort out;
    out.bodies = 80;
    out.frames = 6;
    out.max_repeats = out.min_repeats = 2;
    out.seconds = 0.01;
    return out;
}

/// Answers `separated` to every query.
class AlwaysSeparated final : public Contestant {
  public:
    bool prepare(std::span<const ShapePtr>) override { return true; }
    void set_pairs(std::uint32_t count) override { has_memory_.assign(count, false); }
    void reset_pair(const streams::JudgedQuery& q) override { has_memory_[q.pair] = false; }
    void load(std::span<const streams::JudgedQuery> queries) override { queries_ = queries; }
    void answer(std::size_t first, std::size_t count, Answer* out) override {
        for (std::size_t i = first; i < first + count; ++i) {
            // A pair has memory if and only if it was queried in the previous frame.
            EXPECT_EQ(has_memory_[queries_[i].pair], !queries_[i].fresh);
            has_memory_[queries_[i].pair] = true;
            (out++)->verdict = Verdict::separated;
        }
    }

  private:
    std::vector<bool> has_memory_;
    std::span<const streams::JudgedQuery> queries_;
};

TEST(ConvexRows, patterns_select_rows_and_invalid_patterns_are_errors) {
    EXPECT_EQ(convex_rows({}, false).value().size(), 3u * 4 * 3 * 3);
    EXPECT_EQ(convex_rows({}, true).value().size(), 3u * 2);
    EXPECT_EQ(convex_rows({"rod/100/5"}, false).value().size(), 3u);
    EXPECT_EQ(convex_rows({"*/20/5/10", "rod/20/5/10"}, false).value().size(), 3u);
    EXPECT_EQ(convex_rows({"plate/50/7.5/1"}, false).value().at(0).name(), "plate/50/7.5/1");
    for (const char* bad : {"", "cube", "rod/9", "rod/20.5", "rod/20001", "rod/x", "rod/20/101", "rod/20/-1",
                            "rod/20/5/181", "rod/20/5/nan", "rod/20/5/10/3", "rod//5"}) {
        const auto rows = convex_rows({bad}, false);
        ASSERT_FALSE(rows.ok()) << bad;
        EXPECT_NE(rows.error().message.find("expected SHAPE"), std::string::npos);
    }
}

TEST(ConvexStream, batches_contain_every_query_once_by_frame_and_kind) {
    const JudgedStream stream = record_row({Primitive::plate_hull, 30, 5, 10}, small_effort()).value();
    EXPECT_EQ(stream.frames, 6u);
    EXPECT_EQ(stream.shapes.size(), 10u);
    std::uint32_t next = 0, near = 0, colliding = 0;
    for (std::size_t i = 0; i < stream.batches.size(); ++i) {
        const streams::QueryBatch& b = stream.batches[i];
        EXPECT_EQ(b.first, next);
        next += b.count;
        if (i > 0) {
            const streams::QueryBatch& before = stream.batches[i - 1];
            EXPECT_LT(std::pair(before.frame, before.kind), std::pair(b.frame, b.kind));
        }
        for (std::uint32_t k = b.first; k < next; ++k) {
            const streams::JudgedQuery& q = stream.queries[k];
            EXPECT_EQ(q.kind, b.kind);
            EXPECT_LT(q.pair, stream.pairs);
            EXPECT_LT(std::max(q.shape_a, q.shape_b), stream.shapes.size());
            EXPECT_TRUE(q.fresh || b.frame > 0);
            EXPECT_TRUE(q.kind == QueryKind::near || q.collides == (q.kind == QueryKind::colliding));
            near += q.kind == QueryKind::near ? 1 : 0;
            colliding += q.collides ? 1 : 0;
        }
    }
    EXPECT_EQ(next, stream.queries.size());
    EXPECT_GT(near, 0u);
    EXPECT_GT(colliding, 0u);
}

TEST(ConvexMeasure, wrong_answers_are_counted_and_caches_live_as_long_as_in_a_world) {
    const ConvexRow row{Primitive::ellipsoid_hull, 20, 5, 10};
    const JudgedStream stream = record_row(row, small_effort()).value();
    const std::vector<Entry> entries{{"always_separated", "Always separated", nullptr,
                                      [] { return std::make_unique<AlwaysSeparated>(); }}};
    const ConvexRowResult out = measure_row(row, stream, entries, small_effort());
    const auto colliding =
        std::count_if(stream.queries.begin(), stream.queries.end(), [](const auto& q) { return q.collides; });
    ASSERT_EQ(out.results.size(), 1u);
    EXPECT_EQ(out.results[0].answered, stream.queries.size());
    EXPECT_EQ(out.results[0].wrong, static_cast<std::uint64_t>(colliding));
    EXPECT_EQ(out.results[0].repeats, 2u);
}

TEST(ConvexMeasure, all_own_algorithms_answer_exactly_and_count_their_rungs) {
    for (const ConvexRow& row :
         {ConvexRow{Primitive::ellipsoid_hull, 20, 5, 10}, ConvexRow{Primitive::rod_hull, 60, 20, 40}}) {
        const JudgedStream stream = record_row(row, small_effort()).value();
        const std::vector<Entry> entries = our_entries();
        for (const PlayResult& r : measure_row(row, stream, entries, small_effort()).results) {
            if (!r.fits) continue;
            EXPECT_GT(r.answered, 0u) << r.entry->id;
            EXPECT_EQ(r.rung[1] + r.rung[2] + r.rung[3], r.answered) << r.entry->id;
            EXPECT_TRUE(!r.entry->algorithm->exact || r.wrong + r.undecided == 0) << r.entry->id;
        }
    }
}

/// Many wrong answers of a library would mean that we call it incorrectly.
TEST(ConvexMeasure, libraries_answer_correctly) {
    std::vector<Entry> entries;
    for (const Library& library : convex_libraries()) {
        EXPECT_EQ(library.missing_reason.empty(), !library.entries.empty()) << library.missing_reason;
        entries.insert(entries.end(), library.entries.begin(), library.entries.end());
    }
    if (entries.empty()) GTEST_SKIP() << "no comparison module is built";
    const ConvexRow row{Primitive::ellipsoid_hull, 100, 5, 10};
    const JudgedStream stream = record_row(row, small_effort()).value();
    for (const PlayResult& r : measure_row(row, stream, entries, small_effort()).results)
        EXPECT_LE(r.wrong + r.undecided, r.answered / 50) << r.entry->id;
}

ConvexRun run_of(const std::vector<Entry>& entries) {
    ConvexRun run;
    run.effort = small_effort();
    run.entries = entries;
    const ConvexRow row{Primitive::ellipsoid_hull, 20, 5, 10};
    run.rows.push_back(measure_row(row, record_row(row, run.effort).value(), run.entries, run.effort));
    return run;
}

TEST(ConvexReport, one_wrong_answer_of_claybox_fails_the_run_with_its_row) {
    ConvexRun run = run_of(our_entries());
    EXPECT_EQ(report_convex(run).failure, "");
    run.rows[0].results[0].wrong = 1;
    const std::string failure = report_convex(run).failure;
    EXPECT_NE(failure.find(run.entries[0].id), std::string::npos);
    EXPECT_NE(failure.find("ellipsoid/20/5/10"), std::string::npos);
}

TEST(ConvexReport, a_missing_library_is_named_with_the_reason_and_the_others_are_measured) {
    ConvexRun run = run_of(our_entries());
    EXPECT_EQ(report_convex(run).markdown.find("Not measured"), std::string::npos);
    run.missing_libraries = list_missing(
        {{"Bullet", "libbullet-dev", "not built", {}, {}, {}}, {"FCL", "libfcl-dev", "", {}, {}, {}}});
    const ExperimentReport report = report_convex(run);
    EXPECT_NE(report.markdown.find("\nNot measured: Bullet: not built.\n"), std::string::npos);
    EXPECT_EQ(report.markdown.find("Not measured: FCL"), std::string::npos);
    EXPECT_FALSE(report.measurements.empty());
    EXPECT_EQ(report.failure, "");
}

std::vector<Entry> entries_named(const std::string& id) {
    std::vector<Entry> out = our_entries();
    std::erase_if(out, [&](const Entry& e) { return e.id != id; });
    return out;
}

/// Paper: 1 to 3 iterations for separated pairs, 2 to 5 for colliding pairs, with warm start.
TEST(ConvexReport, LP_4_3_iters_most_warm_queries_are_within_the_papers_counts) {
    ConvexRun run = run_of(entries_named("interior_point"));
    ASSERT_EQ(run.rows[0].results.size(), 1u);
    const auto part = [&](std::size_t side, std::uint32_t most) {
        double within = 0, all = 0;
        for (const auto& [k, n] : run.rows[0].results[0].iterations[side]) {
            within += k <= most ? static_cast<double>(n) : 0;
            all += static_cast<double>(n);
        }
        return within / all;
    };
    EXPECT_GE(part(0, 3), 0.9);
    EXPECT_GE(part(1, 5), 0.8);
    const std::string text = report_convex(run).markdown;
    EXPECT_NE(text.find("LP-4.3-iters; ellipsoid 20): separated pairs 0: "), std::string::npos) << text;
}

TEST(ConvexReport, ratios_use_the_fastest_library_with_its_own_support_search) {
    const auto named = [](const char* id, const PairAlgorithm* algorithm, bool our_support) {
        return Entry{id, id, algorithm, [] { return std::make_unique<AlwaysSeparated>(); }, our_support};
    };
    ConvexRun run = run_of({named("best", find_pair_algorithm("gjk"), false), named("slow", nullptr, false),
                            named("fast", nullptr, false), named("helped", nullptr, true)});
    const double ns[] = {100, 900, 400, 200};
    for (std::size_t i = 0; i < 4; ++i) {
        run.rows[0].results[i].all_ns = ns[i];
        run.rows[0].results[i].spread = 0.1 * (static_cast<double>(i) + 1);
    }
    EXPECT_EQ(report_convex(run).measurements.at(0).spread, 0.1);
    const std::string text = report_convex(run).markdown;
    EXPECT_NE(text.find("| ellipsoid/20/5/10 | 100 | 400 | fast | 10 / 30 | 4.00 | 3 | yes | 2.00 |"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("1 of 1 targets are met."), std::string::npos);
    run.rows[0].results[0].all_ns = 200;
    EXPECT_NE(report_convex(run).markdown.find("| fast | 10 / 30 | 2.00 | 3 | no | 1.00 |"),
              std::string::npos);
}

TEST(ConvexReport, targets_depend_on_the_vertices_in_coherent_motion_only) {
    const auto target = [](std::uint32_t n, double step, double turn) {
        return convex_target({Primitive::rod_hull, n, step, turn});
    };
    EXPECT_EQ(target(20, 5, 10), 3);
    EXPECT_EQ(target(100, 2, 5), 5);
    EXPECT_EQ(target(500, 5, 5), 8);
    EXPECT_EQ(target(2000, 2, 10), 20);
    EXPECT_EQ(target(2000, 20, 10), 1.5);
    EXPECT_EQ(target(20, 5, 40), 1.5);
}

}  // namespace
}  // namespace claybox::bench
