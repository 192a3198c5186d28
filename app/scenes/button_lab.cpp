// Three keys and all the rules of pressing as sliders. A mechanical finger pokes them in every way that goes
// wrong with such buttons; what the keys told is compared with what geometry says should have happened, which
// knows nothing of the press machine. Where the rules are bad, misses, doubles and presses from behind come.

#include "app/buttons/poke_truth.hpp"
#include "app/buttons/widgets.hpp"
#include "app/scenes/finger_link.hpp"
#include "app/scenes/scene.hpp"
#include "collision/core/random.hpp"

#include <algorithm>
#include <cmath>
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
    kBeside,
    kBehind,
    kRule,
    kSpeed,
    kTremble
};
enum LabGroup : unsigned { kCapGroup, kPlateGroup, kFingerGroup, kHandGroup, kTipGroup };

constexpr const char* kRuleChoices[] = {"swept", "plain"};

const Parameter kParameters[] = {
    {"travel", "Travel", ParameterKind::real, 10, 2, 20, "mm", "StereoKit: 10 mm",
     "How far a key goes down."},
    {"fire_at", "Fires at", ParameterKind::real, 60, 5, 95, "% of travel",
     "between StereoKit (50) and MRTK (90)", "How deep a key must go before it fires."},
    {"release_at", "Releases at", ParameterKind::real, 30, 0, 95, "% of travel",
     "between StereoKit and MRTK (10)",
     "How far a key must come back before it counts as released. Near the fire point it chatters."},
    {"rearm", "Re-arms after", ParameterKind::real, 80, 0, 1000, "ms",
     "HTCC waits 100 ms; ours: quick double pokes", "After a release the key fires no more for this long."},
    {"reacquire", "New finger waits", ParameterKind::real, 150, 0, 1000, "ms", "HTCC waits 100 ms",
     "A finger that has just appeared presses nothing for this long."},
    {"beside", "May slide off", ParameterKind::real, 1, 0, 4, "radii", "StereoKit: 1 on each side",
     "How far beside the key a finger still holds it."},
    {"behind", "May go through", ParameterKind::real, 6, 0, 12, "radii", "StereoKit: 6",
     "How far behind the key a finger still holds it."},
    {"rule", "Rule", ParameterKind::choice, 0, 0, 1, "", "Zachmann, thesis, chapter 9: plain",
     "Swept: from the front, with travel. Plain: pressed while finger and key collide, from any side.", false,
     kRuleChoices},
    {"speed", "Speed of pokes", ParameterKind::real, 0.5, 0.05, 5, "m/s", "ours: people's, and far above",
     "How fast the mechanical finger moves while nobody's hand is here.", true},
    {"tremble", "Trembling", ParameterKind::real, 0.2, 0, 3, "mm", "ours: about what hand tracking has",
     "How much the mechanical finger shakes."},
};

constexpr std::uint32_t kKeys = 3, kPoker = 6;  // the left forefinger's place is the machine's
constexpr double kHalfX = 0.020, kHalfY = 0.016, kPitch = 0.060, kFace = 0.030, kPokerRadius = 0.0075;
constexpr double kAway = 0.030;  // metres from every face at which a poke is over
// A finger that stays near the keys for longer than half a minute rests there: no poke, and not judged.
constexpr std::size_t kLongestPoke = 1800;  // frames
constexpr double kRestTime = 0.25;          // seconds between the machine's pokes
constexpr std::uint64_t kHandMeshes = 1000;

/// The keys' plate: leans back, so that both sides of the keys can be reached.
Pose world_from_plate() {
    return {collision::axis_angle({1, 0, 0}, -0.6), {0, 0.10, 0}};
}
Pose face_of(std::uint32_t key) {
    return world_from_plate() * Pose{{}, {kPitch * (static_cast<double>(key) - 1), 0, kFace}};
}

struct Score {
    int pokes = 0, presses = 0, should = 0, misses = 0, doubles = 0, behind = 0;
};

/// The mechanical finger: one poke after the other, each of a kind, by the seed.
class Poker {
  public:
    void start(std::uint64_t seed) { random_ = collision::Random(seed); }
    /// The place of its ball, in the plate's frame.
    Vec3d step(double dt, double speed, double tremble) {
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
        const double shake = tremble * random_.uniform();
        return at_ + random_.unit_vector() * shake;
    }

  private:
    void plan() {
        const double key = kPitch * (static_cast<double>(random_.below(kKeys)) - 1);
        const Vec3d on{key + random_.uniform(-0.016, 0.016), random_.uniform(-0.012, 0.012),
                       kFace + kPokerRadius};
        const Vec3d over = on + Vec3d{random_.uniform(-0.02, 0.02), random_.uniform(-0.02, 0.02), 0.05};
        const Vec3d deep = on - Vec3d{0, 0, random_.uniform(0.003, 0.016)}, side{0, 0.09, 0};
        switch (random_.below(6)) {
            case 0:  // from behind and back again
                course_ = {over + side, on + side - Vec3d{0, 0, 0.09}, on - Vec3d{0, 0, 0.09}, over};
                break;
            case 1:  // in from the side
                course_ = {over + side, deep + side, deep - side, over - side};
                break;
            case 2:  // rests
                course_ = {over, on - Vec3d{0, 0, 0.002}, on + Vec3d{0.002, 0, -0.003}, over};
                break;
            case 3:  // right through
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
    std::string describe_pick(std::uint32_t pick) const override {
        return pick < kKeys ? "Key " + std::to_string(pick + 1) : std::string();
    }

  private:
    void move_caps(collision::World& world);
    void note_ways();
    void view_machine(SceneView& out) const;
    void view_key(std::uint32_t key, SceneView& out) const;
    void judge(std::uint32_t finger);
    void count_strays(std::uint32_t finger);
    void answer(std::uint64_t frame, StepOutput& output);

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
    std::array<TruthWay, kFingerCount> ways_;
    std::array<std::array<TruthCount, kKeys>, kFingerCount> told_{};
    Score score_;
    collision::EventBatch batch_;
    std::vector<PressEvent> presses_;
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
    rules_.release_at = std::min(p[kReleaseAt], p[kFireAt]) / 100;  // it cannot be above the fire point
    rules_.rearm = p[kRearm] / 1000;
    rules_.reacquire = p[kReacquire] / 1000;
    rules_.beside = p[kBeside];
    rules_.behind = p[kBehind];
    rules_.plain = p.on(kRule);
    link_.choose(false, rules_.plain);
}

void ButtonLab::move_caps(collision::World& world) {
    for (std::uint32_t i = 0; i < kKeys; ++i) {
        Pose pose = face_of(i);
        pose.translation += collision::rotate(pose.rotation, {0, 0, rules_.plain ? 0 : -board_.travel(i)});
        [[maybe_unused]] const Status moved = world.move(cap_[i], pose);
        CLAYBOX_ASSERT(moved.ok());
    }
}

/// Fingers near the keys draw their ways; where one has gone, its poke is judged.
void ButtonLab::note_ways() {
    for (std::uint32_t f = 0; f < kFingerCount; ++f) {
        const auto tip = link_.tip(f);
        TruthWay& way = ways_[f];
        double nearest = 1e30;
        for (const TruthFace& face : faces_) {
            if (!tip) break;
            const Vec3d p = *tip - face.middle;
            nearest =
                std::min(nearest, distance_to_face({dot(p, face.right), dot(p, face.up), dot(p, face.out)},
                                                   link_.radius(f), kHalfX, kHalfY));
        }
        if (tip && way.points.size() < kLongestPoke) way.points.push_back({link_.time(), *tip});
        way.radius = link_.radius(f);
        if (nearest < kAway || !link_.caught_up()) continue;
        if (way.points.size() <= 2)
            count_strays(f);
        else if (way.points.size() < kLongestPoke)
            judge(f);
        way.points.clear();
        if (tip) way.points.push_back({link_.time(), *tip});  // the next way begins here
        told_[f] = {};
    }
}

void ButtonLab::judge(std::uint32_t f) {
    // The yardstick is the standard rules, whatever the sliders say; the finger has been there for long.
    PressRules standard;
    standard.reacquire = 0;
    standard.travel = rules_.travel;
    const std::vector<TruthCount> truth = what_should_happen(std::span(&ways_[f], 1), faces_, standard);
    ++score_.pokes;
    for (std::uint32_t key = 0; key < kKeys; ++key) {
        const int should = truth[key].presses, told = told_[f][key].presses;
        score_.should += should;
        score_.presses += told;
        score_.misses += std::max(0, should - told);
        const int extra = std::max(0, told - should);
        (truth[key].from_behind > 0 ? score_.behind : score_.doubles) += extra;
    }
}

/// Presses while the fingertip is far from every face: the rest of the finger has run into a key.
void ButtonLab::count_strays(std::uint32_t f) {
    for (const TruthCount& told : told_[f]) {
        score_.presses += told.presses;
        score_.doubles += told.presses;
    }
}

void ButtonLab::answer(std::uint64_t frame, StepOutput& output) {
    for (const PressEvent& press : presses_) {
        const std::string key = "Key " + std::to_string(press.button + 1);
        TruthCount& told = told_[press.finger][press.button];
        told.presses += press.kind == PressKind::fired;
        told.releases += press.kind == PressKind::released;
        SceneEvent event = event_of(press, frame, key);
        if (pokes_) event.hand = Side::none;
        output.events.push_back(std::move(event));
    }
    presses_.clear();
}

void ButtonLab::step(collision::World& world, const StepInput& input, StepOutput& output) {
    StepInput hands = input;
    // The machine works while nobody's hand is here. Its finger is the left hand's: when they change places,
    // none is there for a frame, for there is no way from one to the other.
    const bool poked = std::exchange(pokes_, !input.hand[0].present && !input.hand[1].present);
    if (poked != pokes_) hands.hand[1].present = false;
    if (pokes_) {
        const Pose plate = world_from_plate();
        const Vec3d at = poker_.step(input.dt, parameters_[kSpeed], parameters_[kTremble] / 1000);
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
    link_.before(world, hands, board_, presses_);
    move_caps(world);
    [[maybe_unused]] const Status followed = hands_.update(world, input);
    CLAYBOX_ASSERT(followed.ok());
    world.publish(input.frame);
    world.check();
    world.poll_events(batch_);
    link_.after(batch_, board_, rules_, presses_, [](std::span<const FingerMove>) {});
    board_.settle(input.dt, rules_);
    answer(input.frame, output);
    note_ways();
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

std::vector<Figure> ButtonLab::figures() const {
    const auto count = [](int n) { return static_cast<double>(n); };
    return {{"pokes", "Pokes judged", count(score_.pokes)},
            {"presses", "Presses", count(score_.presses)},
            {"should", "Should have been", count(score_.should)},
            {"misses", "Misses", count(score_.misses)},
            {"doubles", "Doubles and false ones", count(score_.doubles)},
            {"back_presses", "Presses from behind", count(score_.behind)}};
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
    hands_.view(active, options.newest_hands, out);
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
    // The last of its way.
    const auto& points = ways_[kPoker].points;
    for (std::size_t i = points.size() > 40 ? points.size() - 40 : 0; i + 1 < points.size(); ++i)
        out.lines.push_back({collision::cast<float>(points[i].at), collision::cast<float>(points[i + 1].at),
                             Ink::accent, 1.5f, false});
}

/// One key, its post and its number.
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
                                            "Every rule of pressing as a slider, a mechanical finger that "
                                            "pokes in every bad way, and a count of what "
                                            "geometry says went wrong.",
                                            "Move the sliders and watch misses, doubles and presses from "
                                            "behind. The rule \"plain\" shows why the "
                                            "others exist.",
                                            kParameters,
                                            0,
                                            {},
                                            true,
                                            &make_scene<ButtonLab>};
    return descriptor;
}

}  // namespace claybox::app
