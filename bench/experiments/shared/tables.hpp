#pragma once
// Markdown tables.

#include <string>
#include <vector>

namespace claybox::bench {

/// Formats one number with printf.
std::string format_number(const char* format, double value);
/// About three digits; empty for 0, which means that nothing was timed.
std::string format_ns(double ns);
/// The same, in microseconds.
std::string format_us(double ns);

/// Title of a column of format_spreads().
inline constexpr const char* kSpreadTitle = "spread of both, %";
/// Interquartile ranges divided by medians, of our times and of the library's, in percent: "2 / 5".
std::string format_spreads(double ours, double library);

/// One row of a table.
std::string table_row(const std::vector<std::string>& cells);
/// The header row and the line below it. The first `words` columns are text, aligned left; others are
/// numbers.
std::string table_head(const std::vector<std::string>& cells, std::size_t words);

/// A warning if this is not a release build; otherwise empty.
const char* build_warning();

}  // namespace claybox::bench
