#pragma once
/// \file
/// Boxes of a broad phase's structure, with levels, for drawing.

#include "collision/geometry/bounds/bounds.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace claybox::collision {

/// A cell, a node, or (if flat on two axes) an interval. World frame, metres.
struct ViewBox {
    Aabb box;                 ///< where it is
    std::uint32_t level = 0;  ///< meaning: BroadPhaseDescriptor::levels
    /// Whether box and level are equal.
    friend bool operator==(const ViewBox&, const ViewBox&) = default;
};

/// Which boxes of a structure to draw, and the maximum number; none by default. Aligned to 8 bytes: every
/// compiler then implements std::atomic of it without a library call.
struct alignas(8) ViewRequest {
    /// The level that stands for all levels.
    static constexpr std::uint32_t kEveryLevel = ~std::uint32_t{0};
    std::uint32_t limit = 0;            ///< the most boxes that the view keeps
    std::uint32_t level = kEveryLevel;  ///< the level to keep
    /// Whether both ask for the same.
    friend bool operator==(const ViewRequest&, const ViewRequest&) = default;
};

/// Collects the requested boxes of a structure. Above the limit, every second box is dropped, repeatedly: the
/// remaining boxes are spread over the whole structure.
class StructureView {
  public:
    /// Clears everything and keeps the memory.
    void begin(const ViewRequest& request);
    /// Adds a box of the structure, world frame.
    void add(const Aabb& box, std::uint32_t level);
    /// Sets a minimum number of levels, including levels without boxes.
    void ensure_levels(std::uint32_t levels) { levels_ = levels > levels_ ? levels : levels_; }

    /// What begin() was asked for.
    const ViewRequest& request() const { return request_; }
    /// The kept boxes, in the order of add().
    std::span<const ViewBox> boxes() const { return boxes_; }
    /// One more than the highest level.
    std::uint32_t levels() const { return levels_; }
    /// Number of boxes of the requested level, including dropped ones.
    std::size_t total() const { return total_; }
    /// Memory of the kept boxes.
    std::size_t memory_bytes() const { return boxes_.capacity() * sizeof(ViewBox); }

  private:
    ViewRequest request_;
    std::vector<ViewBox> boxes_;
    std::uint32_t levels_ = 0;
    std::size_t total_ = 0, stride_ = 1;
};

/// Draws the intervals on an axis as bars outside the box around all bodies. Overlapping bars are placed next
/// to each other: the depth of the stack is the number of overlapping intervals. Above the view's limit, an
/// evenly spaced subset is drawn. The level is the axis.
class IntervalBars {
  public:
    /// `around` is the box around all bodies.
    explicit IntervalBars(const Aabb& around) : around_(around) {}
    /// Call in ascending order of `low`.
    void add(float low, float high);
    /// Adds the bars of the axis (0 to 2) to `out`, as boxes that are flat on two axes.
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
