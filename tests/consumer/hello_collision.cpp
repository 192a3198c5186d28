#include <collision/collision.hpp>

#include <cstdio>

using namespace claybox::collision;

int main() {
    // Two meshes in: polygons as lists of vertex indices.
    PolygonList tetrahedron;
    tetrahedron.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const auto& face : {std::array{0u, 2u, 1u}, {0u, 1u, 3u}, {1u, 2u, 3u}, {0u, 3u, 2u}}) {
        tetrahedron.add_polygon(face);
    }
    const Result<ShapePtr> a = Shape::from_polygons(tetrahedron);
    const Result<ShapePtr> b = make_primitive_shape(Primitive::torus, 400, 1.0f, 1);
    if (!a || !b) return std::puts((a ? b : a).error().text().c_str()), 2;

    // An answer out: exact, touching counts as colliding.
    Scratch scratch;
    PairCache cache;
    const Matrix34f shifted = to_matrix({{}, {0.5, 0, 0}});
    const PairQuery query = make_pair_query(*a.value(), Matrix34f{}, *b.value(), shifted, scratch);
    const PairResult result = run_query(*find_pair_algorithm("edge_polygon"), query, cache);
    std::printf("%s\n", to_string(result.verdict));
}
