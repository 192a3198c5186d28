#include "bench/streams/mesh_stream.hpp"

#include "bench/streams/referee.hpp"
#include "collision/core/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace claybox::streams {

using namespace collision;

namespace {

/// Steps from the outside to the middle. Bodies of radius 1 that collide do so at one of them.
constexpr int kApproachSteps = 40;
constexpr double kContactPrecision = 1e-4;  // of the position of first contact, radii
/// Maximum distance between the line of approach and the middle, radii.
constexpr double kMaxOffset = 0.8;
/// Steps that separate slow bodies that start inside each other.
constexpr std::uint32_t kLeadIn = 30;
/// Maximum number of lines of approach without contact.
constexpr int kMaxMisses = 1000;

/// B on a line towards A, at distance `t` from the end of the line.
struct Approach {
    Matrix34f world_from_a;
    Quat rotation_b;
    Vec3d direction, offset;

    Matrix34f world_from_b(double t) const { return to_matrix({rotation_b, offset + t * direction}); }
};

Quat random_turn(Random& random) {
    return random_rotation(random, 0, 2 * std::numbers::pi);
}

Approach random_approach(Random& random) {
    const Quat turn_a = random_turn(random), turn_b = random_turn(random);
    const Vec3d direction = random.unit_vector(), any = random.unit_vector();
    const Vec3d across = any - dot(any, direction) * direction;
    return {to_matrix({turn_a, {}}), turn_b, direction, kMaxOffset * across};
}

/// Brackets first contact on the line; false if the line misses.
bool bracket(Referee& referee, const Approach& line, double& apart, double& touching) {
    const auto collide = [&](double t) {
        return referee.collide(0, line.world_from_a, 1, line.world_from_b(t));
    };
    constexpr double kFirst = 2.0;  // two balls of radius 1
    for (int i = 1; i <= kApproachSteps; ++i) {
        touching = kFirst * (1 - static_cast<double>(i) / kApproachSteps);
        if (!collide(touching)) continue;
        apart = kFirst * (1 - static_cast<double>(i - 1) / kApproachSteps);
        while (apart - touching > kContactPrecision) {
            const double middle = 0.5 * (apart + touching);
            (collide(middle) ? touching : apart) = middle;
        }
        return true;
    }
    return false;
}

using Corners = std::array<Vec3d, 3>;

/// Replaces a triangle by six with the same orientation: three at its corners, three of the tetrahedron.
void raise_tetrahedron(const Corners& t, std::vector<Corners>& out) {
    const Vec3d ab = 0.5 * (t[0] + t[1]), bc = 0.5 * (t[1] + t[2]), ca = 0.5 * (t[2] + t[0]);
    const Vec3d side = bc - ab;
    const Vec3d up = normalized(cross(t[1] - t[0], t[2] - t[0]));
    const Vec3d tip = (ab + bc + ca) / 3.0 + (std::sqrt(2.0 / 3.0) * length(side)) * up;
    for (const Corners& c : {Corners{t[0], ab, ca}, Corners{ab, t[1], bc}, Corners{ca, bc, t[2]},
                             Corners{ab, bc, tip}, Corners{bc, ca, tip}, Corners{ca, ab, tip}})
        out.push_back(c);
}

}  // namespace

Result<ShapePtr> tetra_flake_of(std::uint32_t levels) {
    const Vec3d p[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    std::vector<Corners> triangles{
        {p[1], p[3], p[2]}, {p[0], p[2], p[3]}, {p[0], p[3], p[1]}, {p[0], p[1], p[2]}};
    for (std::uint32_t level = 0; level < std::min(levels, 7u); ++level) {
        std::vector<Corners> finer;
        for (const Corners& t : triangles) raise_tetrahedron(t, finer);
        triangles = std::move(finer);
    }
    PolygonList out;
    for (const Corners& t : triangles) {
        std::uint32_t loop[3];
        for (std::size_t i = 0; i < 3; ++i) {
            loop[i] = static_cast<std::uint32_t>(out.positions.size());
            // Rounding separates equal corners by a few bits; the grid makes them equal again.
            constexpr double kGrid = 0x1p16;
            out.positions.push_back(cast<float>(Vec3d{std::nearbyint(t[i].x * kGrid) / kGrid,
                                                      std::nearbyint(t[i].y * kGrid) / kGrid,
                                                      std::nearbyint(t[i].z * kGrid) / kGrid}));
        }
        out.add_polygon(loop);
    }
    const auto shape = Shape::from_polygons(out, "tetra_flake");
    if (!shape) return shape.error();
    return as_triangles(*shape.value());
}

Result<ShapePtr> as_triangles(const Shape& shape) {
    PolygonList out;
    const Aabb& box = shape.geometry().box;
    const Vec3d middle = 0.5 * (cast<double>(box.min) + cast<double>(box.max));
    double radius = 0;
    for (const Vec3f& v : shape.geometry().positions)
        radius = std::max(radius, length(cast<double>(v) - middle));
    if (!(radius > 0)) return Error{shape.name() + ": all vertices coincide, expected a mesh", {}, 0};
    for (const Vec3f& v : shape.geometry().positions)
        out.positions.push_back(cast<float>((cast<double>(v) - middle) / radius));
    for (const Triangle& t : shape.topology().triangles) out.add_polygon(t.vertices);
    return Shape::from_polygons(out, shape.name());
}

Result<JudgedStream> record_contacts(const ShapePtr& a, const ShapePtr& b, std::uint32_t queries,
                                     std::uint64_t seed) {
    JudgedStream out;
    out.shapes = {a, b};
    out.pairs = 1;
    Referee first(*find_pair_algorithm(kMeshReferee), out.shapes),
        second(*find_pair_algorithm(kSecondMeshReferee), out.shapes);
    Random random(seed);
    for (int lines = 0; out.queries.size() < queries; ++lines) {
        if (lines > kMaxMisses + static_cast<int>(queries))
            return Error{
                a->name() + " and " + b->name() + " rarely collide, expected surfaces of radius 1", {}, 0};
        const Approach line = random_approach(random);
        double apart = 0, touching = 0;
        if (!bracket(first, line, apart, touching)) continue;
        const auto number = static_cast<std::uint32_t>(out.queries.size());
        JudgedQuery q{line.world_from_a, {}, 0, 1, 0, true, number % 2 == 0, QueryKind::separated};
        q.world_from_b = line.world_from_b(q.collides ? touching - kContactGap : apart + kContactGap);
        if (first.collide(0, q.world_from_a, 1, q.world_from_b) != q.collides) continue;  // through a hole
        if (q.collides) q.kind = QueryKind::colliding;
        if (second.collide(0, q.world_from_a, 1, q.world_from_b) != q.collides)
            return Error{"recorded query: the exact algorithms disagree, expected equal answers", {}, 0};
        out.queries.push_back(q);
        out.batches.push_back({number, 1, number + 1, q.kind});
    }
    out.frames = queries + 1;
    return out;
}

Result<JudgedStream> record_moving(const ShapePtr& mesh, std::uint32_t bodies, std::uint32_t frames,
                                   std::uint32_t parts, std::uint64_t seed) {
    CageSettings settings;
    settings.given = {mesh};
    settings.bodies = bodies;
    settings.filled = 0.5;
    settings.filled_by_balls = true;
    settings.step = 0.02;
    settings.turn = 3;
    settings.parts = parts;
    settings.lead_in = parts == 1 ? 0 : kLeadIn;
    settings.seed = seed;
    const auto stream = record_cage(settings, frames);
    if (!stream) return stream.error();
    if (stream.value().queries.empty())
        return Error{"no boxes overlap in this motion, expected candidate pairs", {}, 0};
    return judge(stream.value(), 1);
}

}  // namespace claybox::streams
