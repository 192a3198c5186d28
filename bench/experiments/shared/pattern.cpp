#include "bench/experiments/shared/pattern.hpp"

#include <charconv>
#include <cmath>

namespace claybox::bench {

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out(1);
    for (const char c : text) {
        if (c == '/')
            out.emplace_back();
        else
            out.back() += c;
    }
    return out;
}

bool parse_number(const std::string& word, double min, double max, double& out) {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, out);
    return error == std::errc{} && stop == end && out >= min && out <= max;
}

bool parse_whole(const std::string& word, double min, double max, double& out) {
    return parse_number(word, min, max, out) && out == std::floor(out);
}

}  // namespace claybox::bench
