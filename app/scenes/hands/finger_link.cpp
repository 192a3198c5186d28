#include "app/scenes/hands/finger_link.hpp"

#include "app/scenes/hands/grasp.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kPlateHalf = 0.001;  // half of the thickness of a plate, metres
constexpr double kSlack = 0.0005;     // metres; far above the float32 rounding of positions in a scene
constexpr unsigned kAllGroups = collision::kGroupCount;

}  // namespace

Vec3d tip_of(const HandInput& hand, std::uint32_t finger) {
    return tip_position(hand, static_cast<int>(tip_part(finger)));
}

SceneEvent event_of(const PressEvent& press, std::uint64_t frame, std::string text) {
    using Kind = SceneEvent::Kind;
    constexpr Kind kKinds[] = {Kind::touched, Kind::fired, Kind::released, Kind::left_early, Kind::lost};
    return {kKinds[static_cast<std::size_t>(press.kind)], frame, std::move(text),
            side_of_hand(press.finger / kFingersOfHand)};
}

Status FingerLink::build(collision::World& world, std::vector<LinkFace> faces) {
    for (unsigned group = 0; group < kAllGroups; ++group)
        for (const unsigned mine : {groups_.plate, groups_.cap, groups_.finger})
            world.set_interest(group, mine, {false, collision::kWantVerdict, 0});
    const auto box = collision::Shape::from_polygons(box_mesh({0.01f, 0.01f, 0.01f}), "fingertip path");
    if (!box.ok()) return box.error();
    box_ = box.value();
    for (const LinkFace& face : faces) {
        const Vec3d half{face.pad.half_x + kSlack, face.pad.half_y + kSlack, kPlateHalf};
        const auto plate = collision::Shape::from_polygons(box_mesh(collision::cast<float>(half)), "face");
        if (!plate.ok()) return plate.error();
        const auto body = world.add_body({plate.value(), face.at, groups_.plate, false, plate_.size()});
        if (!body.ok()) return body.error();
        plate_.push_back(body.value());
    }
    for (Finger& finger : fingers_) {
        finger.touches.assign(faces.size(), 0);
        finger.candidate.assign(faces.size(), 0);
    }
    faces_ = std::move(faces);
    world.set_interest(groups_.plate, groups_.finger, {true, collision::kWantSolid, 0});
    return Done{};
}

void FingerLink::switch_rule(collision::World& world, PressBoard& board, std::vector<PressEvent>& out) {
    is_all_ = all_fingers_;
    if (plain_ == is_plain_) return;
    board.release_all(time_, out);
    for (Finger& finger : fingers_) remove_finger(world, finger);
    world.set_interest(groups_.plate, groups_.finger, {!plain_, collision::kWantSolid, 0});
    world.set_interest(groups_.cap, groups_.finger, {plain_, collision::kWantSolid, 0});
    is_plain_ = plain_;
}

void FingerLink::remove_finger(collision::World& world, Finger& finger) {
    if (finger.body) {
        [[maybe_unused]] const Status removed = world.remove_body(*finger.body);
        CLAYBOX_ASSERT(removed.ok());
    }
    finger.body.reset();
    finger.leaving = false;
    std::fill(finger.touches.begin(), finger.touches.end(), 0);
    std::fill(finger.candidate.begin(), finger.candidate.end(), 0);
}

void FingerLink::before_publish(collision::World& world, const StepInput& input, PressBoard& board,
                                std::vector<PressEvent>& out) {
    if (frame_ == 0) known_ = followed_ = input.frame - 1;
    frame_ = input.frame;
    time_ += input.dt;
    switch_rule(world, board, out);
    const collision::WorldSettings settings = world.settings();
    inexact_ = settings.exactness == collision::Exactness::fast || settings.budget_ms > 0;
    Tips tips;
    tips.time = time_;
    for (std::uint32_t f = 0; f < kFingerCount; ++f) read_tip(input, f, tips.tip[f]);
    history_.set(frame_, tips);
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        if (tips.tip[f].present)
            place_finger(world, input.hand[f / kFingersOfHand], f);
        else if (fingers_[f].leaving)
            remove_finger(world, fingers_[f]);
        fingers_[f].leaving = false;
    }
    // An empty query. Its answer names the frame that the pass has taken.
    [[maybe_unused]] const auto submitted = world.submit_query({collision::PointQuery{}, {0, {}}});
    CLAYBOX_ASSERT(submitted.ok());
}

void FingerLink::read_tip(const StepInput& input, std::uint32_t f, Tip& tip) {
    const HandInput& hand = input.hand[f / kFingersOfHand];
    Finger& finger = fingers_[f];
    tip.present = hand.present && (is_all_ || is_index(f));
    if (!tip.present) return;
    // A ball that grows near a face would touch it without moving, so a new size is used only away from
    // faces.
    const bool near = std::find(finger.touches.begin(), finger.touches.end(), 1) != finger.touches.end();
    if (!finger.body || !near) finger.radius = static_cast<double>(hand.radius[tip_part(f)]);
    tip.held = hand.held;
    tip.at = tip_of(hand, f);
    tip.radius = finger.radius;
}

/// Box around the ball in all frames since the newest known one.
Aabb FingerLink::path_box(std::uint32_t f) const {
    Aabb box;
    const std::uint64_t oldest = frame_ - std::min<std::uint64_t>(frame_, RecentFrames<Tips>::kFrames - 1);
    for (std::uint64_t frame = std::max(known_, oldest); frame <= frame_; ++frame) {
        const Tips* tips = history_.at(frame);
        if (tips == nullptr || !tips->tip[f].present) continue;
        const double reach = tips->tip[f].radius + kSlack;
        box.add(collision::cast<float>(tips->tip[f].at - Vec3d{reach, reach, reach}));
        box.add(collision::cast<float>(tips->tip[f].at + Vec3d{reach, reach, reach}));
    }
    return box;
}

void FingerLink::place_finger(collision::World& world, const HandInput& hand, std::uint32_t f) {
    Finger& finger = fingers_[f];
    const std::size_t part = tip_part(f);
    if (!finger.body) {
        collision::BodyDef def{box_, {}, groups_.finger, !is_plain_, f};
        if (is_plain_) {
            const auto shape = collision::Shape::from_hull(
                hand_part_points(static_cast<int>(part), hand.radius[part], hand.length[part]), "fingertip");
            if (!shape.ok()) return;  // a hand with invalid measures presses nothing
            def.shape = shape.value();
            def.pose = hand.part[part];
        }
        const auto body = world.add_body(def);
        if (!body.ok()) return;
        finger.body = body.value();
    }
    if (is_plain_) {
        [[maybe_unused]] const Status moved = world.move(*finger.body, hand.part[part]);
        CLAYBOX_ASSERT(moved.ok());
        return;
    }
    const Aabb box = path_box(f);
    std::array<collision::VertexChange, 8> corners;
    for (std::uint32_t i = 0; i < 8; ++i)
        corners[i] = {i, Vec3f{i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y,
                               i & 4 ? box.max.z : box.min.z}};
    [[maybe_unused]] const Status deformed = world.deform(*finger.body, corners);
    CLAYBOX_ASSERT(deformed.ok());
}

void FingerLink::process_event(const collision::Event& event, PressBoard& board,
                               std::vector<PressEvent>& out) {
    const auto finger = std::find_if(fingers_.begin(), fingers_.end(), [&](const Finger& f) {
        return f.body && (*f.body == event.a || *f.body == event.b);
    });
    if (finger == fingers_.end()) return;  // the finger has been removed meanwhile
    const BodyId other = *finger->body == event.a ? event.b : event.a;
    const auto f = static_cast<std::uint32_t>(finger - fingers_.begin());
    const bool touches = event.kind != collision::EventKind::end;
    for (std::uint32_t face = 0; face < faces_.size(); ++face) {
        if ((is_plain_ ? faces_[face].cap : plate_[face]) != other) continue;
        if (is_plain_ && touches != (finger->touches[face] != 0)) {
            const Tips* tips = history_.at(event.frame);
            board.collide(f, face, touches, tips ? tips->time : time_, out);
        }
        finger->touches[face] = touches;
        finger->candidate[face] = finger->candidate[face] | static_cast<unsigned char>(touches);
    }
}

void FingerLink::update_presence(const Tips& from, const Tips& to, PressBoard& board,
                                 std::vector<PressEvent>& out) {
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        const Tip &a = from.tip[f], &b = to.tip[f];
        if (a.present && !b.present) board.lose(f, to.time, out);
        if (b.present && !b.held && (!a.present || a.held)) board.appear(f, to.time, out);
    }
}

void FingerLink::collect_moves(const Tips& from, const Tips& to, const PressBoard& board) {
    moves_.clear();
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        const Tip &a = from.tip[f], &b = to.tip[f];
        if (!a.present || !b.present || a.held || b.held) continue;
        for (std::uint32_t face = 0; face < faces_.size(); ++face) {
            // With the plain rule, moves only drag the controls that a finger holds.
            const bool candidate = !is_plain_ && (inexact_ || fingers_[f].candidate[face] != 0);
            if (!candidate && board.holder(face) != f) continue;
            const collision::Pose& at = faces_[face].at;
            const collision::Quat to_face = collision::conjugate(at.rotation);
            moves_.push_back({f, face, collision::rotate(to_face, a.at - at.translation),
                              collision::rotate(to_face, b.at - at.translation), b.radius, from.time,
                              to.time});
        }
    }
}

void FingerLink::after_poll(const collision::EventBatch& batch, PressBoard& board, const PressRules& rules,
                            std::vector<PressEvent>& out,
                            collision::FunctionRef<void(std::span<const FingerMove>)> followed) {
    for (const collision::Answer& answer : batch.answers) known_ = std::max(known_, answer.frame);
    // With the swept rule, contacts of all passes are candidates for all frames. With the plain rule, an
    // event counts in its own frame.
    std::size_t processed = 0;
    const auto process_up_to = [&](std::uint64_t frame) {
        for (; processed < batch.events.size() && batch.events[processed].frame <= frame; ++processed)
            process_event(batch.events[processed], board, out);
    };
    process_up_to(is_plain_ ? followed_ : std::numeric_limits<std::uint64_t>::max());
    for (; followed_ < known_; ++followed_) {
        const Tips* to = history_.at(followed_ + 1);
        const Tips* before = history_.at(followed_);
        if (to == nullptr) continue;  // older than the history
        const Tips from = before ? *before : Tips{};
        update_presence(from, *to, board, out);
        process_up_to(followed_ + 1);
        collect_moves(from, *to, board);
        if (moves_.empty()) continue;
        board.frame(moves_, rules, out);
        followed(moves_);
    }
    process_up_to(std::numeric_limits<std::uint64_t>::max());
    const Tips* now = history_.at(followed_);
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        fingers_[f].candidate = fingers_[f].touches;
        fingers_[f].leaving = fingers_[f].body && now && !now->tip[f].present;
    }
}

std::optional<Vec3d> FingerLink::tip(std::uint32_t finger) const {
    const Tips* tips = history_.at(frame_);
    if (tips == nullptr || !tips->tip[finger].present || tips->tip[finger].held) return std::nullopt;
    return tips->tip[finger].at;
}

std::size_t FingerLink::touching() const {
    std::size_t count = 0;
    for (const Finger& finger : fingers_)
        count += static_cast<std::size_t>(std::count(finger.touches.begin(), finger.touches.end(), 1));
    return count;
}

}  // namespace claybox::app
