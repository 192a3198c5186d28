#pragma once

#include "collision/core/ids.hpp"
#include "collision/core/vec.hpp"

#include <cstdint>

namespace claybox::collision {

enum class CertificateKind : unsigned char {
    none,
    separating_axis,    ///< solid, separated: an axis and the two supporting hull vertices
    surrounded_origin,  ///< solid, colliding: up to four vertex pairs whose differences surround the origin
    common_point,       ///< solid, colliding: a point in both
    edge_triangle,      ///< surface, hit: an edge of one meets a triangle of the other
    contained,          ///< solid: a vertex of one lies inside the other (parity along `axis_w`)
};

/// What proves a verdict; anyone can check it again with certify(). Indices are hull vertices for solid kinds
/// and topology elements for surface kinds. Trivially copyable.
struct Certificate {
    CertificateKind kind = CertificateKind::none;
    bool edge_of_b =
        false;  ///< edge_triangle: the edge belongs to B and the triangle to A; contained: B lies in A
    std::uint8_t pair_count = 0;
    /// separating_axis: dot(axis, a) < dot(axis, b) for all points; not normalised. When that holds only
    /// before the axis was rounded, the pairs (1 to 3) define it exactly: it is the direction from the origin
    /// of the point nearest to it on the affine hull of the differences b - a.
    Vec3d axis_w;
    Vec3d point_w;  ///< common_point, contained: the point; edge_triangle: where they meet, rounded
    /// separating_axis: the supporting vertices; contained: the vertex, of the topology, of the body that
    /// lies inside.
    std::uint32_t support_a = kNoIndex, support_b = kNoIndex;
    std::uint32_t pairs[4][2] = {};
    /// edge_triangle: `triangle` counts within the whole topology; `edge` is kNoIndex for an inner diagonal
    /// of a polygon; pairs[0] holds the two vertices of the edge in either case.
    std::uint32_t edge = kNoIndex, triangle = kNoIndex, polygon = kNoIndex;
};

}  // namespace claybox::collision
