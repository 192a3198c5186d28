#include "app/potter/stroke_history.hpp"

namespace claybox::app {

using collision::Vec3f;
using collision::VertexChange;

void StrokeHistory::open() {
    for (const Stroke& stroke : redo_) used_ -= stroke.size() * sizeof(VertexChange);
    redo_.clear();
    undo_.emplace_back();
    ++number_;
}

void StrokeHistory::close(std::size_t budget) {
    if (!undo_.empty() && undo_.back().empty()) undo_.pop_back();
    while (used_ > budget && undo_.size() > 1) {
        used_ -= undo_.front().size() * sizeof(VertexChange);
        undo_.pop_front();
    }
}

std::span<const VertexChange> StrokeHistory::swap(std::deque<Stroke>& from, std::deque<Stroke>& to,
                                                  std::span<const Vec3f> now) {
    if (from.empty()) return {};
    result_ = from.back();
    to.push_back(std::move(from.back()));
    from.pop_back();
    for (VertexChange& change : to.back()) change.position = now[change.vertex];
    return result_;
}

std::span<const VertexChange> StrokeHistory::undo(std::span<const Vec3f> now) {
    return swap(undo_, redo_, now);
}

std::span<const VertexChange> StrokeHistory::redo(std::span<const Vec3f> now) {
    return swap(redo_, undo_, now);
}

}  // namespace claybox::app
