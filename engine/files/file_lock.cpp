#include "engine/files/file_lock.hpp"

#include <system_error>
#include <utility>

#if defined(_WIN32)
#include "engine/files/windows.hpp"
#else
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

namespace claybox::engine {

FileLock::~FileLock() {
    release();
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)), handle_(std::exchange(other.handle_, kNone)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(handle_, other.handle_);
    return *this;
}

bool FileLock::take(const std::filesystem::path& file) {
    release();
    file_ = file;
#if defined(_WIN32)
    // Nobody else can open a file that is not shared.
    const HANDLE handle = CreateFileW(file.wstring().c_str(), GENERIC_WRITE, FILE_SHARE_DELETE, nullptr,
                                      OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle != INVALID_HANDLE_VALUE) handle_ = reinterpret_cast<std::intptr_t>(handle);
#else
    const int handle = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (handle < 0) return false;
    if (flock(handle, LOCK_EX | LOCK_NB) == 0)
        handle_ = handle;
    else
        close(handle);
#endif
    return held();
}

void FileLock::remove() {
    if (!held()) return;
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
    release();
}

void FileLock::release() {
    if (!held()) return;
#if defined(_WIN32)
    CloseHandle(reinterpret_cast<HANDLE>(handle_));
#else
    close(static_cast<int>(handle_));
#endif
    handle_ = kNone;
}

}  // namespace claybox::engine
