#include "app/cli/vector_choice.hpp"

#include "app/cli/name_lookup.hpp"
#include "collision/simd/vector_target.hpp"

#include <vector>

namespace claybox::app {

collision::Status choose_vectors(const std::string& name) {
    const auto all = collision::vector_targets();
    std::vector<NamedEntry> entries;
    for (const std::string& target : all) entries.push_back({target, {}});
    const auto found = find_name(name, entries);
    if (!found) return unknown_name("vector instructions", name, entries);
    collision::choose_vector_target(all[*found]);
    return collision::Done{};
}

}  // namespace claybox::app
