#include "bench/streams/dent_stream.hpp"

#include "bench/streams/mesh_stream.hpp"
#include "bench/streams/referee.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::streams {

using namespace collision;

namespace {

// Metres, for a sphere of radius 1.
constexpr double kFingerRadius = 0.045, kFingerHalf = 0.06, kFingerGap = 0.1, kJoint = 0.14;
constexpr double kPalmRadius = 0.3, kPalmHeight = 1.6, kTipHeight = 1.06;
constexpr double kPress = 0.06;    // amplitude of the hand's motion in and out
constexpr double kMaxDent = 0.05;  // depth of the dent
constexpr double kStroke = 0.01;   // motion of the spot, radians per frame
constexpr int kSides = 14;

/// One segment of a finger: a capsule along the Z axis.
std::vector<Vec3f> joint_points() {
    std::vector<Vec3f> out;
    for (const double latitude : {6.0, 34.0, 62.0, 88.0})
        for (const double side : {-1.0, 1.0}) {
            const SinCos up = sin_cos(latitude * kPi / 180);
            for (int i = 0; i < kSides; ++i) {
                const SinCos turn = sin_cos(2 * kPi * i / kSides);
                out.push_back(
                    cast<float>(Vec3d{kFingerRadius * up.cos * turn.cos, kFingerRadius * up.cos * turn.sin,
                                      side * (kFingerHalf + kFingerRadius * up.sin)}));
            }
        }
    return out;
}

Result<std::vector<ShapePtr>> make_parts(std::uint64_t seed) {
    auto palm = make_primitive_shape(Primitive::plate_hull, 100, static_cast<float>(kPalmRadius), seed);
    if (!palm) return palm.error();
    const std::vector<Vec3f> points = joint_points();
    auto joint = Shape::from_hull(points, "joint");
    if (!joint) return joint.error();
    std::vector<ShapePtr> out(kHandParts, joint.value());
    out[0] = palm.value();
    return out;
}

/// A pose at `where` whose +Z axis points along `up`.
Matrix34f stand_on(const Vec3d& up, const Vec3d& where) {
    const Vec3d axis = cross({0, 0, 1}, up);
    const Vec3d about = normalized(axis, {1, 0, 0});
    return to_matrix({axis_angle(about, std::atan2(length(axis), up.z)), where});
}

/// The palm above the spot, and five fingers of three segments that reach down to the surface around it.
void place_hand(const Vec3d& spot, double press, DentFrame& out) {
    const Vec3d across = normalized(cross(spot, {0, 1, 0}), {1, 0, 0});
    out.world_from_part[0] = stand_on(spot, (kPalmHeight + press) * spot);
    for (std::size_t finger = 0; finger < 5; ++finger) {
        const double aside = (static_cast<double>(finger) - 2) * kFingerGap;
        const Vec3d up = normalized(spot + aside * across, spot);
        for (std::size_t joint = 0; joint < 3; ++joint)
            out.world_from_part[1 + 3 * finger + joint] =
                stand_on(up, (kTipHeight + press + static_cast<double>(joint) * kJoint) * up);
    }
}

/// Pushes in the vertices nearest to the spot, deepest in the middle.
void press_clay(const Vec3d& spot, double depth, std::uint32_t moved, const std::vector<Vec3f>& rest,
                std::vector<std::uint32_t>& order, DentFrame& out) {
    const auto nearness = [&](std::uint32_t v) { return dot(cast<double>(rest[v]), spot); };
    const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
        const double na = nearness(a), nb = nearness(b);
        return na != nb ? na > nb : a < b;
    };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(moved);
    if (moved < order.size()) std::nth_element(order.begin(), end, order.end(), nearer);
    std::sort(order.begin(), end);
    double furthest = 1;
    for (auto v = order.begin(); v != end; ++v) furthest = std::min(furthest, nearness(*v));
    for (auto v = order.begin(); v != end; ++v) {
        const double inner = (nearness(*v) - furthest) / std::max(1 - furthest, 1e-9);
        out.changes.push_back({*v, cast<float>((1 - depth * inner * inner) * cast<double>(rest[*v]))});
    }
}

/// One bit per part that collides with the current mesh. Prepares everything from scratch.
std::uint32_t decide(const PairAlgorithm& algorithm, const DentStream& stream, const Geometry& geometry,
                     const DentFrame& frame) {
    Scratch scratch;
    PairQuery q;
    q.parameters = default_values(algorithm.parameters);
    q.scratch = &scratch;
    std::vector<std::shared_ptr<const Prepared>> prepared;
    const auto body = [&](const Shape& shape, const Geometry& now) {
        prepared.push_back(algorithm.prepare == nullptr ? nullptr : algorithm.prepare(shape, now));
        return PairBody{&shape, &now, prepared.back().get(), {}};
    };
    q.a = body(*stream.mesh, geometry);
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < kHandParts; ++i) {
        q.b = body(*stream.parts[i], stream.parts[i]->geometry());
        q.b.world_from_body = frame.world_from_part[i];
        PairCache cache;
        std::vector<std::byte> pool;
        if (algorithm.cache_bytes != nullptr) {
            pool.resize(algorithm.cache_bytes(*stream.mesh, *stream.parts[i]));
            cache.set_pool(pool);
        }
        if (run_query(algorithm, q, cache).verdict == Verdict::colliding) out |= 1u << i;
    }
    return out;
}

}  // namespace

Result<DentStream> record_dents(std::uint32_t triangles, std::uint32_t moved, std::uint32_t frames,
                                std::uint64_t seed) {
    DentStream out;
    auto parts = make_parts(seed);
    if (!parts) return parts.error();
    out.parts = std::move(parts.value());
    // Mostly quads, which become two triangles each; rings of triangles at the poles.
    const auto sphere = make_primitive_shape(Primitive::uv_sphere, triangles / 2, 1, seed);
    if (!sphere) return sphere.error();
    auto mesh = as_triangles(*sphere.value());
    if (!mesh) return mesh.error();
    out.mesh = std::move(mesh.value());
    Geometry geometry = out.mesh->geometry();
    std::vector<std::uint32_t> order(geometry.positions.size()), touched;
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    moved = std::min(moved, static_cast<std::uint32_t>(order.size()));
    const std::vector<Vec3f> rest = geometry.positions;
    for (std::uint32_t f = 0; f < frames; ++f) {
        const SinCos stroke = sin_cos(kStroke * f), beat = sin_cos(0.4 * f);
        const Vec3d spot = normalized(Vec3d{stroke.cos, 0.3, stroke.sin}, {1, 0, 0});
        DentFrame frame;
        place_hand(spot, kPress * beat.sin, frame);
        press_clay(spot, kMaxDent * (0.5 - 0.5 * beat.sin), moved, rest, order, frame);
        if (const Status done = deform(geometry, frame.changes, touched); !done) return done.error();
        frame.colliding_parts = decide(*find_pair_algorithm(kSecondMeshReferee), out, geometry, frame);
        out.frames.push_back(std::move(frame));
    }
    if (!out.frames.empty() && decide(*find_pair_algorithm(kMeshReferee), out, geometry, out.frames.back()) !=
                                   out.frames.back().colliding_parts)
        return Error{"recorded dent: the exact algorithms disagree, expected equal answers", {}, 0};
    return out;
}

}  // namespace claybox::streams
