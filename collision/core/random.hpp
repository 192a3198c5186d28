#pragma once
/// \file
/// Seeded random numbers that are the same on every machine. The standard library's distributions are not.

#include "collision/core/vec.hpp"

#include <cstdint>

namespace claybox::collision {

/// Hashes 64 bits. Also derives independent seeds: `mix64(seed ^ index)`. Source: Steele, Lea, Flood,
/// SplitMix, 2014.
constexpr std::uint64_t mix64(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/// A random number generator with 64 bits of state. Not thread-safe: use one per thread, with its own seed.
class Random {
  public:
    /// Equal seeds give equal sequences. Similar seeds give independent ones.
    explicit Random(std::uint64_t seed) : state_(mix64(seed)) {}

    /// 64 uniform random bits.
    std::uint64_t bits() { return mix64(state_ += 0x9e3779b97f4a7c15ull); }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    /// Uniform in [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform in [0, count); count > 0.
    std::uint64_t below(std::uint64_t count) { return bits() % count; }
    /// Uniform on the unit sphere. Uses rejection instead of trigonometry, so all machines return the same
    /// bits.
    Vec3d unit_vector() {
        for (;;) {
            const Vec3d v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            const double l = length_squared(v);
            if (l > 1e-4 && l <= 1.0) return v / std::sqrt(l);
        }
    }
    /// A random direction with a length uniform in [shortest, longest). The order of the two draws is fixed;
    /// in `uniform() * unit_vector()` the compiler would choose it.
    Vec3d vector(double shortest, double longest) {
        const Vec3d direction = unit_vector();
        return direction * uniform(shortest, longest);
    }

  private:
    std::uint64_t state_;
};

}  // namespace claybox::collision
