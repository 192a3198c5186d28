#pragma once
// The picture of a collision screen (Buss, Fig. 14), as data for a panel.

#include "collision/continuous/query.hpp"

#include <vector>

namespace claybox::collision {

/// What screw_motion draws for one piece of the relative motion. r is the distance from the axis of the screw
/// and h the height along the spiral perpendicular to the flow, both in metres. For a translation both are
/// coordinates of the plane perpendicular to it.
struct CollisionScreen {
    struct Point {
        double r = 0, h = 0;
        double t = 0;  ///< time to the screen, in durations of the piece
    };
    /// The projection of a part of an edge, as a polyline.
    struct Curve {
        std::vector<Point> points;
        std::uint32_t edge = kNoIndex;  ///< of the topology; kNoIndex for virtual edges and inner diagonals
        bool of_b = false;
        bool is_virtual = false;  ///< bounds a face, but never collides
        bool doppelled = false;   ///< drawn again one turn further
    };
    /// A run of pixels: r from r_low + row * pixel, columns of h from first * pixel to (last + 1) * pixel.
    struct Run {
        std::int32_t row = 0, first = 0, last = 0;
        bool of_b = false;
        bool is_virtual = false;
    };
    /// A pixel that holds a vertex.
    struct Vertex {
        Point at;
        std::uint32_t vertex = 0;
        bool of_b = false;
    };
    /// A contact during this piece; `hit` has its time and place in the world.
    struct Mark {
        double r = 0, h = 0;
        MotionHit hit;
    };

    double pixel = 0;  ///< metres
    std::int32_t rows = 0, columns = 0;
    double r_low = 0;  ///< metres, of row 0
    std::int32_t first_column = 0;
    double angle = 0, pitch = 0;     ///< of this piece: radians and metres
    double error_estimate = 0;       ///< Buss (5), as a fraction of the path
    double start = 0, duration = 1;  ///< of this piece
    std::uint32_t piece = 0, piece_count = 0;
    std::vector<Curve> curves;
    std::vector<Run> runs;
    std::vector<Vertex> vertices;
    std::vector<Mark> marks;
};

/// Draws the screen of the query's parameters (those of screw_motion; unset means defaults) for the piece
/// that contains `time`, or with `time` < 0 for the piece of the first contact. Empty if the bodies do not
/// move relative to each other, or the bounding spheres prove that they cannot touch during the piece.
/// Prepares bodies that are not prepared for screw_motion. Allocates. Thread-safe; uses query.pair.scratch.
CollisionScreen draw_collision_screen(const ContinuousQuery& query, double time = -1);

}  // namespace claybox::collision
