// A desk of virtual buttons that controls the program. The module finds the fingertips near each face
// (finger_link), the press machine follows their paths, and every control becomes a command for the session
// or the application.

#include "app/scenes/buttons/desk_decor.hpp"
#include "app/scenes/hands/finger_link.hpp"
#include "app/scenes/scene.hpp"
#include "collision/core/elementary.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::kNoIndex;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;

namespace {

enum ButtonParameter : std::size_t { kFireAt, kReleaseAt, kRearm, kFingers, kRule };
enum ButtonGroup : unsigned { kCapGroup, kPlateGroup, kFingerGroup, kHandGroup, kTipGroup };

constexpr const char* kFingerChoices[] = {"index", "all"};
constexpr const char* kRuleChoices[] = {"swept", "plain"};

const Parameter kParameters[] = {
    {"fire_at", "Fires at", ParameterKind::real, 60, 35, 95, "% of travel",
     "between StereoKit (50) and MRTK (90)", "How deep a button must be pressed before it fires."},
    {"release_at", "Releases at", ParameterKind::real, 30, 5, 34, "% of travel",
     "between StereoKit and MRTK (10)", "How far a button must come back up before it is released."},
    {"rearm", "Re-arms after", ParameterKind::real, 80, 0, 1000, "ms",
     "HTCC waits 100 ms; ours: quick double pokes", "A released button cannot fire again for this long."},
    {"fingers", "Press with", ParameterKind::choice, 0, 0, 1, "", "MRTK: other fingers press by accident",
     "Fingers that can press: the forefinger, or all.", false, kFingerChoices},
    {"rule", "Rule", ParameterKind::choice, 0, 0, 1, "", "Zachmann, thesis, chapter 9: plain",
     "swept: a press comes from the front and needs travel. plain: pressed while finger and button collide, "
     "from any side.",
     false, kRuleChoices},
};

// A mouse-driven finger aims at least this far inside the edge of a face, metres: of keys, and of dragged
// controls.
constexpr double kKeyInset = 0.010, kDragInset = 0.004;
constexpr double kTwistReach = 0.035,
                 kTwistHeight = 0.060;  // metres; a pinch within this distance holds the dial
constexpr float kPinched = 0.8f, kOpened = 0.5f;
constexpr std::uint64_t kDecorMeshes = 1, kHandMeshes = 1000;

/// Hand from the lower right; the forefinger points down at the desk, the other fingers are curled.
/// kTipFromWrist is the place of the fingertip in the wrist frame at these curls (from the hand model; a test
/// compares them).
constexpr std::array<float, 5> kCurl{0.24f, 0.14f, 0.68f, 0.75f, 0.82f};
constexpr Vec3d kTipFromWrist{-0.03106, -0.03514, -0.16316};
constexpr double kTipRadius = 0.0076;

/// Hand with the fingertip at a point of the desk frame.
HandKey hand_over(std::uint64_t frame, const Vec3d& at_desk) {
    const Pose desk = world_from_desk();
    const collision::Quat rotation =
        collision::normalized(desk.rotation * looking({-0.49, 0.67, -0.56}, {-0.05, 0.4, 0.9}));
    const Vec3d tip = desk.translation + collision::rotate(desk.rotation, at_desk);
    return {frame, {rotation, tip - collision::rotate(rotation, kTipFromWrist)}, kCurl};
}
/// Centre of a fingertip at this distance from the face (negative: pressed), desk frame.
Vec3d above(const DeskControl& control, double gap) {
    return {control.x, control.y, desk_height(control.kind) + kTipRadius + gap};
}

/// Lower right of the middle of a face, where the finger does not cover the label.
constexpr Vec3d kClearOfLabel{0.011, -0.009, 0};

/// One poke of "Next algorithm": approach, press to 9 mm, release, leave.
std::span<const HandKey> poke_script() {
    const DeskControl& target = desk_controls()[desk_control(DeskRole::next_algorithm)];
    const auto over = [&](double gap) { return above(target, gap) + kClearOfLabel; };
    static const HandKey keys[] = {hand_over(1, over(0.09) + Vec3d{0.09, -0.07, 0}),
                                   hand_over(60, over(0.030)),
                                   hand_over(90, over(0.012)),
                                   hand_over(102, over(-0.009)),
                                   hand_over(150, over(-0.009)),
                                   hand_over(166, over(0.020)),
                                   hand_over(240, over(0.08) + Vec3d{0.08, -0.07, 0})};
    return keys;
}

class ButtonScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override;
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override { return desk_camera(); }
    ViewLight light() const override { return desk_light(); }
    Aabb hand_region() const override { return {{-0.30f, 0.004f, -0.22f}, {0.32f, 0.30f, 0.30f}}; }
    HandKey hand_rest() const override { return hand_over(0, {0.150, -0.050, 0.070}); }
    std::optional<HandAim> hand_aim(const Vec3d& origin, const Vec3d& direction) const override;
    bool hand_pokes() const override { return dragged_ == kNoIndex; }
    double hand_reach() const override { return 0.013; }
    bool waits() const override { return true; }
    std::vector<Figure> figures() const override;
    std::optional<PressCurve> press_curve() const override;
    std::span<const HandKey> script() const override { return poke_script(); }
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    void move_caps(collision::World& world);
    void stop_hands();
    FacePoint under_finger(const PressEvent& press) const;
    void handle_presses(std::span<const FingerMove> moves, StepOutput& output);
    void handle_press(const PressEvent& press, const FacePoint& at, StepOutput& output);
    void twist_dial(const StepInput& input, std::vector<Command>& out);
    void show(double dt);
    double glow(std::uint32_t control) const;

    ParameterValues parameters_;
    PressRules rules_;
    PressBoard board_{{}, kFingerCount};
    FingerLink link_{{kPlateGroup, kCapGroup, kFingerGroup}};
    HandBodies hands_{kHandGroup, kTipGroup, kHandMeshes};
    DeskPanel panel_;
    DeskDecor decor_{kDecorMeshes};
    std::vector<BodyId> cap_;
    std::vector<collision::ShapePtr> wall_shape_;  ///< of the case, then the caps
    std::vector<HandWall> walls_;
    collision::EventBatch batch_;
    std::vector<PressEvent> presses_;
    std::size_t handled_ = 0;           ///< number of presses_ handled so far
    std::vector<FacePoint> drag_;       ///< per control: last position of the finger that holds it
    std::uint32_t dragged_ = kNoIndex;  ///< the control that is being dragged
    std::array<std::optional<double>, 2> twist_from_;  ///< per hand: angle of a pinch that holds the dial
    std::vector<DeskState> states_;
    std::uint64_t frame_ = 0;
    std::array<std::uint64_t, 5> counts_{};  ///< indexed by PressKind
    double deepest_ = 0;
    PressTrail trail_;
};

Status ButtonScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t) {
    set_parameters(parameters);
    for (unsigned a = 0; a <= kTipGroup; ++a)
        for (unsigned b = a; b <= kTipGroup; ++b)
            world.set_interest(a, b, {false, collision::kWantVerdict, 0});
    std::vector<PressPad> pads;
    std::vector<LinkFace> faces;
    const auto desk_case = collision::Shape::from_polygons(
        box_mesh(collision::cast<float>(Vec3d{kDeskHalfX, kDeskHalfY, kDeskCase / 2})), "case");
    if (!desk_case.ok()) return desk_case.error();
    wall_shape_ = {desk_case.value()};
    for (const DeskControl& control : desk_controls()) {
        const auto shape = desk_cap_shape(control.kind);
        if (!shape.ok()) return shape.error();
        const auto body = world.add_body({shape.value(), desk_face(control), kCapGroup, false, cap_.size()});
        if (!body.ok()) return body.error();
        cap_.push_back(body.value());
        wall_shape_.push_back(shape.value());
        pads.push_back(desk_pad(control.kind));
        faces.push_back({desk_face(control), pads.back(), cap_.back()});
    }
    board_ = PressBoard(pads, kFingerCount);
    states_.resize(pads.size());
    drag_.resize(pads.size());
    panel_.follow(world.settings(), parameters_, collision::default_values(program_parameters()));
    show(0);
    return link_.build(world, std::move(faces));
}

void ButtonScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    rules_.fire_at = parameters[kFireAt] / 100;
    rules_.release_at = parameters[kReleaseAt] / 100;
    rules_.rearm = parameters[kRearm] / 1000;
    rules_.plain = parameters.on(kRule);
    link_.configure(parameters.on(kFingers), rules_.plain);
}

void ButtonScene::move_caps(collision::World& world) {
    for (std::uint32_t i = 0; i < cap_.size(); ++i) {
        Pose pose = desk_face(desk_controls()[i]);
        // With the plain rule, a cap that sinks would separate from its finger.
        const double travel = rules_.plain ? 0 : board_.travel(i);
        pose.translation += collision::rotate(pose.rotation, {0, 0, -travel});
        [[maybe_unused]] const Status moved = world.move(cap_[i], pose);
        CLAYBOX_ASSERT(moved.ok());
    }
}

/// Keeps the drawn hands out of the case and of the caps at their current depth.
void ButtonScene::stop_hands() {
    walls_.clear();
    walls_.push_back({wall_shape_[0].get(), world_from_desk() * Pose{{}, {0, 0, -kDeskCase / 2}}});
    for (std::uint32_t i = 0; i < cap_.size(); ++i) {
        const Pose face = desk_face(desk_controls()[i]);
        walls_.push_back({wall_shape_[i + 1].get(), face * Pose{{}, {0, 0, -states_[i].travel}}});
    }
    for (const std::size_t hand : {0, 1}) hands_.stop_at(hand, walls_);
}

/// Current position of the finger on the control, for fingers without a path, such as one that has just
/// appeared.
FacePoint ButtonScene::under_finger(const PressEvent& press) const {
    const auto tip = link_.tip(press.finger);
    if (!tip) return drag_[press.button];
    const Pose face = desk_face(desk_controls()[press.button]);
    const Vec3d at = collision::rotate(collision::conjugate(face.rotation), *tip - face.translation);
    return {at.x, at.y};
}

/// Handles the press events since the last call, and the drags of `moves`.
void ButtonScene::handle_presses(std::span<const FingerMove> moves, StepOutput& output) {
    for (; handled_ < presses_.size(); ++handled_) {
        const PressEvent press = presses_[handled_];
        FacePoint at = press.kind == PressKind::touched ? under_finger(press) : drag_[press.button];
        for (const FingerMove& move : moves) {
            if (move.finger != press.finger || move.button != press.button) continue;
            const double share = (press.time - move.time_from) / (move.time_to - move.time_from);
            const Vec3d p = move.from + (move.to - move.from) * std::clamp(share, 0.0, 1.0);
            at = {p.x, p.y};
        }
        handle_press(press, at, output);
    }
    for (const FingerMove& move : moves) {
        if (board_.holder(move.button) != move.finger) continue;
        const FacePoint to{move.to.x, move.to.y};
        panel_.drag(move.button, drag_[move.button], to, move.time_to, output.commands);
        drag_[move.button] = to;
    }
}

void ButtonScene::handle_press(const PressEvent& press, const FacePoint& at, StepOutput& output) {
    const DeskControl& control = desk_controls()[press.button];
    const bool drags = !desk_pad(control.kind).fires;
    ++counts_[static_cast<std::size_t>(press.kind)];
    if (press.kind == PressKind::touched) {
        drag_[press.button] = at;
        if (drags) dragged_ = press.button;
        panel_.touch(press.button, at, press.time, output.commands);
    } else if (press.kind == PressKind::fired) {
        panel_.press(press.button, press.time, output.commands);
    } else if (drags) {
        if (press.kind == PressKind::lost) {
            panel_.lose(press.button);
        } else {
            panel_.drag(press.button, drag_[press.button], at, press.time, output.commands);
            panel_.leave(press.button, press.time, output.commands);
        }
        if (dragged_ == press.button) dragged_ = kNoIndex;
        if (press.kind == PressKind::left_early) {
            --counts_[static_cast<std::size_t>(press.kind)];
            return;  // releasing a slider is not an early leave
        }
    }
    output.events.push_back(event_of(press, frame_, control.title));
}

/// A pinch over the dial turns it by the rotation of the hand about the axis of the dial.
void ButtonScene::twist_dial(const StepInput& input, std::vector<Command>& out) {
    const Pose face = desk_face(desk_controls()[desk_control(DeskRole::workers)]);
    const collision::Quat to_face = collision::conjugate(face.rotation);
    bool twists = false;
    for (std::size_t h = 0; h < input.hand.size(); ++h) {
        const HandInput& hand = input.hand[h];
        std::optional<double>& from = twist_from_[h];
        const Vec3d tip = collision::rotate(to_face, tip_of(hand, 1) - face.translation);
        const bool near =
            collision::hypotenuse(tip.x, tip.y) < kTwistReach && tip.z < kTwistHeight && tip.z > 0;
        const bool closed = hand.pinch > (from ? kOpened : kPinched);
        if (!hand.present || hand.held || !near || !closed) {
            from.reset();
            continue;
        }
        const Vec3d across = collision::rotate(to_face, collision::rotate(hand.part[0].rotation, {1, 0, 0}));
        const double angle = collision::arc_tangent(across.y, across.x);
        const double turned = from ? std::remainder(*from - angle, 2 * collision::kPi) : 0;
        from = angle;
        twists = true;
        panel_.twist(turned, out);
    }
    if (!twists) panel_.end_twist();
}

double ButtonScene::glow(std::uint32_t control) const {
    const Pose face = desk_face(desk_controls()[control]);
    const PressPad pad = desk_pad(desk_controls()[control].kind);
    const collision::Quat to_face = collision::conjugate(face.rotation);
    double nearest = 1e30;
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        const auto tip = link_.tip(f);
        if (!tip) continue;
        const Vec3d at = collision::rotate(to_face, *tip - face.translation);
        if (at.z > 0)
            nearest = std::min(nearest, distance_to_face(at, link_.radius(f), pad.half_x, pad.half_y));
    }
    return hover_glow(nearest);
}

void ButtonScene::show(double dt) {
    board_.settle(dt, rules_);
    panel_.settle(dt);
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        DeskState& state = states_[i];
        state.travel = board_.travel(i);
        state.pressed =
            board_.pressed(i) || (board_.holder(i) != kNoIndex && !desk_pad(desk_controls()[i].kind).fires);
        state.glow = glow(i);
        panel_.show(i, link_.time(), state);
        deepest_ = std::max(deepest_, state.travel);
    }
    trail_.add(board_, [](std::uint32_t i) { return desk_pad(desk_controls()[i].kind).fires; });
}

std::optional<PressCurve> ButtonScene::press_curve() const {
    const bool touched = trail_.button() < board_.size();
    return PressCurve{touched ? desk_controls()[trail_.button()].title : "no button yet",
                      trail_.depths(),
                      kStepSeconds,
                      rules_.travel,
                      rules_.fire_at * rules_.travel,
                      rules_.release_at * rules_.travel};
}

void ButtonScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    frame_ = input.frame;
    panel_.follow(world.settings(), parameters_, input.program);
    presses_.clear();
    handled_ = 0;
    link_.before_publish(world, input, board_, presses_);
    move_caps(world);
    [[maybe_unused]] const Status followed = hands_.update(world, input);
    CLAYBOX_ASSERT(followed.ok());
    world.publish(input.frame);
    world.check();
    world.poll_events(batch_);
    link_.after_poll(batch_, board_, rules_, presses_,
                     [&](std::span<const FingerMove> moves) { handle_presses(moves, output); });
    handle_presses({}, output);
    twist_dial(input, output.commands);
    show(input.dt);
    stop_hands();
}

std::optional<HandAim> ButtonScene::hand_aim(const Vec3d& origin, const Vec3d& direction) const {
    const Pose desk = world_from_desk();
    const collision::Quat to_desk = collision::conjugate(desk.rotation);
    const DeskRay ray{collision::rotate(to_desk, origin - desk.translation),
                      collision::rotate(to_desk, direction)};
    // A dragged control keeps the finger, wherever the pointer moves.
    const std::uint32_t aimed = dragged_ != kNoIndex ? dragged_ : desk_control_at(ray);
    const double height = desk_height(aimed == kNoIndex ? DeskKind::key : desk_controls()[aimed].kind);
    if (!(ray.direction.z < -1e-6) || ray.origin.z < height) return std::nullopt;
    Vec3d at = ray.origin + ray.direction * ((height - ray.origin.z) / ray.direction.z);
    if (aimed != kNoIndex) {
        const DeskControl& control = desk_controls()[aimed];
        const PressPad pad = desk_pad(control.kind);
        const double inset = pad.fires ? kKeyInset : kDragInset;
        const double free_x = std::max(0.0, pad.half_x - inset), free_y = std::max(0.0, pad.half_y - inset);
        at.x = std::clamp(at.x, control.x - free_x, control.x + free_x);
        at.y = std::clamp(at.y, control.y - free_y, control.y + free_y);
    }
    at.z += kTipRadius;
    return HandAim{desk.translation + collision::rotate(desk.rotation, at),
                   collision::rotate(desk.rotation, {0, 0, -1})};
}

std::vector<Figure> ButtonScene::figures() const {
    double travel = 0;
    for (std::uint32_t i = 0; i < board_.size(); ++i) travel = std::max(travel, board_.travel(i));
    const auto count = [&](PressKind kind) {
        return static_cast<double>(counts_[static_cast<std::size_t>(kind)]);
    };
    return {{"presses", "Presses", count(PressKind::fired)},
            {"releases", "Releases", count(PressKind::released)},
            {"left_early", "Cancelled presses", count(PressKind::left_early)},
            {"lost", "Tracking losses", count(PressKind::lost)},
            {"travel", "Travel now", travel * 1e3, "mm", 1},
            {"deepest", "Deepest travel", deepest_ * 1e3, "mm", 1}};
}

void ButtonScene::meshes(std::vector<ViewMesh>& out) const {
    decor_.append_meshes(out);
    hands_.append_meshes(out);
}

void ButtonScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    decor_.view(states_, {panel_.heading(DeskRole::scene_parameter), panel_.heading(DeskRole::setting)}, out);
    std::bitset<kTwoHands> active;
    for (std::uint32_t b = 0; b < board_.size(); ++b) {
        const std::uint32_t f = board_.holder(b);
        if (f != kNoIndex) active[f / kFingersOfHand * kHandParts + tip_part(f)] = true;
    }
    hands_.view(active, options.newest_hands, out, options.ghosts);
    if (!options.bounds) return;
    for (const DeskControl& control : desk_controls()) {
        const PressPad pad = desk_pad(control.kind);
        Aabb box;
        box.add(collision::cast<float>(Vec3d{-pad.half_x, -pad.half_y, -0.001}));
        box.add(collision::cast<float>(Vec3d{pad.half_x, pad.half_y, 0.001}));
        view_box(collision::transform_aabb(collision::to_matrix(desk_face(control)), box), Ink::bounds, out);
    }
}

std::string ButtonScene::describe_pick(std::uint32_t pick) const {
    if (pick >= states_.size()) return {};
    return desk_controls()[pick].title + (states_[pick].pressed ? ": pressed" : ": up");
}

}  // namespace

const SceneDescriptor& describe_buttons() {
    static const SceneDescriptor descriptor{
        "buttons",
        "Buttons",
        "A desk that controls the program: keys, switches, sliders, a dial, and wheels that choose scene, "
        "algorithm and broad phase.",
        kParameters,
        0,
        {},
        true,
        &make_scene<ButtonScene>};
    return descriptor;
}

}  // namespace claybox::app
