#pragma once

#include "collision/core/random.hpp"

#include <bit>
#include <cstdint>

namespace claybox::collision {

/// An order-dependent 64-bit hash of a run's state. The same on every machine with IEEE arithmetic.
class StateHash {
  public:
    void add(std::uint64_t v) { value_ = mix64(value_ ^ v) + 0x632be59bd9b4e019ull * v; }
    void add(double v) { add(std::bit_cast<std::uint64_t>(v == 0.0 ? 0.0 : v)); }  // -0 equals 0
    void add(float v) { add(static_cast<double>(v)); }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xc1a7b0f5ull;
};

}  // namespace claybox::collision
