#pragma once
// What the program says on standard error beside errors; off below the chosen level.

#include <string>

namespace claybox::app {

enum class LogLevel : unsigned char { error, warning, info, debug };

bool parse_log_level(const std::string& name, LogLevel& level);
/// Before other threads start.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);
/// One line on standard error, "info: text".
void log(LogLevel level, const std::string& text);

}  // namespace claybox::app
