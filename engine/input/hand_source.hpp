#pragma once
// Where a hand can come from, in priority order: the first source that has a hand this frame drives it.

#include "engine/hand/hand_model.hpp"

#include <array>
#include <optional>
#include <span>

namespace claybox::engine {

enum class HandSource : unsigned char {
    override_hand,  ///< a script, a replay or a test
    mouse,          ///< always there
};
inline constexpr int kHandSourceCount = 2;

struct HandSourceInfo {
    HandSource source;
    const char* id;
    const char* title;
    bool always;  ///< has a hand in every frame
};

/// In priority order; the last is always available.
std::span<const HandSourceInfo> hand_sources();

/// What every source offers this frame, indexed by HandSource; empty where it has no hand.
using HandOffers = std::array<std::optional<HandState>, kHandSourceCount>;

/// The source that drives the hand, or null when not even the last one offers a hand (a scene without hands).
const HandSourceInfo* choose_hand(const HandOffers& offers);

}  // namespace claybox::engine
