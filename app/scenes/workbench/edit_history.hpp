#pragma once
// Undo and redo of edits of bodies. An edit is a list of bodies with their states before and after it.

#include "app/scenes/body_drag.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace claybox::app {

/// What an edit can change of a body.
struct BodyState {
    std::uint32_t kind = 0;  ///< shape, an index of the scene
    collision::Pose pose;
    FreeMotion motion;
    friend bool operator==(const BodyState&, const BodyState&) = default;
};

struct BodyChange {
    std::uint32_t body = 0;
    std::optional<BodyState> before, after;  ///< empty: the body is not there
};

struct RecordedEdit {
    std::string text;  ///< "Add body 3"
    std::vector<BodyChange> changes;
};

/// The edits of a scene. The oldest ones are forgotten: see kMaxChanges.
class EditHistory {
  public:
    /// Of all kept edits; an edit of every body counts once per body.
    static constexpr std::size_t kMaxChanges = 200000;

    /// Ends the way to what was undone.
    void add(RecordedEdit edit);
    /// The edit to undo, null if there is none. The caller writes the present states into `after` of the
    /// result, so that redo leads back to where the bodies are now.
    RecordedEdit* undo();
    /// The edit to do again, null if there is none. The caller writes the present states into `before`.
    RecordedEdit* redo();
    std::size_t undoable() const { return done_; }
    std::size_t redoable() const { return edits_.size() - done_; }

  private:
    std::deque<RecordedEdit> edits_;
    std::size_t done_ = 0, changes_ = 0;
};

}  // namespace claybox::app
