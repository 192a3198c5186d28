#include "collision/broadphase/best/best_broad_cells_levels.hpp"

#include <numeric>

namespace claybox::collision {

namespace {

/// Up to this number of bodies, comparing all pairs is cheaper than grids.
constexpr std::size_t kMaxUngridded = 48;
/// Up to this number of largest bodies, comparing them with all is cheaper than one more grid.
constexpr std::size_t kMaxLarge = 12;
/// The bodies of a grid span a factor of four in size, or of two if the upper half is rarer by the factor
/// kRare.
constexpr std::size_t kOctave = 4, kRare = 8;
constexpr std::size_t kMaxGrids = 200;
constexpr double kMinCellSize = 0x1p-100;
/// Margin for the rounding of sizes and cells.
constexpr double kSlack = 1 + 0x1p-12;
constexpr double kMaxSide = 1 << 20;
/// Samples ignored at each end of an axis: outliers.
constexpr std::uint32_t kOutside = 2;

}  // namespace

void BoxLevels::begin() {
    top_bin_ = 0;
    count_.fill(0);
    largest_.fill(0);
}

std::size_t BoxLevels::width_of_grid(std::size_t top_bin) const {
    if (grids_.size() + 1 == kMaxGrids) return top_bin + 1;
    const auto sum = [&](std::size_t from, std::size_t count) {
        std::size_t out = 0;
        for (std::size_t i = from; i < from + count && i <= top_bin; ++i) out += count_[top_bin - i];
        return out;
    };
    const std::size_t octaves = kRare * sum(0, kOctave) < sum(kOctave, kOctave) ? 1 : 2;
    return std::min(octaves * kOctave, top_bin + 1);
}

void BoxLevels::make_grids(std::size_t bodies) {
    grids_.clear();
    grid_of_bin_.fill(static_cast<std::uint8_t>(kNone));
    if (bodies <= kMaxUngridded) return;
    std::size_t left = bodies - count_[kBins - 1], large = 0;
    std::size_t bin = std::min<std::size_t>(top_bin_ + 1, kBins - 1);  // one above the current bin
    while (bin > 0 && left > 0) {
        const std::size_t top = bin - 1;
        const std::size_t width = count_[top] == 0 ? 1 : width_of_grid(top);
        const std::size_t here =
            std::accumulate(count_.begin() + static_cast<std::ptrdiff_t>(bin - width),
                            count_.begin() + static_cast<std::ptrdiff_t>(bin), std::size_t{0});
        if (grids_.empty() && large + here <= kMaxLarge) {
            large += here;
        } else if (here > 0) {
            BoxGrid grid;
            grid.largest = largest_[top];
            grid.cell = std::max(static_cast<double>(grid.largest), kMinCellSize) * kSlack;
            grid.steps_per_metre = BoxGrid::kSteps / grid.cell;
            grid.bodies = static_cast<std::uint32_t>(here);
            grids_.push_back(grid);
        }
        if (!grids_.empty())  // empty classes belong to the next larger grid
            std::fill_n(grid_of_bin_.begin() + static_cast<std::ptrdiff_t>(bin - width), width,
                        static_cast<std::uint8_t>(grids_.size() - 1));
        left -= here;
        bin -= width;
    }
    if (!grids_.empty()) std::fill_n(grid_of_bin_.begin(), bin, static_cast<std::uint8_t>(grids_.size() - 1));
}

void BoxLevels::choose(std::span<const std::uint32_t> slots, std::span<const std::uint16_t> bins,
                       std::span<const Aabb> boxes) {
    make_grids(slots.size());
    sample(slots, bins, boxes);
    std::uint32_t cells = 0;
    for (std::size_t i = 0; i < grids_.size(); ++i) {
        set_sides(grids_[i], samples_[i]);
        grids_[i].first_cell = cells;
        cells += grids_[i].cell_count();
    }
}

void BoxLevels::sample(std::span<const std::uint32_t> slots, std::span<const std::uint16_t> bins,
                       std::span<const Aabb> boxes) {
    samples_.resize(grids_.size());
    for (std::size_t i = 0; i < grids_.size(); ++i) {
        samples_[i].step = std::max(1u, grids_[i].bodies / kSamples);
        samples_[i].until = samples_[i].count = 0;
    }
    if (grids_.empty()) return;
    // With one grid, skipped bodies need not be counted.
    const std::size_t stride = grids_.size() == 1 ? samples_[0].step : 1;
    for (std::size_t i = 0; i < slots.size(); i += stride) {
        const std::uint32_t grid = grid_of_bin_[bins[i]];
        if (grid == kNone) continue;
        Samples& s = samples_[grid];
        if (s.until > 0) {
            --s.until;
            continue;
        }
        if (s.count == kSamples) continue;
        for (std::size_t k = 0; k < 3; ++k) s.at[k][s.count] = boxes[slots[i]].min[k];
        ++s.count;
        s.until = stride > 1 ? 0 : s.step - 1;
    }
}

void BoxLevels::set_sides(BoxGrid& grid, Samples& samples) {
    std::array<std::uint64_t, 3> side{};
    const std::uint32_t outside = samples.count > 4 * kOutside ? kOutside : 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto begin = samples.at[k].begin(), end = begin + samples.count;
        std::nth_element(begin, begin + outside, end);
        const double low = static_cast<double>(*(begin + outside));
        std::nth_element(begin, end - 1 - outside, end);
        const double high = static_cast<double>(*(end - 1 - outside));
        const double inside =
            samples.count <= 1 ? 1 : double(samples.count - 1 - 2 * outside) / (samples.count + 1);
        const double cells = (high - low) / grid.cell / inside + 1;
        side[k] = std::bit_ceil(static_cast<std::uint64_t>(std::clamp(cells, 4.0, kMaxSide)));
    }
    const std::uint64_t max_cells = std::bit_ceil(std::max<std::uint64_t>(64, 4ull * grid.bodies));
    while (side[0] * side[1] * side[2] > max_cells) *std::max_element(side.begin(), side.end()) /= 2;
    for (std::size_t k = 0; k < 3; ++k) grid.mask[k] = static_cast<std::uint32_t>(side[k] - 1);
    grid.shift_y = static_cast<std::uint32_t>(std::countr_zero(side[2]));
    grid.shift_x = grid.shift_y + static_cast<std::uint32_t>(std::countr_zero(side[1]));
}

}  // namespace claybox::collision
