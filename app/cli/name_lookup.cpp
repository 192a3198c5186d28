#include "app/cli/name_lookup.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace claybox::app {

namespace {

/// Insertions, deletions, replacements and swaps of neighbouring letters that turn one text into the other
/// (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            const std::size_t replace = last[k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
            row[k] = std::min({last[k] + 1, row[k - 1] + 1, replace});
            const bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
            if (swapped) row[k] = std::min(row[k], before[k - 2] + 1);
        }
        before = std::exchange(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string normalised_name(std::string_view name) {
    std::string out;
    bool separated = false;
    for (const char c : name) {
        if (c == ' ' || c == '-' || c == '_') {
            separated = true;
            continue;
        }
        if (separated && !out.empty()) out += '_';
        separated = false;
        out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

std::optional<std::size_t> find_name(std::string_view name, std::span<const NamedEntry> entries) {
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (name == entries[i].id) return i;
    const std::string wanted = normalised_name(name);
    if (wanted.empty()) return std::nullopt;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (wanted == normalised_name(entries[i].id) || wanted == normalised_name(entries[i].title)) return i;
    return std::nullopt;
}

std::optional<std::size_t> nearest_name(std::string_view name, std::span<const NamedEntry> entries) {
    constexpr std::size_t kMaxLength = 64;  // longer texts are no typing errors
    const std::string wanted = normalised_name(name);
    if (wanted.empty() || wanted.size() > kMaxLength) return std::nullopt;
    std::optional<std::size_t> nearest;
    std::size_t least =
        std::max<std::size_t>(1, (wanted.size() + 1) / 3) + 1;  // about a third of the letters
    for (std::size_t i = 0; i < entries.size(); ++i)
        for (const std::string_view text : {entries[i].id, entries[i].title}) {
            const std::string known = normalised_name(text);
            const std::size_t distance = known.empty() ? least : edit_distance(wanted, known);
            if (distance >= least) continue;
            least = distance;
            nearest = i;
        }
    return nearest;
}

collision::Error unknown_name(std::string_view kind, std::string_view name,
                              std::span<const NamedEntry> entries, std::string_view expected) {
    std::string message = "unknown " + std::string(kind) + " '" + std::string(name) + "': ";
    if (entries.empty()) return {message + "none is built in", {}, 0};
    const std::optional<std::size_t> nearest = nearest_name(name, entries);
    message += nearest ? "did you mean '" + std::string(entries[*nearest].id) + "'? Expected " : "expected ";
    if (!expected.empty()) return {message + std::string(expected), {}, 0};
    message += "one of ";
    for (std::size_t i = 0; i < entries.size(); ++i)
        message += (i == 0 ? "" : ", ") + std::string(entries[i].id);
    return {message, {}, 0};
}

}  // namespace claybox::app
