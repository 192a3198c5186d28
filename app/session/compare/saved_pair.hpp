#pragma once
// Saves a pair as input for `claybox query`, and for the tests of saved pairs.

#include "app/session/compare/ask_all.hpp"

#include <filesystem>

namespace claybox::app {

/// What a saved pair says about itself, in addition to its geometry.
struct SavedPairNotes {
    std::string scene;
    std::span<const AlgorithmAnswer> answers;  ///< may be empty
};

/// Writes the pair under a new name: claybox-pair-N.jsonl, and never overwrites. Convex bodies are a line
/// with their vertices, which solid algorithms answer. If a body is not convex, or if an algorithm that tests
/// surfaces disagrees, there is a line with both meshes, which all algorithms answer; they are next to the
/// file, as claybox-pair-N-a.obj and -b.obj. Every line holds the verdict of exact arithmetic in "expected",
/// and in "expected_surface" for surfaces. Sets `file`; false with a sentence in `error`.
bool save_pair(const PairSubject& subject, const SavedPairNotes& notes, const std::filesystem::path& folder,
               std::filesystem::path& file, std::string& error);

}  // namespace claybox::app
