#include "collision/continuous/best/moving_body.hpp"

namespace claybox::collision {

namespace {

/// A bound of the length of m v for unit vectors v.
double norm_of(const std::array<Vec3d, 3>& m) {
    constexpr double kNearlyRigid = 1e-5;
    const Vec3d columns[3] = {{m[0].x, m[1].x, m[2].x}, {m[0].y, m[1].y, m[2].y}, {m[0].z, m[1].z, m[2].z}};
    double squares = 0, off = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = i; k < 3; ++k) {
            const double product = dot(columns[i], columns[k]);
            if (i == k) squares += product;
            off = std::max(off, std::abs(product - (i == k ? 1 : 0)));
        }
    return off < kNearlyRigid ? 1 + 3 * kNearlyRigid : std::sqrt(squares) * (1 + 1e-12);
}

}  // namespace

MovingBody::MovingBody(const PairBody& body, const Motion& motion, const Vec3d& origin_w) {
    const auto& m = body.world_from_body.m;
    for (std::size_t k = 0; k < 3; ++k) linear_[k] = {m[4 * k], m[4 * k + 1], m[4 * k + 2]};
    const Vec3d start = cast<double>(body.world_from_body.translation()) - origin_w;
    travel_ = displacement(body.world_from_body, motion);
    if (motion.kind == Motion::Kind::screw && motion.angle != 0) {
        angle_ = motion.angle;
        axis_ = normalized(motion.axis_w);
        spin_ = angle_ * axis_;
        pivot_ = motion.point_w - origin_w;
        offset_ = start - pivot_;
        // Only the distance from the axis matters: the nearest point of the axis keeps numbers small.
        const double along = dot(offset_, axis_);
        pivot_ += along * axis_;
        offset_ = start - pivot_;
    } else {
        pivot_ = start;
    }
    const Aabb& box = body.geometry->box;
    centre_ = 0.5 * (cast<double>(box.min) + cast<double>(box.max));
    const double radius = length(0.5 * (cast<double>(box.max) - cast<double>(box.min)));
    const Vec3d middle =
        offset_ + Vec3d{dot(linear_[0], centre_), dot(linear_[1], centre_), dot(linear_[2], centre_)};
    stretch_ = norm_of(linear_);
    radius_ = stretch_ * radius * (1 + 1e-9);
    reach_ = length(middle) * (1 + 1e-9) + radius_;
    size_ =
        reach_ + length(offset_) + length(pivot_) + length(travel_) + stretch_ * (length(centre_) + radius);
}

BodyAt MovingBody::at(double t) const {
    BodyAt out;
    out.base = pivot_ + t * travel_;
    auto& m = out.rho_from_local.m;
    if (angle_ == 0) {
        for (std::size_t k = 0; k < 3; ++k) {
            m[4 * k] = linear_[k].x, m[4 * k + 1] = linear_[k].y, m[4 * k + 2] = linear_[k].z;
            m[4 * k + 3] = offset_[k];
        }
        return out;
    }
    const auto [s, c] = quick_sin_cos(angle_ * t);
    const Vec3d& u = axis_;
    const double k = 1 - c;
    const Vec3d rotation[3] = {{c + k * u.x * u.x, k * u.x * u.y - s * u.z, k * u.x * u.z + s * u.y},
                               {k * u.y * u.x + s * u.z, c + k * u.y * u.y, k * u.y * u.z - s * u.x},
                               {k * u.z * u.x - s * u.y, k * u.z * u.y + s * u.x, c + k * u.z * u.z}};
    for (std::size_t row = 0; row < 3; ++row) {
        const Vec3d r = rotation[row];
        const Vec3d line = r.x * linear_[0] + r.y * linear_[1] + r.z * linear_[2];
        m[4 * row] = line.x, m[4 * row + 1] = line.y, m[4 * row + 2] = line.z;
        m[4 * row + 3] = dot(r, offset_);
    }
    return out;
}

}  // namespace claybox::collision
