#pragma once
// Texts of the program are UTF-8 on every system. Windows has paths in UTF-16, and there
// std::filesystem::path takes a text for one in another code page. So every path is made from a text, and
// back, by these functions.

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace claybox::engine {

/// The path with this name. Windows: bytes that are not UTF-8 become U+FFFD.
std::filesystem::path path_of(std::string_view text);

/// The name of the path, with the separators of the system. Windows: half a surrogate pair becomes U+FFFD.
std::string text_of(const std::filesystem::path& path);

/// The path that an environment variable names; empty without it.
std::filesystem::path path_in_variable(const char* name);

/// Like std::fopen. Null with errno if it fails; the caller closes the file.
std::FILE* open_file(const std::filesystem::path& path, const char* mode);

#if defined(_WIN32)
/// The text in UTF-16, as the functions of Windows take it.
std::wstring wide_text(std::string_view text);
#endif

}  // namespace claybox::engine
