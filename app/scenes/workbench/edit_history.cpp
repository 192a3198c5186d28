#include "app/scenes/workbench/edit_history.hpp"

namespace claybox::app {

void EditHistory::add(RecordedEdit edit) {
    for (; edits_.size() > done_; edits_.pop_back()) changes_ -= edits_.back().changes.size();
    changes_ += edit.changes.size();
    edits_.push_back(std::move(edit));
    for (; changes_ > kMaxChanges && edits_.size() > 1; edits_.pop_front())
        changes_ -= edits_.front().changes.size();
    done_ = edits_.size();
}

RecordedEdit* EditHistory::undo() {
    return done_ == 0 ? nullptr : &edits_[--done_];
}

RecordedEdit* EditHistory::redo() {
    return done_ == edits_.size() ? nullptr : &edits_[done_++];
}

}  // namespace claybox::app
