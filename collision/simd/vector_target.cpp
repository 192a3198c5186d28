#include "collision/simd/vector_target.hpp"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace claybox::collision {

namespace {

/// Such a build, for example that for browsers, has nothing to choose and links no library of Highway.
constexpr bool kOneTarget = (HWY_TARGETS & (HWY_TARGETS - 1)) == 0;

struct Targets {
    std::vector<std::int64_t> bits;
    std::vector<std::string> names;
};

/// Asked once, before a choice hides the others.
const Targets& all_targets() {
    static const Targets found = [] {
        Targets out;
        for (std::int64_t rest = HWY_SUPPORTED_TARGETS & HWY_TARGETS; rest != 0; rest &= rest - 1)
            out.bits.push_back(rest & ~(rest - 1));
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
    if constexpr (!kOneTarget)
        hwy::SetSupportedTargetsForTest(
            name.empty() ? 0 : all.bits[static_cast<std::size_t>(found - all.names.begin())]);
    return true;
}

}  // namespace claybox::collision
