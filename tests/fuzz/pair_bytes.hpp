#pragma once
// Builds two shapes and two matrices from arbitrary bytes. Prefers hard cases: subnormal and huge numbers,
// adjacent floats, duplicates, coplanar points, flat, mirrored and sheared matrices, and bodies that just
// touch.

#include "collision/geometry/shape.hpp"
#include "collision/geometry/transform.hpp"

#include <span>

namespace claybox::fuzz {

/// Reads bytes one after the other; returns zeros after the end.
class Bytes {
  public:
    explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}
    std::uint8_t byte() { return at_ < data_.size() ? data_[at_++] : std::uint8_t{0}; }
    int signed_byte() { return static_cast<std::int8_t>(byte()); }
    std::uint32_t below(std::uint32_t count) { return byte() % count; }
    std::uint32_t word();
    bool at_end() const { return at_ >= data_.size(); }

  private:
    std::span<const std::uint8_t> data_;
    std::size_t at_ = 0;
};

struct FuzzPair {
    collision::ShapePtr a, b;
    collision::Matrix34f world_from_a, world_from_b;
};

/// The shapes are null if the library rejects the polygons.
FuzzPair read_pair(Bytes& bytes);

/// `value` moved up or down by `steps` floats, clamped to the largest allowed magnitude.
float nudged(float value, int steps);

}  // namespace claybox::fuzz
