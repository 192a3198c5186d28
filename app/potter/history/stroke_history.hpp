#pragma once
// Undo and redo per stroke. A stroke stores what it changed, with the values before it.

#include "app/potter/history/clay_delta.hpp"

#include <deque>
#include <vector>

namespace claybox::app {

/// Thread contract: one thread. Keeps as many strokes as fit into a budget of memory; the oldest go first,
/// but the newest always stays.
class StrokeHistory {
  public:
    static constexpr std::size_t kBudget = 256u << 20;  ///< bytes of undo and redo together

    explicit StrokeHistory(std::size_t vertex_count) : saved_in_(vertex_count), masked_in_(vertex_count) {}

    /// Starts a stroke; what was undone can no longer be redone.
    void open();
    /// Remembers where a vertex was before it moves. The first call of a stroke counts.
    void save(std::uint32_t vertex, const collision::Vec3f& position) {
        if (saved_in_[vertex] == number_) return;
        saved_in_[vertex] = number_;
        undo_.back().delta.vertices.push_back({vertex, position});
        used_ += sizeof(collision::VertexChange);
    }
    /// The same for the mask.
    void save_mask(std::uint32_t vertex, float value) {
        if (masked_in_[vertex] == number_) return;
        masked_in_[vertex] = number_;
        undo_.back().delta.masks.push_back({vertex, value});
        used_ += sizeof(MaskChange);
    }
    /// Removes the newest stroke if it is empty. Forgets old strokes beyond the budget.
    void close(std::size_t budget = kBudget);

    /// The newest stroke but `back`, as a delta from the clay after it; null if there is none. Valid until
    /// the history changes.
    const ClayDelta* undo_at(std::size_t back) const {
        return back < undo_.size() ? &undo_[undo_.size() - 1 - back].delta : nullptr;
    }
    const ClayDelta* redo_at(std::size_t back) const {
        return back < redo_.size() ? &redo_[redo_.size() - 1 - back].delta : nullptr;
    }
    const ClayDelta* newest_undo() const { return undo_at(0); }
    const ClayDelta* newest_redo() const { return redo_at(0); }
    /// Takes the newest stroke back (or repeats the one taken back last): moves it to the other list with
    /// `inverse`, the delta from the clay after this call to the clay of now.
    void move_to_redo(ClayDelta inverse);
    void move_to_undo(ClayDelta inverse);

    /// Identifies the newest stroke; 0 if there is none.
    std::uint32_t newest() const { return undo_.empty() ? 0 : undo_.back().number; }
    /// Replaces a stroke after the clay was remeshed to `vertex_count` vertices, and forgets all later
    /// strokes. Later calls of save() add to this stroke. Does nothing but resize if the stroke is gone.
    void replace(std::uint32_t stroke, ClayDelta delta, std::size_t vertex_count);
    /// After undo or redo of a remeshed stroke: the clay has another number of vertices.
    void resize(std::size_t vertex_count);

    std::size_t undo_count() const { return undo_.size(); }
    std::size_t redo_count() const { return redo_.size(); }
    std::size_t bytes() const { return used_; }

  private:
    struct Stroke {
        std::uint32_t number;
        ClayDelta delta;
    };
    std::deque<Stroke> undo_, redo_;
    std::vector<std::uint32_t> saved_in_, masked_in_;  ///< newest stroke that saved the vertex
    std::uint32_t number_ = 0;
    std::size_t used_ = 0;
};

}  // namespace claybox::app
