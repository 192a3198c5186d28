#include "collision/core/elementary.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/generators.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision::generators {

namespace {

// With more points, a circle of float points would no longer be a convex polygon: the bulge between
// neighbours, 2 pi^2 / n^2 of the radius, must be well above the rounding of a coordinate, 2^-25.
constexpr std::uint32_t kMaxAround = 4096;

struct Counts {
    std::uint32_t around = 3, along = 1;
};

// The two numbers whose product is nearest to `product`, with a ratio around / along near `ratio`. At ties,
// the pair with the nearest ratio.
Counts nearest_counts(std::uint32_t product, std::uint32_t least_along, double ratio) {
    const double ideal = std::sqrt(product * ratio);
    // A factor of two each way leaves enough divisors and avoids slivers.
    const auto low = std::max<std::uint32_t>(3, static_cast<std::uint32_t>(ideal / 2));
    const auto high = std::clamp(static_cast<std::uint32_t>(2 * ideal) + 1, low, kMaxAround);
    Counts best;
    double best_error = HUGE_VAL, best_shape = HUGE_VAL;
    for (std::uint32_t around = low; around <= high; ++around) {
        const std::uint32_t along = std::max(least_along, (product + around / 2) / around);
        const double error = std::fabs(static_cast<double>(around) * along - product);
        const double shape = std::fabs(logarithm(around / ideal));
        if (error < best_error || (error == best_error && shape < best_shape)) {
            best = {around, along};
            best_error = error;
            best_shape = shape;
        }
    }
    return best;
}

// The i-th of n points on the unit circle. Keeps the eight-fold symmetry of the circle exactly.
SinCos on_circle(std::uint32_t i, std::uint32_t n) {
    const std::uint64_t eighths = std::uint64_t{8} * i;
    const std::uint64_t octant = eighths / n % 8, rest = eighths % n;
    const bool down = octant % 2 == 1;
    const SinCos a = sin_cos(kPi / 4 * (static_cast<double>(down ? n - rest : rest) / n));
    const bool steep = octant == 1 || octant == 2 || octant == 5 || octant == 6;
    const double c = steep ? a.sin : a.cos, s = steep ? a.cos : a.sin;
    return {octant < 4 ? s : -s, octant < 2 || octant > 5 ? c : -c};
}

// Builds a surface of revolution around the Y axis from rings of vertices, top to bottom, and the polygons
// between them, counter-clockwise seen from outside.
class Lathe {
  public:
    Lathe(std::uint32_t around, double scale) : around_(around), scale_(scale * kFit) {}

    // Adds a ring (or a pole, below); returns its first vertex.
    std::uint32_t ring(double radius, double y) {
        const auto first = static_cast<std::uint32_t>(out_.positions.size());
        for (std::uint32_t i = 0; i < around_; ++i) {
            const SinCos a = on_circle(i, around_);
            add(radius * a.cos, y, radius * a.sin);
        }
        return first;
    }
    std::uint32_t pole(double y) { return add(0, y, 0); }

    void band(std::uint32_t upper, std::uint32_t lower) {
        for (std::uint32_t i = 0; i < around_; ++i) {
            const std::uint32_t j = following(i);
            polygon({lower + i, upper + i, upper + j, lower + j});
        }
    }
    void top_fan(std::uint32_t tip, std::uint32_t lower) {
        for (std::uint32_t i = 0; i < around_; ++i) polygon({lower + i, tip, lower + following(i)});
    }
    void bottom_fan(std::uint32_t upper, std::uint32_t tip) {
        for (std::uint32_t i = 0; i < around_; ++i) polygon({tip, upper + i, upper + following(i)});
    }
    void top_cap(std::uint32_t ring) {
        std::vector<std::uint32_t> loop;
        for (std::uint32_t i = around_; i-- > 0;) loop.push_back(ring + i);
        out_.add_polygon(loop);
    }
    void bottom_cap(std::uint32_t ring) {
        std::vector<std::uint32_t> loop;
        for (std::uint32_t i = 0; i < around_; ++i) loop.push_back(ring + i);
        out_.add_polygon(loop);
    }
    PolygonList take() { return std::move(out_); }

  private:
    std::uint32_t add(double x, double y, double z) {
        out_.positions.push_back(cast<float>(Vec3d{x, y, z} * scale_));
        return static_cast<std::uint32_t>(out_.positions.size() - 1);
    }
    std::uint32_t following(std::uint32_t i) const { return i + 1 < around_ ? i + 1 : 0; }
    void polygon(std::initializer_list<std::uint32_t> loop) { out_.add_polygon({loop.begin(), loop.size()}); }

    PolygonList out_;
    std::uint32_t around_;
    double scale_;
};

}  // namespace

PolygonList uv_sphere(std::uint32_t target_count, double radius) {
    const Counts n = nearest_counts(target_count, 2, 2.0);
    Lathe lathe(n.around, radius);
    std::uint32_t above = lathe.pole(1);
    for (std::uint32_t k = 1; k < n.along; ++k) {
        const SinCos a = on_circle(k, 2 * n.along);
        const std::uint32_t ring = lathe.ring(a.sin, a.cos);
        k == 1 ? lathe.top_fan(above, ring) : lathe.band(above, ring);
        above = ring;
    }
    lathe.bottom_fan(above, lathe.pole(-1));
    return lathe.take();
}

PolygonList cylinder(std::uint32_t target_count, double radius) {
    constexpr double kRadius = 0.6, kHalfHeight = 0.8;
    const Counts n = nearest_counts(target_count - 2, 1, 2 * kPi * kRadius / (2 * kHalfHeight));
    Lathe lathe(n.around, radius);
    std::uint32_t above = lathe.ring(kRadius, kHalfHeight);
    lathe.top_cap(above);
    for (std::uint32_t k = 1; k <= n.along; ++k) {
        const std::uint32_t ring = lathe.ring(kRadius, kHalfHeight * (1 - 2.0 * k / n.along));
        lathe.band(above, ring);
        above = ring;
    }
    lathe.bottom_cap(above);
    return lathe.take();
}

// Only the base has several rings: rounded points on the slope would not be collinear, and the solid would
// not be convex.
PolygonList cone(std::uint32_t target_count, double radius) {
    constexpr double kRadius = 0.8, kBase = -0.6;
    const Counts n =
        target_count - 1 <= 64 ? Counts{target_count - 1, 1} : nearest_counts(target_count - 1, 1, 16.0);
    Lathe lathe(n.around, radius);
    const std::uint32_t tip = lathe.pole(1);
    std::uint32_t outer = lathe.ring(kRadius, kBase);
    lathe.top_fan(tip, outer);
    for (std::uint32_t k = 1; k < n.along; ++k) {
        const std::uint32_t inner = lathe.ring(kRadius * (1 - static_cast<double>(k) / n.along), kBase);
        lathe.band(outer, inner);
        outer = inner;
    }
    lathe.bottom_cap(outer);
    return lathe.take();
}

PolygonList torus(std::uint32_t target_count, double radius) {
    constexpr double kLarge = 0.7, kSmall = 0.3;
    const Counts n = nearest_counts(target_count, 3, kLarge / kSmall);
    Lathe lathe(n.around, radius);
    std::uint32_t first = 0, above = 0;
    for (std::uint32_t k = 0; k < n.along; ++k) {
        const SinCos a = on_circle(k, n.along);
        const std::uint32_t ring = lathe.ring(kLarge + kSmall * a.sin, kSmall * a.cos);
        k == 0 ? void(first = ring) : lathe.band(above, ring);
        above = ring;
    }
    lathe.band(above, first);
    return lathe.take();
}

// One sheet, r^2 = waist^2 + (end^2 - waist^2) (y / half)^2, closed by two caps.
PolygonList hyperboloid(std::uint32_t target_count, double radius) {
    constexpr double kWaist = 0.25, kEnd = 0.6, kHalfHeight = 0.8;
    const Counts n = nearest_counts(target_count - 2, 2, 1.5);
    Lathe lathe(n.around, radius);
    std::uint32_t above = lathe.ring(kEnd, kHalfHeight);
    lathe.top_cap(above);
    for (std::uint32_t k = 1; k <= n.along; ++k) {
        const double t = 1 - 2.0 * k / n.along;
        const double r = std::sqrt(kWaist * kWaist + (kEnd * kEnd - kWaist * kWaist) * t * t);
        const std::uint32_t ring = lathe.ring(r, kHalfHeight * t);
        lathe.band(above, ring);
        above = ring;
    }
    lathe.bottom_cap(above);
    return lathe.take();
}

}  // namespace claybox::collision::generators
