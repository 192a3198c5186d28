#include "bench/experiments/algorithms/edge_polygon_scenes.hpp"

#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/registry.hpp"

#include <array>
#include <cmath>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr double kTurn = 6.283185307179586;
constexpr std::size_t kObjects = 10;
constexpr double kHalfCage = 3.2, kHalfWall = 0.2;

/// Shapes and numbers of polygons. With six walls of six polygons their sum is 4121, if each count is met.
constexpr std::array<CageBody, kObjects> kShapes = {{{Primitive::torus, 120},
                                                     {Primitive::uv_sphere, 150},
                                                     {Primitive::hyperboloid, 180},
                                                     {Primitive::torus, 220},
                                                     {Primitive::cone, 260},
                                                     {Primitive::uv_sphere, 320},
                                                     {Primitive::torus, 400},
                                                     {Primitive::hyperboloid, 480},
                                                     {Primitive::uv_sphere, 505},
                                                     {Primitive::torus, 1450}}};

PolygonList scaled(PolygonList list, const Vec3f& by) {
    for (Vec3f& p : list.positions) p = {p.x * by.x, p.y * by.y, p.z * by.z};
    return list;
}

/// A box with the given half sides.
Result<ShapePtr> wall(const Vec3d& half) {
    PolygonList list = make_primitive(Primitive::box, 6, 1);
    const float corner = bound(list.positions).max.x;
    return Shape::from_polygons(scaled(std::move(list), cast<float>(half / static_cast<double>(corner))));
}

struct Flight {
    Pose pose;
    Vec3d velocity;
    Quat spin;
};

std::vector<Flight> start(std::size_t objects, Random& random) {
    std::vector<Flight> out;
    for (std::size_t i = 0; i < objects; ++i) {  // two layers of a grid, without initial collisions
        const double x = static_cast<double>(i % 3) * 2 - 2, y = static_cast<double>(i / 3 % 2) * 2 - 1,
                     z = static_cast<double>(i / 6) * 2 - 1;
        out.push_back({{random_rotation(random, 0, 3), {x, y, z}},
                       0.05 * random.unit_vector(),
                       axis_angle(random.unit_vector(), 0.06)});
    }
    return out;
}

Result<std::vector<ShapePtr>> cage_shapes(std::span<const CageBody> objects) {
    std::vector<ShapePtr> out;
    for (const auto& [kind, polygons] : objects) {
        auto made = make_primitive_shape(kind, polygons, 0.9f, 1);
        if (!made) return made.error();
        out.push_back(made.value());
    }
    for (std::size_t side = 0; side < 6; ++side) {
        Vec3d half{kHalfCage, kHalfCage, kHalfCage};
        half[side / 2] = kHalfWall;
        auto made = wall(half);
        if (!made) return made.error();
        out.push_back(made.value());
    }
    return out;
}

std::vector<Matrix34f> placed(const std::vector<Flight>& flights) {
    std::vector<Matrix34f> out;
    for (const Flight& f : flights) out.push_back(to_matrix(f.pose));
    for (std::size_t side = 0; side < 6; ++side) {
        Pose pose;
        pose.translation[side / 2] = (side % 2 == 0 ? 1 : -1) * (kHalfCage + kHalfWall);
        out.push_back(to_matrix(pose));
    }
    return out;
}

void fly(Flight& f) {
    f.pose.translation += f.velocity;
    f.pose.rotation = normalized(f.spin * f.pose.rotation);
}

/// Turns back the bodies that collide, each at most once per frame.
void turn_back(const RecordedScene& scene, std::vector<Flight>& flights) {
    static const PairAlgorithm& algorithm = *find_pair_algorithm("edge_polygon");
    Scratch scratch;
    PairCache cache;
    std::vector<bool> hit(flights.size());
    for (const auto& [i, j] : scene.pairs) {
        PairQuery q = make_pair_query(*scene.bodies[i], scene.placements.back()[i], *scene.bodies[j],
                                      scene.placements.back()[j], scratch);
        q.parameters = default_values(algorithm.parameters);
        if (run_query(algorithm, q, cache).verdict != Verdict::colliding) continue;
        hit[i] = true;
        if (j < hit.size()) hit[j] = true;
    }
    for (std::size_t i = 0; i < flights.size(); ++i) {
        if (!hit[i]) continue;
        flights[i].velocity = -flights[i].velocity;
        flights[i].spin = conjugate(flights[i].spin);
        fly(flights[i]);
    }
}

/// A pot: a wall of quads around the y axis, closed at rim and foot.
PolygonList pot(const PotSize& size) {
    const auto [across, around] = size;
    PolygonList out;
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t j = 0; j < across; ++j) {
            const double u = kTurn * i / around, v = kTurn * j / across;
            const double thick = std::copysign(std::sqrt(std::abs(std::cos(v))), std::cos(v)) * 0.008;
            const double height = std::copysign(std::sqrt(std::abs(std::sin(v))), std::sin(v)) * 0.1;
            const double r = 0.11 + 0.02 * height / 0.1 + thick;
            out.positions.push_back(cast<float>(Vec3d{r * std::cos(u), height, r * std::sin(u)}));
        }
    const auto at = [&, across = across, around = around](std::uint32_t i, std::uint32_t j) {
        return i % around * across + j % across;
    };
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t j = 0; j < across; ++j)
            out.add_polygon(std::array{at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
    return out;
}

/// Poses of the parts of a flat hand: the palm, then five fingers of three parts along -x.
std::vector<Pose> hand_parts() {
    std::vector<Pose> out{Pose{}};
    for (int finger = 0; finger < 5; ++finger)
        for (int part = 0; part < 3; ++part)
            out.push_back({{}, {-0.055 - 0.025 * part, 0.0, 0.02 * (finger - 2)}});
    return out;
}

}  // namespace

std::size_t RecordedScene::polygons() const {
    std::size_t out = 0;
    for (const ShapePtr& s : bodies) out += s->topology().polygon_count();
    return out;
}

Result<RecordedScene> record_cage(std::size_t frames, std::uint64_t seed) {
    return record_cage(kShapes, frames, seed);
}

Result<RecordedScene> record_cage(std::span<const CageBody> objects, std::size_t frames, std::uint64_t seed) {
    CLAYBOX_ASSERT(objects.size() <= 12);  // places at the start
    RecordedScene out;
    auto shapes = cage_shapes(objects);
    if (!shapes) return shapes.error();
    out.bodies = std::move(shapes.value());
    for (std::size_t i = 0; i < objects.size(); ++i)
        for (std::size_t j = i + 1; j < out.bodies.size(); ++j) out.pairs.emplace_back(i, j);
    Random random(seed);
    std::vector<Flight> flights = start(objects.size(), random);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        out.placements.push_back(placed(flights));
        turn_back(out, flights);
        for (Flight& f : flights) fly(f);
    }
    return out;
}

Result<RecordedScene> record_pot(std::size_t frames) {
    return record_pot(PotSize{}, HandParts::all, frames);
}

Result<RecordedScene> record_pot(const PotSize& size, HandParts chosen, std::size_t frames) {
    RecordedScene out;
    const auto add = [&](PolygonList list) {
        auto made = Shape::from_polygons(std::move(list));
        if (made.ok()) out.bodies.push_back(made.value());
        return made.ok() ? Status{Done{}} : Status{made.error()};
    };
    if (const Status made = add(pot(size)); !made) return made.error();
    const std::vector<Pose> parts = hand_parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Vec3f half = i == 0 ? Vec3f{0.045f, 0.012f, 0.045f} : Vec3f{0.014f, 0.008f, 0.008f};
        if (const Status made = add(scaled(make_primitive(Primitive::uv_sphere, 100, 1), half)); !made)
            return made.error();
        const bool forefinger = i >= 4 && i < 7;
        if (chosen == HandParts::all || forefinger) out.pairs.emplace_back(0, i + 1);
    }
    for (std::size_t frame = 0; frame < frames; ++frame) {
        // The fingertips move along the wall, slightly in and out.
        const double t = static_cast<double>(frame) / static_cast<double>(frames);
        const double reach = 0.236 + 0.008 * std::sin(7 * kTurn * t);
        const Pose around{axis_angle({0, 1, 0}, kTurn * t), {}};
        const Pose hand = around * Pose{{}, {reach, 0.03 * std::sin(3 * kTurn * t), 0}};
        std::vector<Matrix34f> row{to_matrix(Pose{})};
        for (const Pose& p : parts) row.push_back(to_matrix(hand * p));
        out.placements.push_back(std::move(row));
    }
    return out;
}

}  // namespace claybox::bench
