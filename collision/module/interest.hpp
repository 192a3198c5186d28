#pragma once
// Collision filter: which pairs are tested. 64 groups plus exceptions for single pairs. Derived from the half
// matrix with one entry per pair in Zachmann's thesis (7.0.1), without its n^2 memory: 100 bodies took 200 kB
// there; 100,000 bodies would take 200 GB.

#include "collision/module/pair_map.hpp"
#include "collision/pairwise/query.hpp"

namespace claybox::collision {

inline constexpr unsigned kGroupCount = 64;

/// What the application wants to know about a pair.
struct Interest {
    bool test = true;
    Wants wants = kWantVerdict;
    std::uint64_t data = 0;  ///< application data, passed to callbacks
    friend bool operator==(const Interest&, const Interest&) = default;
};

/// Not thread-safe; the World copies changes into its passes.
class InterestMatrix {
  public:
    /// Symmetric. Every pair of groups starts with Interest{}.
    void set_groups(unsigned group_a, unsigned group_b, const Interest& interest);
    void set_exception(BodyId a, BodyId b, const Interest& interest) { exceptions_.put(a, b, interest); }
    void remove_exception(BodyId a, BodyId b) { exceptions_.erase(a, b); }
    /// O(number of exceptions of the body).
    void remove_body(BodyId body) { exceptions_.erase_body(body); }

    const Interest& groups(unsigned group_a, unsigned group_b) const {
        return groups_[group_a * kGroupCount + group_b];
    }
    /// The interest in a pair: its exception if there is one, otherwise the interest of its groups.
    const Interest& find(BodyId a, unsigned group_a, BodyId b, unsigned group_b) const {
        const Interest* const own = exceptions_.find(a, b);
        return own ? *own : groups(group_a, group_b);
    }
    std::size_t exception_count() const { return exceptions_.size(); }
    /// Approximate memory of one exception.
    static constexpr std::size_t kBytesPerException = PairMap<Interest>::kBytesPerPair;
    std::size_t memory_bytes() const {
        return groups_.capacity() * sizeof(Interest) + exceptions_.memory_bytes();
    }

  private:
    std::vector<Interest> groups_ = std::vector<Interest>(std::size_t{kGroupCount} * kGroupCount);
    PairMap<Interest> exceptions_;
};

}  // namespace claybox::collision
