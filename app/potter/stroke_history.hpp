#pragma once
// Undo and redo per stroke. A stroke stores the moved vertices with their positions before it.

#include "collision/geometry/shape.hpp"

#include <deque>
#include <vector>

namespace claybox::app {

/// Thread contract: one thread. Keeps as many strokes as fit into a budget of memory; the oldest go first,
/// but the newest always stays.
class StrokeHistory {
  public:
    static constexpr std::size_t kBudget = 256u << 20;  ///< bytes of undo and redo together

    explicit StrokeHistory(std::size_t vertex_count) : stroke_of_vertex_(vertex_count) {}

    /// Starts a stroke; what was undone can no longer be redone.
    void open();
    /// Remembers where a vertex was before it moves. The first call of a stroke counts.
    void save(std::uint32_t vertex, const collision::Vec3f& position) {
        if (stroke_of_vertex_[vertex] == number_) return;
        stroke_of_vertex_[vertex] = number_;
        undo_.back().push_back({vertex, position});
        used_ += sizeof(collision::VertexChange);
    }
    /// Removes the newest stroke if it is empty. Forgets old strokes beyond the budget.
    void close(std::size_t budget = kBudget);

    /// Swaps the newest stroke with the current positions: the result is what the vertices become. Empty if
    /// there is none. Valid until the next call.
    std::span<const collision::VertexChange> undo(std::span<const collision::Vec3f> now);
    std::span<const collision::VertexChange> redo(std::span<const collision::Vec3f> now);

    std::size_t undo_count() const { return undo_.size(); }
    std::size_t redo_count() const { return redo_.size(); }
    std::size_t bytes() const { return used_; }

  private:
    using Stroke = std::vector<collision::VertexChange>;
    std::span<const collision::VertexChange> swap(std::deque<Stroke>& from, std::deque<Stroke>& to,
                                                  std::span<const collision::Vec3f> now);

    std::deque<Stroke> undo_, redo_;
    Stroke result_;
    std::vector<std::uint32_t> stroke_of_vertex_;  ///< newest stroke that saved the vertex
    std::uint32_t number_ = 0;
    std::size_t used_ = 0;
};

}  // namespace claybox::app
