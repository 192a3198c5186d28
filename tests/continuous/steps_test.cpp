// What the traces of continuous algorithms contain.

#include "collision/core/trace_record.hpp"
#include "tests/continuous/motions.hpp"

#include <map>
#include <set>

namespace claybox::test {
namespace {

std::set<std::string> shown_labels(const ContinuousAlgorithm& algorithm, const MovingPair& p) {
    static constexpr const char* kSpaces[] = {"", "difference: ", "directions: "};
    Scratch scratch;
    PairCache cache;
    TraceRecord trace;
    const ContinuousQuery query = make_query(p, scratch);
    const ContinuousResult traced = run_continuous(algorithm, query, cache, &trace);
    EXPECT_EQ(traced.verdict, run(algorithm, p).verdict) << algorithm.id << ": the trace changes no answer";
    std::set<std::string> out;
    for (const TraceItem& item : trace.items()) {
        out.insert(kSpaces[static_cast<std::size_t>(item.space)] + std::string(item.label));
        if (item.label == std::string_view("time")) {
            EXPECT_TRUE(item.number >= 0 && item.number <= 1) << algorithm.id << ": " << item.number;
        }
    }
    return out;
}

TEST(ContinuousSteps, every_algorithm_reports_what_its_steps_are_about) {
    const std::map<std::string, std::vector<const char*>> expected{
        {"best_continuous",
         {"time", "distance (m)", "difference: simplex", "difference: distance", "gap along the axis (m)",
          "difference: relative motion", "difference: portal", "difference: support",
          "difference: supporting plane"}},
        {"moving_gjk",
         {"time", "gap along the axis (m)", "difference: relative motion", "difference: simplex",
          "difference: x, on the motion", "difference: support", "difference: supporting plane"}},
        {"interframe_lp", {"columns", "iterations", "separating plane"}},
        {"screw_motion", {"angle", "pitch", "axis", "time", "normal"}},
    };
    std::vector<MovingPair> pairs = linear_pairs(40, 3);
    const std::vector<MovingPair> turning = screw_pairs(30, 4);
    pairs.insert(pairs.end(), turning.begin(), turning.end());
    for (const ContinuousAlgorithm* algorithm : continuous_algorithms()) {
        const auto line = expected.find(algorithm->id);
        ASSERT_NE(line, expected.end()) << algorithm->id << " has no line in this test";
        std::set<std::string> seen;
        for (const MovingPair& p : pairs)
            if (fits(*algorithm, p)) seen.merge(shown_labels(*algorithm, p));
        for (const char* label : line->second)
            EXPECT_TRUE(seen.contains(label)) << algorithm->id << ": " << label;
    }
}

}  // namespace
}  // namespace claybox::test
