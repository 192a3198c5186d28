#include "tests/support/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace claybox::test {

using namespace collision;

namespace {

/// A finite number times 2^shift; the product must be an integer.
BigInteger to_integer(double value, int shift) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    BigInteger out = static_cast<long long>(std::ldexp(fraction, 53));
    const int left = exponent - 53 + shift;
    if (left >= 0) return out << static_cast<unsigned>(left);
    return out / (BigInteger(1) << static_cast<unsigned>(-left));
}

constexpr int kProductBits = 298;  // twice 149: floats are multiples of 2^-149

/// Divides all coordinates by their largest common power of two, as only their ratios matter.
void remove_common_factor(std::span<BigPoint> first, std::span<BigPoint> second = {}) {
    constexpr unsigned kNone = ~0u;
    unsigned common = kNone;
    for (const auto points : {first, second})
        for (const BigPoint& p : points)
            for (std::size_t k = 0; k < 3; ++k)
                if (p[k] != 0) common = std::min(common, static_cast<unsigned>(lsb(abs(p[k]))));
    if (common == kNone) return;
    for (const auto points : {first, second})
        for (BigPoint& p : points)
            for (std::size_t k = 0; k < 3; ++k) p[k] /= BigInteger(1) << common;
}

struct TwoSets {
    std::vector<BigPoint> a, b;
};

std::vector<BigPoint> hull_points(const PairBody& body) {
    const ConvexHull& hull = *body.shape->hull();
    std::vector<BigPoint> out;
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
        out.push_back(exact_world_point(body.world_from_body, hull.vertex(v)));
    return out;
}

std::vector<BigPoint> surface_points(const PairBody& body) {
    std::vector<BigPoint> out;
    for (const Vec3f& p : body.geometry->positions) out.push_back(exact_world_point(body.world_from_body, p));
    return out;
}

TwoSets hulls(const PairQuery& q) {
    TwoSets out{hull_points(q.a), hull_points(q.b)};
    remove_common_factor(out.a, out.b);
    return out;
}

TwoSets surfaces(const PairBody& a, const PairBody& b) {
    TwoSets out{surface_points(a), surface_points(b)};
    remove_common_factor(out.a, out.b);
    return out;
}

/// Doubles as integers up to a common positive factor.
BigPoint exact_axis(const Vec3d& axis) {
    constexpr int kDoubleBits = 1074;
    BigPoint out{to_integer(axis.x, kDoubleBits), to_integer(axis.y, kDoubleBits),
                 to_integer(axis.z, kDoubleBits)};
    remove_common_factor({&out, 1});
    return out;
}

bool simplex_contains_origin(const BigPoint& a) {
    return a == BigPoint{};
}

bool simplex_contains_origin(const BigPoint& a, const BigPoint& b) {
    return cross(a, b) == BigPoint{} && dot(a, b).sign() <= 0;
}

bool simplex_contains_origin(const BigPoint& a, const BigPoint& b, const BigPoint& c) {
    const BigPoint n = cross(b - a, c - a);
    if (n == BigPoint{} || dot(n, a).sign() != 0) return false;
    return dot(n, cross(a, b)).sign() >= 0 && dot(n, cross(b, c)).sign() >= 0 &&
           dot(n, cross(c, a)).sign() >= 0;
}

bool simplex_contains_origin(const BigPoint& a, const BigPoint& b, const BigPoint& c, const BigPoint& d) {
    const int orientation = dot(cross(b - a, c - a), d - a).sign();
    if (orientation == 0) return false;
    const auto volume = [](const BigPoint& p, const BigPoint& q, const BigPoint& r) {
        return dot(cross(p, q), r).sign();
    };
    // Replacing any corner by the origin must not change the orientation.
    return volume(b, c, d) * orientation >= 0 && -volume(a, c, d) * orientation >= 0 &&
           volume(a, b, d) * orientation >= 0 && -volume(a, b, c) * orientation >= 0;
}

/// Whether dot(axis, a) < dot(axis, b) for all points.
bool separates(const BigPoint& axis, std::span<const BigPoint> a, std::span<const BigPoint> b) {
    BigInteger highest = dot(axis, a[0]), lowest = dot(axis, b[0]);
    for (const BigPoint& p : a) highest = std::max(highest, dot(axis, p));
    for (const BigPoint& p : b) lowest = std::min(lowest, dot(axis, p));
    return highest < lowest;
}

/// The differences a - b of the certificate's pairs; empty if an index is out of range.
std::vector<BigPoint> differences(const Certificate& c, std::span<const BigPoint> a,
                                  std::span<const BigPoint> b) {
    std::vector<BigPoint> out;
    for (std::uint8_t i = 0; i < c.pair_count && c.pair_count <= 4; ++i) {
        if (c.pairs[i][0] >= a.size() || c.pairs[i][1] >= b.size()) return {};
        out.push_back(a[c.pairs[i][0]] - b[c.pairs[i][1]]);
    }
    return out;
}

/// The direction from the origin to the nearest point of the affine hull of one to three points; zero if the
/// origin is on it.
BigPoint direction_of_affine_hull(std::span<const BigPoint> p) {
    if (p.size() == 1) return p[0];
    const BigPoint e = p[1] - p[0];
    if (p.size() == 2) return p[0] * dot(e, e) - e * dot(e, p[0]);
    const BigPoint n = cross(e, p[2] - p[0]);
    return n * BigInteger(dot(n, p[0]).sign());
}

ProofCheck check_axis(const PairQuery& q, const Certificate& c) {
    const auto [a, b] = hulls(q);
    if (separates(exact_axis(c.axis_w), a, b)) return ProofCheck::proven;
    const std::vector<BigPoint> d = differences(c, a, b);
    if (d.empty() || d.size() > 3) return ProofCheck::refuted;
    return separates(-direction_of_affine_hull(d), a, b) ? ProofCheck::proven : ProofCheck::refuted;
}

ProofCheck check_edge(const PairQuery& q, const Certificate& c) {
    const PairBody &with_edge = c.edge_of_b ? q.b : q.a, &with_triangle = c.edge_of_b ? q.a : q.b;
    const auto [edge, face] = surfaces(with_edge, with_triangle);
    const Topology& t = *with_triangle.geometry->topology;
    if (c.pairs[0][0] >= edge.size() || c.pairs[0][1] >= edge.size() || c.triangle >= t.triangles.size())
        return ProofCheck::refuted;
    const auto& v = t.triangles[c.triangle].vertices;
    const BigPoint ends[] = {edge[c.pairs[0][0]], edge[c.pairs[0][1]]};
    const BigPoint corners[] = {face[v[0]], face[v[1]], face[v[2]]};
    return hulls_intersect(ends, corners) ? ProofCheck::proven : ProofCheck::refuted;
}

struct BigTriangle {
    BigPoint corners[3];
    BigPoint low, high;
};

std::vector<BigTriangle> exact_triangles(const PairBody& body, std::span<const BigPoint> points) {
    std::vector<BigTriangle> out;
    for (const Triangle& t : body.geometry->topology->triangles) {
        const BigPoint &a = points[t.vertices[0]], &b = points[t.vertices[1]], &c = points[t.vertices[2]];
        out.push_back({{a, b, c}, min(a, min(b, c)), max(a, max(b, c))});
    }
    return out;
}

bool boxes_are_apart(const BigTriangle& a, const BigTriangle& b) {
    for (std::size_t k = 0; k < 3; ++k)
        if (a.high[k] < b.low[k] || b.high[k] < a.low[k]) return true;
    return false;
}

/// A fast test for most disjoint pairs: a face normal or the cross product of two edges separates them.
bool some_axis_separates(const BigTriangle& a, const BigTriangle& b) {
    const auto edge = [](const BigTriangle& t, std::size_t i) {
        return t.corners[(i + 1) % 3] - t.corners[i];
    };
    std::vector<BigPoint> axes{cross(edge(a, 0), edge(a, 1)), cross(edge(b, 0), edge(b, 1))};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) axes.push_back(cross(edge(a, i), edge(b, k)));
    for (const BigPoint& axis : axes)
        if (separates(axis, a.corners, b.corners) || separates(-axis, a.corners, b.corners)) return true;
    return false;
}

}  // namespace

BigPoint exact_world_point(const Matrix34f& matrix, const Vec3f& v) {
    BigPoint out;
    for (int r = 0; r < 3; ++r) {
        BigInteger& sum = out[static_cast<std::size_t>(r)];
        sum = to_integer(static_cast<double>(matrix(r, 3)), kProductBits);
        for (int k = 0; k < 3; ++k)
            sum += to_integer(static_cast<double>(matrix(r, k)), kProductBits / 2) *
                   to_integer(static_cast<double>(v[static_cast<std::size_t>(k)]), kProductBits / 2);
    }
    return out;
}

bool hull_contains_origin(std::span<const BigPoint> p) {
    const std::size_t n = p.size();
    for (std::size_t i = 0; i < n; ++i) {
        if (simplex_contains_origin(p[i])) return true;
        for (std::size_t j = i + 1; j < n; ++j) {
            if (simplex_contains_origin(p[i], p[j])) return true;
            for (std::size_t k = j + 1; k < n; ++k) {
                if (simplex_contains_origin(p[i], p[j], p[k])) return true;
                for (std::size_t l = k + 1; l < n; ++l)
                    if (simplex_contains_origin(p[i], p[j], p[k], p[l])) return true;
            }
        }
    }
    return false;
}

bool hulls_intersect(std::span<const BigPoint> a, std::span<const BigPoint> b) {
    std::vector<BigPoint> d;
    for (const BigPoint& p : a)
        for (const BigPoint& q : b) d.push_back(p - q);
    return hull_contains_origin(d);
}

bool surfaces_intersect(const PairBody& a, const PairBody& b) {
    const TwoSets points = surfaces(a, b);
    const auto of_a = exact_triangles(a, points.a), of_b = exact_triangles(b, points.b);
    for (const BigTriangle& s : of_a)
        for (const BigTriangle& t : of_b) {
            if (boxes_are_apart(s, t) || some_axis_separates(s, t)) continue;
            if (hulls_intersect(s.corners, t.corners)) return true;
        }
    return false;
}

bool hull_contains(const ConvexHull& hull, std::span<const Vec3f> points) {
    std::vector<BigPoint> p, corners;
    for (const Vec3f& point : points) p.push_back(exact_world_point({}, point));
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
        corners.push_back(exact_world_point({}, hull.vertex(v)));
    remove_common_factor(p, corners);
    const auto corner = [&](std::uint32_t v) { return corners[v]; };
    const BigPoint first = corner(0);
    if (hull.dimension <= 1) {
        const BigPoint line = hull.dimension == 0 ? BigPoint{} : corner(1) - first;
        return std::all_of(p.begin(), p.end(), [&](const BigPoint& q) {
            return hull.dimension == 0 ? q == first : cross(line, q - first) == BigPoint{};
        });
    }
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const BigPoint o = corner(loop[0]), n = cross(corner(loop[1]) - o, corner(loop[2]) - o);
        if (n == BigPoint{}) return false;
        for (const BigPoint& q : p)
            if (dot(n, q - o).sign() > 0) return false;
    }
    return true;
}

ProofCheck check_proof(const PairQuery& q, const PairResult& r) {
    const Certificate& c = r.certificate;
    const bool separated = r.verdict == Verdict::separated;
    if (c.kind == CertificateKind::separating_axis) return separated ? check_axis(q, c) : ProofCheck::refuted;
    if (c.kind == CertificateKind::none || c.kind == CertificateKind::contained)
        return ProofCheck::not_checked;
    if (separated) return ProofCheck::refuted;
    if (c.kind == CertificateKind::edge_triangle) return check_edge(q, c);
    if (c.kind != CertificateKind::surrounded_origin) return ProofCheck::not_checked;
    const TwoSets points = hulls(q);
    const auto d = differences(c, points.a, points.b);
    return !d.empty() && hull_contains_origin(d) ? ProofCheck::proven : ProofCheck::refuted;
}

}  // namespace claybox::test
