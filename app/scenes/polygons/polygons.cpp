// Two convex polygons pass each other. The scene draws the search for a separating vector step by step: the
// pair algorithm separating_vector in 2D. The world tests the same polygons as plates with its own pair
// algorithm; the picture shows only the 2D search.

#include "app/scenes/polygons/clear_places.hpp"
#include "app/scenes/scene.hpp"
#include "app/scenes/shared/decor.hpp"
#include "app/scenes/shared/two_bodies.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"
#include "collision/pairwise/separating_vector/separating_vector_2d.hpp"
#include "collision/pairwise/separating_vector/visited_pairs.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

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
using collision::VectorMove;
using collision::VertexPair;

namespace {

enum PolygonParameter : std::size_t { kShown, kStart, kAngle, kCorners, kSpeed, kTurn };
enum Start : int { kFromAngle, kFromCentroids, kFromLast };

constexpr const char* kStarts[] = {"angle", "centroids", "last"};
constexpr int kMaxShown = 12;

const Parameter kParameters[] = {
    {"shown", "Steps shown", ParameterKind::integer, 0, 0, kMaxShown, "", "ours: 0 shows the whole search",
     "Number of search steps drawn; 0 draws all."},
    {"start", "First vector", ParameterKind::choice, 0, 0, 2, "",
     "ours: any vector can be the first; the paper starts from the centroids, later from the last vector",
     "First vector of the search: the angle below, centroid to centroid, or the result of the last search.",
     false, kStarts},
    {"angle", "Angle", ParameterKind::real, 115, -180, 180, "°", "ours: needs several steps",
     "Angle of the first vector to the horizontal, if First vector is angle."},
    {"corners", "Corners", ParameterKind::integer, 7, 3, 24, "", "ours: few enough to tell apart",
     "Corners per polygon."},
    {"speed", "Speed", ParameterKind::real, 0.6, 0, 10, "° per frame", "ours: calm to look at",
     "How far the second polygon moves along its closed path per frame."},
    {"rotation", "Rotation", ParameterKind::real, 0.3, 0, 30, "° per frame", "ours: calm to look at",
     "How far both polygons turn per frame."},
};

// Metres.
constexpr double kRadius = 0.5, kHalfThick = 0.03, kInFront = 0.045, kArrow = 0.34, kHead = 0.05;
constexpr double kCircle = 0.24;  // radius of the circle of directions
constexpr Vec3d kCircleAt{-1.12, 0.62, kInFront};
constexpr double kBoardX = 4, kBoardY = 3, kBoardZ = 0.12;
constexpr Vec3d kExplanationAt{-0.15, -0.86, kInFront};
constexpr double kLabelGap = 0.09;

using Visited = collision::VisitedPairs<std::uint16_t>;
using Ray = collision::VisitedRay<double>;

struct Polygon : PairBody {
    std::vector<Vec3d> corners;    ///< in the polygon's frame, in order
    std::vector<Vec3d> corners_w;  ///< in the world frame
};

Vec3f in_front(const Vec3d& p) {
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(kInFront)};
}
Vec3d across(const Vec3d& v) {
    return {-v.y, v.x, 0};
}
Vec3d at_angle(double degrees) {
    const collision::SinCos angle = collision::sin_cos(degrees * collision::kPi / 180);
    return {angle.cos, angle.sin, 0};
}

void add_arrow(const Vec3d& from, const Vec3d& along, Ink ink, float width, SceneView& out) {
    const Vec3d tip = from + along, back = kHead * collision::normalized(along);
    out.lines.push_back({in_front(from), in_front(tip), ink, width, true});
    for (const double side : {-0.6, 0.6})
        out.lines.push_back({in_front(tip), in_front(tip - back + side * across(back)), ink, width, true});
}

ViewLabel chip(const Vec3d& at, std::string text) {
    return {in_front(at), std::move(text), Ink::dimension, false, {}, 0};
}

class PolygonScene final : public Scene {
  public:
    Status build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) override;
    void step(collision::World& world, const StepInput& input, StepOutput& output) override;
    void set_parameters(const ParameterValues& parameters) override;
    void meshes(std::vector<ViewMesh>& out) const override { store_.append_to(out); }
    void view(const ViewOptions& options, SceneView& out) const override;
    ViewCamera camera() const override;
    ViewLight light() const override;
    Aabb hand_region() const override { return {{-1.6f, -1.0f, 0.1f}, {1.6f, 1.0f, 0.8f}}; }
    std::vector<Figure> figures() const override;
    std::string describe_pick(std::uint32_t pick) const override;

  private:
    Status add_polygon(collision::World& world, std::size_t which, collision::Random& random);
    void place();
    void search();
    std::size_t shown() const;
    bool found() const { return steps_.back().move != VectorMove::surrounded; }
    void view_step(std::size_t i, SceneView& out) const;
    void view_lines_of(const collision::VectorStep<double>& step, bool last, SceneView& out) const;
    void view_circle(SceneView& out) const;
    ClearPlaces arrow_heads() const;
    void label_corners(std::size_t which, ClearPlaces& places, SceneView& out) const;
    void view_labels(SceneView& out) const;
    std::string explanation() const;

    ParameterValues parameters_;
    std::array<Polygon, 2> polygons_;
    double orbit_ = 0, turn_ = 0;  ///< degrees so far
    Vec3d last_s_;                 ///< separating vector of the last frame; zero at first
    std::vector<collision::VectorStep<double>> steps_;
    std::vector<Ray> rays_;
    std::vector<Visited::Slot> slots_;
    std::uint16_t stamp_ = 0;
    std::uint64_t searches_ = 0, all_steps_ = 0;
    collision::EventBatch batch_;
    MeshStore store_;
    std::uint64_t board_ = 0;
};

/// Corners on an ellipse make a convex polygon. The body is a plate with this outline.
Status PolygonScene::add_polygon(collision::World& world, std::size_t which, collision::Random& random) {
    Polygon& polygon = polygons_[which];
    const int count = parameters_.integer(kCorners);
    const double flat = random.uniform(0.6, 0.8);
    std::vector<Vec3f> points;
    for (int i = 0; i < count; ++i) {
        const Vec3d d = at_angle(360 * (i + random.uniform(0.0, 0.7)) / count);
        const Vec3d corner{kRadius * d.x, flat * kRadius * d.y, 0};
        polygon.corners.push_back(corner);
        for (const double z : {-kHalfThick, kHalfThick})
            points.push_back(collision::cast<float>(corner + Vec3d{0, 0, z}));
    }
    auto shape = collision::Shape::from_hull(points, "plate");
    if (!shape.ok()) return shape.error();
    polygon.mesh = store_.add(shape.value());
    auto id = world.add_body({shape.value(), polygon.pose, 0, false, which});
    if (!id.ok()) return id.error();
    polygon.id = id.value();
    return Done{};
}

Status PolygonScene::build(collision::World& world, const ParameterValues& parameters, std::uint64_t seed) {
    parameters_ = parameters;
    board_ = store_.add(box_mesh(
        {static_cast<float>(kBoardX), static_cast<float>(kBoardY), static_cast<float>(kBoardZ / 2)}));
    collision::Random random(collision::mix64(seed ^ 5));
    place();
    for (std::size_t which = 0; which < 2; ++which)
        if (Status added = add_polygon(world, which, random); !added.ok()) return added;
    const std::size_t pairs = polygons_[0].corners.size() * polygons_[1].corners.size();
    rays_.resize(pairs);
    slots_.resize(Visited::slots_for(static_cast<std::uint32_t>(polygons_[0].corners.size()),
                                     static_cast<std::uint32_t>(polygons_[1].corners.size())));
    place();
    search();
    return Done{};
}

/// The second polygon moves along an ellipse next to the first and intersects it on part of the path.
void PolygonScene::place() {
    const Vec3d orbit = at_angle(orbit_), wave = at_angle(2 * orbit_ + 40);
    const Vec3d centres[] = {{-0.28 - 0.06 * orbit.y, -0.12 + 0.05 * wave.x, 0},
                             {0.52 - 0.32 * orbit.x, 0.1 + 0.42 * orbit.y, 0}};
    for (std::size_t which = 0; which < 2; ++which) {
        Polygon& polygon = polygons_[which];
        const double turn = (which == 0 ? 20 + turn_ : -35 - 1.4 * turn_) * collision::kPi / 180;
        polygon.pose = {collision::axis_angle({0, 0, 1}, turn), centres[which]};
        polygon.corners_w.clear();
        for (const Vec3d& corner : polygon.corners) {
            Vec3d at = collision::transform_point(polygon.pose, corner);
            at.z = 0;
            polygon.corners_w.push_back(at);
        }
    }
}

void PolygonScene::search() {
    const auto &p = polygons_[0].corners_w, &q = polygons_[1].corners_w;
    Vec3d s = at_angle(parameters_[kAngle]);
    if (parameters_.integer(kStart) == kFromCentroids)
        s = collision::normalized(polygons_[1].pose.translation - polygons_[0].pose.translation);
    if (parameters_.integer(kStart) == kFromLast && last_s_ != Vec3d{}) s = last_s_;
    Visited visited(slots_, stamp_, static_cast<std::uint32_t>(p.size()),
                    static_cast<std::uint32_t>(q.size()));
    steps_.clear();
    collision::separate_polygons({p, q}, {s, {}, 0, {}}, rays_, visited,
                                 [&](const auto& step) { steps_.push_back(step); });
}

void PolygonScene::set_parameters(const ParameterValues& parameters) {
    parameters_ = parameters;
    search();
}

void PolygonScene::step(collision::World& world, const StepInput& input, StepOutput& output) {
    if (found()) last_s_ = steps_.back().s;
    orbit_ += parameters_[kSpeed];
    turn_ += parameters_[kTurn];
    place();
    search();
    ++searches_;
    all_steps_ += steps_.size();
    step_pair(world, input.frame, polygons_[0], polygons_[1], batch_, "P and Q", output);
}

std::size_t PolygonScene::shown() const {
    const auto limit = static_cast<std::size_t>(parameters_.integer(kShown));
    return limit == 0 ? steps_.size() : std::min(limit, steps_.size());
}

/// Draws the supporting lines of a step, or the separating line.
void PolygonScene::view_lines_of(const collision::VectorStep<double>& step, bool last, SceneView& out) const {
    const Vec3d p = polygons_[0].corners_w[step.pair.a], q = polygons_[1].corners_w[step.pair.b];
    const Vec3d along = across(step.s);
    out.lines.push_back({in_front(p), in_front(q), Ink::dimension, 1.5f, false});
    if (last && found()) {
        const Vec3d middle = 0.5 * (p + q);
        out.lines.push_back(
            {in_front(middle - 1.2 * along), in_front(middle + 1.2 * along), Ink::separating, 3.5f, true});
        return;
    }
    for (const Vec3d& at : {p, q})
        out.lines.push_back({in_front(at - 0.3 * along), in_front(at + 0.3 * along), Ink::bounds, 1.5f});
}

void PolygonScene::view_step(std::size_t i, SceneView& out) const {
    const auto& step = steps_[i];
    const bool newest = i + 1 == shown(), last = i + 1 == steps_.size();
    const Ink ink = !newest ? Ink::candidate : last && found() ? Ink::separating : Ink::accent;
    const Vec3d p = polygons_[0].corners_w[step.pair.a], q = polygons_[1].corners_w[step.pair.b];
    if (newest) view_lines_of(step, last, out);
    add_arrow(p, kArrow * step.s, ink, newest ? 3.0f : 2.0f, out);
    out.points.push_back({in_front(p), ink, newest ? 6.0f : 4.5f});
    out.points.push_back({in_front(q), ink, newest ? 6.0f : 4.5f});
}

/// Draws the directions r visited so far on the unit circle, and the vector w with all r in front of it. The
/// polygons collide if no such w exists.
void PolygonScene::view_circle(SceneView& out) const {
    const auto& step = steps_[shown() - 1];
    Vec3d before = kCircleAt + kCircle * at_angle(0);
    for (int degrees = 6; degrees <= 360; degrees += 6) {
        const Vec3d here = kCircleAt + kCircle * at_angle(degrees);
        out.lines.push_back({in_front(before), in_front(here), Ink::bounds, 1.0f});
        before = here;
    }
    for (std::size_t i = 0; i < step.rays; ++i) {
        const Vec3d tip = kCircleAt + kCircle * rays_[i].r;
        const Ink ink = step.move == VectorMove::surrounded ? Ink::colliding : Ink::candidate;
        out.lines.push_back({in_front(kCircleAt), in_front(tip), ink, 2.0f});
        out.points.push_back({in_front(tip), ink, 4.0f});
    }
    if (step.rays == 0 || step.move == VectorMove::surrounded) return;
    const Vec3d side = across(step.w);
    add_arrow(kCircleAt, 0.8 * kCircle * step.w, Ink::witness, 2.0f, out);
    out.lines.push_back(
        {in_front(kCircleAt - kCircle * side), in_front(kCircleAt + kCircle * side), Ink::witness, 1.5f});
}

/// Where chips would hide the head of an arrow or the points of a step.
ClearPlaces PolygonScene::arrow_heads() const {
    ClearPlaces out;
    for (std::size_t i = 0; i < shown(); ++i) {
        const Vec3d from = polygons_[0].corners_w[steps_[i].pair.a];
        out.keep_clear(from + kArrow * steps_[i].s, kHead);
        out.keep_clear(from, 0.02);
        out.keep_clear(polygons_[1].corners_w[steps_[i].pair.b], 0.02);
    }
    return out;
}

/// Labels each corner with the steps that it supports.
void PolygonScene::label_corners(std::size_t which, ClearPlaces& places, SceneView& out) const {
    const Polygon& polygon = polygons_[which];
    const Vec3d& centre = polygon.pose.translation;
    for (std::uint32_t corner = 0; corner < polygon.corners_w.size(); ++corner) {
        std::string text;
        for (std::size_t i = 0; i < shown(); ++i) {
            const VertexPair pair = steps_[i].pair;
            if ((which == 0 ? pair.a : pair.b) != corner) continue;
            text += (text.empty() ? "" : ", ") + std::string(which == 0 ? "p" : "q") + std::to_string(i);
        }
        if (text.empty()) continue;
        const Vec3d at = polygon.corners_w[corner];
        const Vec3d place = places.place(at, collision::normalized(centre - at), text);
        out.labels.push_back(chip(place, std::move(text)));
    }
}

void PolygonScene::view_labels(SceneView& out) const {
    ClearPlaces places = arrow_heads();
    for (std::size_t i = 0; i < shown(); ++i) {
        const Vec3d &s = steps_[i].s, tip = polygons_[0].corners_w[steps_[i].pair.a] + kArrow * s;
        std::string text = "S" + std::to_string(i);
        const Vec3d place = places.place(tip, s, text);
        out.labels.push_back(chip(place, std::move(text)));
    }
    for (std::size_t which = 0; which < 2; ++which) label_corners(which, places, out);
    for (std::size_t which = 0; which < 2; ++which) {
        const char* const name = which == 0 ? "P" : "Q";
        const Vec3d outwards{which == 0 ? -1.0 : 1.0, 0, 0};
        out.labels.push_back(chip(places.place(polygons_[which].pose.translation, outwards, name), name));
    }
    out.labels.push_back(chip(kCircleAt - Vec3d{0, kCircle + kLabelGap, 0}, "Directions r of q - p"));
    out.labels.push_back(chip(kExplanationAt, explanation()));
}

/// Explains the newest step shown.
std::string PolygonScene::explanation() const {
    const auto& step = steps_[shown() - 1];
    const std::string number = std::to_string(shown() - 1), next = std::to_string(shown());
    char gap[32];
    std::snprintf(gap, sizeof gap, "%.0f mm", std::abs(step.gap) * 1e3);
    switch (step.move) {
        case VectorMove::separates:
            return "S" + number + " separates: q" + number + " is " + gap + " beyond p" + number +
                   " along it";
        case VectorMove::repeats:
        case VectorMove::plane_holds:
            return "S" + number + " separates up to rounding: a known pair again";
        case VectorMove::surrounded:
            return "The vectors r surround the origin: no vector separates P and Q";
        case VectorMove::restart_from_w:
            return "A known pair again: S" + next + " is w, which has all r in front of it";
        case VectorMove::reflected:
        case VectorMove::rays_full:
            break;
    }
    return "Along S" + number + " they overlap by " + gap + ": S" + next + " is S" + number +
           " reflected at q" + number + " - p" + number;
}

void PolygonScene::view(const ViewOptions& options, SceneView& out) const {
    out.clear();
    out.drawables.push_back(shadowless(board_, Material::plinth, {0, 0, -kHalfThick - kBoardZ / 2}));
    const bool whole = shown() == steps_.size();
    view_pair(polygons_[0], polygons_[1], whole && !found(), 0.6f, out);
    if (!options.witness) return;
    for (std::size_t i = 0; i < shown(); ++i) view_step(i, out);
    view_circle(out);
    if (options.labels) view_labels(out);
}

ViewCamera PolygonScene::camera() const {
    return {.position = {0, 0, 5.2f}, .target = {0, 0, 0}, .vertical_fov = 0.44f};
}

ViewLight PolygonScene::light() const {
    return {.towards = {-0.35f, 0.5f, 0.9f}, .shadow_half_width = 2, .fade_start = 20, .fade_end = 40};
}

std::vector<Figure> PolygonScene::figures() const {
    const auto& step = steps_[shown() - 1];
    const double mean = searches_ > 0 ? static_cast<double>(all_steps_) / static_cast<double>(searches_) : 0;
    return {{"steps", "Steps of this search", static_cast<double>(steps_.size())},
            {"mean_steps", "Average steps", mean, "", 2},
            {"gap", "Gap along S", step.gap * 1e3, "mm", 1},
            {"colliding", "Colliding", found() ? 0.0 : 1.0}};
}

std::string PolygonScene::describe_pick(std::uint32_t pick) const {
    if (pick >= polygons_.size()) return {};
    return std::string(pick == 0 ? "Polygon P" : "Polygon Q") + ", " +
           std::to_string(polygons_[pick].corners.size()) + " corners";
}

}  // namespace

const SceneDescriptor& describe_polygons() {
    static const SceneDescriptor descriptor{
        "polygons",
        "Polygons",
        "The search of the separating-vector algorithm in 2D: every vector and its support points.",
        kParameters,
        1u << kCorners,
        {},
        false,
        &make_scene<PolygonScene>,
        true};
    return descriptor;
}

}  // namespace claybox::app
