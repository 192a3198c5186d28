#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace claybox::engine {

/// Reads a whole regular file of at most `max_bytes`. Never opens a pipe or device, which could
/// block. Returns false with the reason in `error`, without the file's name.
bool read_file(const std::filesystem::path& file, std::uintmax_t max_bytes, std::string& content,
               std::string& error);

}  // namespace claybox::engine
