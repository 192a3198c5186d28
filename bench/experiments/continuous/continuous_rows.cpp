#include "bench/experiments/continuous/continuous_rows.hpp"

#include "bench/experiments/shared/pattern.hpp"
#include "collision/continuous/screw_motion/screw_examples.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr double kTurn = 20 * std::numbers::pi / 180;  // Buss, section 9.1

ShapePtr hull_of(const std::vector<Vec3f>& points, const char* name) {
    auto shape = Shape::from_hull(points, name);
    CLAYBOX_ASSERT(shape.ok());
    return shape.value();
}

ShapePtr make_cube() {
    std::vector<Vec3f> points;
    for (unsigned i = 0; i < 8; ++i)
        points.push_back(
            {(i & 1) != 0 ? 0.5f : -0.5f, (i & 2) != 0 ? 0.5f : -0.5f, (i & 4) != 0 ? 0.5f : -0.5f});
    return hull_of(points, "cube");
}

/// The paper's car (Buss, Fig. 12): 16 vertices, 12 faces, not convex. Scaled to the size of the other bodies
/// and centred.
ShapePtr make_small_car() {
    constexpr float kScale = 2.1f / 4.4f, kMiddle = 0.8f;
    const ShapePtr car = make_car();
    PolygonList list;
    for (const Vec3f& p : car->geometry().positions)
        list.positions.push_back({kScale * p.x, kScale * (p.y - kMiddle), kScale * p.z});
    for (std::uint32_t f = 0; f < car->topology().polygon_count(); ++f)
        list.add_polygon(car->topology().loop(f));
    auto shape = Shape::from_polygons(list, "car");
    CLAYBOX_ASSERT(shape.ok());
    return shape.value();
}

ShapePtr primitive_shape(Primitive kind, std::uint32_t size, std::uint64_t seed) {
    auto shape = make_primitive_shape(kind, size, 1.0f, seed);
    CLAYBOX_ASSERT(shape.ok());
    return shape.value();
}

/// The first contact by conservative advancement with a bound for the whole body and exact distances of the
/// discrete algorithms: simple and slow. Shares nothing with the contestants but the placement.
class Referee {
  public:
    Referee(const Shape& a, const Shape& b)
        : a_(a),
          b_(b),
          algorithm_(*find_pair_algorithm(a.hull() != nullptr && b.hull() != nullptr ? "best" : "mesh_bvh")) {
        if (algorithm_.prepare == nullptr) return;
        prepared_a_ = algorithm_.prepare(a, a.geometry());
        prepared_b_ = algorithm_.prepare(b, b.geometry());
    }

    /// False if the query is no fair one: contact at the start, or a grazing motion.
    bool decide(MovingQuery& q) {
        constexpr double kTouching = 1e-6, kNear = 1e-3;
        constexpr int kMaxSteps = 400;
        const double speed = speed_of(q);
        double least = HUGE_VAL;
        for (double t = 0; t < 1;) {
            const double distance = distance_at(q, t);
            if (t == 0 && distance < 0.02) return false;
            least = std::min(least, distance);
            if (distance <= kTouching) {
                q.hit = true;
                q.time = t;
                return true;
            }
            t += std::max(distance - 0.5 * kTouching, 0.25 * kTouching) / speed;
            if (++steps_ % kMaxSteps == 0) return false;
        }
        q.hit = false;
        q.time = 1;
        return least > kNear;
    }

  private:
    double speed_of(const MovingQuery& q) const {
        const Vec3d travel = displacement(q.world_from_b, q.motion_b);
        double radius = 0;
        if (q.motion_b.kind == Motion::Kind::screw)
            for (const Vec3f& v : b_.geometry().positions)
                radius = std::max(
                    radius, length(cross(q.motion_b.axis_w, transform_point(to_double(q.world_from_b), v) -
                                                                q.motion_b.point_w)));
        return length(travel) + std::abs(q.motion_b.angle) * radius + 1e-9;
    }
    double distance_at(const MovingQuery& q, double t) {
        const Matrix34d m = placement_at(q.world_from_b, q.motion_b, t);
        Matrix34f rounded;
        for (std::size_t i = 0; i < 12; ++i) rounded.m[i] = static_cast<float>(m.m[i]);
        PairQuery query = make_pair_query(a_, q.world_from_a, b_, rounded, scratch_);
        query.a.prepared = prepared_a_.get();
        query.b.prepared = prepared_b_.get();
        query.wants = kWantDistance;
        PairCache cache;
        const PairResult r = run_query(algorithm_, query, cache);
        return r.verdict == Verdict::colliding ? 0 : r.distance;
    }

    const Shape &a_, &b_;
    const PairAlgorithm& algorithm_;
    std::shared_ptr<const Prepared> prepared_a_, prepared_b_;
    Scratch scratch_;
    int steps_ = 0;
};

/// B flies about at A, with a turn of 20 degrees about an axis near B, or straight.
MovingQuery random_query(Random& random, bool turns) {
    MovingQuery q;
    const Vec3d place = 2.0 * random.unit_vector();
    const Vec3d from = place + random.uniform(2.1, 2.6) * random.unit_vector();
    const Vec3d to = place + random.uniform(0, 1.9) * random.unit_vector();
    q.world_from_a = to_matrix({random_rotation(random, 0, 3), place});
    q.world_from_b = to_matrix({random_rotation(random, 0, 3), from});
    const Vec3d travel = random.uniform(0.6, 1.4) * (to - from);
    if (!turns) {
        q.motion_b = Motion::linear(cast<float>(from + travel));
        return q;
    }
    q.motion_b.kind = Motion::Kind::screw;
    q.motion_b.axis_w = random.unit_vector();
    q.motion_b.point_w = from + 0.3 * random.unit_vector();
    q.motion_b.angle = kTurn;
    // A screw: the travel is along the axis; the rest of the motion turns about a far axis.
    const Vec3d along = dot(travel, q.motion_b.axis_w) * q.motion_b.axis_w, across = travel - along;
    const double half = std::tan(0.5 * kTurn);
    q.motion_b.point_w = from + 0.5 * across + (0.5 / half) * cross(q.motion_b.axis_w, across);
    q.motion_b.travel_w = along;
    return q;
}

/// The rows with the paper's bodies and motion.
bool turns(const std::string& name) {
    return name == "cube" || name == "car" || name == "car_hull" || name == "torus";
}

}  // namespace

Result<std::vector<std::string>> continuous_row_names(const std::vector<std::string>& wanted) {
    if (wanted.empty())
        return std::vector<std::string>{"cube",    "car",      "car_hull", "torus",
                                        "hull/20", "hull/100", "hull/500"};
    for (const std::string& name : wanted) {
        const std::vector<std::string> words = split(name);
        double vertices = 0;
        const bool is_hull =
            words.size() == 2 && words[0] == "hull" && parse_whole(words[1], 4, 5000, vertices);
        if (!is_hull && !turns(name))
            return Error{"unknown row '" + name + "': expected " + kContinuousRows, {}, 0};
    }
    return wanted;
}

ContinuousRow make_continuous_row(const std::string& name, std::size_t count, std::uint64_t seed) {
    ContinuousRow row;
    row.name = name;
    const bool screw = turns(name);
    if (name == "cube") row.shapes = {make_cube(), make_cube()};
    if (name == "car") row.shapes = {make_small_car(), make_small_car()};
    if (name == "car_hull") {
        // The same car without its notches, so that libraries that accept only convex bodies can take part.
        row.shapes = {hull_of(make_small_car()->geometry().positions, "hull of a car")};
        row.shapes.push_back(row.shapes[0]);
    }
    if (name == "torus") {
        row.shapes = {primitive_shape(Primitive::torus, 300, 1)};
        row.shapes.push_back(row.shapes[0]);
    }
    if (!screw) {
        double vertices = 0;
        parse_whole(split(name)[1], 4, 5000, vertices);
        for (const std::uint64_t s : {seed, seed + 1})
            row.shapes.push_back(
                primitive_shape(Primitive::ellipsoid_hull, static_cast<std::uint32_t>(vertices), s));
    }
    const Topology& t = row.shapes[0]->topology();
    row.title = name + ": " + std::to_string(t.vertex_count) + " vertices, " +
                std::to_string(t.polygon_count()) + " faces, " +
                (screw ? "screw of 20 degrees" : "linear motion");
    Random random(seed);
    Referee referee(*row.shapes[0], *row.shapes[1]);
    while (row.queries.size() < count) {
        MovingQuery q = random_query(random, screw);
        q.shape_b = 1;
        if (!referee.decide(q)) continue;
        const Matrix34d end = placement_at(q.world_from_b, q.motion_b, 1);
        for (std::size_t i = 0; i < 12; ++i) q.world_from_b_end.m[i] = static_cast<float>(end.m[i]);
        row.queries.push_back(q);
    }
    return row;
}

}  // namespace claybox::bench
