// Three keys, and every rule of pressing as a slider. A mechanical finger pokes the keys in every way that
// typically fails. The presses are compared with the expected presses, which follow from the geometry alone
// and not from the press machine (poke_truth.hpp). Bad rules show up as missed, duplicate and back-side
// presses.

#include "app/buttons/poke_truth.hpp"
#include "app/buttons/widgets.hpp"
#include "app/scenes/hands/finger_link.hpp"
#include "app/scenes/scene.hpp"
#include "collision/core/random.hpp"

#include <algorithm>
#include <utility>

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

enum LabParameter : std::size_t {
    kTravel,
    kFireAt,
    kReleaseAt,
    kRearm,
    kReacquire,
    kSideMargin,
    kBackMargin,
    kRule,
    kSpeed,
    kJitter
};
enum LabGroup : unsigned { kCapGroup, kPlateGroup, kFingerGroup, kHandGroup, kTipGroup };

constexpr const char* kRuleChoices[] = {"swept", "plain"};

const Parameter kParameters[] = {
    {"travel", "Travel", ParameterKind::real, 10, 2, 20, "mm", "StereoKit: 10 mm",
     "How far a key moves down."},
    {"fire_at", "Fires at", ParameterKind::real, 60, 5, 95, "% of travel",
     "between StereoKit (50) and MRTK (90)", "How deep a key must be pressed before it fires."},
    {"release_at", "Releases at", ParameterKind::real, 30, 0, 95, "% of travel",
     "between StereoKit and MRTK (10)",
     "How far a key must come back up before it is released. A value close to Fires at makes it chatter."},
    {"rearm", "Re-arms after", ParameterKind::real, 80, 0, 1000, "ms",
     "HTCC waits 100 ms; ours: quick double pokes", "A released key cannot fire again for this long."},
    {"reacquire", "New finger delay", ParameterKind::real, 150, 0, 1000, "ms", "HTCC waits 100 ms",
     "A finger that has just appeared cannot press for this long."},
    {"beside", "Side margin", ParameterKind::real, 1, 0, 4, "radii", "StereoKit: 1 on each side",
     "How far a finger can slide off the side of a key and still hold it."},
    {"behind", "Back margin", ParameterKind::real, 6, 0, 12, "radii", "StereoKit: 6",
     "How far a finger can go through a key and still hold it."},
    {"rule", "Rule", ParameterKind::choice, 0, 0, 1, "", "Zachmann, thesis, chapter 9: plain",
     "swept: a press comes from the front and needs travel. plain: pressed while finger and key collide, "
     "from any side.",
     false, kRuleChoices},
    {"speed", "Poke speed", ParameterKind::real, 0.5, 0.05, 5, "m/s", "ours: human speeds and far above",
     "Speed of the mechanical finger. It pokes while no hand is present.", true},
    {"tremble", "Jitter", ParameterKind::real, 0.2, 0, 3, "mm", "ours: about the jitter of hand tracking",
     "Random displacement of the mechanical finger in each frame."},
};

constexpr std::uint32_t kKeys = 3, kPoker = 6;  // the machine uses the slot of the left forefinger
constexpr double kHalfX = 0.020, kHalfY = 0.016, kPitch = 0.060, kFace = 0.030, kPokerRadius = 0.0075;
constexpr double kAway = 0.030;  // metres from every face at which a poke ends
// A finger near the keys for more than half a minute is resting: not a poke, not scored.
constexpr std::size_t kLongestPoke = 1800;  // frames
constexpr double kRestTime = 0.25;          // seconds between the machine's pokes
constexpr std::uint64_t kHandMeshes = 1000;

/// Frame of the plate with the keys. It leans back, which leaves both sides of the keys free.
Pose world_from_plate() {
    return {collision::axis_angle({1, 0, 0}, -0.6), {0, 0.10, 0}};
}
Pose face_of(std::uint32_t key) {
    return world_from_plate() * Pose{{}, {kPitch * (static_cast<double>(key) - 1), 0, kFace}};
}

struct Score {
    int pokes = 0, presses = 0, expected = 0, missed = 0, extra = 0, from_behind = 0;
};

/// The mechanical finger: a sequence of pokes of random kinds, determined by the seed.
class Poker {
  public:
    void start(std::uint64_t seed) { random_ = collision::Random(seed); }
    /// Advances by `dt`. Returns the centre of the fingertip, plate frame.
    Vec3d step(double dt, double speed, double jitter) {
        double left = speed * dt;
        wait_ -= dt;
        while (wait_ <= 0 && left > 0) {
            if (next_ >= course_.size()) plan();
            const Vec3d to = course_[next_] - at_;
            const double step = std::min(left, length(to));
            if (step > 0) at_ += normalized(to) * step;
            left -= step;
            if (length(course_[next_] - at_) > 1e-9) continue;
            if (++next_ == course_.size()) wait_ = kRestTime;
        }
        const double distance = jitter * random_.uniform();
        return at_ + random_.unit_vector() * distance;
    }

  private:
    void plan() {
        const double key = kPitch * (static_cast<double>(random_.below(kKeys)) - 1);
        const Vec3d on{key + random_.uniform(-0.016, 0.016), random_.uniform(-0.012, 0.012),
                       kFace + kPokerRadius};
        const Vec3d over = on + Vec3d{random_.uniform(-0.02, 0.02), random_.uniform(-0.02, 0.02), 0.05};
        const Vec3d deep = on - Vec3d{0, 0, random_.uniform(0.003, 0.016)}, side{0, 0.09, 0};
        switch (random_.below(6)) {
            case 0:  // from behind
                course_ = {over + side, on + side - Vec3d{0, 0, 0.09}, on - Vec3d{0, 0, 0.09}, over};
                break;
            case 1:  // in from the side
                course_ = {over + side, deep + side, deep - side, over - side};
                break;
            case 2:  // rests on the key
                course_ = {over, on - Vec3d{0, 0, 0.002}, on + Vec3d{0.002, 0, -0.003}, over};
                break;
            case 3:  // through the key
                course_ = {over, on - Vec3d{0, 0, 0.09}, on - side - Vec3d{0, 0, 0.09}, over - side};
                break;
            default:
                course_ = {over, deep, over};
        }
        next_ = 0;
    }

    collision::Random random_{1};
    std::vector<Vec3d> course_;
    std::size_t next_ = 0;
    Vec3d at_{0, 0.06, 0.10};
    double wait_ = 0;
};

class ButtonLab final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override {
        store_.append_to(out);
        hands_.append_meshes(out);
    }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-0.20f, 0.01f, -0.15f}, {0.20f, 0.30f, 0.25f}}; }
    HandKey hand_rest() const override;
    std::optional<HandAim> hand_aim(const Vec3d& origin, const Vec3d& direction) const override;
    bool hand_pokes() const override { return true; }
    std::vector<Figure> figures() const override;
    std::optional<PressCurve> press_curve() const override;
    std::string describe_pick(std::uint32_t pick) const override {
        return pick < kKeys ? "Key " + std::to_string(pick + 1) : std::string();
    }

  private:
    void move_caps(collision::World& world);
    void record_paths();
    void view_machine(SceneView& out) const;
    void view_key(std::uint32_t key, SceneView& out) const;
    void score_poke(std::uint32_t finger);
    void count_strays(std::uint32_t finger);
    void report_presses(std::uint64_t frame, StepOutput& output);

    ParameterValues parameters_;
    PressRules rules_;
    PressBoard board_{std::vector<PressPad>(kKeys, PressPad{kHalfX, kHalfY}), kFingerCount};
    FingerLink link_{{kPlateGroup, kCapGroup, kFingerGroup}};
    HandBodies hands_{kHandGroup, kTipGroup, kHandMeshes};
    MeshStore store_;
    std::uint64_t table_ = 0, stand_ = 0, plate_ = 0, cap_mesh_ = 0, post_ = 0, poker_mesh_ = 0;
    std::vector<BodyId> cap_;
    std::vector<TruthFace> faces_;
    Poker poker_;
    Vec3d poker_at_;
    bool pokes_ = true;
    std::array<TruthPath, kFingerCount> paths_;
    /// Presses and releases since the start of each finger's path, as the press machine reported them.
    std::array<std::array<TruthCount, kKeys>, kFingerCount> reported_{};
    Score score_;
    collision::EventBatch batch_;
    std::vector<PressEvent> presses_;
    PressTrail trail_;
};

Status ButtonLab::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    set_parameters(parameters);
    poker_.start(seed);
    for (unsigned a = 0; a <= kTipGroup; ++a)
        for (unsigned b = a; b <= kTipGroup; ++b)
            world.set_interest(a, b, {false, collision::kWantVerdict, 0});
    constexpr Vec3f half{static_cast<float>(kHalfX), static_cast<float>(kHalfY), 0.007f};
    const auto shape = collision::Shape::from_hull(box_mesh(half, {0, 0, -half.z}).positions, "key");
    if (!shape.ok()) return shape.error();
    std::vector<LinkFace> links;
    for (std::uint32_t key = 0; key < kKeys; ++key) {
        const Pose at = face_of(key);
        const auto body = world.add_body({shape.value(), at, kCapGroup, false, key});
        if (!body.ok()) return body.error();
        cap_.push_back(body.value());
        links.push_back({at, {kHalfX, kHalfY}, body.value()});
        const auto axis = [&](const Vec3d& v) { return collision::rotate(at.rotation, v); };
        faces_.push_back(
            {{kHalfX, kHalfY}, at.translation, axis({1, 0, 0}), axis({0, 1, 0}), axis({0, 0, 1})});
    }
    collision::PolygonList cap = rounded_box_mesh(half, 0.0035f, 3);
    for (Vec3f& p : cap.positions) p.z -= half.z;
    table_ = store_.add(box_mesh({1.6f, 0.02f, 0.75f}));
    stand_ = store_.add(rounded_box_mesh({0.012f, 0.05f, 0.008f}, 0.003f, 2), true);
    plate_ = store_.add(rounded_box_mesh({0.095f, 0.005f, 0.003f}, 0.0012f, 2), true);
    post_ = store_.add(rounded_box_mesh({0.0035f, 0.0035f, 0.012f}, 0.0012f, 2), true);
    cap_mesh_ = store_.add(cap, true);
    const auto tip = collision::Shape::from_hull(
        hand_part_points(kIndexTip, static_cast<float>(kPokerRadius), 0.05f), "mechanical finger");
    if (!tip.ok()) return tip.error();
    poker_mesh_ = store_.add(tip.value());
    return link_.build(world, std::move(links));
}

void ButtonLab::set_parameters(const ParameterValues& p) {
    parameters_ = p;
    rules_.travel = p[kTravel] / 1000;
    rules_.fire_at = p[kFireAt] / 100;
    rules_.release_at = std::min(p[kReleaseAt], p[kFireAt]) / 100;  // at most the fire point
    rules_.rearm = p[kRearm] / 1000;
    rules_.reacquire = p[kReacquire] / 1000;
    rules_.side_margin = p[kSideMargin];
    rules_.back_margin = p[kBackMargin];
    rules_.plain = p.on(kRule);
    link_.configure(false, rules_.plain);
}

void ButtonLab::move_caps(collision::World& world) {
    for (std::uint32_t i = 0; i < kKeys; ++i) {
        Pose pose = face_of(i);
        pose.translation += collision::rotate(pose.rotation, {0, 0, rules_.plain ? 0 : -board_.travel(i)});
        [[maybe_unused]] const Status moved = world.move(cap_[i], pose);
        CLAYBOX_ASSERT(moved.ok());
    }
}

/// Records the paths of fingers near the keys. Scores the poke when a finger has left.
void ButtonLab::record_paths() {
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        const auto tip = link_.tip(f);
        TruthPath& path = paths_[f];
        double nearest = 1e30;
        for (const TruthFace& face : faces_) {
            if (!tip) break;
            const Vec3d p = *tip - face.middle;
            nearest =
                std::min(nearest, distance_to_face({dot(p, face.right), dot(p, face.up), dot(p, face.out)},
                                                   link_.radius(f), kHalfX, kHalfY));
        }
        if (tip && path.points.size() < kLongestPoke) path.points.push_back({link_.time(), *tip});
        path.radius = link_.radius(f);
        if (nearest < kAway || !link_.caught_up()) continue;
        if (path.points.size() <= 2)
            count_strays(f);
        else if (path.points.size() < kLongestPoke)
            score_poke(f);
        path.points.clear();
        if (tip) path.points.push_back({link_.time(), *tip});  // start of the next path
        reported_[f] = {};
    }
}

void ButtonLab::score_poke(std::uint32_t f) {
    // The standard rules are the reference, whatever the sliders say. The finger did not just appear.
    PressRules standard;
    standard.reacquire = 0;
    standard.travel = rules_.travel;
    const std::vector<TruthCount> truth = expected_presses(std::span(&paths_[f], 1), faces_, standard);
    ++score_.pokes;
    for (std::uint32_t key = 0; key < kKeys; ++key) {
        const int expected = truth[key].presses, reported = reported_[f][key].presses;
        score_.expected += expected;
        score_.presses += reported;
        score_.missed += std::max(0, expected - reported);
        const int extra = std::max(0, reported - expected);
        (truth[key].from_behind > 0 ? score_.from_behind : score_.extra) += extra;
    }
}

/// Counts presses without a poke: the fingertip is far from every face, but the rest of the finger touches a
/// key.
void ButtonLab::count_strays(std::uint32_t f) {
    for (const TruthCount& reported : reported_[f]) {
        score_.presses += reported.presses;
        score_.extra += reported.presses;
    }
}

void ButtonLab::report_presses(std::uint64_t frame, StepOutput& output) {
    for (const PressEvent& press : presses_) {
        const std::string key = "Key " + std::to_string(press.button + 1);
        TruthCount& reported = reported_[press.finger][press.button];
        reported.presses += press.kind == PressKind::fired;
        reported.releases += press.kind == PressKind::released;
        SceneEvent event = event_of(press, frame, key);
        if (pokes_) event.hand = Side::none;
        output.events.push_back(std::move(event));
    }
    presses_.clear();
}

void ButtonLab::step(collision::World& world, const StepInput& input, StepOutput& output) {
    StepInput hands = input;
    // The machine pokes while no hand is present, with the slot of the left hand. When the two change places,
    // the slot is empty for one frame: no path leads from one to the other.
    const bool poked = std::exchange(pokes_, !input.hand[0].present && !input.hand[1].present);
    if (poked != pokes_) hands.hand[1].present = false;
    if (pokes_) {
        const Pose plate = world_from_plate();
        const Vec3d at = poker_.step(input.dt, parameters_[kSpeed], parameters_[kJitter] / 1000);
        poker_at_ = plate.translation + collision::rotate(plate.rotation, at);
        HandInput& machine = hands.hand[1];
        machine.present = poked;
        machine.radius.fill(static_cast<float>(kPokerRadius));
        machine.length.fill(0.05f);
        Pose& tip = machine.part[kIndexTip];
        tip.rotation = plate.rotation;
        tip.translation =
            poker_at_ +
            collision::rotate(tip.rotation, {0, 0, static_cast<double>(machine.length[kIndexTip])});
    }
    link_.before_publish(world, hands, board_, presses_);
    move_caps(world);
    [[maybe_unused]] const Status followed = hands_.update(world, input);
    CLAYBOX_ASSERT(followed.ok());
    world.publish(input.frame);
    world.check();
    world.poll_events(batch_);
    link_.after_poll(batch_, board_, rules_, presses_, [](std::span<const FingerMove>) {});
    board_.settle(input.dt, rules_);
    trail_.add(board_, [](std::uint32_t) { return true; });
    report_presses(input.frame, output);
    record_paths();
}

ViewCamera ButtonLab::camera() const {
    ViewCamera camera;
    camera.position = {0.09f, 0.29f, 0.36f};
    camera.target = {0.005f, 0.090f, 0.01f};
    camera.vertical_fov = 0.46f;
    camera.far_plane = 20;
    return camera;
}

ViewLight ButtonLab::light() const {
    ViewLight light;
    light.towards = {-0.58f, 0.70f, 0.40f};
    light.shadow_half_width = 0.24f;
    light.shadow_centre = {0, 0.06f, 0};
    light.fade_start = 0.8f;
    light.fade_end = 1.8f;
    return light;
}

HandKey ButtonLab::hand_rest() const {
    const Pose plate = world_from_plate();
    HandKey key;
    key.wrist.rotation =
        collision::normalized(plate.rotation * looking({-0.80, 0.30, -0.52}, {-0.35, 0.4, 0.85}));
    key.wrist.translation = {0.13, 0.14, 0.20};
    key.curl = {0.24f, 0.14f, 0.68f, 0.75f, 0.82f};
    return key;
}

std::optional<HandAim> ButtonLab::hand_aim(const Vec3d& origin, const Vec3d& direction) const {
    const Pose plate = world_from_plate();
    const collision::Quat to_plate = collision::conjugate(plate.rotation);
    const Vec3d from = collision::rotate(to_plate, origin - plate.translation),
                along = collision::rotate(to_plate, direction);
    if (!(along.z < -1e-6) || from.z < kFace) return std::nullopt;
    Vec3d at = from + along * ((kFace - from.z) / along.z);
    at.z += kPokerRadius;
    return HandAim{plate.translation + collision::rotate(plate.rotation, at),
                   collision::rotate(plate.rotation, {0, 0, -1})};
}

std::optional<PressCurve> ButtonLab::press_curve() const {
    const bool touched = trail_.button() < board_.size();
    return PressCurve{touched ? "Key " + std::to_string(trail_.button() + 1) : "no key yet",
                      trail_.depths(),
                      kStepSeconds,
                      rules_.travel,
                      rules_.fire_at * rules_.travel,
                      rules_.release_at * rules_.travel};
}

std::vector<Figure> ButtonLab::figures() const {
    const auto count = [](int n) { return static_cast<double>(n); };
    return {{"pokes", "Pokes scored", count(score_.pokes)},
            {"presses", "Presses", count(score_.presses)},
            {"expected_presses", "Expected presses", count(score_.expected)},
            {"missed_presses", "Missed presses", count(score_.missed)},
            {"extra_presses", "Extra presses", count(score_.extra)},
            {"presses_from_behind", "Presses from behind", count(score_.from_behind)}};
}

void ButtonLab::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    Drawable table = decoration(table_, Material::table, {0, -0.02, 0.35});
    table.casts_shadow = false;
    out.drawables.push_back(table);
    for (const double side : {-0.06, 0.06})
        out.drawables.push_back(decoration(stand_, Material::desk_case, {side, 0.050, -0.002}));
    Drawable bar = decoration(plate_, Material::desk_case);
    bar.pose = world_from_plate();
    out.drawables.push_back(bar);
    for (std::uint32_t i = 0; i < kKeys; ++i) view_key(i, out);
    if (pokes_) view_machine(out);
    std::bitset<kTwoHands> active;
    for (std::uint32_t b = 0; b < kKeys; ++b)
        if (board_.holder(b) != kNoIndex && board_.holder(b) < kFingersOfHand)
            active[tip_part(board_.holder(b))] = true;
    hands_.view(active, options.newest_hands, out, options.ghosts);
    if (!options.bounds) return;
    for (std::uint32_t i = 0; i < kKeys; ++i) {
        Aabb box;
        box.add(Vec3f{-static_cast<float>(kHalfX), -static_cast<float>(kHalfY), -0.001f});
        box.add(Vec3f{static_cast<float>(kHalfX), static_cast<float>(kHalfY), 0.001f});
        view_box(collision::transform_aabb(collision::to_matrix(face_of(i)), box), Ink::bounds, out);
    }
}

void ButtonLab::view_machine(SceneView& out) const {
    const Pose plate = world_from_plate();
    Drawable finger = decoration(poker_mesh_, Material::hand_active);
    finger.pose = {plate.rotation, poker_at_ + collision::rotate(plate.rotation, {0, 0, 0.05})};
    out.drawables.push_back(finger);
    // The last 40 points of its path.
    const auto& points = paths_[kPoker].points;
    for (std::size_t i = points.size() > 40 ? points.size() - 40 : 0; i + 1 < points.size(); ++i)
        out.lines.push_back({collision::cast<float>(points[i].at), collision::cast<float>(points[i + 1].at),
                             Ink::accent, 1.5f, false});
}

/// Draws a key, its post and its number.
void ButtonLab::view_key(std::uint32_t i, SceneView& out) const {
    const Pose plate = world_from_plate();
    const double x = kPitch * (static_cast<double>(i) - 1), z = kFace - board_.travel(i);
    const auto part = [&](std::uint64_t mesh, Material material, const Vec3d& at) {
        Drawable d = decoration(mesh, material);
        d.pose = plate * Pose{{}, at};
        return d;
    };
    out.drawables.push_back(part(post_, Material::desk_well, {x, 0, 0.010}));
    Drawable cap =
        part(cap_mesh_, board_.pressed(i) ? Material::button_pressed : Material::button, {x, 0, z});
    cap.pick = i;
    out.drawables.push_back(cap);
    ViewLabel label;
    label.text = std::to_string(i + 1);
    label.engraved = true;
    label.ink = board_.pressed(i) ? Ink::accent : Ink::dimension;
    label.height = 0.006f;
    label.pose = plate * Pose{{}, {x - 0.012, 0.004, z + 0.0008}};
    label.p = collision::cast<float>(label.pose.translation);
    out.labels.push_back(std::move(label));
}

}  // namespace

const SceneDescriptor& describe_button_lab() {
    static const SceneDescriptor descriptor{"button_lab",
                                            "Button lab",
                                            "Every rule of pressing is a slider. A mechanical finger pokes "
                                            "three keys, and the scene counts wrong presses.",
                                            kParameters,
                                            0,
                                            {},
                                            true,
                                            &make_scene<ButtonLab>};
    return descriptor;
}

}  // namespace claybox::app
