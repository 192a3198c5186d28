#include "app/bridge/pictures/picture_writer.hpp"

#include "engine/assets/gif_writer.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/process/pipe.hpp"
#include "engine/files/write_file.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;
using collision::Done;
using collision::Error;
using collision::Status;

constexpr std::size_t kGifColours = 255;

Error not_written(std::string message) {
    return {std::move(message), {}, 0};
}

Status outcome(bool good, const std::string& error) {
    return good ? Status(Done{}) : Status(not_written(error));
}

class GifPictures final : public PictureWriter {
  public:
    Status open(const PictureFile& file) {
        target_ = file.target;
        is_new_ = file.is_new;
        engine::SharedPalette palette;
        for (const std::vector<std::uint8_t>& picture : file.samples) palette.sample(picture);
        palette.choose(kGifColours);
        const int hundredths = std::max(2, static_cast<int>(std::lround(100 / file.per_second)));
        std::string error;
        return outcome(gif_.open(file.target, file.width, file.height, hundredths, std::move(palette), error),
                       error);
    }
    Status add(const std::vector<std::uint8_t>& rgb) override {
        gif_.add(rgb);
        return Done{};
    }
    Status commit() override {
        std::string error;
        return outcome(gif_.commit(is_new_, error), error);
    }

  private:
    engine::GifWriter gif_;
    bool is_new_ = false;
};

/// The pictures gather in a hidden neighbour of the folder, which is renamed at the end.
class PngPictures final : public PictureWriter {
  public:
    ~PngPictures() override {
        std::error_code ignored;
        if (!folder_.empty()) fs::remove_all(folder_, ignored);
    }
    Status open(const PictureFile& file) {
        file_ = file;
        std::error_code code;
        target_ = fs::absolute(file.target, code).lexically_normal();
        if (!target_.has_filename()) target_ = target_.parent_path();
        if (fs::exists(target_, code) && !(fs::is_directory(target_, code) && fs::is_empty(target_, code)))
            return refuse("it exists, expected a new or an empty folder, or a name that ends in .gif");
        for (int number = 1; number < 1000; ++number) {
            fs::path folder =
                target_.parent_path() /
                engine::path_of("." + engine::text_of(target_.filename()) + ".new" + std::to_string(number));
            if (fs::create_directory(folder, code)) {
                folder_ = std::move(folder);
                return Done{};
            }
            if (code) break;
        }
        return refuse(code ? code.message() : "too many unfinished folders beside it");
    }
    Status add(const std::vector<std::uint8_t>& rgb) override {
        std::string number = std::to_string(++count_), error;
        number.insert(0, 3 - std::min<std::size_t>(3, number.size()), '0');
        return outcome(engine::write_png(folder_ / engine::path_of(file_.prefix + number + ".png"),
                                         file_.width, file_.height, rgb, error),
                       error);
    }
    Status commit() override {
        std::error_code code;
        fs::rename(folder_, target_, code);
        if (code) return refuse(code.message());
        folder_.clear();
        return Done{};
    }

  private:
    Status refuse(const std::string& why) const {
        return not_written("cannot write '" + engine::text_of(target_) + "': " + why);
    }
    PictureFile file_;
    fs::path folder_;  ///< of unfinished files
    int count_ = 0;
};

/// ffmpeg encodes the pictures into the temporary file of a FileWriter.
class Mp4Pictures final : public PictureWriter {
  public:
    /// ffmpeg must have ended before its file is removed.
    ~Mp4Pictures() override { pipe_.abort(); }
    Status open(const PictureFile& file) {
        target_ = file.target;
        is_new_ = file.is_new;
        std::string error;
        if (!file_.open(file.target, error)) return not_written(error);
        const std::string size = std::to_string(file.width) + "x" + std::to_string(file.height);
        const std::string unfinished = engine::text_of(file_.unfinished());
        const bool started = pipe_.open(
            {"ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r",
             std::to_string(file.per_second), "-i", "-", "-pix_fmt", "yuv420p", "-f", "mp4", unfinished},
            error);
        if (!started) return not_written("an MP4 file needs ffmpeg: " + error + "; install it or choose GIF");
        return Done{};
    }
    Status add(const std::vector<std::uint8_t>& rgb) override {
        std::string error;
        return outcome(pipe_.write(rgb.data(), rgb.size(), error), error);
    }
    Status commit() override {
        std::string error;
        if (!pipe_.close(error))
            return not_written("cannot write '" + engine::text_of(target_) + "': " + error);
        return outcome(is_new_ ? file_.commit_as_new(error) : file_.commit(error), error);
    }

  private:
    engine::FileWriter file_;
    engine::Pipe pipe_;
    bool is_new_ = false;
};

template <class Writer>
collision::Result<std::unique_ptr<PictureWriter>> opened(const PictureFile& file) {
    auto writer = std::make_unique<Writer>();
    if (const Status open = writer->open(file); !open) return open.error();
    return std::unique_ptr<PictureWriter>(std::move(writer));
}

}  // namespace

collision::Result<std::unique_ptr<PictureWriter>> PictureWriter::open(const PictureFile& file) {
    if (file.target.extension() == ".gif") return opened<GifPictures>(file);
    if (file.target.extension() == ".mp4") return opened<Mp4Pictures>(file);
    return opened<PngPictures>(file);
}

}  // namespace claybox::app
