// Bullets fly through two channels with thin plates. In the upper channel the bullets have the continuous
// switch: they are tested along their way from frame to frame, and none passes a plate. In the lower one they
// are tested at their poses only, and most jump over the plates. Both channels have the same plates.

#include "app/scenes/bullets/range.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "app/scenes/shared/shades.hpp"
#include "collision/core/elementary.hpp"

#include <algorithm>
#include <utility>

namespace claybox::app {

using collision::Aabb;
using collision::Arrival;
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

constexpr const char* kSwitches[] = {"upper", "all", "none"};

enum BulletParameter : std::size_t { kBullets, kSpeed, kThickness, kSwitch };

const Parameter kParameters[] = {
    {"bullets", "Bullets", ParameterKind::integer, 600, 2, 10000, "", "ours: single bullets stay visible",
     "Number of bullets in both channels.", true},
    {"speed", "Speed", ParameterKind::real, 36, 0.6, 3000, "m/s",
     "ours: six times the length of a bullet per frame", "Speed of the bullets. A frame lasts 1/60 s.", true},
    {"thickness", "Thickness", ParameterKind::real, 0.002, 0.0001, 0.05, "m",
     "ours: thin against the way of a frame", "Thickness of the plates.", true},
    {"switch", "Continuous", ParameterKind::choice, 0, 0, 2, "", "ours: shows both at once",
     "Which bullets have the continuous switch: those of the upper channel, all, or none.", false, kSwitches},
};
constexpr std::uint32_t kRebuild = 1u << kBullets | 1u << kThickness;

constexpr double kFrames = 60;     // per second
constexpr double kBackOff = 1e-4;  // metres before a plate from which a bullet flies back: it touches nothing
constexpr unsigned kBulletGroup = 0, kPlateGroup = 1;
constexpr std::size_t kMaxEventTexts = 24, kMaxBounds = 900;
constexpr double kPlinth = 0.1;

/// The trails of many bullets lie over each other, so each is fainter.
float way_opacity(std::size_t bullets) {
    constexpr double kFew = 900;
    return static_cast<float>(0.45 *
                              collision::power(kFew / std::max(kFew, static_cast<double>(bullets)), 0.7));
}

class BulletScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-3.4f, 0, -1.5f}, {3.4f, 3.6f, 1.5f}}; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;
    std::vector<SceneGroup> groups() const override {
        return {{kBulletGroup, "Bullets", -1, range_.size()},
                {kPlateGroup, "Plates", -1, range_.plates().size()}};
    }

  private:
    /// What the bullets that are tested in one way have done.
    struct Count {
        std::uint64_t stopped = 0, passed = 0;  ///< at plates
    };

    Status add_bodies(collision::World& world);
    void build_decoration();
    bool has_switch(std::size_t bullet) const;
    void switch_bullets(collision::World& world);
    void move_bullets(collision::World& world);
    void respond(collision::World& world, StepOutput& output);
    void stop(std::size_t bullet, const Event& event);
    void count_passed(std::uint64_t done);
    void remember_ways();
    Count& count_of(std::size_t bullet) { return counts_[continuous_ && has_switch(bullet) ? 1 : 0]; }
    Pose pose(std::size_t bullet) const { return {{}, range_.place(bullet)}; }
    void view_channels(bool labels, SceneView& out) const;

    ParameterValues parameters_;
    Range range_;
    std::vector<BodyId> ids_;  ///< bullets, then plates: the slot equals the number
    collision::ShapePtr bullet_shape_, plate_shape_;
    bool continuous_ = true;       ///< of the world, in the last step
    double switched_ = -1;         ///< kSwitch, as applied to the bodies
    std::array<Count, 2> counts_;  ///< tested at poses, and along motions
    // Indexed by bullet.
    std::vector<unsigned char> anew_;        ///< its way of the next frame starts at its place
    std::vector<std::uint16_t> crossed_;     ///< plates on ways that no pass has tested yet
    std::vector<std::uint64_t> crossed_in_;  ///< newest frame of these
    std::vector<std::uint64_t> answered_;    ///< events up to this frame are about an earlier flight
    std::vector<std::uint8_t> shade_;
    std::vector<Vec3f> before_;  ///< places in the frame before
    std::vector<std::array<float, 4>> rotation_;
    Glow glow_;
    HitMarks marks_;
    collision::EventBatch batch_;
    std::uint64_t frame_ = 0, open_ = 0;

    MeshStore store_;
    std::uint64_t bullet_mesh_ = 0, plate_mesh_ = 0, floor_ = 0, plinth_ = 0, shelf_ = 0, post_ = 0;
};

Status BulletScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    parameters_ = parameters;
    const auto bullets = static_cast<std::size_t>(parameters.integer(kBullets));
    set_parameters(parameters);  // before: the step decides where bullets start
    range_.build(bullets, parameters[kThickness], collision::mix64(seed ^ 1));
    auto bullet = make_bullet_shape();
    if (!bullet.ok()) return bullet.error();
    auto plate =
        collision::Shape::from_polygons(box_mesh(collision::cast<float>(range_.plate_half())), "plate");
    if (!plate.ok()) return plate.error();
    bullet_shape_ = std::move(bullet).value();
    plate_shape_ = std::move(plate).value();
    bullet_mesh_ = store_.add(bullet_shape_);
    plate_mesh_ = store_.add(plate_shape_);
    anew_.resize(bullets);
    crossed_.resize(bullets);
    crossed_in_.resize(bullets);
    answered_.resize(bullets);
    shade_.resize(bullets);
    rotation_.assign(bullets, {1, 0, 0, 0});
    glow_.resize(bullets);
    remember_ways();
    build_decoration();
    return add_bodies(world);
}

Status BulletScene::add_bodies(collision::World& world) {
    switched_ = parameters_[kSwitch];
    for (std::size_t i = 0; i < range_.size(); ++i) {
        auto id = world.add_body({.shape = bullet_shape_,
                                  .pose = pose(i),
                                  .group = kBulletGroup,
                                  .data = i,
                                  .continuous = has_switch(i)});
        if (!id.ok()) return id.error();
        ids_.push_back(id.value());
    }
    for (const RangePlate& plate : range_.plates()) {
        auto id = world.add_body(
            {.shape = plate_shape_, .pose = {{}, plate.at}, .group = kPlateGroup, .data = ids_.size()});
        if (!id.ok()) return id.error();
        ids_.push_back(id.value());
    }
    for (const unsigned group : {kBulletGroup, kPlateGroup})
        world.set_interest(group, group, {.test = false});
    return Done{};
}

void BulletScene::build_decoration() {
    floor_ = store_.add(disc_mesh(40, 96));
    const auto x = static_cast<float>(kChannel.x + 0.12), z = static_cast<float>(kChannel.z + 0.12);
    plinth_ = store_.add(box_mesh({x, static_cast<float>(kPlinth / 2), z}));
    shelf_ = store_.add(box_mesh({x, 0.012f, z}));
    post_ = store_.add(box_mesh({0.035f, static_cast<float>(Range::floor_of(0) / 2), 0.035f}));
}

void BulletScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    range_.set_step(parameters[kSpeed] / kFrames);
}

bool BulletScene::has_switch(std::size_t bullet) const {
    const auto choice = static_cast<int>(switched_);
    return choice == 1 || (choice == 0 && range_.channel_of(bullet) == 0);
}

void BulletScene::switch_bullets(collision::World& world) {
    if (switched_ == parameters_[kSwitch]) return;
    switched_ = parameters_[kSwitch];
    for (std::size_t i = 0; i < range_.size(); ++i) world.set_continuous(ids_[i], has_switch(i));
}

/// A bullet that was stopped, or that starts anew, has no way from its former pose.
void BulletScene::move_bullets(collision::World& world) {
    for (std::size_t i = 0; i < range_.size(); ++i) {
        if (anew_[i]) (void)world.move(ids_[i], pose(i), Arrival::placed);
        const bool starts = range_.advance(i) == Range::Flight::starts;
        anew_[i] = 0;
        [[maybe_unused]] const Status moved =
            world.move(ids_[i], pose(i), starts ? Arrival::placed : Arrival::moved);
        CLAYBOX_ASSERT(moved.ok());
        // Cools down fast: among many bullets, only the newest hits should stand out.
        const float warm = glow_[static_cast<std::uint32_t>(i)], hot = warm * warm * warm * warm;
        shade_[i] = heat_shade(hot, range_.channel_of(i) == 0 ? 2 : 0);
        if (starts) continue;
        const int plates = range_.plates_between(range_.channel_of(i), range_.last_place(i), range_.place(i));
        if (plates == 0) continue;
        crossed_[i] = static_cast<std::uint16_t>(crossed_[i] + plates);
        crossed_in_[i] = frame_;
    }
}

/// Ways that passes up to frame `done` have tested without a hit have passed their plates.
void BulletScene::count_passed(std::uint64_t done) {
    for (std::size_t i = 0; i < range_.size(); ++i)
        if (crossed_[i] > 0 && crossed_in_[i] <= done) count_of(i).passed += std::exchange(crossed_[i], 0);
}

void BulletScene::stop(std::size_t bullet, const Event& event) {
    const collision::Impact* const impact = batch_.impact_of(event);
    if (impact != nullptr && impact->at_start) {
        range_.start(bullet);  // wedged between plates
    } else if (impact != nullptr) {
        const Vec3d back = kBackOff * range_.direction(bullet);
        range_.bounce(bullet, impact->pose_a.translation - back, impact->normal_w);
    } else {
        range_.bounce(bullet, range_.place(bullet), {});
    }
    anew_[bullet] = impact != nullptr;
    crossed_[bullet] = 0;
    answered_[bullet] = frame_;
    ++count_of(bullet).stopped;
}

void BulletScene::respond(collision::World& world, StepOutput& output) {
    const std::uint64_t done = world.stats().frame;
    world.poll_events(batch_);
    for (const Event& e : batch_.events) {
        const std::size_t bullet = e.a.slot;
        CLAYBOX_ASSERT(ids_[bullet] == e.a && bullet < range_.size());
        if (e.kind != EventKind::stay) glow_.heat_up(e.a.slot, e.kind == EventKind::begin ? 1 : -1);
        open_ += e.kind == EventKind::begin;
        open_ -= e.kind == EventKind::end;
        const bool answers =
            e.kind == EventKind::begin || (e.kind == EventKind::stay && e.impact != collision::kNoIndex);
        if (!answers || e.frame_a <= answered_[bullet]) continue;
        stop(bullet, e);
        marks_.add(e.point_w, e.a.slot, e.b.slot, frame_);
        if (output.events.size() < kMaxEventTexts)
            output.events.push_back({SceneEvent::Kind::collision_begin, e.frame,
                                     "Bullet " + std::to_string(bullet) + " and plate " +
                                         std::to_string(e.b.slot - range_.size())});
    }
    count_passed(done);
}

void BulletScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    frame_ = input.frame;
    continuous_ = world.settings().continuous;
    glow_.cool_down();
    switch_bullets(world);
    move_bullets(world);
    world.publish(input.frame);
    world.check();
    // After the pass, so that the picture shows bullets where they were stopped. Only once per step: a replay
    // returns the events of a whole step at its first poll.
    respond(world, output);
    remember_ways();
}

void BulletScene::remember_ways() {
    before_.resize(range_.size());
    for (std::size_t i = 0; i < before_.size(); ++i)
        before_[i] = collision::cast<float>(range_.last_place(i));
}

void BulletScene::view_channels(bool labels, SceneView& out) const {
    out.drawables.push_back(shadowless(floor_, Material::floor, {0, -kPlinth - 0.002, 0}));
    out.drawables.push_back(decoration(plinth_, Material::plinth, {0, -kPlinth / 2, 0}));
    const double upper = Range::floor_of(0) - 0.12;
    out.drawables.push_back(shadowless(shelf_, Material::glass, {0, upper - 0.012, 0}));
    for (const double x : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0})
            out.drawables.push_back(
                decoration(post_, Material::frame, {x * kChannel.x, Range::floor_of(0) / 2, z * kChannel.z}));
    for (std::size_t k = 0; k < range_.plates().size(); ++k) {
        Drawable d = decoration(plate_mesh_, Material::button_cool, range_.plates()[k].at);
        d.pick = static_cast<std::uint32_t>(range_.size() + k);
        out.drawables.push_back(d);
    }
    if (!labels) return;
    for (const std::size_t channel : {0u, 1u}) {
        const std::size_t first = channel == 0 ? 0 : range_.first_of_lower();
        const bool on = continuous_ && first < range_.size() && has_switch(first);
        const Count& count = counts_[on ? 1 : 0];
        const Vec3d at{-kChannel.x + 0.9, Range::floor_of(channel) + 2 * kChannel.y + 0.06, kChannel.z};
        out.labels.push_back({collision::cast<float>(at),
                              std::string(on ? "Continuous: " : "At poses only: ") +
                                  std::to_string(count.stopped) + " stopped, " +
                                  std::to_string(count.passed) + " passed",
                              Ink::dimension,
                              false,
                              {},
                              0});
    }
}

void BulletScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    out.looks = heat_looks();
    view_channels(options.labels, out);
    for (const std::size_t channel : {0u, 1u}) {
        const std::size_t first = channel == 0 ? 0 : range_.first_of_lower();
        const std::size_t count = (channel == 0 ? range_.first_of_lower() : range_.size()) - first;
        if (count == 0) continue;
        ViewCrowd crowd;
        crowd.mesh = bullet_mesh_;
        crowd.positions = range_.positions().subspan(first, count);
        crowd.rotations = std::span(rotation_).subspan(first, count);
        crowd.shades = std::span(shade_).subspan(first, count);
        crowd.radius = static_cast<float>(kBulletHalfLength);
        crowd.first_pick = static_cast<std::uint32_t>(first);
        crowd.before = std::span(before_).subspan(first, count);
        crowd.way_ink = channel == 0 ? Ink::separating : Ink::candidate;
        crowd.way_opacity = way_opacity(range_.size());
        out.crowds.push_back(crowd);
    }
    const std::size_t every = range_.size() / kMaxBounds + 1;
    if (options.bounds)
        for (std::size_t i = 0; i < range_.size(); i += every)
            view_bounds(bullet_shape_->geometry().box, pose(i), out);
    if (options.witness) marks_.view(frame_, false, {}, out);
}

ViewCamera BulletScene::camera() const {
    return {
        .position = {2.4f, 4.6f, 11.3f}, .target = {0.1f, 1.66f, 0}, .vertical_fov = 0.55f, .far_plane = 60};
}

ViewLight BulletScene::light() const {
    return {.towards = {-0.4f, 0.85f, 0.5f},
            .shadow_half_width = 5.2f,
            .shadow_centre = {0, 1.5f, 0},
            .fade_start = 10,
            .fade_end = 24};
}

std::vector<Figure> BulletScene::figures() const {
    const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
    return {{"passed_on", "Passed, continuous", number(counts_[1].passed)},
            {"stopped_on", "Stopped, continuous", number(counts_[1].stopped)},
            {"passed_off", "Passed, at poses only", number(counts_[0].passed)},
            {"stopped_off", "Stopped, at poses only", number(counts_[0].stopped)},
            {"contacts", "Contacts now", number(open_), "", 0, true}};
}

std::string BulletScene::describe_pick(std::uint32_t pick) const {
    if (pick >= ids_.size()) return {};
    const bool plate = pick >= range_.size();
    const std::string name =
        plate ? "Plate " + std::to_string(pick - range_.size()) : "Bullet " + std::to_string(pick);
    const char* const test = plate ? "" : has_switch(pick) ? ", continuous" : ", discrete";
    return name + ": " + shape_words(plate ? *plate_shape_ : *bullet_shape_) + test;
}

}  // namespace

const SceneDescriptor& describe_bullets() {
    static const SceneDescriptor descriptor{
        .id = "bullets",
        .title = "Bullets",
        .summary =
            "Fast bullets against thin plates. With the continuous test none passes; without it most "
            "jump over the plates.",
        .parameters = kParameters,
        .rebuild_mask = kRebuild,
        .make = &make_scene<BulletScene>,
        .continuous = true};
    return descriptor;
}

}  // namespace claybox::app
