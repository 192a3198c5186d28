#include "collision/continuous/linear/linear_pair.hpp"

#include "collision/pairwise/support/support.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

Matrix34d without_translation(const Matrix34f& m) {
    Matrix34d out = to_double(m);
    for (std::size_t k = 0; k < 3; ++k) out.m[4 * k + 3] = 0;
    return out;
}

/// The direction in float, scaled so that squares neither overflow nor underflow.
Vec3f float_direction(const Vec3d& d) {
    const double largest = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    const bool usable = largest > 0x1p-1000 && largest < 0x1p1000;
    return usable ? cast<float>(d * (1 / largest)) : Vec3f{1, 0, 0};
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

LinearPair::LinearPair(const ContinuousQuery& query)
    : a_{query.pair.a.shape->hull(), &query.pair.a.world_from_body, &query.pair.a.geometry->box},
      b_{query.pair.b.shape->hull(), &query.pair.b.world_from_body, &query.pair.b.geometry->box},
      sweep_{end_translation(query.pair.a.world_from_body, query.motion_a),
             end_translation(query.pair.b.world_from_body, query.motion_b)},
      linear_a_(without_translation(*a_.world_from_hull)),
      linear_b_(without_translation(*b_.world_from_hull)) {
    const Vec3d start_a = cast<double>(a_.world_from_hull->translation());
    const Vec3d start_b = cast<double>(b_.world_from_hull->translation());
    apart_ = start_a - start_b;
    ray_ = (cast<double>(sweep_.b_end) - start_b) - (cast<double>(sweep_.a_end) - start_a);
    size_ = reach_of(a_) + reach_of(b_) + largest_of(apart_) + largest_of(ray_);
}

Vec3d LinearPair::middle() const {
    return transform_vector(linear_a_, a_.hull->interior) - transform_vector(linear_b_, b_.hull->interior) +
           apart_;
}

CastPoint LinearPair::lowest(const Vec3d& n, VertexPair start) const {
    const Vec3d scaled = cast<double>(float_direction(n));
    return make_point({support_vertex(*a_.hull, float_direction(transpose_vector(linear_a_, -scaled)),
                                      start.a, SupportMethod::automatic),
                       support_vertex(*b_.hull, float_direction(transpose_vector(linear_b_, scaled)), start.b,
                                      SupportMethod::automatic)});
}

CastPoint LinearPair::lowest_in_double(const Vec3d& n, VertexPair start) const {
    return make_point({support_vertex(*a_.hull, transpose_vector(linear_a_, -n), start.a),
                       support_vertex(*b_.hull, transpose_vector(linear_b_, n), start.b)});
}

}  // namespace claybox::collision
