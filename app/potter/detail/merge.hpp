#pragma once
// Clay that passes through itself: finds it, and makes one surface around all of it.

#include "app/potter/detail/clay_mesh.hpp"

namespace claybox::app {

/// Whether vertical lines at a distance of `spacing` metres enter clay that they are in already, or leave
/// clay that they are not in.
bool passes_through_itself(const ClayMesh& mesh, float spacing);

/// The surface around everything that is inside (winding number above 0), from a grid of about `spacing`
/// metres; coarser if the result would have more than `budget` triangles. Closed, oriented, manifold, nothing
/// below the bat. Pieces of a few triangles vanish. Empty if nothing is inside. The mask follows. Linear time
/// in the size of the mesh and the grid. Source: marching tetrahedra, Payne and Toga, 1990.
ClayMesh merged(const ClayMesh& mesh, float spacing, std::size_t budget);

}  // namespace claybox::app
