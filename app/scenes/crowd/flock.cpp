#include "app/scenes/crowd/flock.hpp"

#include "collision/core/elementary.hpp"

#include <algorithm>
#include <cmath>
namespace claybox::app {

using collision::Vec3f;

namespace {

constexpr float kFollow = 0.08f;  // share of the difference to the current that a body makes up per frame
constexpr float kClimb = 0.02f;   // the same for the height
constexpr float kAvoid = 0.16f;   // metres from an obstacle at which bodies start to turn away
constexpr float kFloor = 0.12f;   // metres of air below the lowest bodies
constexpr float kSwell = 0.6f;    // share of the height by which the wave moves the layer up and down
constexpr double kWhirlPeriod = 900, kWavePeriod = 600;  // frames

/// Centres and strengths of the whirls. Left and right pair turn in opposite directions: the current runs
/// through the middle of the arena and back along its walls.
struct Whirl {
    float x, z, strength;
};
constexpr std::array<Whirl, 4> kWhirls{
    {{-2.6f, -2.1f, 1.7f}, {-2.5f, 2.0f, 2.0f}, {2.5f, -2.0f, -1.9f}, {2.6f, 2.1f, -1.7f}}};
constexpr float kCore = 0.8f, kPerReach2 = 1 / (2.6f * 2.6f);

/// A smooth wave of period 1 between -1 and 1, made of two parabolas: cheap, and bit-identical on all
/// machines.
float wave(float t) {
    const float u = 2 * (t - std::floor(t)) - 1;
    return 4 * u * (1 - std::abs(u));
}

}  // namespace

Clearance clearance(const Obstacle& o, const Vec3f& p) {
    const Vec3f d = p - o.at;
    if (o.kind == Obstacle::Kind::ring) {
        const float out = std::sqrt(d.x * d.x + d.y * d.y);
        const float share = out > 0 ? o.radius / out : 0;
        const Vec3f from{out > 0 ? d.x - d.x * share : o.radius, d.y - d.y * share, d.z};
        const float l = length(from);
        return {l > 0 ? from / l : Vec3f{0, 0, 1}, l - o.thickness};
    }
    const float out = std::sqrt(d.x * d.x + d.z * d.z);
    const float aside = out - o.radius, above = d.y - o.height;
    if (above > aside) return {{0, 1, 0}, above};
    return {out > 0 ? Vec3f{d.x / out, 0, d.z / out} : Vec3f{1, 0, 0}, aside};
}

void Flock::build(std::span<const float> radii, std::span<const Obstacle> obstacles, std::uint64_t seed) {
    obstacles_.assign(obstacles.begin(), obstacles.end());
    radius_.assign(radii.begin(), radii.end());
    const std::size_t count = radii.size();
    position_.resize(count);
    velocity_.resize(count);
    axis_.resize(count);
    rotation_.resize(count);
    height_.resize(count);
    lot_.resize(count);
    set_time(0);
    collision::Random random(seed);
    place(obstacles, random);
    for (std::size_t i = 0; i < count; ++i) {
        axis_[i] = collision::cast<float>(random.unit_vector());
        const Vec3f q = collision::cast<float>(random.unit_vector());
        const float w = static_cast<float>(random.uniform(-1, 1)), l = std::sqrt(w * w + dot(q, q));
        rotation_[i] = {w / l, q.x / l, q.y / l, q.z / l};
        lot_[i] = static_cast<float>(random.uniform());
        velocity_[i] = current(position_[i]);
    }
}

/// Places the bodies on a lattice with at least as many sites; the shuffle leaves the surplus sites empty.
void Flock::place(std::span<const Obstacle> obstacles, collision::Random& random) {
    const Vec3f extent{2 * kArena.x, kArena.y - kFloor, 2 * kArena.z};
    const float largest = *std::max_element(radius_.begin(), radius_.end());
    float cell = static_cast<float>(
        collision::cube_root(extent.x * extent.y * extent.z / static_cast<float>(position_.size())));
    std::vector<Vec3f> sites;
    // Obstacles and rounding to whole cells cost sites: refine until every body has one.
    for (; sites.size() < position_.size(); cell *= 0.985f) {
        sites.clear();
        const auto count = [&](float length) { return std::max(1, static_cast<int>(length / cell)); };
        const int nx = count(extent.x), ny = count(extent.y), nz = count(extent.z);
        for (int i = 0; i < nx * ny * nz; ++i) {
            const auto at = [](int k, int n) {
                return (static_cast<float>(k) + 0.5f) / static_cast<float>(n);
            };
            const Vec3f site{extent.x * (at(i % nx, nx) - 0.5f), kFloor + extent.y * at(i / (nx * nz), ny),
                             extent.z * (at(i / nx % nz, nz) - 0.5f)};
            const bool free = std::all_of(obstacles.begin(), obstacles.end(), [&](const Obstacle& o) {
                return clearance(o, site).gap > 0.5f * cell + largest;
            });
            if (free) sites.push_back(site);
        }
    }
    for (std::size_t i = sites.size(); i > 1; --i) std::swap(sites[i - 1], sites[random.below(i)]);
    for (std::size_t i = 0; i < position_.size(); ++i) {
        const double shake = 0.5 * std::max(0.0f, cell - 2 * radius_[i]);
        position_[i] = sites[i] + collision::cast<float>(random.unit_vector() * (0.5 * shake));
        height_[i] = (sites[i].y - kFloor) / extent.y;
    }
}

/// Flows along the level lines of a stream function that is zero at the walls. The flow is therefore free of
/// divergence and does not leave the arena.
Vec3f Flock::current(const Vec3f& p) const {
    float value = 0, value_x = 0, value_z = 0;  // sum of the whirls and its derivatives along x and z
    for (std::size_t k = 0; k < kWhirls.size(); ++k) {
        const float dx = p.x - kWhirls[k].x, dz = p.z - kWhirls[k].z;
        const float g = 1 / (kCore + (dx * dx + dz * dz) * kPerReach2), w = whirl_[k] * g;
        value += w;
        value_x -= 2 * kPerReach2 * dx * w * g;
        value_z -= 2 * kPerReach2 * dz * w * g;
    }
    const float ax = p.x / kArena.x, az = p.z / kArena.z;
    const float in_x = 1 - ax * ax * ax * ax, in_z = 1 - az * az * az * az;
    const float in_x_x = -4 * ax * ax * ax / kArena.x, in_z_z = -4 * az * az * az / kArena.z;
    return {-in_x * (in_z_z * value + in_z * value_z), 0, in_z * (in_x_x * value + in_x * value_x)};
}

void Flock::steer(std::uint32_t i) {
    const Vec3f p = position_[i];
    Vec3f v = velocity_[i];
    // Uses the current at the place that the body will reach while it follows; otherwise every bend throws it
    // outwards.
    const float ahead = motion_.step / kFollow;
    Vec3f target = current({std::clamp(p.x + ahead * v.x, -kArena.x, kArena.x), 0,
                            std::clamp(p.z + ahead * v.z, -kArena.z, kArena.z)});
    const float swell = wave(0.13f * p.x + 0.10f * p.z + wave_);
    const float height =
        kFloor + radius_[i] +
        (kArena.y - kFloor) * (0.5f + (height_[i] - 0.5f) * (1 - kSwell) + 0.5f * kSwell * swell);
    for (const Obstacle& o : obstacles_) {
        const Clearance c = clearance(o, p);
        const float near = kAvoid - (c.gap - radius_[i]);
        if (near > 0) target += c.away * (2 * near / kAvoid);
    }
    v += (target - v) * kFollow;
    v.y += std::clamp((height - p.y) / kArena.y, -0.5f, 0.5f) * kClimb * 4;
    velocity_[i] = v;
    Vec3f q = p + v * motion_.step;
    const auto keep = [&](float& at, float& speed, float low, float high) {
        if (at >= low && at <= high) return;
        speed = at < low ? std::abs(speed) : -std::abs(speed);
        at = std::clamp(at, low, high);
    };
    keep(q.x, velocity_[i].x, radius_[i] - kArena.x, kArena.x - radius_[i]);
    keep(q.z, velocity_[i].z, radius_[i] - kArena.z, kArena.z - radius_[i]);
    keep(q.y, velocity_[i].y, radius_[i], kArena.y + kSwell);
    position_[i] = q;
}

/// Multiplies the rotation by a small rotation about the body's own axis.
void Flock::turn(std::uint32_t i) {
    const std::array<float, 4> q = rotation_[i];
    const Vec3f h = axis_[i] * (0.5f * motion_.turn);
    const float w = q[0] - h.x * q[1] - h.y * q[2] - h.z * q[3];
    const float x = q[1] + h.x * q[0] + h.y * q[3] - h.z * q[2];
    const float y = q[2] + h.y * q[0] + h.z * q[1] - h.x * q[3];
    const float z = q[3] + h.z * q[0] + h.x * q[2] - h.y * q[1];
    const float s = 1 / std::sqrt(w * w + x * x + y * y + z * z);
    rotation_[i] = {w * s, x * s, y * s, z * s};
}

/// Sets the slow variation of the current at a frame.
void Flock::set_time(std::uint64_t frame) {
    const auto phase = [&](double period) {
        const double t = static_cast<double>(frame) / period;
        return static_cast<float>(t - std::floor(t));
    };
    wave_ = phase(kWavePeriod);
    for (std::size_t k = 0; k < kWhirls.size(); ++k)
        whirl_[k] =
            kWhirls[k].strength * (1 + 0.45f * wave(phase(kWhirlPeriod) + 0.27f * static_cast<float>(k)));
}

void Flock::advance(std::uint64_t frame) {
    set_time(frame);
    for (std::uint32_t i = 0; i < size(); ++i) {
        if (!moves(i)) continue;
        steer(i);
        turn(i);
    }
}

void Flock::bounce(std::uint32_t a, std::uint32_t b) {
    const Vec3f n = normalized(position_[a] - position_[b], Vec3f{0, 1, 0});
    const bool a_moves = moves(a), b_moves = moves(b);
    const Vec3f va = a_moves ? velocity_[a] : Vec3f{}, vb = b_moves ? velocity_[b] : Vec3f{};
    const float closing = dot(va - vb, n);
    // Bodies that rest or already separate get a small push too; otherwise they would stick together.
    const float change = std::max(0.0f, -closing) + 0.25f;
    const float share = a_moves && b_moves ? 1.0f : 2.0f;
    if (a_moves) velocity_[a] += n * (change * share);
    if (b_moves) velocity_[b] += n * (-change * share);
}

void Flock::bounce_off(std::uint32_t body, const Obstacle& obstacle) {
    if (!moves(body)) return;
    const Vec3f n = clearance(obstacle, position_[body]).away;
    const float closing = dot(velocity_[body], n);
    velocity_[body] += n * (2 * std::max(0.0f, -closing) + 0.25f);
}

unsigned Flock::heading(std::uint32_t body) const {
    const Vec3f& v = velocity_[body];
    return (v.x < 0 ? 4u : 0u) + ((v.z < 0) != (v.x < 0) ? 2u : 0u) +
           ((std::abs(v.x) < std::abs(v.z)) != ((v.z < 0) != (v.x < 0)) ? 1u : 0u);
}

collision::Pose Flock::pose(std::uint32_t body) const {
    const std::array<float, 4>& q = rotation_[body];
    return {{static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
             static_cast<double>(q[3])},
            collision::cast<double>(position_[body])};
}

}  // namespace claybox::app
