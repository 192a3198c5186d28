#pragma once
// A hull as vertices, edges and faces with the planes between their Voronoi regions, for walks over pairs of
// closest features. Laid out so that one test of a feature reads one or two cache lines.

#include "collision/geometry/hull.hpp"

#include <cstddef>

namespace claybox::collision {

/// Vertices have the hull's numbers. Everything else is stored along a curve through space, so that a walk
/// from neighbour to neighbour stays among few pages. All coordinates are float, in the hull's own axes,
/// taken from `centre`, so that a body far from its own origin loses nothing. Normals and directions have
/// length 1 as rounded. Flat hulls have two faces, segments one edge without faces, points one vertex without
/// edges.
struct FeatureHull {
    /// Its edges are spokes[first_spoke .. + spoke_count).
    struct Vertex {
        Vec3f at;
        std::uint32_t first_spoke = 0, spoke_count = 0;
    };
    /// An edge as its vertex sees it. The vertex's region ends where one goes along a spoke.
    struct Spoke {
        Vec3f direction;  ///< away from the vertex
        std::uint32_t edge = 0;
    };
    /// The edge's region lies between the planes through its ends and outside those towards its faces.
    struct alignas(64) Edge {
        Vec3f tail_at, along;  ///< from tail to head, the edge's own length
        Vec3f into[2];         ///< square to the edge, into each face
        std::uint32_t tail = 0, head = 0;
        std::uint32_t face[2] = {kNoIndex, kNoIndex};
    };
    /// Its sides are sides[first_side .. the next face's first_side); one face more ends the list.
    struct Face {
        Vec3f normal, at;  ///< outward; one of the face's vertices
        std::uint32_t first_side = 0;
        std::uint32_t corner[3] = {};  ///< vertices far from each other: they tell the plane in any frame
    };
    /// A bounding edge as its face sees it; the face's region is the prism inside all of them.
    struct Side {
        Vec3f into, at;  ///< square to the edge, into the face; where the edge starts
        std::uint32_t edge = 0, vertex = 0;
    };

    Vec3f centre;
    float extent = 0;  ///< largest coordinate of a vertex, taken from the centre
    bool flat = false;
    std::vector<Vertex> vertices;
    std::vector<Spoke> spokes;
    std::vector<Edge> edges;
    std::vector<Face> faces;
    std::vector<Side> sides;
    /// The faces' planes once more, one array per coordinate: a point's height above face f is
    /// plane_x[f] x + plane_y[f] y + plane_z[f] z - plane_offset[f]. Padded with face 0.
    std::vector<float> plane_x, plane_y, plane_z, plane_offset;

    std::uint32_t face_count() const {
        return faces.empty() ? 0 : static_cast<std::uint32_t>(faces.size() - 1);
    }
    std::size_t memory_bytes() const;
};

/// Of any hull. O(vertices log vertices).
FeatureHull make_feature_hull(const ConvexHull& hull);

struct HighestFace {
    std::uint32_t face = kNoIndex;
    float height = 0;
};

/// The face whose plane the point is highest above, negative when it is below all; the point from the hull's
/// centre. The first of equals. Reads all planes.
HighestFace highest_face(const FeatureHull& hull, const Vec3f& point);

/// Where the ray from vertex `from` through `point`, which lies below all faces, leaves the hull: the face,
/// or kNoIndex when rounding hides it. Reads all planes.
std::uint32_t face_beyond(const FeatureHull& hull, std::uint32_t from, const Vec3f& point);

}  // namespace claybox::collision
