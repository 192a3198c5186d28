#include "bench/experiments/tables.hpp"

#include <cstdio>

namespace claybox::bench {

std::string in_digits(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string in_ns(double ns) {
    return ns <= 0 ? "" : in_digits(ns < 100 ? "%.1f" : "%.0f", ns);
}

std::string in_us(double ns) {
    return ns <= 0 ? "" : in_digits(ns < 1e4 ? "%.2f" : ns < 1e5 ? "%.1f" : "%.0f", 1e-3 * ns);
}

std::string line_of(const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) out += ' ' + cell + " |";
    return out + '\n';
}

std::string head_of(const std::vector<std::string>& cells, std::size_t words) {
    std::string out = line_of(cells) + '|';
    for (std::size_t i = 0; i < cells.size(); ++i) out += i < words ? "---|" : "---:|";
    return out + '\n';
}

const char* warning_of_build() {
#ifdef NDEBUG
    return "";
#else
    return "\n**Built for work, with assertions or without full optimisation: these times compare "
           "nothing.**\n";
#endif
}

}  // namespace claybox::bench
