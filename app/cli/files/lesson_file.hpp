#pragma once
// Lesson files: the lines of a scene file, and what a reader of the lesson sees, reads and tries.

#include "app/session/lesson.hpp"

#include <filesystem>

namespace claybox::app {

inline constexpr const char* kLessonFileEnding = ".lesson";

/// By the ending of the name.
bool is_lesson_file(const std::filesystem::path& file);

/// At most 4 MB. An error names file and line.
collision::Result<Lesson> read_lesson(const std::filesystem::path& file);

/// The lessons of the assets folder, in the order of their file names. Problems are reported; a file with a
/// problem is left out. Reads the files at the first call.
const std::vector<Lesson>& lessons();

}  // namespace claybox::app
