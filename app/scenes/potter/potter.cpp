// A hand dents a pot on a wheel. The pot is one deformable body, a hand has sixteen convex ones. Every
// polygon of the pot that the module reports as hit is pushed in along its normal, and the clay around it
// follows.

#include "app/potter/clay.hpp"
#include "app/potter/clay_shapes.hpp"
#include "app/potter/touched_polygons.hpp"
#include "app/potter/walls/wall_thickness.hpp"
#include "app/scenes/potter/brush_marks.hpp"
#include "app/scenes/potter/dimensions.hpp"
#include "app/scenes/potter/pot_hold.hpp"
#include "app/scenes/potter/potter_decor.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/recent_frames.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::Event;
using collision::EventKind;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum PotterParameter : std::size_t {
    kShape,
    kFaces,
    kPolygons,
    kTool,
    kToolSize,
    kEffect,
    kRadius,
    kStrength,
    kKeepVolume,
    kSpeed,
    kSpinTouched,
    kFinish,
    kWire,
    kThinWalls,
    kMinWall,
    kHands
};
enum PotterAction : std::uint32_t { kReset, kUndo, kRedo };
enum PotterGroup : unsigned { kClayGroup, kHandGroup, kTipGroup };

constexpr const char* kFinishes[] = {"dry", "wet", "glazed"};
/// Bit 0: the left hand carries the pot; bit 1: the right hand.
constexpr const char* kHandChoices[] = {"shape", "left_carries", "right_carries", "both_carry"};
constexpr const char* kTools[] = {"whole_hand", "index_finger", "fingertips", "one_fingertip", "ball"};
constexpr float kWetness[] = {0, 1, 1.6f};

const Parameter kParameters[] = {
    {"shape", "Start shape", ParameterKind::choice, 0, 0, kClayShapeCount - 1, "", "ours: a half-raised pot",
     "Shape of the clay at the start.", false, kClayShapeIds},
    {"faces", "Faces", ParameterKind::choice, 0, 0, 1, "", "Zachmann, thesis, chapter 8: quadrangles",
     "Polygons of the start shape. The flake always has triangles.", false, kClayFacesIds},
    {"polygons", "Polygons", ParameterKind::integer, 80000, 10, 1000000, "",
     "ours: finger marks look smooth and a pass stays short",
     "Approximate number of polygons of the clay. Pot, bowl and vase have at least 500.", true},
    {"tool", "Tool", ParameterKind::choice, 0, 0, 4, "", "Zachmann, thesis, chapter 8; the ball is ours",
     "What touches the clay: all 16 parts of the hand, the 3 of the index finger, the 5 fingertips, the tip "
     "of "
     "the index finger, or a ball on it. Other parts of the hand are drawn faintly and touch nothing.",
     false, kTools},
    {"tool_size", "Ball diameter", ParameterKind::real, 24, 8, 80, "mm", "ours: two fingers wide",
     "Only with the tool Ball. The clay around the ball follows up to its diameter, or up to Radius if that "
     "is "
     "larger."},
    {"effect", "Effect", ParameterKind::choice, 0, 0, 7, "", "ours; drag and facets: Zachmann, thesis, 8.1",
     "What a touch does. Push: the clay yields out of the finger. Drag: it moves with the finger. Inflate, "
     "deflate, "
     "smooth, flatten and pinch act within the radius. Facets: touched polygons move by a fixed step against "
     "their "
     "normals, and the angles between polygons stay in 160 to 200 degrees, as in the thesis.",
     false, kClayEffectIds},
    {"radius", "Radius", ParameterKind::real, 30, 5, 80, "mm", "ours: two fingers wide",
     "How far the clay around a touch follows."},
    {"strength", "Strength", ParameterKind::real, 55, 1, 100, "%", "ours: yields within a few frames",
     "Share of the finger's depth by which the clay yields per frame."},
    {"keep_volume", "Keep volume", ParameterKind::toggle, 0, 0, 1, "",
     "Zachmann, thesis, 8.1: proposed, off by default",
     "The clay around a push swells by what the push displaces."},
    {"speed", "Wheel speed", ParameterKind::real, 40, -100, 100, "%",
     "ours: full speed is one turn per second", "Speed of the wheel. Negative values turn it the other way."},
    {"spin_only_touched", "Spin only while touched", ParameterKind::toggle, 1, 0, 1, "",
     "ours: easier to aim, calmer to look at", "The wheel turns only while a finger touches the clay."},
    {"finish", "Finish", ParameterKind::choice, 1, 0, 2, "", "ours: clay is wet while it is shaped",
     "Dry clay is dull, wet clay has shiny patches, glazed clay shines like glass. Changes only the look.",
     false, kFinishes},
    {"wire", "Wire", ParameterKind::toggle, 0, 0, 1, "", "ours", "Shows the polygons of the clay."},
    {"thin_walls", "Thin walls", ParameterKind::toggle, 0, 0, 1, "", "ours",
     "Walls thinner than the limit turn amber, walls thinner than half of it crimson, both hatched."},
    {"min_wall", "Wall limit", ParameterKind::real, 3, 0.5, 15, "mm", "ours: thinner walls tear easily",
     "Limit for Thin walls. Walls of 20 mm and more count as 20 mm."},
    {"hands", "Hands", ParameterKind::choice, 0, 0, 3, "", "ours: shaping comes first",
     "A hand that carries does not dent the clay. It takes the pot with a pinch or in its palm, and the "
     "other hand can shape it. When released, the pot returns to the wheel.",
     false, kHandChoices},
};
constexpr std::uint32_t kRebuild = 1u << kShape | 1u << kPolygons | 1u << kFaces;
constexpr const char* kActions[] = {"Reset", "Undo", "Redo"};

constexpr double kTurnsPerSecond = 1;  // at full speed
constexpr std::uint64_t kClayMesh = 1, kDecorMeshes = 2, kHandMeshes = 1000;
constexpr std::size_t kProfileBins = 64;
constexpr std::uint32_t kBallPolygons = 300;

/// Hand from the right with its back to the viewer and the fingers towards the clay. kTipFromWrist is the
/// place of the fingertip in the wrist frame at these curls (from the hand model; a test compares them).
constexpr std::array<float, 5> kCurl{0.16f, 0.09f, 0.62f, 0.70f, 0.76f};
constexpr Vec3d kTipFromWrist{-0.03140, -0.02639, -0.16774};

HandKey hand_at(std::uint64_t frame, const Vec3d& tip) {
    const collision::Quat rotation = looking({-0.63, 0.62, -0.47}, {0.30, 0.40, 0.86});
    return {frame, {rotation, tip - collision::rotate(rotation, kTipFromWrist)}, kCurl};
}

/// Curls for a pinch of the script. The open hand is half closed already, so little moves when it closes.
/// kPinchFromWrist is the place where the tips touch, in the wrist frame (from the hand model; a test
/// compares them).
constexpr std::array<float, 5> kOpenCurl{0.20f, 0.42f, 0.62f, 0.70f, 0.76f},
    kPinchCurl{0.35f, 0.57f, 0.62f, 0.70f, 0.76f};
constexpr Vec3d kPinchFromWrist{-0.03571, -0.06059, -0.09579};
/// Curls of the open hand of a mouse: the tip stays at the pointer while the hand closes.
constexpr std::array<float, 5> kReadyCurl{0.0f, 0.10f, 0.62f, 0.70f, 0.76f};

/// Hand from above and in front of the pot, tilted by `lean`, with the pinch point at `at`.
HandKey pinch_at(std::uint64_t frame, const Vec3d& at, const std::array<float, 5>& curl, double lean = 0) {
    const collision::Quat rotation = looking({-0.05 - lean, -0.72, -0.69}, {-lean, 0.69, -0.72});
    return {frame, {rotation, at - collision::rotate(rotation, kPinchFromWrist)}, curl};
}

/// Takes the pot by its rim, lifts and turns it, and releases it next to the wheel.
std::span<const HandKey> carry_script() {
    constexpr Vec3d kRim{0.0665, 0.152, 0}, kUp{0.050, 0.205, 0.030}, kBeside{0.120, 0.190, 0.060};
    static const HandKey keys[] = {pinch_at(1, kRim + Vec3d{0.06, 0.12, 0.08}, kOpenCurl),
                                   pinch_at(50, kRim + Vec3d{0, 0.03, 0}, kOpenCurl),
                                   pinch_at(70, kRim, kOpenCurl),
                                   pinch_at(85, kRim, kPinchCurl),
                                   pinch_at(130, kUp, kPinchCurl, 0.35),
                                   pinch_at(180, kBeside, kPinchCurl),
                                   pinch_at(200, kBeside, kPinchCurl),
                                   pinch_at(215, kBeside, kOpenCurl),
                                   pinch_at(280, kBeside + Vec3d{0.06, 0.06, 0.10}, kOpenCurl)};
    return keys;
}

/// Approaches, presses into the belly, strokes upwards while pressing, releases and leaves.
std::span<const HandKey> dent_script() {
    static const HandKey keys[] = {hand_at(1, {0.085, 0.075, 0.190}),   hand_at(50, {0.040, 0.078, 0.098}),
                                   hand_at(100, {0.036, 0.080, 0.079}), hand_at(190, {0.032, 0.112, 0.0735}),
                                   hand_at(230, {0.055, 0.120, 0.130}), hand_at(280, {0.110, 0.120, 0.200})};
    return keys;
}

/// Poses of the clay and the hands in one frame; events of that frame are answered with them.
struct Moment {
    Pose clay;
    std::array<HandInput, 2> hand;
};

struct PartTouch {
    bool touching = false, fresh = false;
    std::uint64_t frame = 0;  ///< of the newest unanswered event; 0 for none
    std::vector<std::uint32_t> polygons;
    std::vector<Vec3d> points;  ///< clay frame
};

class PotterScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override;
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override { return potter_camera(); }
    ViewLight light() const override { return potter_light(); }
    Aabb hand_region() const override { return {{-0.22f, 0.004f, -0.20f}, {0.24f, 0.28f, 0.30f}}; }
    HandKey hand_rest() const override;
    std::optional<HandAim> hand_aim(const Vec3d& origin, const Vec3d& direction) const override;
    double hand_reach() const override { return carries(0) ? 0.025 : 0.010; }
    bool hand_pinches() const override { return carries(0); }
    bool hand_holds() const override { return hold_.held_by(0); }
    std::vector<Figure> figures() const override;
    std::span<const HandKey> script() const override { return carries(0) ? carry_script() : dent_script(); }
    ExportMesh export_mesh() const override { return {&clay_->topology(), &clay_->positions()}; }
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    bool carries(std::size_t hand) const {
        return (static_cast<unsigned>(parameters_.integer(kHands)) >> (1 - hand) & 1u) != 0;
    }
    HandTool tool() const;
    double ball_radius() const { return parameters_[kToolSize] * 0.5e-3; }
    bool is_ball(std::size_t part) const {
        return static_cast<int>(part) == kIndexTip && hands_.tool().object != nullptr;
    }
    Vec3d contact_motion(const PartTouch& touch, std::uint32_t part, const Moment& moment) const;
    ClayTouch clay_touch(const PartTouch& touch, std::uint32_t part, const Moment& moment) const;
    ClayBrush brush() const;
    void take_event(const Event& e, std::span<const collision::Hit> hits);
    void add_hit(const collision::Hit& hit, bool clay_is_b, const Pose& clay, PartTouch& touch) const;
    void deform(collision::World& world, std::uint64_t frame, StepOutput& output);
    void act(collision::World& world, const StepInput& input);
    void send(collision::World& world, std::span<const collision::VertexChange> changes);
    void turn(const StepInput& input);
    void carry(std::uint64_t pass, const StepInput& input, StepOutput& output);
    void wake_hands(std::uint64_t pass);
    std::size_t rays(bool shaped) const;
    PotDimensions dimensions() const;
    bool touches(std::size_t hand) const;
    std::size_t touching() const;
    const ClayMeasures& measures() const;
    void measure_profile();
    void view_tool(const ViewOptions& options, const Pose& clay, SceneView& out) const;

    ParameterValues parameters_;
    std::unique_ptr<Clay> clay_;
    std::unique_ptr<WallThickness> walls_;  ///< of clay_
    BodyId body_;
    HandBodies hands_{kHandGroup, kTipGroup, kHandMeshes};
    PotterDecor decor_{kDecorMeshes};
    double angle_ = 0;  ///< of the wheel, radians
    PotHold hold_;
    RecentFrames<Moment> history_;
    std::array<PartTouch, kTwoHands> touch_;
    /// Some hands must not dent: a hand that carries, a hand that the returning pot touches, and a hand in
    /// the clay after undo or reset, which would dent it again at once. Such a hand rests until this pass or
    /// a later one finds it outside the clay. 0: the hand works.
    std::array<std::uint64_t, 2> rests_until_{};
    collision::EventBatch batch_;
    double volume_before_ = 0;
    /// Outer radius by height of the start shape, for the hovering hand.
    std::array<float, kProfileBins> profile_{};
    float height_ = 0;
    std::optional<BrushMark> mark_;  ///< push of the last frame, clay frame
    mutable ClayMeasures measures_;
    mutable std::uint64_t measured_version_ = 0;
};

HandTool PotterScene::tool() const {
    const auto only = [](unsigned parts) { return HandTool{std::bitset<kHandParts>(parts), nullptr}; };
    switch (parameters_.integer(kTool)) {
        case 1:
            return only(0b111u << 4);
        case 2:
            return only(0b1001'0010'0100'1000u);
        case 3:
            return only(1u << kIndexTip);
        case 4: {
            HandTool ball = only(1u << kIndexTip);
            ball.object = collision::make_primitive_shape(collision::Primitive::uv_sphere, kBallPolygons,
                                                          static_cast<float>(ball_radius()), 1)
                              .value();
            return ball;
        }
        default:
            return {};
    }
}

void PotterScene::set_parameters(const ParameterValues& parameters) {
    const bool other_tool =
        parameters[kTool] != parameters_[kTool] ||
        (parameters.integer(kTool) == 4 && parameters[kToolSize] != parameters_[kToolSize]);
    parameters_ = parameters;
    if (other_tool) hands_.use(tool());
}

Status PotterScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t) {
    parameters_ = parameters;
    hands_.use(tool());
    const auto shape_choice = static_cast<ClayShape>(parameters.integer(kShape));
    auto shape = collision::Shape::from_polygons(
        make_clay(shape_choice, static_cast<std::uint32_t>(parameters.integer(kPolygons)),
                  static_cast<ClayFaces>(parameters.integer(kFaces))),
        "clay");
    if (!shape.ok()) return shape.error();
    clay_ = std::make_unique<Clay>(shape.value());
    walls_ =
        std::make_unique<WallThickness>(clay_->topology(), clay_->positions(), clay_->surface().normals());
    volume_before_ = measures().volume;
    measure_profile();
    for (const unsigned a : {kHandGroup, kTipGroup}) {
        for (const unsigned b : {kHandGroup, kTipGroup})
            world.set_interest(a, b, {false, collision::kWantVerdict, 0});
        world.set_interest(kClayGroup, a, {true, collision::kWantAllHits, 0});
    }
    auto id = world.add_body({shape.value(), hold_.pose(), kClayGroup, true, 0});
    if (!id.ok()) return id.error();
    body_ = id.value();
    return Done{};
}

void PotterScene::measure_profile() {
    height_ = static_cast<float>(measures().height);
    for (const Vec3f& p : clay_->positions()) {
        const float t = std::clamp(p.y / height_, 0.0f, 1.0f) * (kProfileBins - 1);
        const float r = std::sqrt(p.x * p.x + p.z * p.z);
        for (const float bin : {std::floor(t), std::ceil(t)}) {
            float& widest = profile_[static_cast<std::size_t>(bin)];
            widest = std::max(widest, r);
        }
    }
    for (std::size_t i = 1; i < kProfileBins; ++i) {  // a coarse mesh leaves bins without a vertex
        if (profile_[i] == 0) profile_[i] = profile_[i - 1];
    }
}

HandKey PotterScene::hand_rest() const {
    HandKey rest = hand_at(0, {0.125, 0.105, 0.170});
    if (carries(0)) rest.curl = kReadyCurl;
    return rest;
}

std::optional<HandAim> PotterScene::hand_aim(const Vec3d& from, const Vec3d& along) const {
    // In the frame of the pot. The rotation of the wheel does not change the profile.
    const Pose pot = hold_.on_wheel() ? Pose{} : hold_.pose();
    const collision::Quat to_pot = collision::conjugate(pot.rotation);
    const Vec3d origin = collision::rotate(to_pot, from - pot.translation),
                direction = collision::rotate(to_pot, along);
    const auto aim = [&](double t) { return HandAim{from + along * t, along}; };
    constexpr double kStep = 0.001, kFar = 3, kFingertip = 0.0076;  // radius of the fingertip's ball
    // Point of the ray nearest to the axis: depth of a hand next to the clay, and middle of the search.
    const double flat = direction.x * direction.x + direction.z * direction.z;
    if (!(flat > 1e-9)) return std::nullopt;
    const double axis = -(origin.x * direction.x + origin.z * direction.z) / flat;
    if (!(axis > 0 && axis < kFar)) return std::nullopt;
    for (double t = std::max(0.0, axis - 0.3); t < axis + 0.3; t += kStep) {
        const Vec3d p = origin + direction * t;
        if (p.y < 0 || p.y > static_cast<double>(height_)) continue;
        const auto bin = static_cast<std::size_t>(p.y / static_cast<double>(height_) * (kProfileBins - 1));
        if (std::hypot(p.x, p.z) < static_cast<double>(profile_[bin]) + kFingertip) return aim(t);
    }
    return aim(axis);
}

void PotterScene::add_hit(const collision::Hit& hit, bool clay_is_b, const Pose& clay,
                          PartTouch& touch) const {
    const Vec3d offset = collision::cast<double>(hit.point_w) - clay.translation;
    touch.points.push_back(collision::rotate(collision::conjugate(clay.rotation), offset));
    add_touched_polygons(clay_->topology(), hit, clay_is_b, touch.polygons);
}

void PotterScene::take_event(const Event& e, std::span<const collision::Hit> hits) {
    const bool clay_is_b = e.b == body_;
    const auto part = hands_.find(clay_is_b ? e.a : e.b);
    if (!part || (!clay_is_b && e.a != body_)) return;
    PartTouch& touch = touch_[*part];
    touch.touching = e.kind != EventKind::end;
    touch.polygons.clear();
    touch.points.clear();
    touch.frame = 0;
    const std::uint64_t clay_frame = clay_is_b ? e.frame_b : e.frame_a;
    const Moment* moment = history_.at(clay_frame);
    if (!touch.touching || moment == nullptr) return;
    touch.fresh = touch.fresh || e.kind == EventKind::begin;
    touch.frame = clay_is_b ? e.frame_a : e.frame_b;
    for (const collision::Hit& hit : hits) add_hit(hit, clay_is_b, moment->clay, touch);
    make_unique(touch.polygons);
}

/// Path of the contact point since the last frame as the clay sees it: it moves with the part and the clay
/// under it.
Vec3d PotterScene::contact_motion(const PartTouch& touch, std::uint32_t part, const Moment& moment) const {
    const Moment* before = touch.frame > 0 ? history_.at(touch.frame - 1) : nullptr;
    const std::size_t hand = part / kHandParts, k = part % kHandParts;
    if (before == nullptr || !before->hand[hand].present || touch.points.empty()) return {};
    Vec3d at;  // clay frame
    for (const Vec3d& p : touch.points) at += p / static_cast<double>(touch.points.size());
    const Pose &now = moment.hand[hand].part[k], &then = before->hand[hand].part[k];
    const Vec3d in_world = moment.clay.translation + collision::rotate(moment.clay.rotation, at);
    const Vec3d in_part = collision::rotate(collision::conjugate(now.rotation), in_world - now.translation);
    const Vec3d world_then = then.translation + collision::rotate(then.rotation, in_part);
    return at - collision::rotate(collision::conjugate(before->clay.rotation),
                                  world_then - before->clay.translation);
}

ClayTouch PotterScene::clay_touch(const PartTouch& touch, std::uint32_t part, const Moment& moment) const {
    const HandInput& hand = moment.hand[part / kHandParts];
    const std::size_t k = part % kHandParts;
    const collision::Quat to_clay = collision::conjugate(moment.clay.rotation);
    const Vec3d from = hand.part[k].translation - moment.clay.translation;
    const Vec3d end =
        from + collision::rotate(hand.part[k].rotation, {0, 0, -static_cast<double>(hand.length[k])});
    ClayTouch out{collision::rotate(to_clay, is_ball(k) ? end : from),
                  collision::rotate(to_clay, end),
                  is_ball(k) ? ball_radius() : static_cast<double>(hand.radius[k]),
                  touch.polygons,
                  touch.points,
                  {},
                  part,
                  touch.fresh};
    if (brush().effect == ClayEffect::drag) out.motion = contact_motion(touch, part, moment);
    return out;
}

/// The vicinity grows with the tool, as the thesis proposes.
ClayBrush PotterScene::brush() const {
    const double radius = parameters_[kRadius] * 1e-3;
    return {hands_.tool().object ? std::max(radius, 2 * ball_radius()) : radius, parameters_[kStrength] / 100,
            static_cast<ClayEffect>(parameters_.integer(kEffect)), parameters_.on(kKeepVolume)};
}

void PotterScene::deform(collision::World& world, std::uint64_t frame, StepOutput& output) {
    std::array<ClayTouch, kTwoHands> touches;
    std::size_t count = 0;
    for (std::uint32_t p = 0; p < kTwoHands; ++p) {
        const PartTouch& touch = touch_[p];
        const Moment* moment = history_.at(touch.frame);
        if (moment == nullptr || touch.polygons.empty() || rests_until_[p / kHandParts] != 0) continue;
        touches[count++] = clay_touch(touch, p, *moment);
    }
    const std::size_t strokes = clay_->stroke_count();
    const auto changes = clay_->push({touches.data(), count}, brush(), frame);
    send(world, changes);
    mark_.reset();
    if (!changes.empty()) mark_ = {clay_->last_push().centre, clay_->last_push().along};
    if (clay_->stroke_count() > strokes) {
        output.events.push_back({SceneEvent::Kind::dented, frame,
                                 "Stroke " + std::to_string(clay_->stroke_count()),
                                 side_of_hand(clay_->last_push().part / kHandParts)});
    }
    for (PartTouch& touch : touch_) {
        touch.frame = 0;
        touch.fresh = false;
    }
}

void PotterScene::send(collision::World& world, std::span<const collision::VertexChange> changes) {
    if (changes.empty()) return;
    walls_->note(changes);
    [[maybe_unused]] const Status sent = world.deform(body_, changes);
    CLAYBOX_ASSERT(sent.ok());
}

void PotterScene::act(collision::World& world, const StepInput& input) {
    for (const std::uint32_t action : input.actions) {
        if (action == kReset) {
            send(world, clay_->reset());
            hold_.put_back();
        }
        if (action == kUndo) send(world, clay_->undo());
        if (action == kRedo) send(world, clay_->redo());
    }
    // A pass with the old clay may still be running.
    if (!input.actions.empty()) rests_until_.fill(world.polled_pass() + 2);
}

bool PotterScene::touches(std::size_t hand) const {
    const auto first = touch_.begin() + static_cast<std::ptrdiff_t>(hand * kHandParts);
    return std::any_of(first, first + kHandParts, [](const PartTouch& t) { return t.touching; });
}

void PotterScene::wake_hands(std::uint64_t pass) {
    for (std::size_t h = 0; h < rests_until_.size(); ++h) {
        if (pass >= rests_until_[h] && !touches(h)) rests_until_[h] = 0;
    }
}

std::size_t PotterScene::touching() const {
    return static_cast<std::size_t>(
        std::count_if(touch_.begin(), touch_.end(), [](const PartTouch& t) { return t.touching; }));
}

void PotterScene::turn(const StepInput& input) {
    const bool shaped = (touches(0) && !carries(0)) || (touches(1) && !carries(1));
    if (!hold_.on_wheel() || (parameters_.on(kSpinTouched) && !shaped)) return;
    const double turns = parameters_[kSpeed] / 100 * kTurnsPerSecond * input.dt;
    angle_ = std::remainder(angle_ + turns * 2 * std::numbers::pi, 2 * std::numbers::pi);
}

void PotterScene::carry(std::uint64_t pass, const StepInput& input, StepOutput& output) {
    const Pose on_wheel{collision::axis_angle({0, 1, 0}, angle_), {}};
    hold_.update(input, {carries(0), carries(1)}, hands_, clay_->surface(), on_wheel, output);
    for (std::size_t h = 0; h < rests_until_.size(); ++h)
        if (carries(h) || hold_.returning()) rests_until_[h] = pass + 2;
}

void PotterScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    world.poll_events(batch_);
    for (const Event& e : batch_.events) {
        take_event(e, std::span(batch_.hits).subspan(e.first_hit, e.hit_count));
    }
    for (std::size_t p = 0; p < kTwoHands; ++p) {
        if (!hands_.present(p / kHandParts)) touch_[p] = {};
    }
    wake_hands(world.polled_pass());
    deform(world, input.frame, output);
    act(world, input);
    walls_->measure(rays(touching() > 0));
    turn(input);
    carry(world.polled_pass(), input, output);
    [[maybe_unused]] const Status moved = world.move(body_, hold_.pose());
    [[maybe_unused]] const Status followed = hands_.update(world, input);
    CLAYBOX_ASSERT(moved.ok() && followed.ok());
    for (std::size_t hand = 0; hand < 2; ++hand)
        hands_.stop_at(hand, hold_.held_by(hand) ? std::span<const HandWall>() : decor_.walls());
    history_.set(input.frame, {hold_.pose(), input.hand});
    world.publish(input.frame);
    world.check();
}

/// Rays of this frame that measure walls. A hand that shapes needs the time; nobody reads the figure then.
std::size_t PotterScene::rays(bool shaped) const {
    constexpr std::size_t kIdle = 600, kColoured = 500;
    if (!shaped) return kIdle;
    return parameters_.on(kThinWalls) ? kColoured : 0;
}

PotDimensions PotterScene::dimensions() const {
    const ClayMeasures& m = measures();
    PotDimensions out{m.height, m.widest, m.mouth, m.volume, {}};
    if (walls_->is_known()) out.wall = static_cast<double>(walls_->thinnest().thickness);
    return out;
}

const ClayMeasures& PotterScene::measures() const {
    if (measured_version_ != clay_->version()) measures_ = clay_->measure();
    measured_version_ = clay_->version();
    return measures_;
}

std::vector<Figure> PotterScene::figures() const {
    const ClayMeasures& m = measures();
    const double count = clay_->topology().polygon_count();
    return {
        {"volume_before", "Volume before", volume_before_ * 1e6, "cm³", 2},
        {"volume_after", "Volume now", m.volume * 1e6, "cm³", 2},
        {"polygons", "Polygons", count},
        {"polygons_moved", "Polygons moved", static_cast<double>(m.polygons_moved)},
        {"height", "Height", m.height * 1e3, "mm", 1},
        {"widest", "Largest diameter", m.widest * 1e3, "mm", 1},
        {"mouth", "Mouth", m.mouth * 1e3, "mm", 1},
        {"thinnest_wall", "Thinnest wall", static_cast<double>(walls_->thinnest().thickness) * 1e3, "mm", 1},
        {"tool_objects", "Objects of the tool", static_cast<double>(hands_.tool().parts.count())},
        {"touching", "Touching objects", static_cast<double>(touching())},
        {"angles_left", "Edges over the angle limit", static_cast<double>(clay_->angles().given_up())},
        {"strokes", "Strokes", static_cast<double>(clay_->stroke_count())}};
}

void PotterScene::meshes(std::vector<ViewMesh>& out) const {
    ViewMesh clay;
    // The clay keeps the shape and its topology alive.
    clay.topology = clay_->start()->geometry().topology;
    clay.positions = &clay_->positions();
    clay.id = kClayMesh;
    clay.version = clay_->version();
    clay.smooth = true;
    clay.normals = &clay_->surface().normals();
    clay.cavity = &clay_->surface().cavity();
    clay.run_versions = &clay_->surface().run_versions();
    clay.run = ClaySurface::kRun;
    clay.wire = parameters_.on(kWire);
    if (parameters_.on(kThinWalls)) {
        clay.thickness = &walls_->thickness();
        clay.thickness_runs = &walls_->run_versions();
        clay.thickness_version = walls_->version();
    }
    out.push_back(std::move(clay));
    decor_.append_meshes(out);
    hands_.append_meshes(out);
}

void PotterScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    Drawable clay = decoration(kClayMesh, Material::clay);
    const Pose on_wheel{collision::axis_angle({0, 1, 0}, angle_ + options.turn), {}};
    clay.pose = options.hands ? hold_.pose_with(options.newest_hands) : on_wheel;
    clay.pick = 0;
    clay.wetness = kWetness[parameters_.integer(kFinish)];
    clay.outlined = parameters_.on(kWire);
    if (parameters_.on(kThinWalls)) clay.thin_below = static_cast<float>(parameters_[kMinWall] * 1e-3);
    const ClayMeasures& m = measures();
    const auto high = static_cast<float>(m.height), wide = static_cast<float>(m.widest / 2);
    clay.occluders = {{{{0, 0.30f * high, 0}, 0.82f * wide}, {{0, 0.66f * high, 0}, 0.82f * wide}}};
    out.drawables.push_back(clay);
    decor_.view(angle_ + options.turn, out);
    std::bitset<kTwoHands> active;
    for (std::size_t p = 0; p < kTwoHands; ++p) active[p] = touch_[p].touching;
    if (options.hands) hands_.view(active, options.newest_hands, out);
    if (options.witness) view_tool(options, clay.pose, out);
    if (options.dimensions && hold_.on_wheel()) view_dimensions(dimensions(), options.labels, out);
    const WallThickness::Place thinnest = walls_->thinnest();
    if (parameters_.on(kThinWalls) && options.labels && thinnest.vertex != collision::kNoIndex)
        view_thinnest(clay.pose, clay_->positions()[thinnest.vertex], thinnest.thickness,
                      parameters_[kMinWall], out);
    if (options.show_hint && hold_.on_wheel())
        out.labels.push_back(measure_label({0, m.height / 2, 0}, "Push here"));
    if (options.bounds) {
        Aabb box;
        for (const Vec3f& p : clay_->positions()) box.add(p);
        view_box(collision::transform_aabb(collision::to_matrix(clay.pose), box), Ink::bounds, out);
    }
}

/// Rings where the hand pushes the clay, or a faint one where it is about to.
void PotterScene::view_tool(const ViewOptions& options, const Pose& clay, SceneView& out) const {
    if (mark_) return view_brush({&*mark_, 1}, clay_->surface(), clay, brush().radius, out);
    constexpr double kReach = 0.05;
    for (std::size_t h = 0; h < 2 && options.hands; ++h) {
        if (!hands_.present(h) || carries(h) || touches(h)) continue;
        const auto* newest = options.newest_hands;
        const HandInput& hand = newest && (*newest)[h].present ? (*newest)[h] : hands_.input(h);
        const Pose& tip = hand.part[kIndexTip];
        const Vec3d end =
            tip.translation +
            collision::rotate(tip.rotation, {0, 0, -static_cast<double>(hand.length[kIndexTip])});
        const auto mark = hover_mark(
            clay_->surface(), collision::rotate(collision::conjugate(clay.rotation), end - clay.translation),
            kReach);
        if (mark) view_hover(*mark, clay_->surface(), clay, brush().radius, out);
    }
}

std::string PotterScene::describe_pick(std::uint32_t pick) const {
    if (pick != 0) return {};
    return "Clay: " + std::to_string(clay_->topology().polygon_count()) + " polygons, " +
           std::to_string(clay_->stroke_count()) + " strokes";
}

}  // namespace

const SceneDescriptor& describe_potter() {
    static const SceneDescriptor descriptor{
        "potter",
        "Potter",
        "A hand shapes clay on a wheel. Clay that a finger touches yields, and the clay around it follows.",
        kParameters,
        kRebuild,
        kActions,
        true,
        &make_scene<PotterScene>};
    return descriptor;
}

}  // namespace claybox::app
