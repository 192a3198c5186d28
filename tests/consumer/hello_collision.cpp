#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

int main() {
    PolygonList mesh;  // polygons as lists of vertex indices, metres
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::uint32_t faces[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    for (const auto& face : faces) mesh.add_polygon(face);
    const auto a = Shape::from_polygons(mesh);
    const auto b = make_primitive_shape(Primitive::torus, 400, 1.0f, 1);
    if (!a || !b) return 2;  // a.error().text() says why

    Scratch scratch;
    PairCache cache;  // remembers between calls; one per pair
    const auto query = make_pair_query(*a.value(), {}, *b.value(), to_matrix({{}, {0.5, 0, 0}}), scratch);
    const auto result = run_query(*find_pair_algorithm("edge_polygon"), query, cache);
    std::puts(to_string(result.verdict));  // "colliding": exact, and touching counts
}
