#include "collision/module/state/body_bounds.hpp"

#include "collision/module/world.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace claybox::collision {

namespace {

constexpr std::array kWorldBoxes{"turned", "tight", "maximal"};
constexpr std::array kFilters{"none", "sphere", "oriented", "k_dop"};
constexpr BoundKinds kFilterKinds[] = {0, kSphereBounds, kOrientedBounds, kKDopBounds};

constexpr std::array kParameters{
    Parameter{.id = "world_box",
              .title = "World box",
              .kind = ParameterKind::choice,
              .default_value = 0,
              .min = 0,
              .max = 2,
              .source = "Zachmann 1994, 5.2 and 10.2",
              .help = "How a body's world box is computed: from the rotated local box, from the vertices "
                      "(tight), or from the bounding sphere (the same for every rotation).",
              .choices = kWorldBoxes},
    Parameter{.id = "pair_filter",
              .title = "Pair filter",
              .kind = ParameterKind::choice,
              .default_value = 0,
              .min = 0,
              .max = 3,
              .source = "Zachmann 1994, 5.2",
              .help = "Finer bounds that drop candidate pairs before they are tested.",
              .choices = kFilters},
};

/// Bound on the relative stretch by a float32 rotation matrix: three roundings of 2^-24 per row, rounded up
/// generously.
constexpr double kMatrixStretch = 1e-6;

/// Bodies with more vertices use the slabs of their rotated local box.
constexpr std::size_t kMaxSlabVertices = 64;

/// A float >= x, at most a few ulp above; cheaper than nextafter. The margin of 2^-22 of the value covers the
/// rounding to float, the rounding of this sum, and the double rounding in x.
float rounded_up(double x) {
    const auto f = static_cast<float>(x);
    return f + (std::abs(f) * 0x1p-22f + std::numeric_limits<float>::min());
}

Sphere sphere_around(const Aabb& box) {
    std::array<Vec3f, 8> corners;
    for (unsigned i = 0; i < 8; ++i)
        corners[i] = {(i & 1 ? box.max : box.min).x, (i & 2 ? box.max : box.min).y,
                      (i & 4 ? box.max : box.min).z};
    return bounding_sphere(corners);
}

Sphere local_sphere(const PairBody& body) {
    return body.deformed() ? sphere_around(body.geometry->box) : body.shape->sphere();
}

/// Contains the body in every rotation.
Aabb cube_of(const PairBody& body, const Sphere& sphere) {
    const Vec3d centre = transform_point(to_double(body.world_from_body), sphere.centre);
    const double radius = static_cast<double>(sphere.radius) * (1 + kMatrixStretch);
    return {{-rounded_up(radius - centre.x), -rounded_up(radius - centre.y), -rounded_up(radius - centre.z)},
            {rounded_up(radius + centre.x), rounded_up(radius + centre.y), rounded_up(radius + centre.z)}};
}

/// Box of the rotated local box, intersected with the box of the bounding sphere (smaller for round bodies).
Aabb turned_local_box(const PairBody& body) {
    const Aabb box = transform_aabb(body.world_from_body, body.geometry->box);
    if (body.deformed()) return box;
    const Aabb cube = cube_of(body, body.shape->sphere());
    return {max(box.min, cube.min), min(box.max, cube.max)};
}

KDop slabs_of(const PairBody& body) {
    const std::vector<Vec3f>& points = body.geometry->positions;
    return points.size() <= kMaxSlabVertices ? transform_k_dop(body.world_from_body, points)
                                             : transform_k_dop(body.world_from_body, body.geometry->box);
}

}  // namespace

std::span<const Parameter> bound_parameters() {
    return kParameters;
}

bool BodyBounds::set(const ParameterValues& values, BoundKinds needed) {
    const auto world_box = static_cast<WorldBox>(std::clamp(values.integer(kWorldBox), 0, 2));
    filter_ = kFilterKinds[std::clamp(values.integer(kPairFilter), 0, 3)];
    const BoundKinds kinds = (filter_ | needed) & (kSphereBounds | kOrientedBounds | kKDopBounds);
    const bool same = world_box == world_box_ && kinds == kinds_;
    world_box_ = world_box;
    kinds_ = kinds;
    resize(boxes_.size());
    return !same;
}

void BodyBounds::resize(std::size_t slots) {
    boxes_.resize(slots);
    spheres_.resize(kinds_ & kSphereBounds ? slots : 0);
    oriented_.resize(kinds_ & kOrientedBounds ? slots : 0);
    k_dops_.resize(kinds_ & kKDopBounds ? slots : 0);
    extremes_.resize(world_box_ == WorldBox::tight ? slots : 0);
    still_boxes_.resize(world_box_ == WorldBox::tight ? slots : 0);
    swept_.resize(keeps_placed_boxes_ ? slots : 0);
    placed_boxes_.resize(keeps_placed_boxes_ ? slots : 0);
}

void BodyBounds::keep_placed_boxes(bool kept) {
    keeps_placed_boxes_ = kept;
    resize(boxes_.size());
}

/// The finer bounds enclose the swept box: looser than a sweep of their own, but few pairs depend on it.
void BodyBounds::sweep(std::uint32_t slot, const Aabb& box, float margin) {
    placed_boxes_[slot] = boxes_[slot];
    swept_[slot] = 1;
    boxes_[slot].add(box);
    boxes_[slot] = grown(boxes_[slot], margin);
    const Aabb& all = boxes_[slot];
    if (kinds_ & kSphereBounds) spheres_[slot] = sphere_around(all);
    if (kinds_ & kOrientedBounds) oriented_[slot] = orient(all);
    if (kinds_ & kKDopBounds) k_dops_[slot] = diagonals_of(all);
}

void BodyBounds::forget(std::uint32_t slot) {
    boxes_[slot] = {};
    if (!swept_.empty()) swept_[slot] = 0;
    if (!extremes_.empty()) extremes_[slot] = {};
    if (!still_boxes_.empty()) still_boxes_[slot].forget();
}

void BodyBounds::note_changes(std::uint32_t slot, std::span<const VertexChange> changes) {
    if (still_boxes_.empty() || !still_boxes_[slot].is_placed()) return;
    for (const VertexChange& change : changes) still_boxes_[slot].mark(change.vertex);
}

void BodyBounds::place(std::uint32_t slot, const PairBody& body, bool still) {
    boxes_[slot] = world_box(slot, body, still);
    if (!swept_.empty()) swept_[slot] = 0;
    if (kinds_ == 0) return;
    if (kinds_ & kSphereBounds) spheres_[slot] = transform_sphere(body.world_from_body, local_sphere(body));
    if (kinds_ & kOrientedBounds) oriented_[slot] = orient(body.world_from_body, body.geometry->box);
    if (kinds_ & kKDopBounds) k_dops_[slot] = slabs_of(body);
}

Aabb BodyBounds::world_box(std::uint32_t slot, const PairBody& body, bool still) {
    if (world_box_ == WorldBox::turned) return turned_local_box(body);
    if (world_box_ == WorldBox::maximal) return cube_of(body, local_sphere(body));
    const bool rigid_convex = body.shape->hull() && !body.deformed();
    if (rigid_convex) return tight_box(body.world_from_body, *body.shape->hull(), extremes_[slot]);
    StillBox& box = still_boxes_[slot];
    const std::vector<Vec3f>& points = body.geometry->positions;
    return still && box.is_placed() ? box.restore(body.world_from_body, points)
                                    : box.place(body.world_from_body, points);
}

Aabb BodyBounds::turned_box(std::uint32_t slot, const PairBody& body) const {
    return world_box_ == WorldBox::turned ? placed_box(slot) : turned_local_box(body);
}

WorldBounds BodyBounds::view() const {
    WorldBounds out(boxes_);
    out.spheres = spheres_;
    out.oriented = oriented_;
    out.k_dops = k_dops_;
    return out;
}

std::size_t BodyBounds::memory_bytes() const {
    return boxes_.capacity() * sizeof(Aabb) + spheres_.capacity() * sizeof(Sphere) +
           oriented_.capacity() * sizeof(OrientedBox) + k_dops_.capacity() * sizeof(KDop) +
           extremes_.capacity() * sizeof(ExtremeVertices) + swept_.capacity() +
           placed_boxes_.capacity() * sizeof(Aabb) +
           std::accumulate(
               still_boxes_.begin(), still_boxes_.end(), std::size_t{0},
               [](std::size_t sum, const StillBox& box) { return sum + sizeof box + box.memory_bytes(); });
}

}  // namespace claybox::collision
