#pragma once
// Translates the hits that the module reports into polygons of the clay. Source: Zachmann, thesis, 8.1.

#include "collision/geometry/polyhedron.hpp"
#include "collision/pairwise/query.hpp"

#include <vector>

namespace claybox::app {

/// Adds the polygons of the clay that a hit touches: its polygon, or both polygons at its edge. Either may be
/// the clay's. A diagonal inside a polygon adds nothing, because hits of the polygon report it.
void add_touched_polygons(const collision::Topology& clay, const collision::Hit& hit, bool clay_is_b,
                          std::vector<std::uint32_t>& polygons);

/// Sorts, and removes duplicates: several parts, and passes that are faster than frames, report a polygon
/// several times.
void make_unique(std::vector<std::uint32_t>& polygons);

}  // namespace claybox::app
