#pragma once
/// \file
/// Collision filter: which pairs are tested. 64 groups plus exceptions for single pairs. Derived from the
/// half matrix with one entry per pair in Zachmann's thesis (7.0.1), without its n^2 memory: 100 bodies took
/// 200 kB there; 100,000 bodies would take 200 GB.

#include "collision/module/group_pairs.hpp"
#include "collision/module/pair_map.hpp"
#include "collision/pairwise/query.hpp"

namespace claybox::collision {

/// Whether a pair is tested continuously: along the motions of its bodies from pass to pass, not only at
/// their poses. Such a pair collides in a pass if its bodies touch at any time of it.
enum class Continuity : unsigned char {
    of_bodies,  ///< if one of the two bodies has BodyDef::continuous
    on,         ///< always
    off,        ///< never
};

/// What the application wants to know about a pair.
struct Interest {
    bool test = true;                               ///< false: the pair is never tested and has no events
    Wants wants = kWantVerdict;                     ///< what its events report in addition to the verdict
    std::uint64_t data = 0;                         ///< application data, passed to callbacks
    Continuity continuity = Continuity::of_bodies;  ///< whether motions are tested
    /// Whether all fields are equal.
    friend bool operator==(const Interest&, const Interest&) = default;
};

/// The interest in every pair of bodies. Not thread-safe; the World copies changes into its passes.
class InterestMatrix {
  public:
    /// Symmetric. Every pair of groups starts with Interest{}.
    void set_groups(unsigned group_a, unsigned group_b, const Interest& interest);
    /// The interest in one pair, instead of that of its groups. Symmetric.
    void set_exception(BodyId a, BodyId b, const Interest& interest) {
        exceptions_.put(a, b, interest);
        continuous_exceptions_ |= interest.test && interest.continuity == Continuity::on;
    }
    /// The interest of its groups applies to the pair again.
    void remove_exception(BodyId a, BodyId b) { exceptions_.erase(a, b); }
    /// Removes the exceptions of a body. O(number of exceptions of the body).
    void remove_body(BodyId body) { exceptions_.erase_body(body); }

    /// The interest in pairs of these groups.
    const Interest& groups(unsigned group_a, unsigned group_b) const {
        return groups_[group_a * kGroupCount + group_b];
    }
    /// The interest in a pair: its exception if there is one, otherwise the interest of its groups.
    const Interest& find(BodyId a, unsigned group_a, BodyId b, unsigned group_b) const {
        const Interest* const own = exceptions_.find(a, b);
        return own ? *own : groups(group_a, group_b);
    }
    /// The groups with bodies that may be in a continuous pair, one bit per group. `switched`: the groups
    /// that have bodies with the continuous switch. Too large if exceptions have switched single pairs.
    std::uint64_t continuous_groups(std::uint64_t switched) const;
    /// Number of pairs with an interest of their own.
    std::size_t exception_count() const { return exceptions_.size(); }
    /// Approximate memory of one exception.
    static constexpr std::size_t kBytesPerException = PairMap<Interest>::kBytesPerPair;
    /// Memory of groups and exceptions.
    std::size_t memory_bytes() const {
        return groups_.capacity() * sizeof(Interest) + exceptions_.memory_bytes();
    }

  private:
    std::vector<Interest> groups_ = std::vector<Interest>(std::size_t{kGroupCount} * kGroupCount);
    PairMap<Interest> exceptions_;
    bool continuous_exceptions_ = false;  ///< some exception has switched a pair on
};

}  // namespace claybox::collision
