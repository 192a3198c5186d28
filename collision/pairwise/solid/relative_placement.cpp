#include "collision/pairwise/solid/relative_placement.hpp"

#include "collision/core/random.hpp"

#include <bit>

namespace claybox::collision {

namespace {

struct Difference {
    double high, low;
};

/// y - x as its rounded value and the remainder. Their sum is exact (Knuth) and the same for all x and y with
/// the same difference.
Difference exact_difference(double x, double y) {
    const double high = y - x, minus_x = high - y;
    const double low = (y - (high - minus_x)) - (x + minus_x);
    return {high + 0.0, low + 0.0};  // + 0.0 removes the sign of zero
}

}  // namespace

RelativePlacement relative_placement(const Matrix34f& world_from_a, const Matrix34f& world_from_b) {
    RelativePlacement out{{0x8a5cd789635d2dffull, 0x121fd2155c472f96ull}};
    const auto add = [&](std::uint64_t bits) {
        out.hash[0] = mix64(out.hash[0] ^ bits);
        out.hash[1] = mix64(out.hash[1] + bits * 0x9e3779b97f4a7c15ull);
    };
    const auto &a = world_from_a.m, &b = world_from_b.m;
    for (std::size_t i = 0; i < 12; ++i) {
        if (i % 4 != 3) {
            add(std::bit_cast<std::uint32_t>(a[i]) | std::uint64_t{std::bit_cast<std::uint32_t>(b[i])} << 32);
            continue;
        }
        const Difference d = exact_difference(a[i], b[i]);
        add(std::bit_cast<std::uint64_t>(d.high));
        add(std::bit_cast<std::uint64_t>(d.low));
    }
    return out;
}

}  // namespace claybox::collision
