#include "collision/geometry/primitives/primitives.hpp"

#include "collision/geometry/primitives/generators.hpp"

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

// Our choice: Chung and Wang, 1996, §6 name the three shapes but not their proportions.
constexpr Vec3d kEllipsoid{1, 0.7, 0.5}, kRod{1, 0.1, 0.1}, kPlate{1, 1, 0.1};

PolygonList generate(Primitive primitive, std::uint32_t target_count, double radius, std::uint64_t seed) {
    target_count = std::clamp<std::uint32_t>(target_count, 10, 1000000);
    switch (primitive) {
        case Primitive::box:
            return generators::box(target_count, radius);
        case Primitive::tetrahedron:
            return generators::tetrahedron(target_count, radius);
        case Primitive::uv_sphere:
            return generators::uv_sphere(target_count, radius);
        case Primitive::ellipsoid_hull:
            return generators::hull_of_samples(target_count, radius, kEllipsoid, seed);
        case Primitive::rod_hull:
            return generators::hull_of_samples(target_count, radius, kRod, seed);
        case Primitive::plate_hull:
            return generators::hull_of_samples(target_count, radius, kPlate, seed);
        case Primitive::cylinder:
            return generators::cylinder(target_count, radius);
        case Primitive::cone:
            return generators::cone(target_count, radius);
        case Primitive::torus:
            return generators::torus(target_count, radius);
        case Primitive::hyperboloid:
            return generators::hyperboloid(target_count, radius);
        case Primitive::tetra_flake:
            return generators::tetra_flake(target_count, radius);
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

PolygonList make_primitive(Primitive primitive, std::uint32_t target_count, std::uint64_t seed) {
    return generate(primitive, target_count, 1.0, seed);
}

Result<ShapePtr> make_primitive_shape(Primitive primitive, std::uint32_t target_count, float radius,
                                      std::uint64_t seed) {
    // Outside this range floats would be too coarse for the finest shapes, or their squares would leave the
    // range of float.
    constexpr float kSmallest = 1e-6f, kLargest = 1e6f;
    if (!(radius >= kSmallest && radius <= kLargest))
        return Error{"a primitive needs a radius from 1e-6 m to 1e6 m", {}, 0};
    const PolygonList polygons = generate(primitive, target_count, static_cast<double>(radius), seed);
    if (is_hull(primitive)) return Shape::from_hull(polygons.positions, info(primitive).id);
    return Shape::from_polygons(polygons, info(primitive).id);
}

}  // namespace claybox::collision
