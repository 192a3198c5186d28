#include "app/cli/log.hpp"

#include "app/cli/name_lookup.hpp"

#include <cstdio>

namespace claybox::app {

namespace {

constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
LogLevel g_level = LogLevel::warning;

}  // namespace

collision::Result<LogLevel> log_level_by_name(const std::string& name) {
    std::vector<NamedEntry> entries;
    for (const char* level : kNames) entries.push_back({level, {}});
    const auto found = find_name(name, entries);
    if (!found) return unknown_name("log level", name, entries);
    return static_cast<LogLevel>(*found);
}

void set_log_level(LogLevel level) {
    g_level = level;
}

bool log_enabled(LogLevel level) {
    return level <= g_level;
}

void log(LogLevel level, const std::string& text) {
    if (log_enabled(level))
        std::fprintf(stderr, "%s: %s\n", kNames[static_cast<unsigned char>(level)],
                     printable_line(text).c_str());
}

void print_problem(std::string_view text) {
    std::fprintf(stderr, "claybox: %s\n", printable_line(text).c_str());
}

}  // namespace claybox::app
