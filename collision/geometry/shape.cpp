#include "collision/geometry/shape.hpp"

#include "collision/core/state_hash.hpp"
#include "collision/geometry/polygons/polygon_plane.hpp"
#include "collision/geometry/transform.hpp"
#include "collision/simd/float4.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace claybox::collision {

namespace {

/// A point and a zero.
inline Float4 as_float4(const Vec3f& p) {
    using Two = double __attribute__((vector_size(16)));  // x and y as bits, so two loads are enough
    double xy;
    __builtin_memcpy(&xy, &p, sizeof xy);
    return __builtin_shufflevector(Float4(Two{xy, 0}), Float4{p.z, 0, 0, 0}, 0, 1, 4, 5);
}

inline Aabb box_of(Float4 low, Float4 high) {
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/// The box of the polygon's corners, of which there are at least three.
[[gnu::always_inline]] inline void update_polygon(Geometry& g, std::uint32_t p) {
    const auto loop = g.topology->loop(p);
    const auto corner = [&](std::size_t i) { return as_float4(g.positions[loop[i]]); };
    const Float4 a = corner(0), b = corner(1), c = corner(2);
    Float4 low = min4(min4(a, b), c), high = max4(max4(a, b), c);
    for (std::size_t i = 3; i < loop.size(); ++i) low = min4(low, corner(i)), high = max4(high, corner(i));
    g.polygon_boxes[p] = box_of(low, high);
}

/// Adds two numbers at a time, for speed with large meshes.
void add_indices(StateHash& hash, std::span<const std::uint32_t> indices) {
    hash.add(std::uint64_t{indices.size()});
    std::size_t i = 0;
    for (; i + 1 < indices.size(); i += 2) hash.add(std::uint64_t{indices[i]} << 32 | indices[i + 1]);
    if (i < indices.size()) hash.add(std::uint64_t{indices[i]});
}

/// The content hash is a sum over vertices, so it does not depend on their order and a deformation can update
/// it. A vertex adds both halves of a product. No factor is zero: as coordinates, the upper halves of the
/// constants would not be numbers.
inline std::uint64_t vertex_hash(std::uint32_t vertex, const Vec3f& p) {
    __extension__ using Product = unsigned __int128;
    const std::uint64_t xy =
        std::uint64_t{std::bit_cast<std::uint32_t>(p.x)} << 32 | std::bit_cast<std::uint32_t>(p.y);
    const std::uint64_t zv = std::uint64_t{std::bit_cast<std::uint32_t>(p.z)} << 32 | vertex;
    const Product product = Product{xy ^ 0xffd1b54a32d192edull} * (zv ^ 0x7fbfa2e0e2b7c6d5ull);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t content_of(const Topology& t, std::span<const Vec3f> positions) {
    StateHash hash;
    add_indices(hash, t.polygon_begin);
    add_indices(hash, t.origin);
    for (const Triangle& triangle : t.triangles) add_indices(hash, triangle.vertices);
    std::uint64_t sum = hash.value();
    for (std::uint32_t v = 0; v < positions.size(); ++v) sum += vertex_hash(v, positions[v]);
    return sum;
}

/// Equal polyhedra can have hulls with different vertex numbers, and caches store those numbers, so the hull
/// enters the hash.
std::uint64_t content_of(const ConvexHull& hull) {
    StateHash hash;
    add_indices(hash, hull.neighbour_begin);
    add_indices(hash, hull.neighbours);
    std::uint64_t sum = hash.value();
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) sum += vertex_hash(v, hull.vertex(v));
    return mix64(sum);
}

template <class T>
std::size_t bytes(const std::vector<T>& v) {
    return v.capacity() * sizeof(T);
}

Status check_changes(const Geometry& geometry, std::span<const VertexChange> changes) {
    for (const VertexChange& c : changes) {
        if (c.vertex >= geometry.positions.size())
            return Error{"a deformation refers to vertex " + std::to_string(c.vertex) + "; the mesh has " +
                             std::to_string(geometry.positions.size()) + " vertices",
                         {},
                         0};
        constexpr auto kMax = static_cast<float>(kMaxMagnitude);
        const Vec3f& p = c.position;
        // Comparisons with NaN are false.
        if (!(std::fabs(p.x) <= kMax && std::fabs(p.y) <= kMax && std::fabs(p.z) <= kMax))
            return Error{"a deformation moves vertex " + std::to_string(c.vertex) +
                             " to a coordinate that is not finite or has a magnitude above 2^60",
                         {},
                         0};
    }
    return Done{};
}

/// The box of a run of polygons. Reads each box as two overlapping vectors.
void update_run(Geometry& g, std::size_t run) {
    static_assert(sizeof(Aabb) == 6 * sizeof(float));
    const std::size_t begin = run * kBoxRun, end = std::min(begin + kBoxRun, g.polygon_boxes.size());
    const float* const first = &g.polygon_boxes[begin].min.x;
    Float4 low = load4(first), high = load4(first + 2);
    for (const float* at = first; at != first + 6 * (end - begin); at += 6)
        low = min4(low, load4(at)), high = max4(high, load4(at + 2));
    g.run_boxes[run] = {{low[0], low[1], low[2]}, {high[1], high[2], high[3]}};
}

/// The box with the moved vertices. Of several changes of one vertex the last one counts.
Aabb grown_box(const Geometry& g, std::span<const VertexChange> changes) {
    Float4 low = as_float4(g.box.min), high = as_float4(g.box.max);
    for (const VertexChange& c : changes) {
        const Float4 p = as_float4(g.positions[c.vertex]);
        low = min4(low, p), high = max4(high, p);
    }
    return box_of(low, high);
}

/// Marks polygons given in ascending order; those of one run with one access to the memory.
inline void mark(Geometry& g, std::span<const std::uint32_t> polygons) {
    for (std::size_t i = 0; i < polygons.size();) {
        const std::uint32_t run = polygons[i] / kBoxRun;
        std::uint64_t bits = 0;
        do bits |= std::uint64_t{1} << polygons[i] % kBoxRun;
        while (++i < polygons.size() && polygons[i] / kBoxRun == run);
        g.marks[run] |= bits;
    }
}

/// Updates all marked polygons, which are in the runs `first` to `last`, and clears the marks. Reading a bit
/// set yields them sorted and without duplicates, cheaper than sorting a list.
void update_marked(Geometry& g, std::size_t first, std::size_t last, std::vector<std::uint32_t>& touched) {
    for (std::size_t run = first; run <= last; ++run) {
        if (g.marks[run] == 0) continue;
        for (std::uint64_t bits = std::exchange(g.marks[run], 0); bits != 0; bits &= bits - 1) {
            const auto p = static_cast<std::uint32_t>(run * kBoxRun) +
                           static_cast<std::uint32_t>(std::countr_zero(bits));
            update_polygon(g, p);
            touched.push_back(p);
        }
        update_run(g, run);
    }
}

}  // namespace

Vec3f polygon_normal(const Geometry& geometry, std::uint32_t polygon) {
    const Vec3d area = best_fit_plane(geometry.positions, geometry.topology->loop(polygon)).area;
    return cast<float>(normalized(area, Vec3d{}));
}

Geometry make_geometry(Polyhedron polyhedron) {
    Geometry g;
    g.topology = std::move(polyhedron.topology);
    g.positions = std::move(polyhedron.positions);
    const std::uint32_t n = g.topology->polygon_count();
    g.polygon_boxes.resize(n);
    for (std::uint32_t p = 0; p < n; ++p) update_polygon(g, p);
    g.run_boxes.resize((n + kBoxRun - 1) / kBoxRun);
    g.marks.resize(g.run_boxes.size());
    for (std::size_t run = 0; run < g.run_boxes.size(); ++run) update_run(g, run);
    g.box = bound(g.positions);
    g.content = content_of(*g.topology, g.positions);
    return g;
}

Status deform(Geometry& geometry, std::span<const VertexChange> changes,
              std::vector<std::uint32_t>& touched) {
    touched.clear();
    if (Status status = check_changes(geometry, changes); !status) return status;
    const Topology& t = *geometry.topology;
    const Float4 low = as_float4(geometry.box.min), high = as_float4(geometry.box.max);
    Int4 on_box = splat_int4(0);  // per axis: whether a moved vertex was on the box
    std::uint32_t first = kNoIndex, last = 0;
    for (const VertexChange& c : changes) {
        Vec3f& p = geometry.positions[c.vertex];
        const Float4 before = as_float4(p);
        on_box |= Int4(before == low) | Int4(before == high);
        geometry.content -= vertex_hash(c.vertex, p);
        p = c.position + Vec3f{};  // -0 becomes 0, as when a mesh is built
        geometry.content += vertex_hash(c.vertex, p);
        const auto around = t.polygons_around(c.vertex);
        if (around.empty()) continue;
        mark(geometry, around);
        first = std::min(first, around.front()), last = std::max(last, around.back());
    }
    if (first <= last) update_marked(geometry, first / kBoxRun, last / kBoxRun, touched);
    const bool box_may_shrink = (on_box[0] | on_box[1] | on_box[2]) != 0;
    geometry.box = box_may_shrink ? bound(geometry.positions) : grown_box(geometry, changes);
    ++geometry.version;
    return Done{};
}

void Shape::set_classification(Classification classification) {
    classification_ = std::move(classification);
    if (classification_.defects.size() <= kMaxKeptDefects) return;
    classification_.defects.resize(kMaxKeptDefects);
    classification_.defects.shrink_to_fit();
}

void Shape::set_hull(ConvexHull hull) {
    geometry_.content += content_of(hull);
    hull_ = std::make_unique<const ConvexHull>(std::move(hull));
}

namespace {

/// Algorithms that test surfaces need a polygon of points and segments too: one that repeats a vertex.
PolygonList surface_of_line(const ConvexHull& hull) {
    PolygonList out;
    out.positions = hull.faces.positions;
    const std::uint32_t last = hull.vertex_count - 1;
    out.add_polygon(std::array<std::uint32_t, 3>{0, last, last});
    return out;
}

}  // namespace

Result<ShapePtr> Shape::from_polygons(const PolygonList& polygons, std::string name) {
    if (polygons.polygon_count() == 0) return Error{"a mesh needs at least one polygon", {}, 0};
    auto built = build_polyhedron(polygons);
    if (!built) return built.error();
    std::shared_ptr<Shape> shape(new Shape);
    shape->name_ = std::move(name);
    shape->set_classification(classify(built.value()));
    shape->geometry_ = make_geometry(std::move(built).value());
    shape->sphere_ = bounding_sphere(shape->geometry_.positions);
    if (shape->classification_.convex) {
        auto hull = convex_hull(shape->geometry_.positions);
        if (!hull) return hull.error();
        shape->set_hull(std::move(hull).value());
    }
    return ShapePtr(std::move(shape));
}

Result<ShapePtr> Shape::from_hull(std::span<const Vec3f> points, std::string name) {
    auto built = connected_convex_hull(points);
    if (!built) return built.error();
    auto& [hull, topology] = built.value();
    std::shared_ptr<Shape> shape(new Shape);
    shape->name_ = std::move(name);
    Polyhedron polyhedron = hull.dimension < 2 ? build_polyhedron(surface_of_line(hull)).value()
                                               : triangulated(std::move(topology), hull.faces.positions);
    shape->set_classification(hull.dimension == 3 ? classification_of_hull(*polyhedron.topology)
                                                  : classify(polyhedron));
    shape->classification_.convex = true;  // flat bodies, segments and points too
    shape->geometry_ = make_geometry(std::move(polyhedron));
    shape->sphere_ = bounding_sphere(shape->geometry_.positions);
    shape->set_hull(std::move(hull));
    return ShapePtr(std::move(shape));
}

std::size_t memory_bytes(const Geometry& geometry) {
    return bytes(geometry.positions) + bytes(geometry.polygon_boxes) + bytes(geometry.run_boxes) +
           bytes(geometry.marks);
}

std::size_t Shape::memory_bytes() const {
    std::size_t sum = sizeof *this + name_.capacity() + topology().memory_bytes() +
                      collision::memory_bytes(geometry_) + bytes(classification_.defects) +
                      bytes(classification_.component_vertices);
    if (hull_) {
        sum += sizeof *hull_ + bytes(hull_->x) + bytes(hull_->y) + bytes(hull_->z) +
               bytes(hull_->neighbour_begin) + bytes(hull_->neighbours) + bytes(hull_->faces.positions) +
               bytes(hull_->faces.begin) + bytes(hull_->faces.indices);
    }
    return sum;
}

}  // namespace claybox::collision
