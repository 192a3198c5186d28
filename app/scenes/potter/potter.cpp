// A hand dents a pot on a wheel. The pot is one deformable body, a hand has sixteen convex ones. Every
// polygon of the pot that the module reports as hit is pushed in along its normal, and the clay around it
// follows.

#include "app/potter/touch/touched_polygons.hpp"
#include "app/potter/walls/wall_thickness.hpp"
#include "app/scenes/potter/aim_profile.hpp"
#include "app/scenes/potter/brush_marks.hpp"
#include "app/scenes/potter/dimensions.hpp"
#include "app/scenes/potter/hand/clay_hold.hpp"
#include "app/scenes/potter/hand/tool_planes.hpp"
#include "app/scenes/potter/pot_hold.hpp"
#include "app/scenes/potter/potter_decor.hpp"
#include "app/scenes/potter/potter_keys.hpp"
#include "app/scenes/potter/potter_parameters.hpp"
#include "app/scenes/potter/potter_script.hpp"
#include "app/scenes/shared/recent_frames.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::Event;
using collision::EventKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum PotterAction : std::uint32_t { kReset, kUndo, kRedo, kRemesh, kHollow, kClearMask };
enum PotterGroup : unsigned { kClayGroup, kHandGroup, kTipGroup };

constexpr float kWetness[] = {0, 1, 1.6f};
constexpr const char* kActions[] = {"Reset", "Undo", "Redo", "Remesh", "Hollow", "Clear mask"};
constexpr const char* kActionHelp[] = {
    "Brings the start shape back. Undo takes this back.",
    "Takes the last stroke back.",
    "Brings back what Undo took.",
    "Makes all triangles of the clay about equally large.",
    "Opens the clay at the top and hollows it out. Wall and Floor, in the fold Clay, set what remains.",
    "Frees all protected clay."};
static_assert(std::size(kActionHelp) == std::size(kActions));

constexpr double kTurnsPerSecond = 1;  // at full speed
constexpr double kFingertip = 0.0076;  // radius of the fingertip's ball, metres
constexpr double kPressed = 0.002;     // metres into the clay that count as pressed
constexpr double kHover = 0.05;  // metres from the clay at which the picture shows what a touch will reach
constexpr std::uint64_t kClayMesh = 1, kDecorMeshes = 2, kHandMeshes = 1000;

/// Poses of the clay and the hands in one frame; events of that frame are answered with them.
struct Moment {
    Pose clay;
    std::array<HandInput, 2> hand;
};

struct PartTouch {
    bool touching = false, fresh = false;
    bool confirmed = true;    ///< an event came since the clay was remeshed
    std::uint64_t frame = 0;  ///< of the newest unanswered event; 0 for none
    std::vector<std::uint32_t> polygons;
    std::vector<Vec3d> points;  ///< clay frame
};

/// Made by the job that makes a new shape of the clay.
struct ShapeExtras final : NewShapeExtras {
    std::unique_ptr<WallThickness> walls;
    std::shared_ptr<collision::ReadyBody> body;
};

/// What the module and the walls need of a new shape takes longer than a frame, so a job makes it.
std::unique_ptr<NewShapeExtras> make_extras(const ClaySurface& surface,
                                            const collision::WorldSettings& settings) {
    auto out = std::make_unique<ShapeExtras>();
    out->walls = std::make_unique<WallThickness>(surface.topology(), surface.positions(), surface.normals());
    std::vector<collision::VertexChange> moved;
    for (std::uint32_t v = 0; v < surface.positions().size(); ++v)
        if (!(surface.positions()[v] == surface.start_positions()[v]))
            moved.push_back({v, surface.positions()[v]});
    auto body = collision::make_ready_body(*surface.start(), moved, settings);
    CLAYBOX_ASSERT(body.ok());
    out->body = std::move(body).value();
    return out;
}

/// Mean unit normal of polygons; up if they cancel.
Vec3d outward_at(const ClaySurface& surface, std::span<const std::uint32_t> polygons) {
    Vec3d sum;
    for (const std::uint32_t polygon : polygons)
        sum += collision::cast<double>(surface.polygon_area(polygon));
    return normalized(sum, Vec3d{0, 1, 0});
}

class PotterScene final : public Scene {
  public:
    void set_meshes(std::span<const collision::ShapePtr> meshes) override {
        if (!meshes.empty()) mesh_ = meshes.front();
    }
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void keep_work(Scene& before, collision::World& world) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override;
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override { return potter_camera(); }
    ViewLight light() const override { return potter_light(); }
    Aabb hand_region() const override { return {{-0.22f, 0.004f, -0.20f}, {0.24f, 0.28f, 0.30f}}; }
    HandKey hand_rest() const override { return potter_rest(carries(0)); }
    std::optional<HandAim> hand_aim(const Vec3d& origin, const Vec3d& direction) const override;
    double hand_reach() const override {
        // A grab only needs to touch: what presses in would be pulled in.
        return carries(0) ? 0.025 : brush().effect == ClayEffect::grab ? 0.003 : 0.010;
    }
    bool hand_pinches() const override { return carries(0) || brush().effect == ClayEffect::grab; }
    bool hand_holds() const override { return hold_.held_by(0) || clay_hold_[0].active(); }
    bool hand_touches(std::size_t hand) const override { return touches(hand); }
    bool waits() const override { return walls_->up_to_date(); }
    std::vector<Figure> figures() const override;
    std::span<const HandKey> script() const override { return carries(0) ? carry_script() : dent_script(); }
    ExportMesh export_mesh() const override { return {&clay_->topology(), &clay_->positions()}; }
    const ClaySurface* clay_surface() const override { return &clay_->surface(); }
    std::string describe_pick(std::uint32_t pick) const override;
    std::vector<SceneGroup> groups() const override {
        return {{kClayGroup, "Clay", -1, 1}, {kHandGroup, "Hand"}, {kTipGroup, "Fingertips"}};
    }

  private:
    bool carries(std::size_t hand) const {
        return (static_cast<unsigned>(parameters_.integer(kHands)) >> (1 - hand) & 1u) != 0;
    }
    void use_tool();
    void use_clay(collision::World& world);
    bool is_object(std::size_t part) const {
        return static_cast<int>(part) == kIndexTip && hands_.tool().object != nullptr;
    }
    void take_clay(std::size_t hand);
    void grab(std::uint64_t frame);
    ClayTouch clay_touch(const PartTouch& touch, std::uint32_t part, const Moment& moment);
    ClayBrush brush() const { return potter_brush(parameters_); }
    bool works(std::size_t part) const { return potter_part_works(parameters_, part); }
    void take_event(const Event& e, std::span<const collision::Hit> hits);
    void add_hit(const collision::Hit& hit, bool clay_is_b, const Pose& clay, PartTouch& touch) const;
    void deform(collision::World& world, std::uint64_t frame, StepOutput& output);
    void act(collision::World& world, const StepInput& input);
    void send(collision::World& world, std::span<const collision::VertexChange> changes);
    void send(collision::World& world, const ClayChange& change);
    void replace_body(collision::World& world, std::span<const collision::VertexChange> moved);
    void follow_clay(collision::World& world, const StepInput& input, StepOutput& output);
    void turn(const StepInput& input);
    void carry(std::uint64_t pass, const StepInput& input, StepOutput& output);
    void wake_hands(std::uint64_t pass);
    Vec3d fingertip(const HandInput& hand, const Pose& clay) const;
    bool presses_into_air(std::size_t hand) const;
    const Moment* aiming_moment(std::size_t hand, std::uint64_t frame) const;
    double cut_height(std::size_t hand, std::uint64_t frame, double contact) const;
    std::size_t rays(bool shaped) const;
    PotDimensions dimensions() const;
    bool touches(std::size_t hand) const;
    std::size_t touching() const;
    const ClayMeasures& measures() const;
    void view_tool(const ViewOptions& options, const Pose& clay, SceneView& out) const;

    ParameterValues parameters_;
    collision::ShapePtr mesh_;  ///< the user's; null: a start shape
    std::unique_ptr<Clay> clay_;
    std::unique_ptr<WallThickness> walls_;  ///< of clay_
    BodyId body_;
    HandBodies hands_{kHandGroup, kTipGroup, kHandMeshes};
    PotterDecor decor_{kDecorMeshes};
    double angle_ = 0;  ///< of the wheel, radians
    PotHold hold_;
    std::array<ClayHold, 2> clay_hold_;  ///< per hand, with the effect `grab`
    RecentFrames<Moment> history_;
    std::array<PartTouch, kTwoHands> touch_;
    ToolPlanes tool_planes_;
    std::vector<ClayTouch> touches_;  ///< of the current frame
    std::uint64_t confirm_from_ = 0;  ///< pass from which a touch without an event since remeshing has ended
    /// Some hands must not dent: a hand that carries, a hand that the returning pot touches, and a hand in
    /// the clay after undo or reset, which would dent it again at once. Such a hand rests until this pass or
    /// a later one finds it outside the clay. 0: the hand works.
    std::array<std::uint64_t, 2> rests_until_{};
    AimProfile aim_;
    std::uint64_t aim_version_ = 0;  ///< of the clay that aim_ was measured on
    collision::EventBatch batch_;
    double volume_before_ = 0;
    std::optional<BrushMark> mark_;  ///< push of the last frame, clay frame
    mutable ClayMeasures measures_;
    mutable std::uint64_t measured_version_ = 0;
};

void PotterScene::use_tool() {
    hands_.use(potter_tool(parameters_));
    const collision::ShapePtr& object = hands_.tool().object;
    // The capsule of a touch describes a ball exactly.
    tool_planes_.use(object && !potter_tool_is_ball(parameters_) ? object->hull() : nullptr);
}

void PotterScene::set_parameters(const ParameterValues& parameters) {
    const bool other_tool = parameters[kTool] != parameters_[kTool] ||
                            potter_object_radius(parameters) != potter_object_radius(parameters_);
    parameters_ = parameters;
    if (other_tool) use_tool();
    clay_->use_detail(potter_detail(parameters));
}

Status PotterScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t) {
    parameters_ = parameters;
    use_tool();
    const auto shape_choice = static_cast<ClayShape>(parameters.integer(kShape));
    collision::Result<collision::ShapePtr> shape = mesh_;
    if (!mesh_)
        shape = collision::Shape::from_polygons(
            make_clay(shape_choice, static_cast<std::uint32_t>(parameters.integer(kPolygons)),
                      static_cast<ClayFaces>(parameters.integer(kFaces))),
            "clay");
    if (!shape.ok()) return shape.error();
    clay_ = std::make_unique<Clay>(shape.value());
    use_clay(world);
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

void PotterScene::use_clay(collision::World& world) {
    clay_->use_detail(potter_detail(parameters_));
    clay_->use_extras([&world]() -> MakeExtras {
        return [settings = world.settings()](const ClaySurface& surface) {
            return make_extras(surface, settings);
        };
    });
    walls_ =
        std::make_unique<WallThickness>(clay_->topology(), clay_->positions(), clay_->surface().normals());
    measures_ = clay_->measure();
    measured_version_ = clay_->version();
    volume_before_ = measures_.volume;
    aim_.measure(clay_->positions());
    aim_version_ = clay_->version();
}

/// The history of the clay goes on: a new start shape is a stroke that can be undone.
void PotterScene::keep_work(Scene& before, collision::World& world) {
    std::unique_ptr<Clay> clay = std::move(static_cast<PotterScene&>(before).clay_);
    clay->start_over(clay_->start());
    [[maybe_unused]] const auto unused = clay->take_extras();
    clay_ = std::move(clay);
    use_clay(world);
}

std::optional<HandAim> PotterScene::hand_aim(const Vec3d& from, const Vec3d& along) const {
    // The profile does not depend on the turn of the wheel.
    const Pose pot = hold_.on_wheel() ? Pose{} : hold_.pose();
    const collision::Quat to_pot = collision::conjugate(pot.rotation);
    const Vec3d origin = collision::rotate(to_pot, from - pot.translation),
                direction = collision::rotate(to_pot, along);
    const auto aim = [&](double t) { return HandAim{from + along * t, along}; };
    constexpr double kFar = 3, kAround = 0.3;
    // Point of the ray nearest to the axis: depth of a hand next to the clay, and middle of the search.
    const double flat = direction.x * direction.x + direction.z * direction.z;
    if (!(flat > 1e-9)) return std::nullopt;
    const double axis = -(origin.x * direction.x + origin.z * direction.z) / flat;
    if (!(axis > 0 && axis < kFar)) return std::nullopt;
    const auto hit = aim_.hit(origin, direction, std::max(0.0, axis - kAround), axis + kAround, kFingertip);
    return aim(hit.value_or(axis));
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
    const bool touched_before = touch.touching;
    touch.touching = e.kind != EventKind::end;
    touch.confirmed = true;
    touch.polygons.clear();
    touch.points.clear();
    touch.frame = 0;
    const std::uint64_t clay_frame = clay_is_b ? e.frame_b : e.frame_a;
    const Moment* moment = history_.at(clay_frame);
    if (!touch.touching || moment == nullptr) return;
    touch.fresh = touch.fresh || (e.kind == EventKind::begin && !touched_before);
    touch.frame = clay_is_b ? e.frame_a : e.frame_b;
    for (const collision::Hit& hit : hits) add_hit(hit, clay_is_b, moment->clay, touch);
    make_unique(touch.polygons);
}

/// A grab takes hold where a part begins to touch: the index finger first, then the lowest part.
void PotterScene::take_clay(std::size_t hand) {
    const auto can_hold = [&](std::size_t k) {
        const PartTouch& touch = touch_[hand * kHandParts + k];
        return !touch.polygons.empty() && history_.at(touch.frame) != nullptr;
    };
    std::size_t k = kIndexTip;
    if (!can_hold(k))
        for (k = 0; k < kHandParts && !can_hold(k);) ++k;
    if (k == kHandParts) return;
    const PartTouch& touch = touch_[hand * kHandParts + k];
    const Moment& moment = *history_.at(touch.frame);
    const ClayTouch contact = clay_touch(touch, static_cast<std::uint32_t>(hand * kHandParts + k), moment);
    clay_hold_[hand].take(k, moment.hand[hand], moment.clay, contact_of(clay_->surface(), contact),
                          outward_at(clay_->surface(), touch.polygons));
}

/// Each hand that holds the clay moves one point of it.
void PotterScene::grab(std::uint64_t frame) {
    const Moment* now = history_.at(frame - 1);
    for (std::size_t hand = 0; hand < clay_hold_.size(); ++hand) {
        ClayHold& hold = clay_hold_[hand];
        if (now == nullptr || brush().effect != ClayEffect::grab || rests_until_[hand] != 0 ||
            clay_->is_working() || !hands_.present(hand)) {
            hold.release();
            continue;
        }
        const bool fresh = !hold.active();
        if (fresh) take_clay(hand);
        if (!hold.active()) continue;
        const auto part = static_cast<std::uint32_t>(hand * kHandParts + hold.part());
        if (!touch_[part].polygons.empty()) hold.turn_to(outward_at(clay_->surface(), touch_[part].polygons));
        ClayTouch touch;
        touch.motion = hold.follow(now->hand[hand], now->clay, longest_grab(brush()));
        if (!hold.active()) continue;
        touch.hit_points = {&hold.at(), 1};
        touch.part = part;
        touch.held = true;
        touches_.push_back(touch);
    }
}

ClayTouch PotterScene::clay_touch(const PartTouch& touch, std::uint32_t part, const Moment& moment) {
    const HandInput& hand = moment.hand[part / kHandParts];
    const std::size_t k = part % kHandParts;
    const collision::Quat to_clay = collision::conjugate(moment.clay.rotation);
    const Vec3d from = hand.part[k].translation - moment.clay.translation;
    const Vec3d end =
        from + collision::rotate(hand.part[k].rotation, {0, 0, -static_cast<double>(hand.length[k])});
    const bool object = is_object(k);
    ClayTouch out{collision::rotate(to_clay, object ? end : from),
                  collision::rotate(to_clay, end),
                  static_cast<double>(object ? hands_.tool().object->sphere().radius : hand.radius[k]),
                  touch.polygons,
                  touch.points,
                  {},
                  part,
                  touch.fresh};
    out.pressure = static_cast<double>(hand.pressure);
    if (object) out.planes = tool_planes_.placed(part / kHandParts, to_clay * hand.part[k].rotation, out.to);
    return out;
}

void PotterScene::deform(collision::World& world, std::uint64_t frame, StepOutput& output) {
    touches_.clear();
    grab(frame);
    for (std::uint32_t p = 0; p < kTwoHands && brush().effect != ClayEffect::grab; ++p) {
        const PartTouch& touch = touch_[p];
        const Moment* moment = history_.at(touch.frame);
        if (moment == nullptr || touch.polygons.empty() || rests_until_[p / kHandParts] != 0) continue;
        if (!works(p % kHandParts)) continue;
        touches_.push_back(clay_touch(touch, p, *moment));
        if (touch.fresh && brush().effect == ClayEffect::trim) {
            const double contact = contact_of(clay_->surface(), touches_.back()).y;
            touches_.back().cut_at = cut_height(p / kHandParts, touch.frame, contact);
        }
    }
    const std::size_t strokes = clay_->stroke_count();
    const auto changes = clay_->push(touches_, brush(), frame);
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
        if (action == kRemesh) clay_->remesh(input.frame);
        if (action == kHollow) clay_->make_hollow(potter_hollow(parameters_), input.frame);
        if (action == kClearMask) clay_->clear_mask();
    }
    // A pass with the old clay may still be running.
    if (!input.actions.empty()) rests_until_.fill(world.polled_pass() + 2);
}

void PotterScene::send(collision::World& world, const ClayChange& change) {
    if (change.remeshed)
        replace_body(world, change.moved);
    else
        send(world, change.moved);
}

/// The clay has other polygons: the module gets another body. What parts touched before counts as touched
/// until their next event, so that a stroke goes on.
void PotterScene::replace_body(collision::World& world, std::span<const collision::VertexChange> moved) {
    const std::unique_ptr<NewShapeExtras> made = clay_->take_extras();
    auto& extras = static_cast<ShapeExtras&>(*made);
    [[maybe_unused]] const Status removed = world.remove_body(body_);
    const auto id = world.add_body({clay_->start(), hold_.pose(), kClayGroup, true, 0, {}, extras.body});
    CLAYBOX_ASSERT(removed.ok() && id.ok());
    body_ = id.value();
    walls_ = std::move(extras.walls);
    walls_->use(clay_->topology(), clay_->positions(), clay_->surface().normals());
    send(world, moved);
    for (PartTouch& touch : touch_) {
        touch.polygons.clear();
        touch.points.clear();
        touch.frame = 0;
        touch.confirmed = !touch.touching;
    }
    confirm_from_ = world.polled_pass() + 2;
}

/// Ends and begins of remeshing, and what became impossible.
void PotterScene::follow_clay(collision::World& world, const StepInput& input, StepOutput& output) {
    const bool was_working = clay_->is_working();
    send(world, clay_->update(input.frame));
    if (was_working && !clay_->is_working()) rests_until_.fill(world.polled_pass() + 2);
    if (std::string problem = clay_->take_problem(); !problem.empty())
        output.events.push_back({SceneEvent::Kind::refused, input.frame, std::move(problem), Side::none});
    if (world.polled_pass() < confirm_from_) return;
    for (PartTouch& touch : touch_)
        if (!touch.confirmed) touch = {};
}

bool PotterScene::touches(std::size_t hand) const {
    const auto first = touch_.begin() + static_cast<std::ptrdiff_t>(hand * kHandParts);
    return std::any_of(first, first + kHandParts, [](const PartTouch& t) { return t.touching; });
}

void PotterScene::wake_hands(std::uint64_t pass) {
    for (std::size_t h = 0; h < rests_until_.size(); ++h) {
        if (pass >= rests_until_[h] && !touches(h) && !presses_into_air(h)) rests_until_[h] = 0;
    }
}

/// Whether the fingertip is where the clay was before a cut. A mouse that is still pressed would move the
/// hand on to the new rim, and cut again.
bool PotterScene::presses_into_air(std::size_t hand) const {
    if (rests_until_[hand] == 0 || !hands_.present(hand)) return false;
    return aim_.touches(fingertip(hands_.input(hand), hold_.pose()), kFingertip - kPressed);
}

/// Middle of the ball at the end of the index finger, in the frame of the clay.
Vec3d PotterScene::fingertip(const HandInput& hand, const Pose& clay) const {
    const Pose& tip = hand.part[kIndexTip];
    const Vec3d end = tip.translation +
                      collision::rotate(tip.rotation, {0, 0, -static_cast<double>(hand.length[kIndexTip])});
    return collision::rotate(collision::conjugate(clay.rotation), end - clay.translation);
}

/// The hand that aimed before a touch in this frame: where the fingertip last rested within half a second, or
/// in the frame before. Null if there was none.
const Moment* PotterScene::aiming_moment(std::size_t hand, std::uint64_t frame) const {
    constexpr std::uint64_t kFrames = 30;
    constexpr double kResting = 0.0005;  // metres per frame
    const auto moment = [&](std::uint64_t at) {
        const Moment* m = at < frame ? history_.at(at) : nullptr;
        return m != nullptr && m->hand[hand].present ? m : nullptr;
    };
    for (std::uint64_t back = 1; back <= kFrames; ++back) {
        const Moment *m = moment(frame - back), *before = moment(frame - back - 1);
        if (m == nullptr || before == nullptr) break;
        if (length(fingertip(m->hand[hand], {}) - fingertip(before->hand[hand], {})) < kResting) return m;
    }
    return moment(frame - 1);
}

/// A trim cuts at the height that the picture showed before the touch. A finger that presses also moves along
/// the clay.
double PotterScene::cut_height(std::size_t hand, std::uint64_t frame, double contact) const {
    constexpr double kNear = 0.02;  // a hand that jumped was seen elsewhere
    const Moment* aimed = aiming_moment(hand, frame);
    if (aimed == nullptr) return contact;
    const auto mark = hover_mark(clay_->surface(), fingertip(aimed->hand[hand], aimed->clay), kHover);
    if (!mark) return contact;
    const auto height = static_cast<double>(mark->centre.y);
    return std::abs(height - contact) < kNear ? height : contact;
}

std::size_t PotterScene::touching() const {
    return static_cast<std::size_t>(
        std::count_if(touch_.begin(), touch_.end(), [](const PartTouch& t) { return t.touching; }));
}

void PotterScene::turn(const StepInput& input) {
    const bool shaped = (touches(0) && !carries(0)) || (touches(1) && !carries(1));
    // A turning wheel would bend the path of a wire, and twist the clay that a finger holds.
    const ClayEffect effect = brush().effect;
    const bool stands = effect == ClayEffect::cut || effect == ClayEffect::grab;
    if (!hold_.on_wheel() || stands || (parameters_.on(kSpinTouched) && !shaped)) return;
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
    follow_clay(world, input, output);
    walls_->measure(rays(touching() > 0));
    // A stroke has ended.
    if (touching() == 0 && aim_version_ != clay_->version() && !presses_into_air(0) && !presses_into_air(1)) {
        aim_.measure(clay_->positions());
        aim_version_ = clay_->version();
    }
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
        {"volume_after", "Volume", m.volume * 1e6, "cm³", 2},
        {"volume_drift", "Volume since the start", 100 * (m.volume / volume_before_ - 1), "%", 2},
        {"height", "Height", m.height * 1e3, "mm", 1},
        {"widest", "Largest diameter", m.widest * 1e3, "mm", 1},
        {"mouth", "Mouth", m.mouth * 1e3, "mm", 1},
        {"thinnest_wall", "Thinnest wall", static_cast<double>(walls_->thinnest().thickness) * 1e3, "mm", 1},
        {"polygons", "Polygons", count},
        {"volume_before", "Volume at the start", volume_before_ * 1e6, "cm³", 2, true},
        {"polygons_moved", "Polygons moved or new", static_cast<double>(clay_->changed_polygons()), "", 0,
         true},
        {"strokes", "Strokes that Undo takes back", static_cast<double>(clay_->stroke_count()), "", 0, true},
        {"remeshed", "Times remeshed", static_cast<double>(clay_->remesh_count()), "", 0, true},
        {"tool_objects", "Objects of the tool", static_cast<double>(hands_.tool().parts.count()), "", 0,
         true},
        {"touching", "Touching objects", static_cast<double>(touching()), "", 0, true},
        {"angles_left", "Edges over the angle limit", static_cast<double>(clay_->edges_over_limit()), "", 0,
         true}};
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
    for (std::size_t p = 0; p < kTwoHands; ++p) active[p] = touch_[p].touching && works(p % kHandParts);
    if (options.hands) hands_.view(active, options.newest_hands, out, options.ghosts);
    if (options.witness) view_tool(options, clay.pose, out);
    if (options.dimensions && hold_.on_wheel())
        view_dimensions(dimensions(), eye(options), options.labels, out);
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
    const ClayBrush now = brush();
    const ClayMeasures& m = measures();
    if (now.symmetry.mirror_x) view_mirror_plane({1, 0, 0}, m.height, m.widest / 2, clay, out);
    if (now.symmetry.mirror_z) view_mirror_plane({0, 0, 1}, m.height, m.widest / 2, clay, out);
    if (mark_) {
        std::vector<BrushMark> marks;
        for (std::size_t k = 0; k < now.symmetry.copies(); ++k)
            marks.push_back(
                {symmetric(now.symmetry, k, mark_->centre), symmetric(now.symmetry, k, mark_->along)});
        return view_brush(marks, clay_->surface(), clay, now.radius, out);
    }
    for (std::size_t h = 0; h < 2 && options.hands; ++h) {
        if (!hands_.present(h) || carries(h) || touches(h)) continue;
        const auto* newest = options.newest_hands;
        const HandInput& hand = newest && (*newest)[h].present ? (*newest)[h] : hands_.input(h);
        const auto mark = hover_mark(clay_->surface(), fingertip(hand, clay), kHover);
        if (!mark) continue;
        view_hover(*mark, clay_->surface(), clay, now.radius, out);
        if (now.effect == ClayEffect::trim && hold_.on_wheel())
            view_cut_height(static_cast<double>(mark->centre.y), m.widest / 2, options.labels, out);
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
        potter_parameters(),
        kPotterRebuild,
        kActions,
        true,
        &make_scene<PotterScene>,
        false,
        true,
        potter_sections(),
        potter_keys(),
        &place_on_wheel,
        potter_palette(),
        kActionHelp};
    return descriptor;
}

}  // namespace claybox::app
