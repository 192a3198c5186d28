#pragma once
// What an algorithm told, kept: for stepping through it in a picture, and for tests.

#include "collision/core/trace.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace claybox::collision {

/// One thing that was told. Labels live as long as the algorithms: for ever.
struct TraceItem {
    enum class Kind : unsigned char { point, segment, plane, box, value };
    Kind kind = Kind::point;
    const char* label = "";
    Vec3d p;                       ///< the point, where a segment begins, the corner of a box, near the plane
    std::array<Vec3d, 3> along{};  ///< sides of the box; first: the segment from p, the normal of the plane
    double number = 0;             ///< the value, the offset of the plane
};

/// Keeps what is told by steps, one for each begin_iteration(), up to a limit of each.
class TraceRecord final : public Trace {
  public:
    explicit TraceRecord(std::size_t most_steps = 100000, std::size_t most_items = 1000000)
        : most_steps_(most_steps), most_items_(most_items) {}

    void clear();
    /// Those in which something was told.
    std::size_t steps() const {
        return begin_.size() - (!begin_.empty() && begin_.back() == items_.size() ? 1 : 0);
    }
    std::span<const TraceItem> items() const { return items_; }
    std::span<const TraceItem> step(std::size_t i) const;
    /// More was told than there was room for.
    bool is_cut() const { return cut_; }

    void begin_iteration(int number) override;
    void point(const Vec3d& p_w, const char* label) override;
    void segment(const Vec3d& from_w, const Vec3d& to_w, const char* label) override;
    void plane(const Vec3d& normal_w, double offset, const Vec3d& near_w, const char* label) override;
    void value(const char* label, double v) override;
    void box(const Vec3d& corner_w, const std::array<Vec3d, 3>& sides_w, const char* label) override;

  private:
    void keep(const TraceItem& item);

    std::size_t most_steps_, most_items_;
    std::vector<TraceItem> items_;
    std::vector<std::size_t> begin_;  ///< of each step, in items_
    bool cut_ = false;
};

}  // namespace claybox::collision
