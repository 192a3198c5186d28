#pragma once
// Selects the contestants of a run.

#include "bench/contestants/contestant.hpp"
#include "collision/core/result.hpp"

#include <algorithm>

namespace claybox::bench {

/// An id that is not in `known` is an error; the message lists the known ids and the missing libraries.
collision::Status check_ids(const std::vector<std::string>& ids, const std::vector<std::string>& known,
                            const std::vector<Library>& libraries);
/// One string "NAME: REASON" per missing library.
std::vector<std::string> list_missing(const std::vector<Library>& libraries);

/// The entries with one of the ids; all if `ids` is empty.
template <class Some>
std::vector<Some> select(const std::vector<std::string>& ids, std::vector<Some> all) {
    if (!ids.empty())
        std::erase_if(all,
                      [&](const Some& e) { return std::find(ids.begin(), ids.end(), e.id) == ids.end(); });
    return all;
}

/// Appends the ids of the entries, each once.
template <class Some>
void add_ids(const std::vector<Some>& entries, std::vector<std::string>& out) {
    for (const Some& entry : entries)
        if (std::find(out.begin(), out.end(), entry.id) == out.end()) out.push_back(entry.id);
}

}  // namespace claybox::bench
