#pragma once
// Where the ground truth lies, and how its JSON lines are read.

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace claybox::test {

/// The folder that CLAYBOX_TRUTH_DIR names, or what tests/data/truth.tar.xz holds: the same without meshes
/// from elsewhere and the questions about them.
inline std::filesystem::path truth_dir() {
    const char* named = std::getenv("CLAYBOX_TRUTH_DIR");
    return named != nullptr && *named != '\0' ? named : CLAYBOX_TRUTH_COPY;
}

/// All lines of a JSON-lines file of the ground truth; empty when there is no such file.
inline std::vector<nlohmann::json> truth_lines(const std::string& file) {
    std::vector<nlohmann::json> lines;
    std::ifstream in(truth_dir() / file);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

}  // namespace claybox::test
