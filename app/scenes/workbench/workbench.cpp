// Bodies that float at rest and that the user adds, copies, removes, drags and throws. There is no gravity
// and no response to hits: bodies pass through each other, glow while they touch and show why. A thrown body
// slows down and bounces off the walls of the room. Every edit can be undone.

#include "app/scenes/body_drag.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/body_shapes.hpp"
#include "app/scenes/shared/colour_groups.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "app/scenes/shared/witness_view.hpp"
#include "app/scenes/workbench/edit_history.hpp"
#include "app/scenes/workbench/start_set.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <map>

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
using collision::Vec3f;

namespace {

enum WorkbenchParameter : std::size_t { kShape, kSize, kSlowing, kBounce, kBodies };
enum WorkbenchAction : std::uint32_t { kUndo, kRedo, kRemoveAll };

constexpr const char* kActions[] = {"Undo", "Redo", "Delete all"};
constexpr const char* kActionHelp[] = {"Takes the last edit back.", "Does the last undone edit again.",
                                       "Removes all bodies. Undo brings them back."};

std::span<const Parameter> parameters() {
    static const Parameter table[] = {
        {"shape", "Shape to add", ParameterKind::choice, 0, 0, 17, "", "ours: the first of the list",
         "The shape of the next body that you add. A mesh file dropped on the window adds its own.", false,
         body_shape_names()},
        {"size", "Size to add", ParameterKind::real, 70, kMinBodySize, kMaxBodySize, "mm",
         "ours: ten bodies fit the bench", "Radius of the bounding sphere of the next body that you add.",
         true},
        {"slowing", "Slowing", ParameterKind::real, 2, 0, 20, "% per frame", "ours: a throw ends in the room",
         "How much slower a thrown body gets. 0: it never stops."},
        {"bounce", "Bounce", ParameterKind::real, 80, 0, 100, "%", "ours: looks like rubber",
         "Share of the speed that a body keeps at a wall."},
        {"bodies", "Bodies to start with", ParameterKind::integer, 10, 0, kMaxPlacedBodies, "",
         "ours: every kind of collision in view", "Number of bodies after a restart.", true},
    };
    return table;
}
constexpr std::uint32_t kRebuild = 1u << kBodies;

constexpr double kStill = 1e-5;  // metres or radians per frame; slower bodies stop
constexpr std::uint64_t kLabelFrames = 150;
constexpr std::size_t kMaxWitnesses = 24, kMaxLabels = 3, kMaxEventTexts = 64;
constexpr float kTableHalf = 0.02f;

struct Kind {
    collision::ShapePtr shape;
    std::string name;  ///< as in PlacedBody
    double size = 0;   ///< millimetres
    std::uint64_t mesh = 0;
};

struct Body {
    BodyId id;
    BodyState state;
    bool alive = false;
    bool sent = false;  ///< the world knows its pose
    std::uint32_t contacts = 0;
    float flash = 0;
};

struct Contact {
    BodyId id_a, id_b;
    std::uint32_t a = 0, b = 0;  ///< bodies
    std::uint64_t since = 0;
    Witness witness;
};

/// Also the interest group.
std::uint8_t colour_of(std::uint32_t body) {
    return static_cast<std::uint8_t>(body % kPaletteSize);
}

class WorkbenchScene final : public Scene {
  public:
    void set_meshes(std::span<const collision::ShapePtr> meshes) override { meshes_ = meshes; }
    void set_bodies(std::span<const PlacedBody> bodies) override {
        start_.assign(bodies.begin(), bodies.end()), given_ = true;
    }
    std::vector<PlacedBody> bodies() const override;
    std::uint32_t newest_body() const override { return newest_; }
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override { parameters_ = parameters; }
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return kBenchRoom; }
    bool waits() const override { return true; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;
    std::vector<SceneGroup> groups() const override;

  private:
    collision::Result<std::uint32_t> kind_of(const std::string& name, double size);
    bool alive(std::uint32_t body) const { return body < bodies_.size() && bodies_[body].alive; }
    Status put(collision::World& world, std::uint32_t body, const BodyState& state);
    void take_away(collision::World& world, std::uint32_t body);
    void become(collision::World& world, std::uint32_t body, const std::optional<BodyState>& state);
    std::optional<BodyState> state_of(std::uint32_t body) const;
    void carry_out(collision::World& world, const BodyEdit& edit, bool frozen, StepOutput& output);
    void hold(const BodyEdit& edit, bool frozen, StepOutput& output);
    void end_drag(bool still, StepOutput& output);
    void add(collision::World& world, const BodyState& state, const char* verb, StepOutput& output);
    void act(collision::World& world, std::uint32_t action, StepOutput& output);
    void undo(collision::World& world, StepOutput& output);
    void redo(collision::World& world, StepOutput& output);
    void remove_all(collision::World& world, StepOutput& output);
    void say(SceneEvent::Kind kind, std::string text, StepOutput& output) const;
    Pose kept_inside(Pose pose, std::uint32_t kind) const;
    void advance(Body& body) const;
    void respond(StepOutput& output);
    void begin_contact(const collision::Event& e, std::uint32_t a, std::uint32_t b);
    std::uint32_t body_of(BodyId id) const;
    std::string name(std::uint32_t body) const { return "body " + std::to_string(body); }
    void view_contacts(bool labels, SceneView& out) const;
    WitnessBody seen(std::uint32_t body) const {
        return {&kinds_[bodies_[body].state.kind].shape->geometry(), bodies_[body].state.pose};
    }

    ParameterValues parameters_;
    std::span<const collision::ShapePtr> meshes_;
    std::vector<PlacedBody> start_;
    bool given_ = false;  ///< start_ replaces the scene's own bodies
    std::vector<Kind> kinds_;
    std::map<std::pair<std::string, double>, std::uint32_t> kind_index_;
    std::vector<Body> bodies_;  ///< by number; numbers are never used for another body
    std::size_t living_ = 0;
    std::vector<std::uint32_t> body_of_slot_;
    std::vector<Contact> contacts_;  ///< open, the newest is last
    Drag drag_;
    BodyState before_drag_;
    EditHistory history_;
    std::uint32_t newest_ = kNoIndex;
    std::uint64_t frame_ = 0, hits_ = 0;
    collision::EventBatch batch_;
    MeshStore store_;
    std::uint64_t table_ = 0;
};

collision::Result<std::uint32_t> WorkbenchScene::kind_of(const std::string& name, double size) {
    const auto known = kind_index_.find({name, size});
    if (known != kind_index_.end()) return known->second;
    auto shape = make_body_shape(name, size, meshes_);
    if (!shape) return shape.error();
    Kind kind{std::move(shape).value(), name, size, 0};
    kind.mesh = store_.add(kind.shape);
    kinds_.push_back(std::move(kind));
    const auto index = static_cast<std::uint32_t>(kinds_.size() - 1);
    kind_index_[{name, size}] = index;
    return index;
}

Status WorkbenchScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    parameters_ = parameters;
    table_ = store_.add(rounded_box_mesh({1.05f, kTableHalf, 0.62f}, 0.012f, 3), true);
    if (!given_) start_ = start_set(static_cast<std::size_t>(parameters.integer(kBodies)), seed);
    if (start_.size() > kMaxPlacedBodies)
        return collision::Error{"expected at most " + std::to_string(kMaxPlacedBodies) + " bodies", {}, 0};
    for (const PlacedBody& body : start_) {
        const auto kind = kind_of(body.shape, body.size);
        if (!kind) return kind.error();
        const auto number = static_cast<std::uint32_t>(bodies_.size());
        bodies_.emplace_back();
        if (const Status added = put(world, number, {kind.value(), body.pose, {body.velocity, body.spin}});
            !added)
            return added;
    }
    return Done{};
}

std::vector<PlacedBody> WorkbenchScene::bodies() const {
    std::vector<PlacedBody> out;
    for (const Body& body : bodies_) {
        if (!body.alive) continue;
        const Kind& kind = kinds_[body.state.kind];
        out.push_back(
            {kind.name, kind.size, body.state.pose, body.state.motion.velocity, body.state.motion.spin});
    }
    return out;
}

/// Gives a body that is not there this state.
Status WorkbenchScene::put(collision::World& world, std::uint32_t body, const BodyState& state) {
    auto id = world.add_body({kinds_[state.kind].shape, state.pose, colour_of(body), false, body});
    if (!id) return id.error();
    const std::uint32_t slot = id.value().slot;
    if (slot >= body_of_slot_.size()) body_of_slot_.resize(slot + 1, kNoIndex);
    body_of_slot_[slot] = body;
    bodies_[body] = {id.value(), state, true, true, 0, 0};
    ++living_;
    return Done{};
}

void WorkbenchScene::take_away(collision::World& world, std::uint32_t body) {
    if (drag_.holds(body)) drag_.cancel();
    [[maybe_unused]] const Status removed = world.remove_body(bodies_[body].id);
    CLAYBOX_ASSERT(removed.ok());
    for (const Contact& c : contacts_)
        if (c.id_a == bodies_[body].id || c.id_b == bodies_[body].id)
            for (const std::uint32_t side : {c.a, c.b}) --bodies_[side].contacts;
    std::erase_if(contacts_,
                  [&](const Contact& c) { return c.id_a == bodies_[body].id || c.id_b == bodies_[body].id; });
    bodies_[body].alive = false;
    bodies_[body].id = {};
    --living_;
}

std::optional<BodyState> WorkbenchScene::state_of(std::uint32_t body) const {
    return alive(body) ? std::optional(bodies_[body].state) : std::nullopt;
}

/// Brings the body to a state of the history; empty: it is not there.
void WorkbenchScene::become(collision::World& world, std::uint32_t body,
                            const std::optional<BodyState>& state) {
    if (!state) {
        if (alive(body)) take_away(world, body);
        return;
    }
    if (alive(body)) {
        bodies_[body].state = *state;
        bodies_[body].sent = false;
        return;
    }
    [[maybe_unused]] const Status added = put(world, body, *state);
    CLAYBOX_ASSERT(added.ok());  // it was there before
}

void WorkbenchScene::say(SceneEvent::Kind kind, std::string text, StepOutput& output) const {
    output.events.push_back({kind, frame_, std::move(text)});
}

/// The pose with the bounding sphere in the room.
Pose WorkbenchScene::kept_inside(Pose pose, std::uint32_t kind) const {
    const double r = kinds_[kind].size / 1000;
    const Vec3d low = collision::cast<double>(kBenchRoom.min), high = collision::cast<double>(kBenchRoom.max);
    for (std::size_t k = 0; k < 3; ++k) {
        const double middle = 0.5 * (low[k] + high[k]);
        pose.translation[k] =
            std::clamp(pose.translation[k], std::min(low[k] + r, middle), std::max(high[k] - r, middle));
    }
    pose.rotation = collision::normalized(pose.rotation);
    return pose;
}

void WorkbenchScene::hold(const BodyEdit& edit, bool frozen, StepOutput& output) {
    if (!alive(edit.body)) return;
    Body& body = bodies_[edit.body];
    const Pose pose = kept_inside(edit.pose, body.state.kind);
    if (!drag_.holds(edit.body)) {
        if (drag_.active()) end_drag(frozen, output);
        before_drag_ = body.state;
        drag_.begin(edit.body, body.state.pose);
        say(SceneEvent::Kind::taken, capitalised(name(edit.body)), output);
    }
    drag_.follow(pose, frozen);
    body.state.motion = {};
    if (body.state.pose == pose) return;
    body.state.pose = pose;
    body.sent = false;
}

/// `still`: the body stays where it is instead of flying on.
void WorkbenchScene::end_drag(bool still, StepOutput& output) {
    if (!drag_.active()) return;
    const std::uint32_t number = drag_.body();
    Body& body = bodies_[number];
    body.state.motion = drag_.let_go(still);
    say(SceneEvent::Kind::dropped, capitalised(name(number)), output);
    if (body.state == before_drag_) return;  // a click
    history_.add({"Move " + name(number), {{number, before_drag_, body.state}}});
}

void WorkbenchScene::add(collision::World& world, const BodyState& state, const char* verb,
                         StepOutput& output) {
    if (living_ >= kMaxPlacedBodies)
        return say(SceneEvent::Kind::refused,
                   "There are " + std::to_string(kMaxPlacedBodies) + " bodies already", output);
    const auto number = static_cast<std::uint32_t>(bodies_.size());
    bodies_.emplace_back();
    BodyState placed = state;
    placed.pose = kept_inside(state.pose, state.kind);
    if (const Status added = put(world, number, placed); !added) {
        bodies_.pop_back();
        return say(SceneEvent::Kind::refused, added.error().text(), output);
    }
    newest_ = number;
    history_.add({std::string(verb) + ' ' + name(number), {{number, std::nullopt, placed}}});
    say(SceneEvent::Kind::edited, std::string(verb) + ' ' + name(number), output);
}

void WorkbenchScene::carry_out(collision::World& world, const BodyEdit& edit, bool frozen,
                               StepOutput& output) {
    switch (edit.kind) {
        case BodyEdit::Kind::hold:
            return hold(edit, frozen, output);
        case BodyEdit::Kind::let_go:
            return end_drag(frozen, output);
        case BodyEdit::Kind::put_down:
            return end_drag(true, output);
        case BodyEdit::Kind::add: {
            const auto kind = kind_of(edit.shape, edit.size);
            if (!kind) return say(SceneEvent::Kind::refused, kind.error().text(), output);
            return add(world, {kind.value(), edit.pose, {}}, "Add", output);
        }
        case BodyEdit::Kind::copy:
            if (!alive(edit.body)) return;
            return add(world, {bodies_[edit.body].state.kind, edit.pose, {}}, "Duplicate as", output);
        case BodyEdit::Kind::remove: {
            if (!alive(edit.body)) return;
            if (drag_.holds(edit.body)) end_drag(frozen, output);
            history_.add({"Delete " + name(edit.body), {{edit.body, state_of(edit.body), std::nullopt}}});
            take_away(world, edit.body);
            return say(SceneEvent::Kind::edited, "Delete " + name(edit.body), output);
        }
    }
}

void WorkbenchScene::undo(collision::World& world, StepOutput& output) {
    if (drag_.active()) {  // the drag itself
        const std::uint32_t body = drag_.body();
        drag_.cancel();
        become(world, body, before_drag_);
        return say(SceneEvent::Kind::edited, "Undo: move " + name(body), output);
    }
    RecordedEdit* const edit = history_.undo();
    if (edit == nullptr) return say(SceneEvent::Kind::refused, "Nothing to undo", output);
    for (BodyChange& change : edit->changes) {
        change.after = state_of(change.body);
        become(world, change.body, change.before);
    }
    say(SceneEvent::Kind::edited, "Undo: " + edit->text, output);
}

void WorkbenchScene::redo(collision::World& world, StepOutput& output) {
    RecordedEdit* const edit = history_.redo();
    if (edit == nullptr) return say(SceneEvent::Kind::refused, "Nothing to redo", output);
    for (BodyChange& change : edit->changes) {
        change.before = state_of(change.body);
        become(world, change.body, change.after);
    }
    say(SceneEvent::Kind::edited, "Redo: " + edit->text, output);
}

void WorkbenchScene::remove_all(collision::World& world, StepOutput& output) {
    if (living_ == 0) return say(SceneEvent::Kind::refused, "There is no body to delete", output);
    RecordedEdit edit{"Delete all bodies", {}};
    for (std::uint32_t body = 0; body < bodies_.size(); ++body) {
        if (!alive(body)) continue;
        edit.changes.push_back({body, state_of(body), std::nullopt});
        take_away(world, body);
    }
    history_.add(std::move(edit));
    say(SceneEvent::Kind::edited, "Delete all bodies", output);
}

void WorkbenchScene::act(collision::World& world, std::uint32_t action, StepOutput& output) {
    if (action != kUndo) end_drag(true, output);
    if (action == kUndo) undo(world, output);
    if (action == kRedo) redo(world, output);
    if (action == kRemoveAll) remove_all(world, output);
}

void WorkbenchScene::advance(Body& body) const {
    if (body.state.motion.rests()) return;
    FreeMotion& motion = body.state.motion;
    const Pose free = moved(body.state.pose, motion), kept = kept_inside(free, body.state.kind);
    for (std::size_t k = 0; k < 3; ++k)
        if (kept.translation[k] != free.translation[k])
            motion.velocity[k] = -motion.velocity[k] * (parameters_[kBounce] / 100);
    body.state.pose = kept;
    body.sent = false;
    const double slower = 1 - parameters_[kSlowing] / 100;
    motion.velocity = motion.velocity * slower;
    motion.spin = motion.spin * slower;
    if (length(motion.velocity) < kStill) motion.velocity = {};
    if (length(motion.spin) < kStill) motion.spin = {};
}

/// kNoIndex for a body that was removed meanwhile.
std::uint32_t WorkbenchScene::body_of(BodyId id) const {
    const std::uint32_t body = id.slot < body_of_slot_.size() ? body_of_slot_[id.slot] : kNoIndex;
    return alive(body) && bodies_[body].id == id ? body : kNoIndex;
}

void WorkbenchScene::begin_contact(const collision::Event& e, std::uint32_t a, std::uint32_t b) {
    for (const std::uint32_t side : {a, b}) {
        ++bodies_[side].contacts;
        bodies_[side].flash = 1;
    }
    ++hits_;
    contacts_.push_back({e.a, e.b, a, b, frame_, make_witness(e.witness, e.point_w, seen(a), seen(b))});
}

void WorkbenchScene::respond(StepOutput& output) {
    for (const collision::Event& e : batch_.events) {
        if (e.kind == collision::EventKind::stay) continue;
        const std::uint32_t a = body_of(e.a), b = body_of(e.b);
        if (a == kNoIndex || b == kNoIndex) continue;
        const bool begins = e.kind == collision::EventKind::begin;
        if (begins) begin_contact(e, a, b);
        if (!begins) {
            const auto at = std::find_if(contacts_.begin(), contacts_.end(),
                                         [&](const Contact& c) { return c.id_a == e.a && c.id_b == e.b; });
            if (at == contacts_.end()) continue;
            for (const std::uint32_t side : {a, b}) --bodies_[side].contacts;
            contacts_.erase(at);
        }
        if (output.events.size() >= kMaxEventTexts) continue;
        output.events.push_back({begins ? SceneEvent::Kind::collision_begin : SceneEvent::Kind::collision_end,
                                 e.frame, capitalised(name(a)) + " and " + name(b)});
    }
}

void WorkbenchScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    constexpr float kFlashFrames = 9;
    frame_ = input.frame;
    world.poll_events(batch_);
    respond(output);
    for (const BodyEdit& edit : input.edits) carry_out(world, edit, input.frozen, output);
    for (const std::uint32_t action : input.actions) act(world, action, output);
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
        Body& body = bodies_[i];
        if (!body.alive) continue;
        body.flash = std::max(0.0f, body.flash - 1 / kFlashFrames);
        if (!input.frozen && !drag_.holds(i)) advance(body);
        if (body.sent) continue;
        [[maybe_unused]] const Status done = world.move(body.id, body.state.pose);
        CLAYBOX_ASSERT(done.ok());
        body.sent = true;
    }
    world.publish(input.frame);
    world.check();
}

void WorkbenchScene::view_contacts(bool labels, SceneView& out) const {
    for (std::size_t i = 0; i < std::min(kMaxWitnesses, contacts_.size()); ++i) {
        const Contact& c = contacts_[contacts_.size() - 1 - i];
        view_witness(c.witness, seen(c.a), seen(c.b), out);
        const Vec3f point = witness_point(c.witness, bodies_[c.a].state.pose);
        out.points.push_back({point, Ink::witness, 6});
        if (!labels || i >= kMaxLabels || c.since + kLabelFrames < frame_) continue;
        std::string text =
            witness_words(c.witness, " touches ", capitalised(name(c.a)) + " touches " + name(c.b));
        out.labels.push_back({point, std::move(text), Ink::witness, false, {}, 0});
    }
}

void WorkbenchScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    Drawable table = decoration(table_, Material::table, {0, -static_cast<double>(kTableHalf), 0});
    table.casts_shadow = false;
    out.drawables.push_back(table);
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
        const Body& body = bodies_[i];
        if (!body.alive) continue;
        const Kind& kind = kinds_[body.state.kind];
        Drawable d;
        d.mesh = kind.mesh;
        d.pose = body.state.pose;
        d.colour = colour_of(static_cast<std::uint32_t>(i));
        d.colliding = body.contacts > 0;
        d.flash = body.flash;
        d.pick = i;
        d.occluder_radius = static_cast<float>(0.75e-3 * kind.size);
        out.drawables.push_back(d);
        if (options.bounds) view_bounds(kind.shape->geometry().box, d.pose, out);
    }
    if (drag_.active()) view_box(kBenchRoom, Ink::grid, out);
    if (options.witness) view_contacts(options.labels, out);
}

ViewCamera WorkbenchScene::camera() const {
    ViewCamera camera;
    camera.position = {0.12f, 1.20f, 3.30f};
    camera.target = {0, 0.30f, 0};
    camera.vertical_fov = static_cast<float>(27 * collision::kPi / 180);
    camera.far_plane = 40;
    return camera;
}

ViewLight WorkbenchScene::light() const {
    ViewLight light;
    light.towards = {-0.50f, 0.80f, 0.42f};
    light.shadow_half_width = 1.35f;
    light.shadow_centre = {0, 0.2f, 0};
    light.fade_start = 3.2f;
    light.fade_end = 7;
    return light;
}

std::vector<Figure> WorkbenchScene::figures() const {
    return {{"contacts", "Contacts now", static_cast<double>(contacts_.size())},
            {"hits", "Hits so far", static_cast<double>(hits_)},
            {"undo", "Edits to undo", static_cast<double>(history_.undoable())}};
}

std::vector<SceneGroup> WorkbenchScene::groups() const {
    std::array<std::size_t, kPaletteSize> count{};
    for (std::uint32_t i = 0; i < bodies_.size(); ++i) count[colour_of(i)] += bodies_[i].alive ? 1 : 0;
    return colour_groups(count);
}

std::string WorkbenchScene::describe_pick(std::uint32_t pick) const {
    if (!alive(pick)) return {};
    const Kind& kind = kinds_[bodies_[pick].state.kind];
    const collision::Topology& t = kind.shape->topology();
    return capitalised(name(pick)) + ": " + shape_title(kind.name, meshes_) + ", " +
           std::to_string(t.vertex_count) + " vertices, " + std::to_string(t.polygon_count()) + " polygons";
}

}  // namespace

const SceneDescriptor& describe_workbench() {
    static const SceneDescriptor descriptor = [] {
        SceneDescriptor d;
        d.id = "workbench";
        d.title = "Workbench";
        d.summary =
            "Build a scene of your own: add, copy, drag and throw bodies, and watch which of them collide.";
        d.parameters = parameters();
        d.rebuild_mask = kRebuild;
        d.actions = kActions;
        d.make = &make_scene<WorkbenchScene>;
        d.accepts_meshes = true;
        d.action_help = kActionHelp;
        d.edits = EditSupport::all;
        return d;
    }();
    return descriptor;
}

}  // namespace claybox::app
