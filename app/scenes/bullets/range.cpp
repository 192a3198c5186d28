#include "app/scenes/bullets/range.hpp"

#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kBulletRadius = 0.018;
constexpr double kGap = 0.9;          // metres between the channels
constexpr double kLowerFloor = 0.2;   // metres above the ground
constexpr double kPlateShare = 0.55;  // of the cells of a station
constexpr double kPlateFill = 0.94;   // of a cell's side
constexpr double kSpread = 0.035;     // sideways part of a direction

double station_x(int station) {
    return kChannel.x * (0.15 + 0.72 * static_cast<double>(station) / (kStations - 1)) - 0.35;
}
double cell_height() {
    return 2 * kChannel.y / kRows;
}
double cell_depth() {
    return 2 * kChannel.z / kColumns;
}
std::size_t cell_index(int station, int row, int column) {
    return static_cast<std::size_t>((station * kRows + row) * kColumns + column);
}

}  // namespace

double Range::floor_of(std::size_t channel) {
    return channel == 0 ? kLowerFloor + 2 * kChannel.y + kGap : kLowerFloor;
}

Vec3d Range::plate_half() const {
    return {thickness_ / 2, kPlateFill * cell_height() / 2, kPlateFill * cell_depth() / 2};
}

/// Both channels have the same plates, so that their counters can be compared.
void Range::build(std::size_t bullets, double thickness, std::uint64_t seed) {
    thickness_ = thickness;
    seed_ = seed;
    collision::Random random(collision::mix64(seed ^ 1));
    for (int station = 0; station < kStations; ++station)
        for (int row = 0; row < kRows; ++row)
            for (int column = 0; column < kColumns; ++column) {
                if (random.uniform() > kPlateShare) continue;
                has_plate_[cell_index(station, row, column)] = true;
                for (const std::size_t channel : {0u, 1u})
                    plates_.push_back({{station_x(station), floor_of(channel) + (row + 0.5) * cell_height(),
                                        -kChannel.z + (column + 0.5) * cell_depth()},
                                       channel});
            }
    first_of_lower_ = (bullets + 1) / 2;
    for (auto* const list : {&place_, &last_, &direction_}) list->resize(bullets);
    starts_.resize(bullets);
    position_.resize(bullets);
    for (std::size_t i = 0; i < bullets; ++i) {
        start(i);
        // At first spread over the way in front of the plates, so that they do not arrive all at once.
        const double before = station_x(0) + kChannel.x - 4 * kBulletHalfLength;
        place_[i].x += before * collision::Random(collision::mix64(seed_ ^ (i + 77))).uniform();
        last_[i] = place_[i];
        position_[i] = collision::cast<float>(place_[i]);
    }
}

void Range::start(std::size_t bullet) {
    collision::Random random(collision::mix64(seed_ + 1000003 * bullet + starts_[bullet]++));
    const double y = random.uniform(-1, 1), z = random.uniform(-1, 1), a = random.uniform(-1, 1),
                 b = random.uniform(-1, 1);
    const double margin = 2 * kBulletRadius;
    // Not all at the same place: their steps would meet the plates in the same way.
    place_[bullet] = {-kChannel.x + std::min(step_, kChannel.x) * random.uniform(),
                      floor_of(channel_of(bullet)) + kChannel.y + y * (kChannel.y - margin),
                      z * (kChannel.z - margin)};
    direction_[bullet] = normalized(Vec3d{1, kSpread * a, kSpread * b}, Vec3d{1, 0, 0});
    last_[bullet] = place_[bullet];
    position_[bullet] = collision::cast<float>(place_[bullet]);
}

Range::Flight Range::advance(std::size_t bullet) {
    Vec3d& p = place_[bullet];
    Vec3d& d = direction_[bullet];
    // A bullet that was turned aside would not leave the channel.
    constexpr double kLeastAlong = 0.7;
    if (std::abs(p.x) > kChannel.x || std::abs(d.x) < kLeastAlong) {
        start(bullet);
        return Flight::starts;
    }
    last_[bullet] = p;
    p += step_ * d;
    const double low = floor_of(channel_of(bullet)) + kBulletRadius,
                 high = low + 2 * (kChannel.y - kBulletRadius);
    // The sides of the channel turn a bullet back into it; there is no body at the sides.
    if (p.y < low || p.y > high) d.y = p.y < low ? std::abs(d.y) : -std::abs(d.y);
    if (std::abs(p.z) > kChannel.z - kBulletRadius) d.z = p.z < 0 ? std::abs(d.z) : -std::abs(d.z);
    position_[bullet] = collision::cast<float>(p);
    return Flight::flies;
}

void Range::bounce(std::size_t bullet, const Vec3d& place, const Vec3d& normal) {
    Vec3d& d = direction_[bullet];
    d = normal == Vec3d{} ? -d : normalized(d - (2 * std::max(0.0, dot(d, normal))) * normal, -d);
    place_[bullet] = place;
    position_[bullet] = collision::cast<float>(place);
}

int Range::plates_between(std::size_t channel, const Vec3d& from, const Vec3d& to) const {
    int out = 0;
    const Vec3d half = plate_half();
    for (int station = 0; station < kStations; ++station) {
        const double x = station_x(station);
        if ((from.x < x) == (to.x < x)) continue;
        const double t = (x - from.x) / (to.x - from.x);
        const double y = from.y + t * (to.y - from.y) - floor_of(channel), z = from.z + t * (to.z - from.z);
        const int row = static_cast<int>(std::floor(y / cell_height()));
        const int column = static_cast<int>(std::floor((z + kChannel.z) / cell_depth()));
        if (row < 0 || row >= kRows || column < 0 || column >= kColumns) continue;
        const double dy = y - (row + 0.5) * cell_height(),
                     dz = z + kChannel.z - (column + 0.5) * cell_depth();
        const bool covered = std::abs(dy) <= half.y && std::abs(dz) <= half.z;
        out += covered && has_plate_[cell_index(station, row, column)];
    }
    return out;
}

collision::Result<collision::ShapePtr> make_bullet_shape() {
    constexpr int kSides = 6;
    collision::PolygonList mesh;
    constexpr auto kEnd = static_cast<float>(kBulletHalfLength);
    mesh.positions = {{-kEnd, 0, 0}, {kEnd, 0, 0}};
    for (int i = 0; i < kSides; ++i) {
        const auto turn = collision::sin_cos(2 * collision::kPi * i / kSides);
        mesh.positions.push_back(
            {0, static_cast<float>(kBulletRadius * turn.cos), static_cast<float>(kBulletRadius * turn.sin)});
    }
    for (std::uint32_t i = 0; i < kSides; ++i) {
        const std::uint32_t a = 2 + i, b = 2 + (i + 1) % kSides;
        mesh.add_polygon(std::array<std::uint32_t, 3>{1, a, b});
        mesh.add_polygon(std::array<std::uint32_t, 3>{0, b, a});
    }
    return collision::Shape::from_polygons(mesh, "bullet");
}

}  // namespace claybox::app
