#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace claybox::collision {

/// Marks on slots that are cleared all at once: time stamps instead of a clearing loop (Zachmann,
/// thesis, 7.3.1). A slot is marked while its stamp equals the current round. Tests use a narrow `Stamp` to
/// force wrap-around.
template <class Stamp = std::uint32_t>
class SlotStamps {
  public:
    void resize(std::size_t slots) { stamps_.resize(slots, Stamp{0}); }
    /// Clears all marks. O(1), except for one round in 2^bits, where stamps wrap around and are reset.
    void start_round() {
        if (++round_ != 0) return;
        std::fill(stamps_.begin(), stamps_.end(), Stamp{0});
        round_ = 1;
    }
    void mark(std::uint32_t slot) { stamps_[slot] = round_; }
    bool marked(std::uint32_t slot) const { return stamps_[slot] == round_; }
    std::size_t memory_bytes() const { return stamps_.capacity() * sizeof(Stamp); }

  private:
    std::vector<Stamp> stamps_;
    Stamp round_ = 1;
};

}  // namespace claybox::collision
