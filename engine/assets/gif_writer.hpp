#pragma once
// Animated GIF files, written picture by picture.

#include "engine/assets/shared_palette.hpp"
#include "engine/files/write_file.hpp"

namespace claybox::engine {

/// All pictures have one size and one palette, and play in a loop. The file appears when commit() succeeds.
/// Single thread.
class GifWriter {
  public:
    /// Call once, with `palette` of at most 255 colours: one number is left for pixels that do not change.
    /// `hundredths`: seconds / 100 per picture. False with a sentence in `error`.
    bool open(const std::filesystem::path& path, int width, int height, int hundredths, SharedPalette palette,
              std::string& error);
    /// RGB rows, top row first.
    void add(std::span<const std::uint8_t> rgb);
    /// False with a sentence in `error`. With `as_new`, a file that has the name by now is not replaced.
    bool commit(bool as_new, std::string& error);

  private:
    FileWriter file_;
    SharedPalette palette_;
    int width_ = 0, height_ = 0, hundredths_ = 0;
    std::vector<std::uint8_t> numbers_, before_, drawn_;
};

}  // namespace claybox::engine
