// The experiment `parallel`: rows, equal states, winners of races. No check depends on times.

#include "bench/experiments/shared/tables.hpp"
#include "tests/experiments/quick.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::bench {
namespace {

double counter(const Measurement& m, const std::string& name) {
    for (const auto& [known, value] : m.counters)
        if (known == name) return value;
    ADD_FAILURE() << m.name << " has no " << name;
    return 0;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Every measurement has speed-up, efficiency and a spread in the table, and all modes end in the same state.
void expect_good(const ExperimentReport& report, std::size_t min_count) {
    EXPECT_EQ(report.failure, "");
    EXPECT_GE(report.measurements.size(), min_count);
    for (const Measurement& m : report.measurements) {
        EXPECT_GT(m.ns, 0) << m.name;
        EXPECT_NEAR(counter(m, "efficiency"), counter(m, "speed_up") / counter(m, "workers"), 1e-12)
            << m.name;
        if (ends_with(m.name, "/serial")) {
            EXPECT_EQ(counter(m, "speed_up"), 1) << m.name;
        }
        const std::string cells = "| " + format_number("%.3f", 1e-6 * m.ns) + " | " +
                                  format_number("%.0f", 100 * m.spread) + " | " +
                                  format_number("%.2f", counter(m, "speed_up")) + " |";
        EXPECT_NE(report.markdown.find(cells), std::string::npos) << m.name << ": expected " << cells;
    }
}

TEST(ParallelExperiment, Z_6_6_X1_coarse_grain_runs_the_four_loads_of_the_figure) {
    expect_good(quick("parallel", {"X1"}), 4 * 2);
}

TEST(ParallelExperiment, Z_6_6_X2_halves_are_printed_next_to_the_thesis_speed_ups) {
    const ExperimentReport report = quick("parallel", {"X2"});
    expect_good(report, 4 * 2);
    for (const char* thesis : {"1.15", "1.73", "1.76", "1.83"})
        EXPECT_NE(report.markdown.find(std::string("| ") + thesis + " |"), std::string::npos) << thesis;
    for (const Measurement& m : report.measurements)
        if (ends_with(m.name, "/halves_2")) {
            EXPECT_GT(counter(m, "shared_pairs"), 0) << m.name;
            EXPECT_EQ(counter(m, "parts"), 2 * counter(m, "shared_pairs")) << m.name;
        }
}

TEST(ParallelExperiment, Z_6_6_X3_dual_algorithms_of_two_bodies_are_printed_next_to_the_thesis) {
    const ExperimentReport report = quick("parallel", {"X3"});
    expect_good(report, 6 * 2);
    for (const char* thesis : {"1.5", "3.5", "2", "1.9", "1.75", "2.8"})
        EXPECT_NE(report.markdown.find(std::string("| ") + thesis + " |"), std::string::npos) << thesis;
}

TEST(ParallelExperiment, Z_6_6_X4_dual_algorithms_of_many_bodies_report_winner_and_latency) {
    const ExperimentReport report = quick("parallel", {"X4"});
    expect_good(report, 2 * 3);
    for (const Measurement& m : report.measurements)
        if (ends_with(m.name, "/dual_2")) {
            EXPECT_GT(counter(m, "gap_first_percent"), 0) << m.name;
            EXPECT_GE(counter(m, "us_to_stop"), 0) << m.name;
        }
}

TEST(ParallelExperiment, own_rows_have_equal_states_in_all_modes) {
    expect_good(quick("parallel", {"cage", "mixed", "jojo", "tori", "spheres"}), 22);
}

TEST(ParallelExperiment, unknown_rows_and_algorithms_are_errors) {
    ExperimentOptions options;
    options.rows = {"nothing"};
    EXPECT_FALSE(find_experiment("parallel")->run(options).ok());
    options.rows.clear();
    options.algorithms = {"gjk"};
    EXPECT_FALSE(find_experiment("parallel")->run(options).ok());
}

}  // namespace
}  // namespace claybox::bench
