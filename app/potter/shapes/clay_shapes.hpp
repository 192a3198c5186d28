#pragma once
// Start shapes of the clay: closed bodies on the plane y = 0. Hollow ones have an inner wall.

#include "app/potter/shapes/lathe.hpp"

namespace claybox::app {

enum class ClayShape : unsigned char {
    pot,
    bowl,
    vase,
    cylinder,
    sphere,
    torus,
    hyperboloid,
    tetra_flake,  ///< tetrahedra that touch at corners
    lump,         ///< solid clay as it is thrown on the wheel, without poles
};
inline constexpr int kClayShapeCount = 9;
inline constexpr const char* kClayShapeIds[kClayShapeCount] = {
    "pot", "bowl", "vase", "cylinder", "sphere", "torus", "hyperboloid", "tetra_flake", "lump"};

/// `quadrangles`: as the generator makes them, triangles only at poles and in the flake.
enum class ClayFaces : unsigned char { quadrangles, triangles };
inline constexpr const char* kClayFacesIds[] = {"quadrangles", "triangles"};

/// Closed profile in metres of a body of revolution: from the axis at the bottom, up the outside, over the
/// lip, and down the inside back to the axis. Shapes that are not turned have the profile of the sphere.
std::vector<ProfilePoint> clay_profile(ClayShape shape);

/// A mesh with about `polygons` nearly square polygons, 10 to 1,000,000; as triangles it has the same count.
/// Pot, bowl and vase have at least 500, because coarser walls would intersect. They have the helical grooves
/// of a thrown piece, which fade at foot and lip, and are slightly oval.
collision::PolygonList make_clay(ClayShape shape, std::uint32_t polygons,
                                 ClayFaces faces = ClayFaces::quadrangles);

}  // namespace claybox::app
