#include "app/potter/touch/angle_limit.hpp"

#include "collision/core/trig.hpp"
#include "collision/geometry/polygons/polygon_plane.hpp"

#include <cmath>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kShare = 0.5;  // of the correction that would reach the limit: neighbours correct as well

/// Twice the area times the outward normal.
Vec3d area_of(std::span<const std::uint32_t> loop, std::span<const Vec3f> positions) {
    const Vec3d origin = collision::cast<double>(positions[loop[0]]);
    Vec3d out;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        out += cross(collision::cast<double>(positions[loop[i]]) - origin,
                     collision::cast<double>(positions[loop[i + 1]]) - origin);
    return out;
}

bool in_range(double degrees) {
    return degrees >= AngleLimit::kLow && degrees <= AngleLimit::kHigh;
}

}  // namespace

AngleLimit::AngleLimit(const collision::Topology& topology)
    : topology_(topology),
      half_edge_(topology.edges.size(), kNoIndex),
      is_queued_(topology.edges.size()),
      is_touched_(topology.edges.size()),
      is_given_up_(topology.edges.size()) {
    for (std::uint32_t h = 0; h < topology.half_edge_count(); ++h)
        if (topology.twin[h] != kNoIndex && topology.edge_of[h] != kNoIndex)
            half_edge_[topology.edge_of[h]] = h;
}

double AngleLimit::angle(std::uint32_t edge, std::span<const Vec3f> positions) const {
    const std::uint32_t h = half_edge_[edge];
    if (h == kNoIndex) return 180;
    const Vec3d n1 = area_of(topology_.loop(topology_.polygon_of[h]), positions);
    const Vec3d n2 = area_of(topology_.loop(topology_.polygon_of[topology_.twin[h]]), positions);
    const Vec3d along = collision::cast<double>(positions[topology_.origin[topology_.next(h)]] -
                                                positions[topology_.origin[h]]);
    if (length_squared(n1) == 0 || length_squared(n2) == 0 || length_squared(along) == 0) return 180;
    return collision::dihedral_angle(along, n1, n2) * 180 / collision::kPi;
}

void AngleLimit::enqueue_around(std::uint32_t vertex) {
    for (const std::uint32_t p : topology_.polygons_around(vertex)) {
        for (std::uint32_t h = topology_.polygon_begin[p]; h < topology_.polygon_begin[p + 1]; ++h) {
            const std::uint32_t e = topology_.edge_of[h];
            if (e == kNoIndex || is_queued_[e]) continue;
            is_queued_[e] = 1;
            next_.push_back(e);
            if (is_touched_[e]) continue;
            is_touched_[e] = 1;
            touched_.push_back(e);
        }
    }
}

/// Moving an edge by d changes its angle by about d / h1 + d / h2, where h is the height of a polygon over
/// it.
void AngleLimit::correct(std::uint32_t edge, double angle, std::span<const Vec3f> positions, Move move) {
    const std::uint32_t h = half_edge_[edge], sides[2] = {h, topology_.twin[h]};
    const std::uint32_t ends[2] = {topology_.origin[h], topology_.origin[topology_.next(h)]};
    const auto edge_length = static_cast<double>(length(positions[ends[1]] - positions[ends[0]]));
    Vec3d outward;
    double turn_per_metre = 0;
    for (const std::uint32_t side : sides) {
        const auto loop = topology_.loop(topology_.polygon_of[side]);
        const Vec3d area = area_of(loop, positions);
        const double size = length(area), height = size / edge_length / (loop.size() == 3 ? 1 : 2);
        outward += area / size;
        turn_per_metre += 1 / height;
    }
    if (!(length(outward) > 1e-6)) return;  // a fold: the mean of its normals has no direction
    const double excess = (angle < kLow ? angle - kLow : angle - kHigh) * collision::kPi / 180;
    const Vec3d offset = outward * (kShare * excess / turn_per_metre / length(outward));
    for (const std::uint32_t v : ends) move(v, positions[v] + collision::cast<float>(offset));
}

void AngleLimit::relax(std::span<const std::uint32_t> moved, std::span<const Vec3f> positions, Move move) {
    next_.clear();
    touched_.clear();
    for (const std::uint32_t v : moved) enqueue_around(v);
    for (int scan = 0; scan < kMaxScans && !next_.empty(); ++scan) {
        queue_.swap(next_);
        next_.clear();
        for (const std::uint32_t e : queue_) is_queued_[e] = 0;
        for (const std::uint32_t e : queue_) {
            const double now = angle(e, positions);
            if (in_range(now)) continue;
            correct(e, now, positions, move);
            const std::uint32_t h = half_edge_[e];
            enqueue_around(topology_.origin[h]);
            enqueue_around(topology_.origin[topology_.next(h)]);
        }
    }
    judge_touched(positions);
}

void AngleLimit::update(std::span<const std::uint32_t> moved, std::span<const Vec3f> positions) {
    next_.clear();
    touched_.clear();
    for (const std::uint32_t v : moved) enqueue_around(v);
    judge_touched(positions);
}

void AngleLimit::judge_touched(std::span<const Vec3f> positions) {
    for (const std::uint32_t e : next_) is_queued_[e] = 0;
    for (const std::uint32_t e : touched_) {
        is_touched_[e] = 0;
        const bool bad = !in_range(angle(e, positions));
        given_up_ = given_up_ + static_cast<std::size_t>(bad) - is_given_up_[e];
        is_given_up_[e] = bad ? 1 : 0;
    }
}

}  // namespace claybox::app
