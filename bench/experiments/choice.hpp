#pragma once
// Which contestants a run is about.

#include "bench/contestants/contestant.hpp"
#include "collision/core/result.hpp"

#include <algorithm>

namespace claybox::bench {

/// Fails when an id is none of `known`; the words name those and the libraries that are left out.
collision::Status check_ids(const std::vector<std::string>& ids, const std::vector<std::string>& known,
                            const std::vector<Library>& libraries);
/// "Bullet: why", for those that are not there.
std::vector<std::string> left_out_of(const std::vector<Library>& libraries);

/// Those with one of the ids; all when there are no ids.
template <class Some>
std::vector<Some> chosen(const std::vector<std::string>& ids, std::vector<Some> all) {
    if (!ids.empty())
        std::erase_if(all,
                      [&](const Some& e) { return std::find(ids.begin(), ids.end(), e.id) == ids.end(); });
    return all;
}

template <class Some>
void add_ids(const std::vector<Some>& entries, std::vector<std::string>& out) {
    for (const Some& entry : entries)
        if (std::find(out.begin(), out.end(), entry.id) == out.end()) out.push_back(entry.id);
}

}  // namespace claybox::bench
