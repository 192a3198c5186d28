#include "bench/experiments/shared/busy_work.hpp"

#include "bench/experiments/shared/measure.hpp"

#include <algorithm>

namespace claybox::bench {

void busy_work(std::uint64_t rounds) {
    double x = 0.5;
    for (std::uint64_t i = 0; i < rounds; ++i) x = 3.7 * x * (1 - x);
    [[maybe_unused]] const volatile double kept = x;  // or the compiler removes the loop
}

std::uint64_t rounds_of_work(double ns) {
    constexpr std::uint64_t kTrialRounds = 400000;
    double shortest = 1e30;
    for (int i = 0; i < 25; ++i) {
        const double start = now_ns();
        busy_work(kTrialRounds);
        shortest = std::min(shortest, now_ns() - start);
    }
    return static_cast<std::uint64_t>(static_cast<double>(kTrialRounds) * ns / shortest);
}

}  // namespace claybox::bench
