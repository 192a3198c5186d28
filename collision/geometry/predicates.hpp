#pragma once
// Signs of determinants of given points, always right: double arithmetic with a proven error bound first,
// exact sums of doubles where that does not decide. Points must be finite; coordinates that are not zero lie
// between 2^-260 and 2^260 in magnitude (every float does), so that nothing underflows or overflows on the
// way.

#include "collision/core/vec.hpp"

#include <array>

namespace claybox::collision {

/// A sum of doubles without rounding: parts that do not overlap, smallest first. The sum and all partial sums
/// must stay clear of overflow.
class ExactSum {
  public:
    void add(double v);
    /// Adds a * b, and a * b * c, exactly (as long as nothing underflows).
    void add_product(double a, double b);
    void add_product(double a, double b, double c);
    int sign() const { return count_ == 0 ? 0 : parts_[count_ - 1] > 0 ? 1 : -1; }
    /// The sum, rounded with a relative error below 2^-51.
    double estimate() const;

  private:
    // Parts do not overlap, so there are at most as many as the bits between the largest and smallest double.
    static constexpr std::size_t kCapacity = 2100;
    std::size_t count_ = 0;
    std::array<double, kCapacity> parts_;
};

/// The sign of (b - a) x (c - a) in the plane of two coordinates: 1 when a, b, c turn left.
int orient2d(double ax, double ay, double bx, double by, double cx, double cy);

/// The sign of dot((b - a) x (c - a), d - a): 1 when d lies on the side that the normal of a, b, c points to.
int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);
int orient3d(const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f& d);

/// orient2d after dropping coordinate `axis`, in the cyclic order of the remaining two: the sign of component
/// `axis` of (b - a) x (c - a).
int orient_along(std::size_t axis, const Vec3f& a, const Vec3f& b, const Vec3f& c);

/// Whether three points are on one line.
bool collinear(const Vec3f& a, const Vec3f& b, const Vec3f& c);

}  // namespace claybox::collision
