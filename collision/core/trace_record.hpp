#pragma once
// A trace that records all steps, for stepping through an algorithm on screen and for tests.

#include "collision/core/trace.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace claybox::collision {

/// One recorded item. Labels are string literals.
struct TraceItem {
    enum class Kind : unsigned char { point, segment, plane, box, value, triangle, picture };
    Kind kind = Kind::point;
    TraceSpace space = TraceSpace::world;
    const char* label = "";
    Vec3d p;  ///< the point, a segment's start, a corner of a box or triangle, or a point near the plane
    /// Edge vectors of a box, or of a triangle (two) or segment (one) from p; [0]: a plane's normal.
    std::array<Vec3d, 3> along{};
    double number = 0;  ///< a value, a plane's offset, or the index of a picture
};

struct TracePicture {
    std::uint32_t width = 0;
    std::vector<TracePixel> pixels;  ///< rows from the bottom up
};

/// Records items in steps, one step per begin_iteration(). Both numbers are limited. Empty steps are dropped.
class TraceRecord final : public Trace {
  public:
    explicit TraceRecord(std::size_t max_steps = 100000, std::size_t max_items = 1000000)
        : max_steps_(max_steps), max_items_(max_items) {}

    void clear();
    /// The number of recorded steps that are not empty.
    std::size_t steps() const {
        return begin_.size() - (!begin_.empty() && begin_.back() == items_.size() ? 1 : 0);
    }
    std::span<const TraceItem> items() const { return items_; }
    std::span<const TraceItem> step(std::size_t i) const;
    /// The picture of an item of Kind::picture.
    const TracePicture& picture_of(const TraceItem& item) const {
        return pictures_[static_cast<std::size_t>(item.number)];
    }
    /// Whether items were dropped because a limit was reached.
    bool is_cut() const { return cut_; }

    void begin_iteration(int number) override;
    void space(TraceSpace space) override { space_ = space; }
    void point(const Vec3d& p_w, const char* label) override;
    void segment(const Vec3d& from_w, const Vec3d& to_w, const char* label) override;
    void plane(const Vec3d& normal_w, double offset, const Vec3d& near_w, const char* label) override;
    void value(const char* label, double v) override;
    void box(const Vec3d& corner_w, const std::array<Vec3d, 3>& sides_w, const char* label) override;
    void triangle(const Vec3d& p, const Vec3d& q, const Vec3d& r, const char* label) override;
    void picture(std::uint32_t width, std::span<const TracePixel> pixels, const char* label) override;

  private:
    void keep(const TraceItem& item);

    std::size_t max_steps_, max_items_;
    std::vector<TraceItem> items_;
    std::vector<std::size_t> begin_;  ///< per step: index of its first item
    std::vector<TracePicture> pictures_;
    TraceSpace space_ = TraceSpace::world;
    bool cut_ = false;
};

}  // namespace claybox::collision
