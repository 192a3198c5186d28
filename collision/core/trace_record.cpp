#include "collision/core/trace_record.hpp"

namespace claybox::collision {

void TraceRecord::clear() {
    items_.clear();
    begin_.clear();
    pictures_.clear();
    space_ = TraceSpace::world;
    cut_ = false;
}

std::span<const TraceItem> TraceRecord::step(std::size_t i) const {
    const std::size_t end = i + 1 < begin_.size() ? begin_[i + 1] : items_.size();
    return std::span<const TraceItem>(items_).subspan(begin_[i], end - begin_[i]);
}

void TraceRecord::begin_iteration(int) {
    space_ = TraceSpace::world;
    if (cut_ || begin_.size() == max_steps_) {
        cut_ = true;  // stop here: later items would end up in the last recorded step
        return;
    }
    // Reuse the current step if it is still empty.
    if (!begin_.empty() && begin_.back() == items_.size()) return;
    begin_.push_back(items_.size());
}

void TraceRecord::keep(const TraceItem& item) {
    if (begin_.empty()) begin_iteration(0);
    cut_ |= items_.size() == max_items_;
    if (!cut_) items_.push_back(item);
}

void TraceRecord::point(const Vec3d& p_w, const char* label) {
    keep({TraceItem::Kind::point, space_, label, p_w, {}, 0});
}

void TraceRecord::segment(const Vec3d& from_w, const Vec3d& to_w, const char* label) {
    keep({TraceItem::Kind::segment, space_, label, from_w, {to_w - from_w}, 0});
}

void TraceRecord::plane(const Vec3d& normal_w, double offset, const Vec3d& near_w, const char* label) {
    keep({TraceItem::Kind::plane, space_, label, near_w, {normal_w}, offset});
}

void TraceRecord::value(const char* label, double v) {
    keep({TraceItem::Kind::value, space_, label, {}, {}, v});
}

void TraceRecord::box(const Vec3d& corner_w, const std::array<Vec3d, 3>& sides_w, const char* label) {
    keep({TraceItem::Kind::box, space_, label, corner_w, sides_w, 0});
}

void TraceRecord::triangle(const Vec3d& p, const Vec3d& q, const Vec3d& r, const char* label) {
    keep({TraceItem::Kind::triangle, space_, label, p, {q - p, r - p}, 0});
}

void TraceRecord::picture(std::uint32_t width, std::span<const TracePixel> pixels, const char* label) {
    if (cut_) return;
    keep({TraceItem::Kind::picture, space_, label, {}, {}, static_cast<double>(pictures_.size())});
    pictures_.push_back({width, {pixels.begin(), pixels.end()}});
}

}  // namespace claybox::collision
