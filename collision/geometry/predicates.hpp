#pragma once
// Exact orientation predicates: double arithmetic with a proven error bound first, exact sums of doubles if
// that does not decide. Coordinates must be 0 or of magnitude 2^-260 to 2^260, as all finite floats are. Then
// no intermediate result underflows or overflows.

#include "collision/core/vec.hpp"

#include <array>

namespace claybox::collision {

/// A sum of doubles without rounding, stored as non-overlapping parts, smallest first. The sum and all
/// partial sums must not overflow.
class ExactSum {
  public:
    void add(double v);
    /// Adds a * b or a * b * c exactly, provided nothing underflows.
    void add_product(double a, double b);
    void add_product(double a, double b, double c);
    int sign() const { return count_ == 0 ? 0 : parts_[count_ - 1] > 0 ? 1 : -1; }
    /// The sum, rounded with a relative error below 2^-51.
    double estimate() const;

  private:
    // Parts do not overlap, so their number is at most the number of bits between the largest and smallest
    // double.
    static constexpr std::size_t kCapacity = 2100;
    std::size_t count_ = 0;
    std::array<double, kCapacity> parts_;
};

/// The sign of (b - a) x (c - a) in the plane: 1 if a, b, c turn left, -1 if right, 0 if they are collinear.
int orient2d(double ax, double ay, double bx, double by, double cx, double cy);

/// The sign of dot((b - a) x (c - a), d - a): 1 if d is on the side to which the normal of a, b, c points.
int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);
int orient3d(const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f& d);

/// orient2d of the other two coordinates in cyclic order, without coordinate `axis`. This is the sign of
/// component `axis` of (b - a) x (c - a).
int orient_along(std::size_t axis, const Vec3f& a, const Vec3f& b, const Vec3f& c);

/// Whether three points are on one line.
bool collinear(const Vec3f& a, const Vec3f& b, const Vec3f& c);

}  // namespace claybox::collision
