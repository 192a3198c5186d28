#pragma once
/// \file
/// The pairs that the paper measures and shows: cubes, cars (figure 12) and tori (figure 13). For scenes,
/// tests and measurements.

#include "collision/continuous/query.hpp"

namespace claybox::collision {

/// Two bodies, their placements at the start and their motions.
struct ScrewExample {
    const char* title = "";  ///< for menus
    ShapePtr a;              ///< body A
    ShapePtr b;              ///< body B
    Matrix34f matrix_a;      ///< of A at the start
    Matrix34f matrix_b;      ///< of B at the start
    Motion motion_a;         ///< of A
    Motion motion_b;         ///< of B
};

/// The boundary of a torus around the y-axis as around * along quadrangles. Radii in metres: of the circle
/// that the tube follows, and of the tube.
ShapePtr make_torus(std::uint32_t around, std::uint32_t along, double major, double minor);
/// A car in the manner of Fig. 12, with 16 vertices, 26 edges and 12 faces; 4.4 m long along x, 1.4 m high
/// along y, 1.8 m wide. Its wheels' lowest line is y = 0.
ShapePtr make_car();

/// Two cubes of 1 m; A turns by 20 degrees while it moves against B.
ScrewExample cubes_example();
/// Two cars at 150 miles an hour and 30 frames a second: A moves 2.24 m and turns by 20 degrees.
ScrewExample cars_example();
/// Fig. 13: two tori of 300 quadrangles. A passes completely through B in one step; there are exactly three
/// proper collisions.
ScrewExample tori_example();

}  // namespace claybox::collision
