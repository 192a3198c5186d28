// Solids on a table that hands grasp and hold against each other. Every frame measures the distance of the
// closest pair or the depth of the deepest overlap. There is no gravity: a released solid drifts a little and
// stops.

#include "app/scenes/hands/grasp.hpp"
#include "app/scenes/hands/hand_bodies.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/bvh/ray_shape.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::EventKind;
using collision::kNoIndex;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Primitive;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum SolidsParameter : std::size_t { kSolids, kSize, kDetail };
enum SolidsGroup : unsigned { kSolidGroup, kPartGroup, kTipGroup };
enum SolidsAction : std::uint32_t { kPutBack };

const Parameter kParameters[] = {
    {"solids", "Solids", ParameterKind::integer, 8, 2, 16, "", "ours: within reach of two hands",
     "Number of solids on the table.", true},
    {"size", "Size", ParameterKind::real, 34, 15, 60, "mm", "ours: fits between thumb and forefinger",
     "Radius of the bounding sphere of a solid."},
    {"detail", "Corners", ParameterKind::integer, 40, 8, 2000, "", "ours: visible facets",
     "Corners of the hulls, polygons of the other solids.", true},
};
constexpr std::uint32_t kRebuild = 1u << kSolids | 1u << kSize | 1u << kDetail;
constexpr const char* kActions[] = {"Put back"};

constexpr Primitive kKinds[] = {Primitive::box,         Primitive::ellipsoid_hull, Primitive::cylinder,
                                Primitive::tetrahedron, Primitive::plate_hull,     Primitive::uv_sphere,
                                Primitive::cone,        Primitive::rod_hull};
constexpr double kSpacing = 0.115, kRowDepth = 0.115;  // metres between neighbours on the table
constexpr std::size_t kColumns = 4;
constexpr double kTableHalf = 0.02;  // half of the thickness, metres; the top is at y = 0
constexpr Vec3d kTablePlace{0, -kTableHalf, 0.05};
constexpr double kSlowing = 0.90;  // factor of the drift per frame
constexpr double kStill = 1e-5;    // metres per frame; slower drift stops
constexpr std::uint64_t kSolidMeshes = 1, kHandMeshes = 1000;
constexpr std::size_t kMaxEventTexts = 16;
constexpr double kLabelAbove = 0.018;  // metres above the measured line, which stays visible
const Aabb kRoom{{-0.45f, 0, -0.30f}, {0.45f, 0.60f, 0.35f}};

// Curls of the open hand and of a pinch, and the point in the wrist frame where thumb and forefinger touch
// (from the hand model; a test compares them).
constexpr std::array<float, 5> kOpenCurl{0.0f, 0.10f, 0.45f, 0.55f, 0.62f},
    kPinchCurl{0.35f, 0.57f, 0.60f, 0.66f, 0.72f};
constexpr Vec3d kPinchFromWrist{-0.03571, -0.06059, -0.09579};

struct Solid {
    BodyId id;
    collision::ShapePtr shape;
    std::uint64_t mesh = 0;
    Pose start, pose;
    Vec3d drift;  ///< metres per frame
    std::uint32_t contacts = 0;
};

/// Measured distance or depth of two solids.
struct Measure {
    std::uint32_t a = kNoIndex, b = kNoIndex;
    bool colliding = false;
    double distance = 0;  ///< metres; the depth if they collide
    Vec3d from, to;       ///< closest points; the penetration vector if they collide
};

/// Hand pose with the pinch point at `at`.
HandKey pinch_at(std::uint64_t frame, const Vec3d& at, const std::array<float, 5>& curl) {
    const collision::Quat rotation = looking({-0.42, -0.52, -0.74}, {-0.10, 0.80, -0.55});
    return {frame, {rotation, at - collision::rotate(rotation, kPinchFromWrist)}, curl};
}

Vec3d place_on_table(std::size_t number, std::size_t count) {
    const std::size_t columns = std::min(kColumns, count), rows = (count + columns - 1) / columns;
    const auto column = static_cast<double>(number % columns), row = static_cast<double>(number / columns);
    return {(column - 0.5 * static_cast<double>(columns - 1)) * kSpacing, 0,
            (row - 0.5 * static_cast<double>(rows - 1)) * kRowDepth};
}

/// Carries the third solid to its left neighbour, pushes it in, and releases it above the table.
std::span<const HandKey> show_script() {
    const Vec3d third = place_on_table(2, 8) + Vec3d{0, 0.030, 0}, second = place_on_table(1, 8);
    const Vec3d beside = second + Vec3d{0.030, 0.045, 0}, above = second + Vec3d{0.100, 0.130, 0.030};
    static const HandKey keys[] = {pinch_at(1, third + Vec3d{0.15, 0.16, 0.12}, kOpenCurl),
                                   pinch_at(50, third + Vec3d{0.012, 0.030, 0.016}, kOpenCurl),
                                   pinch_at(70, third, kOpenCurl),
                                   pinch_at(84, third, kPinchCurl),
                                   pinch_at(120, third + Vec3d{0, 0.070, 0}, kPinchCurl),
                                   pinch_at(170, beside, kPinchCurl),
                                   pinch_at(210, beside, kPinchCurl),
                                   pinch_at(250, above, kPinchCurl),
                                   pinch_at(270, above, kPinchCurl),
                                   pinch_at(284, above, kOpenCurl),
                                   pinch_at(340, above + Vec3d{0.15, 0.10, 0.12}, kOpenCurl)};
    return keys;
}

double lowest(const collision::Geometry& geometry, const Pose& pose) {
    double low = 1e30;
    for (const Vec3f& p : geometry.positions)
        low = std::min(low, transform_point(pose, collision::cast<double>(p)).y);
    return low;
}

class SolidsScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override { parameters_ = parameters; }
    void meshes(std::vector<ViewMesh>& out) const override;
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return kRoom; }
    HandKey hand_rest() const override { return pinch_at(0, {0.16, 0.14, 0.16}, kOpenCurl); }
    std::optional<HandAim> hand_aim(const Vec3d& origin, const Vec3d& direction) const override;
    bool hand_pinches() const override { return true; }
    bool hand_holds() const override;
    bool waits() const override { return true; }
    std::vector<Figure> figures() const override;
    std::span<const HandKey> script() const override { return show_script(); }
    std::string describe_pick(std::uint32_t pick) const override;
    std::vector<SceneGroup> groups() const override {
        return {{kSolidGroup, "Solids", -1, solids_.size()}, {kPartGroup, "Hand"}, {kTipGroup, "Fingertips"}};
    }

  private:
    Status add_solid(collision::World& world, std::size_t number, std::uint64_t seed);
    void respond(std::uint64_t frame, StepOutput& output);
    void use_hand(std::size_t hand, const StepInput& input, StepOutput& output);
    void advance(std::uint32_t number);
    void stop_hand(std::size_t hand, const HandInput& input);
    bool is_held(std::uint32_t number) const;
    Side holder_of(std::uint32_t a, std::uint32_t b) const;
    void measure();
    void measure(std::uint32_t a, std::uint32_t b);
    std::string name(std::uint32_t number) const;
    Pose motion_with(const std::array<HandInput, 2>* newest, std::uint32_t solid) const;
    void view_measure(const ViewOptions& options, SceneView& out) const;

    ParameterValues parameters_;
    std::vector<Solid> solids_;
    std::vector<std::uint32_t> solid_of_slot_;
    std::array<Grasp, 2> grasp_;
    std::array<std::uint32_t, 2> leaving_{kNoIndex,
                                          kNoIndex};  ///< solid that each hand released but still touches
    std::vector<Graspable> free_;
    HandBodies hands_{kPartGroup, kTipGroup, kHandMeshes};
    std::array<std::uint32_t, kTwoHands> touched_{};  ///< number of solids that each part touches
    Measure measure_;
    collision::Scratch scratch_;
    collision::EventBatch batch_;
    std::uint64_t taken_ = 0, hits_ = 0;
    MeshStore store_{kSolidMeshes};
    collision::ShapePtr table_shape_;
    std::uint64_t table_ = 0;
    std::vector<HandWall> walls_;  ///< of the current hand
};

Status SolidsScene::add_solid(collision::World& world, std::size_t number, std::uint64_t seed) {
    const Primitive kind = kKinds[number % std::size(kKinds)];
    const auto radius = static_cast<float>(parameters_[kSize] / 1000);
    auto shape =
        collision::make_primitive_shape(kind, static_cast<std::uint32_t>(parameters_.integer(kDetail)),
                                        radius, collision::mix64(seed + number));
    if (!shape.ok()) return shape.error();
    Solid solid;
    solid.shape = std::move(shape).value();
    solid.mesh = store_.add(solid.shape);
    solid.start.translation = place_on_table(number, static_cast<std::size_t>(parameters_.integer(kSolids)));
    solid.start.translation.y -= lowest(solid.shape->geometry(), solid.start);
    solid.pose = solid.start;
    auto id = world.add_body({solid.shape, solid.pose, kSolidGroup, false, number});
    if (!id.ok()) return id.error();
    solid.id = id.value();
    if (solid.id.slot >= solid_of_slot_.size()) solid_of_slot_.resize(solid.id.slot + 1, kNoIndex);
    solid_of_slot_[solid.id.slot] = static_cast<std::uint32_t>(number);
    solids_.push_back(std::move(solid));
    return Done{};
}

Status SolidsScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    parameters_ = parameters;
    for (unsigned a = kSolidGroup; a <= kTipGroup; ++a)
        for (unsigned b = a; b <= kTipGroup; ++b)
            world.set_interest(a, b, {a == kSolidGroup, collision::kWantVerdict, 0});
    for (std::size_t i = 0; i < static_cast<std::size_t>(parameters.integer(kSolids)); ++i)
        if (Status added = add_solid(world, i, seed); !added.ok()) return added;
    auto table =
        collision::Shape::from_polygons(box_mesh({0.75f, static_cast<float>(kTableHalf), 0.45f}), "table");
    if (!table.ok()) return table.error();
    table_shape_ = std::move(table).value();
    table_ = store_.add(table_shape_);
    return Done{};
}

void SolidsScene::respond(std::uint64_t frame, StepOutput& output) {
    for (const collision::Event& e : batch_.events) {
        if (e.kind == EventKind::stay) continue;
        const bool begins = e.kind == EventKind::begin;
        for (const BodyId body : {e.a, e.b}) {
            const auto part = hands_.find(body);
            if (part)
                touched_[*part] =
                    begins ? touched_[*part] + 1 : touched_[*part] - std::min(touched_[*part], 1u);
        }
        const auto solid = [&](BodyId body) {
            const std::uint32_t n = body.slot < solid_of_slot_.size() ? solid_of_slot_[body.slot] : kNoIndex;
            return n != kNoIndex && solids_[n].id == body ? n : kNoIndex;
        };
        const std::uint32_t a = solid(e.a), b = solid(e.b);
        if (a == kNoIndex || b == kNoIndex) continue;
        for (const std::uint32_t n : {a, b}) solids_[n].contacts += begins ? 1u : ~0u;
        hits_ += begins ? 1 : 0;
        if (output.events.size() >= kMaxEventTexts) continue;
        output.events.push_back({begins ? SceneEvent::Kind::collision_begin : SceneEvent::Kind::collision_end,
                                 frame, capitalised(name(a)) + " and " + name(b), holder_of(a, b)});
    }
}

bool SolidsScene::is_held(std::uint32_t number) const {
    return std::any_of(grasp_.begin(), grasp_.end(),
                       [&](const Grasp& g) { return g.kind() != Grasp::Kind::none && g.body() == number; });
}

/// The hand that holds one of the two solids; the right hand if both do.
Side SolidsScene::holder_of(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t hand = 0; hand < grasp_.size(); ++hand) {
        const Grasp& g = grasp_[hand];
        if (g.kind() != Grasp::Kind::none && (g.body() == a || g.body() == b)) return side_of_hand(hand);
    }
    return Side::none;
}

bool SolidsScene::hand_holds() const {
    return grasp_[0].kind() != Grasp::Kind::none;
}

void SolidsScene::use_hand(std::size_t hand, const StepInput& input, StepOutput& output) {
    free_.clear();
    for (std::uint32_t i = 0; i < solids_.size(); ++i)
        if (!is_held(i)) free_.push_back({i, solids_[i].shape.get(), solids_[i].pose});
    Grasp& grasp = grasp_[hand];
    const Grasp::Change change = grasp.update(input.hand[hand], hands_.shapes(hand), free_);
    if (grasp.kind() != Grasp::Kind::none) solids_[grasp.body()].pose = grasp.pose();
    if (change == Grasp::Change::taken) {
        ++taken_;
        solids_[grasp.body()].drift = {};
        output.events.push_back(
            {SceneEvent::Kind::taken, input.frame, capitalised(name(grasp.body())), side_of_hand(hand)});
    }
    if (change == Grasp::Change::dropped) {
        solids_[grasp.body()].drift = grasp.velocity();
        leaving_[hand] = grasp.body();
        output.events.push_back(
            {SceneEvent::Kind::dropped, input.frame, capitalised(name(grasp.body())), side_of_hand(hand)});
    }
}

/// Applies the drift and keeps the solid above the table and inside kRoom.
void SolidsScene::advance(std::uint32_t number) {
    Solid& solid = solids_[number];
    Vec3d& p = solid.pose.translation;
    if (!is_held(number)) {
        p = p + solid.drift;
        solid.drift = solid.drift * kSlowing;
        if (length(solid.drift) < kStill) solid.drift = {};
    }
    p = {std::clamp(p.x, static_cast<double>(kRoom.min.x), static_cast<double>(kRoom.max.x)), p.y,
         std::clamp(p.z, static_cast<double>(kRoom.min.z), static_cast<double>(kRoom.max.z))};
    p.y -= std::min(0.0, lowest(solid.shape->geometry(), solid.pose));
    p.y = std::min(p.y, static_cast<double>(kRoom.max.y));
}

/// Keeps the drawn hand out of the table. An empty hand also stays out of the solids. A hand that holds a
/// solid may pass through others, like the solid; otherwise it would be drawn away from it. A solid that was
/// just released does not stop the hand until the fingers have left it.
void SolidsScene::stop_hand(std::size_t hand, const HandInput& input) {
    Grasp& grasp = grasp_[hand];
    std::uint32_t& leaving = leaving_[hand];
    if (leaving != kNoIndex) {
        const Graspable body{leaving, solids_[leaving].shape.get(), solids_[leaving].pose};
        if (!input.present || !grasp.touches(input, hands_.shapes(hand), body)) leaving = kNoIndex;
    }
    walls_.clear();
    walls_.push_back({table_shape_.get(), {{}, kTablePlace}});
    const bool holds = grasp.kind() != Grasp::Kind::none;
    for (std::uint32_t i = 0; i < solids_.size() && !holds; ++i)
        if (i != leaving) walls_.push_back({solids_[i].shape.get(), solids_[i].pose});
    hands_.stop_at(hand, walls_);
}

void SolidsScene::measure(std::uint32_t a, std::uint32_t b) {
    static const collision::PairAlgorithm& algorithm = *collision::find_pair_algorithm("best");
    const Solid &first = solids_[a], &second = solids_[b];
    collision::PairQuery query =
        collision::make_pair_query(*first.shape, collision::to_matrix(first.pose), *second.shape,
                                   collision::to_matrix(second.pose), scratch_);
    query.wants = collision::kWantDistance | collision::kWantDepth;
    collision::PairCache cache;
    const collision::PairResult result = collision::run_query(algorithm, query, cache);
    const bool colliding = result.verdict == collision::Verdict::colliding;
    const double value = colliding ? -result.depth : result.distance;
    const double best = measure_.colliding ? -measure_.distance : measure_.distance;
    if (measure_.a != kNoIndex && value >= best) return;
    measure_ = {
        a, b, colliding, colliding ? result.depth : result.distance, result.closest_a_w, result.closest_b_w};
    if (!colliding) return;
    measure_.from = (first.pose.translation + second.pose.translation) * 0.5;
    measure_.to = measure_.from + result.depth_direction_w * result.depth;
}

/// Measures the closest pair; if a hand holds solids, one of the pair is held.
void SolidsScene::measure() {
    measure_ = {};
    const auto count = static_cast<std::uint32_t>(solids_.size());
    bool any_held = false;
    for (std::uint32_t i = 0; i < count; ++i) any_held = any_held || is_held(i);
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t j = i + 1; j < count; ++j)
            if (!any_held || is_held(i) || is_held(j)) measure(i, j);
}

void SolidsScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    world.poll_events(batch_);
    respond(input.frame, output);
    [[maybe_unused]] const Status followed = hands_.update(world, input);
    CLAYBOX_ASSERT(followed.ok());
    for (std::size_t hand = 0; hand < grasp_.size(); ++hand) use_hand(hand, input, output);
    const bool put_back =
        std::find(input.actions.begin(), input.actions.end(), kPutBack) != input.actions.end();
    for (std::uint32_t i = 0; i < solids_.size(); ++i) {
        if (put_back && !is_held(i)) {
            solids_[i].pose = solids_[i].start;
            solids_[i].drift = {};
        }
        advance(i);
        [[maybe_unused]] const Status moved = world.move(solids_[i].id, solids_[i].pose);
        CLAYBOX_ASSERT(moved.ok());
    }
    for (std::size_t hand = 0; hand < grasp_.size(); ++hand) stop_hand(hand, input.hand[hand]);
    measure();
    world.publish(input.frame);
    world.check();
}

std::optional<HandAim> SolidsScene::hand_aim(const Vec3d& origin, const Vec3d& direction) const {
    const collision::Ray ray{origin, direction};
    if (!collision::check(ray).ok()) return std::nullopt;
    // The table or a nearer solid.
    double nearest = direction.y < 0 ? -origin.y / direction.y : 1e30;
    for (const Solid& solid : solids_) {
        const collision::Matrix34f matrix = collision::to_matrix(solid.pose);
        collision::SurfaceHit hit;
        collision::RayCounts counts;
        if (collision::find_surface_hit(ray, {&solid.shape->geometry(), &matrix, nullptr}, nearest,
                                        collision::RayWant::first, hit, counts))
            nearest = hit.t;
    }
    if (!(nearest < 1e30)) return std::nullopt;
    return HandAim{origin + direction * nearest, direction};
}

std::string SolidsScene::name(std::uint32_t number) const {
    std::string title = collision::info(kKinds[number % std::size(kKinds)]).title;
    title[0] = static_cast<char>(title[0] >= 'A' && title[0] <= 'Z' ? title[0] - 'A' + 'a' : title[0]);
    return "the " + title + (number < std::size(kKinds) ? "" : " " + std::to_string(number));
}

void SolidsScene::meshes(std::vector<ViewMesh>& out) const {
    store_.append_to(out);
    hands_.append_meshes(out);
}

/// Motion that takes a held solid to the newest pose of its hand.
Pose SolidsScene::motion_with(const std::array<HandInput, 2>* newest, std::uint32_t solid) const {
    for (std::size_t h = 0; h < grasp_.size(); ++h) {
        const bool holds = grasp_[h].kind() != Grasp::Kind::none && grasp_[h].body() == solid;
        if (holds && newest != nullptr && (*newest)[h].present) return grasp_[h].motion_with((*newest)[h]);
    }
    return {};
}

void SolidsScene::view_measure(const ViewOptions& options, SceneView& out) const {
    if (measure_.a == kNoIndex) return;
    const Ink ink = measure_.colliding ? Ink::colliding : Ink::dimension;
    const Vec3d a = transform_point(motion_with(options.newest_hands, measure_.a), measure_.from),
                b = transform_point(motion_with(options.newest_hands, measure_.b), measure_.to);
    const Vec3f from = collision::cast<float>(a), to = collision::cast<float>(b);
    out.lines.push_back({from, to, ink, 2.5f, true});
    out.points.push_back({from, ink, 4});
    out.points.push_back({to, ink, 4});
    if (!options.labels) return;
    char text[64];
    std::snprintf(text, sizeof text, measure_.colliding ? "%.1f mm deep" : "%.1f mm apart",
                  1000 * measure_.distance);
    const Vec3d middle = (a + b) * 0.5 + Vec3d{0, kLabelAbove, 0};
    out.labels.push_back({collision::cast<float>(middle), text, ink, false, {}, 0});
}

void SolidsScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    Drawable table = decoration(table_, Material::table, kTablePlace);
    table.casts_shadow = false;
    out.drawables.push_back(table);
    for (std::uint32_t i = 0; i < solids_.size(); ++i) {
        Drawable d;
        d.mesh = solids_[i].mesh;
        d.pose = motion_with(options.newest_hands, i) * solids_[i].pose;
        d.colour = static_cast<std::uint8_t>(i % 8);
        d.colliding = solids_[i].contacts > 0;
        d.pick = i;
        d.occluder_radius = static_cast<float>(0.75e-3 * parameters_[kSize]);
        out.drawables.push_back(d);
        if (options.bounds)
            view_box(
                collision::transform_aabb(collision::to_matrix(d.pose), solids_[i].shape->geometry().box),
                Ink::bounds, out);
    }
    std::bitset<kTwoHands> active;
    for (std::size_t i = 0; i < kTwoHands; ++i) active[i] = touched_[i] > 0;
    hands_.view(active, options.newest_hands, out, options.ghosts);
    if (options.dimensions) view_measure(options, out);
}

ViewCamera SolidsScene::camera() const {
    ViewCamera camera;
    camera.position = {0.02f, 0.44f, 0.66f};
    camera.target = {0.01f, 0.05f, 0.01f};
    camera.vertical_fov = static_cast<float>(30 * collision::kPi / 180);
    camera.far_plane = 20;
    return camera;
}

ViewLight SolidsScene::light() const {
    ViewLight light;
    light.towards = {-0.58f, 0.70f, 0.40f};
    light.shadow_half_width = 0.40f;
    light.shadow_centre = {0, 0.06f, 0.02f};
    light.fade_start = 0.9f;
    light.fade_end = 2.0f;
    return light;
}

std::vector<Figure> SolidsScene::figures() const {
    const bool there = measure_.a != kNoIndex;
    return {
        {"gap", "Smallest distance", there && !measure_.colliding ? 1000 * measure_.distance : 0, "mm", 2},
        {"depth", "Deepest overlap", there && measure_.colliding ? 1000 * measure_.distance : 0, "mm", 2},
        {"taken", "Grasps so far", static_cast<double>(taken_)},
        {"hits", "Hits so far", static_cast<double>(hits_)}};
}

std::string SolidsScene::describe_pick(std::uint32_t pick) const {
    if (pick >= solids_.size()) return {};
    return capitalised(name(pick)) + ": " + shape_words(*solids_[pick].shape);
}

}  // namespace

const SceneDescriptor& describe_solids() {
    static const SceneDescriptor descriptor{
        "solids",
        "Solids",
        "Take solids in your hand, hold one against another, and read their distance or penetration depth.",
        kParameters,
        kRebuild,
        kActions,
        true,
        &make_scene<SolidsScene>};
    return descriptor;
}

}  // namespace claybox::app
