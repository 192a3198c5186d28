#pragma once
// Words of row patterns: "torus/1000".

#include <string>
#include <vector>

namespace claybox::bench {

std::vector<std::string> split(const std::string& text);
/// A number from min to max and nothing else.
bool parse_number(const std::string& word, double min, double max, double& out);
bool parse_whole(const std::string& word, double min, double max, double& out);

}  // namespace claybox::bench
