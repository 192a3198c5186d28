#pragma once
// A palette for several pictures, and pictures in its colours.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::engine {

/// Median cut over all sampled pictures. The answer depends only on the samples. Single thread.
class SharedPalette {
  public:
    using Rgb = std::array<std::uint8_t, 3>;

    /// Counts the colours of a picture; three bytes per pixel.
    void sample(std::span<const std::uint8_t> rgb);
    /// Chooses at most `count` colours, at least one. Call once, after the samples.
    void choose(std::size_t count);
    const std::vector<Rgb>& colours() const { return colours_; }
    /// Colour number of each pixel, with ordered dithering: equal pixels at equal places get equal numbers in
    /// every picture.
    void convert(std::span<const std::uint8_t> rgb, int width, std::vector<std::uint8_t>& numbers);

  private:
    struct Bin {
        std::array<float, 3> colour{};  ///< mean
        double count = 0;
    };
    struct Box {
        std::size_t first = 0, end = 0;
        int axis = 0;        ///< of the largest spread
        double middle = 0;   ///< mean along it
        double spread = -1;  ///< sum of squares along it
    };
    Box box_of(std::size_t first, std::size_t end) const;
    std::uint8_t nearest(const std::array<int, 3>& colour) const;

    std::vector<std::array<std::uint64_t, 4>> sums_;  ///< count and sums of the colours in a cell
    std::vector<Bin> bins_;
    std::vector<Rgb> colours_;
    std::vector<std::int16_t> known_;  ///< nearest colour number of a cell; -1: not searched yet
};

}  // namespace claybox::engine
