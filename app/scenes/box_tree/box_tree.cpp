// Two bodies turn around each other, with the leaf boxes of their box-trees. Boxes that overlap a leaf box
// of the other body are highlighted (Zachmann's thesis, figure 3.31). The picture comes from the trace of the
// pair algorithm box_tree. The world tests the same bodies with its own pair algorithm.

#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/two_bodies.hpp"
#include "collision/core/trace_record.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace claybox::app {

using collision::Aabb;
using collision::Done;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum SceneParameter : std::size_t {
    kBodies,
    kPolygons,
    kDepth,
    kMin,
    kEmptyLeaves,
    kCuts,
    kShow,
    kSpeed,
    kTurn
};
enum Show : int { kAllBoxes, kOverlappingBoxes };

constexpr const char* kBodyNames[] = {"ring_and_flake", "rings", "flakes", "spheres"};
constexpr std::array<std::array<collision::Primitive, 2>, 4> kPrimitives{
    {{collision::Primitive::torus, collision::Primitive::tetra_flake},
     {collision::Primitive::torus, collision::Primitive::torus},
     {collision::Primitive::tetra_flake, collision::Primitive::tetra_flake},
     {collision::Primitive::uv_sphere, collision::Primitive::uv_sphere}}};
constexpr const char* kCutNames[] = {"penalty", "middle"};
constexpr const char* kShowNames[] = {"all", "overlapping"};

const Parameter kParameters[] = {
    {"bodies", "Bodies", ParameterKind::choice, 0, 0, 3, "",
     "Zachmann, thesis, 3.6.5: spheres, tori, tetra-flakes", "The shapes of the two bodies.", false,
     kBodyNames},
    {"polygons", "Polygons", ParameterKind::integer, 300, 12, 5000, "",
     "ours: fine enough to recognise the shape", "Polygons per body, as close as the shape allows.", true},
    {"d_max", "Maximum depth", ParameterKind::integer, 6, 0, 12, "", "ours: few enough boxes to see each one",
     "Levels of the tree: how often a box is split."},
    {"min", "Leaf polygons", ParameterKind::integer, 4, 1, 100, "", "ours: few enough boxes to see each one",
     "A box with at most this many polygons becomes a leaf."},
    {"empty_leaves", "Empty leaves", ParameterKind::toggle, 0, 0, 1, "",
     "Zachmann, thesis, 3.6.3, other criteria", "Cuts off empty space first. Empty boxes are not drawn."},
    {"cuts", "Split position", ParameterKind::choice, 0, 0, 1, "", "Zachmann, thesis, 3.6.3 and 3.6.4",
     "penalty: few polygons cross the split and both sides are balanced. middle: half of the box.", false,
     kCutNames},
    {"show", "Boxes shown", ParameterKind::choice, 0, 0, 1, "", "ours: the figure shows all",
     "All leaf boxes, or only those that overlap one of the other body.", false, kShowNames},
    {"speed", "Speed", ParameterKind::real, 0.5, 0, 10, "° per frame", "ours: calm to look at",
     "How far the bodies move along their closed path per frame."},
    {"rotation", "Rotation", ParameterKind::real, 0.4, 0, 30, "° per frame", "ours: calm to look at",
     "How far both bodies turn per frame."},
};

constexpr float kRadius = 0.5f;  // metres
constexpr Vec3d kCentre{0, 0.62, 0};
constexpr std::size_t kMaxHits = 4096;

collision::SinCos degrees(double angle) {
    return collision::sin_cos(angle * collision::kPi / 180);
}

bool is_leaf(const collision::TraceItem& item, bool overlapping) {
    return item.kind == collision::TraceItem::Kind::box &&
           item.label == std::string_view(overlapping ? "overlapping leaf box" : "leaf box");
}

class BoxTreeScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-1.2f, 0.1f, -0.6f}, {1.2f, 1.3f, 0.8f}}; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    struct Body : PairBody {
        collision::ShapePtr shape;
        std::shared_ptr<const collision::Prepared> prepared;
    };
    using Item = collision::TraceItem;
    Status add_body(collision::World& world, std::size_t which, std::uint64_t seed);
    void place();
    void query();
    void set(const char* id, double value, ParameterValues& out) const;
    void view_boxes(bool overlapping, const Vec3d& eye, SceneView& out) const;
    std::size_t owner(const Item& box) const;
    void view_summary(SceneView& out) const;

    ParameterValues parameters_;
    const collision::PairAlgorithm* algorithm_ = collision::find_pair_algorithm("box_tree");
    std::array<Body, 2> bodies_;
    double orbit_ = 0, turn_ = 0;  ///< degrees so far
    collision::TraceRecord trace_;
    collision::PairResult result_;
    std::size_t leaves_ = 0, overlapping_leaves_ = 0, intersection_points_ = 0;
    collision::Scratch scratch_;
    std::vector<collision::Hit> hits_ = std::vector<collision::Hit>(kMaxHits);
    collision::EventBatch batch_;
    MeshStore store_;
    std::uint64_t floor_ = 0;
};

Status BoxTreeScene::add_body(collision::World& world, std::size_t which, std::uint64_t seed) {
    Body& body = bodies_[which];
    const auto primitive = kPrimitives[static_cast<std::size_t>(parameters_.integer(kBodies))][which];
    const auto polygons = static_cast<std::uint32_t>(parameters_.integer(kPolygons));
    auto shape = collision::make_primitive_shape(primitive, polygons, kRadius, seed);
    if (!shape.ok()) return shape.error();
    body.shape = shape.value();
    body.prepared = algorithm_->prepare(*body.shape, body.shape->geometry());
    body.mesh = store_.add(body.shape);
    auto id = world.add_body({body.shape, body.pose, 0, false, which});
    if (!id.ok()) return id.error();
    body.id = id.value();
    return Done{};
}

Status BoxTreeScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    parameters_ = parameters;
    floor_ = store_.add(disc_mesh(8, 64));
    place();
    for (std::size_t which = 0; which < 2; ++which)
        if (Status added = add_body(world, which, seed); !added.ok()) return added;
    query();
    return Done{};
}

/// The bodies move on opposite sides of an ellipse. Their centre stays fixed; they approach and separate, and
/// neither ever hides inside the other.
void BoxTreeScene::place() {
    const collision::SinCos orbit = degrees(orbit_ + 40), wave = degrees(2 * orbit_);
    const Vec3d half{0.41 + 0.17 * orbit.cos, 0.05 * wave.sin, 0.12 * orbit.sin};
    bodies_[0].pose = {
        collision::axis_angle(collision::normalized(Vec3d{0.25, 1, 0.2}), turn_ * collision::kPi / 180) *
            collision::axis_angle({1, 0, 0}, 1.15),
        kCentre - half};
    bodies_[1].pose = {collision::axis_angle(collision::normalized(Vec3d{-0.3, 1, 0.4}),
                                             -1.3 * turn_ * collision::kPi / 180) *
                           collision::axis_angle({0, 0, 1}, 0.4),
                       kCentre + half};
}

void BoxTreeScene::set(const char* id, double value, ParameterValues& out) const {
    const std::size_t index = collision::find_parameter(algorithm_->parameters, id);
    CLAYBOX_ASSERT(index < algorithm_->parameters.size());
    out[index] = value;
}

void BoxTreeScene::query() {
    scratch_.reset();
    collision::HitSink sink{hits_};
    collision::PairQuery q =
        collision::make_pair_query(*bodies_[0].shape, collision::to_matrix(bodies_[0].pose),
                                   *bodies_[1].shape, collision::to_matrix(bodies_[1].pose), scratch_);
    q.a.prepared = bodies_[0].prepared.get();
    q.b.prepared = bodies_[1].prepared.get();
    q.parameters = collision::default_values(algorithm_->parameters);
    set("d_max", parameters_[kDepth], q.parameters);
    set("min", parameters_[kMin], q.parameters);
    set("lambda", 0.8, q.parameters);  // only Leaf polygons and Maximum depth end the splits
    set("empty_leaves", parameters_[kEmptyLeaves], q.parameters);
    set("cuts", parameters_[kCuts], q.parameters);
    q.wants = collision::kWantAllHits;
    q.hits = &sink;
    trace_.clear();
    collision::PairCache cache;
    result_ = collision::run_query(*algorithm_, q, cache, &trace_);
    leaves_ = overlapping_leaves_ = intersection_points_ = 0;
    for (const Item& item : trace_.items()) {
        intersection_points_ += item.kind == Item::Kind::point ? 1 : 0;
        overlapping_leaves_ += is_leaf(item, true) ? 1 : 0;
        leaves_ += is_leaf(item, true) || is_leaf(item, false) ? 1 : 0;
    }
}

void BoxTreeScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    query();
}

void BoxTreeScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    orbit_ += parameters_[kSpeed];
    turn_ += parameters_[kTurn];
    place();
    query();
    step_pair(world, input.frame, bodies_[0], bodies_[1], batch_, "A and B", output);
}

/// The body whose axes the box has.
std::size_t BoxTreeScene::owner(const Item& box) const {
    const auto turned_against = [&](std::size_t body) {
        const Vec3d along = collision::rotate(collision::conjugate(bodies_[body].pose.rotation),
                                              collision::normalized(box.along[0], Vec3d{1, 0, 0}));
        return 1 - std::max({std::abs(along.x), std::abs(along.y), std::abs(along.z)});
    };
    return turned_against(0) <= turned_against(1) ? 0 : 1;
}

/// Boxes that overlap have the colour of their body. The others step back, the more the more there are.
void BoxTreeScene::view_boxes(bool overlapping, const Vec3d& eye, SceneView& out) const {
    constexpr double kFew = 30;
    const double many = static_cast<double>(leaves_ - overlapping_leaves_);
    ViewLine look{{}, {}, Ink::bounds, 1, false, 1};
    if (overlapping_leaves_ > 0) look.opacity = static_cast<float>(std::clamp(kFew / many, 0.25, 0.6));
    for (const Item& item : trace_.items()) {
        if (!is_leaf(item, overlapping)) continue;
        if (overlapping) look = {{}, {}, owner(item) == 0 ? Ink::accent : Ink::witness, 2, true, 1};
        view_solid_box(item.p, item.along, eye, look, out);
    }
}

/// Draws the result of the traversal as one line below the bodies.
void BoxTreeScene::view_summary(SceneView& out) const {
    char text[80];
    std::snprintf(text, sizeof text, "Overlapping leaf boxes: %zu of %zu", overlapping_leaves_, leaves_);
    out.labels.push_back(
        {collision::cast<float>(kCentre - Vec3d{0, 0.74, -0.2}), text, Ink::dimension, false, {}, 0});
}

void BoxTreeScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    out.drawables.push_back(decoration(floor_, Material::floor));
    const bool colliding = result_.verdict == collision::Verdict::colliding;
    view_pair(bodies_[0], bodies_[1], colliding, 0.35f, out);
    if (!options.witness) return;
    const Vec3d from = collision::cast<double>(eye(options).position);
    if (parameters_.integer(kShow) == kAllBoxes) view_boxes(false, from, out);
    view_boxes(true, from, out);
    for (const Item& item : trace_.items())
        if (item.kind == Item::Kind::point)
            out.points.push_back({collision::cast<float>(item.p), Ink::colliding, 3});
    if (options.labels) view_summary(out);
}

ViewCamera BoxTreeScene::camera() const {
    return {.position = {0.37f, 1.2f, 3.35f}, .target = {0, 0.6f, 0}, .vertical_fov = 0.52f};
}

ViewLight BoxTreeScene::light() const {
    return {.shadow_half_width = 2};
}

std::vector<Figure> BoxTreeScene::figures() const {
    return {{"leaf_boxes", "Leaf boxes", static_cast<double>(leaves_)},
            {"overlapping_leaf_boxes", "Overlapping leaf boxes", static_cast<double>(overlapping_leaves_)},
            {"box_tests", "Box tests", static_cast<double>(result_.counters[0])},
            {"edge_tests", "Edge tests", static_cast<double>(result_.counters[4])},
            {"intersection_points", "Intersection points", static_cast<double>(intersection_points_)},
            {"colliding", "Colliding", result_.verdict == collision::Verdict::colliding ? 1.0 : 0.0}};
}

std::string BoxTreeScene::describe_pick(std::uint32_t pick) const {
    if (pick >= bodies_.size()) return {};
    return std::string(pick == 0 ? "Body A" : "Body B") + ": " +
           std::to_string(bodies_[pick].shape->topology().polygon_count()) + " polygons";
}

}  // namespace

const SceneDescriptor& describe_box_tree() {
    static const SceneDescriptor descriptor{
        "box_tree",
        "Box tree",
        "Two box-trees, traversed together. Leaf boxes that overlap one of the other body are highlighted.",
        kParameters,
        1u << kBodies | 1u << kPolygons,
        {},
        false,
        &make_scene<BoxTreeScene>,
        true};
    return descriptor;
}

}  // namespace claybox::app
