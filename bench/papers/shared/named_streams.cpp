#include "bench/papers/shared/named_streams.hpp"

#include "bench/streams/mesh_stream.hpp"

namespace claybox::bench {

using namespace collision;
using namespace streams;

namespace {

/// Chung and Wang's motion: 5 % of the radius and 10 degrees per frame.
Result<JudgedStream> cage(Primitive primitive, std::uint32_t vertices, std::uint64_t seed) {
    CageSettings settings;
    settings.primitive = primitive;
    settings.vertices = vertices;
    settings.filled = primitive == Primitive::rod_hull ? 0.4 : 0.1;
    settings.filled_by_balls = true;
    settings.seed = seed;
    const auto stream = record_cage(settings, 40);
    if (!stream) return stream.error();
    return judge(stream.value(), 1);
}

Result<JudgedStream> contacts(const Result<ShapePtr>& made, std::uint64_t seed) {
    if (!made) return made.error();
    const auto shape = as_triangles(*made.value());
    if (!shape) return shape.error();
    return record_contacts(shape.value(), shape.value(), 500, seed);
}

Result<JudgedStream> moving_tori(std::uint64_t seed) {
    const auto made = make_primitive_shape(Primitive::torus, 1000, 1, 1);
    if (!made) return made.error();
    const auto shape = as_triangles(*made.value());
    if (!shape) return shape.error();
    return record_moving(shape.value(), 20, 40, 1, seed);
}

Result<JudgedStream> stacks(std::uint64_t seed) {
    StackSettings settings;
    settings.seed = seed;
    const auto stream = record_stacks(settings, 40);
    if (!stream) return stream.error();
    return judge(stream.value(), 1);
}

}  // namespace

std::span<const NamedStream> named_streams() {
    static const NamedStream table[] = {
        {"ellipsoids-20", "100 hulls of 20 vertices in a cage", true,
         [](std::uint64_t seed) { return cage(Primitive::ellipsoid_hull, 20, seed); }},
        {"ellipsoids-100", "100 hulls of 100 vertices in a cage", true,
         [](std::uint64_t seed) { return cage(Primitive::ellipsoid_hull, 100, seed); }},
        {"ellipsoids-500", "100 hulls of 500 vertices in a cage", true,
         [](std::uint64_t seed) { return cage(Primitive::ellipsoid_hull, 500, seed); }},
        {"rods-100", "100 rods of 100 vertices in a cage", true,
         [](std::uint64_t seed) { return cage(Primitive::rod_hull, 100, seed); }},
        {"plates-100", "100 plates of 100 vertices in a cage", true,
         [](std::uint64_t seed) { return cage(Primitive::plate_hull, 100, seed); }},
        {"stacks", "boxes on boxes that touch exactly", true, stacks},
        {"tori-contact", "two tori of 1,000 triangles, 1 % before and behind first contact", false,
         [](std::uint64_t seed) {
             return contacts(make_primitive_shape(Primitive::torus, 500, 1, 1), seed);
         }},
        {"flakes-contact", "two tetra-flakes of 864 triangles, 1 % before and behind first contact", false,
         [](std::uint64_t seed) { return contacts(tetra_flake_of(3), seed); }},
        {"tori-moving", "20 tori that move close to each other", false, moving_tori},
    };
    return table;
}

}  // namespace claybox::bench
