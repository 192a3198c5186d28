#pragma once
// Parses row patterns such as "torus/1000".

#include <string>
#include <vector>

namespace claybox::bench {

/// Splits at '/'.
std::vector<std::string> split(const std::string& text);
/// True if the whole word is a number from min to max.
bool parse_number(const std::string& word, double min, double max, double& out);
/// The same for integers.
bool parse_whole(const std::string& word, double min, double max, double& out);

}  // namespace claybox::bench
