#include "collision/pairwise/decomposition/points.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

/// The error of to_double() is below 2^-50 of the value; of a quotient of two of them below 2^-48.
constexpr double kConverted = 0x1p-50, kDivided = 0x1p-48;

Approx converted(const Integer& value, int exponent) {
    const double v = to_double(value, exponent);
    return {v, std::abs(v) * kConverted + kUnderflow};
}

int bits(const Integer& value) {
    return value.is_zero() ? 0 : static_cast<int>(msb(abs(value))) + 1;
}

int bits(const Vec3<Integer>& v) {
    return std::max({bits(v.x), bits(v.y), bits(v.z)});
}

/// A finite double as an integer times 2^exponent.
Integer at_exponent(double v, int exponent) {
    int e = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(v, &e), 53));
    if (mantissa == 0) return 0;
    const int shift = e - 53 - exponent;
    return shift >= 0 ? Integer(mantissa) << shift : Integer(mantissa >> std::min(-shift, 62));
}

/// The sign of 2^exponent value / w - f.
int compare(const Integer& value, const Integer& w, int exponent, float f) {
    const FloatParts p = split(f);
    const int shift = p.exponent - exponent;
    const Integer scaled = Integer(p.mantissa) * w;
    return shift >= 0 ? Integer(value - (scaled << shift)).sign()
                      : Integer((value << -shift) - scaled).sign();
}

}  // namespace

RationalFrame::RationalFrame(std::span<const Vec3f> positions) {
    grid_ = kNoExponent;
    float largest = 0;
    for (const Vec3f& p : positions)
        for (std::size_t k = 0; k < 3; ++k) {
            grid_ = std::min(grid_, grid_exponent(p[k]));
            largest = std::max(largest, std::abs(p[k]));
        }
    if (grid_ == kNoExponent) grid_ = 0;  // all zero: any grid works
    top_ = largest > 0 ? std::ilogb(largest) + 1 : 0;
    unit_ = std::ldexp(1.0, top_);
    float_step_ = 0x1p-24;
}

void RationalFrame::set_near(RationalPoint& p) const {
    if (p.w == 1) {
        for (std::size_t k = 0; k < 3; ++k) p.near[k] = converted(p.xyz[k], grid_ - top_);
        return;
    }
    const int drop = bits(p.w);
    const double w = to_double(p.w, -drop);
    for (std::size_t k = 0; k < 3; ++k) {
        const double v = to_double(p.xyz[k], grid_ - top_ - drop) / w;
        p.near[k] = {v, std::abs(v) * kDivided + kUnderflow};
    }
}

RationalPoint RationalFrame::point(const Vec3f& p) const {
    RationalPoint out;
    const int own = std::min({grid_exponent(p.x), grid_exponent(p.y), grid_exponent(p.z)});
    const int finer = std::max(0, grid_ - own);
    out.xyz = exact_point(Matrix34f{}, p, grid_ - finer);
    out.w = Integer(1) << finer;
    set_near(out);
    return out;
}

RationalPoint RationalFrame::point_in_units(const Vec3d& p) const {
    constexpr int kFine = 60;  // bits below the unit: the precision of a double near 1
    const int exponent = grid_ - top_;
    RationalPoint out;
    const int extra = std::max(0, exponent + kFine);
    for (std::size_t k = 0; k < 3; ++k) out.xyz[k] = at_exponent(p[k], exponent - extra);
    out.w = Integer(1) << extra;
    set_near(out);
    return out;
}

RationalPoint RationalFrame::middle(const RationalPoint& a, const RationalPoint& b,
                                    const RationalPoint& c) const {
    RationalPoint out;
    out.xyz = a.xyz + b.xyz + c.xyz;
    out.w = 3;
    set_near(out);
    return out;
}

RationalPlane RationalFrame::plane(const RationalPoint& a, const RationalPoint& b,
                                   const RationalPoint& c) const {
    RationalPlane out;
    out.normal = cross(b.xyz - a.xyz, c.xyz - a.xyz);
    out.offset = -dot(out.normal, a.xyz);
    const int top = bits(out.normal);
    if (top == 0) return out;
    for (std::size_t k = 0; k < 3; ++k) out.near_normal[k] = converted(out.normal[k], -top);
    out.near_offset = converted(out.offset, grid_ - top_ - top);
    const Vec3d n{out.near_normal.x.v, out.near_normal.y.v, out.near_normal.z.v};
    out.scale = 1 / length(n);
    return out;
}

RationalPoint RationalFrame::cut(const RationalPlane& plane, const RationalPoint& a,
                                 const RationalPoint& b) const {
    const Integer ha = dot(plane.normal, a.xyz) + plane.offset * a.w;
    const Integer hb = dot(plane.normal, b.xyz) + plane.offset * b.w;
    // The heights in the points' own units are ha / a.w and hb / b.w; their signs differ.
    RationalPoint out;
    for (std::size_t k = 0; k < 3; ++k) out.xyz[k] = hb * a.xyz[k] - ha * b.xyz[k];
    out.w = hb * a.w - ha * b.w;
    if (out.w.sign() < 0) {
        out.xyz = -out.xyz;
        out.w = -out.w;
    }
    Integer divisor = out.w;
    for (std::size_t k = 0; k < 3; ++k) divisor = gcd(divisor, out.xyz[k]);
    if (divisor != 1) {
        for (std::size_t k = 0; k < 3; ++k) out.xyz[k] /= divisor;
        out.w /= divisor;
    }
    set_near(out);
    return out;
}

Aabb RationalFrame::between_floats(const RationalPoint& p) const {
    Aabb out;
    for (std::size_t k = 0; k < 3; ++k) {
        float low = static_cast<float>(p.near[k].v * unit_);
        while (compare(p.xyz[k], p.w, grid_, low) < 0) low = std::nextafter(low, -HUGE_VALF);
        float high = low;
        while (compare(p.xyz[k], p.w, grid_, high) > 0) {
            low = high;
            high = std::nextafter(high, HUGE_VALF);
        }
        if (compare(p.xyz[k], p.w, grid_, high) == 0) low = high;
        out.min[k] = low;
        out.max[k] = high;
    }
    return out;
}

int side(const RationalPlane& plane, const RationalPoint& p) {
    const Approx value = dot(plane.near_normal, p.near) + plane.near_offset;
    if (const int s = certain_sign(value); s != kUnknownSign) return s;
    return Integer(dot(plane.normal, p.xyz) + plane.offset * p.w).sign();
}

double height(const RationalPlane& plane, const RationalPoint& p) {
    return plane.scale * (plane.near_normal.x.v * p.near.x.v + plane.near_normal.y.v * p.near.y.v +
                          plane.near_normal.z.v * p.near.z.v + plane.near_offset.v);
}

int orientation(const RationalPoint& a, const RationalPoint& b, const RationalPoint& c,
                const RationalPoint& d) {
    const Approx value = dot(cross(b.near - a.near, c.near - a.near), d.near - a.near);
    if (const int s = certain_sign(value); s != kUnknownSign) return s;
    const auto from_a = [&](const RationalPoint& p) {
        Vec3<Integer> out;
        for (std::size_t k = 0; k < 3; ++k) out[k] = p.xyz[k] * a.w - a.xyz[k] * p.w;
        return out;
    };
    return dot(cross(from_a(b), from_a(c)), from_a(d)).sign();
}

}  // namespace claybox::collision
