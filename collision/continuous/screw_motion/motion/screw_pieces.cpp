#include "collision/continuous/screw_motion/motion/screw_pieces.hpp"

#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr double kQuarterTurn = kPi / 2;
constexpr int kMaxHalvings = 12;
/// Beyond, a piece is halved only if it turns too far.
constexpr std::size_t kManyPieces = 4096;

double wrapped(double angle) {
    return angle - 2 * kPi * std::nearbyint(angle / (2 * kPi));
}

Vec3d any_perpendicular(const Vec3d& v) {
    const Vec3d least = std::fabs(v.x) <= std::fabs(v.y) && std::fabs(v.x) <= std::fabs(v.z) ? Vec3d{1, 0, 0}
                        : std::fabs(v.y) <= std::fabs(v.z)                                   ? Vec3d{0, 1, 0}
                                                                                             : Vec3d{0, 0, 1};
    return normalized(cross(v, least));
}

RigidMap frame_at(const Vec3d& origin, const Vec3d& axis, const Vec3d& forward) {
    RigidMap f{cross(axis, forward), axis, forward, {}};
    f.t = -f.turn(origin);
    return f;
}

/// Angle by which `azimuth` is outside an arc; negative inside.
double outside(const AzimuthArc& arc, double azimuth) {
    return std::fabs(wrapped(azimuth - arc.centre)) - arc.half;
}

/// The azimuth farthest from both arcs, and its distance from the nearer one.
double best_cut(const AzimuthArc& a, const AzimuthArc& b, double& clearance) {
    const double between = wrapped(b.centre - a.centre) / 2;
    const double tilt = (a.half - b.half) / 2;
    const double candidates[] = {a.centre + kPi,
                                 b.centre + kPi,
                                 a.centre + between + kPi + tilt,
                                 a.centre + between + kPi - tilt,
                                 a.centre + between + tilt,
                                 a.centre + between - tilt};
    double best = candidates[0];
    clearance = -kPi;
    for (const double azimuth : candidates) {
        const double free = std::min(outside(a, azimuth), outside(b, azimuth));
        if (free > clearance) clearance = free, best = azimuth;
    }
    return best;
}

/// Largest distance between two affine maps for points of a sphere.
double map_distance(const RigidMap& p, const RigidMap& q, const WorldSphere& s) {
    const double linear = length_squared(p.x - q.x) + length_squared(p.y - q.y) + length_squared(p.z - q.z);
    return length(p(s.centre) - q(s.centre)) + std::sqrt(linear) * s.radius;
}

double deviation_of(const RelativePath& path, const Screw& screw, const ScrewPiece& piece,
                    const WorldSphere& b) {
    const RigidMap back = inverse(piece.begin);
    double largest = 0;
    for (const double s : {0.25, 0.5, 0.75})
        largest = std::max(largest, map_distance(path.at(piece.time(s)) * back, screw_map(screw, s), b));
    return 1.25 * largest;
}

class Cutter {
  public:
    Cutter(const RelativePath& path, const WorldSphere& a, const WorldSphere& b, const PieceLimits& limits,
           std::vector<ScrewPiece>& out)
        : path_(path), a_(a), b_(b), limits_(limits), out_(out) {}

    bool run() {
        out_.clear();
        const bool screw = path_.is_screw();
        const Screw& s = path_.screw();
        const bool far = screw && s.angle > 0 && distance_to_axis(s) > limits_.farthest_axis;
        const double turns = std::ceil(path_.turn_rate() / kQuarterTurn * (1 - 1e-12));
        const double count = std::max(turns, 1.0);
        if (!(count <= kMaxQuarterTurns)) return false;
        for (double k = 0; k < count; ++k) {
            if (screw && !far)
                add_pure(k / count, 1 / count);
            else
                add_close(k / count, 1 / count, 0);
        }
        return true;
    }

  private:
    double distance_to_axis(const Screw& s) const {
        const auto distance = [&](const WorldSphere& w) {
            return length(cross(s.axis, w.centre - s.point)) + w.radius;
        };
        return std::max(distance(a_), distance(b_));
    }
    ScrewPiece piece_at(double start, double duration) const {
        ScrewPiece piece;
        piece.start = start;
        piece.duration = duration;
        piece.path = &path_;
        piece.begin = path_.at(start);
        return piece;
    }
    /// False if the bodies are too far apart during the piece.
    bool place(ScrewPiece& piece, const Screw& screw) const {
        piece.angle = screw.angle;
        piece.pitch = screw.pitch;
        const WorldSphere b{piece.begin(b_.centre), b_.radius};
        place_frame(screw, a_, b, piece);
        piece.compared = limits_.drop_far;
        return !limits_.drop_far || may_touch(piece, a_, b, limits_.margin);
    }
    void add_pure(double start, double duration) {
        ScrewPiece piece = piece_at(start, duration);
        Screw s = path_.screw();
        s.angle *= duration;
        s.pitch *= duration;
        if (place(piece, s)) out_.push_back(piece);
    }
    void add_close(double start, double duration, int depth) {
        ScrewPiece piece = piece_at(start, duration);
        piece.pure = false;
        const RigidMap step = path_.at(start + duration) * inverse(piece.begin);
        const WorldSphere b{piece.begin(b_.centre), b_.radius};
        Screw screw = screw_of(step, 1e-9);
        if (screw.angle > 0 && distance_to_axis(screw) > limits_.farthest_axis)
            screw = {{},
                     normalized(step(b.centre) - b.centre, Vec3d{0, 1, 0}),
                     0,
                     length(step(b.centre) - b.centre)};
        piece.deviation = deviation_of(path_, screw, piece, b);
        if (!place(piece, screw)) return;
        const bool differs = piece.deviation > limits_.deviation && out_.size() < kManyPieces;
        if ((differs || screw.angle > kQuarterTurn) && depth < kMaxHalvings) {
            add_close(start, duration / 2, depth + 1);
            add_close(start + duration / 2, duration / 2, depth + 1);
            return;
        }
        out_.push_back(piece);
    }

    const RelativePath& path_;
    const WorldSphere &a_, &b_;
    const PieceLimits& limits_;
    std::vector<ScrewPiece>& out_;
};

}  // namespace

bool cut_into_pieces(const RelativePath& path, const WorldSphere& a, const WorldSphere& b,
                     const PieceLimits& limits, std::vector<ScrewPiece>& out) {
    return Cutter(path, a, b, limits, out).run();
}

AzimuthArc azimuth_of(const Vec3d& c, double radius) {
    const double distance = std::sqrt(c.x * c.x + c.z * c.z);
    if (!(distance > radius)) return {quick_angle(c.x, c.z), kPi};
    const double cosine = std::sqrt((distance - radius) * (distance + radius));
    return {quick_angle(c.x, c.z), quick_angle(radius, cosine) + 1e-7};
}

void place_frame(const Screw& screw, const WorldSphere& a, const WorldSphere& b, ScrewPiece& piece) {
    const Vec3d middle = 0.5 * (a.centre + b.centre + (0.5 * screw.pitch) * screw.axis);
    const Vec3d side = any_perpendicular(screw.axis);
    if (screw.angle == 0) {
        piece.frame_from_world = frame_at(middle, screw.axis, side);
        piece.wraps = false;
        return;
    }
    const Vec3d origin = screw.point + dot(middle - screw.point, screw.axis) * screw.axis;
    const RigidMap first = frame_at(origin, screw.axis, side);
    const AzimuthArc arc_a = azimuth_of(first(a.centre), a.radius);
    AzimuthArc arc_b = azimuth_of(first(b.centre), b.radius);
    arc_b = {arc_b.centre + screw.angle / 2, arc_b.half + screw.angle / 2};
    double clearance = 0;
    double cut = best_cut(arc_a, arc_b, clearance);
    piece.wraps = clearance < 1e-4;
    // No vertex of a symmetrical body should lie in the half-plane of the cut.
    if (piece.wraps) cut += 0.0123;
    const SinCos back = quick_sin_cos(wrapped(cut + kPi));
    const Vec3d forward = normalized(back.sin * first.x + back.cos * first.z);
    piece.frame_from_world = frame_at(origin, screw.axis, forward);
}

bool may_touch(const ScrewPiece& piece, const WorldSphere& a, const WorldSphere& b, double margin) {
    const Vec3d ca = piece.frame_from_world(a.centre), cb = piece.frame_from_world(b.centre);
    const double reach = a.radius + b.radius + margin + piece.deviation;
    if (cb.y + std::max(0.0, piece.pitch) + reach < ca.y || cb.y + std::min(0.0, piece.pitch) - reach > ca.y)
        return false;
    if (piece.angle == 0) {
        const double dx = ca.x - cb.x, dz = ca.z - cb.z;
        return dx * dx + dz * dz <= reach * reach;
    }
    const double ra = std::sqrt(ca.x * ca.x + ca.z * ca.z), rb = std::sqrt(cb.x * cb.x + cb.z * cb.z);
    if (std::fabs(ra - rb) > reach) return false;
    const double wider = margin + piece.deviation;
    const AzimuthArc arc_a = azimuth_of(ca, a.radius + wider), arc_b = azimuth_of(cb, b.radius + wider);
    const double between =
        std::fabs(wrapped(ca.x == 0 && ca.z == 0 ? 0.0 : arc_a.centre - arc_b.centre - piece.angle / 2));
    return between <= arc_a.half + arc_b.half + piece.angle / 2;
}

}  // namespace claybox::collision
