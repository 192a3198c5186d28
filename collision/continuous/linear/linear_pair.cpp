#include "collision/continuous/linear/linear_pair.hpp"

#include "collision/pairwise/support/small_scan.hpp"
#include "collision/pairwise/support/support.hpp"
#include "collision/simd/float4.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Turns a direction into the frame of a hull, in float.
Vec3f turn_back(const Matrix34f& m, const Vec3f& n) {
    const Float4 local =
        load4(&m.m[0]) * splat4(n.x) + load4(&m.m[4]) * splat4(n.y) + load4(&m.m[8]) * splat4(n.z);
    return {local[0], local[1], local[2]};
}

/// The same in double.
Vec3d turn_back(const Matrix34f& m, const Vec3d& n) {
    const auto column = [&](std::size_t k) {
        return static_cast<double>(m.m[k]) * n.x + static_cast<double>(m.m[4 + k]) * n.y +
               static_cast<double>(m.m[8 + k]) * n.z;
    };
    return {column(0), column(1), column(2)};
}

std::uint32_t search(const ConvexHull& hull, const Vec3f& d, const QuickClimb* climb, std::uint32_t start) {
    if (hull.vertex_count <= kSmallScan) return scan_small(hull, d);
    if (climb != nullptr) return climb->furthest(d);
    return support_vertex(hull, d, start, SupportMethod::automatic);
}

double largest_of(const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

double reach_of(const SolidSide& side) {
    const Vec3d corner = max(cast<double>(side.box->max), -cast<double>(side.box->min));
    double out = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto& m = side.world_from_hull->m;
        out = std::max(out, std::abs(m[4 * k]) * corner.x + std::abs(m[4 * k + 1]) * corner.y +
                                std::abs(m[4 * k + 2]) * corner.z);
    }
    return out;
}

}  // namespace

Vec3f end_translation(const Matrix34f& world_from_body, const Motion& motion) {
    return motion.kind == Motion::Kind::linear ? motion.end_w : world_from_body.translation();
}

LinearPair::LinearPair(const ContinuousQuery& query, const QuickClimb* climb_a, const QuickClimb* climb_b)
    : a_{query.pair.a.shape->hull(), &query.pair.a.world_from_body, &query.pair.a.geometry->box},
      b_{query.pair.b.shape->hull(), &query.pair.b.world_from_body, &query.pair.b.geometry->box},
      climb_a_(climb_a),
      climb_b_(climb_b),
      sweep_{end_translation(query.pair.a.world_from_body, query.motion_a),
             end_translation(query.pair.b.world_from_body, query.motion_b)} {
    for (std::size_t k = 0; k < 6; ++k) {
        const auto& m = k < 3 ? a_.world_from_hull->m : b_.world_from_hull->m;
        linear_.xy[k] = Double2{m[k % 3], m[4 + k % 3]};
        linear_.z[k] = m[8 + k % 3];
    }
    const Vec3d start_a = cast<double>(a_.world_from_hull->translation());
    const Vec3d start_b = cast<double>(b_.world_from_hull->translation());
    apart_ = start_a - start_b;
    ray_ = (cast<double>(sweep_.b_end) - start_b) - (cast<double>(sweep_.a_end) - start_a);
    size_ = reach_of(a_) + reach_of(b_) + largest_of(apart_) + largest_of(ray_);
}

Vec3d LinearPair::middle() const {
    return transform_vector(to_double(*a_.world_from_hull), a_.hull->interior) -
           transform_vector(to_double(*b_.world_from_hull), b_.hull->interior) + apart_;
}

CastPoint LinearPair::lowest(const Vec3d& n, VertexPair start) const {
    const Vec3f near = cast<float>(n);
    return make_point({search(*a_.hull, turn_back(*a_.world_from_hull, -near), climb_a_, start.a),
                       search(*b_.hull, turn_back(*b_.world_from_hull, near), climb_b_, start.b)});
}

CastPoint LinearPair::lowest_in_double(const Vec3d& n, VertexPair start) const {
    return make_point({support_vertex(*a_.hull, turn_back(*a_.world_from_hull, -n), start.a),
                       support_vertex(*b_.hull, turn_back(*b_.world_from_hull, n), start.b)});
}

}  // namespace claybox::collision
