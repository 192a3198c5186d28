#include <collision/collision.hpp>
#include <cstdio>

using namespace claybox::collision;

/// Prints what is wrong with a mesh. Returns whether it is the closed surface of a solid.
bool describe(const PolygonList& mesh) {
    const auto shape = Shape::from_polygons(mesh);
    if (!shape) {  // refused
        std::printf("refused: %s\n", shape.error().text().c_str());
        return false;
    }
    const Classification& c = shape.value()->classification();
    for (const Defect& defect : c.defects)
        std::printf("%s at %s\n", to_string(defect.kind), describe_location(defect).c_str());
    const bool solid = c.closed && c.manifold && c.oriented;
    std::printf("%u polygons, %s, %s\n", c.polygons, solid ? "solid" : "only a surface",
                c.convex ? "convex" : "not convex");
    return solid;
}

int main() {
    PolygonList mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::uint32_t faces[][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}};  // one face of four is missing
    for (const auto& face : faces) mesh.add_polygon(face);
    describe(mesh);

    const std::uint32_t last[] = {0, 3, 2};
    mesh.add_polygon(last);
    describe(mesh);

    mesh.positions[3].z = 1 / 0.0f;
    describe(mesh);
}
