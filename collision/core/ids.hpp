#pragma once

#include <compare>
#include <cstdint>

namespace claybox::collision {

/// "No such element" in every index array.
inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

/// Bytes that two threads must not share.
inline constexpr std::size_t kCacheLine = 64;

/// Names one body for ever: a slot and the slot's generation, so a stale id is an error and never another
/// body.
struct BodyId {
    std::uint32_t slot = kNoIndex;
    std::uint32_t generation = 0;

    explicit operator bool() const { return slot != kNoIndex; }
    friend auto operator<=>(const BodyId&, const BodyId&) = default;
};

/// Names one scene group for ever, as BodyId does a body.
struct GroupId {
    std::uint32_t slot = kNoIndex;
    std::uint32_t generation = 0;

    explicit operator bool() const { return slot != kNoIndex; }
    friend auto operator<=>(const GroupId&, const GroupId&) = default;
};

/// An unordered pair of body slots, smaller slot in the upper half, so that sorting keys sorts pairs.
using PairKey = std::uint64_t;

constexpr PairKey make_pair_key(std::uint32_t a, std::uint32_t b) {
    return a < b ? (PairKey{a} << 32) | b : (PairKey{b} << 32) | a;
}
constexpr std::uint32_t first_slot(PairKey key) {
    return static_cast<std::uint32_t>(key >> 32);
}
constexpr std::uint32_t second_slot(PairKey key) {
    return static_cast<std::uint32_t>(key);
}

}  // namespace claybox::collision
