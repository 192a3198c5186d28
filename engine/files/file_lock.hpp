#pragma once

#include <cstdint>
#include <filesystem>

namespace claybox::engine {

/// A file that marks its owner as alive. The lock ends with the process, whatever ends it.
class FileLock {
  public:
    FileLock() = default;
    ~FileLock();
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;

    /// Creates the file if there is none and locks it. Never waits: false if somebody else has locked it, or
    /// if it cannot be created.
    bool take(const std::filesystem::path& file);
    bool held() const { return handle_ != kNone; }
    /// Deletes the file and ends the lock.
    void remove();

  private:
    static constexpr std::intptr_t kNone = -1;
    void release();

    std::filesystem::path file_;
    std::intptr_t handle_ = kNone;
};

}  // namespace claybox::engine
