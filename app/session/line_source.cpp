#include "app/session/line_source.hpp"

#include "engine/files/path_text.hpp"

#include <filesystem>

namespace claybox::app {

LineSource::~LineSource() {
    if (file_ != nullptr && file_ != stdin) std::fclose(file_);
}

collision::Status LineSource::open(const std::string& file) {
    if (file == "-") {
        file_ = stdin;
        return collision::Done{};
    }
    const std::filesystem::path path = engine::path_of(file);
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
        return collision::Error{"is a folder, expected a file", file, 0};
    file_ = engine::open_file(path, "rb");
    if (file_ == nullptr) return collision::Error{"cannot be opened, expected a readable file", file, 0};
    return collision::Done{};
}

bool LineSource::fill() {
    block_.resize(kBlockBytes);
    block_.resize(std::fread(block_.data(), 1, kBlockBytes, file_));
    at_ = 0;
    return !block_.empty();
}

LineSource::Kind LineSource::next(std::string& line) {
    line.clear();
    if (ended_) return failed() ? Kind::failed : Kind::end;
    bool any = false, ends = false, too_long = false;
    while (!ends && (at_ < block_.size() || fill())) {
        const std::size_t newline = block_.find('\n', at_);
        ends = newline != std::string::npos;
        const std::size_t end = ends ? newline : block_.size();
        too_long = too_long || line.size() + (end - at_) > kMaxLineBytes;
        if (!too_long) line.append(block_, at_, end - at_);
        at_ = ends ? end + 1 : end;
        any = true;
    }
    ended_ = failed() || !any;
    if (ended_) return failed() ? Kind::failed : Kind::end;
    ++number_;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return too_long ? Kind::too_long : Kind::line;
}

}  // namespace claybox::app
