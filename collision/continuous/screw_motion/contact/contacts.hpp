#pragma once
// The final steps of section 9: exact times and places of the candidates, properness, and the resolution of
// all contact types into VF, FV and EE.

#include "collision/continuous/query.hpp"
#include "collision/continuous/screw_motion/contact/roots.hpp"
#include "collision/continuous/screw_motion/screen/scan.hpp"

namespace claybox::collision {

/// The types of section 5, the feature of A first.
enum class ContactType : unsigned char {
    vertex_vertex,
    edge_vertex,
    vertex_edge,
    edge_edge,
    vertex_face,
    face_vertex
};
const char* to_string(ContactType type);

/// One contact of a piece. Places in F, features by index of the mesh.
struct PieceContact {
    double tau = 0;
    Vec3d point, normal;  ///< normal: unit, from A to B
    FeatureKind kind_a = FeatureKind::none, kind_b = FeatureKind::none;
    std::uint32_t a = 0, b = 0;
    double properness = 1;
    ContactType type = ContactType::edge_edge;  ///< before resolution
    bool approach = false;  ///< the pixels are near each other, but the features do not touch
};

struct ContactSettings {
    /// Contacts with a smaller properness are dropped.
    double threshold = -0.1;
    /// Solve for exact times; otherwise times and places come from the pixels.
    bool refine = true;
    /// Report candidates that do not touch, too: approaches within about a pixel.
    bool approaches = false;
    bool first_only = false;  ///< contacts after the first one may be left out
    bool cull = true;         ///< drop contacts on parts that face away, like the drawing
    double pixel = 0;         ///< metres
    double screen_error = 0;  ///< metres: error of places on the screen, besides bends
    double time_resolution = 0;
};

/// Counts of one screen.
struct ContactCounts {
    std::size_t candidates = 0, solved = 0;
    int most_iterations = 0;  ///< of Newton's method for one vertex and face
};

/// Bounds of B's motion for the general kind of path, for points of B.
struct MotionBounds {
    double turn = 0, speed = 0, acceleration = 0;
};
MotionBounds motion_bounds(const ScrewPiece& piece, const Vec3d& centre_w, double radius);

struct ContactMemory {
    IndexPairTable table;
    /// Directions of an edge and in its faces, perpendicular to it.
    struct EdgeFrame {
        Vec3d along, left, right;
        std::uint64_t stamp = 0;
    };
    std::vector<EdgeFrame> frames[2];  ///< per edge of A and of B; valid if the stamps are equal
    std::uint64_t stamp = 0;
    std::vector<Vec3d> edges;  ///< around one vertex
};

/// The contacts of the candidates in `scan`, without duplicates, in no particular order. With `more`, they
/// are added to those of the same piece in `out`.
void find_contacts(const ScrewPiece& piece, const ContactSettings& settings, const MotionBounds& bounds,
                   const SideScreen& a, const SideScreen& b, const ScanMemory& scan, ContactMemory& memory,
                   std::vector<PieceContact>& out, ContactCounts& counts, bool more = false);

/// Where a point of the plane of a polygon lies.
struct PolygonPlace {
    enum class Kind : unsigned char { outside, inside, on_edge, on_vertex } kind = Kind::outside;
    std::uint32_t index = 0;  ///< of the corner, or of the corner before the edge
};
/// `points[loop[i]]` are the corners; any simple or keyhole polygon. Places within `tolerance` of the
/// boundary are on it.
PolygonPlace locate_in_polygon(std::span<const Vec3d> points, std::span<const std::uint32_t> loop,
                               const Vec3d& normal, const Vec3d& p, double tolerance);

}  // namespace claybox::collision
