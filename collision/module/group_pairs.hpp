#pragma once
// A set of pairs of interest groups.

#include "collision/core/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace claybox::collision {

inline constexpr unsigned kGroupCount = 64;

/// Symmetric: (a, b) and (b, a) are the same pair. Groups are below kGroupCount. Not thread-safe.
class GroupPairs {
  public:
    bool contains(unsigned a, unsigned b) const { return (rows_[a] >> b & 1u) != 0; }
    void set(unsigned a, unsigned b, bool in_set);
    bool empty() const { return *this == GroupPairs{}; }
    friend bool operator==(const GroupPairs&, const GroupPairs&) = default;

  private:
    std::array<std::uint64_t, kGroupCount> rows_{};  ///< bit b of row a
};

/// "0-1,3-3": the pairs in order, smaller group first; empty for the empty set.
std::string to_text(const GroupPairs& pairs);
/// Reads the same, in any order. An error says what was expected.
Result<GroupPairs> group_pairs_from_text(std::string_view text);

}  // namespace claybox::collision
