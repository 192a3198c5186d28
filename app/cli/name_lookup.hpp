#pragma once
// Names of registry entries on the command line. An entry is found by its id or its title; case is ignored,
// and spaces, '-' and '_' are equal. Recordings and settings files use exact ids instead.

#include "collision/core/result.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::app {

struct NamedEntry {
    std::string_view id, title;
};

/// Lower case; each run of spaces, '-' and '_' becomes one '_', and none is left at either end.
std::string normalised_name(std::string_view name);

/// Index of the entry called `name`. An equal id wins over a normalised id or title.
std::optional<std::size_t> find_name(std::string_view name, std::span<const NamedEntry> entries);

/// Index of the entry whose id or title is nearest to `name` by edit distance; nothing when none is near
/// enough to be a typing error.
std::optional<std::size_t> nearest_name(std::string_view name, std::span<const NamedEntry> entries);

/// "unknown scene 'solidz': did you mean 'solids'? Expected one of cage, solids". A text in `expected`
/// replaces "one of" and the ids.
collision::Error unknown_name(std::string_view kind, std::string_view name,
                              std::span<const NamedEntry> entries, std::string_view expected = {});

template <class Entry>
std::vector<NamedEntry> named_entries(std::span<const Entry* const> registry) {
    std::vector<NamedEntry> out;
    for (const Entry* entry : registry) out.push_back({entry->id, entry->title});
    return out;
}

/// The registry's entry called `name`, or the error of unknown_name().
template <class Entry>
collision::Result<const Entry*> entry_by_name(std::string_view kind, std::string_view name,
                                              std::span<const Entry* const> registry) {
    const std::vector<NamedEntry> entries = named_entries(registry);
    if (const std::optional<std::size_t> found = find_name(name, entries)) return registry[*found];
    return unknown_name(kind, name, entries);
}

}  // namespace claybox::app
