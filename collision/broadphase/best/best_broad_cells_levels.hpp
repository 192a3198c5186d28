#pragma once
// Uniform grids for boxes of all sizes. Bodies of similar size share a grid whose cells are as large as its
// largest body: a body is in one cell, that of its lower corner, and bodies that overlap it are in adjacent
// cells. Grids wrap around: the extent of the world need not be known, and a distant body costs nothing.

#include "collision/geometry/bounds/bounds.hpp"
#include "collision/simd/box_codes.hpp"
#include "collision/simd/float4.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// A whole number of cells along an axis, not wrapped.
using Cells = std::int64_t;
using Cells3 = std::array<Cells, 3>;

/// The largest side of the box, but at least 2^-22 of its largest coordinate: far from the origin floats are
/// coarse, and smaller cells would make cell numbers too large. Infinite when the box is infinite.
inline float reach_of(const Aabb& box) {
    const auto* const numbers = reinterpret_cast<const float*>(&box);
    const Float4 low = shuffle4<0, 1, 2, 2>(load4(numbers)), high = shuffle4<1, 2, 3, 3>(load4(numbers + 2));
    const Float4 farthest = max4(abs4(low), abs4(high)) * splat4(0x1p-22f);
    return largest4(max4(high - low, farthest))[0];
}

/// One grid. Its sides are powers of two, at least four cells: the neighbours of a cell are distinct.
/// Coordinates are converted to whole steps, kSteps per cell, with one rounding, which preserves their order.
struct BoxGrid {
    static constexpr unsigned kStepShift = 5;
    static constexpr std::uint32_t kSteps = 1u << kStepShift;

    double cell = 1, steps_per_metre = kSteps;
    float largest = 0;  ///< maximum reach_of() of its bodies
    std::uint32_t first_cell = 0, bodies = 0;
    std::array<std::uint32_t, 3> mask{3, 3, 3};  ///< cells per side, minus one
    std::uint32_t shift_x = 4, shift_y = 2;

    std::uint32_t cell_count() const { return (mask[0] + 1) << shift_x; }
    bool has(std::uint32_t number) const {
        return number >= first_cell && number - first_cell < cell_count();
    }
    std::uint32_t column(std::uint32_t x, std::uint32_t y) const {
        return first_cell + ((x & mask[0]) << shift_x) + ((y & mask[1]) << shift_y);
    }
    /// The cell of the lower corner of a box of this grid.
    std::uint32_t cell_of(const Vec3f& p) const {
        return column(steps(p.x) >> kStepShift, steps(p.y) >> kStepShift) +
               ((steps(p.z) >> kStepShift) & mask[2]);
    }
    /// The code of a box within the size and distance limits of this grid. Computed in float, unlike cells:
    /// all boxes are rounded in the same way, which preserves their order.
    BoxCode code_of(const Aabb& box) const {
        const auto* const numbers = reinterpret_cast<const float*>(&box);
        const Float4 scale = splat4(static_cast<float>(steps_per_metre));
        const Int4 low = truncate4(load4(numbers) * scale), high = truncate4(load4(numbers + 2) * scale);
        return {packed(shuffle4<1, 2, 3, 0>(Float4(high))), packed(Float4(-low))};
    }

    /// The cell of any coordinate, in whole cells from the origin, clamped to the range of bodies of this
    /// grid.
    Cells at(float x) const {
        const double steps = std::clamp(static_cast<double>(x) * steps_per_metre, -0x1p50, 0x1p50);
        return (std::bit_cast<Cells>(steps + kRound) - std::bit_cast<Cells>(kRound)) >> kStepShift;
    }

  private:
    /// Adding it rounds to a whole number in the lower bits.
    static constexpr double kRound = 0x1.8p52;
    /// Packs the first three lanes.
    static std::uint32_t packed(Float4 steps) {
        const Int4 fields = Int4(steps) & splat_int4(static_cast<std::int32_t>(kCodeValues));
        const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(fields);
        return static_cast<std::uint32_t>(halves[0] | halves[0] >> (32 - kCodeField) |
                                          halves[1] << (2 * kCodeField));
    }
    std::uint32_t steps(float x) const {
        return static_cast<std::uint32_t>(
            std::bit_cast<std::uint64_t>(static_cast<double>(x) * steps_per_metre + kRound));
    }
};

/// Chooses the grids. The choice depends on the sizes and positions of the bodies only.
class BoxLevels {
  public:
    static constexpr std::uint32_t kNone = 255;  ///< no grid: compared with all bodies

    void begin();
    /// Counts a body and returns its size class (bin).
    std::uint16_t note(const Aabb& box) {
        const float reach = reach_of(box);
        const std::uint16_t bin = bin_of(reach);
        ++count_[bin];
        top_bin_ = std::max(top_bin_, bin);
        largest_[bin] = std::max(largest_[bin], reach);
        return bin;
    }
    /// Chooses the grids and assigns every size class to a grid or to kNone.
    void choose(std::span<const std::uint32_t> slots, std::span<const std::uint16_t> bins,
                std::span<const Aabb> boxes);
    std::uint32_t grid_of_bin(std::uint16_t bin) const { return grid_of_bin_[bin]; }
    /// The smallest grid that accepts the body, or kNone.
    std::uint32_t grid_of(const Aabb& box) const {
        const float reach = reach_of(box);
        const std::uint32_t grid = grid_of_bin_[bin_of(reach)];
        if (grid == kNone || reach <= grids_[grid].largest) return grid;
        return grid == 0 ? kNone : grid - 1;
    }

    /// From the largest cells to the smallest.
    std::span<const BoxGrid> grids() const { return grids_; }
    std::uint32_t cell_count() const {
        return grids_.empty() ? 0 : grids_.back().first_cell + grids_.back().cell_count();
    }
    std::size_t memory_bytes() const {
        return grids_.capacity() * sizeof(BoxGrid) + samples_.capacity() * sizeof(Samples);
    }

  private:
    static constexpr unsigned kBinShift = 21;  // exponent and two mantissa bits: four classes per octave
    static constexpr std::size_t kBins = (0x7f800000u >> kBinShift) + 1;  // the last bin is infinite
    static constexpr std::uint32_t kSamples = 32;
    struct Samples {
        std::uint32_t step = 1, until = 0, count = 0;
        std::array<std::array<float, kSamples>, 3> at;
    };

    /// NaN counts as infinite.
    static std::uint16_t bin_of(float reach) {
        return static_cast<std::uint16_t>(
            std::min<std::uint32_t>(std::bit_cast<std::uint32_t>(reach) >> kBinShift, kBins - 1));
    }
    std::size_t width_of_grid(std::size_t top_bin) const;
    void make_grids(std::size_t bodies);
    void sample(std::span<const std::uint32_t> slots, std::span<const std::uint16_t> bins,
                std::span<const Aabb> boxes);
    void set_sides(BoxGrid& grid, Samples& samples);

    std::uint16_t top_bin_ = 0;
    std::array<std::uint32_t, kBins> count_{};
    std::array<float, kBins> largest_{};
    std::array<std::uint8_t, kBins> grid_of_bin_{};
    std::vector<BoxGrid> grids_;
    std::vector<Samples> samples_;
};

}  // namespace claybox::collision
