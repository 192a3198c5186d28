#include "bench/contestants/contestant.hpp"
#include "tests/experiments/quick.hpp"

namespace claybox::test {
namespace {

TEST(ContinuousExperiment, finds_every_hit_and_prints_the_papers_table) {
    bench::ExperimentOptions options;
    options.quick = true;
    options.rows = {"cube", "torus", "hull/20"};
    const auto report = bench::find_experiment("continuous")->run(options);
    ASSERT_TRUE(report.ok()) << report.error().text();
    EXPECT_EQ(report.value().failure, "");
    EXPECT_NE(report.value().markdown.find("| cubes | 56 | 63 | 77 |"), std::string::npos);
    int ours = 0;
    for (const bench::Measurement& m : report.value().measurements) {
        EXPECT_GT(m.ns, 0) << m.name;
        ours += m.name.ends_with("/best_continuous") ? 1 : 0;
    }
    EXPECT_EQ(ours, 3);
}

TEST(ContinuousExperiment, an_unknown_row_or_contestant_is_an_error) {
    bench::ExperimentOptions options;
    options.quick = true;
    options.rows = {"sphere"};
    EXPECT_FALSE(bench::find_experiment("continuous")->run(options).ok());
    options.rows = {"cube"};
    options.algorithms = {"nonsense"};
    EXPECT_FALSE(bench::find_experiment("continuous")->run(options).ok());
}

}  // namespace
}  // namespace claybox::test
