#pragma once
// What a broad phase's structure looks like: boxes with levels, for drawing.

#include "collision/geometry/bounds.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// A cell, a node or, where it is flat on two axes, an interval. World frame, metres.
struct ViewBox {
    Aabb box;
    std::uint32_t level = 0;  ///< BroadPhaseDescriptor::levels says what it counts
    friend bool operator==(const ViewBox&, const ViewBox&) = default;
};

/// Which boxes of a structure are wished, and how many at most; none by default. Aligned as one word, so that
/// every compiler makes an atomic of it without a library's help.
struct alignas(8) ViewWish {
    static constexpr std::uint32_t kEveryLevel = ~std::uint32_t{0};
    std::uint32_t limit = 0;
    std::uint32_t level = kEveryLevel;
    friend bool operator==(const ViewWish&, const ViewWish&) = default;
};

/// Takes all boxes of a structure and keeps those that are wished. When they are more than the limit, every
/// second is dropped, as often as it takes: what is left is spread over the whole structure.
class StructureView {
  public:
    /// Forgets everything and keeps its memory.
    void begin(const ViewWish& wish);
    void add(const Aabb& box, std::uint32_t level);
    /// There are at least so many levels, also where no box of them is added.
    void note_levels(std::uint32_t levels) { levels_ = levels > levels_ ? levels : levels_; }

    const ViewWish& wish() const { return wish_; }
    std::span<const ViewBox> boxes() const { return boxes_; }
    /// One more than the highest level that was added.
    std::uint32_t levels() const { return levels_; }
    /// Boxes of the wished level, kept or not.
    std::size_t total() const { return total_; }
    std::size_t memory_bytes() const { return boxes_.capacity() * sizeof(ViewBox); }

  private:
    ViewWish wish_;
    std::vector<ViewBox> boxes_;
    std::uint32_t levels_ = 0;
    std::size_t total_ = 0, stride_ = 1;
};

/// Intervals on an axis as bars that lie beside each other where they overlap, outside of the box around all:
/// how far the bars reach says how many intervals overlap there. At most as many as the view's limit, evenly
/// chosen; the level is the axis.
class IntervalBars {
  public:
    /// `around` is the box around all bodies.
    explicit IntervalBars(const Aabb& around) : around_(around) {}
    /// Low and high ends in ascending order of the low ones.
    void add(float low, float high);
    void show(std::size_t axis, StructureView& out);

  private:
    struct Bar {
        float low, high;
        std::uint32_t lane;
    };
    void choose_lanes();
    Aabb around_;
    std::vector<Bar> bars_;
    std::uint32_t lanes_ = 0;
};

}  // namespace claybox::collision
