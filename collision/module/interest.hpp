#pragma once
// Which pairs are tested at all. 64 groups with exceptions per pair; the thesis' half matrix with an entry
// for each pair (7.0.1) is the ancestor, this one needs no n^2 memory: 100 bodies took 200 kB there, 100,000
// would take 200 GB.

#include "collision/module/pair_map.hpp"
#include "collision/pairwise/query.hpp"

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
    void set_exception(BodyId a, BodyId b, const Interest& interest) { exceptions_.put(a, b, interest); }
    void remove_exception(BodyId a, BodyId b) { exceptions_.erase(a, b); }
    /// Takes as long as the body has exceptions.
    void remove_body(BodyId body) { exceptions_.erase_body(body); }

    const Interest& groups(unsigned group_a, unsigned group_b) const {
        return groups_[group_a * kGroupCount + group_b];
    }
    /// The interest in a pair; the exception table is asked only for bodies that have one.
    const Interest& find(BodyId a, unsigned group_a, BodyId b, unsigned group_b) const {
        const Interest* const own = exceptions_.find(a, b);
        return own ? *own : groups(group_a, group_b);
    }
    std::size_t exception_count() const { return exceptions_.size(); }
    /// Of one more exception, roughly.
    static constexpr std::size_t kBytesOfException = PairMap<Interest>::kBytesEach;
    std::size_t memory_bytes() const {
        return groups_.capacity() * sizeof(Interest) + exceptions_.memory_bytes();
    }

  private:
    std::vector<Interest> groups_ = std::vector<Interest>(std::size_t{kGroupCount} * kGroupCount);
    PairMap<Interest> exceptions_;
};

}  // namespace claybox::collision
