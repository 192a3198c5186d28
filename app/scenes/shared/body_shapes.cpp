#include "app/scenes/shared/body_shapes.hpp"

#include "app/potter/shapes/clay_shapes.hpp"
#include "app/scenes/shared/solid_shapes.hpp"
#include "collision/core/trig.hpp"
#include "collision/geometry/primitives/primitives.hpp"

#include <algorithm>
#include <charconv>

namespace claybox::app {

using collision::PolygonList;
using collision::Primitive;
using collision::Result;
using collision::ShapePtr;
using collision::Vec3d;

namespace {

/// The solids first, in the order of Solid.
constexpr const char* kNames[] = {"dodecahedron",
                                  "truncated_octahedron",
                                  "ball",
                                  "cube",
                                  "rhombic_dodecahedron",
                                  "icosahedron",
                                  "hexagonal_rod",
                                  "cuboctahedron",
                                  "octahedron",
                                  "octagonal_slab",
                                  "tetrahedron",
                                  "cylinder",
                                  "cone",
                                  "ring",
                                  "gear",
                                  "vase",
                                  "hyperboloid",
                                  "tetra_flake"};
constexpr std::string_view kMesh = "mesh";
constexpr std::size_t kMaxMeshNumber = 9999;
constexpr int kBallCorners = 60;
constexpr std::uint64_t kBallSeed = 7;

std::size_t index_of(std::string_view name) {
    return static_cast<std::size_t>(std::find(std::begin(kNames), std::end(kNames), name) - kNames);
}

/// The mesh of a name after the solids, of any size.
PolygonList generated(std::string_view name) {
    if (name == "ring") return collision::make_primitive(Primitive::torus, 400, 1);
    if (name == "gear") return gear_mesh(12);
    if (name == "vase") return make_clay(ClayShape::vase, 800);
    if (name == "hyperboloid") return collision::make_primitive(Primitive::hyperboloid, 300, 1);
    if (name == "tetra_flake") return collision::make_primitive(Primitive::tetra_flake, 244, 1);
    if (name == "cylinder") return collision::make_primitive(Primitive::cylinder, 40, 1);
    if (name == "cone") return collision::make_primitive(Primitive::cone, 24, 1);
    return collision::make_primitive(Primitive::tetrahedron, 4, 1);
}

}  // namespace

std::span<const char* const> body_shape_names() {
    return kNames;
}

std::size_t mesh_number(std::string_view name) {
    if (!name.starts_with(kMesh)) return 0;
    std::size_t number = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kMesh.size(), end, number);
    return read.ec == std::errc{} && read.ptr == end && number <= kMaxMeshNumber ? number : 0;
}

bool is_body_shape(std::string_view name) {
    return index_of(name) < std::size(kNames) || mesh_number(name) > 0;
}

std::string body_shape_list() {
    std::string out;
    for (const char* name : kNames) out += std::string(name) + ", ";
    return out + "mesh1, mesh2 and so on";
}

std::string shape_title(std::string_view name, std::span<const ShapePtr> meshes) {
    if (const std::size_t n = mesh_number(name); n > 0 && n <= meshes.size()) return meshes[n - 1]->name();
    std::string out(name);
    std::replace(out.begin(), out.end(), '_', ' ');
    return out;
}

Result<ShapePtr> make_body_shape(std::string_view name, double size, std::span<const ShapePtr> meshes) {
    const auto radius = static_cast<float>(size / 1000);
    if (const std::size_t n = mesh_number(name); n > 0) {
        if (n > meshes.size())
            return collision::Error{"there is no mesh " + std::to_string(n) + " among the mesh files", {}, 0};
        return fit_mesh(*meshes[n - 1], radius);
    }
    const std::size_t index = index_of(name);
    if (index < kSolidCount) return make_solid(static_cast<Solid>(index), kBallCorners, radius, kBallSeed);
    if (index == std::size(kNames))
        return collision::Error{"unknown shape '" + std::string(name) + "'", {}, 0};
    const auto shape = collision::Shape::from_polygons(generated(name), shape_title(name, {}));
    if (!shape) return shape.error();
    return fit_mesh(*shape.value(), radius);
}

Result<ShapePtr> fit_mesh(const collision::Shape& mesh, float radius) {
    PolygonList list;
    const collision::Topology& t = mesh.topology();
    const Vec3d centre = collision::cast<double>(mesh.geometry().box.centre());
    double reach = 0;
    for (const collision::Vec3f& p : mesh.geometry().positions)
        reach = std::max(reach, length(collision::cast<double>(p) - centre));
    if (!(reach > 0)) return collision::Error{"the mesh \"" + mesh.name() + "\" is a single point", {}, 0};
    for (const collision::Vec3f& p : mesh.geometry().positions)
        list.positions.push_back(collision::cast<float>((collision::cast<double>(p) - centre) *
                                                        (static_cast<double>(radius) / reach)));
    list.begin = t.polygon_begin;
    list.indices = t.origin;
    return collision::Shape::from_polygons(list, mesh.name());
}

/// Three rings of points at each end, quads between them.
PolygonList gear_mesh(std::uint32_t teeth) {
    constexpr double kHole = 0.35, kRoot = 0.75, kTip = 1, kHalfThickness = 0.2;
    PolygonList mesh;
    const std::uint32_t n = 4 * teeth;  // points of the outline: two at a root, two at a tip
    for (const double y : {-kHalfThickness, kHalfThickness})
        for (const bool outside : {false, true})
            for (std::uint32_t i = 0; i < n; ++i) {
                const double r = outside ? (i % 4 < 2 ? kRoot : kTip) : kHole;
                const collision::SinCos angle = collision::sin_cos(2 * collision::kPi * i / n);
                mesh.positions.push_back({static_cast<float>(r * angle.cos), static_cast<float>(y),
                                          static_cast<float>(r * angle.sin)});
            }
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        const std::uint32_t loop[] = {a, b, c, d};
        mesh.add_polygon(loop);
    };
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n, in = 0, out = n, top_in = 2 * n, top_out = 3 * n;
        quad(in + i, out + i, out + j, in + j);                  // lower end
        quad(top_in + i, top_in + j, top_out + j, top_out + i);  // upper end
        quad(out + i, top_out + i, top_out + j, out + j);        // outside
        quad(in + i, in + j, top_in + j, top_in + i);            // hole
    }
    return mesh;
}

}  // namespace claybox::app
