#pragma once
// What meets during a screw motion, as functions of time with six coefficients: with c and s the cosine and
// sine of the angle turned so far, f = k0 + k1 c + k2 s + tau (k3 + k4 c + k5 s).

#include "collision/continuous/screw_motion/contact/roots.hpp"
#include "collision/core/trig.hpp"
#include "collision/core/vec.hpp"

namespace claybox::collision {

/// B turns about the y-axis by `angle` and moves along it by `pitch`, both times tau.
struct ScrewFunction {
    double k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0, k5 = 0, angle = 0;

    /// The height of B's point p over the plane n . x = offset of A.
    static ScrewFunction vertex_of_b(const Vec3d& p, const Vec3d& n, double offset, double angle,
                                     double pitch) {
        return {n.y * p.y - offset, n.x * p.x + n.z * p.z, n.x * p.z - n.z * p.x, n.y * pitch, 0, 0, angle};
    }
    /// The height of A's point p over the plane n . x = offset of B.
    static ScrewFunction vertex_of_a(const Vec3d& p, const Vec3d& n, double offset, double angle,
                                     double pitch) {
        return {n.y * p.y - offset, n.x * p.x + n.z * p.z, n.z * p.x - n.x * p.z, -n.y * pitch, 0, 0, angle};
    }
    /// (along_a x along_b) . (b - a) for points a and b of two edges.
    static ScrewFunction edges(const Vec3d& along_a, const Vec3d& a, const Vec3d& along_b, const Vec3d& b,
                               double angle, double pitch) {
        const Vec3d n = cross(along_b, b), q = cross(a, along_a);
        return {along_a.y * n.y - q.y * along_b.y,
                along_a.x * n.x + along_a.z * n.z - (q.x * along_b.x + q.z * along_b.z),
                along_a.x * n.z - along_a.z * n.x - (q.x * along_b.z - q.z * along_b.x),
                0,
                pitch * (along_a.z * along_b.x - along_a.x * along_b.z),
                pitch * (along_a.x * along_b.x + along_a.z * along_b.z),
                angle};
    }

    Slope at(double tau, const SinCos& turn) const {
        const double along = k3 + k4 * turn.cos + k5 * turn.sin;
        const double turned = (k2 + tau * k5) * turn.cos - (k1 + tau * k4) * turn.sin;
        return {k0 + k1 * turn.cos + k2 * turn.sin + tau * along, angle * turned + along};
    }
    Slope operator()(double tau) const { return at(tau, quick_sin_cos(angle * tau)); }
    /// A bound of the second derivative for tau in [0, 1].
    double bend() const {
        const double along = k4 * k4 + k5 * k5;
        return angle *
               (angle * std::sqrt(k1 * k1 + k2 * k2) + (along > 0 ? (2 + angle) * std::sqrt(along) : 0));
    }
};

}  // namespace claybox::collision
