// The experiment `broad`: cage, reference, counts, tables. No check depends on times.

#include "bench/experiments/broad/broad_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace claybox::bench {
namespace {

using namespace collision;
using streams::BoxCage;
using streams::BoxMotion;
using streams::digest_of;
using streams::PlainGrid;

BroadEffort small_effort() {
    BroadEffort out;
    out.frames = 12;
    out.long_frames = 30;
    out.block = 5;
    out.seconds = out.long_seconds = 0.5;
    return out;
}

std::vector<PairKey> by_double_loop(std::span<const Aabb> boxes) {
    std::vector<PairKey> out;
    for (std::uint32_t a = 0; a < boxes.size(); ++a)
        for (std::uint32_t b = a + 1; b < boxes.size(); ++b)
            if (overlap(boxes[a], boxes[b])) out.push_back(make_pair_key(a, b));
    return out;
}

TEST(BroadRows, patterns_select_rows_and_invalid_patterns_are_errors) {
    EXPECT_EQ(broad_rows({}, false).value().size(), 10u);
    EXPECT_EQ(broad_rows({}, true).value().size(), 4u);
    EXPECT_EQ(broad_rows({"all"}, false).value().size(), 3u);
    EXPECT_EQ(broad_rows({"*/10000", "few/10000"}, false).value().size(), 3u);
    EXPECT_EQ(broad_rows({"few/50"}, false).value().at(0).name(), "few/50");
    for (const char* bad : {"", "some", "all/9", "all/1000001", "all/12.5", "all/100/3", "*/77"}) {
        const auto rows = broad_rows({bad}, false);
        ASSERT_FALSE(rows.ok()) << bad;
        EXPECT_NE(rows.error().message.find("expected all[/BODIES]"), std::string::npos);
    }
}

TEST(BoxCage, boxes_overlap_two_to_four_others_stay_inside_and_move_by_1_to_5_percent) {
    for (const std::uint32_t bodies : {300u, 3000u}) {
        BoxCage cage(bodies, BoxMotion::all, 3);
        std::vector<Aabb> before(cage.boxes().begin(), cage.boxes().end());
        for (int frame = 0; frame < 100; ++frame) cage.advance();
        double neighbours = 2.0 * static_cast<double>(by_double_loop(cage.boxes()).size()) / bodies;
        EXPECT_GT(neighbours, 2);
        EXPECT_LT(neighbours, 4);
        before.assign(cage.boxes().begin(), cage.boxes().end());
        cage.advance();
        EXPECT_EQ(cage.moved().size(), bodies);
        for (std::size_t i = 0; i < bodies; ++i) {
            const Aabb& box = cage.boxes()[i];
            const Vec3f side = box.max - box.min;
            EXPECT_EQ(side, before[i].max - before[i].min) << "exact in float";
            const float step = length(box.min - before[i].min), size = (side.x + side.y + side.z) / 3;
            EXPECT_GT(step, 0.0099f * size);
            EXPECT_LT(step, 0.0501f * size);
            for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(std::max(-box.min[k], box.max[k]), cage.reach());
        }
    }
}

TEST(BoxCage, few_moves_the_same_1_percent_and_turns_moves_all_over_time) {
    BoxCage few(400, BoxMotion::few, 1), turns(400, BoxMotion::turns, 1);
    std::set<std::uint32_t> in_few, in_turns;
    for (int frame = 0; frame < 100; ++frame) {
        const std::vector<Aabb> before(turns.boxes().begin(), turns.boxes().end());
        few.advance();
        turns.advance();
        EXPECT_EQ(few.moved().size(), 4u);
        std::set<std::uint32_t> changed;
        for (std::uint32_t i = 0; i < 400; ++i)
            if (!(turns.boxes()[i] == before[i])) changed.insert(i);
        EXPECT_EQ(changed, std::set<std::uint32_t>(turns.moved().begin(), turns.moved().end()));
        in_few.insert(few.moved().begin(), few.moved().end());
        in_turns.insert(turns.moved().begin(), turns.moved().end());
    }
    EXPECT_EQ(in_few.size(), 4u);
    EXPECT_EQ(in_turns.size(), 400u);
}

TEST(PlainGrid, finds_the_same_pairs_as_a_double_loop) {
    PlainGrid grid;
    BoxCage cage(500, BoxMotion::all, 5);
    for (int frame = 0; frame < 20; ++frame) {
        cage.advance();
        std::vector<PairKey> found(grid.find(cage.boxes()).begin(), grid.find(cage.boxes()).end());
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, by_double_loop(cage.boxes()));
    }
    const std::vector<Aabb> same(40, Aabb{{1, 2, 3}, {4, 5, 6}});
    EXPECT_EQ(grid.find(same).size(), 40u * 39 / 2);
    EXPECT_TRUE(grid.find({}).empty());
}

TEST(BroadMeasure, all_own_broad_phases_and_libraries_find_all_pairs) {
    std::vector<BroadEntry> entries = our_broad_entries();
    ASSERT_FALSE(entries.empty());
    for (const Library& library : broad_libraries()) {
        EXPECT_EQ(library.missing_reason.empty(), !library.broad.empty()) << library.missing_reason;
        entries.insert(entries.end(), library.broad.begin(), library.broad.end());
    }
    for (const char* name : {"all/300", "few/300", "turns/300", "long/200"}) {
        const BroadRowResult row =
            measure_broad(broad_rows({name}, false).value().at(0), entries, small_effort());
        EXPECT_GT(row.pairs, 100);
        for (const BroadResult& r : row.results) {
            EXPECT_GT(r.answered, 3u) << r.entry->id;
            EXPECT_EQ(r.wrong, 0u) << r.entry->id << ' ' << name;
        }
    }
}

/// Alternately omits one pair and reports one pair twice.
class WrongPairs final : public BroadContestant {
  public:
    void insert(std::span<const Aabb>) override {}
    void load(std::span<const std::uint32_t>, std::span<const Aabb> boxes) override {
        pairs_ = by_double_loop(boxes);
        if (++frames_ % 2 == 0)
            pairs_.pop_back();
        else
            pairs_.push_back(pairs_.front());
    }
    void update() override {}
    std::span<const PairKey> find() override { return pairs_; }

  private:
    int frames_ = 0;
    std::vector<PairKey> pairs_;
};

TEST(BroadMeasure, one_missing_and_one_extra_pair_are_detected_in_every_frame) {
    const std::vector<BroadEntry> entries{
        {"wrong_pairs", "Wrong pairs", true, 1000, [] { return std::make_unique<WrongPairs>(); }},
        {"small", "Small", false, 10, [] { return std::make_unique<WrongPairs>(); }}};
    BroadRun run;
    run.effort = small_effort();
    run.entries = entries;
    run.rows.push_back(measure_broad({BroadPart::all, 50}, run.entries, run.effort));
    const BroadResult& r = run.rows[0].results[0];
    EXPECT_EQ(r.answered, 12u);
    EXPECT_EQ(r.wrong, 12u);
    EXPECT_EQ(r.max_missing, 1u);
    EXPECT_EQ(r.max_extra, 1u);
    EXPECT_FALSE(run.rows[0].results[1].fits);
    const ExperimentReport report = report_broad(run);
    EXPECT_NE(report.failure.find("wrong_pairs reports wrong pairs in 12 of 12 frames of all/50"),
              std::string::npos)
        << report.failure;
    EXPECT_NE(report.markdown.find("| small | n/a |"), std::string::npos) << report.markdown;
}

TEST(BroadReport, ratios_use_the_fastest_library_that_found_all_pairs) {
    BroadRun run;
    run.effort = small_effort();
    for (const char* id : {"best", "slow", "fast", "wrong"})
        run.entries.push_back({id, id, id == std::string("best"), 1000000, nullptr});
    for (const std::uint32_t bodies : {10000u, 100000u}) {
        BroadRowResult row;
        row.row = {BroadPart::all, bodies};
        const double ms[] = {1, 9, 6, 2};
        for (std::size_t i = 0; i < 4; ++i) {
            BroadResult r;
            r.entry = &run.entries[i];
            r.frame_ms = ms[i] * (bodies == 10000 ? 1 : 13.5);
            r.spread = 0.1 * (static_cast<double>(i) + 1);
            r.frames = r.answered = 5;
            r.wrong = i == 3 ? 2 : 0;
            row.results.push_back(r);
        }
        run.rows.push_back(row);
    }
    const ExperimentReport report = report_broad(run);
    EXPECT_EQ(report.failure, "");
    EXPECT_EQ(report.measurements.at(1).spread, 0.2);
    EXPECT_NE(report.markdown.find("| 1.00 | 6.00 | fast | 10 / 30 | 6.0 | 5 | yes | best |"),
              std::string::npos)
        << report.markdown;
    EXPECT_NE(report.markdown.find("2 of 2 targets are met."), std::string::npos);
    EXPECT_NE(report.markdown.find("all/100000, ms per frame | 13.50 | < 12 | no |"), std::string::npos);
    EXPECT_NE(report.markdown.find("all moving | 1.35 | < 1.3 | no |"), std::string::npos);
}

}  // namespace
}  // namespace claybox::bench
