#include "collision/simd/vector_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace claybox::collision {

namespace {

struct Targets {
    std::vector<std::int64_t> bits;
    std::vector<std::string> names;
};

/// Asked once, before a choice hides the others.
const Targets& all_targets() {
    static const Targets found = [] {
        Targets out;
        out.bits = hwy::SupportedAndGeneratedTargets();
        for (const std::int64_t bit : out.bits) {
            std::string name = hwy::TargetName(bit);
            for (char& c : name)
                if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
            out.names.push_back(std::move(name));
        }
        return out;
    }();
    return found;
}

}  // namespace

std::span<const std::string> vector_targets() {
    return all_targets().names;
}

bool choose_vector_target(std::string_view name) {
    const Targets& all = all_targets();
    const auto found = std::find(all.names.begin(), all.names.end(), name);
    if (found == all.names.end() && !name.empty()) return false;
    hwy::SetSupportedTargetsForTest(
        name.empty() ? 0 : all.bits[static_cast<std::size_t>(found - all.names.begin())]);
    return true;
}

}  // namespace claybox::collision
