#pragma once
// Output streams and exit statuses of the command line.

#include "collision/core/result.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace claybox::app {

inline constexpr int kExitDone = 0;
inline constexpr int kExitCheckFailed = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitInterrupted = 130;  ///< by Ctrl-C, as shells report it; all outputs are written

/// Prints the error as one line on standard error and returns kExitBadInput.
int report_error(const collision::Error& error);
int report_error(const std::string& message);
/// The same for std::bad_alloc; allocates nothing.
int report_exhausted_memory() noexcept;

void print(const std::string& text);
/// Flushes standard output and returns `status`; reports an error and returns kExitBadInput when that fails.
int finish_output(int status);

/// Writes JSON to standard output ("-") or atomically to a file.
collision::Status write_json(const std::filesystem::path& target, const nlohmann::ordered_json& value);

}  // namespace claybox::app
