#pragma once
// Messages on standard error in addition to errors; messages below the chosen level are dropped.

#include "collision/core/result.hpp"
#include "engine/files/printable_line.hpp"

#include <string>
#include <string_view>

namespace claybox::app {

enum class LogLevel : unsigned char { error, warning, info, debug };

collision::Result<LogLevel> log_level_by_name(const std::string& name);
/// Call it before other threads start.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);
/// One line on standard error, "info: text".
void log(LogLevel level, const std::string& text);

using engine::printable_line;
/// One line on standard error, "claybox: text". Not filtered by the level.
void print_problem(std::string_view text);

}  // namespace claybox::app
