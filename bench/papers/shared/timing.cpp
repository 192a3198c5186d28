#include "bench/papers/shared/timing.hpp"

#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"

#include <algorithm>

namespace claybox::bench {

Steady steady_of(std::vector<double> values) {
    if (values.empty()) return {};
    const double spread = spread_of(values);
    return {median(std::move(values)), spread};
}

std::vector<Timing> time_in_turn(const std::vector<Round>& subjects, int rounds) {
    std::vector<Timing> out(subjects.size());
    for (const Round& subject : subjects) (void)subject();
    const auto usable = [&] {
        return std::all_of(out.begin(), out.end(), [](const Timing& t) { return t.steady().usable(); });
    };
    for (int round = 0; round < 3 * rounds; ++round) {
        if (round >= rounds && round % rounds == 0 && usable()) break;
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            const std::size_t next = (i + static_cast<std::size_t>(round)) % subjects.size();
            out[next].ns.push_back(subjects[next]());
        }
    }
    return out;
}

Steady ratio_of(const Timing& a, const Timing& b) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(a.ns.size(), b.ns.size()); ++i)
        if (b.ns[i] > 0) ratios.push_back(a.ns[i] / b.ns[i]);
    return steady_of(std::move(ratios));
}

std::string ratio_text(const Steady& ratio) {
    std::string out = format_number("%.2f", ratio.median);
    if (!ratio.usable()) out += format_number(" (spread %.0f %%)", 100 * ratio.spread);
    return out;
}

}  // namespace claybox::bench
