#include "engine/files/path_text.hpp"

#include <cstdlib>

#if defined(_WIN32)
#include "engine/files/windows.hpp"
#endif

namespace claybox::engine {

#if defined(_WIN32)

std::wstring wide_text(std::string_view text) {
    const int length = static_cast<int>(text.size());
    const int needed = MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0);
    std::wstring out(static_cast<std::size_t>(needed), L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), length, out.data(), needed);
    return out;
}

std::filesystem::path path_of(std::string_view text) {
    return wide_text(text);
}

std::string text_of(const std::filesystem::path& path) {
    const std::wstring& text = path.native();
    const int length = static_cast<int>(text.size());
    const int needed = WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
    std::string out(static_cast<std::size_t>(needed), '\0');
    WideCharToMultiByte(CP_UTF8, 0, text.data(), length, out.data(), needed, nullptr, nullptr);
    return out;
}

std::filesystem::path path_in_variable(const char* name) {
    const wchar_t* const value = _wgetenv(wide_text(name).c_str());
    return value != nullptr ? std::filesystem::path(value) : std::filesystem::path();
}

std::FILE* open_file(const std::filesystem::path& path, const char* mode) {
    return _wfopen(path.c_str(), wide_text(mode).c_str());
}

#else

std::filesystem::path path_of(std::string_view text) {
    return text;
}

std::string text_of(const std::filesystem::path& path) {
    return path.native();
}

std::filesystem::path path_in_variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? std::filesystem::path(value) : std::filesystem::path();
}

std::FILE* open_file(const std::filesystem::path& path, const char* mode) {
    return std::fopen(path.c_str(), mode);
}

#endif

}  // namespace claybox::engine
