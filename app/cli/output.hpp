#pragma once
// The two streams of the command line and its exit statuses.

#include "collision/core/result.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace claybox::app {

inline constexpr int kExitDone = 0;
inline constexpr int kExitCheckFailed = 1;
inline constexpr int kExitBadInput = 2;
inline constexpr int kExitInterrupted =
    130;  ///< as shells have it for Ctrl-C; all that was asked for is written

/// Prints the error as one line on standard error and returns kExitBadInput.
int report_error(const collision::Error& error);
int report_error(const std::string& message);

void print(const std::string& text);
/// Flushes standard output; when it could not be written, an error and kExitBadInput instead of `status`.
int finish_output(int status);

/// Writes a JSON text to standard output ("-") or to a file, beside and renamed.
collision::Status write_json(const std::filesystem::path& target, const nlohmann::ordered_json& value);

}  // namespace claybox::app
