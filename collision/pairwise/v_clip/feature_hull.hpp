#pragma once
// A hull as vertices, edges and faces with the planes between their Voronoi regions, for walks over pairs of
// closest features. The layout lets one test of a feature read one or two cache lines.

#include "collision/geometry/hull/hull.hpp"

#include <cstddef>

namespace claybox::collision {

/// Vertices have the hull's numbers. Everything else is stored along a space-filling curve, so that a walk
/// between neighbours touches few pages. All coordinates are float, in the hull's own axes and relative to
/// `centre`, so bodies far from their own origin lose no precision. Normals and directions have length 1 up
/// to rounding. A flat hull has two faces, a segment one edge without faces, a point one vertex without
/// edges.
struct FeatureHull {
    /// Its edges are spokes[first_spoke .. + spoke_count).
    struct Vertex {
        Vec3f at;
        std::uint32_t first_spoke = 0, spoke_count = 0;
    };
    /// An edge as seen from one of its vertices. The boundary of the vertex's region is perpendicular to its
    /// spokes.
    struct Spoke {
        Vec3f direction;  ///< away from the vertex
        std::uint32_t edge = 0;
    };
    /// The edge's region is between the planes through its ends and outside the planes towards its faces.
    struct alignas(64) Edge {
        Vec3f tail_at, along;  ///< from tail to head, with the edge's length
        Vec3f into[2];         ///< perpendicular to the edge, into each face
        std::uint32_t tail = 0, head = 0;
        std::uint32_t face[2] = {kNoIndex, kNoIndex};
    };
    /// Its sides are sides[first_side .. the next face's first_side). An extra face ends the list.
    struct Face {
        Vec3f normal, at;  ///< outward normal; one of the face's vertices
        std::uint32_t first_side = 0;
        std::uint32_t corner[3] = {};  ///< three distant vertices, which define the plane in any frame
    };
    /// A bounding edge as seen from its face. The face's region is the prism inside all its sides.
    struct Side {
        Vec3f into, at;  ///< perpendicular to the edge, into the face; start of the edge
        std::uint32_t edge = 0, vertex = 0;
    };

    Vec3f centre;
    float extent = 0;  ///< largest coordinate of a vertex relative to the centre
    bool flat = false;
    std::vector<Vertex> vertices;
    std::vector<Spoke> spokes;
    std::vector<Edge> edges;
    std::vector<Face> faces;
    std::vector<Side> sides;
    /// The faces' planes again, one array per coordinate. A point's height above face f is
    /// plane_x[f] x + plane_y[f] y + plane_z[f] z - plane_offset[f]. Padded with face 0.
    std::vector<float> plane_x, plane_y, plane_z, plane_offset;

    std::uint32_t face_count() const {
        return faces.empty() ? 0 : static_cast<std::uint32_t>(faces.size() - 1);
    }
    std::size_t memory_bytes() const;
};

/// For any hull. O(vertices log vertices).
FeatureHull make_feature_hull(const ConvexHull& hull);

struct HighestFace {
    std::uint32_t face = kNoIndex;
    float height = 0;
};

/// The face with the largest height of the point above its plane; negative if the point is below all planes.
/// The point is relative to the hull's centre. The first of equals. Reads all planes.
HighestFace highest_face(const FeatureHull& hull, const Vec3f& point);

/// The face where the ray from vertex `from` through `point` leaves the hull; kNoIndex if rounding hides it.
/// The point must be below all faces. Reads all planes.
std::uint32_t exit_face_of(const FeatureHull& hull, std::uint32_t from, const Vec3f& point);

}  // namespace claybox::collision
