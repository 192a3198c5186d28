// Editing bodies in the sandbox: dragging with mouse and keys, and adding, copying and removing them.

#include "app/bridge/sandbox/sandbox.hpp"
#include "app/cli/files/mesh_import.hpp"
#include "app/scenes/shared/body_shapes.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace claybox::app {
namespace {

constexpr double kOccluderShare = 0.75;  // of Drawable::occluder_radius in the radius of a body
constexpr int kRings = 6;                // of places around the wanted one
constexpr double kGap = 1.15;            // of the places, in diameters
// What a key does that is held for a second: the way, as a share of the distance from the viewer, and the
// turn, in pixels of a drag with the mouse.
constexpr double kKeyWay = 0.15, kKeyTurn = 160;

/// A drawable's bounding radius, as the scenes with edits give it.
double radius_of(const Drawable& d) {
    return static_cast<double>(d.occluder_radius) / kOccluderShare;
}

/// A rotation that shows three sides.
collision::Quat shown_rotation() {
    return collision::normalized(collision::axis_angle({1, 0, 0}, 0.35) *
                                 collision::axis_angle({0, 1, 0}, 0.6));
}

}  // namespace

EditSupport Sandbox::editable() const {
    return looking_ || branch_ || in_headset_ ? EditSupport::none : session_->descriptor().edits;
}

/// Says why an edit is not possible; false if it is.
bool Sandbox::refuse_edit(const char* what) {
    if (refuse_in_past(what)) return true;
    if (branch_) return true;
    if (session_->descriptor().edits == EditSupport::all) return false;
    show_message(
        "This scene keeps its own bodies: the scene Workbench lets you add, duplicate and delete them");
    return true;
}

/// Where a body of this radius has room, near `wanted` in the plane that faces the camera.
collision::Vec3d Sandbox::free_place(const collision::Vec3d& wanted, double radius) const {
    const ViewFrame view = view_frame(view_camera_);
    const auto is_free = [&](const collision::Vec3d& p) {
        return std::none_of(
            bridge_.view().drawables.begin(), bridge_.view().drawables.end(), [&](const Drawable& d) {
                const double gap = radius + radius_of(d);
                return d.pick != collision::kNoIndex && length_squared(d.pose.translation - p) < gap * gap;
            });
    };
    for (int ring = 0; ring <= kRings; ++ring)
        for (int i = 0; i < std::max(1, 6 * ring); ++i) {
            const double angle = 2 * collision::kPi * i / std::max(1, 6 * ring);
            const double way = 2 * kGap * radius * ring;
            const glm::dvec3 off = view.right * (way * std::cos(angle)) + view.up * (way * std::sin(angle));
            const collision::Vec3d p = wanted + collision::Vec3d{off.x, off.y, off.z};
            if (is_free(p)) return p;
        }
    return wanted;
}

/// In front of the camera.
void Sandbox::add_body(std::string shape, double size) {
    const glm::vec3& target = view_camera_.target;
    BodyEdit edit;
    edit.kind = BodyEdit::Kind::add;
    edit.shape = std::move(shape);
    edit.size = size;
    edit.pose.rotation = shown_rotation();
    edit.pose.translation =
        free_place(collision::cast<double>(collision::Vec3f{target.x, target.y, target.z}), size / 1000);
    pending_edits_.push_back(std::move(edit));
    select_newest_ = true;
}

void Sandbox::edit(EditRequest request) {
    const char* const what = request == EditRequest::add         ? "adding a body"
                             : request == EditRequest::duplicate ? "duplicating a body"
                                                                 : "deleting a body";
    if (refuse_edit(what)) return;
    const collision::ParameterValues& values = session_->options().scene_parameters;
    const auto table = session_->descriptor().parameters;
    if (request == EditRequest::add) {
        const std::size_t shape = collision::find_parameter(table, "shape"),
                          size = collision::find_parameter(table, "size");
        return add_body(body_shape_names()[static_cast<std::size_t>(values.integer(shape))], values[size]);
    }
    const std::optional<Drawable> body = bridge_.find(selected_);
    if (!body) return ask_for_body();
    BodyEdit edit;
    edit.body = selected_;
    if (request == EditRequest::remove) {
        edit.kind = BodyEdit::Kind::remove;
        if (drag_.active() && drag_.body() == selected_) drag_.end();
    } else {
        edit.kind = BodyEdit::Kind::copy;
        edit.pose = body->pose;
        edit.pose.translation = free_place(body->pose.translation, radius_of(*body));
        select_newest_ = true;
    }
    pending_edits_.push_back(std::move(edit));
}

/// A press on a body, moved a little, drags the body instead of the camera.
void Sandbox::drag_bodies() {
    const engine::UiInput& in = ui_.input();
    if (in.pressed[0]) {
        const bool may = !in.over_panel && !in.alt && !in.shift && !hand_active() && !state_.fly &&
                         editable() != EditSupport::none;
        press_body_ = may ? renderer_.pick(bridge_.list(), {width_, height_, ui_.scale()}, in.x, in.y)
                          : collision::kNoIndex;
        if (press_body_ != collision::kNoIndex && !bridge_.find(press_body_))
            press_body_ = collision::kNoIndex;
    }
    const bool stops = !in.down[0] || editable() == EditSupport::none;
    if (drag_.active() && stops) end_drag(BodyEdit::Kind::let_go);
    if (stops) press_body_ = collision::kNoIndex;
    if (press_body_ == collision::kNoIndex) return;
    const ViewFrame view = view_frame(view_camera_);
    const glm::mat4 clip = clip_matrix(view_camera_, width_, height_, ui_.scale());
    const Ray ray = ray_through(clip, width_, height_, in.x, in.y);
    if (!drag_.active()) {
        if (!was_dragged()) return;
        const std::optional<Drawable> body = bridge_.find(press_body_);
        if (!body) return;
        drag_.begin(press_body_, body->pose, ray_through(clip, width_, height_, press_x_, press_y_), view);
        select(press_body_, false);
        if (!session_->descriptor().uses_hand) complete_hint();
    }
    if (in.wheel != 0) drag_.push(static_cast<double>(in.wheel));
    if (in.control)
        drag_.turn(static_cast<double>(in.dx), static_cast<double>(in.dy), view);
    else
        drag_.move(ray, view);
}

void Sandbox::end_drag(BodyEdit::Kind how) {
    BodyEdit edit;
    edit.kind = how;
    edit.body = drag_.body();
    if (editable() != EditSupport::none) pending_edits_.push_back(edit);
    drag_.end();
}

/// Keys move the selected body as the mouse does, but do not throw it.
void Sandbox::drag_with_keys(double dt) {
    if (!drag_.active()) keys_drag_ = false;
    if (drag_.active() && !keys_drag_) return;  // by the mouse
    const glm::dvec3 way(axis("body_x"), axis("body_y"), axis("body_away"));
    const glm::dvec2 turn(axis("body_turn_x"), axis("body_turn_y"));
    const bool covered = state_.help || state_.finder.open;
    const bool moves = (way != glm::dvec3(0) || turn != glm::dvec2(0)) && !ui_.input().down[0] && !covered &&
                       editable() != EditSupport::none;
    if (keys_drag_ && (!moves || drag_.body() != selected_)) {
        keys_drag_ = false;
        return end_drag(BodyEdit::Kind::put_down);
    }
    if (!moves) return;
    if (selected_ == collision::kNoIndex) return ask_for_body();
    const std::optional<Drawable> body = bridge_.find(selected_);
    if (!body) return;
    // After a step the scene knows better where the body is: walls stop it.
    if (!keys_drag_ || drag_.pose() == sent_drag_) drag_.begin(selected_, body->pose);
    keys_drag_ = true;
    const ViewFrame view = view_frame(view_camera_);
    const double seconds = std::min(dt, 0.1);
    drag_.shift(kKeyWay * seconds * way, view);
    drag_.turn(kKeyTurn * seconds * turn.x, kKeyTurn * seconds * turn.y, view);
}

/// Adds the edits of this step, and the drag.
void Sandbox::add_edits(StepInput& input, bool frozen) {
    if (in_headset_ && drag_.active()) {
        drag_.end();
        put_down_ = true;
    }
    input.edits.swap(pending_edits_);
    if (std::exchange(put_down_, false)) {
        BodyEdit edit;
        edit.kind = BodyEdit::Kind::put_down;
        input.edits.insert(input.edits.begin(), edit);
    }
    input.frozen = frozen;
    if (!drag_.active()) return;
    BodyEdit edit;
    edit.body = drag_.body();
    edit.pose = sent_drag_ = drag_.pose();
    input.edits.push_back(std::move(edit));
}

/// Whether edits wait for a step while time stands still.
bool Sandbox::edits_wait() const {
    return !pending_edits_.empty() || (drag_.active() && drag_.pose() != sent_drag_);
}

void Sandbox::forget_edits() {
    pending_edits_.clear();
    drag_.end();
    put_down_ = false;
    press_body_ = collision::kNoIndex;
    select_newest_ = false;
}

/// Keeps what the user has brought into the scene, for when the scene is chosen again.
void Sandbox::remember_meshes() {
    const std::string id = session_->descriptor().id;
    meshes_of_[id] = session_->options().meshes;
    mesh_files_of_[id] = session_->options().mesh_files;
    if (session_->descriptor().edits == EditSupport::all) bodies_of_[id] = session_->scene().bodies();
}

/// The pointer, or the tip of the forefinger where a hand is present.
ProbeAim Sandbox::probe_aim() const {
    ProbeAim aim;
    aim.selected = selected_;
    const HandInput hand = hand_active() || in_headset_ ? newest_hands()[0] : HandInput{};
    if (hand.present) {
        const collision::Pose& part = hand.part[kIndexTip];
        const collision::Vec3d along = collision::rotate(part.rotation, {0, 0, -1});
        const collision::Vec3d tip = part.translation + along * static_cast<double>(hand.length[kIndexTip]);
        aim.ray = {{tip.x, tip.y, tip.z}, {along.x, along.y, along.z}};
        aim.at_start = true;
        return aim;
    }
    const engine::UiInput& in = ui_.input();
    const glm::mat4 clip = clip_matrix(view_camera_, width_, height_, ui_.scale());
    aim.ray = ray_through(clip, width_, height_, in.x, in.y);
    aim.depth = static_cast<double>(glm::distance(view_camera_.position, view_camera_.target));
    return aim;
}

/// The rows about the selected body, and the probe.
void Sandbox::report_bodies(const ViewSetup& setup) {
    if (state_.object_open)
        describer_.describe(*session_, bridge_, inspector_, selected_, looking_.value_or(session_->frame()),
                            object_);
    if (!state_.probe.on) {
        if (!probed_.rows.empty()) {
            probe_.forget();
            probed_.rows.clear();
        }
        return;
    }
    const engine::UiInput& in = ui_.input();
    const bool on_panel = in.over_panel || !on_scene(in.x, in.y);
    if (on_panel && !hand_active() && !in_headset_) return;  // the last answer stays readable
    probe_.ask(*session_, bridge_, inspector_, probe_aim(), state_.probe, probed_, probe_marks_);
    bridge_.add_marks(probe_marks_, setup);
    if (state_.view.labels) bridge_.add_labels(probe_marks_.labels, setup);
}

}  // namespace claybox::app
