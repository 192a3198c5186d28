// Torus A moves completely through torus B in one screw motion (Buss, Fig. 13). The scene plays the motion
// slowly. The algorithm screw_motion finds all contacts of the whole motion at once, before A has moved: the
// scene draws and lists them, and shows the collision screen on which they were found (Fig. 14).

#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/marks.hpp"
#include "app/scenes/shared/screen_inset.hpp"
#include "collision/continuous/pose_at.hpp"
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
using collision::EventKind;
using collision::MotionHit;
using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;
using collision::Pose;
using collision::Status;
using collision::Vec3d;
using collision::Vec3f;

namespace {

enum ToriParameter : std::size_t { kSpeed, kPixels, kThreshold, kShowPixels };

const Parameter kParameters[] = {
    {"speed", "Speed", ParameterKind::real, 0.3, 0, 5, "% per step", "ours: calm to look at",
     "How far A moves along its screw per step of the program."},
    {"pixels", "Pixels per short edge", ParameterKind::real, 6, 2, 24, "", "Buss, 9.1: 6, 12 or 24",
     "Resolution of the collision screen.", true},
    {"threshold", "Least properness", ParameterKind::real, 0, -1, 1, "", "Buss, 5: proper from 0",
     "Contacts whose features face each other less are left out. Buss drops those below -0.1."},
    {"show_pixels", "Show pixels", ParameterKind::toggle, 1, 0, 1, "", "Buss, Fig. 14",
     "Shows the pixels of the edges on the collision screen."},
};

constexpr int kHoldSteps = 45;  // at each contact, at the start and at the end
constexpr double kLift = 3.05;  // metres from the example's origin to the floor

/// A pose whose matrix is `matrix`, up to rounding. The matrix must be a rotation and a translation.
Pose pose_of(const collision::Matrix34f& m) {
    const auto at = [&](int r, int c) { return static_cast<double>(m(r, c)); };
    const double trace = at(0, 0) + at(1, 1) + at(2, 2);
    collision::Quat q;
    if (trace > -0.9) {
        const double s = 2 * std::sqrt(1 + trace);
        q = {s / 4, (at(2, 1) - at(1, 2)) / s, (at(0, 2) - at(2, 0)) / s, (at(1, 0) - at(0, 1)) / s};
    } else {
        const int i = at(0, 0) > at(1, 1) && at(0, 0) > at(2, 2) ? 0 : at(1, 1) > at(2, 2) ? 1 : 2;
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double s = 2 * std::sqrt(1 + at(i, i) - at(j, j) - at(k, k));
        double v[3] = {};
        v[i] = s / 4, v[j] = (at(j, i) + at(i, j)) / s, v[k] = (at(k, i) + at(i, k)) / s;
        q = {(at(k, j) - at(j, k)) / s, v[0], v[1], v[2]};
    }
    return {normalized(q), collision::cast<double>(m.translation())};
}

class ScrewToriScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-3, 0, -3}, {3, 6, 3}}; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    Status find_all_hits();
    void choose_hits();
    void advance();
    Pose pose_at_time(double t) const { return collision::pose_at(start_, example_.motion_a, t); }
    void view_path(SceneView& out) const;
    void view_hits(bool labels, SceneView& out) const;
    std::string hit_words(std::size_t first, std::size_t end) const;
    void keep_tori_clear(SceneView& out) const;

    ParameterValues parameters_;
    collision::ScrewExample example_;
    Pose start_, rest_;  ///< of A at time 0, and of B
    std::array<BodyId, 2> ids_;
    std::vector<MotionHit> all_hits_;  ///< along the whole motion, as found
    std::vector<MotionHit> hits_;      ///< not below the threshold, in order of time
    collision::CollisionScreen screen_;
    collision::ContinuousResult result_;
    collision::Scratch scratch_;
    double time_ = 0;
    int hold_ = kHoldSteps;
    bool anew_ = true;  ///< A is back at the start
    collision::EventBatch batch_;
    std::uint64_t world_hits_ = 0;

    MeshStore store_;
    std::uint64_t torus_ = 0, floor_ = 0;
};

Status ScrewToriScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t) {
    parameters_ = parameters;
    example_ = collision::tori_example();
    const Vec3d up{0, kLift, 0};
    start_ = pose_of(example_.matrix_a);
    rest_ = pose_of(example_.matrix_b);
    start_.translation += up;
    rest_.translation += up;
    example_.motion_a.point_w += up;
    torus_ = store_.add(example_.a);
    floor_ = store_.add(disc_mesh(30, 96));
    if (Status found = find_all_hits(); !found.ok()) return found;
    for (std::size_t i = 0; i < 2; ++i) {
        auto id = world.add_body({.shape = i == 0 ? example_.a : example_.b,
                                  .pose = i == 0 ? start_ : rest_,
                                  .data = i,
                                  .continuous = i == 0});
        if (!id.ok()) return id.error();
        ids_[i] = id.value();
    }
    return Done{};
}

/// The whole motion as one query, as the paper tests a frame.
Status ScrewToriScene::find_all_hits() {
    const auto* const algorithm = collision::find_continuous_algorithm("screw_motion");
    CLAYBOX_ASSERT(algorithm != nullptr);
    collision::ContinuousQuery query = collision::make_continuous_query(
        *example_.a, to_matrix(start_), example_.motion_a, *example_.b, to_matrix(rest_), {}, scratch_);
    query.pair.parameters = collision::default_values(algorithm->parameters);
    query.pair.parameters[collision::find_parameter(algorithm->parameters, "pixels")] = parameters_[kPixels];
    query.pair.parameters[collision::find_parameter(algorithm->parameters, "threshold")] = -1;
    std::vector<MotionHit> room(512);
    collision::MotionHitSink sink(room);
    query.hits = &sink;
    collision::PairCache cache;
    result_ = run_continuous(*algorithm, query, cache);
    if (result_.status != collision::QueryStatus::done)
        return collision::Error{"screw_motion does not answer the query of the tori", {}, 0};
    all_hits_.assign(sink.hits().begin(), sink.hits().end());
    query.hits = nullptr;
    screen_ = collision::draw_collision_screen(query);
    choose_hits();
    return Done{};
}

void ScrewToriScene::choose_hits() {
    hits_.clear();
    for (const MotionHit& hit : all_hits_)
        if (hit.properness >= parameters_[kThreshold]) hits_.push_back(hit);
    std::stable_sort(hits_.begin(), hits_.end(),
                     [](const MotionHit& x, const MotionHit& y) { return x.time < y.time; });
}

void ScrewToriScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    choose_hits();
}

/// Stops for a while at each contact and at both ends.
void ScrewToriScene::advance() {
    if (hold_ > 0) {
        --hold_;
        return;
    }
    if (time_ >= 1) {
        time_ = 0;
        anew_ = true;
        hold_ = kHoldSteps;
        return;
    }
    const double next = std::min(1.0, time_ + parameters_[kSpeed] / 100);
    for (const MotionHit& hit : hits_)
        if (hit.time > time_ && hit.time <= next) {
            time_ = hit.time;
            hold_ = kHoldSteps;
            return;
        }
    time_ = next;
    if (time_ >= 1) hold_ = kHoldSteps;
}

void ScrewToriScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    advance();
    (void)world.move(ids_[0], pose_at_time(time_), anew_ ? Arrival::placed : Arrival::moved);
    anew_ = false;
    world.publish(input.frame);
    world.check();
    world.poll_events(batch_);
    for (const collision::Event& e : batch_.events) {
        if (e.kind == EventKind::stay) continue;
        const bool begins = e.kind == EventKind::begin;
        world_hits_ += begins;
        output.events.push_back({begins ? SceneEvent::Kind::collision_begin : SceneEvent::Kind::collision_end,
                                 e.frame, "Torus A and torus B"});
    }
}

/// Ways of some points of A, and A at both ends.
void ScrewToriScene::view_path(SceneView& out) const {
    constexpr int kWays = 4, kPieces = 40;
    for (int way = 0; way < kWays; ++way) {
        const auto turn = collision::sin_cos(2 * collision::kPi * way / kWays);
        const Vec3d point{turn.sin, 0, turn.cos};
        Vec3f last{};
        for (int i = 0; i <= kPieces; ++i) {
            const double t = static_cast<double>(i) / kPieces;
            const Vec3f p = collision::cast<float>(transform_point(pose_at_time(t), point));
            if (i > 0) out.lines.push_back({last, p, Ink::dimension, 1.2f, false, t <= time_ ? 0.9f : 0.35f});
            last = p;
        }
    }
    for (const double t : {0.0, 1.0}) {
        if (std::abs(t - time_) < 0.05) continue;
        Drawable ghost = decoration(torus_, Material::body, {});
        ghost.pose = pose_at_time(t);
        ghost.colour = 0;
        ghost.opacity = 0.18f;
        ghost.casts_shadow = false;
        out.drawables.push_back(ghost);
    }
}

/// One chip for contacts that are near each other, so that chips do not pile up on the torus.
std::string ScrewToriScene::hit_words(std::size_t first, std::size_t end) const {
    const MotionHit &hit = hits_[first], &last = hits_[end - 1];
    char text[96];
    if (end - first == 1)
        std::snprintf(text, sizeof text, "%zu: %s and %s at %.3f", end, to_string(hit.a.kind),
                      to_string(hit.b.kind), hit.time);
    else
        std::snprintf(text, sizeof text, "%zu to %zu: contacts at %.3f to %.3f", first + 1, end, hit.time,
                      last.time);
    return text;
}

void ScrewToriScene::view_hits(bool labels, SceneView& out) const {
    constexpr double kNear = 0.35;  // metres; a chip is longer
    const auto ink_of = [&](const MotionHit& hit) {
        return hit.time <= time_ ? Ink::colliding : Ink::witness;
    };
    for (const MotionHit& hit : hits_) {
        const Vec3f p = collision::cast<float>(hit.point_w);
        out.points.push_back({p, ink_of(hit), 7});
        out.lines.push_back(
            {p, collision::cast<float>(hit.point_w + 0.45 * hit.normal_w), ink_of(hit), 2, true, 1});
    }
    for (std::size_t first = 0, end = 0; labels && first < hits_.size(); first = end) {
        const MotionHit& hit = hits_[first];
        end = first + 1;
        while (end < hits_.size() && length(hits_[end].point_w - hit.point_w) < kNear &&
               ink_of(hits_[end]) == ink_of(hit))
            ++end;
        out.labels.push_back(
            {collision::cast<float>(hit.point_w), hit_words(first, end), ink_of(hit), false, {}, 0});
    }
}

/// Chips go beside the tori.
void ScrewToriScene::keep_tori_clear(SceneView& out) const {
    constexpr int kSpheres = 12;
    const float tube = example_.a->sphere().radius - 1;  // the circle in its middle has radius 1
    for (const Pose& pose : {pose_at_time(time_), rest_})
        for (int i = 0; i < kSpheres; ++i) {
            const auto turn = collision::sin_cos(2 * collision::kPi * i / kSpheres);
            const Vec3d centre = transform_point(pose, Vec3d{turn.sin, 0, turn.cos});
            out.keep_clear.push_back({collision::cast<float>(centre), tube});
        }
}

void ScrewToriScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    out.drawables.push_back(shadowless(floor_, Material::floor));
    const bool touches = std::any_of(hits_.begin(), hits_.end(),
                                     [&](const MotionHit& hit) { return std::abs(hit.time - time_) < 1e-9; });
    for (std::uint32_t i = 0; i < 2; ++i) {
        Drawable torus = decoration(torus_, Material::body, {});
        torus.pose = i == 0 ? pose_at_time(time_) : rest_;
        torus.colour = i == 0 ? 0 : 2;
        torus.outlined = true;
        torus.colliding = touches;
        torus.tint = 0.5f;
        torus.opacity = i == 0 ? 1 : 0.72f;
        torus.pick = i;
        out.drawables.push_back(torus);
    }
    view_path(out);
    if (options.witness) view_hits(options.labels, out);
    if (options.bounds) {
        view_bounds(example_.a->geometry().box, pose_at_time(time_), out);
        view_bounds(example_.b->geometry().box, rest_, out);
    }
    if (!options.labels) return;
    keep_tori_clear(out);
    out.insets.push_back(
        make_screen_inset(screen_, parameters_.on(kShowPixels), parameters_[kThreshold], time_));
}

ViewCamera ScrewToriScene::camera() const {
    return {
        .position = {1.6f, 4.6f, 11.5f}, .target = {-0.75f, 3.0f, 0}, .vertical_fov = 0.62f, .far_plane = 80};
}

ViewLight ScrewToriScene::light() const {
    return {.towards = {-0.5f, 0.8f, 0.45f},
            .shadow_half_width = 5.5f,
            .shadow_centre = {0, 2.5f, 0},
            .fade_start = 12,
            .fade_end = 28};
}

std::vector<Figure> ScrewToriScene::figures() const {
    std::vector<Figure> out{
        {"hits", "Contacts of the motion", static_cast<double>(hits_.size())},
        {"time", "Time", time_, "", 3},
        {"turn", "Turn", example_.motion_a.angle * 180 / collision::kPi, "°", 1},
        {"error_estimate", "Error estimate of the screw", 100 * screen_.error_estimate, "%", 2},
        {"rows", "Rows of the screen", static_cast<double>(screen_.rows), "", 0, true},
        {"columns", "Columns of the screen", static_cast<double>(screen_.columns), "", 0, true},
        {"improper", "Contacts below the threshold", static_cast<double>(all_hits_.size() - hits_.size()), "",
         0, true},
        {"world_hits", "Hits in the world so far", static_cast<double>(world_hits_), "", 0, true}};
    static constexpr std::array<std::array<const char*, 4>, 3> kIds{
        {{"hit1_time", "Time of contact 1", "hit1_properness", "Properness of contact 1"},
         {"hit2_time", "Time of contact 2", "hit2_properness", "Properness of contact 2"},
         {"hit3_time", "Time of contact 3", "hit3_properness", "Properness of contact 3"}}};
    for (std::size_t i = 0; i < std::min(hits_.size(), kIds.size()); ++i) {
        out.push_back({kIds[i][0], kIds[i][1], hits_[i].time, "", 4});
        out.push_back({kIds[i][2], kIds[i][3], hits_[i].properness, "", 3});
    }
    return out;
}

std::string ScrewToriScene::describe_pick(std::uint32_t pick) const {
    if (pick > 1) return {};
    return std::string(pick == 0 ? "Torus A, moves: " : "Torus B, rests: ") + shape_words(*example_.a);
}

}  // namespace

const SceneDescriptor& describe_screw_tori() {
    static const SceneDescriptor descriptor{
        .id = "screw_tori",
        .title = "Screw tori",
        .summary =
            "A torus screws through another one. All contacts of the whole motion are found at once, on a "
            "collision screen.",
        .parameters = kParameters,
        .rebuild_mask = 1u << kPixels,
        .make = &make_scene<ScrewToriScene>,
        .continuous = true};
    return descriptor;
}

}  // namespace claybox::app
