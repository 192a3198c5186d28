// The experiment of the parallel modes: its rows, states that agree, and who answered. No timing decides.

#include "bench/experiments/experiment.hpp"

#include <gtest/gtest.h>

#include <map>

namespace claybox::bench {
namespace {

ExperimentReport quick(const std::vector<std::string>& rows) {
    ExperimentOptions options;
    options.quick = true;
    options.rows = rows;
    auto report = find_experiment("parallel")->run(options);
    EXPECT_TRUE(report.ok());
    return report.ok() ? report.value() : ExperimentReport{};
}

double counter(const Measurement& m, const std::string& name) {
    for (const auto& [known, value] : m.counters)
        if (known == name) return value;
    ADD_FAILURE() << m.name << " has no " << name;
    return 0;
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Every measurement has its speed-up and efficiency, and no mode ends in another state.
void expect_good(const ExperimentReport& report, std::size_t least) {
    EXPECT_EQ(report.failure, "");
    EXPECT_GE(report.measurements.size(), least);
    for (const Measurement& m : report.measurements) {
        EXPECT_GT(m.ns, 0) << m.name;
        EXPECT_NEAR(counter(m, "efficiency"), counter(m, "speed_up") / counter(m, "workers"), 1e-12)
            << m.name;
        if (ends_with(m.name, "/serial")) {
            EXPECT_EQ(counter(m, "speed_up"), 1) << m.name;
        }
    }
}

TEST(ParallelExperiment, Z_6_6_X1_coarse_grain_plays_the_four_loads_of_the_figure) {
    expect_good(quick({"X1"}), 4 * 2);
}

TEST(ParallelExperiment, Z_6_6_X2_halves_stand_beside_the_speed_ups_of_the_table) {
    const ExperimentReport report = quick({"X2"});
    expect_good(report, 4 * 2);
    for (const char* thesis : {"1.15", "1.73", "1.76", "1.83"})
        EXPECT_NE(report.markdown.find(std::string("| ") + thesis + " |"), std::string::npos) << thesis;
    for (const Measurement& m : report.measurements)
        if (ends_with(m.name, "/halves_2")) {
            EXPECT_GT(counter(m, "shared_pairs"), 0) << m.name;
            EXPECT_EQ(counter(m, "parts"), 2 * counter(m, "shared_pairs")) << m.name;
        }
}

TEST(ParallelExperiment, Z_6_6_X3_dual_algorithms_of_two_bodies_stand_beside_the_table) {
    const ExperimentReport report = quick({"X3"});
    expect_good(report, 6 * 2);
    for (const char* thesis : {"1.5", "3.5", "2", "1.9", "1.75", "2.8"})
        EXPECT_NE(report.markdown.find(std::string("| ") + thesis + " |"), std::string::npos) << thesis;
}

TEST(ParallelExperiment, Z_6_6_X4_dual_algorithms_of_many_bodies_tell_who_was_first_and_the_latency) {
    const ExperimentReport report = quick({"X4"});
    expect_good(report, 2 * 3);
    for (const Measurement& m : report.measurements)
        if (ends_with(m.name, "/dual_2")) {
            EXPECT_GT(counter(m, "gap_first_percent"), 0) << m.name;
            EXPECT_GE(counter(m, "us_to_listen"), 0) << m.name;
        }
}

TEST(ParallelExperiment, own_rows_agree_in_all_modes) {
    expect_good(quick({"cage", "mixed", "jojo", "tori", "spheres"}), 22);
}

TEST(ParallelExperiment, unknown_rows_and_algorithms_are_refused) {
    ExperimentOptions options;
    options.rows = {"nothing"};
    EXPECT_FALSE(find_experiment("parallel")->run(options).ok());
    options.rows.clear();
    options.algorithms = {"gjk"};
    EXPECT_FALSE(find_experiment("parallel")->run(options).ok());
}

}  // namespace
}  // namespace claybox::bench
