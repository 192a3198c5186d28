#include "bench/experiments/broad/broad_rows.hpp"

#include "bench/experiments/shared/pattern.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr const char* kPartNames[] = {"all", "few", "turns", "long"};
constexpr double kMinBodies = 10, kMaxBodies = 1000000;

std::vector<BroadRow> default_rows(bool quick) {
    using enum BroadPart;
    std::vector<BroadRow> out;
    for (const BroadPart part : {all, few, turns})
        for (const std::uint32_t bodies : {1000u, 10000u, 100000u})
            if (!quick || bodies == 1000) out.push_back({part, bodies});
    out.push_back({lasting, quick ? 200u : 1000u});
    return out;
}

bool make_row(const std::vector<std::string>& words, BroadRow& out) {
    const auto part = std::find(std::begin(kPartNames), std::end(kPartNames), words[0]);
    double bodies = 0;
    if (words.size() != 2 || part == std::end(kPartNames) ||
        !parse_whole(words[1], kMinBodies, kMaxBodies, bodies))
        return false;
    out = {static_cast<BroadPart>(part - std::begin(kPartNames)), static_cast<std::uint32_t>(bodies)};
    return true;
}

/// Patterns of default rows: "all", "*", "*/1000", "all/*".
bool matches(const std::vector<std::string>& words, const BroadRow& row) {
    const std::vector<std::string> name = split(row.name());
    if (words.size() > name.size()) return false;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] != "*" && words[i] != name[i]) return false;
    return true;
}

}  // namespace

std::string BroadRow::name() const {
    return std::string(kPartNames[static_cast<std::size_t>(part)]) + '/' + std::to_string(bodies);
}

streams::BoxMotion BroadRow::motion() const {
    return part == BroadPart::few     ? streams::BoxMotion::few
           : part == BroadPart::turns ? streams::BoxMotion::turns
                                      : streams::BoxMotion::all;
}

Result<std::vector<BroadRow>> broad_rows(const std::vector<std::string>& patterns, bool quick) {
    const std::vector<BroadRow> defaults = default_rows(quick);
    if (patterns.empty()) return defaults;
    std::vector<BroadRow> out;
    const auto add = [&](const BroadRow& row) {
        if (std::find(out.begin(), out.end(), row) == out.end()) out.push_back(row);
    };
    for (const std::string& pattern : patterns) {
        const std::vector<std::string> words = split(pattern);
        bool known = false;
        for (const BroadRow& row : defaults) {
            if (!matches(words, row)) continue;
            known = true;
            add(row);
        }
        BroadRow row;
        if (!known && make_row(words, row))
            add(row);
        else if (!known)
            return Error{"--rows " + pattern + ": expected " + kBroadRows, {}, 0};
    }
    return out;
}

}  // namespace claybox::bench
