// Reads arbitrary bytes as a mesh file. The reader must return an error with a message or valid polygons. The
// polygons must build a shape whose classification is consistent, does not depend on the order of the
// polygons, and which collides with itself. The first byte selects the format: 's' STL, 'p' PLY, 'f' OFF, 'g'
// glTF, anything else OBJ.

#include "collision/geometry/classification.hpp"
#include "collision/pairwise/registry.hpp"
#include "engine/assets/readers.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::fuzz {

using namespace collision;

namespace {

bool read(std::string_view text, char format, engine::FileMesh& mesh, engine::FileError& error) {
    switch (format) {
        case 's':
            return engine::read_stl(text, mesh, error);
        case 'p':
            return engine::read_ply(text, mesh, error);
        case 'f':
            return engine::read_off(text, mesh, error);
        case 'g':
            return engine::read_gltf(std::string(text), {}, mesh, error);
        default:
            return engine::read_obj(text, mesh, error);
    }
}

void check_mesh(const engine::FileMesh& mesh) {
    require(mesh.positions.size() % 3 == 0 && !mesh.positions.empty(), "no vertices");
    for (const float c : mesh.positions) require(std::abs(c) <= 0x1p60f, "a coordinate above the limit");
    require(mesh.begin.size() > 1 && mesh.begin.front() == 0 && mesh.begin.back() == mesh.indices.size(),
            "polygons that do not cover the indices");
    for (std::size_t p = 0; p + 1 < mesh.begin.size(); ++p)
        require(mesh.begin[p] + 3 <= mesh.begin[p + 1], "a polygon with fewer than three corners");
    for (const std::uint32_t i : mesh.indices)
        require(i < mesh.positions.size() / 3, "an index out of range");
}

PolygonList polygons_of(const engine::FileMesh& mesh) {
    PolygonList out;
    for (std::size_t i = 0; i < mesh.positions.size(); i += 3)
        out.positions.push_back({mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]});
    out.begin = mesh.begin;
    out.indices = mesh.indices;
    return out;
}

/// The same polygons in the opposite order, each with another first corner.
PolygonList reordered(const PolygonList& list) {
    PolygonList out;
    out.positions = list.positions;
    for (std::size_t p = list.polygon_count(); p-- > 0;) {
        const auto loop = list.polygon(p);
        std::vector<std::uint32_t> turned(loop.begin(), loop.end());
        std::rotate(turned.begin(), turned.begin() + 1, turned.end());
        out.add_polygon(turned);
    }
    return out;
}

void check_counts(const Classification& c, const Polyhedron& built) {
    const Topology& t = *built.topology;
    require(c.vertices == t.vertex_count && t.vertex_count == built.positions.size(), "wrong vertex count");
    require(c.edges == t.edges.size() && c.polygons == t.polygon_count(), "wrong edge or polygon count");
    // A polygon with n corners always has n - 2 triangles, even if it is degenerate.
    require(c.triangles + 2 * c.polygons == t.half_edge_count(), "wrong triangle count");
    for (const Triangle& triangle : t.triangles)
        for (const std::uint32_t v : triangle.vertices)
            require(v < t.vertex_count, "a triangle with a vertex out of range");
    require(c.closed == (c.boundary_edges == 0), "closed contradicts the number of boundary edges");
    require(c.manifold == (c.nonmanifold_edges == 0),
            "manifold contradicts the number of non-manifold edges");
    if (c.convex) require(c.closed && c.manifold && c.oriented, "convex but not a closed surface");
    if (c.genus) {
        require(c.closed && c.manifold && c.oriented && c.components == 1,
                "a genus without a closed surface");
        require(*c.genus >= 0, "a negative genus");
    }
}

void check_same(const Classification& a, const Classification& b) {
    require(a.vertices == b.vertices && a.edges == b.edges && a.polygons == b.polygons,
            "counts depend on the order of polygons");
    require(a.closed == b.closed && a.manifold == b.manifold && a.oriented == b.oriented,
            "surface properties depend on the order of polygons");
    require(a.planar_polygons == b.planar_polygons && a.convex_polygons == b.convex_polygons,
            "polygon properties depend on the order of polygons");
    // The first corner of a bent polygon determines its triangulation, and so its surface.
    if (a.planar_polygons) require(a.convex == b.convex, "convexity depends on the order of polygons");
    require(a.components == b.components && a.genus == b.genus,
            "components or genus depend on the order of polygons");
    require(a.degenerate_polygons == b.degenerate_polygons && a.vertex_fans_ok == b.vertex_fans_ok,
            "defects depend on the order of polygons");
}

/// Every exact algorithm must find that the shape collides with itself.
void check_self_collision(const Shape& shape) {
    constexpr std::size_t kMaxTriangles = 200;
    if (shape.topology().triangles.size() > kMaxTriangles) return;
    Scratch scratch;
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        PairQuery q = make_pair_query(shape, {}, shape, {}, scratch);
        if (!algorithm->exact || !applicable(*algorithm, q.a, q.b)) continue;
        std::shared_ptr<const Prepared> prepared;
        if (algorithm->prepare != nullptr) prepared = algorithm->prepare(shape, shape.geometry());
        q.a.prepared = q.b.prepared = prepared.get();
        q.parameters = default_values(algorithm->parameters);
        std::vector<std::byte> pool(algorithm->cache_bytes == nullptr ? 0
                                                                      : algorithm->cache_bytes(shape, shape));
        PairCache cache;
        cache.set_pool(pool);
        const PairResult r = run_query(*algorithm, q, cache);
        if (r.status == QueryStatus::not_applicable) continue;  // found out by prepare()
        require(r.verdict == Verdict::colliding, "a shape does not collide with itself", algorithm->id);
        require(certify(q, r), "certify() rejects the certificate", algorithm->id);
    }
}

void run(std::string_view bytes) {
    const char format = bytes.empty() ? 'o' : bytes.front();
    bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));
    engine::FileMesh mesh;
    engine::FileError error;
    if (!read(bytes, format, mesh, error)) {
        require(!error.message.empty(), "an error without a message");
        return;
    }
    check_mesh(mesh);
    const PolygonList polygons = polygons_of(mesh);
    const auto built = build_polyhedron(polygons);
    require(built.ok(), "the library rejects a mesh that the reader accepts");
    const Classification c = classify(built.value());
    check_counts(c, built.value());
    const auto turned = build_polyhedron(reordered(polygons));
    require(turned.ok(), "the library rejects the mesh in another order");
    check_same(c, classify(turned.value()));
    const auto shape = Shape::from_polygons(polygons);
    require(shape.ok(), "a valid polyhedron does not become a shape");
    require((shape.value()->hull() != nullptr) == c.convex, "convex contradicts the presence of a hull");
    check_self_collision(*shape.value());
}

}  // namespace

}  // namespace claybox::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    claybox::fuzz::run({reinterpret_cast<const char*>(data), size});
    return 0;
}
