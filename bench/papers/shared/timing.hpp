#pragma once
// Times of several subjects, measured in turn, with their spread.

#include <functional>
#include <string>
#include <vector>

namespace claybox::bench {

/// A wider spread makes a comparison of times worthless; see Z-7.4 of the checklist.
inline constexpr double kWidestSpread = 0.25;

/// A median and the interquartile range divided by it.
struct Steady {
    double median = 0, spread = 0;
    bool usable() const { return spread <= kWidestSpread; }
};
Steady steady_of(std::vector<double> values);

/// The times of one subject, by round.
struct Timing {
    std::vector<double> ns;
    Steady steady() const { return steady_of(ns); }
};

/// One round of a subject: does its work and returns the nanoseconds that count.
using Round = std::function<double()>;

/// Calls all subjects in turn in every round, so that other load slows all of them. The first round is a
/// warm-up and is not counted. If a spread stays too wide, up to twice as many rounds follow.
std::vector<Timing> time_in_turn(const std::vector<Round>& subjects, int rounds);

/// The ratio of times of the same round: `a` / `b`.
Steady ratio_of(const Timing& a, const Timing& b);

/// "2.31", or "2.31 (spread 40 %)" if it is too wide.
std::string ratio_text(const Steady& ratio);

}  // namespace claybox::bench
