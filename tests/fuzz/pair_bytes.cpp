#include "tests/fuzz/pair_bytes.hpp"

#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

namespace claybox::fuzz {

using namespace collision;

namespace {

constexpr float kLargest = 0x1p60f;

float within(double value) {
    const double limit = static_cast<double>(kLargest);
    return std::isnan(value) ? 0.0f : static_cast<float>(std::clamp(value, -limit, limit));
}

float any_float(Bytes& in) {
    const float value = std::bit_cast<float>(in.word());
    return std::isfinite(value) ? within(static_cast<double>(value)) : 1.0f;
}

float coordinate(Bytes& in, float before) {
    switch (in.below(10)) {
        case 0:
            return static_cast<float>(in.signed_byte());
        case 1:
            return static_cast<float>(in.signed_byte()) / 16;
        case 2:
            return any_float(in);
        case 3: {
            const float sign = in.byte() % 2 == 0 ? 1.0f : -1.0f;
            return sign * std::ldexp(1.0f, std::clamp(in.signed_byte() * 3 / 2, -149, 60));
        }
        case 4:
            return nudged(before, in.signed_byte());
        case 5:
            return std::ldexp(static_cast<float>(in.signed_byte()), -149);
        case 6:
            return before;
        case 7:
            return std::ldexp(static_cast<float>(in.word() % 65536) - 32768.0f, -12);
        case 8:
            return nudged(1.0f, in.signed_byte());
        default:
            return -before;
    }
}

Vec3f free_point(Bytes& in, const Vec3f& before) {
    Vec3f p;
    for (std::size_t k = 0; k < 3; ++k) p[k] = coordinate(in, before[k]);
    return p;
}

Vec3f combined(const Vec3d& sum) {
    return {within(sum.x), within(sum.y), within(sum.z)};
}

/// The next point, often in a special position relative to earlier ones.
Vec3f point(Bytes& in, const std::vector<Vec3f>& points) {
    const auto earlier = [&] { return points[in.below(static_cast<std::uint32_t>(points.size()))]; };
    const auto earlier_d = [&] { return cast<double>(earlier()); };
    const std::uint32_t kind = in.below(9);
    if (points.empty() || kind <= 1) return free_point(in, points.empty() ? Vec3f{} : points.back());
    switch (kind) {
        case 2:
            return earlier();
        case 3: {
            Vec3f p = earlier();
            float& c = p[in.below(3)];
            c = nudged(c, in.signed_byte());
            return p;
        }
        case 4:
            return combined((earlier_d() + earlier_d()) * 0.5);
        case 5:
            return combined(earlier_d() + earlier_d() - earlier_d());
        case 6:
            return -earlier();
        case 7: {
            Vec3f p = earlier();
            const std::size_t k = in.below(3);
            p[k] = coordinate(in, p[k]);
            return p;
        }
        default: {
            Vec3f p;
            for (std::size_t k = 0; k < 3; ++k) p[k] = static_cast<float>(in.signed_byte()) / 8;
            return p;
        }
    }
}

std::vector<Vec3f> points(Bytes& in, std::uint32_t max_count) {
    std::vector<Vec3f> out;
    const std::uint32_t count = 1 + in.below(max_count);
    while (out.size() < count) out.push_back(point(in, out));
    return out;
}

ShapePtr or_null(Result<ShapePtr> result) {
    return result ? std::move(result).value() : nullptr;
}

ShapePtr soup(Bytes& in) {
    PolygonList list;
    list.positions = points(in, 10);
    const auto n = static_cast<std::uint32_t>(list.positions.size());
    const std::uint32_t count = in.below(9);
    for (std::uint32_t p = 0; p < count; ++p) {
        std::vector<std::uint32_t> loop(3 + in.below(4));
        for (std::uint32_t& v : loop) v = in.below(n);
        list.add_polygon(loop);
    }
    return or_null(Shape::from_polygons(list));
}

/// A hull with one moved vertex: closed, often with bent polygons or not convex.
ShapePtr dented(Bytes& in) {
    const auto hull = convex_hull(points(in, 10));
    if (!hull) return nullptr;
    PolygonList faces = hull.value().faces;
    Vec3f& moved = faces.positions[in.below(static_cast<std::uint32_t>(faces.positions.size()))];
    moved = free_point(in, moved);
    return or_null(Shape::from_polygons(faces));
}

/// An L-shaped solid with two caps of six corners.
ShapePtr l_shape() {
    PolygonList list;
    constexpr float kOutline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (const float z : {0.0f, 1.0f})
        for (const auto& p : kOutline) list.positions.push_back({p[0], p[1], z});
    list.add_polygon(std::vector<std::uint32_t>{5, 4, 3, 2, 1, 0});
    list.add_polygon(std::vector<std::uint32_t>{6, 7, 8, 9, 10, 11});
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t k = (i + 1) % 6;
        list.add_polygon(std::vector<std::uint32_t>{i, k, k + 6, i + 6});
    }
    return or_null(Shape::from_polygons(list));
}

ShapePtr primitive(Bytes& in) {
    const auto kind = static_cast<Primitive>(in.below(kPrimitiveCount));
    const float radius = std::ldexp(1.0f, in.signed_byte() / 4);
    return or_null(make_primitive_shape(kind, 10, radius, in.byte()));
}

ShapePtr shape(Bytes& in, const ShapePtr& other) {
    switch (in.below(8)) {
        case 0:
        case 1:
        case 2:
            return or_null(Shape::from_hull(points(in, 12)));
        case 3:
            return soup(in);
        case 4:
            return dented(in);
        case 5:
            return primitive(in);
        case 6:
            return other != nullptr ? other : l_shape();
        default:
            return l_shape();
    }
}

void translate(Bytes& in, Matrix34f& m) {
    for (const std::size_t k : {3u, 7u, 11u}) m.m[k] = coordinate(in, m.m[k]);
}

Matrix34f signed_permutation(Bytes& in, float scale) {
    constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const auto& order = kOrders[in.below(6)];
    const std::uint32_t signs = in.byte();
    Matrix34f m;
    m.m.fill(0);
    for (std::size_t r = 0; r < 3; ++r)
        m.m[r * 4 + static_cast<std::size_t>(order[r])] = (signs >> r & 1u) != 0 ? -scale : scale;
    return m;
}

Matrix34f rigid(Bytes& in) {
    Quat q;
    q.w = in.signed_byte();
    q.x = in.signed_byte();
    q.y = in.signed_byte();
    q.z = in.signed_byte();
    const auto pose = checked(Pose{q, {}});
    return pose ? to_matrix(pose.value()) : Matrix34f{};
}

/// Makes the matrix singular or nearly singular.
void flatten(Bytes& in, Matrix34f& m) {
    const std::size_t row = 4 * in.below(3), other = 4 * in.below(3);
    const int steps = in.signed_byte();
    for (std::size_t c = 0; c < 3; ++c) m.m[row + c] = steps == 0 ? 0 : nudged(m.m[other + c], steps / 16);
}

Matrix34f matrix(Bytes& in, const Matrix34f& other) {
    Matrix34f m;
    switch (in.below(9)) {
        case 0:
            break;
        case 1:
            m = signed_permutation(in, 1);
            break;
        case 2:
        case 3:
            m = rigid(in);
            break;
        case 4:
            m = signed_permutation(in, std::ldexp(1.0f, std::clamp(in.signed_byte(), -100, 59)));
            break;
        case 5: {
            m = other;
            float& entry = m.m[in.below(12)];
            entry = nudged(entry, in.signed_byte());
            return m;
        }
        case 6:
            m = rigid(in);
            flatten(in, m);
            break;
        case 7:
            for (std::size_t k : {1u, 2u, 6u}) m.m[k] = static_cast<float>(in.signed_byte()) / 16;
            break;
        default:
            for (float& entry : m.m) entry = coordinate(in, entry);
            return m;
    }
    translate(in, m);
    return m;
}

/// A random vertex, or the mean of two or three.
Vec3d feature(Bytes& in, const Shape& s, const Matrix34f& m) {
    const auto& positions = s.geometry().positions;
    const std::uint32_t count = 1 + in.below(3);
    Vec3d sum;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3f& p = positions[in.below(static_cast<std::uint32_t>(positions.size()))];
        sum += transform_point(to_double(m), p);
    }
    return sum / static_cast<double>(count);
}

/// Moves a feature of B onto a feature of A, up to rounding and a few floats.
void bring_together(Bytes& in, FuzzPair& p) {
    const Vec3d target = feature(in, *p.a, p.world_from_a), now = feature(in, *p.b, p.world_from_b);
    for (std::size_t r = 0; r < 3; ++r) {
        float& t = p.world_from_b.m[r * 4 + 3];
        t = nudged(within(static_cast<double>(t) + target[r] - now[r]), in.signed_byte() / 8);
    }
}

}  // namespace

std::uint32_t Bytes::word() {
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i) out = out << 8 | byte();
    return out;
}

float nudged(float value, int steps) {
    for (; steps > 0; --steps) value = std::nextafter(value, INFINITY);
    for (; steps < 0; ++steps) value = std::nextafter(value, -INFINITY);
    return std::clamp(value, -kLargest, kLargest);
}

FuzzPair read_pair(Bytes& in) {
    FuzzPair p;
    p.a = shape(in, nullptr);
    p.b = shape(in, p.a);
    if (p.a == nullptr || p.b == nullptr) return p;
    p.world_from_a = matrix(in, {});
    p.world_from_b = matrix(in, p.world_from_a);
    if (in.byte() % 2 == 0) bring_together(in, p);
    return p;
}

}  // namespace claybox::fuzz
