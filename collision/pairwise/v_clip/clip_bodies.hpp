#pragma once
// The two bodies as V-Clip uses them: either the planes stored with the features, fast and in float, or the
// hulls' own vertices under any matrix, in a type of choice.

#include "collision/pairwise/support/difference.hpp"
#include "collision/pairwise/v_clip/feature_hull.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace claybox::collision {

/// Each body in its own axes with its centre as origin; only the other body's feature is transformed. For
/// rigid placements, mirrored ones included. Borrows the features.
class StoredBodies {
  public:
    using Scalar = float;

    /// Both matrices must be rigid.
    StoredBodies(const FeatureHull& a, const Matrix34f& world_from_a, const FeatureHull& b,
                 const Matrix34f& world_from_b)
        : features_{&a, &b} {
        for (int c = 0; c < 3; ++c) {
            const Vec3f column = transpose_vector(
                world_from_a, Vec3f{world_from_b(0, c), world_from_b(1, c), world_from_b(2, c)});
            for (std::size_t r = 0; r < 3; ++r) a_from_b_.m[4 * r + static_cast<std::size_t>(c)] = column[r];
        }
        // In double, rounded once: for bodies far from the origins most digits cancel first.
        const Vec3d between_w = transform_point(to_double(world_from_b), b.centre) -
                                transform_point(to_double(world_from_a), a.centre);
        const Vec3d between_a = transpose_vector(to_double(world_from_a), between_w);
        for (std::size_t r = 0; r < 3; ++r) a_from_b_.m[4 * r + 3] = static_cast<float>(between_a[r]);
    }

    const FeatureHull& features(int s) const { return *features_[s]; }
    Vec3f vertex(int s, std::uint32_t v) const { return features(s).vertices[v].at; }
    Vec3f spoke(int s, std::uint32_t, std::uint32_t k) const { return features(s).spokes[k].direction; }
    Vec3f tail(int s, std::uint32_t e) const { return features(s).edges[e].tail_at; }
    Vec3f along(int s, std::uint32_t e) const { return features(s).edges[e].along; }
    Vec3f into(int s, std::uint32_t e, int i) const { return features(s).edges[e].into[i]; }
    Vec3f normal(int s, std::uint32_t f) const { return features(s).faces[f].normal; }
    Vec3f point(int s, std::uint32_t f) const { return features(s).faces[f].at; }
    Vec3f side_into(int s, std::uint32_t, std::uint32_t k) const { return features(s).sides[k].into; }
    Vec3f side_at(int s, std::uint32_t k) const { return features(s).sides[k].at; }

    /// Transforms a point, or a direction, of body `from` to the frame of the other body.
    Vec3f to_other(int from, const Vec3f& p) const {
        return from == 1 ? transform_point(a_from_b_, p)
                         : transpose_vector(a_from_b_, p - a_from_b_.translation());
    }
    Vec3f direction_to_other(int from, const Vec3f& d) const {
        return from == 1 ? transform_vector(a_from_b_, d) : transpose_vector(a_from_b_, d);
    }

    HighestFace highest(int s, const Vec3f& p) const { return highest_face(features(s), p); }
    std::uint32_t exit_face(int s, std::uint32_t from, const Vec3f& p) const {
        return exit_face_of(features(s), from, p);
    }

  private:
    const FeatureHull* features_[2];
    Matrix34f a_from_b_;
};

/// Both bodies in one frame (world axes, origin at A's translation). Every plane is computed from vertices on
/// demand: for matrices that scale or shear, and if float does not suffice. Of the features only the
/// adjacency is used. A singular matrix yields zero normals, which decide nothing.
template <class T>
class MovedBodies {
  public:
    using Scalar = T;

    MovedBodies(const Difference<T>& difference, const FeatureHull& a, const FeatureHull& b)
        : difference_(difference),
          features_{&a, &b},
          outward_{handedness(difference.about_a_from_a), handedness(difference.about_a_from_b)} {}

    const FeatureHull& features(int s) const { return *features_[s]; }
    Vec3<T> vertex(int s, std::uint32_t v) const {
        return s == 0 ? difference_.point_a(v) : difference_.point_b(v);
    }
    Vec3<T> spoke(int s, std::uint32_t v, std::uint32_t k) const {
        const FeatureHull::Edge& edge = features(s).edges[features(s).spokes[k].edge];
        return unit(vertex(s, edge.tail == v ? edge.head : edge.tail) - vertex(s, v));
    }
    Vec3<T> tail(int s, std::uint32_t e) const { return vertex(s, features(s).edges[e].tail); }
    Vec3<T> along(int s, std::uint32_t e) const { return vertex(s, features(s).edges[e].head) - tail(s, e); }
    Vec3<T> into(int s, std::uint32_t e, int i) const {
        return direction_into_face(s, features(s).edges[e].face[i], e);
    }
    Vec3<T> normal(int s, std::uint32_t f) const {
        const auto& corner = features(s).faces[f].corner;
        const Vec3<T> at = vertex(s, corner[0]);
        return unit(outward_[s] * cross(vertex(s, corner[1]) - at, vertex(s, corner[2]) - at));
    }
    Vec3<T> point(int s, std::uint32_t f) const { return vertex(s, features(s).faces[f].corner[0]); }
    Vec3<T> side_into(int s, std::uint32_t f, std::uint32_t k) const {
        return direction_into_face(s, f, features(s).sides[k].edge);
    }
    Vec3<T> side_at(int s, std::uint32_t k) const { return vertex(s, features(s).sides[k].vertex); }

    Vec3<T> to_other(int, const Vec3<T>& p) const { return p; }
    Vec3<T> direction_to_other(int, const Vec3<T>& d) const { return d; }

    struct Highest {
        std::uint32_t face = kNoIndex;
        T height = -std::numeric_limits<T>::infinity();
    };
    Highest highest(int s, const Vec3<T>& p) const {
        Highest out;
        for (std::uint32_t f = 0; f < features(s).face_count(); ++f) {
            const T height = dot(normal(s, f), p - point(s, f));
            if (height > out.height) out = {f, height};
        }
        return out;
    }
    std::uint32_t exit_face(int s, std::uint32_t from, const Vec3<T>& p) const {
        std::uint32_t best = kNoIndex;
        T nearest = std::numeric_limits<T>::infinity();
        for (std::uint32_t f = 0; f < features(s).face_count(); ++f) {
            const Vec3<T> n = normal(s, f), at = point(s, f);
            const T at_start = dot(n, vertex(s, from) - at), rise = dot(n, p - at) - at_start;
            if (!(rise > 0) || !(-at_start >= rise) || !(-at_start / rise < nearest)) continue;
            nearest = -at_start / rise;
            best = f;
        }
        return best;
    }

  private:
    /// The unit vector; zero if v has no direction.
    static Vec3<T> unit(const Vec3<T>& v) {
        const T largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
        if (!(largest > 0) || !(largest <= std::numeric_limits<T>::max())) return {};
        const Vec3<T> scaled = v / largest;
        return scaled / length(scaled);
    }
    /// 1 for matrices that preserve the orientation of loops, -1 for mirroring ones.
    static T handedness(const Matrix34<T>& m) {
        const Vec3<T> x{m(0, 0), m(1, 0), m(2, 0)}, y{m(0, 1), m(1, 1), m(2, 1)},
            z{m(0, 2), m(1, 2), m(2, 2)};
        return dot(cross(x, y), z) < 0 ? T(-1) : T(1);
    }
    /// Perpendicular to the edge in the face's plane, towards the face's corners.
    Vec3<T> direction_into_face(int s, std::uint32_t f, std::uint32_t e) const {
        const Vec3<T> into = unit(cross(normal(s, f), unit(along(s, e))));
        T furthest = 0;
        for (const std::uint32_t corner : features(s).faces[f].corner) {
            const T reach = dot(into, vertex(s, corner) - tail(s, e));
            if (std::abs(reach) > std::abs(furthest)) furthest = reach;
        }
        return furthest < 0 ? -into : into;
    }

    Difference<T> difference_;
    std::array<const FeatureHull*, 2> features_;
    T outward_[2];
};

}  // namespace claybox::collision
