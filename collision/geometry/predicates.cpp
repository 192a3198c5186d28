#include "collision/geometry/predicates.hpp"

#include "collision/core/assert.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

constexpr double kEpsilon = 0x1p-53;
// First-stage error bounds of Shewchuk, Adaptive precision floating-point arithmetic, 1997, §4.
constexpr double kBound2 = (3.0 + 16.0 * kEpsilon) * kEpsilon;
constexpr double kBound3 = (7.0 + 56.0 * kEpsilon) * kEpsilon;

struct Pair {
    double high, low;
};

// high + low == a + b exactly. Source: Knuth.
Pair two_sum(double a, double b) {
    const double s = a + b;
    const double v = s - a;
    return {s, (a - (s - v)) + (b - v)};
}

// high + low == a * b exactly. Source: Dekker, with Veltkamp's split. It uses no fused operation, so all
// targets return the same values.
Pair two_product(double a, double b) {
    constexpr double kSplit = 0x1p27 + 1.0;
    const double p = a * b;
    const double ca = kSplit * a, cb = kSplit * b;
    const double ah = ca - (ca - a), bh = cb - (cb - b);
    const double al = a - ah, bl = b - bh;
    return {p, al * bl - (((p - ah * bh) - al * bh) - ah * bl)};
}

int sign_of(double v) {
    return v > 0 ? 1 : v < 0 ? -1 : 0;
}

void add_products(ExactSum& sum, const Pair& a, const Pair& b, const Pair& c, double sign) {
    for (const double x : {a.high, a.low}) {
        if (x == 0.0) continue;
        for (const double y : {b.high, b.low}) {
            if (y == 0.0) continue;
            sum.add_product(sign * x, y, c.high);
            if (c.low != 0.0) sum.add_product(sign * x, y, c.low);
        }
    }
}

int exact_orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    Pair u[3], v[3], w[3];
    for (std::size_t k = 0; k < 3; ++k) {
        u[k] = two_sum(b[k], -a[k]);
        v[k] = two_sum(c[k], -a[k]);
        w[k] = two_sum(d[k], -a[k]);
    }
    ExactSum sum;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        add_products(sum, u[i], v[j], w[k], 1.0);
        add_products(sum, u[j], v[i], w[k], -1.0);
    }
    return sum.sign();
}

}  // namespace

void ExactSum::add(double v) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        const Pair s = two_sum(v, parts_[i]);
        if (s.low != 0.0) parts_[kept++] = s.low;
        v = s.high;
    }
    if (v != 0.0) parts_[kept++] = v;
    count_ = kept;
    CLAYBOX_ASSERT(count_ < kCapacity);
}

void ExactSum::add_product(double a, double b) {
    const Pair p = two_product(a, b);
    add(p.low);
    add(p.high);
}

void ExactSum::add_product(double a, double b, double c) {
    const Pair p = two_product(a, b);
    add_product(p.low, c);
    add_product(p.high, c);
}

double ExactSum::estimate() const {
    double sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += parts_[i];
    return sum;
}

int orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
    const double left = (bx - ax) * (cy - ay), right = (by - ay) * (cx - ax);
    const double det = left - right;
    if (std::fabs(det) > kBound2 * (std::fabs(left) + std::fabs(right))) return sign_of(det);
    const Pair ux = two_sum(bx, -ax), uy = two_sum(by, -ay), vx = two_sum(cx, -ax), vy = two_sum(cy, -ay);
    if (ux.low == 0.0 && uy.low == 0.0 && vx.low == 0.0 && vy.low == 0.0) {
        // The usual case of collinear points: the differences are exact, so two exact products remain to be
        // compared.
        const Pair l = two_product(ux.high, vy.high), r = two_product(uy.high, vx.high);
        return l.high != r.high ? sign_of(l.high - r.high) : sign_of(l.low - r.low);
    }
    ExactSum sum;
    for (const double x : {ux.high, ux.low}) {
        for (const double y : {vy.high, vy.low}) sum.add_product(x, y);
    }
    for (const double y : {uy.high, uy.low}) {
        for (const double x : {vx.high, vx.low}) sum.add_product(-y, x);
    }
    return sum.sign();
}

int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const Vec3d u = b - a, v = c - a, w = d - a;
    const double xy = u.x * v.y, yx = u.y * v.x, yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x,
                 xz = u.x * v.z;
    const double det = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    const double permanent = (std::fabs(yz) + std::fabs(zy)) * std::fabs(w.x) +
                             (std::fabs(zx) + std::fabs(xz)) * std::fabs(w.y) +
                             (std::fabs(xy) + std::fabs(yx)) * std::fabs(w.z);
    if (std::fabs(det) > kBound3 * permanent) return sign_of(det);
    return exact_orient3d(a, b, c, d);
}

int orient3d(const Vec3f& a, const Vec3f& b, const Vec3f& c, const Vec3f& d) {
    return orient3d(cast<double>(a), cast<double>(b), cast<double>(c), cast<double>(d));
}

int orient_along(std::size_t axis, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    return orient2d(a[i], a[j], b[i], b[j], c[i], c[j]);
}

bool collinear(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
    return orient_along(0, a, b, c) == 0 && orient_along(1, a, b, c) == 0 && orient_along(2, a, b, c) == 0;
}

}  // namespace claybox::collision
