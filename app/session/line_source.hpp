#pragma once

#include "collision/core/result.hpp"

#include <cstdio>
#include <string>

namespace claybox::app {

/// Lines of a file or of standard input ("-"), one at a time, so that files may be larger than memory.
class LineSource {
  public:
    /// Longer lines are reported and skipped; what a parser makes of one stays far below a gigabyte.
    static constexpr std::size_t kMaxLineBytes = 16u << 20;

    enum class Kind : unsigned char { line, too_long, end, failed };

    LineSource() = default;
    ~LineSource();
    LineSource(const LineSource&) = delete;
    LineSource& operator=(const LineSource&) = delete;

    collision::Status open(const std::string& file);
    /// The next line without its end (LF or CR LF).
    Kind next(std::string& line);
    std::uint64_t number() const { return number_; }  ///< 1-based, of the last line given

  private:
    static constexpr std::size_t kBlockBytes = 1 << 16;
    bool fill();

    std::FILE* file_ = nullptr;
    std::string block_;
    std::size_t at_ = 0;
    std::uint64_t number_ = 0;
};

}  // namespace claybox::app
