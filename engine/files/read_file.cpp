#include "engine/files/read_file.hpp"

#include <fstream>
#include <system_error>

namespace claybox::engine {

bool read_file(const std::filesystem::path& file, std::uintmax_t max_bytes, std::string& content,
               std::string& error) {
    content.clear();
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code)) {
        error = code ? "cannot be read: " + code.message() : "is not a regular file";
        return false;
    }
    const std::uintmax_t size = std::filesystem::file_size(file, code);
    if (code) {
        error = "cannot be read: " + code.message();
        return false;
    }
    if (size > max_bytes) {
        error = "is too large, expected at most " + std::to_string(max_bytes) + " bytes";
        return false;
    }
    std::ifstream in(file, std::ios::binary);
    content.resize(static_cast<std::size_t>(size));
    in.read(content.data(), static_cast<std::streamsize>(size));
    if (in && in.gcount() == static_cast<std::streamsize>(size)) return true;
    content.clear();
    error = "cannot be read";
    return false;
}

}  // namespace claybox::engine
