#include "app/devices/valid_lines.hpp"

#include <algorithm>
#include <sstream>

namespace claybox::app {

namespace {

constexpr std::size_t kMaxUnusedLines = 100;  // a file with more invalid lines is not a map

/// Empties a line, counted from 1, and returns it. The other lines keep their numbers.
std::string cut_line(std::string& text, std::size_t number) {
    std::size_t begin = 0;
    for (; number > 1; --number) begin = text.find('\n', begin) + 1;
    const std::size_t size = std::min(text.find('\n', begin), text.size()) - begin;
    const std::string line = text.substr(begin, size);
    text.erase(begin, size);
    return line;
}

/// The name in "class name = ..."; empty without one.
std::string device_of(const std::string& line) {
    std::istringstream words(line.substr(0, line.find('=')));
    std::string type, name;
    words >> type >> name;
    return name;
}

}  // namespace

bool load_valid_lines(engine::LogicalDevices& devices, std::string& text, const std::string& file,
                      std::vector<UnusedLine>& unused, std::string& error) {
    std::string first, fault;
    for (std::size_t wrong = 0; !devices.load(text, file, fault, &wrong);) {
        if (first.empty()) first = fault;
        if (wrong == 0 || unused.size() == kMaxUnusedLines) {
            error = first;
            return false;
        }
        const std::string line = cut_line(text, wrong);
        unused.push_back({device_of(line), line});
        error += (error.empty() ? "" : "\n") + fault;
    }
    return true;
}

}  // namespace claybox::app
