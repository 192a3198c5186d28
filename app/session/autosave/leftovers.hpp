#pragma once
// Autosaved files of programs that did not end regularly.

#include "engine/files/file_lock.hpp"

#include <filesystem>
#include <vector>

namespace claybox::app {

inline constexpr const char* kAutosaveEnding = ".ply";
/// The lock beside an autosaved file. A running program holds it.
std::filesystem::path lock_file_of(const std::filesystem::path& autosaved);

/// A file of a dead program. While this exists, no other program finds the file.
struct Leftover {
    std::filesystem::path file;
    engine::FileLock lock;

    /// Deletes the file and its lock.
    void remove();
};

/// All of them, newest first. Deletes locks without a file, and files that were never finished.
std::vector<Leftover> find_leftovers(const std::filesystem::path& folder);

}  // namespace claybox::app
