#pragma once
// Boxes that wander in a closed cage, each overlapping about three others, and who overlaps whom. All numbers
// are multiples of 2^-16 m that floats hold exactly: a box is the same for everyone, whether kept as corners
// or as a centre with half sides.

#include "collision/core/ids.hpp"
#include "collision/geometry/bounds.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::streams {

/// Who moves in a frame: everyone, the same hundredth always, or another hundredth each frame.
enum class BoxMotion : unsigned char { all, few, turns };

class BoxCage {
  public:
    BoxCage(std::uint32_t bodies, BoxMotion motion, std::uint64_t seed);

    /// Everyone who moves goes on by 1 to 5 % of its size and turns back at the walls.
    void advance();
    std::span<const collision::Aabb> boxes() const { return boxes_; }
    std::span<const std::uint32_t> moved() const { return moved_; }
    /// Of the cage: no box leaves the cube of this half side about the origin.
    float reach() const;

  private:
    using Whole3 = std::array<std::int32_t, 3>;  ///< in steps of 2^-16 m
    struct Body {
        Whole3 centre, half, velocity;
    };
    void place(std::uint32_t body);
    void choose_moved();

    BoxMotion motion_;
    std::int32_t wall_ = 0;
    std::size_t next_ = 0;  ///< of order_: who moves next
    std::vector<Body> bodies_;
    std::vector<std::uint32_t> order_, moved_;
    std::vector<collision::Aabb> boxes_;
};

/// What tells two lists of pairs apart, whatever their order.
struct PairDigest {
    std::uint64_t count = 0, sum = 0;
    friend bool operator==(const PairDigest&, const PairDigest&) = default;
};
PairDigest digest_of(std::span<const collision::PairKey> pairs);

/// A plain uniform grid, built anew each time, in scalar code that shares nothing with our broad phases: each
/// box stands in the cell of its lower corner, cells are as large as the largest box.
class PlainGrid {
  public:
    /// All pairs of boxes that overlap, in any order.
    std::span<const collision::PairKey> find(std::span<const collision::Aabb> boxes);

  private:
    void measure(std::span<const collision::Aabb> boxes);
    std::size_t cell_of(const collision::Aabb& box) const;
    void compare(std::span<const collision::Aabb> boxes, std::size_t first_cell, std::size_t second_cell);

    collision::Vec3f low_;
    float cell_ = 1;
    std::array<std::int32_t, 3> cells_{};
    std::vector<std::uint32_t> first_, members_, cell_of_body_;
    std::vector<collision::PairKey> pairs_;
};

}  // namespace claybox::streams
