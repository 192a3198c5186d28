#include "app/bridge/headset/headset.hpp"

#include "engine/files/paths.hpp"
#include "engine/render/passes/mirror.hpp"

#include <algorithm>
#include <cstdio>

namespace claybox::app {
namespace {

constexpr int kPanelWidth = 1800, kPanelHeight = 1290;
constexpr double kNear = 0.03, kFar = 60;  // metres of the room
constexpr double kShares[] = {1, 0.8, 0.65, 0.5};
constexpr std::size_t kRight = 1, kLeft = 0;  // OpenXR's numbers of the hands

RoomPose room_pose(const engine::XrPose& pose) {
    return {pose.position, pose.rotation};
}

engine::HandState controller_hand(const engine::XrController& controller, bool left) {
    engine::ControllerGrip grip;
    grip.position = controller.grip.position;
    grip.rotation = controller.grip.rotation;
    grip.trigger = controller.trigger;
    grip.squeeze = controller.squeeze;
    grip.left = left;
    return engine::pose_hand(engine::pose_of_controller(grip));
}

engine::TrackedPose tracked_pose(const engine::XrPose& pose) {
    return {pose.position, pose.rotation, pose.valid};
}

/// The frame's input for logical devices, in the runtime's room coordinates.
engine::HeadsetInput device_input(const engine::XrFrame& frame) {
    engine::HeadsetInput out;
    out.head = tracked_pose(frame.head);
    out.hand = frame.hand;
    for (std::size_t side = 0; side < 2; ++side) {
        const engine::XrController& c = frame.controller[side];
        out.controller[side] = {c.active,
                                tracked_pose(c.grip),
                                tracked_pose(c.aim),
                                static_cast<double>(c.trigger),
                                static_cast<double>(c.squeeze),
                                glm::dvec2(c.stick),
                                c.primary,
                                c.secondary,
                                c.menu};
    }
    return out;
}

/// Pointing ray of a hand without a controller: from the knuckle of the forefinger, along the palm.
RoomPose ray_of(const engine::HandState& hand) {
    constexpr std::size_t kKnuckle = 4;
    return {hand.part[kKnuckle].position, hand.part[0].rotation};
}

/// A pinch of thumb and forefinger counts as a pulled trigger.
float trigger_of(const engine::HandState& hand) {
    return std::clamp((hand.pinch - 0.6f) / 0.4f, 0.0f, 1.0f);
}

}  // namespace

double ResolutionGovernor::share() const {
    return kShares[level_];
}

double ResolutionGovernor::update(bool late) {
    late_ += late ? 1 : 0;
    calm_ = late ? 0 : calm_ + 1;
    if (++seen_ >= kWindow) {
        if (late_ >= kTooMany) level_ = std::min(level_ + 1, static_cast<int>(std::size(kShares)) - 1);
        seen_ = late_ = 0;
    }
    if (calm_ >= kCalm && level_ > 0) {
        --level_;
        calm_ = 0;
    }
    return share();
}

void Headset::open(double now) {
    engine::XrOptions options;
    options.seated = sandbox_.state().headset.seated;
    options.near_plane = static_cast<float>(kNear);
    options.far_plane = static_cast<float>(kFar);
    std::string error;
    session_ = engine::XrSession::open(engine::graphics_of(window_.handle()), options, error);
    if (session_) {
        retry_.opened(now);
        if (!panels_) panels_ = std::make_unique<engine::OffscreenTarget>(kPanelWidth, kPanelHeight);
        placed_ = false;
        governor_ = {};
        figures_ = {};
        figures_.sentence = session_->sentence();
        last_display_ = 0;
        window_.set_vsync(false);  // the headset sets the pace
        return;
    }
    retry_.failed(now);
    if (requested_ && figures_.sentence == error) return;  // already reported
    figures_.sentence = error;
    sandbox_.show_message("Staying on the desktop: " + error);
    std::fprintf(stderr, "claybox: %s; staying on the desktop\n", error.c_str());
}

void Headset::close(const std::string& sentence) {
    session_.reset();
    figures_ = {};
    figures_.sentence = sentence;
    sandbox_.set_resolution_share(1);
    sandbox_.offer_hands({});
    window_.set_vsync(true);
}

/// Opens or closes the session as requested. True while one is open.
bool Headset::is_open(double now) {
    bool& wanted = sandbox_.state().headset.on;
    if (!wanted) {
        if (session_) close("");
        retry_.cancel();
        requested_ = false;
        return false;
    }
    if (!session_ && (!requested_ || retry_.due(now))) open(now);
    requested_ = true;
    return session_ != nullptr;
}

bool Headset::frame(double now, int window_width, int window_height) {
    sandbox_.set_headset(figures_);
    if (!is_open(now)) return false;
    const engine::XrPhase phase = session_->poll();
    if (phase == engine::XrPhase::ended || phase == engine::XrPhase::lost) {
        const std::string sentence = session_->sentence();
        if (phase == engine::XrPhase::lost)
            retry_.failed(now);
        else
            sandbox_.state().headset.on = false;  // the user ended the session
        sandbox_.show_message(sentence);
        close(sentence);
        return false;
    }
    figures_.sentence = session_->sentence();
    figures_.running = phase == engine::XrPhase::running;
    if (!figures_.running) last_display_ = 0;  // a pause is not a late frame
    session_->set_seated(sandbox_.state().headset.seated);
    if (!figures_.running || !session_->begin_frame(frame_)) {
        sandbox_.offer_hands({});  // the last poses are out of date
        return false;
    }
    draw(frame_, window_width, window_height);
    session_->end_frame();
    return true;
}

void Headset::place(const engine::XrFrame& frame) {
    place_again_ |= frame.space_changed;
    if (!frame.head.valid) return;
    const std::string scene = sandbox_.session().descriptor().id;
    std::optional<Recentre> request = sandbox_.take_recentre();
    if (!placed_ || place_again_ || scene != scene_) request = Recentre::both;
    if (!request) return;
    place_.place_viewer(room_pose(frame.head), sandbox_.session().scene().camera(), *request,
                        sandbox_.state().headset.zoom);
    boards_.place_around(place_.anchor(), place_.yaw_room());
    pointer_.forget();
    sandbox_.leap_hands();
    scene_ = scene;
    placed_ = true;
    place_again_ = false;
}

void Headset::take_hands(const engine::XrFrame& frame, HeadsetView& view) {
    for (const std::size_t side : {kRight, kLeft}) {
        const std::size_t mine = side == kRight ? 0 : 1;
        BoardFinger& finger = view.fingers[mine];
        if (!frame.focused) continue;  // another program has the input
        engine::HandOffers& offers = view.hands[mine];
        const engine::XrController& controller = frame.controller[side];
        std::optional<engine::HandState> hand;
        if (controller.active && controller.grip.valid) {
            hand = controller_hand(controller, side == kLeft);
            offers[static_cast<std::size_t>(engine::HandSource::controller)] = place_.to_scene(*hand);
            finger.trigger = controller.trigger;
            finger.source = engine::HandSource::controller;
            if (controller.aim.valid) finger.ray = room_pose(controller.aim);
        }
        const engine::HandState tracked = engine::hand_from_joints(frame.hand[side]);
        if (tracked.present) {
            hand = tracked;
            offers[static_cast<std::size_t>(engine::HandSource::tracked)] = place_.to_scene(tracked);
            finger.trigger = trigger_of(tracked);
            finger.source = engine::HandSource::tracked;
            finger.ray = ray_of(tracked);
        }
        if (!hand) continue;
        const engine::HandPart& tip = hand->part[engine::kIndexTipPart];
        finger.present = true;
        finger.tip = engine::tip_of(tip);
        finger.radius = static_cast<double>(tip.radius);
    }
}

/// Sends the vibrations of this frame to the controllers. `clicking_hand` is the hand that has clicked on a
/// board (0 right, 1 left, -1 none).
void Headset::buzz(const engine::XrFrame& frame, int clicking_hand) {
    std::array<Buzz, 2> felt = sandbox_.take_buzzes();
    const bool clicked = clicking_hand >= 0 && !sandbox_.state().hidden;
    if (clicked && sandbox_.state().headset.haptics)
        felt[clicking_hand == 0 ? kRight : kLeft] = feedback_of(SceneEvent::Kind::fired).buzz;
    for (const std::size_t side : {kLeft, kRight})
        if (felt[side].strength > 0 && frame.controller[side].active)
            session_->buzz(static_cast<int>(side), felt[side].seconds, felt[side].strength);
}

double Headset::count(const engine::XrFrame& frame) {
    const double period = frame.period > 0 ? frame.period : 1.0 / 90;
    const double gap = last_display_ > 0 ? frame.display_time - last_display_ : period;
    const auto skipped = gap > 1.5 * period ? static_cast<std::uint64_t>(gap / period - 0.5) : 0;
    last_display_ = frame.display_time;
    ++figures_.frames;
    figures_.rate = 1 / period;
    // While the picture is hidden or covered, a runtime may request fewer frames.
    if (!frame.should_draw || !frame.focused) return std::max(gap, 0.0);
    figures_.missed += skipped;
    const double before = governor_.share(), share = governor_.update(skipped > 0);
    figures_.resolution = share;
    if (share != before) {
        sandbox_.set_resolution_share(share);
        sandbox_.show_message("Headset: resolution " + engine::fixed(100 * share, 0) + " %" +
                              (share < before ? ", to keep frames on time" : ""));
    }
    return std::max(gap, 0.0);
}

void Headset::draw(const engine::XrFrame& frame, int window_width, int window_height) {
    HeadsetView view;
    view.dt = count(frame);
    sandbox_.waited(frame.waited);
    place(frame);
    boards_.set_parts(board_parts(kPanelWidth, kPanelHeight, kBoardScale));
    take_hands(frame, view);
    if (frame.focused) sandbox_.devices().feed_headset(device_input(frame));
    const bool was_down = pointer_.state().down;
    view.pointer = &pointer_.update(boards_, view.fingers, view.dt);
    view.place = &place_;
    view.boards = &boards_;
    view.head = room_pose(frame.head);
    view.near_plane = kNear;
    view.far_plane = kFar;
    view.panels = panels_.get();
    view.panel_width = kPanelWidth;
    view.panel_height = kPanelHeight;
    for (std::size_t i = 0; i < 2 && frame.should_draw && placed_; ++i) {
        const engine::XrEye& eye = frame.eye[i];
        view.eyes[i] = {{glm::quat(eye.pose.rotation), eye.left, eye.right, eye.up, eye.down},
                        eye.pose.position,
                        eye.width,
                        eye.height,
                        eye.framebuffer,
                        eye.depth_format};
    }
    sandbox_.headset_frame(view);
    buzz(frame, view.pointer->down && !was_down ? view.pointer->hand : -1);
    if (frame.should_draw)
        engine::mirror_to_window(frame.eye[0].framebuffer, frame.eye[0].width, frame.eye[0].height,
                                 window_width, window_height);
}

}  // namespace claybox::app
