#include "engine/platform/paths.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <process.h>
#include <windows.h>
#else
#include <time.h>
#include <unistd.h>
#endif

namespace claybox::engine {

namespace {

std::filesystem::path from_variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::filesystem::path(value) : std::filesystem::path();
}

std::filesystem::path config_root() {
#if defined(_WIN32)
    return from_variable("APPDATA");
#elif defined(__APPLE__)
    const std::filesystem::path home = from_variable("HOME");
    return home.empty() ? home : home / "Library" / "Application Support";
#else
    // The XDG rules say that a relative path is to be ignored.
    const std::filesystem::path xdg = from_variable("XDG_CONFIG_HOME");
    if (xdg.is_absolute()) return xdg;
    const std::filesystem::path home = from_variable("HOME");
    return home.empty() ? home : home / ".config";
#endif
}

int process_number() {
#if defined(_WIN32)
    return _getpid();
#else
    return static_cast<int>(getpid());
#endif
}

/// Content and then a flush to the disk: a rename before that could leave an empty file after a power cut.
bool write_and_sync(std::FILE* file, std::string_view content) {
    if (std::fwrite(content.data(), 1, content.size(), file) != content.size()) return false;
    if (std::fflush(file) != 0) return false;
#if !defined(_WIN32)
    if (fsync(fileno(file)) != 0) return false;
#endif
    return true;
}

}  // namespace

std::filesystem::path config_folder() {
    const std::filesystem::path root = config_root();
    if (root.empty()) return {};
    const std::filesystem::path folder = root / "claybox";
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    return std::filesystem::is_directory(folder, code) ? folder : std::filesystem::path();
}

bool write_file_atomically(const std::filesystem::path& path, std::string_view content, std::string& error) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) {
        error = "'" + path.string() + "' is a folder, not a file";
        return false;
    }
    std::filesystem::path beside = path;
    beside += ".new" + std::to_string(process_number());
    std::FILE* file = std::fopen(beside.string().c_str(), "wb");
    if (file == nullptr) {
        error = "cannot write '" + path.string() + "': does its folder exist and may you write there?";
        return false;
    }
    const bool written = write_and_sync(file, content);
    const bool closed = std::fclose(file) == 0;
    if (written && closed) std::filesystem::rename(beside, path, code);
    if (!written || !closed || code) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
        error = "cannot write '" + path.string() + "': " + (code ? code.message() : "the disk may be full");
        return false;
    }
    return true;
}

double now_seconds() {
    using Clock = std::chrono::steady_clock;
    static const Clock::time_point start = Clock::now();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double thread_seconds() {
#if defined(_WIN32)
    FILETIME made, ended, kernel, user;
    if (GetThreadTimes(GetCurrentThread(), &made, &ended, &kernel, &user) == 0) return 0;
    const auto seconds = [](const FILETIME& time) {
        return 1e-7 * (4294967296.0 * time.dwHighDateTime + time.dwLowDateTime);
    };
    return seconds(kernel) + seconds(user);
#else
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
}

}  // namespace claybox::engine
