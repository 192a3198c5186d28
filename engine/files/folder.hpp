#pragma once

#include <filesystem>
#include <vector>

namespace claybox::engine {

/// Paths of the files and folders in a folder, in no order; none if it cannot be read. Throws std::bad_alloc
/// (not on Windows), where the iterators of the standard library end the program.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);

}  // namespace claybox::engine
