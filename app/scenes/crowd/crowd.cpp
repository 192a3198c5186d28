// A crowd drifts with a current around columns and through a ring, seen from above. Bodies that hit something
// bounce off and glow. Their colour shows their heading, which makes the current visible.

#include "app/scenes/crowd/crowd_layout.hpp"
#include "app/scenes/crowd/flock.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "app/scenes/shared/shades.hpp"
#include "collision/core/elementary.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::Event;
using collision::EventKind;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum CrowdParameter : std::size_t { kBodies, kMix, kDensity, kObstacles, kSpeed, kTurn, kMoving };

const Parameter kParameters[] = {
    {"bodies", "Bodies", ParameterKind::integer, 5000, 1000, 100000, "",
     "ours: a software renderer can still draw them", "Number of bodies in the arena.", true},
    {"mix", "Shapes", ParameterKind::choice, 0, 0, kCrowdMixCount - 1, "", "ours: shows many shapes at once",
     "Many convex shapes with some rings and flakes, or one shape only.", false, kCrowdMixes},
    {"density", "Filled volume", ParameterKind::real, 1.2, 0.1, 6, "%",
     "ours: some collisions in every frame",
     "Share of the arena volume that the bodies fill. It determines their size.", true},
    {"obstacles", "Obstacles", ParameterKind::integer, 5, 0, kMaxObstacles, "", "ours: space between them",
     "Columns and a ring in the path of the current."},
    {"speed", "Speed", ParameterKind::real, 0.6, 0, 4, "m/s", "ours: calm to look at",
     "Highest speed of the current."},
    {"rotation", "Rotation", ParameterKind::real, 1.5, 0, 20, "° per frame", "ours: calm to look at",
     "How far a body turns per frame."},
    {"moving", "Moving bodies", ParameterKind::real, 100, 0, 100, "%", "ours: the benches measure 100 and 1",
     "Share of the bodies that move. The broad phase spends little time on the others."},
};
constexpr std::uint32_t kRebuild = 1u << kBodies | 1u << kMix | 1u << kDensity | 1u << kObstacles;

constexpr unsigned kBodyGroup = 0, kObstacleGroup = 1;
constexpr double kFrames = 60;  // per second
constexpr std::size_t kMaxEventTexts = 24, kMaxBoxes = 3000;
constexpr double kPlinth = 0.14;

struct Kind {
    collision::ShapePtr shape;
    std::uint64_t mesh = 0;
    float radius = 0;
    std::uint32_t first = 0, count = 0;  ///< its bodies are consecutive
};

class CrowdScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-kArena.x, 0, -kArena.z}, kArena}; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;
    std::vector<SceneGroup> groups() const override {
        return {{kBodyGroup, "Bodies", -1, flock_.size()},
                {kObstacleGroup, "Obstacles", -1, obstacle_shape_.size()}};
    }

  private:
    Status make_kinds(double radius, std::uint64_t seed);
    Status add_bodies(collision::World& world);
    Status add_obstacles(collision::World& world);
    void build_decoration();
    void respond(std::uint64_t frame, StepOutput& output);
    void begin(const Event& e, std::uint32_t a, std::uint32_t b, std::uint64_t frame);
    void shade(std::uint32_t body);
    std::string name(std::uint32_t body) const;
    std::string short_names(std::uint32_t a, std::uint32_t b) const;
    void view_arena(SceneView& out) const;
    void view_some_bounds(SceneView& out) const;

    ParameterValues parameters_;
    std::vector<Kind> kinds_;
    std::vector<Obstacle> obstacles_;
    std::vector<std::uint64_t> obstacle_mesh_;
    std::vector<collision::ShapePtr> obstacle_shape_;
    Flock flock_;
    // Indexed by body number; obstacles have the numbers after the last body.
    std::vector<BodyId> ids_;
    std::vector<std::uint8_t> shade_;
    Glow glow_;
    HitMarks marks_;
    collision::EventBatch batch_;
    std::uint64_t frame_ = 0, open_ = 0;

    MeshStore store_;
    std::uint64_t floor_ = 0, plinth_ = 0, rim_[2] = {};
};

/// Makes the shapes and sets the number of bodies of each, so that all bodies fill the requested share of the
/// arena.
Status CrowdScene::make_kinds(double radius, std::uint64_t seed) {
    const std::vector<CrowdRecipe> recipes = crowd_recipes(parameters_.integer(kMix));
    const auto bodies = static_cast<std::uint32_t>(parameters_.integer(kBodies));
    double shares = 0, cubes = 0;
    for (const CrowdRecipe& r : recipes) {
        shares += static_cast<double>(r.share);
        cubes += static_cast<double>(r.share * r.size * r.size * r.size);
    }
    const double unit = radius / collision::cube_root(cubes / shares);
    double passed = 0;
    std::uint32_t first = 0;
    for (const CrowdRecipe& r : recipes) {
        passed += static_cast<double>(r.share);
        const auto end = static_cast<std::uint32_t>(std::llround(bodies * passed / shares));
        Kind kind;
        kind.radius = static_cast<float>(unit) * r.size;
        auto shape = make_crowd_shape(r, kind.radius, seed);
        if (!shape.ok()) return shape.error();
        kind.shape = shape.value();
        kind.first = first;
        kind.count = end - first;
        kind.mesh = store_.add(kind.shape);
        kinds_.push_back(std::move(kind));
        first = end;
    }
    return Done{};
}

Status CrowdScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    parameters_ = parameters;
    obstacles_ = crowd_obstacles(parameters.integer(kObstacles));
    const double air = 4.0 * static_cast<double>(kArena.x * kArena.y * kArena.z);
    const double volume = air * parameters[kDensity] / 100 / parameters[kBodies];
    const double radius = collision::cube_root(volume * 3 / (4 * collision::kPi));
    if (Status made = make_kinds(radius, collision::mix64(seed ^ 1)); !made.ok()) return made;
    std::vector<float> radii;
    for (const Kind& kind : kinds_) radii.insert(radii.end(), kind.count, kind.radius);
    flock_.build(radii, obstacles_, collision::mix64(seed ^ 2));
    set_parameters(parameters);
    if (Status added = add_bodies(world); !added.ok()) return added;
    if (Status added = add_obstacles(world); !added.ok()) return added;
    world.set_interest(kObstacleGroup, kObstacleGroup, {.test = false});
    build_decoration();
    return Done{};
}

Status CrowdScene::add_bodies(collision::World& world) {
    const std::size_t count = flock_.size();
    ids_.resize(count);
    shade_.resize(count);
    glow_.resize(count);
    for (const Kind& kind : kinds_)
        for (std::uint32_t i = kind.first; i < kind.first + kind.count; ++i) {
            auto id = world.add_body({kind.shape, flock_.pose(i), kBodyGroup, false, i});
            if (!id.ok()) return id.error();
            ids_[i] = id.value();
            shade(i);
        }
    return Done{};
}

Status CrowdScene::add_obstacles(collision::World& world) {
    for (const Obstacle& o : obstacles_) {
        auto shape = make_obstacle_shape(o);
        if (!shape.ok()) return shape.error();
        obstacle_shape_.push_back(shape.value());
        obstacle_mesh_.push_back(store_.add(shape.value()));
        auto id = world.add_body(
            {shape.value(), {{}, collision::cast<double>(o.at)}, kObstacleGroup, false, ids_.size()});
        if (!id.ok()) return id.error();
        ids_.push_back(id.value());
    }
    return Done{};
}

void CrowdScene::build_decoration() {
    constexpr float kRim = 0.05f;
    floor_ = store_.add(disc_mesh(40, 96));
    plinth_ =
        store_.add(box_mesh({kArena.x + 2 * kRim, static_cast<float>(kPlinth / 2), kArena.z + 2 * kRim}));
    rim_[0] = store_.add(box_mesh({kArena.x + 2 * kRim, kRim, kRim}));
    rim_[1] = store_.add(box_mesh({kRim, kRim, kArena.z}));
}

void CrowdScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    flock_.set_motion({static_cast<float>(parameters[kSpeed] / kFrames),
                       static_cast<float>(parameters[kTurn] * collision::kPi / 180),
                       parameters[kMoving] / 100});
}

void CrowdScene::shade(std::uint32_t body) {
    shade_[body] = heat_shade(glow_[body], flock_.heading(body));
}

std::string CrowdScene::name(std::uint32_t body) const {
    if (body < flock_.size()) return "body " + std::to_string(body);
    const std::size_t o = body - flock_.size();
    return obstacles_[o].kind == Obstacle::Kind::ring ? "the ring" : "column " + std::to_string(o);
}

/// Names of a pair for a narrow row: "Bodies 12, 7", "Column 3, 12". Bodies have lower numbers than
/// obstacles.
std::string CrowdScene::short_names(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t high = std::max(a, b), low = std::min(a, b);
    if (high < flock_.size()) return "Bodies " + std::to_string(a) + ", " + std::to_string(b);
    return capitalised(name(high) + ", " + std::to_string(low));
}

void CrowdScene::begin(const Event& e, std::uint32_t a, std::uint32_t b, std::uint64_t frame) {
    const auto count = static_cast<std::uint32_t>(flock_.size());
    if (a < count && b < count)
        flock_.bounce(a, b);
    else
        flock_.bounce_off(std::min(a, b), obstacles_[std::max(a, b) - count]);
    marks_.add(e.point_w, a, b, frame);
    ++open_;
}

void CrowdScene::respond(std::uint64_t frame, StepOutput& output) {
    for (const Event& e : batch_.events) {
        if (e.kind == EventKind::stay) continue;
        const bool begins = e.kind == EventKind::begin;
        // Bodies are added in order and never removed, so the slot equals the body number.
        const std::uint32_t a = e.a.slot, b = e.b.slot;
        CLAYBOX_ASSERT(ids_[a] == e.a && ids_[b] == e.b);
        if (begins)
            begin(e, a, b, frame);
        else
            --open_;
        for (const std::uint32_t body : {a, b})
            if (body < flock_.size()) glow_.heat_up(body, begins ? 1 : -1);
        if (output.events.size() >= kMaxEventTexts) continue;
        output.events.push_back({begins ? SceneEvent::Kind::collision_begin : SceneEvent::Kind::collision_end,
                                 e.frame, short_names(a, b)});
    }
}

void CrowdScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    frame_ = input.frame;
    glow_.cool_down();
    world.poll_events(batch_);
    respond(input.frame, output);
    flock_.advance(input.frame);
    for (std::uint32_t i = 0; i < flock_.size(); ++i) {
        shade(i);
        if (!flock_.moves(i)) continue;
        [[maybe_unused]] const Status moved = world.move(ids_[i], flock_.pose(i));
        CLAYBOX_ASSERT(moved.ok());
    }
    world.publish(input.frame);
    world.check();
}

void CrowdScene::view_arena(SceneView& out) const {
    out.drawables.push_back(shadowless(floor_, Material::floor, {0, -kPlinth - 0.002, 0}));
    out.drawables.push_back(decoration(plinth_, Material::plinth, {0, -kPlinth / 2, 0}));
    const double x = static_cast<double>(kArena.x) + 0.05, z = static_cast<double>(kArena.z) + 0.05;
    for (const double side : {-1.0, 1.0}) {
        out.drawables.push_back(decoration(rim_[0], Material::corner, {0, 0.05, side * z}));
        out.drawables.push_back(decoration(rim_[1], Material::corner, {side * x, 0.05, 0}));
    }
    for (std::size_t k = 0; k < obstacles_.size(); ++k) {
        const Obstacle& o = obstacles_[k];
        const bool ring = o.kind == Obstacle::Kind::ring;
        Drawable d = decoration(obstacle_mesh_[k], Material::shelf, collision::cast<double>(o.at));
        d.pick = static_cast<std::uint32_t>(flock_.size() + k);
        if (!ring) d.occluder_radius = 1.1f * o.radius;
        out.drawables.push_back(d);
    }
}

void CrowdScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    out.looks = heat_looks();
    view_arena(out);
    for (const Kind& kind : kinds_) {
        if (kind.count == 0) continue;
        ViewCrowd crowd;
        crowd.mesh = kind.mesh;
        crowd.positions = flock_.positions().subspan(kind.first, kind.count);
        crowd.rotations = flock_.rotations().subspan(kind.first, kind.count);
        crowd.shades = std::span(shade_).subspan(kind.first, kind.count);
        crowd.radius = kind.radius;
        crowd.first_pick = kind.first;
        out.crowds.push_back(crowd);
    }
    if (options.bounds) view_some_bounds(out);
    if (options.witness)
        marks_.view(
            frame_, options.labels, [this](std::uint32_t body) { return name(body); }, out);
}

/// Draws at most about kMaxBoxes boxes, of evenly chosen bodies.
void CrowdScene::view_some_bounds(SceneView& out) const {
    const std::size_t every = flock_.size() / kMaxBoxes + 1;
    for (const Kind& kind : kinds_)
        for (std::uint32_t i = kind.first; i < kind.first + kind.count; ++i)
            if (i % every == 0) view_bounds(kind.shape->geometry().box, flock_.pose(i), out);
}

ViewCamera CrowdScene::camera() const {
    return {
        .position = {0.7f, 11.0f, 12.9f}, .target = {0, 0.1f, 0.1f}, .vertical_fov = 0.70f, .far_plane = 90};
}

ViewLight CrowdScene::light() const {
    return {.towards = {-0.5f, 0.8f, 0.34f},
            .shadow_half_width = 7.6f,
            .shadow_centre = {0, 0.4f, 0},
            .fade_start = 14,
            .fade_end = 32};
}

std::vector<Figure> CrowdScene::figures() const {
    const double mean = parameters_[kMoving] / 100 * static_cast<double>(flock_.size());
    return {{"contacts", "Contacts now", static_cast<double>(open_)},
            {"hits", "Hits so far", static_cast<double>(marks_.count())},
            {"movers", "Moving bodies (approx.)", mean}};
}

std::string CrowdScene::describe_pick(std::uint32_t pick) const {
    if (pick >= ids_.size()) return {};
    const collision::Shape* shape = nullptr;
    if (pick >= flock_.size()) {
        shape = obstacle_shape_[pick - flock_.size()].get();
    } else {
        for (const Kind& kind : kinds_)
            if (pick - kind.first < kind.count) shape = kind.shape.get();
    }
    return capitalised(name(pick)) + ": " + shape_words(*shape);
}

}  // namespace

const SceneDescriptor& describe_crowd() {
    static const SceneDescriptor descriptor{
        "crowd",
        "Crowd",
        "Up to 100,000 bodies drift around columns and through a ring. Bodies that collide bounce off and "
        "glow.",
        kParameters,
        kRebuild,
        {},
        false,
        &make_scene<CrowdScene>};
    return descriptor;
}

}  // namespace claybox::app
