#pragma once
/// \file
/// A set of pairs of interest groups.

#include "collision/core/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace claybox::collision {

/// Number of interest groups.
inline constexpr unsigned kGroupCount = 64;

/// A set of pairs of interest groups. Symmetric: (a, b) and (b, a) are the same pair. Groups are below
/// kGroupCount. Not thread-safe.
class GroupPairs {
  public:
    /// Whether the pair is in the set.
    bool contains(unsigned a, unsigned b) const { return (rows_[a] >> b & 1u) != 0; }
    /// Puts the pair into the set, or takes it out.
    void set(unsigned a, unsigned b, bool in_set);
    /// Whether no pair is in the set.
    bool empty() const { return *this == GroupPairs{}; }
    /// Whether both sets hold the same pairs.
    friend bool operator==(const GroupPairs&, const GroupPairs&) = default;

  private:
    std::array<std::uint64_t, kGroupCount> rows_{};  ///< bit b of row a
};

/// "0-1,3-3": the pairs in order, smaller group first; empty for the empty set.
std::string to_text(const GroupPairs& pairs);
/// Reads the same, in any order. An error says what was expected.
Result<GroupPairs> group_pairs_from_text(std::string_view text);

}  // namespace claybox::collision
