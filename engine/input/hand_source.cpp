#include "engine/input/hand_source.hpp"

namespace claybox::engine {

namespace {

constexpr HandSourceInfo kSources[kHandSourceCount] = {
    {HandSource::override_hand, "override", "Scripted hand", false},
    {HandSource::mouse, "mouse", "Mouse hand", true},
};
static_assert(kSources[kHandSourceCount - 1].always);

}  // namespace

std::span<const HandSourceInfo> hand_sources() {
    return kSources;
}

const HandSourceInfo* choose_hand(const HandOffers& offers) {
    for (const HandSourceInfo& info : kSources) {
        if (offers[static_cast<std::size_t>(info.source)].has_value()) return &info;
    }
    return nullptr;
}

}  // namespace claybox::engine
