#pragma once
/// \file
/// Names of bodies, groups and pairs.

#include <compare>
#include <cstdint>

namespace claybox::collision {

/// The index of "no such element" in every index array.
inline constexpr std::uint32_t kNoIndex = 0xffffffffu;

/// Size of a cache line in bytes. Data of different threads is aligned to it to avoid false sharing.
inline constexpr std::size_t kCacheLine = 64;

/// Identifies one body: a slot and the slot's generation. A slot is reused with a new generation, so the id
/// of a removed body is never valid again. A default-constructed id refers to no body and converts to false.
struct BodyId {
    std::uint32_t slot = kNoIndex;  ///< index into the arrays of a world
    std::uint32_t generation = 0;   ///< how often the slot was reused

    /// Whether the id refers to a body, alive or removed.
    explicit operator bool() const { return slot != kNoIndex; }
    /// Orders by slot, then by generation.
    friend auto operator<=>(const BodyId&, const BodyId&) = default;
};

/// Identifies one scene group. Works like BodyId.
struct GroupId {
    std::uint32_t slot = kNoIndex;  ///< index into the groups of a world
    std::uint32_t generation = 0;   ///< how often the slot was reused

    /// Whether the id refers to a group, alive or removed.
    explicit operator bool() const { return slot != kNoIndex; }
    /// Orders by slot, then by generation.
    friend auto operator<=>(const GroupId&, const GroupId&) = default;
};

/// An unordered pair of body slots. The smaller slot is in the upper half, so sorting keys sorts pairs.
using PairKey = std::uint64_t;

/// The key of slots `a` and `b`, in any order.
constexpr PairKey make_pair_key(std::uint32_t a, std::uint32_t b) {
    return a < b ? (PairKey{a} << 32) | b : (PairKey{b} << 32) | a;
}
/// The smaller slot.
constexpr std::uint32_t first_slot(PairKey key) {
    return static_cast<std::uint32_t>(key >> 32);
}
/// The larger slot.
constexpr std::uint32_t second_slot(PairKey key) {
    return static_cast<std::uint32_t>(key);
}

}  // namespace claybox::collision
