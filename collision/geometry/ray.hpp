#pragma once
/// \file
/// Rays, and a conservative ray-box test: it may report boxes that the ray misses, but never misses a box.

#include "collision/core/result.hpp"
#include "collision/geometry/bounds/bounds.hpp"

namespace claybox::collision {

/// The points origin + t * direction for t >= 0, exactly. The direction need not have unit length.
struct Ray {
    Vec3d origin;     ///< metres
    Vec3d direction;  ///< metres per unit of t
};

/// Validates a ray. Errors: a coordinate that is not finite, an origin beyond kMaxMagnitude, or a direction
/// whose largest component is outside 2^-60 .. 2^60.
Status check(const Ray& ray);

/// Tests one ray against many boxes. The ray must be valid according to check().
class RayBoxTest {
  public:
    /// `pad` enlarges all boxes, for rays with an error in their coordinates. It must be 0 or larger than the
    /// rounding error of the coordinates.
    explicit RayBoxTest(const Ray& ray, double pad = 0);

    /// Contains every t in [begin, end] for which the ray is in the box; empty (enter > leave) if there is
    /// none. Requires begin >= 0.
    struct Span {
        double enter;  ///< lower bound of t
        double leave;  ///< upper bound of t
    };
    /// The part of [begin, end] in which the ray may be inside the box.
    Span span(const Aabb& box, double begin, double end) const {
        for (std::size_t k = 0; k < 3; ++k) {
            const double low = static_cast<double>(box.min[k]) - origin_[k] - pad_;
            const double high = static_cast<double>(box.max[k]) - origin_[k] + pad_;
            if (flat_[k]) {
                if (low > kDrift || high < -kDrift) return {kNever, -kNever};
                continue;
            }
            const double a = low * inverse_[k], b = high * inverse_[k];
            const double in = a < b ? a : b, out = a < b ? b : a;
            const double in_least = in - (std::abs(in) * kRelative + kAbsolute);
            const double out_most = out + (std::abs(out) * kRelative + kAbsolute);
            begin = in_least > begin ? in_least : begin;
            end = out_most < end ? out_most : end;
        }
        return {begin, end};
    }
    /// A lower bound of the t at which the ray enters the box. kNever proves that the ray misses the box.
    double enter(const Aabb& box, double begin, double end) const {
        const Span s = span(box, begin, end);
        return s.enter <= s.leave ? s.enter : kNever;
    }

    /// What enter() returns for a box that the ray misses.
    static constexpr double kNever = std::numeric_limits<double>::infinity();

  private:
    // A difference, an inverse and a product have a relative error of 2^-53 each; kAbsolute covers underflow.
    static constexpr double kRelative = 0x1p-50, kAbsolute = 0x1p-1000;
    /// A direction component below kFlat moves the ray by less than kDrift within the range of float, because
    /// t is below 2^60 * 2^130 there.
    static constexpr double kFlat = 0x1p-500, kDrift = 0x1p-300;

    Vec3d origin_, inverse_;
    double pad_;
    bool flat_[3];
};

}  // namespace claybox::collision
