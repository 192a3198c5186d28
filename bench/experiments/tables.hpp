#pragma once
// Markdown tables.

#include <string>
#include <vector>

namespace claybox::bench {

/// printf for one number.
std::string in_digits(const char* format, double value);
/// Three digits; empty for 0, which means that nothing was timed.
std::string in_ns(double ns);
/// The same in microseconds.
std::string in_us(double ns);

std::string line_of(const std::vector<std::string>& cells);
/// The head and the line below it; the first `words` columns hold words, the others numbers.
std::string head_of(const std::vector<std::string>& cells, std::size_t words);

/// Says so when this program was not built for timing; else empty.
const char* warning_of_build();

}  // namespace claybox::bench
