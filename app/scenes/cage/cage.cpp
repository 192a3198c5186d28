// Bodies move in a cage with six walls. At a wall, a body reverses that component of its motion. A hit
// reverses translation and rotation of both bodies, once per begin event.

#include "app/scenes/body_drag.hpp"
#include "app/scenes/cage/cage_layout.hpp"
#include "app/scenes/cage/cage_looks.hpp"
#include "app/scenes/cage/nearest_pair.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/colour_groups.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "app/scenes/shared/witness_view.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <numbers>

namespace claybox::app {

using collision::Aabb;
using collision::BodyId;
using collision::Done;
using collision::Event;
using collision::EventKind;
using collision::PairKey;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Quat;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kUnit = 0.5;  // metres in one unit of the drawn picture
constexpr double kLength = 7.0 * kUnit, kHeight = 4.1 * kUnit, kDepth = 4.6 * kUnit;
constexpr double kPlinth = 0.16 * kUnit;
constexpr std::uint64_t kFlashFrames = 9;  // 150 ms at 60 frames a second
constexpr std::uint64_t kHoldFrames = 30;  // every hit is visible for half a second
constexpr std::uint64_t kFadeFrames = 15;  // then the edges lose their colour
constexpr std::size_t kFull = 1000;        // bodies; from here on a body is small in the picture
constexpr std::size_t kMaxWitnesses = 24, kMaxLabels = 4, kMaxEventTexts = 64;

const Aabb kCage{
    {static_cast<float>(-kLength / 2), 0, static_cast<float>(-kDepth / 2)},
    {static_cast<float>(kLength / 2), static_cast<float>(kHeight), static_cast<float>(kDepth / 2)}};

constexpr const char* kShapes[] = {"mixed",          "box",      "tetrahedron", "uv_sphere",
                                   "ellipsoid_hull", "rod_hull", "plate_hull",  "cylinder",
                                   "cone",           "torus",    "hyperboloid", "tetra_flake"};
static_assert(std::size(kShapes) == collision::kPrimitiveCount + 1);

enum CageParameter : std::size_t { kBodies, kShape, kDetail, kFill, kSpread, kSpeed, kTurn };

const Parameter kParameters[] = {
    {"bodies", "Bodies", ParameterKind::integer, 40, 2, 10000, "",
     "ours: fills the picture and stays readable", "Number of bodies in the cage.", true},
    {"shape", "Shape", ParameterKind::choice, 0, 0, collision::kPrimitiveCount, "",
     "ours: shows many shapes at once", "A mix of convex shapes, or one shape for all bodies.", false,
     kShapes},
    {"detail", "Detail", ParameterKind::integer, 24, 4, 10000, "",
     "ours: visible facets; the papers measure 10 to 10,000",
     "Polygons per body; for hulls and the balls of the mix, corners per body.", true},
    {"fill", "Filled volume", ParameterKind::real, 3.5, 0.01, 30, "%",
     "ours: many collisions in view; the papers use 10 %",
     "Share of the cage volume that the bodies fill. It determines their size.", true},
    {"spread", "Size spread", ParameterKind::real, 40, 0, 80, "%",
     "ours: bodies of different size are easier to tell apart",
     "How much larger or smaller than average a body may be."},
    {"speed", "Speed", ParameterKind::real, 1, 0, 50, "% of radius per frame",
     "ours: calm to look at; Zachmann's measurements use 5",
     "How far a body moves per frame, relative to its radius."},
    {"rotation", "Rotation", ParameterKind::real, 1, 0, 90, "° per frame",
     "ours: calm to look at; Zachmann's measurements use 10", "How far a body turns per frame."},
};
constexpr std::uint32_t kRebuild = 1u << kBodies | 1u << kShape | 1u << kDetail | 1u << kFill | 1u << kSpread;

struct Body {
    BodyId id;
    std::uint32_t kind = 0;
    std::uint8_t colour = 0;
    float radius = 0;
    Pose pose;
    Vec3d direction;             ///< unit; reversed by walls and hits
    Vec3d axis;                  ///< unit, of the rotation
    double spin = 1;             ///< +1 or -1
    Quat turn;                   ///< rotation per frame
    double step = 0;             ///< metres per frame
    std::uint64_t answered = 0;  ///< newest frame that the last reversal has taken into account
    std::uint32_t contacts = 0;  ///< open or still shown
    FreeMotion thrown;           ///< after a throw, instead of step and turn
    float flash = 0;
    float tint = 0, edge_tint = 0;  ///< share of the collision colour on the body and on its edges
};

/// The bodies of a full cage as they are drawn. A Drawable of each takes longer than drawing it.
struct Crowd {
    std::vector<Vec3f> positions;
    std::vector<std::array<float, 4>> rotations;
    std::vector<std::uint8_t> shades;
    std::vector<Pose> poses;

    void clear() {
        positions.clear();
        rotations.clear();
        shades.clear();
        poses.clear();
    }
    void add(const Body& body) {
        const Quat& q = body.pose.rotation;
        positions.push_back(collision::cast<float>(body.pose.translation));
        rotations.push_back({static_cast<float>(q.w), static_cast<float>(q.x), static_cast<float>(q.y),
                             static_cast<float>(q.z)});
        shades.push_back(cage_shade({body.tint, body.edge_tint, body.flash}, body.colour));
        poses.push_back(body.pose);
    }
};

/// An open or recent contact.
struct Contact {
    PairKey key = 0;
    std::uint32_t a = 0, b = 0;  ///< bodies
    std::uint64_t since = 0;
    bool open = true;
    Witness witness;
};

class CageScene final : public Scene {
  public:
    void set_meshes(std::span<const collision::ShapePtr> meshes) override { meshes_ = meshes; }
    collision::Status build(collision::World& world, const ParameterValues& parameters,
                            std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return kCage; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;
    std::vector<SceneGroup> groups() const override;

  private:
    void build_decoration();
    void set_motion(Body& body) const;
    void respond(const collision::EventBatch& batch, std::uint64_t frame, StepOutput& output);
    void begin_contact(const Event& e, std::uint32_t a, std::uint32_t b, std::uint64_t frame);
    void end_contact(PairKey key);
    void forget_old_contacts(std::uint64_t frame);
    void tint_bodies(std::uint64_t frame);
    void reverse(Body& body, std::uint64_t pose_frame, std::uint64_t now);
    void advance(Body& body) const;
    void fly(Body& body) const;
    Pose kept_inside(const Body& body, Pose pose) const;
    void carry_out(const BodyEdit& edit, bool frozen, StepOutput& output);
    void end_drag(bool still, StepOutput& output);
    void view_contacts(bool labels, SceneView& out) const;
    WitnessBody seen(const Body& body) const {
        return {&shapes_.kinds[body.kind].shape->geometry(), body.pose};
    }
    bool is_full() const { return bodies_.size() >= kFull; }
    void gather_crowd();
    void view_cage(SceneView& out) const;
    void view_bodies(SceneView& out) const;
    void view_crowd(SceneView& out) const;
    void follow_nearest(bool shown);

    ParameterValues parameters_;
    std::span<const collision::ShapePtr> meshes_;
    CageShapes shapes_;
    std::vector<Body> bodies_;  ///< those of one kind are consecutive
    Crowd crowd_;               ///< the same bodies, if there are many
    std::vector<std::uint32_t> body_of_slot_;
    std::vector<Contact> contacts_;  ///< sorted by key
    Drag drag_;
    NearestPair nearest_;
    std::vector<NearestPair::Body> placed_;
    collision::EventBatch batch_;
    std::uint64_t frame_ = 0, hits_ = 0, reversals_ = 0;
    double filled_ = 0;

    MeshStore store_;
    std::vector<std::uint64_t> kind_mesh_;
    std::uint64_t floor_ = 0, plinth_ = 0, corner_ = 0, bar_[3] = {}, wall_[3] = {};
};

collision::Status CageScene::build(collision::World& world, const ParameterValues& parameters,
                                   std::uint64_t seed) {
    parameters_ = parameters;
    const CageMix mix{parameters.integer(kBodies), parameters.integer(kShape), parameters.integer(kDetail),
                      parameters[kFill] / 100,     parameters[kSpread] / 100,  meshes_};
    auto made = make_cage_shapes(mix, kCage, collision::mix64(seed ^ 1));
    if (!made.ok()) return made.error();
    shapes_ = std::move(made).value();
    for (const CageKind& kind : shapes_.kinds) kind_mesh_.push_back(store_.add(kind.shape));
    build_decoration();

    std::vector<float> radii;
    for (const std::uint32_t kind : shapes_.kind_of_body) radii.push_back(shapes_.kinds[kind].radius);
    const std::vector<Vec3d> centres = place_balls(radii, kCage, collision::mix64(seed ^ 2));
    const std::vector<std::uint8_t> colours = colour_apart(centres, collision::mix64(seed ^ 3));
    collision::Random random(collision::mix64(seed ^ 4));
    double volume = 0;
    bodies_.reserve(centres.size());
    for (std::size_t i = 0; i < centres.size(); ++i) {
        Body body;
        body.kind = shapes_.kind_of_body[i];
        body.colour = colours[i];
        body.radius = radii[i];
        body.direction = random.unit_vector();
        body.axis = random.unit_vector();
        body.pose = {collision::random_rotation(random, 0, std::numbers::pi), centres[i]};
        set_motion(body);
        auto id = world.add_body({shapes_.kinds[body.kind].shape, body.pose, body.colour, false, i});
        if (!id.ok()) return id.error();
        body.id = id.value();
        if (body.id.slot >= body_of_slot_.size()) body_of_slot_.resize(body.id.slot + 1, collision::kNoIndex);
        body_of_slot_[body.id.slot] = static_cast<std::uint32_t>(i);
        volume += shapes_.kinds[body.kind].volume;
        bodies_.push_back(body);
    }
    filled_ = volume / (kLength * kHeight * kDepth);
    gather_crowd();
    return Done{};
}

void CageScene::build_decoration() {
    constexpr float bar = static_cast<float>(0.038 * kUnit / 2),
                    corner = static_cast<float>(0.085 * kUnit / 2);
    constexpr auto x = static_cast<float>(kLength / 2), y = static_cast<float>(kHeight / 2),
                   z = static_cast<float>(kDepth / 2);
    floor_ = store_.add(disc_mesh(16, 96));
    plinth_ = store_.add(box_mesh({x + 0.055f, static_cast<float>(kPlinth / 2), z + 0.055f}));
    corner_ = store_.add(box_mesh({corner, corner, corner}));
    bar_[0] = store_.add(box_mesh({x, bar, bar}));
    bar_[1] = store_.add(box_mesh({bar, y, bar}));
    bar_[2] = store_.add(box_mesh({bar, bar, z}));
    wall_[0] = store_.add(rectangle_mesh(z, y));
    wall_[1] = store_.add(rectangle_mesh(x, z));
    wall_[2] = store_.add(rectangle_mesh(x, y));
}

void CageScene::set_motion(Body& body) const {
    body.thrown = {};
    body.step = parameters_[kSpeed] / 100 * static_cast<double>(body.radius);
    body.turn = collision::axis_angle(body.axis, body.spin * parameters_[kTurn] * std::numbers::pi / 180);
}

void CageScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    for (Body& body : bodies_) set_motion(body);
}

void CageScene::reverse(Body& body, std::uint64_t pose_frame, std::uint64_t now) {
    // An event about a pose from before the last reversal is out of date: that motion is over.
    if (pose_frame <= body.answered) return;
    body.direction = -body.direction;
    body.thrown = {-body.thrown.velocity, -body.thrown.spin};
    body.spin = -body.spin;
    body.turn = collision::conjugate(body.turn);
    body.answered = now - 1;  // poses from frame `now` on move in the new direction
    ++reversals_;
}

void CageScene::begin_contact(const Event& e, std::uint32_t a, std::uint32_t b, std::uint64_t frame) {
    Body &first = bodies_[a], &second = bodies_[b];
    reverse(first, e.frame_a, frame);
    reverse(second, e.frame_b, frame);
    ++first.contacts, ++second.contacts;
    first.flash = second.flash = 1;
    ++hits_;
    const Contact contact{collision::make_pair_key(e.a.slot, e.b.slot),
                          a,
                          b,
                          frame,
                          true,
                          make_witness(e.witness, e.point_w, seen(first), seen(second))};
    const auto at = std::lower_bound(contacts_.begin(), contacts_.end(), contact.key,
                                     [](const Contact& c, PairKey key) { return c.key < key; });
    if (at != contacts_.end() && at->key == contact.key) {
        *at = contact;  // an earlier contact of this pair is still shown
        --first.contacts, --second.contacts;
    } else {
        contacts_.insert(at, contact);
    }
}

void CageScene::end_contact(PairKey key) {
    const auto at = std::lower_bound(contacts_.begin(), contacts_.end(), key,
                                     [](const Contact& c, PairKey k) { return c.key < k; });
    if (at != contacts_.end() && at->key == key) at->open = false;
}

void CageScene::forget_old_contacts(std::uint64_t frame) {
    std::erase_if(contacts_, [&](const Contact& c) {
        if (c.open || c.since + kHoldFrames + kFadeFrames >= frame) return false;
        --bodies_[c.a].contacts, --bodies_[c.b].contacts;
        return true;
    });
}

/// A pair that has separated keeps its own colour and shows the collision at its edges: a body that is only
/// half red looks like one of another colour. The newest pair stays red for a while, so that it stands out.
void CageScene::tint_bodies(std::uint64_t frame) {
    std::uint64_t newest = 0;
    for (const Contact& c : contacts_) newest = std::max(newest, c.since);
    for (Body& body : bodies_) body.tint = body.edge_tint = 0;
    for (const Contact& c : contacts_) {
        const std::uint64_t age = frame - c.since;
        const bool red = c.open || (c.since == newest && age <= kHoldFrames);
        const float left = age <= kHoldFrames ? 1.0f
                                              : 1 - static_cast<float>(age - kHoldFrames) /
                                                        static_cast<float>(kFadeFrames + 1);
        for (const std::uint32_t b : {c.a, c.b}) {
            bodies_[b].tint = std::max(bodies_[b].tint, red ? 1.0f : 0.0f);
            bodies_[b].edge_tint = std::max(bodies_[b].edge_tint, red ? 0.0f : left);
        }
    }
}

/// Call it when the bodies have moved.
void CageScene::gather_crowd() {
    if (!is_full()) return;
    crowd_.clear();
    for (const Body& body : bodies_) crowd_.add(body);
}

/// Call it when the bodies have moved: the picture shows the gap between the poses that it draws.
void CageScene::follow_nearest(bool shown) {
    if (!shown || bodies_.size() > NearestPair::kMostBodies) return nearest_.forget();
    placed_.clear();
    for (const Body& body : bodies_)
        placed_.push_back({shapes_.kinds[body.kind].shape.get(), body.pose, body.radius});
    nearest_.follow(placed_);
}

void CageScene::respond(const collision::EventBatch& batch, std::uint64_t frame, StepOutput& output) {
    for (const Event& e : batch.events) {
        if (e.kind == EventKind::stay) continue;
        const std::uint32_t a = body_of_slot_[e.a.slot], b = body_of_slot_[e.b.slot];
        const bool begin = e.kind == EventKind::begin;
        if (begin) {
            begin_contact(e, a, b, frame);
        } else {
            end_contact(collision::make_pair_key(e.a.slot, e.b.slot));
        }
        if (output.events.size() < kMaxEventTexts) {
            output.events.push_back(
                {begin ? SceneEvent::Kind::collision_begin : SceneEvent::Kind::collision_end, e.frame,
                 "Body " + std::to_string(a) + " and body " + std::to_string(b)});
        }
    }
    forget_old_contacts(frame);
    tint_bodies(frame);
}

Pose CageScene::kept_inside(const Body& body, Pose pose) const {
    const Vec3d low = collision::cast<double>(kCage.min), high = collision::cast<double>(kCage.max);
    const auto r = static_cast<double>(body.radius);
    for (std::size_t k = 0; k < 3; ++k)
        pose.translation[k] = std::clamp(pose.translation[k], low[k] + r, high[k] - r);
    return pose;
}

/// A thrown body keeps its speed; a wall reverses that component of it.
void CageScene::fly(Body& body) const {
    const Pose free = moved(body.pose, body.thrown);
    body.pose = kept_inside(body, free);
    for (std::size_t k = 0; k < 3; ++k)
        if (body.pose.translation[k] != free.translation[k])
            body.thrown.velocity[k] = -body.thrown.velocity[k];
}

void CageScene::carry_out(const BodyEdit& edit, bool frozen, StepOutput& output) {
    if (edit.kind == BodyEdit::Kind::let_go) return end_drag(frozen, output);
    if (edit.kind == BodyEdit::Kind::put_down) return end_drag(true, output);
    if (edit.kind != BodyEdit::Kind::hold) {
        output.events.push_back(
            {SceneEvent::Kind::refused, frame_,
             "The cage has as many bodies as its slider says; add bodies in the scene Workbench"});
        return;
    }
    if (edit.body >= bodies_.size()) return;
    Body& body = bodies_[edit.body];
    if (!drag_.holds(edit.body)) {
        end_drag(frozen, output);
        drag_.begin(edit.body, body.pose);
        output.events.push_back({SceneEvent::Kind::taken, frame_, "Body " + std::to_string(edit.body)});
    }
    Pose pose = edit.pose;
    pose.rotation = collision::normalized(pose.rotation);
    body.pose = kept_inside(body, pose);
    drag_.follow(body.pose, frozen);
}

/// The body flies on as fast as it was moved; `still` or at rest, it goes on as before.
void CageScene::end_drag(bool still, StepOutput& output) {
    if (!drag_.active()) return;
    const std::uint32_t number = drag_.body();
    bodies_[number].thrown = drag_.let_go(still);
    output.events.push_back({SceneEvent::Kind::dropped, frame_, "Body " + std::to_string(number)});
}

void CageScene::advance(Body& body) const {
    if (!body.thrown.rests()) return fly(body);
    const Vec3d low = collision::cast<double>(kCage.min), high = collision::cast<double>(kCage.max);
    const auto r = static_cast<double>(body.radius);
    Vec3d& p = body.pose.translation;
    for (std::size_t k = 0; k < 3; ++k) {
        const bool out_low = p[k] - r <= low[k] && body.direction[k] < 0;
        const bool out_high = p[k] + r >= high[k] && body.direction[k] > 0;
        if (out_low || out_high) body.direction[k] = -body.direction[k];
        p[k] = std::clamp(p[k] + body.direction[k] * body.step, low[k] + r, high[k] - r);
    }
    body.pose.rotation = collision::normalized(body.turn * body.pose.rotation);
}

void CageScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    frame_ = input.frame;
    for (Body& body : bodies_)
        body.flash = std::max(0.0f, body.flash - 1.0f / static_cast<float>(kFlashFrames));
    world.poll_events(batch_);
    respond(batch_, input.frame, output);
    for (const BodyEdit& edit : input.edits) carry_out(edit, input.frozen, output);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        Body& body = bodies_[i];
        if (!input.frozen && !drag_.holds(static_cast<std::uint32_t>(i))) advance(body);
        [[maybe_unused]] const collision::Status done = world.move(body.id, body.pose);
        CLAYBOX_ASSERT(done.ok());
    }
    gather_crowd();
    follow_nearest(input.program.on(program_choice::witness));
    world.publish(input.frame);
    world.check();
}

void CageScene::view_cage(SceneView& out) const {
    constexpr double x = kLength / 2, z = kDepth / 2;
    out.drawables.push_back(shadowless(floor_, Material::floor, {0, -kPlinth, 0}));
    out.drawables.push_back(decoration(plinth_, Material::plinth, {0, -kPlinth / 2 - 0.0005, 0}));
    for (const double sx : {-1.0, 1.0}) {
        for (const double sz : {-1.0, 1.0}) {
            out.drawables.push_back(decoration(bar_[1], Material::frame, {sx * x, kHeight / 2, sz * z}));
        }
        for (const double y : {0.0, kHeight}) {
            out.drawables.push_back(decoration(bar_[0], Material::frame, {0, y, sx * z}));
            out.drawables.push_back(decoration(bar_[2], Material::frame, {sx * x, y, 0}));
            for (const double sz : {-1.0, 1.0}) {
                out.drawables.push_back(decoration(corner_, Material::corner, {sx * x, y, sz * z}));
            }
        }
        const double quarter = sx * std::numbers::pi / 2;
        out.drawables.push_back(shadowless(wall_[0], Material::glass, {sx * x, kHeight / 2, 0},
                                           collision::axis_angle({0, 1, 0}, quarter)));
        out.drawables.push_back(shadowless(wall_[2], Material::glass, {0, kHeight / 2, sx * z},
                                           collision::axis_angle({0, 1, 0}, quarter - std::numbers::pi / 2)));
    }
    out.drawables.push_back(shadowless(wall_[1], Material::glass, {0, kHeight, 0},
                                       collision::axis_angle({1, 0, 0}, -std::numbers::pi / 2)));
}

void CageScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    view_cage(out);
    if (is_full())
        view_crowd(out);
    else
        view_bodies(out);
    if (options.bounds)
        for (const Body& body : bodies_)
            view_bounds(shapes_.kinds[body.kind].shape->geometry().box, body.pose, out);
    if (!options.witness) return;
    view_contacts(options.labels, out);
    nearest_.view(options.labels, out);
}

void CageScene::view_bodies(SceneView& out) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const Body& body = bodies_[i];
        Drawable& d = out.drawables.emplace_back();
        d.mesh = kind_mesh_[body.kind];
        d.pose = body.pose;
        d.colour = body.colour;
        d.colliding = body.contacts > 0;
        d.tint = body.tint;
        d.edge_tint = body.edge_tint;
        d.flash = body.flash;
        d.pick = static_cast<std::uint32_t>(i);
        d.occluder_radius = 0.82f * body.radius;
    }
}

/// One crowd for each kind.
void CageScene::view_crowd(SceneView& out) const {
    out.looks = cage_looks();
    for (std::size_t first = 0, end = 0; first < bodies_.size(); first = end) {
        const std::uint32_t kind = bodies_[first].kind;
        while (end < bodies_.size() && bodies_[end].kind == kind) ++end;
        ViewCrowd& crowd = out.crowds.emplace_back();
        crowd.mesh = kind_mesh_[kind];
        crowd.positions = std::span(crowd_.positions).subspan(first, end - first);
        crowd.rotations = std::span(crowd_.rotations).subspan(first, end - first);
        crowd.shades = std::span(crowd_.shades).subspan(first, end - first);
        crowd.poses = std::span(crowd_.poses).subspan(first, end - first);
        crowd.radius = bodies_[first].radius;
        crowd.first_pick = static_cast<std::uint32_t>(first);
    }
}

void CageScene::view_contacts(bool labels, SceneView& out) const {
    std::vector<const Contact*> newest;
    for (const Contact& c : contacts_) newest.push_back(&c);
    const std::size_t count = std::min(kMaxWitnesses, newest.size());
    std::partial_sort(newest.begin(), newest.begin() + static_cast<std::ptrdiff_t>(count), newest.end(),
                      [](const Contact* a, const Contact* b) {
                          return a->since != b->since ? a->since > b->since : a->key < b->key;
                      });
    for (std::size_t i = 0; i < count; ++i) {
        const Contact& c = *newest[i];
        const Body &a = bodies_[c.a], &b = bodies_[c.b];
        const Vec3f point = witness_point(c.witness, a.pose);
        // After the bodies have separated, the point alone is enough.
        if (c.open || c.since + kFlashFrames >= frame_) view_witness(c.witness, seen(a), seen(b), out);
        out.points.push_back({point, Ink::witness, 7});
        if (!labels || i >= kMaxLabels) continue;
        if (is_full())
            for (const Body* body : {&a, &b})
                out.keep_clear.push_back({collision::cast<float>(body->pose.translation), body->radius});
        const char* verb = c.open ? " touches " : " touched ";
        std::string text = witness_words(
            c.witness, verb, "Body " + std::to_string(c.a) + verb + "body " + std::to_string(c.b));
        out.labels.push_back({point, std::move(text), Ink::witness, false, {}, 0});
    }
}

ViewCamera CageScene::camera() const {
    return {.position = {0.75 * kUnit, 3.9 * kUnit, 15.3 * kUnit},
            .target = {0, 1.86 * kUnit, 0},
            .vertical_fov = 26.4 * std::numbers::pi / 180};
}

ViewLight CageScene::light() const {
    return {.towards = {-0.56f, 0.78f, 0.44f},
            .shadow_half_width = 5.6 * kUnit,
            .shadow_centre = {0, kHeight / 4, 0},
            .fade_start = 11 * kUnit,
            .fade_end = 26 * kUnit,
            .occlusion = 0.85f};
}

std::vector<Figure> CageScene::figures() const {
    std::size_t open = 0;
    for (const Contact& c : contacts_) open += c.open ? 1 : 0;
    return {{"contacts", "Contacts now", static_cast<double>(open)},
            {"hits", "Hits so far", static_cast<double>(hits_)},
            {"reversals", "Reversals so far", static_cast<double>(reversals_)},
            {"filled", "Filled volume", filled_ * 100, "%", 1}};
}

std::vector<SceneGroup> CageScene::groups() const {
    std::array<std::size_t, kPaletteSize> count{};
    for (const Body& body : bodies_) ++count[body.colour];
    return colour_groups(count);
}

std::string CageScene::describe_pick(std::uint32_t pick) const {
    if (pick >= bodies_.size()) return {};
    return "Body " + std::to_string(pick) + ": " + shape_words(*shapes_.kinds[bodies_[pick].kind].shape);
}

}  // namespace

const SceneDescriptor& describe_cage() {
    static const SceneDescriptor descriptor = [] {
        SceneDescriptor d = {"cage",
                             "Cage",
                             "Bodies fly through a glass cage; a hit turns both around. Compare the cost and "
                             "the results of the "
                             "algorithms.",
                             kParameters,
                             kRebuild,
                             {},
                             false,
                             &make_scene<CageScene>,
                             false,
                             true};
        d.edits = EditSupport::drag;
        return d;
    }();
    return descriptor;
}

}  // namespace claybox::app
