// Short runs of the experiments `concurrent` and `soak`. No check depends on times.

#include "tests/experiments/quick.hpp"

#include <gtest/gtest.h>

namespace claybox::bench {
namespace {

double counter(const Measurement& m, const std::string& name) {
    for (const auto& [key, value] : m.counters)
        if (key == name) return value;
    ADD_FAILURE() << m.name << " has no " << name;
    return 0;
}

TEST(ConcurrentExperiment,
     Z_7_4_swap_100_movers_are_never_lost_and_Z_6_4_snap_events_name_the_frames_of_their_poses) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const ExperimentReport report = quick("concurrent", {"lost"}, seed);
        EXPECT_EQ(report.failure, "");
        ASSERT_EQ(report.measurements.size(), 1u);
        const Measurement& m = report.measurements[0];
        EXPECT_GE(m.queries, 3000u);
        EXPECT_GT(counter(m, "events"), 3000);
        EXPECT_GT(counter(m, "responses"), 100);
        EXPECT_GE(counter(m, "comparisons"), 2);
    }
}

TEST(ConcurrentExperiment, Z_6_4_conc_prints_call_latencies_and_frame_times) {
    const ExperimentReport report = quick("concurrent", {"latency", "frames"});
    EXPECT_EQ(report.failure, "");
    ASSERT_EQ(report.measurements.size(), 4u + 2 * 3);
    EXPECT_EQ(report.measurements[1].name, "concurrent/latency/move");
    EXPECT_EQ(report.measurements[1].queries, 20000u);
    EXPECT_GE(counter(report.measurements[1], "max_us"), counter(report.measurements[1], "p99.99_us"));
    for (const char* word : {"p99.99", "max", "concurrent", "serial", "| off"})
        EXPECT_NE(report.markdown.find(word), std::string::npos) << word;
}

TEST(SoakExperiment, short_run_finds_no_fault_and_performs_all_actions) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const ExperimentReport report = quick("soak", {}, seed);
        EXPECT_EQ(report.failure, "");
        ASSERT_EQ(report.measurements.size(), 1u);
        EXPECT_EQ(report.measurements[0].queries, 400u);
        EXPECT_EQ(counter(report.measurements[0], "comparisons"), 10);
        EXPECT_GT(counter(report.measurements[0], "switches"), 20);
        EXPECT_GT(counter(report.measurements[0], "events"), 1000);
    }
}

// The thesis' rules for measurements: equal conditions, no randomness, many frames, reported spread.
TEST(ConcurrentExperiment, Z_7_4_lessons_equal_seeds_give_equal_work_and_tables_show_the_spread) {
    for (const char* id : {"broad", "space"}) {
        ExperimentOptions options;
        options.quick = true;
        options.rows = {id == std::string("broad") ? "all/1000" : "levels"};
        const auto first = find_experiment(id)->run(options), again = find_experiment(id)->run(options);
        ASSERT_TRUE(first.ok() && again.ok()) << id;
        ASSERT_EQ(first.value().measurements.size(), again.value().measurements.size());
        for (std::size_t i = 0; i < first.value().measurements.size(); ++i) {
            const Measurement &x = first.value().measurements[i], &y = again.value().measurements[i];
            EXPECT_EQ(x.name, y.name);
            for (const auto& [name, value] : x.counters)
                if (name == "pairs" || name.starts_with("percent")) {
                    EXPECT_EQ(value, counter(y, name)) << x.name << name;
                }
        }
        EXPECT_FALSE(first.value().context.empty());
    }
    const ExperimentReport report = quick("concurrent", {"frames"});
    for (const char* word : {"p50", "p95", "p99", "max"})
        EXPECT_NE(report.markdown.find(word), std::string::npos) << word;
}

TEST(SoakExperiment, unknown_row_is_an_error) {
    ExperimentOptions options;
    options.rows = {"something"};
    EXPECT_FALSE(find_experiment("soak")->run(options).ok());
    EXPECT_FALSE(find_experiment("concurrent")->run(options).ok());
}

}  // namespace
}  // namespace claybox::bench
