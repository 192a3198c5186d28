#include "app/bench/run_context.hpp"

#include "collision/jobs/executor.hpp"

#include <cstdlib>
#include <ctime>
#include <fstream>

namespace claybox::app {

namespace {

/// Linux names the processor in a file; elsewhere it is unknown.
std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
    return "unknown processor";
}

std::string compiler_text() {
#if defined(__clang__)
    return __VERSION__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown compiler";
#endif
}

std::string load_text() {
#if defined(__unix__) || defined(__APPLE__)
    double load[1] = {};
    if (getloadavg(load, 1) == 1) {
        char text[32];
        std::snprintf(text, sizeof text, "%.2f", load[0]);
        return text;
    }
#endif
    return "unknown";
}

std::string date_text() {
    const std::time_t now = std::time(nullptr);
    char text[32] = "";
    if (const std::tm* utc = std::gmtime(&now)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", utc);
    return text;
}

}  // namespace

bool is_release_build() {
#ifdef NDEBUG
    return true;
#else
    return false;
#endif
}

std::vector<std::pair<std::string, std::string>> run_context() {
    return {{"date", date_text()},
            {"processor", std::to_string(collision::processor_count()) + " x " + processor_name()},
            {"compiler", compiler_text()},
            {"load of the machine", load_text()},
            {"build", is_release_build() ? "release" : "not a release"}};
}

}  // namespace claybox::app
