#include "app/potter/history/stroke_history.hpp"

#include <algorithm>

namespace claybox::app {

void StrokeHistory::open() {
    for (const Stroke& stroke : redo_) used_ -= stroke.delta.bytes();
    redo_.clear();
    undo_.push_back({++number_, {}});
}

void StrokeHistory::close(std::size_t budget) {
    if (!undo_.empty() && undo_.back().delta.empty()) undo_.pop_back();
    while (used_ > budget && undo_.size() > 1) {
        used_ -= undo_.front().delta.bytes();
        undo_.pop_front();
    }
}

void StrokeHistory::move_to_redo(ClayDelta inverse) {
    used_ += inverse.bytes();
    used_ -= undo_.back().delta.bytes();
    redo_.push_back({undo_.back().number, std::move(inverse)});
    undo_.pop_back();
}

void StrokeHistory::move_to_undo(ClayDelta inverse) {
    used_ += inverse.bytes();
    used_ -= redo_.back().delta.bytes();
    undo_.push_back({redo_.back().number, std::move(inverse)});
    redo_.pop_back();
}

void StrokeHistory::resize(std::size_t vertex_count) {
    saved_in_.assign(vertex_count, 0);
    masked_in_.assign(vertex_count, 0);
}

void StrokeHistory::replace(std::uint32_t stroke, ClayDelta delta, std::size_t vertex_count) {
    resize(vertex_count);
    while (!undo_.empty() && undo_.back().number > stroke) {
        used_ -= undo_.back().delta.bytes();
        undo_.pop_back();
    }
    if (undo_.empty() || undo_.back().number != stroke) return;
    used_ -= undo_.back().delta.bytes();
    number_ = std::max(number_, stroke) + 1;
    undo_.back() = {number_, std::move(delta)};
    const ClayDelta& now = undo_.back().delta;
    used_ += now.bytes();
    // What the delta has, and what did not exist before, needs no saving.
    const std::size_t known = now.whole ? 0 : std::min<std::size_t>(now.vertex_count, vertex_count);
    for (const collision::VertexChange& c : now.vertices)
        if (c.vertex < vertex_count) saved_in_[c.vertex] = number_;
    for (const MaskChange& c : now.masks)
        if (c.vertex < vertex_count) masked_in_[c.vertex] = number_;
    std::fill(saved_in_.begin() + static_cast<std::ptrdiff_t>(known), saved_in_.end(), number_);
    std::fill(masked_in_.begin() + static_cast<std::ptrdiff_t>(known), masked_in_.end(), number_);
}

}  // namespace claybox::app
