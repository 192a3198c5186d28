#pragma once
// How directly two features face each other at a contact. Source: Buss 2004, 5.

#include "collision/core/vec.hpp"

#include <span>

namespace claybox::collision {

/// Properness of a vertex on a face: the least e . n over the unit vectors e along the vertex's edges, away
/// from it. `outward` is the face's unit normal. In [-1, 1]; not negative if the bodies are only outside each
/// other near the vertex. 1 for a vertex without edges.
double vertex_face_properness(std::span<const Vec3d> edges_from_vertex, const Vec3d& outward);

/// An edge at a contact: its direction and the outward unit normals on its left and right, seen from outside.
/// A missing face has a zero normal and does not count.
struct EdgeAtContact {
    Vec3d along, left, right;
};

struct EdgeEdgeProperness {
    double value = -1;      ///< (7)
    double exact = -1;      ///< (6): (7) times the sine between the edges
    Vec3d normal;           ///< unit, from A to B: +- the cross product, with the sign that maximises (7)
    bool parallel = false;  ///< no normal: such contacts are not edge-edge contacts
};

/// Equations (6) and (7). `along` need not be unit vectors. Edges whose sine is below `least_sine` are
/// parallel.
EdgeEdgeProperness edge_edge_properness(const EdgeAtContact& a, const EdgeAtContact& b,
                                        double least_sine = 1e-7);

}  // namespace claybox::collision
