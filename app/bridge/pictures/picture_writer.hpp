#pragma once
// Sequences of pictures as files.

#include "collision/core/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace claybox::app {

struct PictureFile {
    std::filesystem::path target;  ///< ends in .gif or .mp4; any other name is a new folder of PNG files
    int width = 0, height = 0;     ///< pixels; even for .mp4
    double per_second = 30;        ///< pictures
    const char* prefix = "";       ///< of the names in a folder: "turn-001.png"
    /// For .gif: pictures from which the colours are chosen. RGB rows, top row first.
    std::span<const std::vector<std::uint8_t>> samples = {};
    bool is_new = false;  ///< a file that gets the name meanwhile is not replaced
};

/// Takes pictures one by one. The file or folder appears at commit(); without it nothing is left. Single
/// thread.
class PictureWriter {
  public:
    /// An .mp4 needs the program ffmpeg; without it the error says so.
    static collision::Result<std::unique_ptr<PictureWriter>> open(const PictureFile& file);
    virtual ~PictureWriter() = default;
    PictureWriter() = default;
    PictureWriter(const PictureWriter&) = delete;
    PictureWriter& operator=(const PictureWriter&) = delete;

    /// RGB rows, top row first.
    virtual collision::Status add(const std::vector<std::uint8_t>& rgb) = 0;
    virtual collision::Status commit() = 0;
    /// The name that commit() gives, without "..".
    const std::filesystem::path& target() const { return target_; }

  protected:
    std::filesystem::path target_;
};

}  // namespace claybox::app
