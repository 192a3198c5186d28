#pragma once
// What a repeated experiment of a paper has found: claims with a judgement, tables, plots and values. Plain
// data: written to JSON, merged, and shown as a report.

#include <string>
#include <utility>
#include <vector>

namespace claybox::bench {

enum class Judgement : unsigned char {
    holds,     ///< what the paper says is true here too
    differs,   ///< it is not; the note says why
    machine,   ///< depends on the machine, or the paper gives no number: both are only shown
    doubtful,  ///< the printed number is probably wrong
    refused,   ///< the times of this run vary too much to judge
};
inline constexpr int kJudgementCount = 5;
const char* to_string(Judgement judgement);

/// One published statement beside the result of this run.
struct Claim {
    std::string what;       ///< "decided within 3 steps, rods, separated pairs"
    std::string published;  ///< "> 95 %"
    std::string measured;   ///< "97.2 %"
    Judgement judgement = Judgement::machine;
    std::string note;  ///< the reason, or what is different here; may be empty
};

/// A table; the first `words` columns are text.
struct FindingsTable {
    std::string title;
    std::size_t words = 1;
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;
    std::vector<std::size_t> breaks =
        {};  ///< indices of points before which the line is interrupted, ascending
};

/// A figure of the paper, drawn with the values of this run.
struct Plot {
    std::string title, x, y;  ///< titles of the figure and its axes, with units
    bool log_x = false, log_y = false;
    std::vector<Curve> curves;
};

/// A number that can be compared with an earlier run on the same machine.
struct FindingsValue {
    std::string name;
    double value = 0;
    std::string unit;   ///< "ns", "us" and "ms": smaller is better; others are not compared
    double spread = 0;  ///< interquartile range divided by the median
};

struct Findings {
    std::vector<Claim> claims;
    std::vector<FindingsTable> tables;
    std::vector<Plot> plots;
    std::vector<FindingsValue> values;
    std::vector<std::string> notes;  ///< sentences about the set-up of this run
    std::string failure;             ///< first wrong answer of an exact algorithm; empty if none
};

/// `measured` of a claim that holds or differs.
Claim judged(std::string what, std::string published, std::string measured, bool holds,
             std::string note = {});
/// A claim that depends on the machine.
Claim shown(std::string what, std::string published, std::string measured, std::string note = {});

}  // namespace claybox::bench
