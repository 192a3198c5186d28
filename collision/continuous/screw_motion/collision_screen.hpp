#pragma once
/// \file
/// The picture of a collision screen (Buss, figure 14), as data for a panel.

#include "collision/continuous/query.hpp"

#include <vector>

namespace claybox::collision {

/// What screw_motion draws for one piece of the relative motion. r is the distance from the axis of the screw
/// and h the height along the spiral perpendicular to the flow, both in metres. For a translation both are
/// coordinates of the plane perpendicular to it.
struct CollisionScreen {
    /// A place on the screen.
    struct Point {
        double r = 0;  ///< metres
        double h = 0;  ///< metres
        double t = 0;  ///< time to the screen, in durations of the piece
    };
    /// The projection of a part of an edge, as a polyline.
    struct Curve {
        std::vector<Point> points;      ///< from one end to the other
        std::uint32_t edge = kNoIndex;  ///< of the topology; kNoIndex for virtual edges and inner diagonals
        bool of_b = false;              ///< an edge of B, else of A
        bool is_virtual = false;        ///< bounds a face, but never collides
        bool doppelled = false;         ///< drawn again one turn further
    };
    /// A run of pixels: r from r_low + row * pixel, columns of h from first * pixel to (last + 1) * pixel.
    struct Run {
        std::int32_t row = 0;     ///< from 0
        std::int32_t first = 0;   ///< column
        std::int32_t last = 0;    ///< column
        bool of_b = false;        ///< drawn by B, else by A
        bool is_virtual = false;  ///< part of a virtual edge
    };
    /// A pixel that holds a vertex.
    struct Vertex {
        Point at;                  ///< the vertex, not rounded to the pixel
        std::uint32_t vertex = 0;  ///< of the topology
        bool of_b = false;         ///< of B, else of A
    };
    /// A contact during this piece; `hit` has its time and place in the world.
    struct Mark {
        double r = 0;   ///< metres
        double h = 0;   ///< metres
        MotionHit hit;  ///< the contact
    };

    double pixel = 0;               ///< side of a pixel, metres
    std::int32_t rows = 0;          ///< number of rows of pixels
    std::int32_t columns = 0;       ///< number of columns of pixels
    double r_low = 0;               ///< metres, of row 0
    std::int32_t first_column = 0;  ///< number of the leftmost column
    double angle = 0;               ///< of this piece, radians
    double pitch = 0;               ///< of this piece, metres
    double error_estimate = 0;      ///< Buss (5), as a fraction of the path
    double start = 0;               ///< of this piece, in [0, 1]
    double duration = 1;            ///< of this piece, in [0, 1]
    std::uint32_t piece = 0;        ///< number of this piece, from 0
    std::uint32_t piece_count = 0;  ///< number of pieces of the motion
    std::vector<Curve> curves;      ///< edges of both bodies
    std::vector<Run> runs;          ///< the pixels that the edges cover
    std::vector<Vertex> vertices;   ///< of both bodies
    std::vector<Mark> marks;        ///< contacts, in order of time
};

/// Draws the screen of the query's parameters (those of screw_motion; unset means defaults) for the piece
/// that contains `time`, or with `time` < 0 for the piece of the first contact. Empty if the bodies do not
/// move relative to each other, or the bounding spheres prove that they cannot touch during the piece.
/// Prepares bodies that are not prepared for screw_motion. Allocates. Thread-safe; uses query.pair.scratch.
CollisionScreen draw_collision_screen(const ContinuousQuery& query, double time = -1);

}  // namespace claybox::collision
