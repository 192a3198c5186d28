#include "bench/experiments/shared/tables.hpp"

#include <cstdio>

namespace claybox::bench {

std::string format_number(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string format_ns(double ns) {
    return ns <= 0 ? "" : format_number(ns < 100 ? "%.1f" : "%.0f", ns);
}

std::string format_us(double ns) {
    return ns <= 0 ? "" : format_number(ns < 1e4 ? "%.2f" : ns < 1e5 ? "%.1f" : "%.0f", 1e-3 * ns);
}

std::string format_spreads(double ours, double library) {
    return format_number("%.0f / ", 100 * ours) + format_number("%.0f", 100 * library);
}

std::string table_row(const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) out += ' ' + cell + " |";
    return out + '\n';
}

std::string table_head(const std::vector<std::string>& cells, std::size_t words) {
    std::string out = table_row(cells) + '|';
    for (std::size_t i = 0; i < cells.size(); ++i) out += i < words ? "---|" : "---:|";
    return out + '\n';
}

const char* build_warning() {
#ifdef NDEBUG
    return "";
#else
    return "\n**Not a release build (assertions, or no full optimisation): do not compare these times.**\n";
#endif
}

}  // namespace claybox::bench
