#include "app/bridge/inspect/difference_body.hpp"

#include "collision/pairwise/support/support.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace claybox::app {
namespace {

using collision::ConvexHull;
using collision::Matrix34d;
using collision::Vec3d;
using collision::Vec3f;

/// More vertex differences than this are sampled. Building the hull of all of them takes about a millisecond.
constexpr std::size_t kMaxPairs = 1600;
constexpr std::size_t kDirections = 400;

bool same(const collision::Matrix34f& x, const collision::Matrix34f& y) {
    return std::equal(std::begin(x.m), std::end(x.m), std::begin(y.m));
}

std::vector<Vec3d> corners_of(const ConvexHull& hull, const Matrix34d& m) {
    std::vector<Vec3d> out;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) out.push_back(transform_point(m, hull.vertex(v)));
    return out;
}

/// Evenly spread over the sphere, on a spiral.
Vec3d direction(std::size_t i) {
    const double z = 1 - (2.0 * static_cast<double>(i) + 1) / kDirections;
    const double turn = 2.399963229728653 * static_cast<double>(i), r = std::sqrt(1 - z * z);
    return {r * std::cos(turn), r * std::sin(turn), z};
}

std::vector<Vec3d> all_differences(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    std::vector<Vec3d> out;
    for (const Vec3d& p : a)
        for (const Vec3d& q : b) out.push_back(p - q);
    return out;
}

std::vector<Vec3d> sampled_differences(const ConvexHull& a, const Matrix34d& ma, const ConvexHull& b,
                                       const Matrix34d& mb) {
    std::vector<Vec3d> out;
    std::uint32_t on_a = 0, on_b = 0;
    for (std::size_t i = 0; i < kDirections; ++i) {
        const Vec3d d = direction(i);
        on_a = support_vertex(a, transpose_vector(ma, d), on_a);
        on_b = support_vertex(b, transpose_vector(mb, -d), on_b);
        out.push_back(transform_point(ma, a.vertex(on_a)) - transform_point(mb, b.vertex(on_b)));
    }
    return out;
}

}  // namespace

void DifferenceBody::update(const collision::PairBody& a, const collision::PairBody& b) {
    const ConvexHull *hull_a = a.shape->hull(), *hull_b = b.shape->hull();
    if (hull_a == hull_a_ && hull_b == hull_b_ && same(a.world_from_body, world_from_a_) &&
        same(b.world_from_body, world_from_b_))
        return;
    clear();
    hull_a_ = hull_a;
    hull_b_ = hull_b;
    world_from_a_ = a.world_from_body;
    world_from_b_ = b.world_from_body;
    if (hull_a != nullptr && hull_b != nullptr) build(a, b);
}

void DifferenceBody::build(const collision::PairBody& a, const collision::PairBody& b) {
    const ConvexHull &hull_a = *a.shape->hull(), &hull_b = *b.shape->hull();
    const Matrix34d ma = to_double(a.world_from_body), mb = to_double(b.world_from_body);
    const bool few = std::size_t{hull_a.vertex_count} * hull_b.vertex_count <= kMaxPairs;
    sampled_ = few ? 0 : kDirections;
    const std::vector<Vec3d> points = few ? all_differences(corners_of(hull_a, ma), corners_of(hull_b, mb))
                                          : sampled_differences(hull_a, ma, hull_b, mb);
    const Vec3d origin = points[0];
    std::vector<Vec3f> near;
    for (const Vec3d& p : points) near.push_back(collision::cast<float>(p - origin));
    const auto hull = collision::convex_hull(near);
    if (!hull.ok()) return;
    const ConvexHull& h = hull.value();
    const auto corner = [&](std::uint32_t v) { return collision::cast<double>(h.vertex(v)) + origin; };
    for (std::uint32_t v = 0; v < h.vertex_count; ++v) corners_.push_back(corner(v));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> made;
    for (std::size_t f = 0; f < h.faces.polygon_count(); ++f) {
        const auto loop = h.faces.polygon(f);
        const Vec3d normal = cross(corner(loop[1]) - corner(loop[0]), corner(loop[2]) - corner(loop[0]));
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const std::uint32_t u = loop[i], v = loop[(i + 1) % loop.size()];
            const auto [it, fresh] = made.try_emplace(std::minmax(u, v), edges_.size());
            if (fresh)
                edges_.push_back({corner(u), corner(v), {normal, normal}});
            else
                edges_[it->second].normal[1] = normal;
        }
    }
}

}  // namespace claybox::app
