// GIF89a (CompuServe, 1990): a palette, then per picture a header and colour numbers compressed by LZW.

#include "engine/assets/gif_writer.hpp"

#include "engine/files/path_text.hpp"

#include <algorithm>
#include <array>

namespace claybox::engine {

namespace {

constexpr int kPaletteBits = 8;
constexpr std::uint8_t kUnchanged = 255;  // colour number
constexpr int kMostCodes = 4096;

void put(std::string& out, int byte) {
    out.push_back(static_cast<char>(byte & 255));
}

void put16(std::string& out, int value) {
    put(out, value);
    put(out, value >> 8);
}

/// Bits, lowest first, in blocks of at most 255 bytes.
class BitBlocks {
  public:
    explicit BitBlocks(std::string& out) : out_(out) {}
    void write(unsigned code, int bits) {
        pending_ |= code << used_;
        for (used_ += bits; used_ >= 8; used_ -= 8, pending_ >>= 8) add(static_cast<int>(pending_ & 255u));
    }
    void finish() {
        if (used_ > 0) add(static_cast<int>(pending_ & 255u));
        flush();
        put(out_, 0);
    }

  private:
    void add(int byte) {
        put(block_, byte);
        if (block_.size() == 255) flush();
    }
    void flush() {
        if (block_.empty()) return;
        put(out_, static_cast<int>(block_.size()));
        out_ += block_;
        block_.clear();
    }
    std::string& out_;
    std::string block_;
    unsigned pending_ = 0;
    int used_ = 0;
};

/// Known strings of colour numbers as a tree: a child per next number, children as a list.
class Strings {
  public:
    /// Code of the string `code` followed by `number`, or -1.
    int find(int code, std::uint8_t number) const {
        int at = first_[index(code)];
        while (at >= 0 && number_[index(at)] != number) at = next_[index(at)];
        return at;
    }
    void add(int code, std::uint8_t number, int added) {
        number_[index(added)] = number;
        next_[index(added)] = first_[index(code)];
        first_[index(code)] = added;
        first_[index(added)] = -1;
    }
    void clear() { first_.fill(-1); }

  private:
    static std::size_t index(int code) { return static_cast<std::size_t>(code); }
    std::array<int, kMostCodes> first_{}, next_{};
    std::array<std::uint8_t, kMostCodes> number_{};
};

void compress(std::span<const std::uint8_t> numbers, std::string& out) {
    constexpr int kClear = 1 << kPaletteBits, kEnd = kClear + 1;
    put(out, kPaletteBits);
    BitBlocks bits(out);
    Strings strings;
    int size = kPaletteBits + 1, free_code = kEnd + 1;
    strings.clear();
    bits.write(kClear, size);
    int code = numbers[0];
    for (const std::uint8_t number : numbers.subspan(1)) {
        if (const int longer = strings.find(code, number); longer >= 0) {
            code = longer;
            continue;
        }
        bits.write(static_cast<unsigned>(code), size);
        if (free_code == kMostCodes) {
            bits.write(kClear, size);
            strings.clear();
            size = kPaletteBits + 1;
            free_code = kEnd + 1;
        } else {
            if (free_code == 1 << size) ++size;
            strings.add(code, number, free_code++);
        }
        code = number;
    }
    bits.write(static_cast<unsigned>(code), size);
    // The reader learns one more string from the last code, which can lengthen the next one.
    if (free_code == 1 << size && size < 12) ++size;
    bits.write(kEnd, size);
    bits.finish();
}

}  // namespace

bool GifWriter::open(const std::filesystem::path& path, int width, int height, int hundredths,
                     SharedPalette palette, std::string& error) {
    width_ = width;
    height_ = height;
    hundredths_ = hundredths;
    palette_ = std::move(palette);
    if (width < 1 || height < 1 || width > 65535 || height > 65535 || palette_.colours().empty() ||
        palette_.colours().size() > kUnchanged) {
        error = text_of(path) + ": expected a picture of 1 to 65535 pixels per side and 1 to 255 colours";
        return false;
    }
    if (!file_.open(path, error)) return false;
    std::string out = "GIF89a";
    put16(out, width);
    put16(out, height);
    put(out, 0x80 | (kPaletteBits - 1) << 4 | (kPaletteBits - 1));
    put16(out, 0);  // background, aspect ratio of pixels
    for (std::size_t i = 0; i < 1u << kPaletteBits; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            put(out, i < palette_.colours().size() ? palette_.colours()[i][k] : 0);
    out += "\x21\xFF\x0BNETSCAPE2.0\x03\x01";
    put16(out, 0);  // repeat forever
    put(out, 0);
    file_.append(out);
    return true;
}

void GifWriter::add(std::span<const std::uint8_t> rgb) {
    if (rgb.size() != 3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) return;
    palette_.convert(rgb, width_, numbers_);
    drawn_ = numbers_;
    for (std::size_t i = 0; i < before_.size(); ++i)
        if (numbers_[i] == before_[i]) drawn_[i] = kUnchanged;
    before_ = numbers_;
    std::string out = "\x21\xF9\x04";
    put(out, 1 << 2 | 1);  // the next picture is drawn over this one; kUnchanged is transparent
    put16(out, hundredths_);
    put(out, kUnchanged);
    put(out, 0);
    put(out, 0x2C);
    put16(out, 0);
    put16(out, 0);
    put16(out, width_);
    put16(out, height_);
    put(out, 0);
    compress(drawn_, out);
    file_.append(out);
}

bool GifWriter::commit(bool as_new, std::string& error) {
    file_.append("\x3B");
    return as_new ? file_.commit_as_new(error) : file_.commit(error);
}

}  // namespace claybox::engine
