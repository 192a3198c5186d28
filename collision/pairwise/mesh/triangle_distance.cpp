#include "collision/pairwise/mesh/triangle_distance.hpp"

#include <cmath>

namespace claybox::collision {

namespace {

/// A triangle with derived values.
template <class T>
struct Face {
    explicit Face(const TriangleCorners<T>& t)
        : corner(t.p), ab(t.p[1] - t.p[0]), ac(t.p[2] - t.p[0]), n(cross(ab, ac)), nn(dot(n, n)) {}

    const Vec3<T>* corner;
    Vec3<T> ab, ac;
    Vec3<T> n;  ///< not of unit length; zero without area
    T nn;
};

template <class T>
T clamped(const T& v) {
    return v < T(0) ? T(0) : T(1) < v ? T(1) : v;
}

/// A pair counts as closest if a plane proves its squared distance up to this relative error.
constexpr double kProven = 1e-10;

template <class T>
void keep(ClosestPair<T>& best, const Vec3<T>& a, const Vec3<T>& b) {
    const T squared = length_squared<T>(a - b);
    if (squared < best.squared) best = {squared, a, b};
}

/// The projection of p onto the triangle, if it is inside the triangle.
template <class T>
bool projection(const Face<T>& face, const Vec3<T>& p, Vec3<T>& out) {
    const Vec3<T> r = p - face.corner[0];
    const T to_b = dot(cross(r, face.ac), face.n), to_c = dot(cross(face.ab, r), face.n);
    if (to_b < T(0) || to_c < T(0) || face.nn < to_b + to_c) return false;
    out = face.corner[0] + (face.ab * to_b + face.ac * to_c) / face.nn;
    return true;
}

template <class T>
const T& largest(const T& a, const T& b) {
    return a < b ? b : a;
}

/// Largest component by magnitude.
template <class T>
T extent(const Vec3<T>& v) {
    const auto size = [](const T& x) -> T { return x < T(0) ? T(-x) : x; };
    return largest<T>(size(v.x), largest<T>(size(v.y), size(v.z)));
}

/// Error of the computed heights dot(n, r) over a face, with |r| at most `reach` in each component. Each
/// component of n has two products and a difference, of magnitude up to 2 |ab| |ac|; the height has three
/// more products. The factor exceeds the sum of their roundings.
template <class T>
T height_error(const Face<T>& face, const T& reach) {
    return T(64) * std::numeric_limits<T>::epsilon() * extent(face.ab) * extent(face.ac) * reach;
}

enum class FaceAnswer : unsigned char { open, farther, closest };

/// Tests the corners of a triangle over a face of the other, and sides that pass through the face. If the
/// other triangle is on one side of the plane of the face, the plane proves a distance: the height of its
/// lowest corner. `farther`: proven to be farther than the limit. `closest`: `best` is proven to be the
/// closest pair up to rounding. `swap`: the face belongs to B.
template <class T>
FaceAnswer over_face(const Face<T>& face, const Face<T>& other, const T& limit, bool swap,
                     ClosestPair<T>& best) {
    if (!(T(0) < face.nn)) return FaceAnswer::open;
    const T kMargin = T(1) + T(16) * std::numeric_limits<T>::epsilon();
    T height[3], reach = T(0);
    for (int i = 0; i < 3; ++i) {
        const Vec3<T> r = other.corner[i] - face.corner[0];
        height[i] = dot(face.n, r);
        reach = largest<T>(reach, extent(r));
    }
    const T low = std::min<T>(height[0], std::min<T>(height[1], height[2]));
    const T high = std::max<T>(height[0], std::max<T>(height[1], height[2]));
    const T clear = largest<T>(low, T(-high)) - height_error(face, reach);
    if (T(0) < clear && limit * face.nn * kMargin < clear * clear) return FaceAnswer::farther;
    const auto take = [&](const Vec3<T>& p) {
        Vec3<T> projected;
        if (!projection(face, p, projected)) return;
        if (swap) keep(best, p, projected);
        if (!swap) keep(best, projected, p);
    };
    for (int i = 0; i < 3; ++i) take(other.corner[i]);
    if (T(0) < clear && best.squared * face.nn <= clear * clear * (T(1) + T(kProven)))
        return FaceAnswer::closest;
    if (T(0) < low || high < T(0)) return FaceAnswer::open;
    for (int i = 0; i < 3; ++i) {
        const int k = i < 2 ? i + 1 : 0;
        if ((height[i] < T(0)) == (height[k] < T(0))) continue;
        const T along = height[i] / (height[i] - height[k]);
        take(other.corner[i] + (other.corner[k] - other.corner[i]) * along);
    }
    return FaceAnswer::open;
}

/// Whether the slab between two points separates the triangles, up to the fraction kProven of its thickness.
/// Then no other points are closer. Tests all corners, including those of the sides that contain the points:
/// a direction between nearly parallel sides may be off by more than their distance.
template <class T>
bool is_slab_between(const TriangleCorners<T>& a, const TriangleCorners<T>& b, const ClosestPair<T>& pair) {
    const Vec3<T> axis = pair.b - pair.a;
    const T tolerance = T(kProven / 2) * pair.squared;
    for (int i = 0; i < 3; ++i) {
        if (tolerance < dot<T>(a.p[i] - pair.a, axis)) return false;
        if (dot<T>(b.p[i] - pair.b, axis) < -tolerance) return false;
    }
    return T(0) < pair.squared;
}

/// Tests all pairs of sides. Vertex against vertex and vertex against side are included, as ends of sides.
template <class T>
void along_sides(const TriangleCorners<T>& a, const TriangleCorners<T>& b, ClosestPair<T>& best) {
    for (int i = 0; i < 3; ++i) {
        const Vec3<T> u = a.p[i < 2 ? i + 1 : 0] - a.p[i];
        for (int k = 0; k < 3; ++k) {
            const Vec3<T> v = b.p[k < 2 ? k + 1 : 0] - b.p[k];
            const ClosestPair<T> pair = closest_of_segments<T>(a.p[i], u, b.p[k], v);
            if (!(pair.squared < best.squared)) continue;
            best = pair;
            if (is_slab_between(a, b, pair)) return;
        }
    }
}

}  // namespace

// If both projections are inside, s follows from the common normal n = u x v. Its length keeps the digits of
// a small angle that |u|^2 |v|^2 - (u.v)^2 would lose, so the error in s stays one rounding in |r|, however
// nearly parallel the segments are. Otherwise the usual clamping: s, then t for this s, then s again if t was
// clamped.
template <class T>
ClosestPair<T> closest_of_segments(const Vec3<T>& p, const Vec3<T>& u, const Vec3<T>& q, const Vec3<T>& v) {
    const Vec3<T> r = q - p, n = cross(u, v);
    const T uu = dot(u, u), vv = dot(v, v), nn = dot(n, n);
    T s(0), t(0);
    if (T(0) < nn) s = clamped<T>(dot(cross(r, v), n) / nn);
    if (T(0) < vv) t = dot(u * s - r, v) / vv;
    if (!(T(0) < t) || !(t < T(1)) || !(T(0) < nn)) {
        t = clamped<T>(t);
        s = T(0) < uu ? clamped<T>(dot(v * t + r, u) / uu) : T(0);
        // For parallel segments any s is possible; its t need not be the projection of the final s.
        if (T(0) < vv) t = clamped<T>(dot(u * s - r, v) / vv);
    }
    ClosestPair<T> out{T(0), p + u * s, q + v * t};
    out.squared = length_squared<T>(out.a - out.b);
    return out;
}

template <class T>
ClosestPair<T> closest_of_point(const Vec3<T>& point, const TriangleCorners<T>& triangle) {
    ClosestPair<T> best{std::numeric_limits<T>::max(), point, triangle.p[0]};
    const Face<T> face(triangle);
    Vec3<T> projected;
    if (T(0) < face.nn && projection(face, point, projected)) keep(best, point, projected);
    for (int i = 0; i < 3; ++i) {
        const Vec3<T> v = triangle.p[i < 2 ? i + 1 : 0] - triangle.p[i];
        const ClosestPair<T> pair = closest_of_segments(point, Vec3<T>{}, triangle.p[i], v);
        if (pair.squared < best.squared) best = pair;
    }
    return best;
}

template <class T>
ClosestPair<T> closest_of_triangles(const TriangleCorners<T>& a, const TriangleCorners<T>& b,
                                    const T& limit) {
    ClosestPair<T> best{std::numeric_limits<T>::max(), a.p[0], b.p[0]};
    const Face<T> face_a(a), face_b(b);
    if (over_face(face_a, face_b, limit, false, best) != FaceAnswer::open) return best;
    if (over_face(face_b, face_a, limit, true, best) != FaceAnswer::open) return best;
    along_sides(a, b, best);
    return best;
}

template ClosestPair<double> closest_of_segments(const Vec3d&, const Vec3d&, const Vec3d&, const Vec3d&);
template ClosestPair<double> closest_of_point(const Vec3d&, const TriangleCorners<double>&);
template ClosestPair<double> closest_of_triangles(const TriangleCorners<double>&,
                                                  const TriangleCorners<double>&, const double&);
template ClosestPair<long double> closest_of_segments(const Vec3<long double>&, const Vec3<long double>&,
                                                      const Vec3<long double>&, const Vec3<long double>&);
template ClosestPair<long double> closest_of_point(const Vec3<long double>&,
                                                   const TriangleCorners<long double>&);
template ClosestPair<long double> closest_of_triangles(const TriangleCorners<long double>&,
                                                       const TriangleCorners<long double>&,
                                                       const long double&);
template ClosestPair<Wide> closest_of_segments(const Vec3<Wide>&, const Vec3<Wide>&, const Vec3<Wide>&,
                                               const Vec3<Wide>&);
template ClosestPair<Wide> closest_of_point(const Vec3<Wide>&, const TriangleCorners<Wide>&);
template ClosestPair<Wide> closest_of_triangles(const TriangleCorners<Wide>&, const TriangleCorners<Wide>&,
                                                const Wide&);

}  // namespace claybox::collision
