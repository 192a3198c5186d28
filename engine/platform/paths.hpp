#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace claybox::engine {

/// The user's configuration folder for Claybox (XDG_CONFIG_HOME, APPDATA, ~/Library ...); made when missing.
/// Empty when there is none.
std::filesystem::path config_folder();

/// Writes beside and renames, so that the file is never half written. False with a sentence in `error`.
bool write_file_atomically(const std::filesystem::path& path, std::string_view content, std::string& error);

/// Seconds since an arbitrary start, monotonic.
double now_seconds();
/// Seconds that the calling thread has computed; it does not grow while the thread waits.
double thread_seconds();

}  // namespace claybox::engine
