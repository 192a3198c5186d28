#include "collision/broadphase/broad_phase.hpp"

#include <array>

namespace claybox::collision {

#define BROAD_PHASE(id) const BroadPhaseDescriptor& describe_##id();
#include "collision/broadphase/list.def"
#undef BROAD_PHASE

std::span<const BroadPhaseDescriptor* const> broad_phases() {
    static const std::array table{
#define BROAD_PHASE(id) &describe_##id(),
#include "collision/broadphase/list.def"
#undef BROAD_PHASE
    };
    return table;
}

const BroadPhaseDescriptor* find_broad_phase(std::string_view id) {
    for (const BroadPhaseDescriptor* entry : broad_phases())
        if (id == entry->id) return entry;
    return nullptr;
}

}  // namespace claybox::collision
