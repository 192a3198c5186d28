#pragma once

#include "collision/core/result.hpp"

#include <cstdio>
#include <string>

namespace claybox::app {

/// Reads a file or standard input ("-") line by line. Files may be larger than memory.
class LineSource {
  public:
    /// Longer lines are reported and skipped. This limits the memory of a parser to well below a gigabyte.
    static constexpr std::size_t kMaxLineBytes = 16u << 20;

    enum class Kind : unsigned char { line, too_long, end, failed };

    LineSource() = default;
    ~LineSource();
    LineSource(const LineSource&) = delete;
    LineSource& operator=(const LineSource&) = delete;

    collision::Status open(const std::string& file);
    /// Reads the next line without its line break (LF or CR LF).
    Kind next(std::string& line);
    std::uint64_t number() const { return number_; }  ///< 1-based, of the last line read
    /// Whether next() has returned `end` or `failed`; it then returns the same again.
    bool ended() const { return ended_; }
    bool failed() const { return file_ != nullptr && std::ferror(file_) != 0; }

  private:
    static constexpr std::size_t kBlockBytes = 1 << 16;
    bool fill();

    std::FILE* file_ = nullptr;
    std::string block_;
    std::size_t at_ = 0;
    std::uint64_t number_ = 0;
    bool ended_ = false;
};

}  // namespace claybox::app
