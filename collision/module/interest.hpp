#pragma once
// Which pairs are tested at all. 64 groups as bit masks with exceptions per pair; the thesis' half matrix of
// n^2 bits is the ancestor, this one needs no n^2 memory.

#include "collision/core/ids.hpp"
#include "collision/pairwise/query.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace claybox::collision {

inline constexpr unsigned kGroupCount = 64;

/// What is wanted of a pair.
struct Interest {
    bool test = true;
    Wants wants = kWantVerdict;
    std::uint64_t data = 0;  ///< the application's own, handed to callbacks
    friend bool operator==(const Interest&, const Interest&) = default;
};

/// Not thread-safe; the World copies changes into its passes.
class InterestMatrix {
  public:
    /// Symmetric. Every pair of groups starts with Interest{}.
    void set_groups(unsigned group_a, unsigned group_b, const Interest& interest);
    void set_exception(BodyId a, BodyId b, const Interest& interest);
    void remove_exception(BodyId a, BodyId b);
    void remove_body(BodyId body);

    const Interest& groups(unsigned group_a, unsigned group_b) const {
        return groups_[group_a * kGroupCount + group_b];
    }
    /// The interest in a pair; the exception table is asked only for bodies that have one.
    const Interest& find(BodyId a, unsigned group_a, BodyId b, unsigned group_b) const;
    std::size_t exception_count() const { return exceptions_.size(); }

  private:
    bool has_exception(std::uint32_t slot) const {
        return slot < count_of_slot_.size() && count_of_slot_[slot] > 0;
    }

    std::vector<Interest> groups_ = std::vector<Interest>(std::size_t{kGroupCount} * kGroupCount);
    struct Exception {
        std::uint32_t generation_a, generation_b;
        Interest interest;
    };
    std::unordered_map<PairKey, Exception> exceptions_;
    std::vector<std::uint32_t> count_of_slot_;
};

}  // namespace claybox::collision
