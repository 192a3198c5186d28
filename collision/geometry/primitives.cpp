#include "collision/geometry/primitives.hpp"

#include "collision/geometry/generators.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr PrimitiveInfo kInfo[kPrimitiveCount] = {
    {"box", "Box", true},
    {"tetrahedron", "Tetrahedron", true},
    {"uv_sphere", "Sphere", true},
    {"ellipsoid_hull", "Ellipsoid", true},
    {"rod_hull", "Thin rod", true},
    {"plate_hull", "Flat plate", true},
    {"cylinder", "Cylinder", true},
    {"cone", "Cone", true},
    {"torus", "Torus", false},
    {"hyperboloid", "Hyperboloid", false},
    {"tetra_flake", "Tetra-flake", false},
};

// Ours: Chung and Wang, 1996, §6 name the three shapes but not their proportions.
constexpr Vec3d kEllipsoid{1, 0.7, 0.5}, kRod{1, 0.1, 0.1}, kPlate{1, 1, 0.1};

PolygonList generate(Primitive primitive, std::uint32_t wish, double radius, std::uint64_t seed) {
    wish = std::clamp<std::uint32_t>(wish, 10, 1000000);
    switch (primitive) {
        case Primitive::box:
            return generators::box(wish, radius);
        case Primitive::tetrahedron:
            return generators::tetrahedron(wish, radius);
        case Primitive::uv_sphere:
            return generators::uv_sphere(wish, radius);
        case Primitive::ellipsoid_hull:
            return generators::hull_of_samples(wish, radius, kEllipsoid, seed);
        case Primitive::rod_hull:
            return generators::hull_of_samples(wish, radius, kRod, seed);
        case Primitive::plate_hull:
            return generators::hull_of_samples(wish, radius, kPlate, seed);
        case Primitive::cylinder:
            return generators::cylinder(wish, radius);
        case Primitive::cone:
            return generators::cone(wish, radius);
        case Primitive::torus:
            return generators::torus(wish, radius);
        case Primitive::hyperboloid:
            return generators::hyperboloid(wish, radius);
        case Primitive::tetra_flake:
            return generators::tetra_flake(wish, radius);
    }
    return {};
}

bool is_hull(Primitive primitive) {
    return primitive == Primitive::ellipsoid_hull || primitive == Primitive::rod_hull ||
           primitive == Primitive::plate_hull;
}

}  // namespace

const PrimitiveInfo& info(Primitive primitive) {
    return kInfo[static_cast<std::size_t>(primitive)];
}

PolygonList make_primitive(Primitive primitive, std::uint32_t wish, std::uint64_t seed) {
    return generate(primitive, wish, 1.0, seed);
}

Result<ShapePtr> make_primitive_shape(Primitive primitive, std::uint32_t wish, float radius,
                                      std::uint64_t seed) {
    // Outside of this, floats would be too coarse for the finest shapes, or their squares leave float's
    // range.
    constexpr float kSmallest = 1e-6f, kLargest = 1e6f;
    if (!(radius >= kSmallest && radius <= kLargest))
        return Error{"a start shape needs a radius from 1e-6 m to 1e6 m", {}, 0};
    const PolygonList polygons = generate(primitive, wish, static_cast<double>(radius), seed);
    if (is_hull(primitive)) return Shape::from_hull(polygons.positions, info(primitive).id);
    return Shape::from_polygons(polygons, info(primitive).id);
}

}  // namespace claybox::collision
