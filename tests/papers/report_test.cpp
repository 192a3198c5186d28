// Tables read from Markdown, spreads, plots, reports and comparisons of runs.

#include "bench/papers/report/report.hpp"

#include "bench/papers/report/svg_plot.hpp"
#include "bench/papers/shared/from_experiment.hpp"
#include "bench/papers/shared/timing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace claybox::bench {
namespace {

TEST(PaperReport, tables_are_read_from_markdown_with_their_titles) {
    const auto tables = tables_of(
        "# A\n\ntext | no table\n\n| x | y |\n|---|---:|\n| a | 1 |\n| b | |\n\n## B\n| z |\n|--:|\n| 3 |\n");
    ASSERT_EQ(tables.size(), 2u);
    EXPECT_EQ(tables[0].title, "A");
    EXPECT_EQ(tables[0].words, 1u);
    EXPECT_EQ(tables[0].head, (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(tables[0].rows, (std::vector<std::vector<std::string>>{{"a", "1"}, {"b", ""}}));
    EXPECT_EQ(tables[1].title, "B");
    EXPECT_EQ(tables[1].words, 0u);
}

TEST(PaperReport, wide_spreads_refuse_a_judgement) {
    EXPECT_TRUE(steady_of({10, 10.5, 11, 10, 10.2}).usable());
    const Steady wide = steady_of({10, 20, 30, 40, 50});
    EXPECT_FALSE(wide.usable());
    EXPECT_NE(ratio_text(wide).find("spread"), std::string::npos);
    EXPECT_EQ(unless_refused(false, judged("a", "b", "c", true)).judgement, Judgement::refused);
    EXPECT_EQ(unless_refused(true, judged("a", "b", "c", true)).judgement, Judgement::holds);
}

TEST(PaperReport, time_in_turn_calls_subjects_alternately_and_drops_the_warm_up) {
    std::vector<int> calls;
    const auto times = time_in_turn({[&] {
                                         calls.push_back(0);
                                         return 100.0;
                                     },
                                     [&] {
                                         calls.push_back(1);
                                         return 50.0;
                                     }},
                                    3);
    EXPECT_EQ(calls.size(), 8u);
    EXPECT_EQ(times[0].ns, (std::vector<double>{100, 100, 100}));
    EXPECT_DOUBLE_EQ(ratio_of(times[0], times[1]).median, 2);
    int n = 0;
    const auto noisy = time_in_turn({[&] { return ++n % 2 == 0 ? 10.0 : 100.0; }}, 4);
    EXPECT_EQ(noisy[0].ns.size(), 12u);  // repeated, because the spread is wide
}

TEST(PaperReport, plots_leave_out_what_no_axis_can_show) {
    const Plot plot{"T < U", "x",  "y",
                    true,    true, {{"c", {{1, 2}, {10, NAN}, {0, 3}, {100, 50}, {5, -1}}}, {"none", {}}}};
    const std::string svg = svg_of(plot);
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
    EXPECT_NE(svg.find("T &lt; U"), std::string::npos);
    EXPECT_EQ(svg.find("T < U"), std::string::npos);
    for (const Plot& empty : {Plot{}, Plot{"one point", "x", "y", false, false, {{"c", {{3, 3}}}}},
                              Plot{"flat", "x", "y", false, true, {{"c", {{1, 5}, {2, 5}}}}}}) {
        const std::string text = svg_of(empty);
        EXPECT_EQ(text.find("nan"), std::string::npos) << empty.title;
        EXPECT_EQ(text.find("inf"), std::string::npos) << empty.title;
    }
}

Report small_report(double ns, double spread) {
    Report out;
    out.context = {{"processor", "two <cores>"}};
    Findings f;
    f.claims = {judged("a & b", "< 1 %", "0.5 %", true), judged("c", "2", "1", false, "because"),
                shown("d", "", "3")};
    f.tables = {{"Table", 1, {"x", "y"}, {{"one", "1"}}}};
    f.plots = {{"Plot", "x", "y", false, false, {{"c", {{1, 2}, {2, 3}}}}}};
    f.values = {{"time", ns, "ns", spread}, {"size", ns, "bytes", 0}};
    out.entries = {{"CW-X1", "source", "title", "setup", f}};
    return out;
}

TEST(PaperReport, html_is_self_contained_and_escaped) {
    const std::string html = report_html(small_report(10, 0));
    EXPECT_NE(html.find("<svg"), std::string::npos);
    EXPECT_NE(html.find("a &amp; b"), std::string::npos);
    EXPECT_NE(html.find("two &lt;cores&gt;"), std::string::npos);
    for (const char* outside : {"src=", "<link", "@import", "<script"})
        EXPECT_EQ(html.find(outside), std::string::npos);
    EXPECT_NE(html.find("1 holds"), std::string::npos);
}

TEST(PaperReport, markdown_has_claims_notes_tables_and_plots) {
    const std::string text = report_markdown(small_report(10, 0), "plots");
    EXPECT_NE(text.find("| c | 2 | 1 | differs (1) |"), std::string::npos);
    EXPECT_NE(text.find("(1) because"), std::string::npos);
    EXPECT_NE(text.find("![Plot](plots/CW-X1-1.svg)"), std::string::npos);
    EXPECT_EQ(count_claims(small_report(10, 0))[static_cast<std::size_t>(Judgement::differs)], 1u);
}

TEST(PaperReport, compare_names_times_that_have_become_worse_beyond_their_spread) {
    EXPECT_TRUE(compare(small_report(10.5, 0), small_report(10, 0)).empty());
    EXPECT_TRUE(compare(small_report(13, 0.2), small_report(10, 0.2)).empty());
    EXPECT_TRUE(compare(small_report(5, 0), small_report(10, 0)).empty());
    const auto slower = compare(small_report(15, 0.1), small_report(10, 0.1));
    ASSERT_EQ(slower.size(), 1u);  // bytes are not compared
    EXPECT_NE(slower[0].find("CW-X1, time: 15 ns instead of 10, 50 % slower"), std::string::npos)
        << slower[0];
}

}  // namespace
}  // namespace claybox::bench
