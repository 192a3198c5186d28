#include "bench/experiments/choice.hpp"

namespace claybox::bench {

using namespace collision;

Status check_ids(const std::vector<std::string>& ids, const std::vector<std::string>& known,
                 const std::vector<Library>& libraries) {
    for (const std::string& id : ids) {
        if (std::find(known.begin(), known.end(), id) != known.end()) continue;
        std::string words;
        for (const std::string& word : known) words += (words.empty() ? "" : ", ") + word;
        for (const Library& library : libraries)
            if (!library.left_out.empty()) words += "; " + library.name + " is left out: " + library.left_out;
        return Error{"--algorithms " + id + ": unknown, expected some of " + words, {}, 0};
    }
    return Done{};
}

std::vector<std::string> left_out_of(const std::vector<Library>& libraries) {
    std::vector<std::string> out;
    for (const Library& library : libraries)
        if (!library.left_out.empty()) out.push_back(library.name + ": " + library.left_out);
    return out;
}

}  // namespace claybox::bench
