// Two cars at 150 mph meet on each of three tracks, 30 times a second. They collide between two frames. The
// tracks differ in the response only: both cars go back the way they came, impulses act at all contacts that
// are not too improper, or an impulse acts at the first contact only. The last makes flush cars spin.

#include "app/scenes/cars/crash.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/continuous/screw_motion/screw_examples.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace claybox::app {

using collision::Aabb;
using collision::Arrival;
using collision::BodyId;
using collision::Done;
using collision::Event;
using collision::EventKind;
using collision::Impact;
using collision::MotionHit;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum CarParameter : std::size_t { kSpeed, kRate, kAngle, kOffset, kRestitution, kShown };

const Parameter kParameters[] = {
    {"speed", "Speed", ParameterKind::real, 150, 5, 300, "mph", "Buss, 9.1: cars at 150 mph",
     "Speed of each car; 150 mph are 67 m/s."},
    {"rate", "Frames per second", ParameterKind::integer, 30, 5, 240, "", "Buss, 9.1: 30 frames a second",
     "Collision tests per second of driving."},
    {"angle", "Angle", ParameterKind::real, 2, -30, 30, "°",
     "ours: the corners touch shortly after each other", "By how much the left car is turned."},
    {"offset", "Offset", ParameterKind::real, 0, -2.5, 2.5, "m", "ours: the fronts meet flush",
     "How far the left car is to the side."},
    {"restitution", "Bounce", ParameterKind::real, 0.25, 0, 1, "", "ours: metal on metal",
     "Share of the approach speed with which the cars separate."},
    {"shown", "Steps per frame", ParameterKind::integer, 14, 1, 120, "", "ours: each frame can be seen",
     "For how many steps of the program each frame is shown, each 1/60 s."},
};

constexpr double kMph = 0.44704;       // metres per second
constexpr double kStart = 11.6;        // metres from the middle of the track
constexpr std::uint64_t kFrames = 16;  // of one run
constexpr double kBackOff = 1e-4;  // metres before the impact from which the cars go on: they do not touch
constexpr double kTrackWidth = 6.4, kHalfTrack = 20;
constexpr double kFadesFrom = 11.8, kGone = 15;  // metres from the middle, where the picture ends
constexpr float kGhost = 0.22f;                  // opacity
constexpr const char* kNames[] = {"Reverse", "All contacts", "First contact only"};
constexpr std::size_t kTracks = std::size(kNames);

struct Track {
    std::array<Car, 2> car;
    std::array<BodyId, 2> id;
    std::array<Pose, 2> before, after;  ///< of the last frame, as if nothing was in the way
    std::array<Pose, 2> struck;         ///< at the hit of this run
    bool is_hit = false;                ///< in the last frame
    bool was_hit = false;               ///< in this run
    double time = 0;                    ///< of the hit, share of the frame
    std::vector<MotionHit> contacts;    ///< that the response has used
    Vec3f place;
    std::uint64_t hits = 0, answered = 0;
    bool anew = true;  ///< the cars have no way from their last poses
};

class CarScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override { parameters_ = parameters; }
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-20, 0, -10}, {20, 3, 10}}; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    double frame_seconds() const { return 1 / parameters_[kRate]; }
    Vec3d middle(std::size_t track) const { return {0, 0, (static_cast<double>(track) - 1) * kTrackWidth}; }
    void start(Track& track, std::size_t number) const;
    void move(collision::World& world, Track& track, bool drives);
    void respond(collision::World& world, StepOutput& output);
    void hit(Track& track, std::size_t number, const Event& event, const Impact* impact);
    void find_contacts(const Track& track, const Impact& impact);
    void view_track(std::size_t number, const ViewOptions& options, SceneView& out) const;
    void view_car(const Track& track, std::size_t c, std::uint32_t pick, SceneView& out) const;
    void view_outcome(const Track& track, SceneView& out) const;
    std::string track_words(std::size_t number) const;

    ParameterValues parameters_;
    std::array<Track, kTracks> tracks_;
    collision::ShapePtr shape_;
    CarBody body_;
    std::uint64_t shown_for_ = 0, run_frame_ = 0, frame_ = 0, runs_ = 0, missed_ = 0;
    std::vector<MotionHit> found_, buffer_;
    collision::Scratch scratch_;
    collision::EventBatch batch_;

    MeshStore store_;
    std::uint64_t car_mesh_ = 0, floor_ = 0, road_ = 0, line_ = 0;
};

Status CarScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t) {
    parameters_ = parameters;
    shape_ = collision::make_car();
    car_mesh_ = store_.add(shape_);
    floor_ = store_.add(disc_mesh(120, 96));
    road_ = store_.add(box_mesh({kHalfTrack, 0.04f, static_cast<float>(0.42 * kTrackWidth)}));
    line_ = store_.add(box_mesh({0.9f, 0.005f, 0.06f}));
    buffer_.resize(256);
    for (std::size_t t = 0; t < kTracks; ++t) {
        start(tracks_[t], t);
        for (std::size_t c = 0; c < 2; ++c) {
            auto id = world.add_body({.shape = shape_,
                                      .pose = tracks_[t].car[c].pose(),
                                      .group = static_cast<unsigned>(t),
                                      .data = 2 * t + c,
                                      .continuous = true});
            if (!id.ok()) return id.error();
            tracks_[t].id[c] = id.value();
        }
    }
    // Each track shows its own response: a car that leaves its track does not meet the cars of others.
    for (unsigned a = 0; a < kTracks; ++a)
        for (unsigned b = a; b < kTracks; ++b)
            world.set_interest(a, b, {.test = a == b, .wants = collision::kWantAllHits});
    return Done{};
}

void CarScene::start(Track& track, std::size_t number) const {
    const double speed = parameters_[kSpeed] * kMph, turn = parameters_[kAngle] * collision::kPi / 180;
    for (std::size_t c = 0; c < 2; ++c) {
        const double side = c == 0 ? -1 : 1;
        Car& car = track.car[c];
        car = {};
        car.position = middle(number) + Vec3d{side * kStart, 0, c == 0 ? parameters_[kOffset] : 0.0};
        car.yaw = c == 0 ? turn : collision::kPi;
        car.velocity = {-side * speed, 0, 0};
        track.before[c] = track.after[c] = car.pose();
    }
    track.is_hit = track.was_hit = false;
    track.anew = true;
    track.contacts.clear();
}

void CarScene::move(collision::World& world, Track& track, bool drives) {
    for (std::size_t c = 0; c < 2; ++c) {
        Car& car = track.car[c];
        if (track.anew) (void)world.move(track.id[c], car.pose(), Arrival::placed);
        if (!drives) continue;
        track.before[c] = car.pose();
        car.drive(frame_seconds());
        track.after[c] = car.pose();
        (void)world.move(track.id[c], car.pose());
    }
    track.anew = false;
    if (drives) track.is_hit = false;
}

/// All contacts along the motions: those of the event, or found by the screw motion algorithm if the world's
/// algorithm gives the first one only.
void CarScene::find_contacts(const Track& track, const Impact& impact) {
    const auto given = batch_.hits_of(impact);
    found_.assign(given.begin(), given.end());
    static const collision::ContinuousAlgorithm* const algorithm =
        collision::find_continuous_algorithm("screw_motion");
    if (found_.empty() && algorithm != nullptr) {
        collision::ContinuousQuery query = collision::make_continuous_query(
            *shape_, to_matrix(track.before[0]), motion_between(track.before[0], track.after[0]), *shape_,
            to_matrix(track.before[1]), motion_between(track.before[1], track.after[1]), scratch_);
        collision::MotionHitSink sink(buffer_);
        query.hits = &sink;
        collision::PairCache cache;
        (void)run_continuous(*algorithm, query, cache);
        found_.assign(sink.hits().begin(), sink.hits().end());
    }
    if (found_.empty())
        found_.push_back(
            {impact.time_high, impact.point_w, impact.normal_w, impact.feature_a, impact.feature_b, 1});
}

void CarScene::hit(Track& track, std::size_t number, const Event& event, const Impact* impact) {
    const auto response = static_cast<Response>(number);
    ++track.hits;
    track.is_hit = track.was_hit = true;
    track.answered = frame_;
    track.place = event.point_w;
    track.time = impact ? impact->time_high : 1;
    track.contacts.clear();
    if (impact != nullptr) {
        find_contacts(track, *impact);
        choose_contacts(found_, response, track.contacts);
        const Pose* const poses[] = {&impact->pose_a, &impact->pose_b};
        for (std::size_t c = 0; c < 2; ++c) {
            Car& car = track.car[c];
            const collision::Quat& q = poses[c]->rotation;
            car.yaw = 2 * collision::arc_tangent(q.y, q.w);
            car.position = poses[c]->translation - kBackOff * normalized(car.velocity, Vec3d{});
        }
    }
    // Found at the poses only: the contacts are unknown.
    crash(track.car[0], track.car[1], body_, track.contacts, impact ? response : Response::reverse,
          parameters_[kRestitution]);
    for (std::size_t c = 0; c < 2; ++c) track.struck[c] = track.car[c].pose();
    track.anew = impact != nullptr;
}

void CarScene::respond(collision::World& world, StepOutput& output) {
    world.poll_events(batch_);
    for (const Event& e : batch_.events) {
        const std::size_t number = e.a.slot / 2;  // bodies are added in order and never removed
        CLAYBOX_ASSERT(number < kTracks && tracks_[number].id[0] == e.a && tracks_[number].id[1] == e.b);
        Track& track = tracks_[number];
        const Impact* const impact = batch_.impact_of(e);
        const bool answers = e.kind == EventKind::begin || (e.kind == EventKind::stay && impact != nullptr);
        if (!answers || std::max(e.frame_a, e.frame_b) <= track.answered) continue;
        hit(track, number, e, impact);
        char text[64];
        std::snprintf(text, sizeof text, "%s at %.2f", kNames[number], track.time);
        output.events.push_back({SceneEvent::Kind::collision_begin, e.frame, text});
    }
}

void CarScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    frame_ = input.frame;
    const bool drives = shown_for_ == 0;
    if (++shown_for_ >= static_cast<std::uint64_t>(parameters_.integer(kShown))) shown_for_ = 0;
    if (drives && run_frame_++ == kFrames) {
        ++runs_;
        for (std::size_t t = 0; t < kTracks; ++t) {
            missed_ += !tracks_[t].was_hit;
            start(tracks_[t], t);
        }
        run_frame_ = 0;
    }
    for (Track& track : tracks_) move(world, track, drives && run_frame_ > 0);
    world.publish(input.frame);
    world.check();
    respond(world, output);  // after the pass: the picture shows the cars at the impact
}

/// The car, which fades where the picture ends, and faint cars: in the frame of a hit those before and after
/// the frame, later those at the hit.
void CarScene::view_car(const Track& track, std::size_t c, std::uint32_t pick, SceneView& out) const {
    Drawable car = decoration(car_mesh_, Material::body, {});
    car.pose = track.car[c].pose();
    car.colour = static_cast<std::uint8_t>(c == 0 ? 1 : 4);
    car.outlined = true;
    Drawable ghost = car;
    ghost.opacity = kGhost;
    ghost.casts_shadow = false;
    car.colliding = track.is_hit;
    car.pick = pick;
    car.opacity = static_cast<float>(
        std::clamp((kGone - std::abs(track.car[c].position.x)) / (kGone - kFadesFrom), 0.0, 1.0));
    out.drawables.push_back(car);
    const auto add_ghost = [&](const Pose& pose) {
        ghost.pose = pose;
        out.drawables.push_back(ghost);
    };
    if (track.is_hit) {
        add_ghost(track.before[c]);
        add_ghost(track.after[c]);
    } else if (track.was_hit) {
        add_ghost(track.struck[c]);
    }
}

/// What the hit has done: arrows from the cars at the hit show how far each now drives in a frame.
void CarScene::view_outcome(const Track& track, SceneView& out) const {
    constexpr double kAbove = 1.7, kHead = 0.7;  // metres
    for (std::size_t c = 0; c < 2; ++c) {
        const Vec3d way = frame_seconds() * track.car[c].velocity;
        if (length(way) < 0.1) continue;
        const Vec3d ahead = normalized(way), aside{ahead.z, 0, -ahead.x};
        const Vec3d from = track.struck[c].translation + Vec3d{0, kAbove, 0}, tip = from + way;
        const double head = std::min(kHead, 0.5 * length(way));
        for (const Vec3d& end :
             {from, tip - head * ahead + 0.6 * head * aside, tip - head * ahead - 0.6 * head * aside})
            out.lines.push_back(
                {collision::cast<float>(tip), collision::cast<float>(end), Ink::dimension, 2, true, 1});
    }
}

std::string CarScene::track_words(std::size_t number) const {
    const Track& track = tracks_[number];
    std::string text = kNames[number];
    if (!track.was_hit) return text;
    if (track.contacts.empty()) return text + ": found late, inside each other";
    char more[96];
    const double turn =
        180 / collision::kPi * std::max(std::abs(track.car[0].spin), std::abs(track.car[1].spin));
    std::snprintf(more, sizeof more, ": hit at %.2f, %zu contact%s, spin %.0f°/s", track.time,
                  track.contacts.size(), track.contacts.size() == 1 ? "" : "s", turn);
    return text + more;
}

void CarScene::view_track(std::size_t number, const ViewOptions& options, SceneView& out) const {
    const Track& track = tracks_[number];
    out.drawables.push_back(decoration(road_, Material::desk_case, middle(number) - Vec3d{0, 0.04, 0}));
    for (int dash = -6; dash <= 6; ++dash)
        out.drawables.push_back(
            shadowless(line_, Material::glazed_cream, middle(number) + Vec3d{3.0 * dash, 0.006, 0}));
    for (std::size_t c = 0; c < 2; ++c) view_car(track, c, static_cast<std::uint32_t>(2 * number + c), out);
    if (options.witness && track.is_hit)
        for (const MotionHit& contact : track.contacts) {
            const Vec3f p = collision::cast<float>(contact.point_w);
            out.points.push_back({p, Ink::colliding, 6});
            out.lines.push_back({p, collision::cast<float>(contact.point_w + 1.1 * contact.normal_w),
                                 Ink::colliding, 2, true, 1});
        }
    if (options.witness && track.was_hit && !track.is_hit) view_outcome(track, out);
    if (!options.labels) return;
    const Vec3d at{1.3 * static_cast<double>(number) - 8.6, 0.1, 0.36 * kTrackWidth};
    out.labels.push_back(
        {collision::cast<float>(middle(number) + at), track_words(number), Ink::dimension, false, {}, 0});
}

void CarScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    out.drawables.push_back(shadowless(floor_, Material::floor, {0, -0.09, 0}));
    for (std::size_t t = 0; t < kTracks; ++t) view_track(t, options, out);
    if (options.bounds)
        for (const Track& track : tracks_)
            for (const Car& car : track.car) view_bounds(shape_->geometry().box, car.pose(), out);
}

ViewCamera CarScene::camera() const {
    return {.position = {2.4f, 25, 27}, .target = {0, 0, 0.8f}, .vertical_fov = 0.5f, .far_plane = 300};
}

ViewLight CarScene::light() const {
    return {.towards = {-0.5f, 0.8f, 0.4f}, .shadow_half_width = 22, .fade_start = 45, .fade_end = 100};
}

std::vector<Figure> CarScene::figures() const {
    const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
    return {{"hits_reverse", "Hits, reverse", number(tracks_[0].hits)},
            {"hits_all", "Hits, all contacts", number(tracks_[1].hits)},
            {"hits_first", "Hits, first contact only", number(tracks_[2].hits)},
            {"missed", "Runs without a hit", number(missed_)},
            {"way", "Way of a car per frame", parameters_[kSpeed] * kMph * frame_seconds(), "m", 2}};
}

std::string CarScene::describe_pick(std::uint32_t pick) const {
    if (pick >= 2 * kTracks) return {};
    return std::string(kNames[pick / 2]) + (pick % 2 == 0 ? ", left car: " : ", right car: ") +
           shape_words(*shape_);
}

}  // namespace

const SceneDescriptor& describe_cars() {
    static const SceneDescriptor descriptor{
        .id = "cars",
        .title = "Cars",
        .summary =
            "Cars at 150 mph collide between two frames. Three tracks show three responses to the same "
            "hit.",
        .parameters = kParameters,
        .make = &make_scene<CarScene>,
        .continuous = true};
    return descriptor;
}

}  // namespace claybox::app
