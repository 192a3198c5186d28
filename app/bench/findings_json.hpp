#pragma once
// Findings of one row of a report as a JSON file, so that runs can be resumed, split and merged.

#include "bench/papers/report/report.hpp"
#include "collision/core/result.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace claybox::app {

/// Conditions that findings of one report must share.
struct PapersConditions {
    bool quick = false, release = false;
    std::uint64_t seed = 1;
    friend bool operator==(const PapersConditions&, const PapersConditions&) = default;
};

/// A row of a report with the conditions of its run.
struct StoredEntry {
    bench::ReportEntry entry;
    PapersConditions conditions;
    double seconds = 0;  ///< duration of the run
    std::vector<std::pair<std::string, std::string>> context;
};

nlohmann::ordered_json to_json(const StoredEntry& stored);
/// An error names the first figure that is infinite or not a number: JSON cannot contain it.
collision::Status check_numbers(const bench::Findings& findings);
/// Reads a file. An error names the file and what was expected.
collision::Result<StoredEntry> read_stored_entry(const std::filesystem::path& file);

}  // namespace claybox::app
