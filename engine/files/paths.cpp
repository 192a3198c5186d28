#include "engine/files/paths.hpp"

#include "engine/files/path_text.hpp"

#include <chrono>
#include <system_error>

#if defined(_WIN32)
#include "engine/files/windows.hpp"
#else
#include <time.h>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace claybox::engine {

namespace {

std::filesystem::path config_root() {
#if defined(_WIN32)
    return path_in_variable("APPDATA");
#elif defined(__APPLE__)
    const std::filesystem::path home = path_in_variable("HOME");
    return home.empty() ? home : home / "Library" / "Application Support";
#else
    // XDG specification: relative paths must be ignored.
    const std::filesystem::path xdg = path_in_variable("XDG_CONFIG_HOME");
    if (xdg.is_absolute()) return xdg;
    const std::filesystem::path home = path_in_variable("HOME");
    return home.empty() ? home : home / ".config";
#endif
}

std::filesystem::path state_root() {
#if defined(_WIN32)
    return path_in_variable("LOCALAPPDATA");
#elif defined(__APPLE__)
    return config_root();
#else
    const std::filesystem::path xdg = path_in_variable("XDG_STATE_HOME");
    if (xdg.is_absolute()) return xdg;
    const std::filesystem::path home = path_in_variable("HOME");
    return home.empty() ? home : home / ".local" / "state";
#endif
}

}  // namespace

std::filesystem::path program_folder() {
    std::error_code code;
#if defined(_WIN32)
    wchar_t file[32768];
    const DWORD length = GetModuleFileNameW(nullptr, file, static_cast<DWORD>(std::size(file)));
    return std::filesystem::path(file, file + length).parent_path();
#elif defined(__APPLE__)
    char file[4096];
    std::uint32_t size = sizeof file;
    if (_NSGetExecutablePath(file, &size) != 0) return {};
    return std::filesystem::canonical(file, code).parent_path();
#else
    return std::filesystem::read_symlink("/proc/self/exe", code).parent_path();
#endif
}

std::filesystem::path state_folder() {
    const std::filesystem::path root = state_root();
    return root.empty() ? root : root / "claybox";
}

std::filesystem::path config_folder() {
    const std::filesystem::path root = config_root();
    if (root.empty()) return {};
    const std::filesystem::path folder = root / "claybox";
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    return std::filesystem::is_directory(folder, code) ? folder : std::filesystem::path();
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
