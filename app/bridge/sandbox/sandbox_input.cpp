// Keys, camera, selection and the mouse hand of the sandbox.

#include "app/bridge/sandbox/sandbox.hpp"
#include "engine/hand/hand_joints.hpp"

#include <algorithm>
namespace claybox::app {
namespace {

constexpr const char* kHandDevices[] = {"right", "left"};
constexpr double kEyeHeight = 1.6;               // of a standing, tracked user, metres
constexpr float kClickSlack = 4;                 // pixels that a click may move
constexpr float kRestX = 0.60f, kRestY = 0.84f;  // fingertip of an idle hand, as share of the free area

template <class T>
glm::dvec3 to_dvec(const collision::Vec3<T>& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

glm::dvec3 forefinger_of(const engine::HandState& hand) {
    return engine::tip_of(hand.part[engine::kIndexTipPart]);
}

}  // namespace

bool Sandbox::hand_active() const {
    return session_->descriptor().uses_hand && state_.hand && !state_.fly && !looking_;
}

/// Handles presses of logical buttons. While listening for a new source, a press only sets the mapping.
void Sandbox::handle_devices() {
    engine::LogicalDevices& logical = devices_.logical();
    if (const auto listening = logical.listening()) {
        const auto heard = logical.take_heard_mapping();
        if (heard == "keyboard.escape") return show_message("Mapping unchanged");
        if (heard) remap(*listening, *heard);
        return;
    }
    for (const engine::DeviceEvent& event : logical.events()) {
        const engine::LogicalDevice& device = logical.devices()[event.device];
        if (device.type != engine::DeviceClass::button) continue;
        if (event.reading.down) act(action_of(event.device));
        if (!device.scope.empty()) act_on_scene_key(device.name, event.reading.down);
    }
}

/// Ctrl held down alone shows the keys on the controls. F1 held down shows the help until it is released.
void Sandbox::show_keys_on_hold(double dt) {
    constexpr double kHeld = 0.6;  // seconds; a tap is shorter
    const engine::UiInput& in = ui_.input();
    const bool busy = in.down[0] || in.down[1] || in.wheel != 0 || !in.presses.empty() || keys_drag_;
    control_held_ = in.control && !busy ? control_held_ + dt : 0;
    ui_.show_keys(control_held_ > kHeld);
    const engine::Reading& help = devices_.logical().poll("help");
    const bool down = help.valid && help.down;
    if (!down && help_held_ > kHeld) state_.help = false;
    help_held_ = down ? help_held_ + dt : 0;
}

void Sandbox::remap(std::size_t device, std::string_view mapping) {
    const std::string name = devices_.logical().devices()[device].name;
    DeviceEdit& edit = state_.devices;
    edit.error.clear();
    edit.edited = mapping;
    if (devices_.remap(name, mapping, edit.error))
        show_message(devices_.logical().devices()[device].title + ": " + mapping_text(mapping));
}

void Sandbox::edit_devices(const PanelRequests& r) {
    engine::LogicalDevices& logical = devices_.logical();
    if (r.device_mapping) remap(r.device_mapping->first, r.device_mapping->second);
    if (!r.listen) return;
    if (logical.listening()) return logical.stop_listening();
    logical.listen(*r.listen);
    show_message("Press a key or move a control to map it; Esc cancels");
}

void Sandbox::act(KeyAction action) {
    const float step = 0.125f;
    switch (action) {
        case KeyAction::help:
            state_.help = !state_.help;
            return;
        case KeyAction::find:
            state_.help = false;
            return state_.finder.show();
        case KeyAction::hide:
            state_.hidden = !state_.hidden;
            return;
        case KeyAction::frame_scene:
            camera_.frame(session_->scene().camera());
            return;
        case KeyAction::theme:
            state_.dark = !state_.dark;
            return;
        case KeyAction::scale_up:
            wanted_scale_ = std::min(wanted_scale_ + step, engine::kMaxScale);
            return;
        case KeyAction::scale_down:
            wanted_scale_ = std::max(wanted_scale_ - step, engine::kMinScale);
            return;
        case KeyAction::scale_reset:
            wanted_scale_ = 1;
            return;
        case KeyAction::screenshot:
            screenshot_ = true;
            return;
        case KeyAction::quit:
            quit_ = true;
            return;
        default:
            act_on_session(action);
            return;
    }
}

void Sandbox::act_on_session(KeyAction action) {
    if (action == KeyAction::headset) state_.headset.on = !state_.headset.on;
    if (action == KeyAction::recentre) {
        recentre_ = Recentre::both;
        if (!in_headset_) rest_hands_here();
    }
    if (action == KeyAction::pause) toggle_pause();
    if (action == KeyAction::step_back) step_back();
    if (action == KeyAction::return_to_now) return_to_now();
    if (action == KeyAction::restart) rebuild();
    if (action == KeyAction::hand) {
        if (!session_->descriptor().uses_hand) return show_message("This scene has no hand");
        state_.hand = !state_.hand;
        show_message(state_.hand
                         ? "The mouse moves the hand"
                         : "The mouse turns the view; " + key_of("take_hand") + " brings the hand back");
    }
    if (action == KeyAction::step) step_on();
    if (action == KeyAction::fly) {
        state_.fly = !state_.fly;
        show_message(state_.fly
                         ? "Flying: W A S D, E up, Q down, drag to turn; " + key_of("fly") + " to orbit"
                         : "Orbiting: " + key_of("frame_scene") + " shows the whole scene");
    }
    if (action == KeyAction::cancel && !ui_.input().list_open) {
        if (film_ && !state_.help) {
            film_.reset();
            return show_message("Film cancelled");
        }
        if (!state_.help && cancel_build()) return;
        if (branch_ && !state_.help) return branch_.reset();
        if (!state_.help) selected_ = partner_ = collision::kNoIndex;
        state_.help = false;
    }
    compare_by_key(action);
    choose_body(action);
    if (action == KeyAction::probe) {
        state_.probe.on = !state_.probe.on;
        if (state_.probe.on) state_.bring_inspect = 3;  // frames, until its rows are there
        show_message(state_.probe.on
                         ? "The probe follows the pointer; the card Inspect has its shapes and questions"
                         : "Probe off");
    }
    if (action == KeyAction::add_body) edit(EditRequest::add);
    if (action == KeyAction::duplicate_body) edit(EditRequest::duplicate);
    if (action == KeyAction::delete_body) edit(EditRequest::remove);
    if (action == KeyAction::undo || action == KeyAction::redo) drag_.end();
    if (action == KeyAction::undo) act_on_scene("Undo", "This scene has nothing to undo");
    if (action == KeyAction::redo) act_on_scene("Redo", "This scene has nothing to redo");
}

/// Requests the scene's action with this title, or shows `otherwise`.
void Sandbox::act_on_scene(std::string_view title, const char* otherwise) {
    const auto actions = session_->descriptor().actions;
    const auto found = std::find(actions.begin(), actions.end(), title);
    if (found == actions.end()) return show_message(otherwise);
    pending_actions_.push_back(static_cast<std::uint32_t>(found - actions.begin()));
}

/// The value of a logical device, from -1 to 1; 0 if it is not valid.
double Sandbox::axis(const char* device) const {
    const engine::Reading& r = devices_.logical().poll(device);
    return r.valid ? std::clamp(r.number, -1.0, 1.0) : 0.0;
}

void Sandbox::move_camera(double dt) {
    const engine::UiInput& in = ui_.input();
    const bool started = in.pressed[0] || in.pressed[1] || in.pressed[2];
    if (started) {
        press_on_scene_ = !in.over_panel;
        press_x_ = in.x;
        press_y_ = in.y;
        travelled_ = 0;
    }
    if (state_.fly) {
        const bool looks = press_on_scene_ && (in.down[0] || in.down[1] || in.down[2]);
        const glm::vec3 move(axis("fly_x"), axis("fly_y"), axis("fly_z"));
        camera_.fly(looks ? in.dx : 0, looks ? in.dy : 0, move, static_cast<float>(std::min(dt, 0.1)));
        return;
    }
    turn_camera();
    // In a slow frame the pointer may have come from far away before the press.
    if (!started) travelled_ += std::abs(in.dx) + std::abs(in.dy);
    if (!keys_drag_) drag_bodies();
    if (drag_.active() && !keys_drag_) return;  // mouse and wheel are its own
    const bool hand = hand_active();
    const bool left = in.down[0] && (!hand || in.alt) && press_body_ == collision::kNoIndex,
               right = in.down[1] && !hand, middle = in.down[2];
    if (press_on_scene_ && (left || right || middle) && travelled_ > kClickSlack) {
        if (in.shift)
            camera_.pan(in.dx, in.dy, static_cast<float>(height_));
        else
            camera_.orbit(in.dx, in.dy);
    }
    const bool wheel_is_hands = hand && !in.control;
    if (in.wheel == 0 || in.over_panel) return;
    if (const SceneKey* key = in.shift ? wheel_key() : nullptr)
        turn_wheel_key(*key, static_cast<double>(in.wheel));
    else if (!wheel_is_hands)
        camera_.zoom(in.wheel);
}

bool Sandbox::was_dragged() const {
    return press_on_scene_ && travelled_ > kClickSlack;
}

/// Turns the camera by sticks and SpaceMouse caps.
void Sandbox::turn_camera() {
    const engine::LogicalDevices& logical = devices_.logical();
    const engine::Reading &x = logical.poll("turn_x"), &y = logical.poll("turn_y"),
                          &zoom = logical.poll("zoom");
    if (x.valid && y.valid && (x.number != 0 || y.number != 0))
        camera_.orbit(static_cast<float>(x.number), static_cast<float>(y.number));
    if (zoom.valid && zoom.number != 0) camera_.zoom(static_cast<float>(zoom.number));
}

void Sandbox::click() {
    const engine::UiInput& in = ui_.input();
    if (hand_active() || state_.fly || !in.released[0] || !press_on_scene_ || travelled_ > kClickSlack)
        return;
    select(renderer_.pick(bridge_.list(), {width_, height_, ui_.scale()}, press_x_, press_y_), in.shift);
}

void Sandbox::select(std::uint32_t pick, bool second) {
    if (second && selected_ != collision::kNoIndex) {
        partner_ = pick == selected_ ? collision::kNoIndex : pick;
        return;
    }
    selected_ = pick;
    partner_ = collision::kNoIndex;
}

void Sandbox::choose_body(KeyAction action) {
    const bool partner = action == KeyAction::next_partner || action == KeyAction::partner_before,
               back = action == KeyAction::body_before || action == KeyAction::partner_before;
    if (!partner && !back && action != KeyAction::next_body) return;
    if (state_.help) return;  // the same keys scroll it
    const bool second = partner && selected_ != collision::kNoIndex;
    std::uint32_t pick =
        bridge_.next_pick(second && partner_ != collision::kNoIndex ? partner_ : selected_, back);
    if (second && pick == selected_) pick = bridge_.next_pick(pick, back);
    if (pick == collision::kNoIndex) return show_message("This scene has no body to select");
    select(pick, partner);
}

void Sandbox::ask_for_body() {
    show_message("Select a body first: click it (key: " + key_of("next_body") + ")");
}

bool Sandbox::on_scene(float x, float y) const {
    return x >= area_.x0 && y >= area_.y0 && x < area_.x1 && y < area_.y1;
}

/// Queues clicks as pokes of the hand, at the mouse position of each click. Nothing can be poked while
/// paused.
void Sandbox::take_clicks() {
    const engine::UiInput& in = ui_.input();
    const bool covered = in.over_panel && on_scene(in.x, in.y);  // a panel covers the scene there
    if (!hand_active() || state_.paused || in.alt || covered) return;
    for (const engine::Click& click : in.clicks)
        if (on_scene(click.x, click.y)) poke_.click({click.x, click.y});
}

void Sandbox::point_hand(float x, float y) {
    const Ray ray =
        ray_through(clip_matrix(view_camera_, width_, height_, ui_.scale()), width_, height_, x, y);
    hand_input_.ray_origin = ray.origin;
    hand_input_.ray_direction = ray.direction;
    const std::optional<HandAim> aim = session_->scene().hand_aim(
        {ray.origin.x, ray.origin.y, ray.origin.z}, {ray.direction.x, ray.direction.y, ray.direction.z});
    hand_input_.touch.reset();
    if (aim) hand_input_.touch = to_dvec(aim->touch);
    hand_input_.push = aim ? to_dvec(aim->push) : glm::dvec3(0);
}

/// An idle hand stays in front of what it could touch: no deeper than the scene's resting fingertip. In a
/// narrow window, what the pointer's place aims at may be next to the clay.
void Sandbox::keep_idle_hand_in_front() {
    const glm::dvec3 rest = forefinger_of(engine::pose_hand(to_hand_pose(session_->scene().hand_rest())));
    const glm::dvec3 origin = hand_input_.ray_origin, along = hand_input_.ray_direction;
    const double deepest = glm::dot(rest - origin, along);
    const double aimed = hand_input_.touch ? glm::dot(*hand_input_.touch - origin, along) : deepest;
    hand_input_.touch = origin + along * std::min(aimed, deepest);
}

/// Transform from the room of network or track hands to the scene. Initially the user is at the room's origin
/// and looks along -Z. After rest_hands_here(), the stored fingertip maps to the fingertip of the scene's
/// resting hand.
RoomPlace Sandbox::place_of_tracked_hands() const {
    const Scene& scene = session_->scene();
    RoomPose head{{0, kEyeHeight, 0}, {1, 0, 0, 0}};
    RoomPlace place;
    place.place_viewer(head, scene.camera(), Recentre::both);
    if (!hands_rest_at_) return place;
    const glm::dvec3 off =
        place.to_scene(*hands_rest_at_) - forefinger_of(engine::pose_hand(to_hand_pose(scene.hand_rest())));
    const glm::dquat room_from_scene = glm::inverse(place.to_scene(glm::dquat(1, 0, 0, 0)));
    head.position += room_from_scene * off / place.scale();
    place.place_viewer(head, scene.camera(), Recentre::both);
    return place;
}

void Sandbox::rest_hands_here() {
    for (const char* name : kHandDevices) {
        const engine::Reading& reading = devices_.logical().poll(name);
        if (!reading.valid) continue;
        const engine::HandState hand = engine::hand_from_joints(*reading.hand);
        if (!hand.present) continue;
        hands_rest_at_ = forefinger_of(hand);
        leap_hands();
        return show_message("Rest position of the hand set");
    }
    show_message("No tracked hand found");
}

/// Offers the hands that logical devices receive from the network or a track. A headset offers its hands
/// itself.
void Sandbox::offer_logical_hands() {
    constexpr auto kNetwork = static_cast<std::size_t>(engine::HandSource::network),
                   kTrack = static_cast<std::size_t>(engine::HandSource::track);
    const RoomPlace place = place_of_tracked_hands();
    for (std::size_t side = 0; side < offers_.size(); ++side) {
        const engine::Reading& reading = devices_.logical().poll(kHandDevices[side]);
        offers_[side][kNetwork].reset();
        offers_[side][kTrack].reset();
        if (!reading.valid) continue;
        const std::string_view source = reading.source != nullptr ? reading.source->id() : std::string_view();
        if (source == "xr" || source == "controller") continue;
        const engine::HandState hand = engine::hand_from_joints(*reading.hand);
        const bool recorded = source == "track";
        if (hand.present) offers_[side][recorded ? kTrack : kNetwork] = place.to_scene(hand);
    }
}

std::array<HandInput, 2> Sandbox::hands(bool first_step) {
    std::array<HandInput, 2> out;
    if (!session_->descriptor().uses_hand) return out;
    offer_logical_hands();
    constexpr auto kMouse = static_cast<std::size_t>(engine::HandSource::mouse);
    offers_[0][kMouse] = mouse_hand(first_step);
    const engine::HandSourceInfo* driver = hand_selectors_[0].source();
    // Switching the mouse's hand off is not a tracking loss: it disappears at once.
    const bool put_away =
        !offers_[0][kMouse] && driver != nullptr && driver->source == engine::HandSource::mouse;
    if (put_away) hand_selectors_[0] = {};
    for (std::size_t side = 0; side < out.size(); ++side) {
        const engine::HandState& hand = hand_selectors_[side].update(offers_[side], kStepSeconds);
        out[side] = steady_hands_[side].update(hand, state_.hands, hand_moment(side));
    }
    return out;
}

HandMoment Sandbox::hand_moment(std::size_t side) const {
    constexpr const char* kPressures[] = {"pressure_right", "pressure_left"};
    HandMoment out;
    const engine::HandSourceInfo* driver = hand_selectors_[side].source();
    out.held = hand_selectors_[side].held();
    out.by_mouse = driver != nullptr && driver->source == engine::HandSource::mouse;
    out.pressing = session_->scene().hand_touches(side);
    const engine::Reading& trigger = devices_.logical().poll(kPressures[side]);
    if (trigger.valid) out.trigger = trigger.number;
    out.dt = kStepSeconds / state_.speed;  // the user's time does not slow down with that of the scene
    return out;
}

/// The newest poses of the sources that drive the hands, also between two steps.
std::array<HandInput, 2> Sandbox::newest_hands() const {
    std::array<HandInput, 2> out;
    for (std::size_t side = 0; side < out.size(); ++side) {
        const engine::HandSourceInfo* driver = hand_selectors_[side].source();
        if (driver == nullptr) continue;
        const auto& offer = offers_[side][static_cast<std::size_t>(driver->source)];
        if (offer) out[side] = steady_hands_[side].preview(*offer, state_.hands, hand_moment(side));
    }
    return out;
}

/// The pointer on its lead. Led in the window, the fingertip stays on the surface under it.
engine::PointerPlace Sandbox::steady_pointer(const engine::PointerPlace& at, bool pressing) {
    const glm::mat4 clip = clip_matrix(view_camera_, width_, height_, ui_.scale());
    const Ray here = ray_through(clip, width_, height_, at.x, at.y),
              next = ray_through(clip, width_, height_, at.x + 1, at.y);
    const double distance = std::max(mouse_hand_.surface, 0.0);
    const double pixel = glm::distance(here.direction, next.direction) * distance;  // metres
    const double length = pixel > 0 ? state_.hands.lead * 1e-3 / pixel : 0;
    const glm::dvec3 steady =
        pointer_lead_.follow({at.x, at.y, 0}, length, pressing, kStepSeconds / state_.speed);
    return {static_cast<float>(steady.x), static_cast<float>(steady.y)};
}

std::optional<engine::HandState> Sandbox::mouse_hand(bool first_step) {
    if (!hand_active() || in_headset_) {
        poke_ = {};
        pointer_lead_.reset();
        return std::nullopt;
    }
    const engine::UiInput& in = ui_.input();
    const Scene& scene = session_->scene();
    engine::MouseHandSetup setup;
    const collision::Aabb region = scene.hand_region();
    setup.region_min = to_dvec(region.min);
    setup.region_max = to_dvec(region.max);
    setup.rest = to_hand_pose(scene.hand_rest());
    setup.reach = scene.hand_reach();
    setup.pinches = scene.hand_pinches();
    setup.holds = scene.hand_holds();
    const bool free = on_scene(in.x, in.y) && !in.over_panel && !in.alt;
    // While the mouse is off the scene, the hand waits where it is visible and hides little.
    const engine::PointerPlace rest{area_.x0 + kRestX * (area_.x1 - area_.x0),
                                    area_.y0 + kRestY * (area_.y1 - area_.y0)};
    const bool down = in.down[0] && press_on_scene_ && !in.alt;
    const engine::PokeStep poke =
        poke_.step(free ? engine::PointerPlace{in.x, in.y} : rest, down && free, scene.hand_pokes());
    const engine::PointerPlace steady = steady_pointer(poke.at, poke.left || mouse_hand_.reach > 0);
    const bool idle = !free && !poke_.busy();
    if (!idle || (!in.alt && !in.down[0])) {
        point_hand(steady.x, steady.y);
        if (idle) keep_idle_hand_in_front();
    }
    const bool wheel_moves = first_step && free && !in.control && !(in.shift && wheel_key());
    hand_input_.wheel = wheel_moves ? static_cast<double>(in.wheel) : 0;
    hand_input_.left = poke.left;
    hand_input_.right = in.down[1] && free && press_on_scene_;
    constexpr const char* kCurls[] = {"curl_thumb", "curl_index", "curl_middle", "curl_ring", "curl_little"};
    for (std::size_t i = 0; i < 5; ++i) {
        const engine::Reading& curl = devices_.logical().poll(kCurls[i]);
        hand_input_.curl_key[i] = curl.valid && curl.down;
    }
    engine::HandState state = engine::pose_hand(engine::move_mouse_hand(mouse_hand_, setup, hand_input_));
    state.present = true;
    return state;
}

}  // namespace claybox::app
