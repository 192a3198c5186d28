// Mobiles hang side by side from a beam. Every rod is a group of the world; its weights and lower rods are
// children of the group. A frame only turns groups and weights. Bodies that touch glow; where many touch,
// only the newest hits glow, and the others have red edges.

#include "app/scenes/mobiles/mobile_layout.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <cmath>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::EventKind;
using collision::GroupId;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;

namespace {

enum MobileParameter : std::size_t { kMobiles, kLevels, kSpeed };

const Parameter kParameters[] = {
    {"mobiles", "Mobiles", ParameterKind::integer, 5, 1, 9, "", "ours: neighbours reach each other",
     "Number of mobiles on the beam.", true},
    {"levels", "Levels", ParameterKind::integer, 4, 1, 8, "", "ours: the tree stays readable",
     "Number of rods below each other at the deepest place of a mobile.", true},
    {"speed", "Speed", ParameterKind::real, 16, 0, 180, "° per second", "ours: calm to look at",
     "Approximate speed of the top rods. Lower rods turn faster."},
};
constexpr std::uint32_t kRebuild = 1u << kMobiles | 1u << kLevels;

constexpr double kFrames = 60;  // per second
constexpr std::uint8_t kRodColour = 6;
constexpr std::size_t kMaxEventTexts = 24;
constexpr double kPlinth = 0.1, kBeam = 0.04;
constexpr float kCrowded = 0.14f, kCalm = 0.10f;  // share of the bodies that touch

class MobileScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override { parameters_ = parameters; }
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-2.2f, 0, -1}, {2.2f, 2.4f, 1}}; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    Status make_shapes(std::uint64_t seed);
    Status hang(collision::World& world);
    void build_decoration();
    void turn_all();
    void respond(std::uint64_t frame, StepOutput& output);
    Pose rod_pose(std::size_t rod) const;
    Pose weight_pose(std::size_t weight) const;
    std::string name(std::uint32_t body) const;
    const collision::ShapePtr& shape_of(std::uint32_t body) const;
    void view_stand(SceneView& out) const;
    void view_thread(const Vec3d& lower_end, double length, SceneView& out) const;
    void view_body(std::uint32_t body, bool bounds, SceneView& out) const;
    void view_contact(std::uint32_t body, Drawable& out) const;

    ParameterValues parameters_;
    MobileLayout layout_;
    std::vector<collision::ShapePtr> rod_shapes_, weight_shapes_;  ///< indexed by level; by kind
    std::vector<std::uint64_t> rod_meshes_, weight_meshes_;
    std::vector<double> angle_;    ///< rods, then weights; radians
    std::vector<GroupId> groups_;  ///< indexed by rod
    std::vector<Pose> frames_;     ///< world poses of the groups
    std::vector<BodyId> ids_;      ///< rods, then weights
    Glow glow_;
    HitMarks marks_;
    collision::EventBatch batch_;
    std::uint64_t frame_ = 0, open_ = 0;
    bool crowded_ = false;  ///< so many bodies touch that single hits would not stand out

    MeshStore store_;
    std::uint64_t floor_ = 0, plinth_ = 0, beam_ = 0, post_ = 0, thread_ = 0;
};

Status MobileScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    parameters_ = parameters;
    layout_ = lay_out_mobiles({parameters.integer(kMobiles), parameters.integer(kLevels)},
                              collision::mix64(seed ^ 1));
    if (Status made = make_shapes(seed); !made.ok()) return made;
    for (const MobileRod& rod : layout_.rods) angle_.push_back(rod.phase);
    angle_.resize(layout_.rods.size() + layout_.weights.size(), 0);
    frames_.resize(layout_.rods.size());
    turn_all();
    if (Status hung = hang(world); !hung.ok()) return hung;
    glow_.resize(ids_.size());
    build_decoration();
    return Done{};
}

Status MobileScene::make_shapes(std::uint64_t seed) {
    for (const float length : layout_.rod_length) {
        auto shape = make_mobile_rod(length, layout_.rod_radius);
        if (!shape.ok()) return shape.error();
        rod_meshes_.push_back(store_.add(shape.value()));
        rod_shapes_.push_back(std::move(shape).value());
    }
    for (const WeightKind& kind : layout_.kinds) {
        constexpr int kCornersOfBall = 26;
        auto shape = make_solid(kind.solid, kCornersOfBall, kind.radius, seed);
        if (!shape.ok()) return shape.error();
        weight_meshes_.push_back(store_.add(shape.value()));
        weight_shapes_.push_back(std::move(shape).value());
    }
    return Done{};
}

/// Adds rods before their children, and all rods before the weights, so the slot equals the body number.
Status MobileScene::hang(collision::World& world) {
    for (std::size_t i = 0; i < layout_.rods.size(); ++i) {
        const MobileRod& rod = layout_.rods[i];
        const GroupId parent = rod.parent == collision::kNoIndex ? GroupId{} : groups_[rod.parent];
        auto group = world.add_group({rod_pose(i), parent});
        if (!group.ok()) return group.error();
        groups_.push_back(group.value());
        auto id = world.add_body(
            {.shape = rod_shapes_[rod.level], .pose = rod.body, .data = i, .parent = group.value()});
        if (!id.ok()) return id.error();
        ids_.push_back(id.value());
    }
    for (std::size_t i = 0; i < layout_.weights.size(); ++i) {
        const MobileWeight& weight = layout_.weights[i];
        auto id = world.add_body({.shape = weight_shapes_[weight.kind],
                                  .pose = weight_pose(i),
                                  .data = ids_.size(),
                                  .parent = groups_[weight.rod]});
        if (!id.ok()) return id.error();
        ids_.push_back(id.value());
    }
    return Done{};
}

void MobileScene::build_decoration() {
    constexpr auto half = static_cast<float>(kBeamLength / 2 + 0.1), thick = static_cast<float>(kBeam);
    floor_ = store_.add(disc_mesh(16, 96));
    plinth_ = store_.add(box_mesh({half + 0.1f, static_cast<float>(kPlinth / 2), 0.8f}));
    beam_ = store_.add(box_mesh({half + thick, thick, thick}));
    post_ = store_.add(box_mesh({thick, static_cast<float>(kBeamHeight / 2), thick}));
    thread_ = store_.add(box_mesh({0.0025f, 0.5f, 0.0025f}));
}

/// Pose of a rod in the frame of its parent.
Pose MobileScene::rod_pose(std::size_t rod) const {
    return {collision::axis_angle({0, 1, 0}, angle_[rod]), layout_.rods[rod].hook};
}

/// Pose of a weight in the frame of its rod.
Pose MobileScene::weight_pose(std::size_t weight) const {
    const MobileWeight& w = layout_.weights[weight];
    const double angle = angle_[layout_.rods.size() + weight];
    return {collision::axis_angle({0, 1, 0}, angle) * w.rest, w.centre};
}

void MobileScene::turn_all() {
    const double step = parameters_[kSpeed] / kFrames * collision::kPi / 180;
    const std::size_t rods = layout_.rods.size();
    for (std::size_t i = 0; i < angle_.size(); ++i) {
        const double rate = i < rods ? layout_.rods[i].rate : layout_.weights[i - rods].rate;
        angle_[i] = std::remainder(angle_[i] + rate * step, 2 * collision::kPi);
    }
    for (std::size_t i = 0; i < rods; ++i) {
        const std::uint32_t parent = layout_.rods[i].parent;
        frames_[i] = parent == collision::kNoIndex ? rod_pose(i) : frames_[parent] * rod_pose(i);
    }
}

void MobileScene::respond(std::uint64_t frame, StepOutput& output) {
    for (const collision::Event& e : batch_.events) {
        if (e.kind == EventKind::stay) continue;
        const bool begins = e.kind == EventKind::begin;
        const std::uint32_t a = e.a.slot, b = e.b.slot;
        CLAYBOX_ASSERT(ids_[a] == e.a && ids_[b] == e.b);
        if (begins) marks_.add(e.point_w, a, b, frame);
        begins ? ++open_ : --open_;
        for (const std::uint32_t body : {a, b}) glow_.heat_up(body, begins ? 1 : -1);
        if (output.events.size() >= kMaxEventTexts) continue;
        output.events.push_back({begins ? SceneEvent::Kind::collision_begin : SceneEvent::Kind::collision_end,
                                 e.frame, capitalised(name(a) + ", " + name(b))});
    }
}

void MobileScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    frame_ = input.frame;
    glow_.cool_down();
    world.poll_events(batch_);
    respond(input.frame, output);
    // Two limits, so that the picture does not change back and forth.
    crowded_ = glow_.touching_share() > (crowded_ ? kCalm : kCrowded);
    turn_all();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        [[maybe_unused]] const Status moved = world.move_group(groups_[i], rod_pose(i));
        CLAYBOX_ASSERT(moved.ok());
    }
    for (std::size_t i = 0; i < layout_.weights.size(); ++i) {
        [[maybe_unused]] const Status moved = world.move(ids_[groups_.size() + i], weight_pose(i));
        CLAYBOX_ASSERT(moved.ok());
    }
    world.publish(input.frame);
    world.check();
}

std::string MobileScene::name(std::uint32_t body) const {
    if (body < groups_.size()) return "rod " + std::to_string(body);
    return "weight " + std::to_string(body - groups_.size());
}

const collision::ShapePtr& MobileScene::shape_of(std::uint32_t body) const {
    if (body < groups_.size()) return rod_shapes_[layout_.rods[body].level];
    return weight_shapes_[layout_.weights[body - groups_.size()].kind];
}

void MobileScene::view_stand(SceneView& out) const {
    out.drawables.push_back(shadowless(floor_, Material::floor, {0, -kPlinth - 0.002, 0}));
    out.drawables.push_back(decoration(plinth_, Material::plinth, {0, -kPlinth / 2, 0}));
    out.drawables.push_back(decoration(beam_, Material::corner, {0, kBeamHeight + kBeam, 0}));
    for (const double side : {-1.0, 1.0}) {
        const double x = side * (kBeamLength / 2 + 0.1);
        out.drawables.push_back(decoration(post_, Material::corner, {x, kBeamHeight / 2, 0}));
    }
}

/// Draws a thread. Threads are always vertical.
void MobileScene::view_thread(const Vec3d& lower_end, double length, SceneView& out) const {
    Drawable thread = decoration(thread_, Material::frame, lower_end + Vec3d{0, length / 2, 0});
    thread.scale = {1, static_cast<float>(length), 1};
    out.drawables.push_back(thread);
}

void MobileScene::view_body(std::uint32_t body, bool bounds, SceneView& out) const {
    const bool is_rod = body < groups_.size();
    Drawable d;
    if (is_rod) {
        d.mesh = rod_meshes_[layout_.rods[body].level];
        d.pose = frames_[body] * layout_.rods[body].body;
        d.colour = kRodColour;
    } else {
        const std::size_t number = body - groups_.size();
        const MobileWeight& weight = layout_.weights[number];
        d.mesh = weight_meshes_[weight.kind];
        d.pose = frames_[weight.rod] * weight_pose(number);
        d.colour = weight.colour;
        d.occluder_radius = 0.8f * layout_.kinds[weight.kind].radius;
    }
    view_contact(body, d);
    d.pick = body;
    out.drawables.push_back(d);
    if (bounds) view_bounds(shape_of(body)->geometry().box, d.pose, out);
}

/// A hit glows at once. What still touches after it stays red, all over or at its edges.
void MobileScene::view_contact(std::uint32_t body, Drawable& out) const {
    const float heat = glow_[body];
    out.colliding = heat > 0;
    if (!crowded_) {
        out.tint = heat;
        return;
    }
    out.tint = std::min(1.0f, 3 * glow_.hit(body));
    out.edge_tint = glow_.touches(body) ? 1 : heat;
}

void MobileScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    view_stand(out);
    for (std::uint32_t body = 0; body < ids_.size(); ++body) view_body(body, options.bounds, out);
    for (std::size_t i = 0; i < layout_.rods.size(); ++i)
        view_thread(frames_[i].translation, layout_.rods[i].thread, out);
    for (const MobileWeight& weight : layout_.weights) {
        const auto radius = static_cast<double>(layout_.kinds[weight.kind].radius);
        const Vec3d centre = transform_point(frames_[weight.rod], weight.centre);
        view_thread(centre, weight.thread + 0.9 * radius, out);
    }
    if (options.witness)
        marks_.view(
            frame_, options.labels, [this](std::uint32_t body) { return name(body); }, out);
}

ViewCamera MobileScene::camera() const {
    return {.position = {0.75f, 1.8f, 8.7f}, .target = {0, 1.2f, 0}, .vertical_fov = 0.42f};
}

ViewLight MobileScene::light() const {
    return {.shadow_half_width = 3.4f, .shadow_centre = {0, 0.8f, 0}, .fade_start = 6, .fade_end = 14};
}

std::vector<Figure> MobileScene::figures() const {
    return {{"contacts", "Contacts now", static_cast<double>(open_)},
            {"hits", "Hits so far", static_cast<double>(marks_.count())},
            {"groups", "Groups", static_cast<double>(groups_.size())}};
}

std::string MobileScene::describe_pick(std::uint32_t pick) const {
    if (pick >= ids_.size()) return {};
    std::string where;
    if (pick < groups_.size()) {
        const MobileRod& rod = layout_.rods[pick];
        where = rod.level == 0 ? ", from the beam" : ", from rod " + std::to_string(rod.parent);
    } else {
        where = ", from rod " + std::to_string(layout_.weights[pick - groups_.size()].rod);
    }
    return capitalised(name(pick)) + where + ": " + shape_words(*shape_of(pick));
}

}  // namespace

const SceneDescriptor& describe_mobiles() {
    static const SceneDescriptor descriptor{
        "mobiles",
        "Mobiles",
        "Mobiles turn side by side. Each rod is a group with everything that hangs from it. Bodies that "
        "touch glow.",
        kParameters,
        kRebuild,
        {},
        false,
        &make_scene<MobileScene>};
    return descriptor;
}

}  // namespace claybox::app
