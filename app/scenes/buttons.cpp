// A desk of virtual buttons. The module finds which fingertip goes through which button's face (a thin plate
// there is its sensor) and which part touches which cap; the press machine follows the fingertip's way
// through the button's frame, also of frames that the module reports late. A press sends a command that the
// session or the application carries out.

#include "app/scenes/desk.hpp"
#include "app/scenes/hand_bodies.hpp"
#include "app/scenes/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::Event;
using collision::EventKind;
using collision::kNoIndex;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;

namespace {

enum ButtonParameter : std::size_t { kFireAt, kReleaseAt, kRearm, kFingers };
enum ButtonGroup : unsigned { kCapGroup, kSensorGroup, kHandGroup, kTipGroup };

constexpr const char* kFingerChoices[] = {"index", "all"};

const Parameter kParameters[] = {
    {"fire_at", "Fires at", ParameterKind::real, 60, 35, 95, "% of travel",
     "between StereoKit (50) and MRTK (90)", "How deep a button must go before it fires."},
    {"release_at", "Releases at", ParameterKind::real, 30, 5, 34, "% of travel",
     "between StereoKit and MRTK (10)", "How far a button must come back before it counts as released."},
    {"rearm", "Re-arms after", ParameterKind::real, 80, 0, 1000, "ms",
     "HTCC waits 100 ms; ours: quick double pokes",
     "After a release the button fires no more for this long."},
    {"fingers", "Press with", ParameterKind::choice, 0, 0, 1, "", "MRTK: every finger presses by accident",
     "Which fingers may press.", false, kFingerChoices},
};

constexpr std::uint32_t kFingersOfHand = 5, kFingerCount = 2 * kFingersOfHand;
// Half of the plate's thickness, metres. Less than any fingertip: neither can be inside the other, so that
// algorithms that decide surfaces and those that decide solids give the same events.
constexpr double kSensorHalf = 0.001;
constexpr std::uint64_t kLookBack = 32;  // frames before the first touch in which the way may have begun
constexpr double kAimInset = 0.010;  // metres from a face's edge at which a mouse-driven finger aims at most
constexpr double kSensorMargin = 0.004;  // metres around a face, beyond the finger's own radius
constexpr double kLightSeconds = 0.3;    // a light without a state shows a recent press
constexpr std::uint64_t kDecorMeshes = 1, kHandMeshes = 1000;

/// The part number of a fingertip.
constexpr std::size_t tip_part(std::uint32_t finger) {
    return finger / kFingersOfHand * kHandParts + 3 * (finger % kFingersOfHand + 1);
}
constexpr bool is_index(std::uint32_t finger) {
    return finger % kFingersOfHand == 1;
}

/// The forefinger points down at the desk, the others are curled; the hand comes from the lower right. The
/// tip lies here in the wrist frame at these curls (from the hand model; a test compares).
constexpr std::array<float, 5> kCurl{0.24f, 0.14f, 0.68f, 0.75f, 0.82f};
constexpr Vec3d kTipFromWrist{-0.03106, -0.03514, -0.16316};
constexpr double kTipRadius = 0.0076;

/// Tip over the button's middle, this far from its face (negative: pressed).
HandKey hand_over(std::uint64_t frame, const Vec3d& at_desk) {
    const Pose desk = world_from_desk();
    const collision::Quat rotation =
        collision::normalized(desk.rotation * looking({-0.49, 0.67, -0.56}, {-0.05, 0.4, 0.9}));
    const Vec3d tip = desk.translation + collision::rotate(desk.rotation, at_desk);
    return {frame, {rotation, tip - collision::rotate(rotation, kTipFromWrist)}, kCurl};
}
Vec3d above(const DeskButton& button, double gap) {
    return {static_cast<double>(button.x), static_cast<double>(button.y), kCapHeight + kTipRadius + gap};
}

/// Lower right of a face's middle, where the finger leaves the label to be read.
constexpr Vec3d kBesideLabel{0.012, -0.011, 0};

/// One poke of "Next algorithm": come, press to 9 mm, come back, leave.
std::span<const HandKey> poke_script() {
    const DeskButton& target = desk_buttons()[1];
    const auto over = [&](double gap) { return above(target, gap) + kBesideLabel; };
    static const HandKey keys[] = {hand_over(1, over(0.09) + Vec3d{0.09, -0.07, 0}),
                                   hand_over(60, over(0.030)),
                                   hand_over(90, over(0.012)),
                                   hand_over(102, over(-0.009)),
                                   hand_over(150, over(-0.009)),
                                   hand_over(166, over(0.020)),
                                   hand_over(240, over(0.08) + Vec3d{0.08, -0.07, 0})};
    return keys;
}

/// All fingertips as of one frame, world frame.
struct Tips {
    double time = 0;
    std::array<bool, kFingerCount> there{};
    std::array<Vec3d, kFingerCount> at;
    std::array<double, kFingerCount> radius{};
};

struct Near {
    bool touching = false;   ///< the sensor, as the module says
    bool active = false;     ///< the way is being followed
    std::uint64_t done = 0;  ///< it has been up to this frame
};

class ButtonScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override;
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override { return desk_camera(); }
    ViewLight light() const override { return desk_light(); }
    Aabb hand_region() const override { return {{-0.24f, 0.004f, -0.18f}, {0.26f, 0.26f, 0.26f}}; }
    HandKey hand_rest() const override { return hand_over(0, above(desk_buttons()[12], 0.05)); }
    std::optional<HandAim> hand_aim(const Vec3d& origin, const Vec3d& direction) const override;
    bool hand_pokes() const override { return true; }
    double hand_reach() const override { return 0.013; }
    std::vector<Figure> figures() const override;
    std::span<const HandKey> script() const override { return poke_script(); }
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    Pose face(std::uint32_t button) const;
    void remember_tips(const StepInput& input);
    void take_event(const Event& e);
    void follow(std::uint32_t finger, std::uint32_t button, std::uint64_t frame);
    void follow_all(std::uint64_t frame);
    bool may_press(std::uint32_t finger) const { return parameters_.on(kFingers) || is_index(finger); }
    void answer(const StepInput& input, StepOutput& output);
    void set_lights(const collision::WorldSettings& settings, double now);

    ParameterValues parameters_;
    PressRules rules_;
    PressBoard board_{{}, kFingerCount};
    HandBodies hands_{kHandGroup, kTipGroup, kHandMeshes};
    DeskDecor decor_{kDecorMeshes};
    std::vector<BodyId> cap_, sensor_;
    FrameHistory<Tips> history_;
    std::array<std::vector<Near>, kFingerCount> near_;
    std::bitset<kFingerCount> seen_;
    std::array<std::uint32_t, kTwoHands> caps_touched_{};  ///< number of caps that each part touches
    collision::EventBatch batch_;
    std::vector<PressEvent> presses_;
    std::vector<DeskState> states_;
    std::vector<double> fired_at_;
    std::uint64_t press_count_ = 0, release_count_ = 0, early_count_ = 0;
    double deepest_ = 0;
};

Status ButtonScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t) {
    set_parameters(parameters);
    for (unsigned a = 0; a < 4; ++a) {
        for (unsigned b = a; b < 4; ++b) {
            const bool wanted = (a == kCapGroup && b >= kHandGroup) || (a == kSensorGroup && b == kTipGroup);
            world.set_interest(a, b, {wanted, collision::kWantVerdict, 0});
        }
    }
    std::vector<PressPad> pads;
    for (const DeskButton& button : desk_buttons()) {
        const PressPad pad = desk_pad(button.cap);
        pads.push_back(pad);
        const auto cap = desk_cap_shape(button.cap);
        if (!cap.ok()) return cap.error();
        const auto box = collision::Shape::from_polygons(
            box_mesh(collision::cast<float>(
                Vec3d{pad.half_x + kSensorMargin, pad.half_y + kSensorMargin, kSensorHalf})),
            "sensor");
        if (!box.ok()) return box.error();
        const auto number = static_cast<std::uint32_t>(cap_.size());
        const auto cap_body = world.add_body({cap.value(), face(number), kCapGroup, false, number});
        if (!cap_body.ok()) return cap_body.error();
        const auto sensor_body = world.add_body({box.value(), face(number), kSensorGroup, false, number});
        if (!sensor_body.ok()) return sensor_body.error();
        cap_.push_back(cap_body.value());
        sensor_.push_back(sensor_body.value());
    }
    board_ = PressBoard(pads, kFingerCount);
    for (std::vector<Near>& near : near_) near.resize(pads.size());
    states_.resize(pads.size());
    fired_at_.assign(pads.size(), -1e9);
    return Done{};
}

void ButtonScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    rules_.fire_at = parameters[kFireAt] / 100;
    rules_.release_at = parameters[kReleaseAt] / 100;
    rules_.rearm = parameters[kRearm] / 1000;
}

Pose ButtonScene::face(std::uint32_t button) const {
    const DeskButton& b = desk_buttons()[button];
    return world_from_desk() * Pose{{}, {static_cast<double>(b.x), static_cast<double>(b.y), kCapHeight}};
}

void ButtonScene::remember_tips(const StepInput& input) {
    Tips tips;
    tips.time = static_cast<double>(input.frame) * input.dt;
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        const HandInput& hand = input.hand[f / kFingersOfHand];
        const std::size_t part = tip_part(f) % kHandParts;
        tips.there[f] = hand.present && may_press(f);
        const Vec3d along{0, 0, -static_cast<double>(hand.length[part])};
        tips.at[f] = hand.part[part].translation + collision::rotate(hand.part[part].rotation, along);
        tips.radius[f] = static_cast<double>(hand.radius[part]);
        if (tips.there[f] && !seen_[f]) {
            board_.appear(f, tips.time);
            for (Near& near : near_[f]) near = {false, false, input.frame};
        }
        if (!tips.there[f] && seen_[f]) {
            board_.vanish(f, tips.time, presses_);
            for (Near& near : near_[f]) near.touching = near.active = false;
        }
        seen_[f] = tips.there[f];
    }
    history_.set(input.frame, tips);
}

void ButtonScene::take_event(const Event& e) {
    const auto a = hands_.find(e.a), b = hands_.find(e.b);
    if (a.has_value() == b.has_value() || e.kind == EventKind::stay) return;
    const std::uint32_t part = a ? *a : *b;
    const BodyId other = a ? e.b : e.a;
    const std::uint64_t frame = a ? e.frame_a : e.frame_b;
    const bool begin = e.kind == EventKind::begin;
    const auto sensor = std::find(sensor_.begin(), sensor_.end(), other);
    if (sensor == sensor_.end()) {
        std::uint32_t& touched = caps_touched_[part];
        touched = begin ? touched + 1 : touched - std::min(touched, 1u);
        return;
    }
    const auto button = static_cast<std::uint32_t>(sensor - sensor_.begin());
    const std::uint32_t finger =
        part / kHandParts * kFingersOfHand + static_cast<std::uint32_t>(part % kHandParts) / 3 - 1;
    Near& near = near_[finger][button];
    near.touching = begin;
    if (!begin) return;
    near.active = true;
    near.done = std::max(near.done, frame - std::min(frame, kLookBack));
}

void ButtonScene::follow(std::uint32_t finger, std::uint32_t button, std::uint64_t frame) {
    Near& near = near_[finger][button];
    const Pose at = face(button);
    const collision::Quat to_face = collision::conjugate(at.rotation);
    while (near.done < frame) {
        const Tips *from = history_.at(near.done), *to = history_.at(near.done + 1);
        ++near.done;
        if (from == nullptr || to == nullptr || !from->there[finger] || !to->there[finger]) continue;
        const FingerMove way{collision::rotate(to_face, from->at[finger] - at.translation),
                             collision::rotate(to_face, to->at[finger] - at.translation), to->radius[finger],
                             from->time, to->time};
        board_.move(finger, button, way, rules_, presses_);
    }
}

void ButtonScene::follow_all(std::uint64_t frame) {
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        for (std::uint32_t b = 0; b < near_[f].size(); ++b) {
            Near& near = near_[f][b];
            if (!near.active) continue;
            follow(f, b, frame);
            // A finger that has gone through the face still holds its button.
            near.active = near.touching || board_.holder(b) == f;
        }
    }
}

void ButtonScene::answer(const StepInput& input, StepOutput& output) {
    for (const PressEvent& press : presses_) {
        const DeskButton& button = desk_buttons()[press.button];
        SceneEvent::Kind kind = SceneEvent::Kind::touched;
        switch (press.kind) {
            case PressKind::touched:
                break;
            case PressKind::left_early:
                kind = SceneEvent::Kind::left_early;
                ++early_count_;
                break;
            case PressKind::released:
                kind = SceneEvent::Kind::released;
                ++release_count_;
                break;
            case PressKind::fired:
                kind = SceneEvent::Kind::fired;
                ++press_count_;
                fired_at_[press.button] = press.time;
                const bool fingers = button.kind == Command::Kind::set_parameter;
                output.commands.push_back(
                    {button.kind,
                     fingers ? parameters_.on(kFingers) ? "fingers=index" : "fingers=all" : button.text});
                break;
        }
        output.events.push_back({kind, input.frame, button.title});
    }
    presses_.clear();
}

void ButtonScene::set_lights(const collision::WorldSettings& settings, double now) {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        const DeskButton& button = desk_buttons()[i];
        DeskState& state = states_[i];
        state.travel = board_.travel(i);
        state.pressed = board_.pressed(i);
        switch (button.light) {
            case DeskLight::recent:
                state.lit = now < fired_at_[i] + kLightSeconds;
                break;
            case DeskLight::algorithm:
                state.lit = settings.pair_algorithm != nullptr &&
                            button.text == std::string_view(settings.pair_algorithm->id);
                break;
            case DeskLight::broad_phase:
                state.lit = settings.broad_phase != nullptr &&
                            button.text == std::string_view(settings.broad_phase->id);
                break;
            case DeskLight::concurrent:
                state.lit = settings.concurrent;
                break;
            case DeskLight::exact:
                state.lit = settings.exactness == collision::Exactness::exact;
                break;
            case DeskLight::all_fingers:
                state.lit = parameters_.on(kFingers);
                break;
        }
    }
}

void ButtonScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    remember_tips(input);
    for (std::uint32_t i = 0; i < cap_.size(); ++i) {
        Pose pose = face(i);
        pose.translation += collision::rotate(pose.rotation, {0, 0, -board_.travel(i)});
        [[maybe_unused]] const Status moved = world.move(cap_[i], pose);
        CLAYBOX_ASSERT(moved.ok());
    }
    [[maybe_unused]] const Status followed = hands_.update(world, input);
    CLAYBOX_ASSERT(followed.ok());
    world.publish(input.frame);
    world.check();
    world.poll_events(batch_);
    for (const Event& e : batch_.events) take_event(e);
    follow_all(input.frame);
    for (std::size_t part = 0; part < kTwoHands; ++part) {
        if (!hands_.present(part / kHandParts)) caps_touched_[part] = 0;
    }
    board_.settle(input.dt, rules_);
    for (std::uint32_t i = 0; i < cap_.size(); ++i) deepest_ = std::max(deepest_, board_.travel(i));
    answer(input, output);
    set_lights(world.settings(), static_cast<double>(input.frame) * input.dt);
}

std::optional<HandAim> ButtonScene::hand_aim(const Vec3d& origin, const Vec3d& direction) const {
    const Pose desk = world_from_desk();
    const collision::Quat to_desk = collision::conjugate(desk.rotation);
    const DeskRay ray{collision::rotate(to_desk, origin - desk.translation),
                      collision::rotate(to_desk, direction)};
    if (!(ray.direction.z < -1e-6) || ray.origin.z < kCapHeight) return std::nullopt;
    Vec3d at = ray.origin + ray.direction * ((kCapHeight - ray.origin.z) / ray.direction.z);
    const std::uint32_t key = desk_button_at(ray);
    if (key != kNoIndex) {
        const DeskButton& button = desk_buttons()[key];
        const PressPad pad = desk_pad(button.cap);
        const auto x = static_cast<double>(button.x), y = static_cast<double>(button.y);
        const double free_x = pad.half_x - kAimInset, free_y = pad.half_y - kAimInset;
        at.x = std::clamp(at.x, x - free_x, x + free_x);
        at.y = std::clamp(at.y, y - free_y, y + free_y);
    }
    at.z += kTipRadius;
    return HandAim{desk.translation + collision::rotate(desk.rotation, at),
                   collision::rotate(desk.rotation, {0, 0, -1})};
}

std::vector<Figure> ButtonScene::figures() const {
    double travel = 0;
    for (std::uint32_t i = 0; i < board_.size(); ++i) travel = std::max(travel, board_.travel(i));
    return {{"presses", "Presses", static_cast<double>(press_count_)},
            {"releases", "Releases", static_cast<double>(release_count_)},
            {"left_early", "Left early", static_cast<double>(early_count_)},
            {"travel", "Travel now", travel * 1e3, "mm", 1},
            {"deepest", "Deepest travel", deepest_ * 1e3, "mm", 1}};
}

void ButtonScene::meshes(std::vector<ViewMesh>& out) const {
    decor_.append_meshes(out);
    hands_.append_meshes(out);
}

void ButtonScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    decor_.view(states_, out);
    std::bitset<kTwoHands> active;
    for (std::size_t p = 0; p < kTwoHands; ++p) active[p] = caps_touched_[p] > 0;
    // A cap gives way to the very surface of the finger that pushes it, which may then just not meet it.
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        for (std::uint32_t b = 0; b < near_[f].size(); ++b) {
            if (near_[f][b].active && board_.travel(b) > 0) active[tip_part(f)] = true;
        }
    }
    hands_.view(active, out);
    if (!options.bounds) return;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        const PressPad pad = desk_pad(desk_buttons()[i].cap);
        Aabb box;
        box.add(collision::cast<float>(Vec3d{-pad.half_x, -pad.half_y, -kSensorHalf}));
        box.add(collision::cast<float>(Vec3d{pad.half_x, pad.half_y, kSensorHalf}));
        view_box(collision::transform_aabb(collision::to_matrix(face(i)), box), Ink::bounds, out);
    }
}

std::string ButtonScene::describe_pick(std::uint32_t pick) const {
    if (pick >= states_.size()) return {};
    return std::string("Button ") + desk_buttons()[pick].title +
           (states_[pick].pressed ? ": pressed" : ": up");
}

}  // namespace

const SceneDescriptor& describe_buttons() {
    static const SceneDescriptor descriptor{
        "buttons",
        "Buttons",
        "A desk of buttons that sink under the finger, fire once a press and really switch the running "
        "program.",
        "Point at a button and hold the left mouse button: the finger presses it. Let go to release.",
        kParameters,
        0,
        {},
        true,
        &make_scene<ButtonScene>};
    return descriptor;
}

}  // namespace claybox::app
