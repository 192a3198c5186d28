// The part of Clay that goes back and forth in its history.

#include "app/potter/clay.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Vec3f;
using collision::VertexChange;

namespace {

/// Polygons of the clay that a delta leads to.
std::size_t polygons_after(const ClayDelta& delta) {
    return delta.whole ? delta.whole->topology().polygon_count() : delta.triangle_count;
}

}  // namespace

void Clay::use_surface(ClaySurface surface, std::vector<float> mask) {
    surface.continue_from(surface_.version());
    surface_ = std::move(surface);
    mask_ = std::move(mask);
    mask_.resize(topology().vertex_count);
    surface_.use_mask(&mask_);
    for (std::uint32_t v = 0; v < mask_.size(); ++v)
        if (mask_[v] > 0) surface_.mark_changed(v);
    is_changed_.assign(topology().vertex_count, 0);
    is_touched_.assign(topology().vertex_count, 0);
    touched_.clear();
    changed_.clear();
    angles_.reset();
    ++remesh_count_;
    if (start() == origin_) new_polygons_ = 0;
}

const ClayDelta* Clay::history_delta(HistoryStep step, std::size_t back) const {
    return step == HistoryStep::undo ? strokes_.undo_at(back) : strokes_.redo_at(back);
}

/// A step that keeps the polygons.
ClayChange Clay::restore_at_once(HistoryStep step) {
    const ClayDelta delta = *history_delta(step, 0);
    ClayDelta inverse;
    for (const VertexChange& c : delta.vertices)
        inverse.vertices.push_back({c.vertex, positions()[c.vertex]});
    for (const MaskChange& c : delta.masks) inverse.masks.push_back({c.vertex, mask_[c.vertex]});
    if (step == HistoryStep::undo)
        strokes_.move_to_redo(std::move(inverse));
    else
        strokes_.move_to_undo(std::move(inverse));
    changes_ = delta.vertices;
    for (const VertexChange& c : changes_) {
        surface_.set(c.vertex, c.position);
        changed_.push_back(c.vertex);
    }
    for (const MaskChange& c : delta.masks) {
        mask_[c.vertex] = c.value;
        surface_.mark_changed(c.vertex);
    }
    surface_.commit(changed_);
    if (angles_ && angles_->given_up() > 0) angles_->update(changed_, positions());
    changed_.clear();
    return {changes_, false, !delta.masks.empty()};
}

void Clay::prepare_reset() {
    restore_->own.remeshed = true;
    restore_->own.whole = origin_;
    restore_->deltas = {&restore_->own};
}

void Clay::start_over(collision::ShapePtr shape) {
    requests_.clear();
    if (restore_) end_restore();
    retire_job();
    stroke_open_ = false;
    kept_volume_.reset();
    new_extras_ = nullptr;
    origin_ = std::move(shape);
    restore_ = std::make_unique<RestoreJob>();
    restore_->step = HistoryStep::reset;
    prepare_reset();
    restore_->shape = start();
    restore_->positions = positions();
    restore_->mask = mask_;
    restore_->run();
    end_restore();
    fine_edge_ = surface_.mean_edge();
}

/// Starts a job for a step that brings back other polygons, and for the equal steps that wait behind it.
ClayChange Clay::start_restore(HistoryStep step) {
    restore_ = std::make_unique<RestoreJob>();
    restore_->step = step;
    if (step == HistoryStep::reset) {
        prepare_reset();
    } else {
        restore_->deltas = {history_delta(step, 0)};
        const auto equal = [step](const Request& r) {
            const HistoryStep* next = std::get_if<HistoryStep>(&r);
            return next && *next == step;
        };
        while (!requests_.empty() && equal(requests_.front())) {
            if (const ClayDelta* next = history_delta(step, restore_->deltas.size()))
                restore_->deltas.push_back(next);
            requests_.pop_front();
        }
    }
    restore_->shape = start();
    restore_->positions = positions();
    restore_->mask = mask_;
    if (new_extras_) restore_->make_extras = new_extras_();
    std::size_t most = topology().polygon_count();
    for (const ClayDelta* delta : restore_->deltas) most = std::max(most, polygons_after(*delta));
    const std::uint64_t frames = restore_frames(most);
    restore_->due = now_ + frames;
    if (frames == 0) {
        restore_->run();
        return end_restore();
    }
    task_ = std::make_unique<collision::BackgroundTask>();
    task_->start([job = restore_.get()] { job->run(); });
    return {};
}

ClayChange Clay::end_restore() {
    if (task_) task_->wait();
    const bool exhausted = task_ && task_->ran_out_of_memory();
    task_.reset();
    const std::unique_ptr<RestoreJob> job = std::move(restore_);
    if (exhausted) {
        problem_ = "Not enough memory to bring back other polygons: the clay keeps its own";
        return {};
    }
    const bool is_reset = job->step == HistoryStep::reset;
    if (is_reset) open_stroke();
    const std::uint32_t stroke = strokes_.newest();
    for (ClayDelta& inverse : job->inverses) {
        if (job->step == HistoryStep::undo)
            strokes_.move_to_redo(std::move(inverse));
        else if (job->step == HistoryStep::redo)
            strokes_.move_to_undo(std::move(inverse));
    }
    use_surface(std::move(*job->surface), std::move(job->new_mask));
    strokes_.resize(topology().vertex_count);
    if (is_reset) strokes_.replace(stroke, std::move(job->inverses[0]), topology().vertex_count);
    stroke_open_ = false;
    extras_ = std::move(job->extras);
    changes_.clear();
    return {{}, true, true};
}

ClayChange Clay::ask(HistoryStep step) {
    if (!must_wait()) return restore(step);
    requests_.emplace_back(step);
    return {};
}

ClayChange Clay::restore(HistoryStep step) {
    const bool was_editing = job_ && job_->edit;
    retire_job();
    if (was_editing && step == HistoryStep::undo) return {};  // it takes back what has not been done yet
    stroke_open_ = false;
    kept_volume_.reset();
    if (step == HistoryStep::reset) return start() != origin_ ? start_restore(step) : move_to_start();
    const ClayDelta* newest = history_delta(step, 0);
    if (!newest) return {};
    return newest->remeshed ? start_restore(step) : restore_at_once(step);
}

/// Reset of clay that still has the polygons of the start shape.
ClayChange Clay::move_to_start() {
    if (positions() == start_positions()) return {};
    open_stroke();
    const std::vector<Vec3f>& start = start_positions();
    for (std::uint32_t v = 0; v < start.size(); ++v) {
        if (!(positions()[v] == start[v])) move(v, start[v]);
    }
    stroke_open_ = false;
    return {collect(), false, false};
}

void Clay::clear_mask() {
    if (must_wait())
        requests_.emplace_back(ClearMask{});
    else
        clear_mask_now();
}

void Clay::clear_mask_now() {
    retire_job();
    open_stroke();
    for (std::uint32_t v = 0; v < mask_.size(); ++v) {
        if (mask_[v] == 0) continue;
        strokes_.save_mask(v, mask_[v]);
        mask_[v] = 0;
        surface_.mark_changed(v);
    }
    stroke_open_ = false;
    strokes_.close();
}

}  // namespace claybox::app
