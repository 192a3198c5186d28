#include "engine/assets/shared_palette.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace claybox::engine {

namespace {

constexpr int kBits = 6;  // of each component that tell cells of colours apart
constexpr std::size_t kCells = std::size_t{1} << (3 * kBits);
constexpr int kDither = 10;  // amplitude, of 255

std::size_t cell_of(int r, int g, int b) {
    constexpr int kShift = 8 - kBits;
    return static_cast<std::size_t>(((r >> kShift) << kBits | g >> kShift) << kBits | b >> kShift);
}

/// Threshold of an 8 x 8 Bayer matrix, 0 .. 63.
int bayer(int x, int y) {
    int out = 0;
    for (int bit = 0; bit < 3; ++bit) {
        const int a = x >> bit & 1, b = y >> bit & 1;
        out |= ((a ^ b) << 1 | b) << (2 * (2 - bit));
    }
    return out;
}

}  // namespace

void SharedPalette::sample(std::span<const std::uint8_t> rgb) {
    sums_.resize(kCells);
    for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) {
        auto& sum = sums_[cell_of(rgb[i], rgb[i + 1], rgb[i + 2])];
        ++sum[0];
        for (std::size_t k = 0; k < 3; ++k) sum[k + 1] += rgb[i + k];
    }
}

SharedPalette::Box SharedPalette::box_of(std::size_t first, std::size_t end) const {
    Box out{first, end};
    double count = 0, sum[3]{}, square[3]{};
    for (std::size_t i = first; i < end; ++i) {
        const Bin& bin = bins_[i];
        count += bin.count;
        for (std::size_t k = 0; k < 3; ++k) {
            const auto c = static_cast<double>(bin.colour[k]);
            sum[k] += bin.count * c;
            square[k] += bin.count * c * c;
        }
    }
    for (int k = 0; k < 3; ++k) {
        const double spread = square[k] - sum[k] * sum[k] / count;
        if (spread <= out.spread) continue;
        out.spread = spread;
        out.axis = k;
        out.middle = sum[k] / count;
    }
    if (end - first < 2) out.spread = -1;
    return out;
}

void SharedPalette::choose(std::size_t count) {
    for (const auto& sum : sums_) {
        if (sum[0] == 0) continue;
        Bin bin;
        bin.count = static_cast<double>(sum[0]);
        for (std::size_t k = 0; k < 3; ++k)
            bin.colour[k] = static_cast<float>(static_cast<double>(sum[k + 1]) / bin.count);
        bins_.push_back(bin);
    }
    if (bins_.empty()) bins_.push_back({{}, 1});
    std::vector<Box> boxes{box_of(0, bins_.size())};
    while (boxes.size() < count) {
        const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                             [](const Box& a, const Box& b) { return a.spread < b.spread; });
        const Box box = *widest;
        const auto axis = static_cast<std::size_t>(box.axis);
        const auto begin = bins_.begin() + static_cast<std::ptrdiff_t>(box.first);
        const auto split = std::partition(
            begin, bins_.begin() + static_cast<std::ptrdiff_t>(box.end),
            [&](const Bin& bin) { return static_cast<double>(bin.colour[axis]) <= box.middle; });
        const auto middle = static_cast<std::size_t>(split - bins_.begin());
        if (!(box.spread > 0) || middle == box.first || middle == box.end) break;
        *widest = box_of(box.first, middle);
        boxes.push_back(box_of(middle, box.end));
    }
    for (const Box& box : boxes) {
        double all = 0, sum[3]{};
        for (std::size_t i = box.first; i < box.end; ++i) {
            all += bins_[i].count;
            for (std::size_t k = 0; k < 3; ++k)
                sum[k] += bins_[i].count * static_cast<double>(bins_[i].colour[k]);
        }
        Rgb colour{};
        for (std::size_t k = 0; k < 3; ++k) colour[k] = static_cast<std::uint8_t>(std::lround(sum[k] / all));
        colours_.push_back(colour);
    }
    known_.assign(kCells, -1);
    sums_ = {};
    bins_ = {};
}

std::uint8_t SharedPalette::nearest(const std::array<int, 3>& colour) const {
    int best = 1 << 30;
    std::size_t found = 0;
    for (std::size_t i = 0; i < colours_.size(); ++i) {
        const int r = colour[0] - colours_[i][0], g = colour[1] - colours_[i][1],
                  b = colour[2] - colours_[i][2];
        const int square = 3 * r * r + 4 * g * g + 2 * b * b;  // the eye sees green best
        if (square >= best) continue;
        best = square;
        found = i;
    }
    return static_cast<std::uint8_t>(found);
}

void SharedPalette::convert(std::span<const std::uint8_t> rgb, int width,
                            std::vector<std::uint8_t>& numbers) {
    numbers.resize(rgb.size() / 3);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const int x = static_cast<int>(i % static_cast<std::size_t>(width)),
                  y = static_cast<int>(i / static_cast<std::size_t>(width));
        const int shift = (bayer(x & 7, y & 7) * 2 - 63) * kDither / 126;
        std::array<int, 3> colour{};
        for (std::size_t k = 0; k < 3; ++k) colour[k] = std::clamp(rgb[3 * i + k] + shift, 0, 255);
        std::int16_t& known = known_[cell_of(colour[0], colour[1], colour[2])];
        if (known < 0) known = nearest(colour);
        numbers[i] = static_cast<std::uint8_t>(known);
    }
}

}  // namespace claybox::engine
