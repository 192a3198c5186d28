#include "collision/module/group_pairs.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace claybox::collision {

namespace {

/// Reads "a-b" and nothing else.
bool read_pair(std::string_view text, unsigned& a, unsigned& b) {
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, a);
    if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return false;
    const auto second = std::from_chars(first.ptr + 1, end, b);
    return second.ec == std::errc{} && second.ptr == end && a < kGroupCount && b < kGroupCount;
}

}  // namespace

void GroupPairs::set(unsigned a, unsigned b, bool in_set) {
    for (const auto& [row, column] : {std::pair{a, b}, std::pair{b, a}}) {
        const std::uint64_t bit = std::uint64_t{1} << column;
        rows_[row] = in_set ? rows_[row] | bit : rows_[row] & ~bit;
    }
}

std::string to_text(const GroupPairs& pairs) {
    std::string out;
    for (unsigned a = 0; a < kGroupCount; ++a)
        for (unsigned b = a; b < kGroupCount; ++b) {
            if (!pairs.contains(a, b)) continue;
            if (!out.empty()) out += ',';
            out += std::to_string(a) + '-' + std::to_string(b);
        }
    return out;
}

Result<GroupPairs> group_pairs_from_text(std::string_view text) {
    GroupPairs out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view pair = text.substr(begin, end - begin);
        unsigned a = 0, b = 0;
        if (!read_pair(pair, a, b) || end + 1 == text.size())
            return Error{"'" + std::string(pair) + "': expected pairs of groups from 0 to " +
                             std::to_string(kGroupCount - 1) + ", such as 0-1,3-3",
                         {},
                         0};
        out.set(a, b, true);
        begin = end + 1;
    }
    return out;
}

}  // namespace claybox::collision
