#include "bench/experiments/shared/choice.hpp"

namespace claybox::bench {

using namespace collision;

Status check_ids(const std::vector<std::string>& ids, const std::vector<std::string>& known,
                 const std::vector<Library>& libraries) {
    for (const std::string& id : ids) {
        if (std::find(known.begin(), known.end(), id) != known.end()) continue;
        std::string words;
        for (const std::string& word : known) words += (words.empty() ? "" : ", ") + word;
        for (const Library& library : libraries)
            if (!library.missing_reason.empty())
                words += "; " + library.name + " is missing: " + library.missing_reason;
        return Error{"--algorithms " + id + ": unknown, expected one or more of " + words, {}, 0};
    }
    return Done{};
}

std::vector<std::string> list_missing(const std::vector<Library>& libraries) {
    std::vector<std::string> out;
    for (const Library& library : libraries)
        if (!library.missing_reason.empty()) out.push_back(library.name + ": " + library.missing_reason);
    return out;
}

}  // namespace claybox::bench
