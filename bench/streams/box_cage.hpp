#pragma once
// Moving boxes in a closed cage, for comparisons of broad phases. Each box overlaps about three others. All
// coordinates are multiples of 2^-16 m, which float represents exactly: every contestant gets the same boxes,
// whether it stores corners or a centre with half sides.

#include "collision/core/ids.hpp"
#include "collision/geometry/bounds/bounds.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::streams {

/// Boxes that move in a frame: all, always the same 1 %, or a different 1 % in each frame.
enum class BoxMotion : unsigned char { all, few, turns };

class BoxCage {
  public:
    BoxCage(std::uint32_t bodies, BoxMotion motion, std::uint64_t seed);

    /// One frame: the boxes that move travel 1 to 5 % of their size and turn back at the walls.
    void advance();
    std::span<const collision::Aabb> boxes() const { return boxes_; }
    std::span<const std::uint32_t> moved() const { return moved_; }
    /// Half side of a cube around the origin that no box leaves, metres.
    float reach() const;

  private:
    using Fixed3 = std::array<std::int32_t, 3>;  ///< multiples of 2^-16 m
    struct Body {
        Fixed3 centre, half, velocity;
    };
    void place(std::uint32_t body);
    void choose_moved();

    BoxMotion motion_;
    std::int32_t wall_ = 0;
    std::size_t next_ = 0;  ///< index into order_ of the next box to move
    std::vector<Body> bodies_;
    std::vector<std::uint32_t> order_, moved_;
    std::vector<collision::Aabb> boxes_;
};

/// Compares lists of pairs independently of their order.
struct PairDigest {
    std::uint64_t count = 0, sum = 0;
    friend bool operator==(const PairDigest&, const PairDigest&) = default;
};
PairDigest digest_of(std::span<const collision::PairKey> pairs);

/// Reference for broad phases: a uniform grid, rebuilt for each call, in scalar code that shares nothing with
/// the broad phases. A box is stored in the cell of its lower corner; cells are as large as the largest box.
class PlainGrid {
  public:
    /// All pairs of overlapping boxes, in any order.
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
