#pragma once
/// \file
/// Certificates: data that proves the verdict of a pair query. docs/explanation/exactness.md explains the
/// proofs.

#include "collision/core/ids.hpp"
#include "collision/core/vec.hpp"

#include <cstdint>

namespace claybox::collision {

/// The kinds of proof. "Solid" kinds prove verdicts about solids, "surface" kinds about surfaces.
enum class CertificateKind : unsigned char {
    none,               ///< no proof
    separating_axis,    ///< solid, separated: an axis and the supporting hull vertex of each body
    surrounded_origin,  ///< solid, colliding: vertex pairs whose differences a - b surround the origin
    common_point,       ///< solid, colliding: a point in both bodies
    edge_triangle,      ///< surface, colliding: an edge of one body intersects a triangle of the other
    contained,          ///< solid, colliding: a vertex of one body is inside the other
};

/// Proves one verdict; certify() checks it independently of the algorithm that produced it. Which fields are
/// used depends on `kind`. Indices refer to hull vertices for the kinds separating_axis and
/// surrounded_origin, and to topology elements for edge_triangle and contained. Trivially copyable.
struct Certificate {
    CertificateKind kind = CertificateKind::none;  ///< which of the fields below are used
    /// edge_triangle: true if the edge belongs to B and the triangle to A. contained: true if B is inside A.
    bool edge_of_b = false;
    std::uint8_t pair_count = 0;  ///< number of entries used in `pairs`
    /// separating_axis: dot(axis_w, a) < dot(axis_w, b) for all points a of A and b of B; not normalised. If
    /// rounding breaks this, `pairs` (1 to 3) define the exact axis: the direction from the origin to the
    /// nearest point of the affine hull of the differences b - a.
    /// contained: the direction of the ray for the parity test.
    Vec3d axis_w;
    /// common_point, contained: the point. edge_triangle: the intersection point, rounded.
    Vec3d point_w;
    /// separating_axis: the supporting hull vertices. contained: the topology vertex of the inner body; the
    /// other is kNoIndex.
    std::uint32_t support_a = kNoIndex;
    std::uint32_t support_b = kNoIndex;  ///< the same of B
    /// Vertex pairs (vertex of A, vertex of B). edge_triangle: pairs[0] holds the two vertices of the edge.
    std::uint32_t pairs[4][2] = {};
    /// edge_triangle: `triangle` is an index into Topology::triangles. `edge` is kNoIndex if the edge is an
    /// inner diagonal of a polygon.
    std::uint32_t edge = kNoIndex;
    std::uint32_t triangle = kNoIndex;  ///< edge_triangle: the triangle that the edge intersects
    std::uint32_t polygon = kNoIndex;   ///< edge_triangle: the polygon of that triangle
};

}  // namespace claybox::collision
