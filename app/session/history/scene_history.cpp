#include "app/session/history/scene_history.hpp"

#include <algorithm>

namespace claybox::app {

namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& all) {
    return all.capacity() * sizeof(T);
}

std::size_t bytes_of(const SceneView& view) {
    std::size_t bytes = bytes_of(view.drawables) + bytes_of(view.crowds) + bytes_of(view.lines) +
                        bytes_of(view.planes) + bytes_of(view.points) + bytes_of(view.labels) +
                        bytes_of(view.keep_clear) + bytes_of(view.insets);
    for (const ViewLabel& label : view.labels) bytes += label.text.capacity();
    for (const ViewInset& inset : view.insets)
        bytes += bytes_of(inset.points) + bytes_of(inset.strokes) + bytes_of(inset.marks);
    return bytes;
}

/// Appends a span to an array that has the room for it. Returns the copy.
template <class T>
std::span<const T> append(std::span<const T> from, std::vector<T>& to) {
    const std::size_t first = to.size();
    CLAYBOX_ASSERT(to.capacity() - first >= from.size());
    to.insert(to.end(), from.begin(), from.end());
    return std::span<const T>(to).subspan(first);
}

}  // namespace

void SceneHistory::clear() {
    frames_.clear();
    blank_.reset();
    scratch_.clear();
    meshes_.clear();
    bytes_ = 0;
}

void SceneHistory::drop_oldest() {
    bytes_ -= frames_.front()->bytes_;
    blank_ = std::move(frames_.front());
    blank_->meshes = {};
    frames_.pop_front();
}

void SceneHistory::cut(std::uint64_t frame) {
    if (frames_.empty() || oldest() > frame) return clear();
    while (newest() > frame) {
        bytes_ -= frames_.back()->bytes_;
        meshes_.take_back(frames_.back()->meshes, (*std::prev(frames_.end(), 2))->meshes);
        frames_.pop_back();
    }
}

void SceneHistory::show_meshes(std::uint64_t from, std::uint64_t to, ShownMeshes& meshes) const {
    if (meshes.empty()) {
        from = newest();
        meshes.start(meshes_.arrays(), at(from).meshes);
    }
    for (; from > to; --from) meshes.step_back(at(from).meshes, at(from - 1).meshes);
    for (; from < to; ++from) meshes.step_on(at(from + 1).meshes);
}

std::unique_ptr<PastFrame> SceneHistory::take_blank() {
    if (frames_.size() >= max_frames_) drop_oldest();
    return blank_ ? std::move(blank_) : std::make_unique<PastFrame>();
}

/// The crowds of a scene point into its arrays, which change with the next step.
void SceneHistory::keep_view(const Session& session, const ViewOptions& options, PastFrame& frame) {
    session.scene().view(options, view_);
    frame.view = view_;  // allocates what is needed, not what a growing array has
    std::size_t bodies = 0, places = 0, poses = 0;
    for (const ViewCrowd& crowd : view_.crowds) {
        bodies += crowd.positions.size();
        places += crowd.positions.size() + crowd.before.size();
        poses += crowd.poses.size();
    }
    frame.positions_.clear();
    frame.rotations_.clear();
    frame.shades_.clear();
    frame.poses_.clear();
    frame.positions_.reserve(places);
    frame.rotations_.reserve(bodies);
    frame.shades_.reserve(bodies);
    frame.poses_.reserve(poses);
    for (ViewCrowd& crowd : frame.view.crowds) {
        crowd.positions = append(crowd.positions, frame.positions_);
        crowd.before = append(crowd.before, frame.positions_);
        crowd.rotations = append(crowd.rotations, frame.rotations_);
        crowd.shades = append(crowd.shades, frame.shades_);
        crowd.poses = append(crowd.poses, frame.poses_);
    }
}

void SceneHistory::keep(const Session& session, const ViewOptions& options) {
    if (!frames_.empty() && session.frame() != newest() + 1) clear();
    std::unique_ptr<PastFrame> frame = take_blank();
    frame->report = session.report();
    keep_view(session, options, *frame);
    scratch_.clear();
    session.scene().meshes(scratch_);
    frame->meshes = meshes_.next(scratch_);
    frame->figures = session.figures(frame->report.pass);
    frame->events = session.output().events;
    frame->bytes_ = sizeof(PastFrame) + bytes_of(frame->view) + bytes_of(frame->positions_) +
                    bytes_of(frame->rotations_) + bytes_of(frame->shades_) + bytes_of(frame->poses_) +
                    frame->meshes.bytes + bytes_of(frame->figures) + bytes_of(frame->events);
    for (const SceneEvent& event : frame->events) frame->bytes_ += event.text.capacity();
    bytes_ += frame->bytes_;
    frames_.push_back(std::move(frame));
    while (frames_.size() > 1 && bytes() > max_bytes_) drop_oldest();
}

}  // namespace claybox::app
