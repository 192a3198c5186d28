// Any bytes as a mesh file: refused with words or read into polygons in range; what was read becomes a shape
// whose classification is consistent with itself and with the order of the polygons, and which meets itself.
// The first byte chooses the format: 's' STL, 'p' PLY, 'f' OFF, everything else OBJ.

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
        default:
            return engine::read_obj(text, mesh, error);
    }
}

void check_mesh(const engine::FileMesh& mesh) {
    require(mesh.positions.size() % 3 == 0 && !mesh.positions.empty(), "no vertices");
    for (const float c : mesh.positions) require(std::abs(c) <= 0x1p60f, "a coordinate that must not enter");
    require(mesh.begin.size() > 1 && mesh.begin.front() == 0 && mesh.begin.back() == mesh.indices.size(),
            "polygons that do not cover the indices");
    for (std::size_t p = 0; p + 1 < mesh.begin.size(); ++p)
        require(mesh.begin[p] + 3 <= mesh.begin[p + 1], "a polygon of fewer than three corners");
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

/// The same polygons in the opposite order, each of them beginning elsewhere.
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
    require(c.vertices == t.vertex_count && t.vertex_count == built.positions.size(), "vertices miscounted");
    require(c.edges == t.edges.size() && c.polygons == t.polygon_count(), "edges or polygons miscounted");
    // By the number of corners; a degenerate polygon may be triangulated by fewer.
    require(c.triangles + 2 * c.polygons == t.half_edge_count(), "triangles miscounted");
    for (const Triangle& triangle : t.triangles)
        for (const std::uint32_t v : triangle.vertices)
            require(v < t.vertex_count, "a triangle of vertices that are not there");
    require(c.closed == (c.boundary_edges == 0), "closed with borders or the opposite");
    require(c.manifold == (c.nonmanifold_edges == 0), "manifold with branches or the opposite");
    if (c.convex) require(c.closed && c.manifold && c.oriented, "convex but not a closed surface");
    if (c.genus) {
        require(c.closed && c.manifold && c.oriented && c.components == 1, "a genus of no surface");
        require(*c.genus >= 0, "a negative genus");
    }
}

void check_same(const Classification& a, const Classification& b) {
    require(a.vertices == b.vertices && a.edges == b.edges && a.polygons == b.polygons,
            "counts depend on the order");
    require(a.closed == b.closed && a.manifold == b.manifold && a.oriented == b.oriented,
            "the surface depends on the order of polygons");
    require(a.planar_polygons == b.planar_polygons && a.convex_polygons == b.convex_polygons,
            "the kind of polygons depends on their order");
    // The corner at which a bent polygon begins chooses its triangulation, and that is its surface.
    if (a.planar_polygons) require(a.convex == b.convex, "convexity depends on the order of polygons");
    require(a.components == b.components && a.genus == b.genus, "components or genus depend on the order");
    require(a.degenerate_polygons == b.degenerate_polygons && a.vertex_fans_ok == b.vertex_fans_ok,
            "defects depend on the order of polygons");
}

/// Every surface shares points with itself, in every algorithm's opinion.
void check_meets_itself(const Shape& shape) {
    constexpr std::size_t kMostTriangles = 200;
    if (shape.topology().triangles.size() > kMostTriangles) return;
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
        if (r.status == QueryStatus::not_applicable) continue;  // what it prepared says so
        require(r.verdict == Verdict::colliding, "a shape that does not meet itself", algorithm->id);
        require(certify(q, r), "a certificate that certify() refuses", algorithm->id);
    }
}

void run(std::string_view bytes) {
    const char format = bytes.empty() ? 'o' : bytes.front();
    bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));
    engine::FileMesh mesh;
    engine::FileError error;
    if (!read(bytes, format, mesh, error)) {
        require(!error.message.empty(), "refused without words");
        return;
    }
    check_mesh(mesh);
    const PolygonList polygons = polygons_of(mesh);
    const auto built = build_polyhedron(polygons);
    require(built.ok(), "what a reader accepts the library refuses");
    const Classification c = classify(built.value());
    check_counts(c, built.value());
    const auto turned = build_polyhedron(reordered(polygons));
    require(turned.ok(), "refused in another order");
    check_same(c, classify(turned.value()));
    const auto shape = Shape::from_polygons(polygons);
    require(shape.ok(), "a polyhedron that makes no shape");
    require((shape.value()->hull() != nullptr) == c.convex, "a hull of what is not convex or the opposite");
    check_meets_itself(*shape.value());
}

}  // namespace

}  // namespace claybox::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    claybox::fuzz::run({reinterpret_cast<const char*>(data), size});
    return 0;
}
