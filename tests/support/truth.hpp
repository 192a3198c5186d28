#pragma once
// Finds and reads the ground truth.

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace claybox::test {

/// The folder in CLAYBOX_TRUTH_DIR, or the unpacked tests/data/truth.tar.xz. The latter lacks third-party
/// meshes and the queries with them.
inline std::filesystem::path truth_dir() {
    const char* named = std::getenv("CLAYBOX_TRUTH_DIR");
    return named != nullptr && *named != '\0' ? named : CLAYBOX_TRUTH_COPY;
}

/// All lines of a JSON-lines file of the ground truth; empty if the file does not exist.
inline std::vector<nlohmann::json> truth_lines(const std::string& file) {
    std::vector<nlohmann::json> lines;
    std::ifstream in(truth_dir() / file);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

}  // namespace claybox::test
