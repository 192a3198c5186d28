#pragma once
// Rays, and a test against boxes that may be met in vain but never missed.

#include "collision/core/result.hpp"
#include "collision/geometry/bounds.hpp"

namespace claybox::collision {

/// The points origin + t * direction for t >= 0, exactly; the direction need not have length 1.
struct Ray {
    Vec3d origin, direction;
};

/// Refuses numbers that are not finite, an origin beyond kMaxMagnitude, and a direction whose largest
/// component is zero or not within 2^-60 .. 2^60.
Status check(const Ray& ray);

/// For many boxes and one ray that check() lets pass.
class RayBoxTest {
  public:
    /// Boxes count as grown by `pad` on all sides: for a ray that is not quite where it should be. A pad that
    /// is not zero must be above what rounding costs the coordinates.
    explicit RayBoxTest(const Ray& ray, double pad = 0);

    /// Parameters not above and not below any at which the ray is in the box within begin <= t <= end; begin
    /// >= 0.
    struct Span {
        double enter, leave;
    };
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
    /// The first of the two; infinite only when the ray is not in the box.
    double enter(const Aabb& box, double begin, double end) const {
        const Span s = span(box, begin, end);
        return s.enter <= s.leave ? s.enter : kNever;
    }

    static constexpr double kNever = std::numeric_limits<double>::infinity();

  private:
    // A difference, an inverse and a product, each rounded once: 2^-53 each, and what underflows.
    static constexpr double kRelative = 0x1p-50, kAbsolute = 0x1p-1000;
    /// A component below kFlat moves a ray by less than kDrift within the range of float: t is then below
    /// 2^60 * 2^130.
    static constexpr double kFlat = 0x1p-500, kDrift = 0x1p-300;

    Vec3d origin_, inverse_;
    double pad_;
    bool flat_[3];
};

}  // namespace claybox::collision
