#include "app/cli/log.hpp"

#include <cstdio>

namespace claybox::app {

namespace {

constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
LogLevel g_level = LogLevel::warning;

}  // namespace

bool parse_log_level(const std::string& name, LogLevel& level) {
    for (unsigned char i = 0; i < 4; ++i) {
        if (name != kNames[i]) continue;
        level = static_cast<LogLevel>(i);
        return true;
    }
    return false;
}

void set_log_level(LogLevel level) {
    g_level = level;
}

bool log_enabled(LogLevel level) {
    return level <= g_level;
}

void log(LogLevel level, const std::string& text) {
    if (log_enabled(level))
        std::fprintf(stderr, "%s: %s\n", kNames[static_cast<unsigned char>(level)], text.c_str());
}

}  // namespace claybox::app
